// Tests of several CPUs, address spaces, TLBs, caches and waits in the window: the text of the panes, and
// their drawing.
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "tests/support/headless_window.h"
#include "tests/support/smp_scenario.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/panels/panel.h"
#include "ui/view/task_rows.h"
#include "ui/view/timeline_tracks.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace ui_smp_test {

using namespace std::chrono_literals;
using sim::Nanos;
using sim::TaskId;

std::unique_ptr<Run> run_of(sim::Scenario scenario) {
    const std::uint32_t cpus = scenario.cpus;
    const std::string policy = scenario.policy;
    auto run = std::make_unique<Run>(std::make_unique<sim::Session>(
        std::make_shared<const sim::Scenario>(std::move(scenario)), sim::make_policy(policy, cpus)));
    run->session().history().extend_to_end();
    return run;
}

Model model_of(Run& run) {
    Model model;
    model.a = &run;
    model.scenario_name = "smp";
    return model;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// --- reasons of waits ---

TEST(WaitReason, EverySleepingTaskHasReason) {
    const auto run = run_of(sim::smp_scenario(2));
    std::set<std::string> seen;
    for (std::int64_t at = 0; at < 60'000; at += 137) {
        run->session().seek(std::chrono::microseconds(at));
        const sim::Machine& m = run->session().machine();
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            const std::string words = wait_reason_text(*run, p);
            EXPECT_EQ(task_cell(*run, p, TaskColumn::cause), words);
            const sim::Task& task = m.task[p];
            const bool asleep = m.is_live(p) && task.state != sim::TaskState::runnable;
            ASSERT_EQ(asleep || (m.is_live(p) && task.waiting_on != sim::kNoChannel), !words.empty())
                << words;
            if (task.state == sim::TaskState::waiting && task.waiting_on != sim::kNoChannel &&
                run->scenario().channels[task.waiting_on].kind == sim::ChannelSpec::Kind::lock &&
                m.channel(task.waiting_on).owner != sim::kNoTask) {
                EXPECT_TRUE(contains(words, "held by " + run->name(m.channel(task.waiting_on).owner)))
                    << words;
            }
            seen.insert(words.substr(0, words.find_first_of("0123456789,")));
        }
    }
    const auto any = [&](const std::string& beginning) {
        return std::any_of(seen.begin(), seen.end(), [&](const auto& s) { return s.starts_with(beginning); });
    };
    for (const char* words :
         {"for an arrival", "for lock arena", "for data in pipe p", "for device disk", "parked", "woken"})
        EXPECT_TRUE(any(words)) << words;
}

TEST(WaitReason, DeviceQueuePositionIsNamed) {
    const auto run =
        run_of(sim::parse_scenario("disk.json", R"({"format": "switchyard-scenario/1", "until": "20ms",
        "devices": {"disk": {"service_time": "8ms"}}, "machine": {"hz": 100},
        "tasks": [{"name": "db", "count": 3, "program": [{"io": "disk"}, {"run": "1ms"}]}]})"));
    run->session().seek(1ms);
    const TaskId first = run->session().machine().first_task();
    EXPECT_TRUE(contains(wait_reason_text(*run, first), "for device disk, in service until 8"))
        << wait_reason_text(*run, first);
    EXPECT_EQ(wait_reason_text(*run, first + 1), "for device disk, 1st in the device's queue");
    EXPECT_EQ(wait_reason_text(*run, first + 2), "for device disk, 2nd in the device's queue");
}

TEST(WaitsPane, CausesAddUpToVoluntarySwitches) {
    for (const std::uint32_t cpus : {1u, 2u, 8u}) {
        SCOPED_TRACE(cpus);
        const auto run = run_of(sim::smp_scenario(cpus, "200ms"));
        run->session().seek_end();
        const Model model = model_of(*run);
        const std::string text = waits_text(model, {});
        const sim::Statistics& s = run->session().statistics();
        EXPECT_TRUE(contains(text, group_digits(s.switches.voluntary) + " voluntary switches")) << text;
        std::uint64_t sum = s.arrivals.switches + s.sleeps.switches + s.exit_switches;
        for (const sim::WaitStatistics& w : s.waits) sum += w.switches;
        EXPECT_EQ(sum, s.switches.voluntary);
        for (const char* words : {"wait for an external arrival", "exit", "device disk", "an unpark of gc",
                                  "  gc, wait ended "
                                  "by boss",
                                  "  reader, wait ended by writer", "  db, wait ended by no task"})
            EXPECT_TRUE(contains(text, words)) << words << "\n" << text;
        run->session().seek_beginning();
        EXPECT_TRUE(contains(waits_text(model, {}), "No task has given up the CPU yet."));
    }
}

