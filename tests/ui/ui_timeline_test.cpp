// Tests of the timeline: its data, its text, and its reactions to the mouse.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "sim/scenario/scenario_json.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/script_host.h"
#include "ui/panels/panel.h"
#include "ui/platform/png.h"
#include "ui/platform/script.h"
#include "ui/view/timeline_tracks.h"

namespace ui {
namespace ui_timeline_test {

using namespace std::chrono_literals;
using sim::Nanos;

// Builds without optimisation take minutes for the 17 hours of web-server.
bool takes_too_long(std::string_view scenario) { return !kThorough && scenario == "web-server"; }

std::unique_ptr<Run> run_of(const char* scenario, const char* policy = "linux-2.0",
                            std::vector<std::string> sets = {}) {
    if (takes_too_long(scenario)) sets.emplace_back("/until=\"60s\"");
    auto loaded = std::make_shared<const sim::Scenario>(sim::load_scenario(scenario, sets));
    auto run = std::make_unique<Run>(std::make_unique<sim::Session>(loaded, sim::make_policy(policy),
                                                                    std::vector<sim::Intervention>{},
                                                                    sim::RecordingLimits{.until = 5s}));
    run->session().history().extend_to_end();
    return run;
}

TEST(UiTimeline, TextListsSlicesMarkersAndTasks) {
    const auto run = run_of("yield-processes");
    Model model;
    model.a = run.get();
    model.scenario_name = "yield-processes";
    ViewState view;
    view.shown = {11'900us, 12ms};
    const std::string text = timeline_text(model, view);
    for (const char* words : {"cpu0", "spinner.1", "recalc", "address space", "calls sched_yield()",
                              "All counters are recalculated", "Runnable: 2", "daemon × 70: asleep"})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    EXPECT_EQ(text.find("Selected"), std::string::npos);
}

TEST(UiTimeline, SelectionTextHasStatistics) {
    const auto run = run_of("yield-processes");
    Model model;
    model.a = run.get();
    ViewState view;
    view.shown = {0ms, 100ms};
    view.selection = TimeRange{10ms, 20ms};
    timeline_text(model, view);  // requests them
    while (run->work(std::chrono::steady_clock::now() + 1s)) {
    }
    const std::string text = timeline_text(model, view);
    for (const char* words : {"Selected", "switches", "cost of schedule()", "median"})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
}

TEST(UiTimeline, ComparisonTextStatesDifference) {
    const auto a = run_of("yield-processes");
    const auto b = run_of("yield-processes", "linux-2.0:yield=one_tick");
    Model model;
    model.a = a.get();
    model.b = b.get();
    ViewState view;
    view.shown = {11ms, 12ms};
    const std::string text = timeline_text(model, view);
    EXPECT_NE(text.find("\nRun A: linux-2.0"), std::string::npos) << text;
    EXPECT_NE(text.find("yield=one_tick"), std::string::npos) << text;
    EXPECT_NE(text.find("of the time, the CPU activity differs between the runs"), std::string::npos) << text;
}

TEST(UiTimeline, EqualRunsHaveNoDifference) {
    const auto run = run_of("yield-processes");
    const auto t = sim::make_timeline(run->history(), 0ms, 5ms);
    const RunDifferences none(*t, *t);
    EXPECT_EQ(none.differing_time({0ms, 5ms}), Nanos{});
    EXPECT_FALSE(none.first_difference_from(0ms));
    const auto other = run_of("yield-processes", "round-robin");
    const auto u = sim::make_timeline(other->history(), 0ms, 5ms);
    const RunDifferences some(*t, *u);
    ASSERT_TRUE(some.first_difference_from(0ms));
    // The times of two adjacent ranges add up to the time of the whole range.
    EXPECT_EQ(some.differing_time({0ms, 5ms}),
              some.differing_time({0ms, 1234us}) + some.differing_time({1234us, 5ms}));
    EXPECT_EQ(some.differing_time({0ms, *some.first_difference_from(0ms)}), Nanos{});
}

TEST(UiTimeline, SharesAddUpToTotalTime) {
    const auto run = run_of("web-server");
    const auto t = sim::make_timeline(run->history(), 1s, 3s);
    ASSERT_TRUE(t);
    const TimelineIndex index(*t);
    TimesByTask owners;
    const SliceKindSums all = index.cpu_sums(*t, 0, 0, t->cpus[0].size() - 1, &owners);
    EXPECT_EQ(all.total(), Nanos{2s});
    Nanos user{};
    for (const auto& o : owners.top_owners(1000)) user += o.time;
    EXPECT_EQ(user, all.time[0]);
    // The sum over all tasks is the same.
    Nanos running{};
    for (sim::TaskId p = 0; p < t->tasks.size(); ++p)
        if (!t->tasks[p].empty()) running += index.task_sums(*t, p, 0, t->tasks[p].size() - 1).time[0];
    EXPECT_EQ(running, user);
    std::size_t marks = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) marks += index.marks().marks(lane).size();
    EXPECT_EQ(marks, t->marks.size());
}

TEST(UiTimeline, ColumnsAddUpToTheSamples) {
    const auto run = run_of("web-server");
    const auto samples = run->history().overview().samples();
    const TimeRange range{0ms, samples.back().time};
    const std::vector<TimelineColumn> columns = columns_of(samples, cell_edges(range, 7'777'777ns));
    double user = 0;
    double switches = 0;
    for (const TimelineColumn& c : columns) {
        user += c.time[0];
        switches += c.switches;
        double all = 0;
        for (const double time : c.time) all += time;
        EXPECT_NEAR(all, static_cast<double>((c.end - c.begin).count()), 2.0);
    }
    EXPECT_NEAR(user, static_cast<double>(samples.back().parts.user.count()), 1000);
    EXPECT_NEAR(switches, static_cast<double>(samples.back().switches), 0.01);
}

TEST(UiTimeline, UnsimulatedRunHasTextAndRange) {
    const auto scenario = std::make_shared<const sim::Scenario>(sim::load_scenario("two-hogs"));
    ui::Run run(std::make_unique<sim::Session>(scenario, sim::make_policy("linux-2.0")));
    Model model;
    EXPECT_EQ(timeline_text(model, {}), "No scenario is open.\n");
    model.a = &run;
    EXPECT_FALSE(timeline_text(model, {}).empty());
    EXPECT_GT(shown_range(model, {}).length(), Nanos{});
    EXPECT_TRUE(columns_of({}, {}).empty());
}

TEST(UiTimeline, SleepingTasksShareSingleRow) {
    const auto run = run_of("yield-processes");
    const TimeRange range{11ms, 12ms};
    const TimelineDetail detail = run->detail(range, 600);
    ASSERT_NE(detail.timeline, nullptr);
    const TimelineIndex index(*detail.timeline);
    const auto rows = timeline_rows(*run, detail, &index, range, std::nullopt);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[2].count, 70u);
    EXPECT_EQ(rows[2].name, "daemon × 70");
    // A selected task has a row of its own.
    const auto with = timeline_rows(*run, detail, &index, range, rows[2].task + 5);
    ASSERT_EQ(with.size(), 4u);
    EXPECT_EQ(with[2].count, 69u);
}

TEST(UiTimeline, NewTimelineHasNewRevision) {
    const auto run = run_of("web-server");
    const TimelineDetail first = run->detail({1s, 1s + 20ms}, 600);
    ASSERT_NE(first.timeline, nullptr);
    const std::uint64_t revision = first.revision;
    EXPECT_EQ(run->detail({1s + 1ms, 1s + 20ms}, 600).revision, revision);  // same timeline
    EXPECT_NE(run->detail({4s, 4s + 20ms}, 600).revision, revision);
}

TEST(UiTimeline, RatesAreShort) {
    EXPECT_EQ(rate_text(0.24), "0.2/s");
    EXPECT_EQ(rate_text(99.96), "100/s");
    EXPECT_EQ(rate_text(396.4), "396/s");
    EXPECT_EQ(rate_text(3277), "3.3k/s");
    EXPECT_EQ(rate_text(52'083), "52k/s");
    TimelineColumn c{.begin = 0ms, .end = 10ms};
    c.marks[static_cast<std::size_t>(Lane::tick)] = 1;
    EXPECT_DOUBLE_EQ(c.per_second(Lane::tick), 100);
}

// --- mouse ---

// The timeline alone in a headless window.
class Pane final : public AppInputScriptHost {
  public:
    explicit Pane(const std::string& scenario, Size size = {1000, 640}, float scale = 1, bool patient = true)
        : AppInputScriptHost(app), backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(patient);
        app.set_scale(scale);
        EXPECT_TRUE(app.control().open(scenario)) << app.model().error;
        if (takes_too_long(scenario)) app.control().set_value("/until", "\"60s\"");
        app.show_pane_alone("timeline");
        settle();
    }
    // Writes a scenario with these tasks. Returns its path.
    static std::string written(const std::string& tasks, const std::string& until = "1s") {
        const std::string path = testing::TempDir() + "/timeline-test.json";
        std::ofstream(path) << fmt::format(
            R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "{}", "tasks": [{}]}})",
            until, tasks);
        return path;
    }

    void frames(int n) {
        for (int i = 0; i < n; ++i) run_frame();
    }
    void settle() {
        frames(3);
        for (int i = 0; i < 2000 && app.is_busy(); ++i) run_frame();
        frames(2);
    }
    void play(const std::string& script) {
        InputScriptPlayer player(parse_input_script(script, "script"), *this, printed);
        while (player.push_next_frame()) run_frame();
        for (const sim::Problem& problem : player.failures()) ADD_FAILURE() << problem.text();
        settle();
    }
    void show(Nanos begin, Nanos end) {
        app.control().history().show({begin, end});
        settle();
    }

    // The rectangle of the time axis and tracks.
    ImRect tracks() const {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (window->Active && window->ParentWindow == window->RootWindow &&
                std::string(window->Name).find("switchyard/timeline_") != std::string::npos)
                return window->WorkRect;
        ADD_FAILURE() << "the timeline is not shown";
        return {0, 0, 1, 1};
    }
    float x_of(Nanos t) const {
        const ImRect at = tracks();
        const float left = std::floor(at.Min.x) +
                           std::floor(std::min(std::floor(128 * app.scale() + 0.5f), at.GetWidth() * 0.28f));
        return TimeScale{app.view().shown, left, std::floor(at.Max.x) - left}.rounded_x(t);
    }
    float y_of(float share) const { return tracks().Min.y + share * tracks().GetHeight(); }
    // The track of cpu0, just below the axis.
    float y_of_cpu() const {
        return std::floor(tracks().Min.y) + 2 * ImGui::GetTextLineHeight() + 50 * app.scale();
    }
    std::string at(const char* verb, float x, float y, const std::string& how = {}) const {
        return fmt::format("{} {:.0f} {:.0f} {}\n", verb, x, y, how);
    }
    std::string dragged(float x0, float y0, float x1, float y1, const std::string& how) const {
        return fmt::format("drag {:.0f} {:.0f} {:.0f} {:.0f} {}\n", x0, y0, x1, y1, how);
    }
    // The number of single-colour rectangles and glyphs in the last frame.
    static std::size_t rectangles() {
        const ImDrawData* data = ImGui::GetDrawData();
        const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
        std::size_t n = 0;
        for (int l = 0; l < data->CmdListsCount; ++l) {
            const ImDrawList& list = *data->CmdLists[l];
            for (int i = 0; i + 5 < list.IdxBuffer.Size; i += 6) {
                const auto uv = [&](int k) { return list.VtxBuffer[list.IdxBuffer[i + k]].uv; };
                n += uv(0).x == white.x && uv(0).y == white.y && uv(2).x == white.x;
            }
        }
        return n;
    }
    // Returns the first y, from `top` on, at which a column has this colour.
    std::optional<float> colour_at(float x, ImU32 colour, float top = 0) const {
        const Image image = backend.screenshot();
        const auto width = static_cast<std::size_t>(image.width);
        for (auto y = static_cast<std::size_t>(top); y < static_cast<std::size_t>(image.height); ++y) {
            const std::uint8_t* p = &image.rgba[4 * (y * width + static_cast<std::size_t>(x))];
            if (IM_COL32(p[0], p[1], p[2], 255) == (colour | IM_COL32_A_MASK)) return static_cast<float>(y);
        }
        return std::nullopt;
    }
    bool has_colour(float x, ImU32 colour) const { return colour_at(x, colour).has_value(); }
    std::uint64_t decisions() const { return app.model().a->session().machine().globals().decisions; }

    Backend backend;
    App app;
    std::ostringstream printed;

  private:
    void run_frame() { app.run_frame(1.0 / 60); }
};

