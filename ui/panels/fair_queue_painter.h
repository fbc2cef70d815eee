// Draws the queues of a fair scheduler in the pane RUN QUEUE.
//
// The functions of the class share a layout and are in files by subject:
//    fair_queue.cpp  layout, and order of drawing
//    fair_axis.cpp   the axis of virtual times with its two lines
//    fair_rows.cpp   the rows of the tasks
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels/queue_drawing.h"
#include "ui/view/fair_queue.h"

namespace ui {

class FairQueuePainter {
  public:
    FairQueuePainter(const QueueDrawingContext& d, sim::fair::FairKernel kernel);

    void draw();

  private:
    // Widths of the columns, from left to right; 0: omitted. If there is not enough room, columns are omitted
    // in this order: word ("not eligible"), vruntime, marks, lag.
    struct ColumnWidths {
        float name = 0, marks = 0, axis = 0, vruntime = 0, lag = 0, word = 0;
    };

    // The rows to draw. If not all rows fit, one line summarizes the omitted rows. The rows of running tasks,
    // of examined tasks and of the first tasks are preferred.
    struct ShownRows {
        std::vector<std::size_t> rows;    // ascending
        std::vector<std::size_t> folded;  // rows that are only summarized
        std::size_t fold_at = 0;          // index in `rows` of the row below the summary
    };

    // One queue and its layout.
    struct QueueBlock {
        const FairQueue* queue;
        VirtualTimeRange range;
        ShownRows rows;
        float top, row_height, rows_top, rows_bottom;
        bool titled = true;  // there is a line of labels above the rows
    };

    bool has_deadlines() const { return kernel_ == sim::fair::FairKernel::linux_6_6; }
    std::string name_of(sim::TaskId p) const;
    float x_of(const QueueBlock& block, std::int64_t t) const;

    // --- layout ---
    void measure_columns();
    // `line_count`: the number of lines that fit.
    static ShownRows shown_rows(const FairQueue& queue, std::size_t line_count, const QueueView& view);
    void lay_out_queue(const FairQueue& queue, float top, float height, bool has_cpu_name);
    void draw_real_time_tasks(const FairQueue& queue, float y);
    void draw_omitted_tasks(const QueueBlock& block, float y);

    // --- the axis ---
    void draw_axis(const QueueBlock& block, bool has_cpu_name);
    void draw_scale(const QueueBlock& block);
    void draw_min_and_average_labels(float zero, float v, float left, float right, float y);
    void draw_average_vruntime_label(float v, float left, float right, float y, float x, float width);
    static std::string scale_label(std::int64_t t, std::int64_t step);

    // --- the rows ---
    void draw_rows();
    void draw_row(const QueueBlock& block, const FairRow& row, const CardPlace& at);
    void draw_row_marker(const FairRow& row, sim::CpuId cpu, float x, float y);
    void draw_vruntime_on_axis(const FairRow& row, float x, float goal, const QueueBlock& block, float middle,
                               float height);
    void draw_off_axis_arrow(bool to_right, float middle, float size, ImU32 colour);

    const QueueDrawingContext& d_;
    const sim::fair::FairKernel kernel_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float line_, gap_, stroke_;
    ColumnWidths columns_;
    float axis_left_ = 0;
    std::vector<FairQueue> queues_;
    std::vector<QueueBlock> blocks_;
    std::vector<CardGoal> goals_;  // the points to which the rows move
    // For each element of goals_: index in blocks_, and index of the row in the queue of this block.
    std::vector<std::pair<std::size_t, std::size_t>> goal_rows_;
};

}  // namespace ui
