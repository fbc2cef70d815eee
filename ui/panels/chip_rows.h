// Draws tasks as chips (small boxes, one per task) in labelled rows, such as the lists of a priority array.
// Text states the number of rows and chips that do not fit.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/panels/queue_drawing.h"
#include "ui/view/card_motion.h"

namespace ui {

struct Box {
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

struct ChipRow {
    std::string label;
    std::span<const sim::TaskId> tasks;  // from head to tail of the list
    bool lit = false;                    // highlights the label
    const char* if_empty = "";           // text for a row without tasks
};

// Functions that return the second line, the tooltip and the bar of a task's chip.
struct ChipContents {
    std::function<std::string(sim::TaskId)> second_line;  // drawn if there is room for two lines
    std::function<std::string(sim::TaskId)> details;      // tooltip
    // Length of a bar along the lower edge of the chip, 0 to 1. An empty function: no bar.
    std::function<float(sim::TaskId)> bar = {};
};

class ChipRows {
  public:
    // `row_word`: the word for one row, such as "list". REQUIRES: `drawing` outlives this object.
    ChipRows(const QueueDrawingContext& drawing, ChipContents contents, const char* row_word);

    // The input of choose_chip_size(), which selects one size for all chips. `rows`: number of rows.
    // `longest_row`: number of chips in the longest row. Chips have two lines if the rows then fit in
    // `height` and `width`. `tight`: chips with one line are only as high as their letters.
    struct AvailableSpace {
        float height, width;
        std::size_t rows, longest_row;
        bool tight;
    };
    void choose_chip_size(const AvailableSpace& room);

    // Lays out the rows in the box, from its top down.
    void place_rows(const Box& box, std::span<const ChipRow> rows, float label_width);

    // Draws all placed rows. Call it once.
    void draw();

    // The height of a row and the width of a chip, each with the gap to the next one. REQUIRES:
    // choose_chip_size() has been called.
    float row_height() const;
    float chip_width_with_gap() const;

  private:
    void place_tasks(float left, float right, float y, const ChipRow& row);
    void draw_chip(const CardMotion::Card& card);
    float text_top(float row_top) const;

    const QueueDrawingContext& d_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    ChipContents contents_;
    const char* row_word_;
    const float line_, border_;
    bool tall_ = false;
    float chip_width_ = 0, chip_height_ = 0;
    std::vector<CardGoal> goals_;
};

std::string task_count_text(std::size_t n);

}  // namespace ui
