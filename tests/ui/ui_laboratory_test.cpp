// Tests of the laboratory pane: its results are the same as those of `switchyard sweep`, independent of
// frame times, and a click on a point opens the run of this point.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/program.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/script_host.h"
#include "ui/panels/plot_painter.h"
#include "ui/platform/script.h"
#include "ui/view/laboratory.h"
#include "ui/view/tabs.h"

namespace ui {
namespace ui_laboratory_test {

namespace fs = std::filesystem;
namespace lab = sim::lab;
using nlohmann::json;

LabRequest small_request() {
    return {.pointer = "/tasks/0/count",
            .values = "2,4,8,20",
            .policies = {"linux-2.0", "linux-2.0:yield=one_tick", "sorted-queue"},
            .measure = {},
            .seeds = 1,
            .until = "20ms"};
}

void finish(Laboratory& laboratory) {
    while (laboratory.work(Deadline::max())) {
    }
}

// Runs a copied command line in a shell.
Finished run_line(const std::string& line, const fs::path& folder) {
    std::string command = line;
    const std::string name = "switchyard ";
    EXPECT_TRUE(command.starts_with(name)) << line;
    command.replace(0, name.size(), fmt::format("'{}' ", SWITCHYARD_BINARY));
    return run_program({"/bin/sh", "-c", command}, {.folder = folder, .input = {}, .environment = {}});
}

class Window final : public AppInputScriptHost {
  public:
    explicit Window(const std::string& scenario, Size size = {1280, 800}, bool patient = true)
        : AppInputScriptHost(app), backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(patient);
        EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        if (patient) settle();
    }
    bool settle() {
        for (int i = 0, idle = 0; i < 20'000; ++i) {
            app.run_frame(1.0 / 60);
            idle = app.is_busy() || backend.wants_frame() ? 0 : idle + 1;
            if (idle > 3) return true;
        }
        return false;
    }
    // Shows only the laboratory, with this request.
    void show(const LabRequest& request) {
        app.view().alone = "laboratory";
        app.view().laboratory = request;
        app.run_frame(1.0 / 60);
    }
    std::string play(const std::string& script) {
        std::ostringstream out;
        InputScriptPlayer player(parse_input_script(script, "script"), *this, out);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        std::string failures;
        for (const sim::Problem& problem : player.failures()) failures += problem.text() + "\n";
        return failures;
    }
    const Laboratory& laboratory() const { return *app.model().laboratory; }

    std::string window_text() override { return app.text() + backend.visible_text(); }
    void save_screenshot(const std::string&) override {}
    bool says(const std::string& words) { return window_text().find(words) != std::string::npos; }
    std::vector<std::uint8_t> picture() const { return backend.screenshot().rgba; }

    Backend backend;
    App app;
};

// --- requests ---

TEST(LaboratoryOrder, StartsWithEndsThenFillsGaps) {
    EXPECT_EQ(coarse_to_fine_order(0), (std::vector<std::size_t>{}));
    EXPECT_EQ(coarse_to_fine_order(1), (std::vector<std::size_t>{0}));
    EXPECT_EQ(coarse_to_fine_order(2), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(coarse_to_fine_order(7), (std::vector<std::size_t>{0, 6, 3, 1, 4, 2, 5}));
    for (std::size_t n = 0; n < 200; ++n) {
        const std::vector<std::size_t> order = coarse_to_fine_order(n);
        EXPECT_EQ(order.size(), n);
        EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), n);
    }
}

TEST(LaboratoryDefaults, SuitEveryScenarioAndEveryAxis) {
    std::size_t scenarios = 0;
    for (const std::string& name : sim::builtin_file_names("")) {
        if (scenarios++ % rounds(1u, 1u, 3u) != 0) continue;
        SCOPED_TRACE(name);
        const sim::Scenario scenario = sim::load_scenario(name);
        LabRequest request = default_lab_request(scenario, scenario.policy);
        EXPECT_GE(request.policies.size(), 2u);
        EXPECT_NE(std::find(request.policies.begin(), request.policies.end(), "sorted-queue"),
                  request.policies.end());
        for (const Knob& knob : lab_axes(scenario)) {
            SCOPED_TRACE(knob.pointer);
            request.pointer = knob.pointer;
            request.values = suggested_lab_values(knob, scenario);
            EXPECT_GE(lab::parse_values(request.values).size(), 3u) << request.values;
            Laboratory laboratory;
            laboratory.set_request({name, {}}, request);
            EXPECT_EQ(laboratory.error(), "") << request.values;
            ASSERT_TRUE(laboratory.has_sweep());
            // The x axis includes the value that the varied key has in the scenario of the window.
            EXPECT_TRUE(laboratory.x_coordinate_of(scenario_value_text(knob, value_of(knob, scenario))));
        }
    }
    const sim::Scenario yields = sim::load_scenario("yield-processes");
    const LabRequest request = default_lab_request(yields, "linux-2.0");
    EXPECT_EQ(request.pointer, "/tasks/0/count");
    EXPECT_EQ(request.values, "2,4,8,10,20,40,80");
    EXPECT_EQ(request.policies,
              (std::vector<std::string>{"linux-2.0", "linux-2.0:yield=one_tick", "sorted-queue"}));
    EXPECT_EQ(request.until, "2s");
}