// --- contents of TLB and cache ---

TEST(CachesPane, ContentsMatchEngine) {
    const auto run = run_of(sim::smp_scenario(2));
    const Model model = model_of(*run);
    ViewState view;
    for (const sim::CpuId cpu : {0u, 1u}) {
        view.cpu = cpu;
        for (const Nanos at : {1ms, 13ms, 59ms}) {
            run->session().seek(at);
            const std::string text = caches_text(model, view);
            EXPECT_TRUE(text.starts_with(fmt::format("cpu{} ", cpu))) << text;
            const auto contents = run->residency().contents(run->session().machine(), cpu);
            ASSERT_FALSE(contents.empty());
            for (const sim::ResidentEntries& r : contents) {
                EXPECT_TRUE(contains(text, run->name(r.task))) << text;
                EXPECT_TRUE(contains(text, fmt::format("{} of {}", r.tlb_entries, r.tlb_needed))) << text;
                EXPECT_TRUE(contains(text, fmt::format("{} of {}", r.lines, r.lines_needed))) << text;
            }
        }
    }
    view.cpu = 63;  // from a machine with more CPUs
    EXPECT_TRUE(caches_text(model, view).starts_with("cpu1 "));
    view.predicting = true;
    EXPECT_TRUE(contains(caches_text(model, view), "This pane is hidden until you have chosen"));
}

