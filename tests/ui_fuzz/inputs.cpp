#include "tests/ui_fuzz/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "sim/core/policy.h"
#include "sim/scenario/builtin_files.h"
#include "ui/app/window_link.h"
#include "ui/view/knobs.h"

namespace ui_fuzz {
namespace {

constexpr ui::Size kSizes[] = {{1, 1},      {64, 64},    {320, 200},   {640, 480},   {800, 600},
                               {600, 1200}, {1366, 768}, {1920, 1080}, {3840, 2160}, {1366, 40}};
constexpr ui::Size kHugeSizes[] = {{32'000, 32'000}, {32'000, 1}, {1, 32'000}, {16'384, 16'384}};
constexpr int kInputsWhileHuge = 2;

const char* const kWords[] = {"37",
                              "switch 37",
                              "decision 5",
                              "12.5ms",
                              "9223372036854775807ns",
                              "-1",
                              "1e999",
                              "50%s%n%d",
                              "a##b###c",
                              "\u202eevil\u202c",
                              "\u200b\u200d\u2066",
                              "caf\u00e9 \u4e2d\u6587 \U0001f600",
                              "mine",
                              "two-hogs",
                              "a",
                              ".",
                              "mine.json",
                              "no/such/folder/file",
                              "../up",
                              "\t\n\x1b[31m",
                              "1,2,4,8",
                              "1-5000",
                              "0",
                              "2..1000 by 7"};
const char* const kModifiers[] = {"", "Shift+", "Ctrl+", "Alt+", "Ctrl+Shift+", "Ctrl+Alt+", "Alt+Shift+"};
const char* const kPlainKeys[] = {"Space", "Return", "Escape", "Tab",  "Backspace", "Delete", "Left",
                                  "Right", "Up",     "Down",   "Home", "End",       "PageUp", "PageDown",
                                  "0",     "1",      "9",      "A",    "V",         "X",      "F12"};
// Commands that would end the test or change the key bindings that it uses.
const char* const kNotPressed[] = {"quit", "help"};
const char* const kBoxes[] = {"go.to", "open", "save", "palette", "pane.tasks", "pane.laboratory"};

std::string in_quotes(std::string_view text) {
    std::string words = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') words += '\\';
        if (c == '\n')
            words += "\\n";
        else if (c != '\r')
            words += c;
    }
    return words + '"';
}

void write(const std::filesystem::path& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    if (!out.flush()) throw std::runtime_error("cannot be written: " + path.string());
}

}  // namespace