TEST(LaboratoryErrors, InvalidRequestKeepsResults) {
    Laboratory laboratory;
    const Laboratory::BaseScenario subject{"yield-processes", {}};
    laboratory.set_request(subject, small_request());
    finish(laboratory);
    ASSERT_TRUE(laboratory.is_complete());
    const std::uint64_t revision = laboratory.plot_revision();
    const auto refused = [&](const std::string& why, auto change) {
        LabRequest request = small_request();
        change(request);
        laboratory.set_request(subject, request);
        EXPECT_NE(laboratory.error().find(why), std::string::npos) << why << "\n" << laboratory.error();
        EXPECT_TRUE(laboratory.is_complete());
        EXPECT_FALSE(laboratory.work(Deadline::max()));
        EXPECT_EQ(laboratory.plot_revision(), revision);
        EXPECT_EQ(laboratory.axis().values.size(), 4u);
    };
    refused("a value is missing", [](LabRequest& r) { r.values = "2,,4"; });
    refused("listed twice", [](LabRequest& r) { r.values = "2,2"; });
    refused("values are missing", [](LabRequest& r) { r.values = ""; });
    refused("never ends", [](LabRequest& r) { r.values = "2..8*1"; });
    refused("limit of 200", [](LabRequest& r) { r.values = "1..201"; });
    refused("curves need numbers", [](LabRequest& r) { r.values = "two,four"; });
    refused("65001 is out of range", [](LabRequest& r) { r.values = "2,65001"; });
    refused("/tasks/9", [](LabRequest& r) { r.pointer = "/tasks/9/count"; });
    refused("use --seeds", [](LabRequest& r) { r.pointer = "/seed"; });
    refused("no policy", [](LabRequest& r) { r.policies.clear(); });
    refused("sorted-queue", [](LabRequest& r) { r.policies = {"sorted-queu"}; });
    refused("specified twice", [](LabRequest& r) { r.policies = {"nt4", "nt4"}; });
    refused("at most", [](LabRequest& r) { r.policies.assign(9, "nt4"); });
    refused("runs", [](LabRequest& r) { r.values = "1..200", r.seeds = 10; });
    refused("unknown measure", [](LabRequest& r) { r.measure = "us-per-yeild"; });
    refused("time per run", [](LabRequest& r) { r.until = "soon"; });
    laboratory.set_request({"no-such-scenario", {}}, small_request());
    EXPECT_NE(laboratory.error(), "");
    EXPECT_TRUE(laboratory.is_complete());
    // When the request is valid again, the results are shown again.
    laboratory.set_request(subject, small_request());
    EXPECT_EQ(laboratory.error(), "");
    EXPECT_TRUE(laboratory.is_complete());
}

// --- results ---

