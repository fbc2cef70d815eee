// The state of the window's display, as plain data. No data in this file affects the simulation.
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
    std::uint64_t run = 0, events = 0;  // id of the run, and number of its events before the bookmark
};

// The depth of navigation: the arrow keys step by event, by switch, or by line of one schedule().
enum class DepthLevel : std::uint8_t { time, context_switch, inside };

// The questions about a decision whose outcome is hidden. They are asked in turn.
enum class PredictionQuestion : std::uint8_t { next_task, recalculation, considered };

// The user's answer to a question about a hidden outcome.
struct Prediction {
    PredictionQuestion ask;
    std::uint32_t
        value;  // next_task: the task; recalculation: 1 for yes, 0 for no; considered: number of tasks
};

// The panes that can be shown as tabs; see ui/view/tabs.h.
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

// An arrangement of the panes in a window that is not small; see ui/view/layouts.h.
enum class WindowLayout : std::uint8_t { lecture, kernel, laboratory };

// The sizes of the areas of a layout, as fractions of the space for panes.
struct AreaSizes {
    float right;         // width of the right column
    float lower_height;  // height of the run queue; in the laboratory layout, of the chart
    float tabs;          // height of the tabs; only in the kernel layout
};

// The part of a run whose costs the pane COSTS shows.
enum class CostScope : std::uint8_t { until_now, selection, whole };

// A request to the laboratory, as the user has typed it.
struct LabRequest {
    std::string pointer;  // JSON pointer to the varied value; empty: no request yet
    std::string values;   // values in the syntax of `switchyard sweep --vary`
    std::vector<std::string> policies;
    std::string measure;  // name of the measure; empty: the workload determines the measure
    std::uint32_t seeds = 1;
    std::string until;  // simulated time at which each run ends

    bool operator==(const LabRequest&) const = default;
};

// An exercise: the Gantt chart of the next part of the run, drawn by the user (fill_in.h).
struct FillInExercise {
    std::uint64_t run = 0;  // Run::id()
    sim::Nanos begin{}, cell{};
    // The answers. nullopt: the cell is empty; kNoTask: the CPU is idle in the cell.
    std::vector<std::optional<sim::TaskId>> cells;
    std::optional<sim::TaskId> brush{};  // the answer that a click enters; nullopt: a click empties the cell
    std::optional<std::size_t> wrong{};  // the first wrong cell, after a check
    std::string feedback{};              // text that the last check returned
    bool shows_solution = false;
};

// The view of the open scenario. Opening another scenario resets it.
struct ScenarioViewState {
    // --- the timeline ---
    TimeRange shown;                               // visible range of all timelines
    std::optional<TimeRange> selection;            // the range whose statistics are shown
    std::optional<sim::Nanos> cursor_a, cursor_b;  // measuring cursors A and B, not related to runs A and B
    std::optional<sim::TaskId> task;               // the selected task, highlighted in every pane
    // The task under the mouse in the last frame, and the time under the mouse. If `time` is nullopt, the
    // time is that of the run's position.
    struct HoveredTask {
        sim::TaskId task;
        std::optional<sim::Nanos> time;
    };
    std::optional<HoveredTask> pointed;
    // The explanation why a task runs or does not run, shown next to the mouse. The explanation disappears
    // when the run's position changes.
    struct TaskExplanation {
        std::string text;
        std::uint64_t run = 0, revision = 0;  // Run::id(), Session::revision()
        bool at_mouse = false;                // the task is under the mouse
    };
    std::optional<TaskExplanation> answer;
    float track_scroll = 0;           // scroll offset of the tracks in pixels at scale 1
    std::vector<Bookmark> bookmarks;  // in order of time
    // The current mouse drag, from press to release.
    struct Drag {
        enum class What : std::uint8_t { nothing, press, select, pan, seek };
        What what = What::nothing;
        sim::Nanos from{};  // the time under the mouse at the press
        float moved = 0;    // total distance of the drag in pixels
    };
    Drag drag;

    // --- the decision ---
    DepthLevel level = DepthLevel::time;
    std::size_t inside_step = 0;  // index into the decision's steps; valid at DepthLevel::inside
    std::optional<Prediction> prediction;
    std::optional<FillInExercise> fill_in;

    // The animation of the last schedule(): its progress in acts (decision_scene.h).
    struct Animation {
        // Run::id() and number of the decision; after a change, `at` restarts at 0.
        std::uint64_t run = 0, decision = 0;
        double at = 0;
        bool plays = false;
    };
    Animation animation;
    bool start_screen_animates = false;  // the start screen shows the animation instead of the queue