TEST(UiTimelineMouse, AltClickPutsCursorsOnEdges) {
    Pane w("two-hogs");
    w.app.control().navigator().seek(50ms);  // moves the position marker out of the way
    w.show(0ms, 1s);
    const sim::Timeline& t = *w.app.model().a->detail(w.app.view().shown, 480).timeline;
    // The test clicks three pixels beside the edges of long slices.
    std::vector<Nanos> edges;
    for (const sim::CpuSlice& s : t.cpus[0])
        if (s.end - s.begin > 100ms) edges.push_back(s.begin);
    ASSERT_GE(edges.size(), 3u);
    w.play(w.at("click", w.x_of(edges[1]) + 3, w.y_of_cpu(), "Alt") +
           w.at("click", w.x_of(edges[2]) - 3, w.y_of_cpu(), "Alt+Shift"));
    ASSERT_TRUE(w.app.view().cursor_a);
    ASSERT_TRUE(w.app.view().cursor_b);
    const auto is_edge = [&](Nanos at) {
        return std::any_of(t.cpus[0].begin(), t.cpus[0].end(),
                           [at](const sim::CpuSlice& s) { return s.begin == at || s.end == at; });
    };
    EXPECT_TRUE(is_edge(*w.app.view().cursor_a));
    EXPECT_TRUE(is_edge(*w.app.view().cursor_b));
    EXPECT_LT(*w.app.view().cursor_a - edges[1] + 5ms, 10ms);
    EXPECT_NE(w.window_text().find(" apart"), std::string::npos);
    EXPECT_TRUE(w.has_colour(w.x_of(*w.app.view().cursor_a), w.app.theme().cursor_a));
    EXPECT_TRUE(w.has_colour(w.x_of(*w.app.view().cursor_b), w.app.theme().cursor_b));
    // Nothing else happened.
    EXPECT_FALSE(w.app.view().selection);
    // Far from edges, the cursor stays where it was placed.
    const float x = w.x_of(edges[1] + 60ms);
    w.play(w.at("click", x, w.y_of_cpu(), "Alt"));
    EXPECT_EQ(w.x_of(*w.app.view().cursor_a), x);
}

