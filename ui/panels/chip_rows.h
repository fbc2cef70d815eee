// Tasks as chips in rows with labels: the lists of an array, the queues of a script. As many rows as there is
// room for, of each as many tasks, and words about the others.
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
    std::span<const sim::TaskId> tasks;  // from head to tail
    bool lit = false;                    // the label
    const char* if_empty = "";           // a word in place of tasks
};

// What chips say beside the name of a task.
struct ChipWords {
    std::function<std::string(sim::TaskId)> second_line;  // where there is room for two
    std::function<std::string(sim::TaskId)> details;      // under the mouse
    std::function<float(sim::TaskId)> bar = {};           // along the lower edge, 0 to 1; none: there is none
};

class ChipRows {
  public:
    // `words`: of a row, in the singular: "list". `drawing` must outlive it.
    ChipRows(const QueueDrawing& drawing, ChipWords says, const char* row_word);

    // The size of all chips: with a second line where `rows` of these are in a height of `room`, and the
    // `longest` in a width. `tight`: a row is not higher than its letters.
    struct Room {
        float height, width;
        std::size_t rows, longest;
        bool tight;
    };
    void measure(const Room& room);

    // Rows from the top of the box on. Labels are so wide.
    void place(const Box& box, std::span<const ChipRow> rows, float label_width);

    // All that have been placed, once.
    void draw();

    // With the gap below a row, and behind a chip. REQUIRES: measure()
    float row_height() const;
    float chip_step() const;

  private:
    void place_tasks(float left, float right, float y, const ChipRow& row);
    void draw_chip(const CardMotion::Card& card);
    float text_top(float row_top) const;

    const QueueDrawing& d_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    ChipWords says_;
    const char* row_word_;
    const float line_, border_;
    bool tall_ = false;
    float chip_width_ = 0, chip_height_ = 0;
    std::vector<CardGoal> goals_;
};

// "nobody", "1 task", "3 tasks"
std::string counted_tasks(std::size_t n);

}  // namespace ui
