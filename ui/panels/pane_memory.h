// What panes keep from one frame to the next beside what is shown: what is dear to make again, and boxes that
// somebody types into. The window owns it, so that two windows do not share it; a pane says of which type its
// own is.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace ui {

class PaneMemory {
  public:
    // The T that is kept; T() before anybody has asked for it. The type is its name: one that only this pane
    // has.
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
