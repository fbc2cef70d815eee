#include "ui/platform/theme.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ui/platform/builtin.h"

namespace ui {
namespace {

using nlohmann::json;

struct NamedColour {
    const char* key;
    ImU32 Theme::*member;
};
constexpr NamedColour kColours[] = {
    {"background", &Theme::background},
    {"panel", &Theme::panel},
    {"panel_border", &Theme::panel_border},
    {"text", &Theme::text},
    {"text_dim", &Theme::text_dim},
    {"accent", &Theme::accent},
    {"warning", &Theme::warning},
    {"error", &Theme::error},
    {"ok", &Theme::ok},
    {"grid", &Theme::grid},
    {"cursor", &Theme::cursor},
    {"cursor_a", &Theme::cursor_a},
    {"cursor_b", &Theme::cursor_b},
    {"selection", &Theme::selection},
    {"idle", &Theme::idle},
    {"system_call", &Theme::system_call},
    {"select", &Theme::task_search},
    {"recalc", &Theme::recalculation},
    {"context_switch", &Theme::context_switch},
    {"address_space", &Theme::address_space},
    {"cache", &Theme::cache},
    {"ready", &Theme::ready},
    {"sleeping", &Theme::sleeping},
    {"mark_tick", &Theme::mark_tick},
    {"mark_yield", &Theme::mark_yield},
    {"mark_wake", &Theme::mark_wake},
    {"mark_recalc", &Theme::mark_recalculation},
    {"mark_exit", &Theme::mark_exit},
    {"mark_fork", &Theme::mark_fork},
};

[[noreturn]] void reject_key(const std::string& where, std::string_view key, std::string_view why) {
    throw std::runtime_error(fmt::format("themes.json: {}: \"{}\": {}", where, key, why));
}

// Parses a colour, "#rrggbb" or "#rrggbbaa".
ImU32 parse_colour(const json& value, const std::string& where, std::string_view key) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if ((text.size() != 7 && text.size() != 9) || text[0] != '#' ||
        text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
        reject_key(where, key, "expected a colour, \"#rrggbb\" or \"#rrggbbaa\"");
    const auto byte = [&](std::size_t at) {
        return static_cast<ImU32>(std::stoul(text.substr(at, 2), nullptr, 16));
    };
    return IM_COL32(byte(1), byte(3), byte(5), text.size() == 9 ? byte(7) : 255);
}

// Parses a number from 0.5 to 3.
float parse_factor(const json& value, const std::string& where, std::string_view key) {
    if (!value.is_number() || value.get<double>() < 0.5 || value.get<double>() > 3)
        reject_key(where, key, "expected a number from 0.5 to 3");
    return value.get<float>();
}

Theme parse_theme(const json& object, std::size_t index) {
    std::string where = fmt::format("theme {}", index + 1);
    if (!object.is_object())
        throw std::runtime_error(fmt::format("themes.json: {}: expected an object ({{...}})", where));
    std::size_t used = 0;
    const auto value = [&](const char* key) -> const json& {
        const auto it = object.find(key);
        if (it == object.end()) reject_key(where, key, "missing key");
        ++used;
        return *it;
    };
    Theme theme{};
    if (!value("name").is_string()) reject_key(where, "name", "expected a string");
    theme.name = object["name"].get<std::string>();
    where = fmt::format("theme {}", theme.name);
    if (!value("dark").is_boolean()) reject_key(where, "dark", "expected true or false");
    theme.dark = object["dark"].get<bool>();
    theme.line_width = parse_factor(value("line_width"), where, "line_width");
    theme.text_scale = parse_factor(value("text_scale"), where, "text_scale");
    for (const NamedColour& it : kColours) theme.*it.member = parse_colour(value(it.key), where, it.key);
    const json& tasks = value("tasks");
    if (!tasks.is_array() || tasks.size() != kTaskHues)
        reject_key(where, "tasks", fmt::format("expected a list of {} colours", kTaskHues));
    for (std::size_t i = 0; i < kTaskHues; ++i)
        theme.tasks[i] = parse_colour(tasks[i], where, fmt::format("tasks/{}", i));
    if (used != object.size()) {
        for (const auto& [key, unused] : object.items()) {
            const bool known = key == "name" || key == "dark" || key == "line_width" || key == "text_scale" ||
                               key == "tasks" ||
                               std::any_of(std::begin(kColours), std::end(kColours),
                                           [&k = key](const auto& it) { return k == it.key; });
            if (!known) reject_key(where, key, "unknown key");
        }
    }
    return theme;
}

std::uint32_t channel(ImU32 colour, int shift) { return colour >> shift & 0xff; }

// Calculates x^2.4 for x from 0 to 1, as x^2 times the fifth root of x^2 by Newton's method. std::pow is
// not used, because its last bits differ between C libraries.
double power_2_4(double x) {
    const double square = x * x;
    double root = 1;
    for (int i = 0; i < 40; ++i) root -= (root - square / (root * root * root * root)) / 5;
    return square * root;
}

// The luminance of a colour as defined by WCAG 2.1, 0 to 1.
double luminance(ImU32 colour) {
    const auto linear = [&](int shift) {
        const double c = channel(colour, shift) / 255.0;
        return c <= 0.04045 ? c / 12.92 : power_2_4((c + 0.055) / 1.055);
    };
    return 0.2126 * linear(IM_COL32_R_SHIFT) + 0.7152 * linear(IM_COL32_G_SHIFT) +
           0.0722 * linear(IM_COL32_B_SHIFT);
}

}  // namespace

std::vector<Theme> parse_themes(std::string_view text) {
    json file;
    try {
        file = json::parse(text);
    } catch (const json::parse_error& error) {
        throw std::runtime_error(fmt::format("themes.json: {}", error.what()));
    }
    if (!file.is_object() || !file.contains("themes") || !file["themes"].is_array())
        throw std::runtime_error("themes.json: \"themes\": expected a list ([...])");
    std::vector<Theme> themes;
    for (const json& object : file["themes"]) themes.push_back(parse_theme(object, themes.size()));
    if (themes.empty())
        throw std::runtime_error("themes.json: \"themes\": expected at least one theme, got none");
    return themes;
}

std::span<const Theme> themes() {
    static const std::vector<Theme> all = parse_themes(builtin_themes());
    return all;
}

const Theme* find_theme(std::string_view name) {
    for (const Theme& theme : themes())
        if (theme.name == name) return &theme;
    return nullptr;
}

ImU32 Theme::task_colour(std::uint32_t index) const {
    // Tasks 0 to 7 have the unmixed hues. In each of the next four groups of eight tasks, the hues are mixed
    // with white in a dark theme and with black in a light theme. After these groups, the colours repeat.
    // kSteps: the share of white or black in each group, in units of 1/256. Mixing makes a colour differ more
    // from the background.
    constexpr std::array<int, 5> kSteps = {0, 112, 56, 168, 140};
    const ImU32 hue = tasks[index % kTaskHues];
    const int step = kSteps[index / kTaskHues % kSteps.size()];
    const ImU32 to = dark ? IM_COL32_WHITE : IM_COL32_BLACK;
    const auto mixed = [&](int shift) {
        const auto from = static_cast<int>(channel(hue, shift));
        return static_cast<ImU32>(from + (static_cast<int>(channel(to, shift)) - from) * step / 256);
    };
    return IM_COL32(mixed(IM_COL32_R_SHIFT), mixed(IM_COL32_G_SHIFT), mixed(IM_COL32_B_SHIFT), 255);
}

double contrast(ImU32 a, ImU32 b) {
    const double of_a = luminance(a) + 0.05;
    const double of_b = luminance(b) + 0.05;
    return std::max(of_a, of_b) / std::min(of_a, of_b);
}

ImU32 readable_text_colour(ImU32 background) {
    return contrast(background, IM_COL32_BLACK) >= contrast(background, IM_COL32_WHITE) ? IM_COL32_BLACK
                                                                                        : IM_COL32_WHITE;
}

ImU32 blend(ImU32 over, ImU32 under) {
    const std::uint32_t alpha = channel(over, IM_COL32_A_SHIFT);
    const auto mixed = [&](int shift) {
        return (channel(over, shift) * alpha + channel(under, shift) * (255 - alpha) + 127) / 255;
    };
    return IM_COL32(mixed(IM_COL32_R_SHIFT), mixed(IM_COL32_G_SHIFT), mixed(IM_COL32_B_SHIFT), 255);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
    const auto byte = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255));
    return (colour & ~IM_COL32_A_MASK) | byte << IM_COL32_A_SHIFT;
}

