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

class FairPainter {
  public:
    FairPainter(const QueueDrawing& d, sim::fair::FairKernel kernel);

    void draw();

  private:
    // Widths of the columns, from left to right. Columns that do not fit are omitted, `word` first.
    struct Columns {
        float name = 0, marks = 0, axis = 0, vruntime = 0, lag = 0, word = 0;
    };

    // The rows to draw: all, or as many as fit and one line that summarizes the rest. The rows of running,
    // examined and first tasks are preferred.
    struct ShownRows {
        std::vector<std::size_t> rows;    // ascending
        std::vector<std::size_t> folded;  // rows that are only summarized
        std::size_t fold_at = 0;          // index in `rows` of the row below the summary
    };

    // One queue and its layout.
    struct Block {
        const FairQueue* queue;
        VirtualRange range;
        ShownRows rows;
        float top, row_height, rows_top, rows_bottom;
        bool titled = true;  // there is a line of labels above the rows
    };

    bool has_deadlines() const { return kernel_ == sim::fair::FairKernel::linux_6_6; }
    std::string name_of(sim::TaskId p) const;
    float x_of(const Block& block, std::int64_t t) const;

    // --- layout ---
    void measure_columns();
    // `room`: the number of lines that fit.
    static ShownRows shown_rows(const FairQueue& queue, std::size_t room, const QueueView& view);
    void lay_out(const FairQueue& queue, float top, float height, bool named);
    void draw_real_time(const FairQueue& queue, float y);
    void draw_omitted_tasks(const Block& block, float y);

    // --- the axis ---
    void draw_axis(const Block& block, bool named);
    void draw_scale(const Block& block);
    void label_lines(float zero, float v, float left, float right, float y);
    void label_v(float v, float left, float right, float y, float x, float width);
    static std::string scale_number(std::int64_t t, std::int64_t step);

    // --- the rows ---
    void draw_rows();
    void draw_row(const Block& block, const FairRow& row, const CardPlace& at);
    void draw_mark(const FairRow& row, sim::CpuId cpu, float x, float y);
    void draw_on_axis(const FairRow& row, float x, float goal, const Block& block, float middle,
                      float height);
    void draw_off_axis_arrow(bool to_right, float middle, float size, ImU32 colour);

    const QueueDrawing& d_;
    const sim::fair::FairKernel kernel_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float line_, gap_, stroke_;
    Columns columns_;
    float axis_left_ = 0;
    std::vector<FairQueue> queues_;
    std::vector<Block> blocks_;
    std::vector<CardGoal> goals_;
    std::vector<std::pair<std::size_t, std::size_t>> shown_;  // for each goal: its block, its row
};

}  // namespace ui
