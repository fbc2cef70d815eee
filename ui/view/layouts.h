// The layouts of the window, with their names. There is no other list of them.
//
// Lecture shows large letters and few panes. Kernel has all tabs, and its pane DECISION is as high as the
// window. Laboratory shows curves, jobs and sliders. The keys of the tabs work in every layout.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "ui/view/tabs.h"

namespace ui {

struct LayoutInfo {
    WindowLayout layout;
    const char* name;   // in --layout, in the settings, and in the id of the command: "layout.lecture"
    const char* title;  // text on the button of the layout
    const char* command_title;
};

inline constexpr std::array<LayoutInfo, 3> kLayouts{{
    {WindowLayout::lecture, "lecture", "Lecture", "Lecture layout: large letters, few panes"},
    {WindowLayout::kernel, "kernel", "Kernel", "Kernel layout: more pseudo-code, all tabs"},
    {WindowLayout::laboratory, "laboratory", "Laboratory", "Laboratory layout: curves, jobs, sliders"},
}};

inline const LayoutInfo& info_of(WindowLayout layout) { return kLayouts[static_cast<std::size_t>(layout)]; }

// The layout of this name; null if there is none.
inline const LayoutInfo* layout_named(std::string_view name) {
    const auto found = std::find_if(kLayouts.begin(), kLayouts.end(),
                                    [name](const LayoutInfo& l) { return l.name == name; });
    return found == kLayouts.end() ? nullptr : &*found;
}

// The ids of the panes that have a tab in the current layout.
inline std::vector<const char*> tab_panes(const ViewState& view) {
    if (view.layout == WindowLayout::lecture) return {"decision", info_of(view.tab).pane};
    std::vector<const char*> panes;
    for (const TabInfo& tab : kTabs)
        if (view.layout == WindowLayout::kernel || tab.tab != Tab::laboratory) panes.push_back(tab.pane);
    return panes;
}

// The id of the pane whose tab is selected: one of tab_panes().
inline const char* selected_tab_pane(const ViewState& view) {
    const char* const pane = info_of(view.tab).pane;
    if (view.layout == WindowLayout::lecture) return view.narrow_tab == pane ? pane : "decision";
    if (view.layout == WindowLayout::laboratory) return info_of(view.tab_at_laboratory).pane;
    return pane;
}

// Selects the tab of `pane`. REQUIRES: `pane` is one of tab_panes().
inline void select_tab_of(ViewState& view, std::string_view pane) {
    if (view.layout == WindowLayout::lecture) view.narrow_tab = pane;
    for (const TabInfo& tab : kTabs)
        if (tab.pane == pane)
            (view.layout == WindowLayout::laboratory ? view.tab_at_laboratory : view.tab) = tab.tab;
}

// The sizes of the areas of the current layout. There are separate sizes for two cases: a pane that needs
// much space is selected (is_large_tab()), or two runs are compared.
inline AreaSizes& area_sizes(ViewState& view, bool two_runs) {
    const bool is_large = is_large_tab(view.tab) && view.layout != WindowLayout::laboratory &&
                          selected_tab_pane(view) == std::string_view(info_of(view.tab).pane);
    const auto i = static_cast<std::size_t>(view.layout);
    if (is_large) return view.large_sizes[i];
    return two_runs && view.layout != WindowLayout::laboratory ? view.sizes_of_two_runs[i] : view.sizes[i];
}

}  // namespace ui
