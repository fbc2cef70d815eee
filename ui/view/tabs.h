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

// From left to right; the digits are their keys, 0 that of the tenth.
inline constexpr std::array<TabInfo, 10> kTabs{{
    {Tab::context_switch, "context_switch", "switch"},
    {Tab::tasks, "tasks", "tasks"},
    {Tab::costs, "costs", "costs"},
    {Tab::system, "system", "system"},
    {Tab::invariants, "invariants", "invariants"},
    {Tab::caches, "caches", "caches"},
    {Tab::waits, "waits", "waits"},
    {Tab::laboratory, "laboratory", "laboratory"},
    {Tab::jobs, "jobs", "jobs"},
    {Tab::script, "script", "script"},
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

// What needs more room than a corner of the window.
inline bool is_large_tab(Tab tab) { return tab == Tab::jobs || tab == Tab::script; }

// Brings it to the front, in a small window, too.
inline void show_tab(ViewState& view, Tab tab) {
    view.tab = tab;
    view.narrow_tab = view.presented = info_of(tab).pane;
    view.subject.clear();
}

}  // namespace ui
