// Fuzz test of the window. Feeds thousands of random inputs, spread over all scenarios, to a headless window.
// After every few inputs the window must come to rest; at the end it must have released its memory.
//
//   switchyard_ui_fuzz [EVENTS] [SEED] [SCENARIO...]      20000 events, seed 1, all scenarios
//
// The seed determines the inputs; how far runs have been simulated when an input arrives depends on the
// machine. The inputs are logged to ui-fuzz.log in the current directory: start the program in an empty
// directory. Exit codes: 0 no findings, 1 findings.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/scenario/builtin_files.h"
#include "tests/ui_fuzz/inputs.h"
#include "ui/app/script_host.h"
#include "ui/platform/script.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_SANITIZER
#endif
#endif
#ifdef UNDER_SANITIZER
#include <sanitizer/allocator_interface.h>
#endif

namespace ui_fuzz {
namespace {

constexpr int kInputsBetweenRests = 8;
constexpr double kLongestRest = 10;  // seconds
// Seconds for a run that is simulated or checked; the window displays the progress of such work.
constexpr double kLongestPatience = 2;
constexpr double kMostKept = 50;  // MiB
constexpr ui::Size kUsual{1366, 768};

// CPU time of this process, so that other load on the machine does not count.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Memory of this process in MiB: the resident set. With a sanitizer the resident set would include the
// sanitizer's own data and quarantined memory, so the allocated bytes are returned instead.
double in_memory() {
#ifdef UNDER_SANITIZER
    return static_cast<double>(__sanitizer_get_current_allocated_bytes()) / (1 << 20);
#endif
    std::ifstream in("/proc/self/statm");
    double pages = 0;
    in >> pages >> pages;
    return pages * 4096 / (1 << 20);
}

// Renders a screenshot but does not save it.
class Host final : public ui::AppInputScriptHost {
  public:
    explicit Host(ui::App& app) : AppInputScriptHost(app), app_(app) {}
    void save_screenshot(const std::string&) override { app_.backend().screenshot(); }

  private:
    ui::App& app_;
};

class Fuzzer {
  public:
    explicit Fuzzer(std::uint64_t seed)
        : backend_(ui::Backend::headless(kUsual)),
          app_(backend_),
          log_("ui-fuzz.log"),
          seed_(seed),
          drops_(make_drops(std::filesystem::absolute("drops").string())) {
        app_.use_window_settings_file("window");
        app_.use_key_bindings_file("keys");
        calm();
        start_ = in_memory();
    }

    // Opens the scenario and feeds N inputs to the window.
    void run(const std::string& scenario, int events) {
        log("# " + scenario);
        where_ = scenario;
        app_.control().open(scenario);
        Inputs inputs(app_, seed_++, drops_);
        for (int i = 1; i <= events; ++i) {
            ++events_;
            const Input input = inputs.next(app_);
            if (!input.description.empty()) log("# " + sim::printable(input.description));
            play(input.script);
            if (i % kInputsBetweenRests == 0 || i == events) {
                if (i % (4 * kInputsBetweenRests) == 0) look();
                rest();
            }
        }
        most_ = std::max(most_, in_memory());
        calm();
        const double kept = in_memory() - start_;
        fmt::print(
            "{:<26} {:6} inputs, {:4} rests, {:4} times a run was still simulated, longest rest {:.2f} s, "
            "{:.0f} MiB kept\n",
            scenario, events, rests_, unfinished_, longest_, kept);
        std::cout << std::flush;
        rests_ = unfinished_ = 0;
        all_longest_ = std::max(all_longest_, longest_);
        longest_ = 0;
    }

    // Prints the summary. Returns the exit code.
    int end() {
        const double kept = in_memory() - start_;
        if (kept > kMostKept) find(fmt::format("{:.0f} MiB are kept", kept));
        fmt::print(
            "{} inputs; the longest rest {:.2f} s; memory {:.0f} MiB at the start, {:.0f} MiB at most "
            "between "
            "scenarios, {:.0f} MiB at the end; {} findings\n",
            events_, all_longest_, start_, most_, start_ + kept, findings_);
        return findings_ == 0 ? 0 : 1;
    }

