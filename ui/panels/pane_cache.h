// Pane state between frames: results that are expensive to recompute, and text being edited. Each window owns
// one, so that two windows do not share it.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace ui {

class PaneCache {
  public:
    // The pane's state of type T, initially T(). REQUIRES: only one pane uses T.
    template <class T>
    T& of() {
        std::shared_ptr<void>& kept = kept_[typeid(T)];
        if (!kept) kept = std::make_shared<T>();
        return *static_cast<T*>(kept.get());
    }

  private:
    std::map<std::type_index, std::shared_ptr<void>> kept_;
};

}  // namespace ui