TEST(LaboratoryResults, MatchCopiedCommand) {
    const InsideScratchFolder folder;
    std::vector<std::pair<Laboratory::BaseScenario, LabRequest>> cases;
    cases.push_back({{"yield-processes", {}}, small_request()});
    cases.push_back({{"yield-processes", {"/machine/hz=1000", "/tasks/0/count=3"}}, small_request()});
    LabRequest request = small_request();
    request.measure = "considered";
    request.seeds = 3;
    request.until = "100ms";
    request.values = "1..3";
    request.pointer = "tasks/1/count";
    cases.push_back({{"interactive-vs-hog", {"/seed=7"}}, request});
    request = small_request();
    request.pointer = "/machine/costs/considered";
    request.values = "0.1us..0.4us*2";
    cases.push_back({{"two-hogs", {}}, request});
    for (const auto& [subject, asked] : cases) {
        Laboratory laboratory;
        laboratory.set_request(subject, asked);
        ASSERT_EQ(laboratory.error(), "");
        finish(laboratory);
        ASSERT_TRUE(laboratory.is_complete());
        const std::string command = laboratory.command();
        SCOPED_TRACE(command);
        const Finished told =
            run_line(command + " --format json --results made.jsonl --quiet", folder.path());
        ASSERT_EQ(told.exit_code, 0) << told.err;
        const json report = json::parse(told.out);
        const json& points = report["measures"][0]["points"];
        EXPECT_EQ(report["measures"][0]["name"], laboratory.measure().name);
        ASSERT_EQ(points.size(), laboratory.spec().points() * laboratory.spec().policies.size());
        std::size_t i = 0;
        for (std::uint64_t point = 0; point < laboratory.spec().points(); ++point)
            for (std::size_t policy = 0; policy < laboratory.spec().policies.size(); ++policy) {
                const lab::MeanEstimate e =
                    laboratory.results().estimate(laboratory.measure_index(), point, policy);
                const json& there = points[i++];
                EXPECT_EQ(there["n"], e.n);
                if (e.n > 0) {
                    EXPECT_EQ(there["mean"], e.mean);
                }
                EXPECT_EQ(there["half_width"].is_null(), !e.half);
            }
        EXPECT_EQ(report["crossovers"].size(), laboratory.crossovers().size());
        // The results file and its figure are identical, byte for byte.
        EXPECT_EQ(content_of(folder.path() / "made.jsonl"), laboratory.results_file_text());
        std::string figure = "switchyard figure sweep made.jsonl";
        if (!asked.measure.empty()) figure += " --measure " + asked.measure;
        const Finished drawn = run_line(figure, folder.path());
        ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
        EXPECT_EQ(drawn.out, laboratory.figure_svg("made.jsonl"));
        fs::remove(folder.path() / "made.jsonl");
    }
}

TEST(LaboratoryResults, AreIndependentOfWorkPortions) {
    LabRequest request = small_request();
    request.seeds = 3;
    Laboratory at_once, in_pieces;
    at_once.set_request({"yield-processes", {}}, request);
    in_pieces.set_request({"yield-processes", {}}, request);
    finish(at_once);
    int pieces = 0;
    double progress = 0;
    while (in_pieces.work(Deadline::min())) {
        ++pieces;
        EXPECT_GE(in_pieces.progress(), progress);
        progress = in_pieces.progress();
    }
    EXPECT_GT(pieces, 100);
    EXPECT_EQ(in_pieces.progress(), 1);
    EXPECT_EQ(in_pieces.results_file_text(), at_once.results_file_text());
    EXPECT_EQ(in_pieces.figure_svg("x"), at_once.figure_svg("x"));
}

TEST(LaboratoryResults, EndPointsAreComputedFirst) {
    Laboratory laboratory;
    LabRequest request = small_request();
    request.values = "2..10";
    laboratory.set_request({"yield-processes", {}}, request);
    while (laboratory.results().added_run_count() < 6) laboratory.work(Deadline::min());
    const std::vector<lab::Curve>& curves = laboratory.curves();
    ASSERT_EQ(curves.size(), 3u);
    for (const lab::Curve& curve : curves) {
        EXPECT_EQ(curve.points.front().y.n, 1u);
        EXPECT_EQ(curve.points.back().y.n, 1u);
        EXPECT_EQ(curve.points[1].y.n, 0u);
    }
    // The axis includes the values that have no results yet.
    EXPECT_EQ(laboratory.plot().panels[0].x.from, 2);
    EXPECT_EQ(laboratory.plot().panels[0].x.to, 10);
    // The curves cross between the two values that have results.
    EXPECT_FALSE(laboratory.crossovers().empty());
    EXPECT_EQ(laboratory.plot().panels[0].series[0].points.size(), 2u);
    EXPECT_NE(laboratory.plot().subtitle.find("6 of 27 runs finished so far"), std::string::npos);
    EXPECT_TRUE(laboratory.work(Deadline::min()));
    laboratory.stop();
    EXPECT_FALSE(laboratory.work(Deadline::max()));
    EXPECT_FALSE(laboratory.is_complete());
    laboratory.resume();
    finish(laboratory);
    EXPECT_TRUE(laboratory.is_complete());
}