TEST(CachesPane, NoCacheModelShowsOneLine) {
    const std::vector<std::string> sets{"/until=\"100ms\""};
    const auto run = run_of(sim::load_scenario("two-hogs", sets));
    const std::string text = caches_text(model_of(*run), {});
    EXPECT_TRUE(contains(text, "no model of TLB and caches")) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

// --- borrowed address spaces ---

TEST(BorrowedAddressSpace, IsNamedInAllPanes) {
    const auto run = run_of(sim::smp_scenario(2));
    const Model model = model_of(*run);
    int found = 0;
    for (std::int64_t at = 1'000; at < 60'000 && found < 5; at += 111) {
        run->session().seek(std::chrono::microseconds(at));
        const sim::Machine& m = run->session().machine();
        for (sim::CpuId c = 0; c < 2; ++c) {
            const sim::Cpu& cpu = m.cpu(c);
            if (m.task[cpu.current].mm != sim::kKernelMm || cpu.active_mm == sim::kKernelMm) continue;
            if (cpu.kernel_until > run->now()) continue;
            ++found;
            const std::string borrows = "borrows " + run->scenario().mm_name(m, cpu.active_mm);
            EXPECT_TRUE(contains(loaded_mm_text(*run, c), borrows)) << loaded_mm_text(*run, c);
            EXPECT_TRUE(contains(run_queue_text(model, {}), borrows)) << run_queue_text(model, {});
            ViewState view;
            view.cpu = c;
            EXPECT_TRUE(contains(caches_text(model, view), borrows));
            view.shown = {run->now() - 1us, run->now() + 1us};
            EXPECT_TRUE(contains(timeline_text(model, view), borrows)) << timeline_text(model, view);
            const auto timeline = sim::make_timeline(run->history(), run->now(), run->now() + 1us);
            ASSERT_FALSE(timeline->cpus[c].empty());
            const std::vector<std::string> lines = slice_tooltip(*run, *timeline, c, 0);
            EXPECT_NE(std::find(lines.begin(), lines.end(), borrows), lines.end()) << lines.front();
        }
    }
    EXPECT_EQ(found, 5);
}

TEST(UiTimeline, TooltipNamesWakerAndCause) {
    const auto run = run_of(sim::smp_scenario(2));
    run->session().seek_beginning();
    const auto t = sim::make_timeline(run->history(), 0ms, 30ms);
    std::set<std::string> ends, causes;
    for (TaskId p = 2; p < t->tasks.size(); ++p) {
        for (std::size_t i = 0; i < t->tasks[p].size(); ++i) {
            for (const std::string& line : task_slice_tooltip(*run, *t, p, i)) {
                if (line.starts_with("woken by")) ends.insert(line.substr(0, line.find(" at ")));
                if (line.starts_with("for ")) causes.insert(line);
            }
        }
    }
    EXPECT_TRUE(ends.contains("woken by an interrupt"));
    EXPECT_TRUE(ends.contains("woken by writer"));
    EXPECT_TRUE(ends.contains("woken by boss"));
    for (const char* cause :
         {"for lock arena", "for data in pipe p", "for device disk", "for an unpark of gc"})
        EXPECT_TRUE(causes.contains(cause)) << cause;
}

TEST(UiDecision, NamesCpuAndSkipReasons) {
    const auto run = run_of(sim::smp_scenario(2));
    const Model model = model_of(*run);
    std::string all;
    for (std::uint64_t n = 1; n < 200; n += 3) {
        run->session().seek(sim::StepEventKind::decision, n);
        const std::string text = decision_text(model, {});
        EXPECT_TRUE(contains(text, fmt::format("on cpu{} at", run->last_decision()->view.record.cpu)))
            << text;
        all += text;
    }
    EXPECT_TRUE(contains(all, "runs on another CPU"));
    EXPECT_TRUE(contains(all, "may not use this CPU"));
    EXPECT_TRUE(contains(all, "cache refill"));
}

// --- drawing ---

class Window : public HeadlessWindow {
  public:
    explicit Window(const std::string& json, Size size = {1280, 800}) : HeadlessWindow(json, "smp", size) {}

    void click(float x, float y) {
        for (const Uint32 type : {SDL_MOUSEMOTION, SDL_MOUSEBUTTONDOWN, SDL_MOUSEBUTTONUP}) {
            SDL_Event event{};
            event.type = type;
            if (type == SDL_MOUSEMOTION) {
                event.motion.x = static_cast<int>(x);
                event.motion.y = static_cast<int>(y);
            } else {
                event.button.button = SDL_BUTTON_LEFT;
                event.button.x = static_cast<int>(x);
                event.button.y = static_cast<int>(y);
                event.button.clicks = 1;
            }
            SDL_PushEvent(&event);
            frames(2);
        }
        settle();
    }
};

TEST(SmpWindow, PanesRenderForAnyCpuCount) {
    for (const std::uint32_t cpus : {1u, 2u, 8u, 64u}) {
        Window w(sim::smp_scenario_json(cpus, "20ms"));
        w.app.control().navigator().seek(13ms);
        for (const Size size : {Size{320, 240}, {300, 1280}, {640, 480}, {1280, 800}}) {
            if (!kOptimised && size.width == 640) break;
            w.backend.resize(size);
            for (const Panel& panel : panels()) {
                SCOPED_TRACE(fmt::format("{} CPUs {}x{} {}", cpus, size.width, size.height, panel.id));
                w.app.view().alone = panel.id;
                w.settle();
                std::set<std::uint32_t> colours;
                const auto picture = w.picture();
                for (std::size_t p = 0; p + 4 <= picture.size() && colours.size() <= 3; p += 4)
                    colours.insert(static_cast<std::uint32_t>(picture[p] | picture[p + 1] << 8U |
                                                              picture[p + 2] << 16U));
                EXPECT_GT(colours.size(), 3u);
                EXPECT_NE(panel.text(w.app.model(), w.app.view()), "");
                if (!kThorough && cpus > 2) break;
            }
            w.app.view().alone.clear();
            w.settle();
        }
        EXPECT_EQ(w.app.model().error, "");
    }
}

TEST(SmpWindow, PanesWorkWithoutTasks) {
    Window w(R"({"format": "switchyard-scenario/1", "cpus": 4, "until": "1ms", "policy": "linux-2.4.22",
        "machine": {"hz": 100, "tlb": {"entries": 64, "source": "t", "footprint": {"pages": 1, "source": "t"},
        "refill": {"time": "1ns", "source": "t"}}}, "tasks": []})");
    for (const Panel& panel : panels()) {
        w.app.view().alone = panel.id;
        w.settle();
        EXPECT_NE(panel.text(w.app.model(), w.app.view()), "") << panel.id;
    }
}

