// The Gantt chart of one or two runs: one row per CPU, with the tasks that ran on it.
#pragma once

#include <optional>
#include <vector>

#include "ui/panels/panel.h"
#include "ui/view/job_table.h"
#include "ui/view/model.h"

namespace ui {

struct Chart {
    const sim::RangeSegments* pieces = nullptr;  // null: not computed yet
    TimeRange range;
    bool is_all = false;  // true: the chart shows the whole run
};

// The chart of a run. It shows the whole run, or only the timeline's range if the run has too many segments
// or `view` selects this range.
Chart chart_of(const Run& run, const ViewState& view);

// The range of the axis: it contains the ranges of both runs.
TimeRange combined_range(const Chart& a, const Chart& b);

// Maps times to pixels.
struct Axis {
    TimeRange range;
    float left, width;

    float x(sim::Nanos t) const;
    sim::Nanos time(float pixel_x) const;
};

// The position and height of a row of the chart, and whether its segments show names.
struct ChartLane {
    float top, height;
    bool named;
};

void draw_run_segment(Frame& frame, const sim::Scenario& scenario, const Axis& axis,
                      const sim::RunSegment& piece, const ChartLane& lane);

// Draws a line at the position of run A.
void draw_position_line(Frame& frame, const Axis& axis, float top, float bottom);

// The position of a drawn chart in the window, in pixels.
struct DrawnChart {
    Axis axis;
    float top, lane_height, bottom;  // `bottom`: lower edge of the last row; the times are below it
};

struct ChartOptions {
    float lane_height;                 // in pixels
    std::optional<TimeRange> range{};  // range of the axis; nullopt: the range of the charts
    bool seeks_by_click = true;        // a click moves the position to the time under the mouse
};

// Draws the chart, the times below it, and a note if CPUs or segments are omitted.
DrawnChart draw_chart(Frame& frame, const std::vector<Chart>& charts, const ChartOptions& options);

}  // namespace ui