std::vector<std::string> make_drops(const std::string& folder) {
    const std::filesystem::path place(folder);
    std::filesystem::create_directories(place);
    const std::string good(sim::find_builtin_file("two-hogs.json")->text);
    const std::pair<std::string, std::string> files[] = {
        {"good.json", good},
        {"cut.json", good.substr(0, good.size() / 2)},
        {"empty.json", ""},
        {"bytes.json", std::string("\x00\xff\x1b[31m\x7f{", 9)},
        {"deep.json", std::string(100'000, '[')},
        {"esc\x1b[31m\x07.json", good},
        {"\u202enosj.json", good},
        {"not utf-8 \xff\xfe.json", good},
        {"a##b###c %s %n.json", good},
        {"two\nlines.json", good},
        {"long-\u00e9" + std::string(200, 'x') + ".json", good},
    };
    std::vector<std::string> paths{folder, (place / "missing.json").string()};
    for (const auto& [name, text] : files) {
        write(place / name, text);
        paths.push_back((place / name).string());
    }
    return paths;
}

Inputs::Inputs(const ui::App& app, std::uint64_t seed, std::vector<std::string> drops)
    : dice_(seed), drops_(std::move(drops)) {
    for (const ui::Command& command : app.commands().all()) {
        if (std::find(std::begin(kNotPressed), std::end(kNotPressed), command.id) != std::end(kNotPressed))
            continue;
        commands_.push_back(command.id);
        for (const ui::Chord& chord : command.keys) keys_.push_back(in_quotes(ui::to_string(chord)));
    }
}

std::string Inputs::keys() {
    if (dice_.one_in(5)) return fmt::format("key {}{}", dice_.of(kModifiers), dice_.of(kPlainKeys));
    if (dice_.one_in(12)) return fmt::format("hold {} {}", dice_.of(keys_), dice_.from_to(5, 40));
    return "key " + dice_.of(keys_);
}

std::string Inputs::mouse(ui::Size size) {
    const auto x = [&] { return dice_.from_to(-2, std::min(size.width, 4000) + 2); };
    const auto y = [&] { return dice_.from_to(-2, std::min(size.height, 4000) + 2); };
    const char* const buttons[] = {"", " right", " middle"};
    const std::string button = buttons[dice_.one_in(3) ? dice_.from_to(1, 2) : 0];
    const char* const held[] = {"", " Shift", " Ctrl", " Alt", " Alt+Shift"};
    const std::string modifiers = held[dice_.one_in(4) ? dice_.from_to(1, 4) : 0];
    switch (dice_.below(8)) {
        case 0:
        case 1:
        case 2:
            return fmt::format("click {} {}{}{}{}", x(), y(), button, dice_.one_in(5) ? " double" : "",
                               modifiers);
        case 3:
        case 4:
            return fmt::format("drag {} {} {} {}{}{}", x(), y(), x(), y(), button, modifiers);
        case 5:
        case 6:
            return fmt::format("wheel {} {} {} {}{}", x(), y(), dice_.from_to(-1, 1), dice_.from_to(-3, 3),
                               modifiers);
        default:
            return fmt::format("move {} {}", x(), y());
    }
}

std::string Inputs::resize() {
    const bool huge = dice_.one_in(12);
    if (huge) shrink_in_ = kInputsWhileHuge;
    const ui::Size size = huge ? dice_.of(kHugeSizes) : dice_.of(kSizes);
    return fmt::format("resize {} {}", size.width, size.height);
}

std::string Inputs::typed() {
    std::string text = dice_.one_in(20) ? std::string(5000, 'w') : dice_.of(kWords);
    std::string script = fmt::format("text {}", in_quotes(text));
    if (dice_.one_in(2)) script = fmt::format("command {}\n", dice_.of(kBoxes)) + script;
    if (dice_.one_in(3)) script += "\nkey Ctrl+A\nkey Ctrl+C\nkey Ctrl+V\nkey Ctrl+V";
    if (dice_.one_in(2)) script += "\nkey Return";
    return script;
}

// Opens a link that may contain errors.
std::string Inputs::link(ui::App& app) {
    const std::vector<std::string> names = sim::builtin_file_names("");
    std::string link = "#scenario=" + dice_.of(names);
    if (app.model().a != nullptr && dice_.one_in(2)) link = sim::format_link(ui::link_of_window(app));
    if (dice_.one_in(3)) link += std::string("&theme=") + dice_.of(sim::kLinkThemes);
    if (dice_.one_in(3)) link += fmt::format("&scale={}", dice_.from_to(60, 320));
    if (dice_.one_in(4)) link += fmt::format("&switch={}", dice_.from_to(0, 3000));
    if (dice_.one_in(4)) link += "&tab=laboratory&vary=/machine/hz%3D50,100,200&until=20ms&seeds=2";
    if (dice_.one_in(5)) link += std::string("&panel=") + dice_.of(sim::kLinkPanels);
    if (dice_.one_in(6)) link += "&compare=sorted-queue";
    if (dice_.one_in(8)) link[dice_.below(link.size())] = static_cast<char>(dice_.below(256));
    try {
        ui::apply_link(app, sim::parse_link(link));
    } catch (const std::invalid_argument& problem) {
        app.control().set_error(problem.what());
    }
    return "link " + link;
}

// An action that would need many clicks: changes a value or policy, intervenes in the run, or saves a figure.
std::string Inputs::change(ui::App& app) {
    ui::Control& control = app.control();
    if (app.model().a == nullptr) return "nothing is open";
    const sim::Scenario& scenario = app.model().a->scenario();
    switch (dice_.below(4)) {
        case 0: {
            const std::vector<ui::Knob> knobs = ui::knobs_of(scenario);
            const ui::Knob& knob = dice_.of(knobs);
            const std::int64_t most = std::min(knob.most, knob.least + 300);
            const std::string value = ui::scenario_value_text(
                knob, dice_.one_in(8) ? knob.most
                                      : knob.least + dice_.from_to(0, static_cast<int>(most - knob.least)));
            control.set_value(knob.pointer, value);
            return fmt::format("{} = {}", knob.pointer, value);
        }
        case 1: {
            const sim::PolicyInfo& policy = dice_.of(sim::policies());
            dice_.one_in(2) ? control.set_policy(policy.name)
                            : control.comparison().compare_with(policy.name);
            return "policy " + policy.name;
        }
        case 2: {
            using Kind = sim::Intervention::Kind;
            const Kind kinds[] = {Kind::renice, Kind::kill, Kind::wake, Kind::policy};
            const sim::Machine& machine = app.model().a->session().machine();
            sim::Intervention what{.kind = dice_.of(kinds), .priority = dice_.from_to(1, 40)};
            if (what.kind == Kind::policy)
                what.policy = dice_.of(sim::policies()).name;
            else
                what.task = static_cast<sim::TaskId>(dice_.below(machine.globals().high_row));
            control.comparison().compare_with_intervention(what);
            return fmt::format("intervention {} on task {}", static_cast<int>(what.kind), what.task);
        }
        default:
            control.laboratory().save_figure();
            return "a figure saved";
    }
}

Input Inputs::next(ui::App& app) {
    if (shrink_in_ > 0 && --shrink_in_ == 0) return {"resize 1366 768", {}};
    const std::size_t kind = dice_.below(100);
    if (kind < 45) return {keys(), {}};
    if (kind < 75) return {mouse(app.backend().size()), {}};
    if (kind < 81) return {typed(), {}};
    if (kind < 87) return {"command " + dice_.of(commands_), {}};
    if (kind < 91) return {resize(), {}};
    if (kind < 93) return {"drop " + in_quotes(dice_.of(drops_)), {}};
    if (kind < 95) return {{}, link(app)};
    return {{}, change(app)};
}

}  // namespace ui_fuzz
