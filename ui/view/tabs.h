// The panes that can be shown as tabs, with their names. There is no other list of them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "ui/view/view_state.h"

namespace ui {

struct TabInfo {
    Tab tab;
    const char* pane;  // id of the Panel that the tab shows
    // The name of the tab in a scenario's tour (sim::kTourPanes) and in the option --tab. The id of the tab's
    // command is "pane." and this name.
    const char* name;
};

// The tabs from left to right. Their keys are 1 to 9, then 0.
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

// The tab of this name; null if there is none.
inline const TabInfo* tab_named(std::string_view name) {
    const auto found =
        std::find_if(kTabs.begin(), kTabs.end(), [name](const TabInfo& t) { return t.name == name; });
    return found == kTabs.end() ? nullptr : &*found;
}

// True if the pane needs more space than tabs usually have.
inline bool is_large_tab(Tab tab) { return tab == Tab::jobs || tab == Tab::script; }

// Selects this tab in every layout, in a small window and in the presenter's view.
inline void show_tab(ViewState& view, Tab tab) {
    view.tab = tab;
    if (tab != Tab::laboratory) view.tab_at_laboratory = tab;
    view.narrow_tab = view.presented = info_of(tab).pane;
    view.subject.clear();
}

}  // namespace ui