TEST(LaboratoryResults, AxisLabelNamesUnit) {
    Laboratory laboratory;
    LabRequest request = small_request();
    request.pointer = "/machine/costs/considered";  // contains "ns"
    request.values = "100ns,1us";
    laboratory.set_request({"yield-processes", {}}, request);
    finish(laboratory);
    EXPECT_EQ(laboratory.plot().panels[0].x.label, "cost of the search, ns");
    EXPECT_EQ(laboratory.plot().panels[0].x.detail, "/machine/costs/considered");
    EXPECT_EQ(laboratory.plot().panels[0].y.label, "us per yield");
    EXPECT_EQ(laboratory.curves()[0].points[1].x, 1000);
}

TEST(LaboratoryResults, NextRequestReusesResults) {
    Laboratory laboratory;
    const Laboratory::BaseScenario subject{"yield-processes", {}};
    LabRequest request = small_request();
    laboratory.set_request(subject, request);
    finish(laboratory);
    const double mean = laboratory.curves()[0].points[1].y.mean;
    request.measure = "considered";
    laboratory.set_request(subject, request);
    EXPECT_TRUE(laboratory.is_complete());
    EXPECT_EQ(laboratory.measure().name, "considered");
    request = small_request();
    request.policies = {"sorted-queue", "linux-2.0", "nt4"};
    request.values = "4,8,16";
    laboratory.set_request(subject, request);
    EXPECT_EQ(laboratory.results().added_run_count(), 4u);
    EXPECT_EQ(laboratory.curves()[1].points[0].y.mean, mean);
    finish(laboratory);
    EXPECT_TRUE(laboratory.is_complete());
    // If the value that the sweep varies changes in the scenario, the results remain. Any other change of
    // the scenario discards them.
    laboratory.set_request({"yield-processes", {"/tasks/0/count=7"}}, request);
    EXPECT_TRUE(laboratory.is_complete());
    laboratory.set_request({"yield-processes", {"/machine/hz=200"}}, request);
    EXPECT_EQ(laboratory.results().added_run_count(), 0u);
}

// --- in the window ---

// Searches with the mouse for a point whose tooltip contains `words`.
ImVec2 find_point(Window& w, const std::string& words) {
    const Size size = w.backend.size();
    // Starts at the right end of the curves, before their names.
    for (int x = size.width * 9 / 10; x > size.width / 2; x -= 10)
        for (int y = 60; y < size.height - 60; y += 12) {
            EXPECT_EQ(w.play(fmt::format("move {} {}", x, y)), "");
            if (w.backend.visible_text().find(words) != std::string::npos)
                return {static_cast<float>(x), static_cast<float>(y)};
        }
    return {-1, -1};
}

