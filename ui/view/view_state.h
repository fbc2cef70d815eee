// What the window shows and how, as plain data: nothing here changes the simulation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "ui/view/card_motion.h"
#include "ui/view/speeds.h"

namespace ui {

struct TimeRange {
    sim::Nanos begin{}, end{};

    sim::Nanos length() const { return end - begin; }
    bool contains(sim::Nanos t) const { return begin <= t && t < end; }
    bool operator==(const TimeRange&) const = default;
};

struct Bookmark {
    sim::Nanos time{};
    std::string note;
    std::uint64_t run = 0, events = 0;  // in the run where it was put: behind so many events
};

// How deep one looks: the same arrow keys step by event, by switch, and by line of one schedule().
enum class DepthLevel : std::uint8_t { time, context_switch, inside };

// What is asked about a decision whose outcome is hidden: one after the other, in turn.
enum class Ask : std::uint8_t { who, refill, considered };

// What somebody said to that.
struct Prediction {
    Ask ask;
    std::uint32_t value;  // who: the task; refill: 1 for yes, 0 for no; considered: how many
};

// The panes that share the place at the lower right; see ui/view/tabs.h.
enum class Tab : std::uint8_t {
    context_switch,
    tasks,
    costs,
    system,
    invariants,
    caches,
    waits,
    laboratory,
    jobs,
    script
};

// Which part of a run the costs are of.
enum class CostScope : std::uint8_t { until_now, selection, whole };

// What is asked of the laboratory, as people write it.
struct LabRequest {
    std::string pointer;  // of the axis, into the scenario; empty: nothing is asked for yet
    std::string values;   // as `switchyard sweep --vary` takes them
    std::vector<std::string> policies;
    std::string measure;  // by name; empty: what fits the workload
    std::uint32_t seeds = 1;
    std::string until;  // each run's end, in simulated time

    bool operator==(const LabRequest&) const = default;
};

// What is shown of the scenario that is open, and where in it one looks. Another scenario begins with a new
// one of these.
struct ScenarioView {
    // --- the timeline ---
    TimeRange shown;                               // by all timelines
    std::optional<TimeRange> selection;            // the area whose statistics are shown
    std::optional<sim::Nanos> cursor_a, cursor_b;  // set by hand, to measure between
    std::optional<sim::TaskId> task;               // the selected one, lit in every pane
    float first_track = 0;                         // scrolled down by so many pixels at scale 1
    std::vector<Bookmark> bookmarks;               // in the order of time
    // What the mouse is doing to it, from a press to the release.
    struct Drag {
        enum class What : std::uint8_t { nothing, press, select, pan, seek };
        What what = What::nothing;
        sim::Nanos from{};  // the instant under the mouse as it was pressed
        float moved = 0;    // by so many pixels in all
    };
    Drag drag;

    // --- the decision ---
    DepthLevel level = DepthLevel::time;
    std::size_t inside_step = 0;  // into the decision's steps; meaningful at DepthLevel::inside
    std::optional<Prediction> prediction;

    // --- the run ---
    bool playing = false;
    bool jobs_whole = false;          // the table of jobs is of the whole run
    bool gantt_shown = false;         // and the chart above it of what the timeline shows
    bool tasks_of_b = false;          // the table of tasks is that of the run compared with
    std::optional<std::size_t> stop;  // of the tour: the one gone to last
    LabRequest laboratory;

    // --- the presenter's view ---
    std::string subject;    // what the caption speaks of, one of sim::kTourSubjects, until one goes elsewhere
    std::string presented;  // the id of the pane that was asked for; empty: the one that fits the depth
};

// On its way from one stretch of time to another.
struct Glide {
    static constexpr double kSeconds = 0.6;

    TimeRange from, to;
    double seconds = 0;  // since it began
};

// That, and how the window shows whatever is open.
struct ViewState : ScenarioView {
    sim::CpuId cpu = 0;  // the selected one; see selected_cpu()
    bool show_marks = true;
    bool show_mms = true;  // whose address space is loaded
    bool show_depth = true;

    bool predicting = false;  // the outcome of a decision stays hidden until one has chosen
    Ask ask = Ask::who;
    std::uint32_t predicted = 0, predicted_right = 0;  // since one began to predict
    bool refill_in_front = false;                      // of the two tables, where only one has room

    // --- the panes ---
    Tab tab = Tab::context_switch;
    std::string narrow_tab = "decision";  // the pane beneath the timeline in a small window
    std::string alone;          // the id of the one pane that fills the window; empty for all of them
    bool bare = false;          // that pane or the timeline, and nothing around it: a page has that
    float split_right = 0.36f;  // shares of the window
    float split_queue = 0.24f;
    float split_tabs = 0.38f;
    float split_right_large = 0.46f;  // the same while a tab is in front that needs room
    float split_tabs_large = 0.62f;
    bool reduce_motion = false;
    std::array<CardMotion, 2> cards;  // of the run queues of the two runs
    bool moving = false;              // set by panes while something is on its way; cleared before each frame

    std::string task_filter;  // the tasks whose names have this in them
    CostScope costs = CostScope::until_now;
    sim::Nanos vmstat_interval{};  // between the lines of SYSTEM; 0 for what fits the run

    bool show_tour = true, show_what_if = true, show_hints = true;
    bool presenting = false;          // one pane, large, under the caption of the tour
    bool blank = false;               // and that is black, so that people look elsewhere
    bool show_toolbar = false;        // in the presenter's view
    std::optional<Glide> glide;       // of what is shown; drawn only
    std::size_t speed = kUsualSpeed;  // into kSpeeds
};

}  // namespace ui