ImU32 text_highlight_colour(const Theme& theme) { return blend(with_alpha(theme.accent, 0.5f), theme.panel); }

namespace {

void set_sizes_and_edges(ImGuiStyle& style, const Theme& theme, float scale) {
    // Corners are square and edges are at whole pixels, so that everything except text is a rectangle of
    // one colour, which is fast to draw and sharp on a projector. Smoothing is off, because ImGui's
    // arithmetic for it differs between processors (ui/platform/shapes.h).
    style.AntiAliasedFill = false;
    style.AntiAliasedLines = false;
    style.AntiAliasedLinesUseTex = false;
    style.WindowPadding = ImVec2(8, 8);
    style.FramePadding = ImVec2(6, 3);
    style.ItemSpacing = ImVec2(8, 5);
    style.CellPadding = ImVec2(6, 2);
    style.ScrollbarSize = 14;
    style.GrabMinSize = 12;
    style.WindowBorderSize = 1;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.ScaleAllSizes(scale);
    const float line = std::max(1.0f, std::round(theme.line_width * scale));
    style.WindowBorderSize = line;
    style.ChildBorderSize = line;
    style.PopupBorderSize = line;
    style.WindowRounding = style.ChildRounding = style.PopupRounding = style.FrameRounding = 0;
    style.ScrollbarRounding = style.GrabRounding = style.TabRounding = 0;
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.CircleTessellationMaxError = 0.3f;
}

// Sets all colours of ImGui; mixes them from the colours of a theme.
class StyleColours {
  public:
    StyleColours(ImGuiStyle& style, const Theme& theme) : style_(style), theme_(theme) {}