    // --- the run ---
    bool playing = false;
    std::uint64_t skipped_switches = 0;  // switches per second that playback does not show one by one
    bool jobs_whole = false;             // the job table is for the whole run, not up to the run's position
    bool gantt_of_range = false;         // the Gantt chart is for the visible range, not for the whole run
    bool tasks_of_b = false;             // the task table is for the second run
    std::optional<std::size_t> stop;     // index of the last visited stop of the tour; nullopt: none
    // The state of the window when the stop of the tour was reached; unset while the position of the stop is
    // being searched.
    struct TourStopState {
        sim::Nanos time{};
        std::string policy;
        std::string compared;  // policy of the second run; empty: none
        std::vector<std::string> sets;
        std::size_t interventions = 0;
        bool operator==(const TourStopState&) const = default;
    };
    std::optional<TourStopState> stop_state;
    LabRequest laboratory;

    // --- the presenter's view ---
    std::string subject;    // subject of the caption (sim::kTourSubjects), until the user navigates
    std::string presented;  // id of the requested pane; empty: `level` determines the pane
};

// An animation from one visible range to another.
struct RangeAnimation {
    static constexpr double kSeconds = 0.6;

    TimeRange from, to;
    double seconds = 0;  // seconds since the start
};

// A ScenarioViewState and the settings that all scenarios share.
struct ViewState : ScenarioViewState {
    sim::CpuId cpu = 0;  // the selected CPU; see selected_cpu()
    bool show_marks = true;
    bool show_mms = true;  // show the loaded address spaces
    bool show_depth = true;

    bool predicting = false;  // the outcome of a decision stays hidden until the user has chosen
    PredictionQuestion ask = PredictionQuestion::next_task;
    // The numbers of all answers and of right answers since prediction mode was turned on.
    std::uint32_t predicted = 0, predicted_right = 0;
    bool prefers_recalculation = false;  // if only one table fits, the table of the recalculation is shown

    // --- the panes ---
    Tab tab = Tab::context_switch;
    // The selected tab in the laboratory layout. That layout shows the laboratory in addition to the tab.
    Tab tab_at_laboratory = Tab::jobs;
    // The id of the selected pane: below the timeline in a small window, at the right of the timeline in the
    // lecture layout.
    std::string narrow_tab = "decision";
    WindowLayout layout = WindowLayout::lecture;
    std::string alone;  // id of the pane that fills the window; empty: all panes are shown
    bool bare = false;  // shows only the pane `alone` or the timeline, with no frame around it; for web pages
    std::array<AreaSizes, 3> sizes{{{0.4f, 0.24f, 0}, {0.5f, 0.18f, 0.38f}, {0.42f, 0.3f, 0}}};  // by layout
    // For the layouts lecture and kernel: sizes while a pane that needs much space is selected
    // (is_large_tab()), and sizes while two runs are compared.
    std::array<AreaSizes, 2> large_sizes{{{0.5f, 0.24f, 0}, {0.5f, 0.16f, 0.58f}}};
    std::array<AreaSizes, 2> sizes_of_two_runs{{{0.4f, 0.36f, 0}, {0.5f, 0.26f, 0.3f}}};
    bool reduce_motion = false;
    std::array<CardMotion, 2> cards;  // cards in the run queues of the two runs
    bool candidates_first = false;  // set by layouts: the candidates of a decision are shown before its code
    bool moving = false;            // set by panes while they animate; cleared before each frame

    std::string task_filter;  // part of a task name, or a pid; empty: all tasks
    CostScope costs = CostScope::until_now;
    // Interval of the lines in the pane SYSTEM; 0: the run's length determines it.
    sim::Nanos vmstat_interval{};

    bool show_tour = true, show_hints = true;
    bool show_what_if = false;            // shows the what-if strip also in layouts that have no space for it
    std::size_t band_page = 0;            // shown page of the bottom band, whose texts can fill many pages
    bool start = false;                   // shows the start screen instead of a layout
    bool editing = false;                 // the start screen shows the scenario's form, not the job table
    bool came_from_start = false;         // shows the button that leads back to the start screen
    bool presenting = false;              // the presenter's view: one large pane under the caption
    bool blank = false;                   // the presenter's view is black
    bool show_toolbar = false;            // shows the toolbar in the presenter's view
    std::optional<RangeAnimation> glide;  // animation of the visible range, for drawing only
    std::size_t speed = kUsualSpeed;      // index into kSpeeds
    std::size_t own_speed = kUsualSpeed;  // the speed at which the run takes about 20 s
    bool starts_slow = false;             // runs start at one switch per second instead of own_speed

    // Sets `own_speed` and `speed` for a run of this length.
    void set_speed_for(sim::Nanos run_length) {
        own_speed = speed_for_run_length(run_length);
        speed = starts_slow ? kSwitchASecond : own_speed;
    }
};

}  // namespace ui
