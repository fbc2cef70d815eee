// The panes that share the place at the lower right, and what each is called where: the one table of them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "ui/view/view_state.h"

namespace ui {

struct TabInfo {
    Tab tab;
    const char* pane;  // the id of its Panel
    // In a scenario's tour (sim::kTourPanes), behind --tab, and in its command: "pane.switch".
    const char* name;
};

// From left to right; the digits are their keys.
inline constexpr std::array<TabInfo, 8> kTabs{{
    {Tab::context_switch, "context_switch", "switch"},
    {Tab::tasks, "tasks", "tasks"},
    {Tab::costs, "costs", "costs"},
    {Tab::system, "system", "system"},
    {Tab::invariants, "invariants", "invariants"},
    {Tab::caches, "caches", "caches"},
    {Tab::waits, "waits", "waits"},
    {Tab::laboratory, "laboratory", "laboratory"},
}};

inline const TabInfo& info_of(Tab tab) {
    return *std::find_if(kTabs.begin(), kTabs.end(), [tab](const TabInfo& t) { return t.tab == tab; });
}

// The one of this name; null when there is none.
inline const TabInfo* tab_named(std::string_view name) {
    const auto found =
        std::find_if(kTabs.begin(), kTabs.end(), [name](const TabInfo& t) { return t.name == name; });
    return found == kTabs.end() ? nullptr : &*found;
}

// Brings it to the front, in a small window, too.
inline void show_tab(ViewState& view, Tab tab) {
    view.tab = tab;
    view.narrow_tab = view.presented = info_of(tab).pane;
    view.subject.clear();
}

}  // namespace ui