TEST(SmpWindow, ClickOnCpuNameSelectsCpu) {
    Window w(sim::smp_scenario_json(8, "20ms"));
    w.app.control().navigator().seek(13ms);
    w.app.show_pane_alone("timeline");
    w.settle();
    EXPECT_EQ(w.app.view().cpu, 0u);
    // Clicks on one CPU after the other in the left margin.
    std::set<sim::CpuId> selected;
    std::vector<sim::CpuId> order;
    for (float y = 100; y < 420; y += 8) {
        w.click(40, y);
        selected.insert(w.app.view().cpu);
        if (order.empty() || order.back() != w.app.view().cpu) order.push_back(w.app.view().cpu);
    }
    EXPECT_EQ(selected.size(), 8u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    w.app.view().cpu = 7;
    w.command("view.cpu_down");
    EXPECT_EQ(w.app.view().cpu, 0u);
    w.command("view.cpu_up");
    EXPECT_EQ(w.app.view().cpu, 7u);
    w.app.show_pane_alone("caches");
    w.settle();
    EXPECT_TRUE(contains(w.app.text(), "cpu7 ")) << w.app.text();
}

// With one process and a kernel thread, the process's marker on the CPU's track has a single colour.
TEST(SmpWindow, StripeMarksBorrowedAddressSpace) {
    const std::string tasks =
        R"({"name": "k", "mm": null, "start": "4ms",
        "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"arrival": "100us"}]}]},
        {"name": "A", "mm": "x", "program": [{"run": "2ms"}, {"arrival": "5ms"}, {"run": "2ms"}]},
        {"name": "B", "mm": "x", "program": [{"run": "2ms"}, {"arrival": "5ms"}, {"run": "2ms"}]})";
    const auto json = [&](bool lazy) {
        return fmt::format(R"({{"format": "switchyard-scenario/1", "until": "12ms", "policy": "linux-2.4.22",
            "machine": {{"hz": 100, "lazy_tlb": {}, "costs": {{"schedule": "10us"}}}}, "tasks": [{}]}})",
                           lazy, tasks);
    };
    Window w(json(true));
    w.app.show_pane_alone("timeline");
    w.app.control().history().show({0ms, 12ms});
    w.app.control().navigator().seek(12ms);
    w.settle();
    const ImU32 mark = mm_colour(w.app.theme(), 1);
    const ImU32 dimmed = blend(with_alpha(mark, 0.3f), w.app.theme().background);
    const std::size_t borrowed = w.pixels_of(dimmed), own = w.pixels_of(mark);
    EXPECT_GT(borrowed, 500u) << "between the runs of A and B";
    const auto with = w.picture();
    w.command("view.mms");
    EXPECT_EQ(w.pixels_of(dimmed), 0u);
    EXPECT_NE(w.picture(), with);
    w.command("view.mms");
    EXPECT_EQ(w.pixels_of(mark), own);
    EXPECT_EQ(w.picture(), with);

    Window strict(json(false));
    strict.app.show_pane_alone("timeline");
    strict.app.control().history().show({0ms, 12ms});
    strict.app.control().navigator().seek(12ms);
    strict.settle();
    EXPECT_EQ(strict.pixels_of(dimmed), 0u) << "the kernel has page tables of its own";
}

// Tracks are folded, so that no more is drawn in a frame with many CPUs than in a frame with one CPU.
TEST(SmpWindow, RectangleCountIsBoundedForManyCpus) {
    for (const std::uint32_t cpus : {1u, 8u, 64u}) {
        Window w(sim::smp_scenario_json(cpus, "20ms"), {1920, 1080});
        w.app.show_pane_alone("timeline");
        for (const auto& [begin, end] : {std::pair<Nanos, Nanos>{0ms, 20ms}, {5ms, 8ms}, {10ms, 10200us}}) {
            w.app.control().history().show({begin, end});
            w.settle();
            // Rectangles of one colour, without glyphs and patterns.
            std::size_t rectangles = 0;
            const ImDrawData* data = ImGui::GetDrawData();
            const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
            for (int l = 0; l < data->CmdListsCount; ++l) {
                const ImDrawList& list = *data->CmdLists[l];
                for (int i = 0; i + 5 < list.IdxBuffer.Size; i += 6)
                    rectangles += list.VtxBuffer[list.IdxBuffer[i]].uv.x == white.x;
            }
            EXPECT_LT(rectangles, 6'000u) << cpus << " CPUs, " << (end - begin).count();
            if (std::getenv("SWITCHYARD_KEEP") != nullptr) fmt::print("{} CPUs: {}\n", cpus, rectangles);
        }
    }
}

TEST(SmpWindow, CacheBarsChangeBetweenSwitches) {
    Window w(sim::smp_scenario_json(2, "20ms"));
    w.app.show_pane_alone("caches");
    w.app.control().navigator().seek(sim::StepEventKind::context_switch, 20);
    w.settle();
    std::set<std::string> pictures;
    for (int i = 0; i < 10; ++i) {
        w.command("step.switch.forward");
        const std::vector<std::uint8_t> picture = w.picture();
        pictures.emplace(picture.begin(), picture.end());
    }
    EXPECT_GT(pictures.size(), 5u);
}

}  // namespace ui_smp_test
}  // namespace ui

#endif