TEST(UiTimelineMouse, RightMiddleAndShiftDragPan) {
    Pane w("web-server");
    for (const char* how : {"right", "middle", "Shift"}) {
        SCOPED_TRACE(how);
        w.show(2s, 3s);
        const TimeRange before = w.app.view().shown;
        const Nanos now = w.app.model().a->now();
        const float x = w.x_of(2500ms);
        w.play(w.dragged(x, w.y_of(0.5f), x - 100, w.y_of(0.5f), how));
        const TimeRange after = w.app.view().shown;
        EXPECT_EQ(after.length(), before.length());
        EXPECT_NEAR(w.x_of(2500ms), x - 100, 2.0f);
        EXPECT_FALSE(w.app.view().selection);
        EXPECT_EQ(w.app.model().a->now(), now);
    }
}

TEST(UiTimelineMouse, DragAndShiftWheelScrollTracks) {
    Pane w(Pane::written(
        R"({"name": "hog", "count": 60, "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]})"));
    w.show(0ms, 100ms);
    const TimeRange shown = w.app.view().shown;
    const std::string down = w.at("wheel", w.x_of(50ms), w.y_of(0.5f), "0 -1 Shift");
    EXPECT_EQ(w.app.view().track_scroll, 0);
    w.play(down);
    const float notch = w.app.view().track_scroll;
    EXPECT_GT(notch, 0);
    for (int i = 0; i < 60; ++i) w.play(down);
    const float end = w.app.view().track_scroll;
    EXPECT_GT(end, 5 * notch);
    w.play(down);
    EXPECT_EQ(w.app.view().track_scroll, end);  // scrolled to the last row
    w.play(w.at("wheel", w.x_of(50ms), w.y_of(0.5f), "0 1 Shift"));
    EXPECT_FLOAT_EQ(w.app.view().track_scroll, end - notch);
    w.play(w.dragged(w.x_of(50ms), w.y_of(0.4f), w.x_of(50ms), w.y_of(0.4f) + 60, "right"));
    EXPECT_FLOAT_EQ(w.app.view().track_scroll, end - notch - 60);
    EXPECT_EQ(w.app.view().shown, shown);
}