    void set_all() {
        if (theme_.dark) {
            ImGui::StyleColorsDark(&style_);
        } else {
            ImGui::StyleColorsLight(&style_);
        }
        set_windows();
        set_widgets();
        set_tables_and_plots();
        set_highlights();
    }

  private:
    void set_windows() {
        set(ImGuiCol_Text, theme_.text);
        set(ImGuiCol_TextDisabled, theme_.text_dim);
        set(ImGuiCol_WindowBg, theme_.panel);
        set(ImGuiCol_ChildBg, theme_.panel & ~IM_COL32_A_MASK);
        set(ImGuiCol_PopupBg, mix_text(0.04f));
        set(ImGuiCol_Border, theme_.panel_border);
        set(ImGuiCol_BorderShadow, 0);
        set(ImGuiCol_TitleBg, mix_text(0.05f));
        set(ImGuiCol_TitleBgActive, mix_text(0.1f));
        set(ImGuiCol_TitleBgCollapsed, mix_text(0.05f));
        set(ImGuiCol_MenuBarBg, mix_text(0.05f));
        set(ImGuiCol_ScrollbarBg, theme_.panel);
        set(ImGuiCol_ScrollbarGrab, mix_text(0.25f));
        set(ImGuiCol_ScrollbarGrabHovered, mix_text(0.4f));
        set(ImGuiCol_ScrollbarGrabActive, mix_text(0.5f));
    }

    void set_widgets() {
        set(ImGuiCol_FrameBg, mix_text(0.08f));
        set(ImGuiCol_FrameBgHovered, mix_accent(0.25f));
        set(ImGuiCol_FrameBgActive, mix_accent(0.4f));
        set(ImGuiCol_CheckMark, theme_.accent);
        set(ImGuiCol_SliderGrab, theme_.accent);
        set(ImGuiCol_SliderGrabActive, theme_.text);
        set(ImGuiCol_Button, mix_text(0.12f));
        set(ImGuiCol_ButtonHovered, mix_accent(0.3f));
        set(ImGuiCol_ButtonActive, mix_accent(0.45f));
        set(ImGuiCol_Header, mix_accent(0.25f));
        set(ImGuiCol_HeaderHovered, mix_accent(0.3f));
        set(ImGuiCol_HeaderActive, mix_accent(0.4f));
        set(ImGuiCol_Separator, theme_.panel_border);
        set(ImGuiCol_SeparatorHovered, theme_.accent);
        set(ImGuiCol_SeparatorActive, theme_.accent);
        set(ImGuiCol_ResizeGrip, mix_text(0.15f));
        set(ImGuiCol_ResizeGripHovered, theme_.accent);
        set(ImGuiCol_ResizeGripActive, theme_.accent);
        set(ImGuiCol_Tab, mix_text(0.05f));
        set(ImGuiCol_TabHovered, mix_accent(0.35f));
        set(ImGuiCol_TabActive, mix_accent(0.3f));
        set(ImGuiCol_TabUnfocused, mix_text(0.05f));
        set(ImGuiCol_TabUnfocusedActive, mix_accent(0.2f));
    }

    void set_tables_and_plots() {
        set(ImGuiCol_PlotLines, theme_.accent);
        set(ImGuiCol_PlotLinesHovered, theme_.text);
        set(ImGuiCol_PlotHistogram, theme_.accent);
        set(ImGuiCol_PlotHistogramHovered, theme_.text);
        set(ImGuiCol_TableHeaderBg, mix_text(0.07f));
        set(ImGuiCol_TableBorderStrong, theme_.panel_border);
        set(ImGuiCol_TableBorderLight, theme_.grid);
        set(ImGuiCol_TableRowBg, 0);
        set(ImGuiCol_TableRowBgAlt, with_alpha(theme_.text, 0.03f));
    }

    void set_highlights() {
        set(ImGuiCol_TextSelectedBg, mix_accent(0.4f));
        set(ImGuiCol_DragDropTarget, theme_.accent);
        set(ImGuiCol_NavHighlight, theme_.accent);
        set(ImGuiCol_NavWindowingHighlight, theme_.accent);
        set(ImGuiCol_NavWindowingDimBg, with_alpha(theme_.background, 0.5f));
        set(ImGuiCol_ModalWindowDimBg, with_alpha(theme_.background, 0.5f));
    }

    void set(ImGuiCol which, ImU32 colour) { style_.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour); }
    // These functions mix a share of the accent colour, or of the text colour, with the colour of panes.
    ImU32 mix_accent(float share) const { return blend(with_alpha(theme_.accent, share), theme_.panel); }
    ImU32 mix_text(float share) const { return blend(with_alpha(theme_.text, share), theme_.panel); }

    ImGuiStyle& style_;
    const Theme& theme_;
};

}  // namespace

void apply_theme(const Theme& theme, float scale) {
    ImGuiStyle style;
    set_sizes_and_edges(style, theme, scale);
    StyleColours(style, theme).set_all();
    ImGui::GetStyle() = style;
}

}  // namespace ui