  private:
    void log(const std::string& line) { log_ << line << "\n" << std::flush; }

    void find(const std::string& what) {
        ++findings_;
        fmt::print("FINDING in {}, after {} inputs: {}\n", where_, events_, what);
        log("# FINDING: " + what);
    }

    void play(const std::string& script) {
        if (script.empty()) return app_.run_frame(1.0 / 60);
        log(script);
        std::ostringstream out;
        Host host(app_);
        ui::InputScriptPlayer player(ui::parse_input_script(script, "ui-fuzz"), host, out);
        while (player.push_next_frame()) app_.run_frame(1.0 / 60);
        for (const sim::Problem& problem : player.failures()) find(problem.text());
        if (app_.wants_quit()) find("it quits");
    }

    // Renders the window and checks that its texts contain no control sequences that a terminal would
    // execute.
    void look() {
        backend_.screenshot();
        for (const std::string& text : {app_.text(), backend_.visible_text(), backend_.clipboard()}) {
            if (const std::string safe = sim::printable_lines(text); safe != text)
                return find("it says what is not to be shown: " + sim::printable(text));
        }
    }

    // Returns true if a run is being simulated for the first time, or again to check its replays.
    bool simulates() const {
        const auto does = [](const ui::Run* run) {
            if (run == nullptr) return false;
            const ui::Run::ReplayProgress& replays = run->replays();
            return !run->history().is_complete() || (run->check_replays && replays.checked < replays.all);
        };
        return does(app_.model().a) || does(app_.model().b);
    }

    // Stops playback and sweeps, then draws frames without input until the window is idle.
    void rest() {
        app_.control().player().set_playing(false);
        app_.control().laboratory().stop();
        const double begin = seconds();
        double simulated = 0;  // simulating or checking, in seconds; does not count as unrest
        for (int idle = 0; idle <= 3;) {
            const double before = seconds();
            const bool simulating = simulates();
            app_.run_frame(1.0 / 60);
            idle = app_.is_busy() || backend_.wants_frame() ? 0 : idle + 1;
            if (simulating) simulated += seconds() - before;
            if (simulated > kLongestPatience) {
                ++unfinished_;
                return;
            }
            if (seconds() - begin - simulated > kLongestRest) {
                find(fmt::format("not at rest after {} s", kLongestRest));
                break;
            }
        }
        ++rests_;
        longest_ = std::max(longest_, seconds() - begin - simulated);
    }

    // Returns to the initial state: the first scenario in a window of the usual size.
    void calm() {
        if (app_.view().presenting) app_.toggle_presenting();
        app_.show_overlay(ui::Overlay::none);
        app_.set_theme("dark");
        app_.set_scale(1);
        app_.control().open("two-hogs");
        play("resize 640 480\nsettle\nresize 1366 768\nsettle");
    }

    ui::Backend backend_;
    ui::App app_;
    std::ofstream log_;
    std::uint64_t seed_;
    std::vector<std::string> drops_;
    std::string where_ = "the beginning";
    int events_ = 0, findings_ = 0, rests_ = 0, unfinished_ = 0;
    double longest_ = 0, all_longest_ = 0, start_ = 0, most_ = 0;
};

}  // namespace
}  // namespace ui_fuzz

int main(int argc, char** argv) try {
    const int events = argc > 1 ? std::stoi(argv[1]) : 20'000;
    const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
    std::vector<std::string> scenarios(argv + std::min(argc, 3), argv + argc);
    if (scenarios.empty()) scenarios = sim::builtin_file_names("");
    // "~/" in text boxes expands to this directory.
    setenv("HOME", std::filesystem::current_path().c_str(), 1);
    ui_fuzz::Fuzzer fuzzer(seed);
    const int count = static_cast<int>(scenarios.size());
    for (int i = 0; i < count; ++i)
        fuzzer.run(scenarios[static_cast<std::size_t>(i)], events * (i + 1) / count - events * i / count);
    return fuzzer.end();
} catch (const std::exception& problem) {
    std::cerr << "switchyard_ui_fuzz: " << problem.what() << "\n";
    return 1;
}