TEST(UiTimelineMouse, ClickOnScheduleSeeksDecision) {
    Pane w("yield-processes");
    w.show(11'900us, 12ms);
    const sim::Timeline& t = *w.app.model().a->detail(w.app.view().shown, 480).timeline;
    int tried = 0;
    for (const sim::CpuSlice& s : t.cpus[0]) {
        if (s.activity != sim::CpuActivity::select || s.end - s.begin < 500ns || s.begin < 11'900us ||
            s.end > 12ms || tried == 3)
            continue;
        ++tried;
        const std::uint64_t number = t.decision_numbers[s.record];
        w.play(w.at("click", w.x_of((s.begin + s.end) / 2), w.y_of_cpu()));
        EXPECT_EQ(w.decisions(), number);
    }
    EXPECT_EQ(tried, 3);
    EXPECT_EQ(w.app.view().shown, (TimeRange{11'900us, 12ms}));
}

TEST(UiTimelineMouse, ClickOnMarkerSeeksDecision) {
    Pane w("two-hogs");
    w.show(0ms, 1s);
    const sim::Timeline& t = *w.app.model().a->detail(w.app.view().shown, 480).timeline;
    const TimelineIndex index(t);
    const auto recalculations = index.marks().marks(static_cast<std::size_t>(Lane::recalculation));
    ASSERT_FALSE(recalculations.empty());
    const auto mark = *std::find_if(recalculations.rbegin(), recalculations.rend(),
                                    [](const MarkerTimes::Mark& m) { return m.time < 900ms; });
    // The row of markers is directly below cpu0. Its y depends on the available height.
    const float x = w.x_of(mark.time);
    bool found = false;
    for (float y = w.y_of(0.1f); y < w.y_of(0.5f) && !found; y += 4) {
        w.app.control().navigator().seek(0ns);
        w.play(w.at("click", x, y));
        found = w.decisions() == t.decision_numbers[mark.record];
    }
    EXPECT_TRUE(found);
}

TEST(UiTimelineMouse, ClickOnBookmarkSeeksPosition) {
    Pane w("two-hogs");
    w.show(0ms, 1s);
    w.app.control().navigator().seek(437ms);
    w.play("key B\n");
    ASSERT_EQ(w.app.view().bookmarks.size(), 1u);
    w.app.control().navigator().seek(0ns);
    w.settle();
    const auto flag = w.colour_at(w.x_of(437ms), w.app.theme().accent, w.tracks().Min.y);
    ASSERT_TRUE(flag);
    w.play(w.at("click", w.x_of(437ms) + 1, *flag + 2));
    EXPECT_EQ(w.app.model().a->now(), 437ms);
}

TEST(UiTimelineMouse, FirstDifferenceIsMarkedAtAnyZoom) {
    Pane w("yield-processes");
    w.play("key Home\nkey C\nkey N\n");
    ASSERT_TRUE(w.app.model().difference);
    EXPECT_EQ(w.decisions(), *w.app.model().difference);
    const Nanos when = w.app.model().a->last_decision()->view.record.time;
    ASSERT_TRUE(w.app.view().shown.contains(when));
    EXPECT_NE(w.app.model().a->detail(w.app.view().shown, 480).timeline, nullptr);
    // Checks pixels beside the position marker, which is at the same time.
    EXPECT_TRUE(w.has_colour(w.x_of(when) - 3, w.app.theme().error));
    w.play("key F\n");
    ASSERT_EQ(w.app.model().a->detail(w.app.view().shown, 480).timeline, nullptr);
    EXPECT_TRUE(w.has_colour(w.x_of(when) + 3, w.app.theme().error));
    EXPECT_NE(w.window_text().find("different choice: decision"), std::string::npos);
}

// --- unusual runs ---

TEST(UiTimelinePane, DeadlockedRunReportsReason) {
    Pane w(Pane::written(R"({"name": "a", "count": 2, "program": [{"run": "1ms"}, {"wait": "c"}]})"));
    w.show(0ms, 5ms);
    EXPECT_NE(w.window_text().find("deadlock, all tasks wait and no event can wake a "
                                   "task"),
              std::string::npos)
        << w.window_text();
    w.play(w.at("move", w.x_of(4ms), w.y_of(0.4f)) + w.at("click", w.x_of(4ms), w.y_of_cpu()));
    EXPECT_LE(w.app.model().a->now(), w.app.model().a->end());
}

TEST(UiTimelinePane, EmptyRunAcceptsInput) {
    Pane w(Pane::written(""));
    EXPECT_NE(w.window_text().find("no task is left"), std::string::npos) << w.window_text();
    for (const float y : {0.02f, 0.2f, 0.5f, 0.98f})
        w.play(w.at("move", w.x_of(0ns) + 20, w.y_of(y)) + w.at("click", w.x_of(0ns) + 20, w.y_of(y)) +
               w.at("wheel", w.x_of(0ns) + 20, w.y_of(y), "0 -3"));
    w.play("key Ctrl+A\nkey C\nkey N\nkey F\nkey W\nkey S\n");
}

TEST(UiTimelinePane, AnySizeAndScaleWorks) {
    for (const float scale : {0.75f, 1.0f, 2.0f, 3.0f}) {
        Pane w("yield-processes", {640, 480}, scale);
        const std::string over = w.at("move", 300, 470) + w.at("wheel", 300, 400, "0 2") +
                                 w.at("click", 300, 330) + w.at("click", 40, 330);
        w.play(over + "key Ctrl+A\nkey F\nkey C\nkey N\n" + over);
        w.resize({64, 64});
        w.settle();
        w.resize({2560, 1440});
        w.settle();
        EXPECT_LT(Pane::rectangles(), 6000u);
    }
}

// With large letters, the rows of markers and of the queue length leave enough space for tasks.
TEST(UiTimelinePane, LargeLettersLeaveTasksInView) {
    const auto tasks_in_view = [](float scale) {
        Pane w("yield-processes", {1366, 768}, scale);
        std::set<sim::TaskId> seen;
        const ImRect at = w.tracks();
        for (float y = w.y_of_cpu(); y < at.Max.y; y += 4 * scale) {
            w.app.view().task.reset();
            w.play(w.at("click", at.Min.x + 40 * scale, y));
            if (w.app.view().task) seen.insert(*w.app.view().task);
        }
        return seen.size();
    };
    EXPECT_GE(tasks_in_view(1.25f * 1.25f * 1.25f), 2u);
    EXPECT_GE(tasks_in_view(3), 1u);
}

TEST(UiTimelinePane, ShowsARunThatIsStillSimulated) {
    Pane w("web-server", {1000, 640}, 1, false);
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    App& app = w.app;
    ASSERT_TRUE(app.control().open("web-server"));
    app.show_pane_alone("timeline");
    app.show_pane_alone("timeline");
    Nanos before{};
    int grew = 0;
    for (int i = 0; i < 60; ++i) {
        if (i % 7 == 0) app.control().history().show_whole_run();
        if (i % 11 == 0) app.control().history().zoom(300, app.model().a->end() / 2);
        app.run_frame(1.0 / 60);
        const Nanos end = app.model().a->end();
        EXPECT_GE(end, before);
        grew += end > before;
        before = end;
        EXPECT_FALSE(app.text().empty());
    }
    EXPECT_GT(grew, 1);
}

// Shows 40 rows of busy tasks, from the entire run to single slices.
TEST(UiTimelinePane, RectangleCountIsBoundedInEveryView) {
    const char* kinds[] = {
        R"({"name": "nap", "count": 40, "program": [{"loop": "forever", "steps": [{"run": "300us"}, {"arrival": "9ms"}]}]})",
        R"({"name": "hog", "count": 45, "program": [{"loop": "forever", "steps": [{"run": "2ms"}, "yield"]}]})",
    };
    for (const char* tasks : kinds)
        for (const bool compared : {false, true}) {
            Pane w(Pane::written(tasks, "20s"), {1920, 1080});
            if (compared) w.app.control().comparison().compare_with("round-robin");
            for (Nanos length = 20s; length > 5ms; length = length * 2 / 3) {
                w.show(0ns, length);
                EXPECT_LT(Pane::rectangles(), 6000u) << length.count() << tasks << compared;
            }
        }
}

// `./run bench` measures the time that such a frame takes.
TEST(UiTimelinePane, ManyTasksNeedFewRectangles) {
    if (!kThorough) GTEST_SKIP() << "only in thorough builds";
    const char* kinds[] = {
        R"({"name": "asleep", "count": 64000, "start": "1h", "program": [{"wait": "never"}]},
           {"name": "hog", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "3ms"}, "yield"]}]})",
        R"({"name": "ready", "count": 64000, "program": [{"run": "1s"}]})",
    };
    for (const char* tasks : kinds) {
        Pane w(Pane::written(tasks, "3s"), {1920, 1080});
        for (const auto& [begin, end] : {TimeRange{0ns, 3s}, TimeRange{1s, 1100ms}, TimeRange{1s, 1001ms}}) {
            w.show(begin, end);
            for (int i = 0; i < 5; ++i)
                w.play(w.at("move", w.x_of(begin) + 100 + 20 * static_cast<float>(i), w.y_of(0.6f)));
            EXPECT_LT(Pane::rectangles(), 6000u);
        }
    }
}

}  // namespace ui_timeline_test
}  // namespace ui

#endif