TEST(LaboratoryPane, ClickOpensRunAndBackReturns) {
    const InsideScratchFolder folder;
    Window w("yield-processes", {900, 500});
    const std::uint64_t before = w.app.model().a->session().machine().hash();
    LabRequest request = small_request();
    request.values = "2,20";
    w.show(request);
    ASSERT_TRUE(w.settle());
    ASSERT_TRUE(w.laboratory().is_complete());
    const std::string file = w.laboratory().results_file_text();
    const ImVec2 at = find_point(w, "sorted-queue, spinner \u00d7 20");
    ASSERT_GT(at.x, 0) << "no point answers the mouse";
    EXPECT_EQ(w.play(fmt::format("click {:.0f} {:.0f}", at.x, at.y)), "");
    ASSERT_TRUE(w.settle());
    EXPECT_EQ(w.app.model().error, "");
    EXPECT_TRUE(w.app.view().alone.empty());
    EXPECT_EQ(w.app.model().a->history().policy().spec(), "sorted-queue");
    EXPECT_EQ(w.app.model().a->scenario().groups[0].count, 20u);
    const Finished run = run_line(
        "switchyard run yield-processes --set /tasks/0/count=20 --until 20ms "
        "--policy sorted-queue --format json",
        folder.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    ASSERT_TRUE(w.app.model().a->history().is_complete());
    EXPECT_EQ(json::parse(run.out)["hash"],
              fmt::format("{:016x}", w.app.model().a->history().simulated_end().machine.hash()));
    // The laboratory still contains the same sweep.
    w.app.show_pane_alone("laboratory");
    ASSERT_TRUE(w.settle());
    EXPECT_TRUE(w.laboratory().is_complete());
    EXPECT_EQ(w.laboratory().results_file_text(), file);
    w.app.control().laboratory().leave_run();
    ASSERT_TRUE(w.settle());
    EXPECT_TRUE(w.app.model().sets.empty());
    EXPECT_EQ(w.app.model().a->history().policy().spec(), "linux-2.0");
    EXPECT_EQ(w.app.model().a->session().machine().hash(), before);
    EXPECT_EQ(w.laboratory().results_file_text(), file);
}

TEST(LaboratoryPane, UserValuesPersistWhileRunIsOpen) {
    Window w("interactive-vs-hog");
    w.app.control().set_value("/machine/hz", "200");
    w.app.control().set_value("/seed", "5");
    LabRequest request = small_request();
    request.seeds = 3;
    request.values = "1,2,3";
    w.show(request);
    ASSERT_TRUE(w.settle());
    ASSERT_TRUE(w.laboratory().is_complete()) << w.laboratory().error();
    EXPECT_EQ(w.laboratory().spec().first_seed, 5u);
    const lab::SweepSpec spec = w.laboratory().spec();
    const std::uint64_t run = spec.first_run(2, 1) + 2;  // the run with the point's last seed
    w.app.control().laboratory().open_run(run);
    ASSERT_TRUE(w.settle());
    EXPECT_EQ(w.app.model().sets, (std::vector<std::string>{"/machine/hz=200", "/seed=7", "/tasks/0/count=3",
                                                            "/until=\"20ms\""}));
    EXPECT_EQ(w.app.model().a->scenario().seed, 7u);
    show_tab(w.app.view(), Tab::laboratory);
    ASSERT_TRUE(w.settle());
    EXPECT_TRUE(w.laboratory().spec() == spec);
    // Setting another value changes the sweep.
    w.app.control().set_value("/machine/hz", "500");
    ASSERT_TRUE(w.settle());
    EXPECT_EQ(w.laboratory().spec().sets.front(), "/seed=5");
    EXPECT_TRUE(w.laboratory().is_complete());
    EXPECT_EQ(w.laboratory().spec().first_seed, 5u);
    // Reset discards all changes.
    w.app.control().reset_values();
    ASSERT_TRUE(w.settle());
    EXPECT_TRUE(w.app.model().sets.empty());
    EXPECT_EQ(w.laboratory().spec().first_seed, 1u);
    ASSERT_TRUE(w.app.control().open("two-hogs"));
    EXPECT_FALSE(w.laboratory().has_sweep());
    EXPECT_EQ(w.app.view().laboratory, LabRequest{});
}

TEST(LaboratoryPane, PicturesAreIndependentOfFrameTime) {
    LabRequest request = small_request();
    request.until = "5ms";
    std::vector<std::uint8_t> pictures[2];
    for (const bool patient : {true, false}) {
        Window w("yield-processes", {1000, 640}, patient);
        w.show(request);
        ASSERT_TRUE(w.settle());
        ASSERT_TRUE(w.laboratory().is_complete());
        pictures[patient ? 0 : 1] = w.picture();
    }
    EXPECT_EQ(pictures[0], pictures[1]);
}

TEST(LaboratoryPane, StopEndsSweepUntilNextRequest) {
    Window w("yield-processes", {1000, 640}, false);
    LabRequest request = small_request();
    request.until = "2s";
    request.values = "2..60";
    w.show(request);
    w.app.run_frame(1.0 / 60);
    w.app.run_frame(1.0 / 60);
    ASSERT_TRUE(w.laboratory().has_sweep());
    EXPECT_FALSE(w.laboratory().is_complete());
    EXPECT_TRUE(w.app.is_busy());
    w.app.control().laboratory().stop();
    ASSERT_TRUE(w.settle());
    EXPECT_FALSE(w.app.is_busy());
    EXPECT_TRUE(w.says("stopped"));
    EXPECT_FALSE(w.laboratory().is_complete());
    // Another request starts a new sweep.
    w.show(small_request());
    ASSERT_TRUE(w.settle());
    EXPECT_TRUE(w.laboratory().is_complete());
}

TEST(LaboratoryPane, CopiesCommandAndSavesFigure) {
    const InsideScratchFolder folder;
    Window w("yield-processes");
    w.show(small_request());
    ASSERT_TRUE(w.settle());
    w.app.control().laboratory().copy_command();
    EXPECT_EQ(
        w.backend.clipboard(),
        "switchyard sweep yield-processes --until 20ms --vary /tasks/0/count=2,4,8,20 --policy linux-2.0 "
        "--policy linux-2.0:yield=one_tick --policy sorted-queue\n");
    w.app.control().laboratory().save_figure();
    w.app.control().laboratory().save_figure();
    for (const char* name : {"yield-processes-001", "yield-processes-002"}) {
        ASSERT_TRUE(fs::exists(fmt::format("{}.svg", name)));
        const Finished drawn = run_line(fmt::format("switchyard figure sweep {}.jsonl", name), folder.path());
        EXPECT_EQ(drawn.out, content_of(fmt::format("{}.svg", name))) << drawn.err;
    }
}

TEST(LaboratoryPane, WorksInEverySizeAndTheme) {
    for (const Size size : {Size{1920, 1080}, {1280, 800}, {640, 480}, {320, 240}, {64, 64}}) {
        if (!kThorough && size.width > 1000) continue;
        Window w("yield-processes", size);
        for (const Theme& theme : themes()) {
            w.app.set_theme(theme.name);
            for (const bool alone : {true, false}) {
                w.app.view().alone = alone ? "laboratory" : "";
                show_tab(w.app.view(), Tab::laboratory);
                w.app.view().laboratory = small_request();
                ASSERT_TRUE(w.settle());
                EXPECT_TRUE(w.laboratory().is_complete());
                EXPECT_NE(w.app.text().find("== Laboratory"), std::string::npos);
                w.app.view().laboratory.values = "2,x";  // an error message must fit, too
                ASSERT_TRUE(w.settle());
                EXPECT_NE(w.laboratory().error(), "");
            }
        }
    }
}

TEST(LaboratoryPane, TypedValuesAreCheckedAndApplied) {
    Window w("yield-processes", {1280, 800});
    w.show(small_request());
    ASSERT_TRUE(w.settle());
    // The box for values is the second box on the left.
    bool found = false;
    for (int y = 60; y < 200 && !found; y += 6) {
        EXPECT_EQ(w.play(fmt::format("move 100 {}\nwait 1", y)), "");
        if (w.backend.visible_text().find("as for `switchyard sweep --vary`") == std::string::npos &&
            w.backend.visible_text().find("applies them") == std::string::npos)
            continue;
        found = true;
        EXPECT_EQ(w.play(fmt::format("click 100 {}\nkey Ctrl+A\ntext \"2,5,\"\nwait 2", y)), "");
        EXPECT_TRUE(w.says("a value is missing"));
        EXPECT_EQ(w.app.view().laboratory.values, "2,4,8,20");
        EXPECT_EQ(w.play("text \"9\"\nwait 2\nkey Return\nwait 2\nsettle"), "");
        EXPECT_EQ(w.app.view().laboratory.values, "2,5,9");
        EXPECT_FALSE(w.says("a value is missing"));
    }
    ASSERT_TRUE(found);
    ASSERT_TRUE(w.settle());
    EXPECT_EQ(w.laboratory().axis().values, (std::vector<std::string>{"2", "5", "9"}));
    EXPECT_TRUE(w.laboratory().is_complete());
}

TEST(LaboratoryPane, StaysResponsiveWithManyTasks) {
    if (!kOptimised) GTEST_SKIP() << "says something only of optimised code";
    const InsideScratchFolder folder;
    std::ofstream("many.json") << R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200",
        "until": "1h", "tasks": [{"name": "a", "count": 30000,
        "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]}]})";
    Window w("many.json", {1000, 640}, false);
    w.app.view().alone = "laboratory";
    std::clock_t worst = 0;  // CPU time, because other processes may run meanwhile
    for (int i = 0; i < 60; ++i) {
        const std::clock_t begin = std::clock();
        w.app.run_frame(1.0 / 60);
        // The first frames read the scenario once for each value.
        if (i > 3) worst = std::max(worst, std::clock() - begin);
    }
    EXPECT_TRUE(w.laboratory().has_sweep()) << w.laboratory().error();
    // The longest frame takes half a second on a slow, busy machine. It would take minutes if one frame did
    // all the work.
    EXPECT_LT(static_cast<double>(worst) / CLOCKS_PER_SEC, 2.0);
}

}  // namespace ui_laboratory_test
}  // namespace ui

#endif
