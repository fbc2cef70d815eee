#include "ui/app/program.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <optional>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/command_line/arguments.h"
#include "sim/command_line/completion_and_manual.h"
#include "sim/command_line/renamed_options.h"
#include "sim/command_line/version.h"
#include "sim/os/directories.h"
#include "sim/os/display.h"
#include "ui/app/app.h"
#include "ui/app/film.h"
#include "ui/app/script_host.h"
#include "ui/app/window_link.h"
#include "ui/platform/png.h"
#include "ui/platform/script.h"
#include "ui/view/layouts.h"

namespace {

using Clock = std::chrono::steady_clock;
using sim::cli::Command;
using sim::cli::Option;
using sim::cli::ParseError;

struct Options {
    sim::Link place;
    std::string link, size, layout;
    bool is_plain = false;        // no option selects what the window shows
    bool is_only_a_file = false;  // --scenario is the only option that selects what the window shows
    bool headless = false;
    std::string screenshot, script, keys;
    // How to import a trace: --replay (closed, open) and --affinity (free, recorded).
    std::string replay = "closed", affinity = "free";
    bool dumps_text = false;
    int quit_after = 0;  // number of frames after which the program ends; 0: until the user quits
    struct {
        std::string path;  // path of the film; empty: no film
        bool tour = false;
        std::string from, to, speed;
        int fps = 25;
    } film;
    bool quiet = false;
};

// Parses "1920x1080". Throws ParseError.
ui::Size parse_size(const std::string& text) {
    ui::Size size{};
    const char* const end = text.data() + text.size();
    const auto [x, bad_width] = std::from_chars(text.data(), end, size.width);
    const bool crossed = bad_width == std::errc{} && x != end && *x == 'x';
    const auto [rest, bad_height] = std::from_chars(crossed ? x + 1 : end, end, size.height);
    const auto fits = [](int pixels) { return 64 <= pixels && pixels <= ui::kLongestSide; };
    if (bad_height != std::errc{} || rest != end || !fits(size.width) || !fits(size.height))
        throw ParseError(fmt::format("--size: expected WxH like 1920x1080 (each 64 to {}), got '{}'",
                                     ui::kLongestSide, text));
    if (std::int64_t{size.width} * size.height > ui::kMostPixels)
        throw ParseError(
            fmt::format("--size: '{}' has more than {} pixels (8192x4096)", text, ui::kMostPixels));
    return size;
}

// Parses the time of an option; 0 if it is not specified. Throws ParseError.
sim::Nanos parse_time(const char* option, const std::string& text) {
    if (text.empty()) return {};
    std::string why;
    const std::optional<sim::Nanos> time = sim::parse_time(text, why);
    if (!time) throw ParseError(fmt::format("{}: {}", option, why));
    return *time;
}

// Parses the range of the run to film, and the speed of the film. Throws ParseError.
ui::FilmRange parse_film_range(const Options& o) {
    const ui::FilmRange range{.from = parse_time("--from", o.film.from),
                              .to = parse_time("--to", o.film.to),
                              .speed = parse_time("--speed", o.film.speed)};
    if (!o.film.from.empty() && range.from >= range.to)
        throw ParseError(fmt::format("--to: {} is not after --from {}", o.film.to, o.film.from));
    if (!o.film.speed.empty() && range.speed == sim::Nanos{})
        throw ParseError("--speed: expected a time above 0");
    return range;
}

// The path of a file in the directory of the user's settings, such as "keys". Empty if the directory is
// unknown.
std::string settings_file_path(const std::string& name) {
    const std::string directory = sim::os::settings_directory();
    return directory.empty() ? directory : directory + "/" + name;
}

// Opens the scenario with the view that the command line specifies. Returns false if that fails.
bool open_requested_view(ui::App& app, const Options& o) {
    app.control().set_import_options({.replay = o.replay == "open" ? sim::trace_io::ArrivalReplay::open
                                                                   : sim::trace_io::ArrivalReplay::closed,
                                      .keeps_cpus = o.affinity == "recorded"});
    sim::Link place = o.place;
    if (const ui::LayoutInfo* const layout = ui::layout_named(o.layout)) app.view().layout = layout->layout;
    if (o.is_plain) {
        app.set_theme(place.theme);
        app.set_scale(static_cast<float>(place.scale) / 100);
    }
    if (o.is_plain && !o.headless && app.use_draft_file(settings_file_path("draft"))) return true;
    if (o.is_plain && app.prefers_start_screen()) {
        app.open_example_jobs();
        return true;
    }
    if (!o.film.from.empty()) place.at = o.film.from;
    if (!ui::apply_link(app, place)) return false;
    if (o.is_only_a_file && app.prefers_start_screen()) app.show_jobs_on_start_screen();
    return true;
}

int report_failure(const ui::App& app) {
    const std::string& why = app.model().error.empty() ? app.model().message : app.model().error;
    if (!why.empty()) sim::print_error("switchyard-ui: " + why + "\n");
    return sim::kExitFailure;
}

// Reads the input script; nullopt if `path` is empty. Throws sim::ScenarioError if the script is invalid.
std::optional<ui::ParsedInputScript> read_script(const std::string& path) {
    if (path.empty()) return std::nullopt;
    constexpr std::size_t kMaxScriptBytes = 1 << 20;
    ui::ParsedInputScript script = ui::parse_input_script(sim::read_text_file(path, kMaxScriptBytes), path);
    if (script.statements.empty())
        throw sim::ScenarioError(sim::Problem{path, 0, 0, {}, "the input script has no statements"});
    return script;
}

// Runs the script, and records its frames if there is a film. Returns the exit code.
int play_script(ui::ParsedInputScript script, ui::App& app, ui::Film* film) {
    ui::AppInputScriptHost host(app);
    std::ostringstream said;
    said.exceptions(std::ios::badbit);
    ui::InputScriptPlayer player(std::move(script), host, said);
    for (bool more = true; more && !app.wants_quit();) {
        more = player.push_next_frame();
        sim::print(said.str());
        said.str({});
        if (!more) break;
        if (film != nullptr)
            film->film_frame();
        else
            app.run_frame(1.0 / 60);
    }
    for (const sim::Problem& problem : player.failures()) sim::print_error(problem.text() + "\n");
    return player.failures().empty() ? 0 : 1;
}

ui::Film::Progress film_progress(const Options& o) {
    if (o.quiet) return {};
    return [path = o.film.path](std::uint64_t done, std::uint64_t all) {
        sim::print_error(fmt::format("switchyard-ui: {}: {}{} frames\n", path, done,
                                     all == 0 ? "" : fmt::format(" of about {}", std::max(done, all))));
    };
}

int run_headless(const Options& o) {
    std::optional<ui::ParsedInputScript> script = read_script(o.script);
    const ui::FilmRange range = parse_film_range(o);
    ui::Backend backend = ui::Backend::headless(parse_size(o.size.empty() ? "1280x800" : o.size));
    ui::App app(backend);
    app.control().set_wait_without_limit(true);  // so that the picture is the same on a slow machine
    if (!open_requested_view(app, o)) return report_failure(app);
    app.use_key_bindings_file(o.keys);
    if (!app.model().error.empty()) sim::print_error("switchyard-ui: " + app.model().error + "\n");
    std::optional<ui::Film> film;
    if (!o.film.path.empty()) film.emplace(app, o.film.path, o.film.fps, film_progress(o));
    // Draws at least eight frames, because sizes depend on earlier frames, and continues until background
    // work and animations end.
    for (int run_frame = 0; run_frame < 8 || (app.is_busy() && run_frame < 600); ++run_frame)
        app.run_frame(1.0 / 60);
    int exit_code = 0;
    if (script) exit_code = play_script(std::move(*script), app, film ? &*film : nullptr);
    if (o.film.tour) film->film_tour();
    if (!o.film.from.empty()) film->film_range(range);
    if (film) film->finish();
    if (film && !o.quiet)
        sim::print_error(fmt::format("switchyard-ui: {}: {} frames, {:.1f} s\n", o.film.path, film->frames(),
                                     film->seconds()));
    if (!o.screenshot.empty()) ui::write_png(o.screenshot, backend.screenshot());
    if (o.dumps_text) sim::print(app.text());
    return exit_code;
}

int run_in_window(const Options& o) {
    const auto pixels = [](int usual) {
        return static_cast<int>(std::lround(static_cast<float>(usual) * sim::os::display_scale()));
    };
    const ui::Size usual{pixels(1440), pixels(900)};
    ui::Backend backend = ui::Backend::window("Switchyard", o.size.empty() ? usual : parse_size(o.size));
    if (const float more = backend.density() / sim::os::display_scale(); o.size.empty() && more > 1)
        backend.resize({static_cast<int>(static_cast<float>(usual.width) * more),
                        static_cast<int>(static_cast<float>(usual.height) * more)});
    ui::App app(backend);
    app.use_window_settings_file(settings_file_path("window"));
    open_requested_view(app, o);
    app.use_key_bindings_file(o.keys.empty() ? settings_file_path("keys") : o.keys);
    Clock::time_point before = Clock::now();
    int idle = 0;
    for (int frames = 0; !app.wants_quit() && (o.quit_after == 0 || frames < o.quit_after);) {
        // If nothing moves and there is no input, waits for an event instead of drawing the same frame
        // again.
        idle = app.is_busy() || backend.wants_frame() ? 0 : idle + 1;
        if (idle > 3 && o.quit_after == 0) {
            SDL_Event event;
            if (backend.wait(event, 200))
                app.handle_event(event);
            else if (!app.check_files_for_changes(0.2)) {
                app.draw_notes_window();  // updates the clock in the notes window
                continue;
            }
        }
        const Clock::time_point now = Clock::now();
        app.run_frame(std::min(0.1, std::chrono::duration<double>(now - before).count()));
        before = now;
        // Frames during background work or an animation do not count for --quit-after, so that the picture
        // shows a completely simulated run.
        if (!app.is_busy()) ++frames;
    }
    if (!o.screenshot.empty()) ui::write_png(o.screenshot, backend.screenshot());
    if (o.dumps_text) sim::print(app.text());
    return 0;
}

// Adds the options for films. --from cannot be combined with the options `position_options`, which also set
// the position in the run.
void add_film_options(Command& program, Options& o, Option& headless, Option& script,
                      std::initializer_list<Option*> position_options) {
    Option& film = program
                       .add_option("--film", o.film.path,
                                   "record a film of --tour, --script, or --from and --to: NAME.mp4 or "
                                   "NAME.gif (requires ffmpeg), or DIRECTORY/ for numbered pictures")
                       .type_name("PATH")
                       .needs(headless);
    Option& tour = program.add_flag("--tour", o.film.tour, "film the scenario's tour, stop by stop")
                       .needs(film)
                       .excludes(script);
    Option& from = program.add_option("--from", o.film.from, "start the film at this time of the run")
                       .type_name("TIME")
                       .needs(film)
                       .excludes(tour)
                       .excludes(script);
    for (Option* other : position_options) from.excludes(*other);
    Option& to = program.add_option("--to", o.film.to, "end the film at this time of the run")
                     .type_name("TIME")
                     .needs(from);
    from.needs(to);
    program
        .add_option("--speed", o.film.speed,
                    "simulated time per second of film; by default the film takes 20 s")
        .type_name("TIME")
        .needs(from);
    program.add_option("--fps", o.film.fps, "frames per second of film")
        .check(sim::cli::in_range(1, 60))
        .show_default()
        .needs(film);
    program.add_flag("--quiet", o.quiet, "do not report the progress of the film").needs(film);
}

// Adds the options that select the run and the position in it.
void add_run_options(Command& program, Options& o) {
    program
        .add_option(
            "scenario,--scenario", o.place.scenario,
            "a scenario file, a table of jobs, a trace, or the name of a built-in scenario; without any "
            "option, the window starts with a table of jobs")
        .type_name("FILE")
        .show_default();
    program.add_repeatable("--set", o.place.sets, "POINTER=VALUE", "set a value of the scenario; repeatable");
    program.add_option("--policy", o.place.policy, "policy to use instead of the scenario's own")
        .type_name("POLICY");
    program.add_option("--compare", o.place.compare, "show a second run under this policy")
        .type_name("POLICY");
    program
        .add_option("--replay", o.replay,
                    "for a trace: an external event arrives at the recorded time (open), or at the recorded "
                    "delay after the task starts to wait (closed)")
        .type_name("HOW")
        .check(sim::cli::one_of_short_list({"closed", "open"}))
        .show_default();
    program
        .add_option("--affinity", o.affinity,
                    "for a trace: the scheduler chooses among all CPUs (free), or a task may use only the "
                    "CPUs on which it was recorded (recorded)")
        .type_name("HOW")
        .check(sim::cli::one_of_short_list({"free", "recorded"}))
        .show_default();
    Option& at = program.add_option("--at", o.place.at, "start at this time (12.5ms), or at `decision 37`")
                     .type_name("TIME");
    program
        .add_option("--switch", o.place.switch_number,
                    "start right after the switch with this number; the first is 1")
        .type_name("N")
        .excludes(at);
}

void add_appearance_options(Command& program, Options& o) {
    std::vector<std::string> panels, themes, tabs, layouts;
    for (const ui::LayoutInfo& layout : ui::kLayouts) layouts.emplace_back(layout.name);
    for (const ui::TabInfo& tab : ui::kTabs) tabs.emplace_back(tab.name);
    for (const ui::Panel& panel : ui::panels()) panels.emplace_back(panel.id);
    for (const ui::Theme& theme : ui::themes()) themes.push_back(theme.name);
    program.add_option("--pane", o.place.panel, "show only this pane")
        .check(sim::cli::one_of_short_list(panels));
    program.add_option("--tab", o.place.tab, "pane to select among the tabs of the layout")
        .check(sim::cli::one_of_short_list(tabs));
    program.add_option("--layout", o.layout, "arrangement of the panes").check(sim::cli::one_of(layouts));
    program.add_option("--theme", o.place.theme, "colour theme")
        .check(sim::cli::one_of_short_list(themes))
        .show_default();
    program.add_option("--scale", o.place.scale, "size of text and controls, in percent")
        .check(sim::cli::in_range(75, 300))
        .show_default();
    program.add_option("--size", o.size, "size of the window, like 1920x1080").type_name("WxH");
    program
        .add_option(
            "--keys", o.keys,
            fmt::format("file with lines `command = Key, Key` ({}/keys)", sim::os::kSettingsDirectory))
        .type_name("FILE");
    program.add_flag("--presenter", o.place.present,
                     "show the presenter's view: one large pane under the caption of the scenario's tour");
}

// Adds --link, which cannot be combined with the options for the run and for the appearance. REQUIRES:
// those options have been added.
void add_link_option(Command& program, Options& o) {
    Option& link = program
                       .add_option("--link", o.link,
                                   "open a link that was copied from the window or the web page: "
                                   "'#scenario=two-hogs&switch=2', or a complete URL")
                       .type_name("LINK");
    for (const char* other : {"--scenario", "--set", "--policy", "--compare", "--at", "--switch", "--pane",
                              "--tab", "--theme", "--scale", "--presenter"})
        link.excludes(program.option(other));
}

// Adds the options for showing or recording the window. Returns the option --quit-after.
const Option& add_output_options(Command& program, Options& o) {
    Option& headless = program.add_flag("--headless", o.headless,
                                        "run without a window and a display, for pictures and scripts");
    Option& quit_after = program
                             .add_option("--quit-after", o.quit_after,
                                         "close the window after this many frames without background work")
                             .type_name("FRAMES")
                             .check(sim::cli::in_range(1, 1'000'000))
                             .excludes(headless);
    program
        .add_option(
            "--screenshot", o.screenshot,
            "write the window as a PNG, the same bytes every time; requires --headless or --quit-after")
        .type_name("FILE");
    Option& script =
        program
            .add_option(
                "--script", o.script,
                "run an input script (keys, clicks, screenshots); docs/reference/window.md describes its "
                "statements")
            .type_name("FILE")
            .needs(headless);
    add_film_options(program, o, headless, script, {&program.option("--at"), &program.option("--switch")});
    program.add_flag("--dump-text", o.dumps_text,
                     "print the content of the window as text; requires --headless or --quit-after");
    return quit_after;
}

// True if no option, except possibly `ignored_option`, selects what the window shows.
bool has_no_view_option(const Command& program, std::string_view ignored_option) {
    for (const char* const name :
         {"--scenario", "--link", "--set", "--policy", "--compare", "--at", "--switch", "--pane", "--tab",
          "--layout", "--presenter", "--script", "--film"})
        if (name != ignored_option && program.option(name).is_given()) return false;
    return true;
}

// Adds all options. Returns the option --quit-after.
const Option& add_options(Command& program, Options& o) {
    add_run_options(program, o);
    add_appearance_options(program, o);
    add_link_option(program, o);
    const Option& quit_after = add_output_options(program, o);
    program.set_examples(
        {"switchyard-ui", "switchyard-ui web-server --policy sorted-queue",
         "switchyard-ui recalc-storm --presenter",
         "switchyard-ui --link '#scenario=two-hogs&set=/machine/hz%3D1000&switch=2'",
         "switchyard-ui yield-processes --compare linux-2.0:yield=one_tick",
         "switchyard-ui trace.txt --affinity recorded --compare linux-2.0",
         "switchyard-ui --headless --scenario yield-processes --switch 37 --size 1920x1080 --screenshot "
         "out.png",
         "switchyard-ui --headless --scenario two-hogs --pane decision --dump-text",
         "switchyard-ui --headless recalc-storm --film lesson-3.mp4 --tour",
         "switchyard-ui --headless two-hogs --film slices.gif --from 190ms --to 260ms --speed 10ms",
         "switchyard-ui --headless yield-processes --film frames/ --script lecture.script"});
    return quit_after;
}

sim::cli::ManualText manual_text() {
    sim::cli::ManualText text;
    text.summary = "watch a CPU scheduler decide, step into schedule(), and go back in time";
    text.more =
        "switchyard(1) lists all policies and scenarios; docs/reference/window.md of the documentation lists "
        "all keys. "
        "Films with names in .mp4 or .gif (--film) require ffmpeg(1) in PATH.";
    text.exit_status = {{"0", "Done."},
                        {"1", "An `expect` or `reject` of the input script failed."},
                        {"2", "Bad usage, bad input, or a system error (disk, memory or standard output)."}};
    text.files = {
        {"~/.config/switchyard/keys",
         "Your own keys, one command per line: `command = Key, Key`. $XDG_CONFIG_HOME replaces ~/.config if "
         "set."},
        {"~/.config/switchyard/window",
         "The layout, the hidden parts of the window, and the recently opened files."},
        {"PREFIX/share/doc/switchyard/docs/reference/window.md",
         "Reference of the panes, keys and input scripts. PREFIX is /usr for the Debian package."}};
    text.see_also = {"switchyard(1)"};
    return text;
}

// Ends the program if its libraries run out of memory. SDL and Dear ImGui would otherwise write to address
// 0.
void* terminate_if_null(void* memory) {
    if (memory == nullptr) std::terminate();
    return memory;
}

void terminate_on_library_out_of_memory() {
    ImGui::SetAllocatorFunctions([](std::size_t size, void*) { return terminate_if_null(std::malloc(size)); },
                                 [](void* memory, void*) { std::free(memory); });
    SDL_SetMemoryFunctions(
        [](std::size_t size) { return terminate_if_null(std::malloc(size)); },
        [](std::size_t n, std::size_t size) { return terminate_if_null(std::calloc(n, size)); },
        [](void* memory, std::size_t size) { return terminate_if_null(std::realloc(memory, size)); },
        std::free);
}

}  // namespace

