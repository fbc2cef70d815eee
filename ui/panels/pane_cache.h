// State of the panes between frames: results that are expensive to compute, and text that is being edited.
// Each window has its own PaneCache, so that windows do not share state.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace ui {

class PaneCache {
  public:
    // Returns the state of type T; the first call creates it as T().
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