namespace ui {

int switchyard_ui(int argc, char** argv) {
    sim::cli::Command program(
        "switchyard-ui",
        "Switchyard's window: watch a scheduler decide, step into schedule(), and go back in time.");
    program.set_version(fmt::format("switchyard-ui {}", sim::cli::version()));
    Options o;
    const sim::cli::Option& quit_after = add_options(program, o);
    const auto no_names = [] { return sim::cli::CandidatesByValueName{}; };
    if (const auto done = sim::cli::run_hidden_command(program, argc, argv, no_names, manual_text))
        return *done;
    const std::vector<std::string> words = sim::cli::with_current_option_names(program, argc, argv);
    try {
        if (const auto text = sim::cli::parse(program, words).text) {
            sim::print(*text);
            return 0;
        }
        o.is_plain = has_no_view_option(program, "--scenario") && !program.option("--scenario").is_given();
        o.is_only_a_file =
            has_no_view_option(program, "--scenario") && program.option("--scenario").is_given();
        if (!o.size.empty()) parse_size(o.size);
        if (!o.link.empty()) o.place = sim::parse_link(o.link);
        if (!o.film.path.empty() && !o.film.tour && o.film.from.empty() && o.script.empty())
            throw ParseError("--film requires --tour, --script, or --from and --to");
        if ((!o.screenshot.empty() || o.dumps_text) && !o.headless && !quit_after.is_given())
            throw ParseError(fmt::format("{} requires --headless or --quit-after",
                                         o.dumps_text ? "--dump-text" : "--screenshot"));
        terminate_on_library_out_of_memory();
        return o.headless ? run_headless(o) : run_in_window(o);
    } catch (const ParseError& error) {
        sim::print_error(fmt::format("{}\nRun with --help for more information.\n", error.what()));
        return sim::kExitFailure;
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            sim::print_error("switchyard-ui: " + problem.text() + "\n");
        return sim::kExitFailure;
    }
}

}  // namespace ui
