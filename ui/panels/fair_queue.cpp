// A fair scheduler's queue: a row per task in tree order, with vruntime on an axis from min_vruntime.
// linux-6.6 adds deadlines and V, which separates eligible tasks from those that had more than their share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/queue_drawing.h"
#include "ui/platform/shapes.h"
#include "ui/view/fair_queue.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::TaskId;
using sim::fair::FairKernel;

constexpr const char* kAboutMin =
    "min_vruntime: a virtual time near the least vruntime; it never decreases. All times here are relative "
    "to it.";
constexpr const char* kAboutV =
    "V: the average of the vruntimes by weight. A task on this line or to its left is eligible: it has had "
    "no more than its share. The eligible task with the earliest deadline runs.";
constexpr const char* kAboutAxis =
    "vruntime: the time that a task has run, counted faster for lighter tasks. The running task is charged "
    "at ticks and in schedule(); in between, its marker does not move.";

std::string details_of(const QueueDrawing& d, const FairQueue& queue, const FairRow& row) {
    std::string text =
        queue_task_details(d.run, queue_task(d.run, d.frame.view, d.queue, row.task), d.queue, row.task);
    text += fmt::format("\nvruntime {} from min_vruntime, weight {}", signed_ms(row.vruntime),
                        grouped(row.weight));
    if (row.running) text += "\nruns, so it is not in the tree; charged at ticks and in schedule()";
    if (row.leftmost && !d.moment.hidden) text += "\nthe leftmost of the tree";
    if (row.buddy) text += "\nthe `last` buddy: a wake-up preempted it";
    if (!queue.has_deadlines) return text;
    text += fmt::format("\ndeadline {}: its vruntime at the end of its slice", signed_ms(row.deadline));
    text += fmt::format("\nlag {}: it {}", signed_ms(row.lag), lag_words(row.lag));
    if (!d.moment.hidden) text += fmt::format(", so it is {}", eligible_word(row));
    return text;
}

// All rows, or as many as fit and a line for the rest. Running, first and examined tasks take precedence.
struct ShownRows {
    std::vector<std::size_t> rows;  // ascending
    std::vector<std::size_t> folded;
    std::size_t fold_at = 0;  // the line for the rest is before this index of `rows`
};
ShownRows shown_rows(const FairQueue& queue, std::size_t room, const QueueView& view) {
    const std::size_t all = queue.rows.size(), most = all <= room ? all : std::max<std::size_t>(room, 2) - 1;
    std::vector<bool> shown(all);
    std::size_t left = most;
    const auto show = [&](std::size_t i) {
        if (left == 0 || shown[i]) return;
        shown[i] = true;
        --left;
    };
    for (std::size_t i = 0; i < all; ++i)
        if (queue.rows[i].running) show(i);
    for (std::size_t i = 0; i < all; ++i)
        if (queue.rows[i].task == view.current || queue.rows[i].task == view.best) show(i);
    if (all > 0) show(0);
    if (most > 3) show(all - 1);
    for (std::size_t i = 0; i < all && left > 0; ++i) show(i);
    ShownRows rows;
    for (std::size_t i = 0; i < all; ++i) {
        if (!shown[i] && rows.folded.empty()) rows.fold_at = rows.rows.size();
        (shown[i] ? rows.rows : rows.folded).push_back(i);
    }
    return rows;
}

// Widths, from left to right; columns that do not fit are dropped, words first.
struct Columns {
    float name = 0, marks = 0, axis = 0, vruntime = 0, lag = 0, word = 0;
};

class FairPainter {
  public:
    FairPainter(const QueueDrawing& d, FairKernel kernel)
        : d_(d),
          kernel_(kernel),
          f_(d.frame),
          t_(d.frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          sans_(d.frame.fonts.sans),
          line_(std::round(pixel_size(*d.frame.fonts.sans) * 1.35f)),
          gap_(std::round(d.frame.px(10))),
          stroke_(std::max(1.0f, std::round(d.frame.scale() * d.frame.theme.line_width))) {}

    void draw() {
        const auto [cpus, top, height] = cpu_rows(d_, 4 * line_, line_);
        for (const sim::CpuId cpu : cpus) queues_.push_back(fair_queue(d_.moment, cpu, kernel_));
        measure_columns();
        float y = top;
        for (const FairQueue& queue : queues_) {
            lay_out(queue, y, height, cpus.size() > 1);
            y += height;
        }
        draw_rows();
    }

  private:
    // One queue and its layout.
    struct Block {
        const FairQueue* queue;
        VirtualRange range;
        ShownRows rows;
        float top, row_height, rows_top, rows_bottom;
        bool titled = true;  // has a line above the rows
    };

    bool has_deadlines() const { return kernel_ == FairKernel::linux_6_6; }

    void measure_columns() {
        const float whole = d_.room.x;
        float name = f_.px(40), vruntime = text_width(sans_, "vruntime"), lag = text_width(sans_, "lag");
        for (const FairQueue& queue : queues_) {
            for (std::size_t i = 0; i < std::min<std::size_t>(queue.rows.size(), 64); ++i) {
                const FairRow& row = queue.rows[i];
                name = std::max(name, text_width(sans_, name_of(row.task)));
                vruntime = std::max(vruntime, text_width(sans_, signed_ms(row.vruntime)));
                lag = std::max(lag, text_width(sans_, signed_ms(row.lag)));
            }
        }
        Columns& c = columns_;
        c.name = std::round(std::min(name + f_.px(20) + 1.5f * gap_, whole * 0.24f));
        c.marks = text_width(sans_, "leftmost") + gap_;
        c.vruntime = vruntime + gap_;
        c.lag = has_deadlines() ? lag + gap_ : 0;
        c.word = has_deadlines() && !d_.moment.hidden ? text_width(sans_, "not eligible") + gap_ : 0;
        const auto axis = [&] { return whole - c.name - c.marks - c.vruntime - c.lag - c.word; };
        const float least = std::min(f_.px(260), whole * 0.5f);
        for (float* column : {&c.word, &c.vruntime, &c.marks, &c.lag})
            if (axis() < least) *column = 0;
        c.axis = std::max(axis() - gap_, 1.0f);
        axis_left_ = d_.origin.x + c.name + c.marks;
    }

    std::string name_of(TaskId p) const { return queue_task(d_.run, f_.view, d_.queue, p).name; }

    float x_of(const Block& block, std::int64_t t) const {
        const auto length = static_cast<double>(block.range.end - block.range.begin);
        const double share =
            std::clamp((static_cast<double>(t) - static_cast<double>(block.range.begin)) / length, 0.0, 1.0);
        const float inset = std::min(std::round(f_.px(12)), columns_.axis / 4);  // half a marker
        return axis_left_ + inset + std::round(static_cast<float>(share) * (columns_.axis - 2 * inset));
    }

    void lay_out(const FairQueue& queue, float top, float height, bool named) {
        if (!queue.real_time.empty()) {
            draw_real_time(queue, top);
            top += line_;
            height -= line_;
        }
        const int steps =
            std::clamp(static_cast<int>(columns_.axis / text_width(sans_, "+000.00 ms  ")), 1, 12);
        Block block{.queue = &queue,
                    .range = virtual_range(queue, steps),
                    .rows = {},
                    .top = top,
                    .row_height = 0,
                    .rows_top = top + line_,
                    .rows_bottom = 0};
        // With little room, rows are closer and lose the line above.
        const float least = std::round(pixel_size(*sans_) * 1.1f), spare = named ? gap_ / 2 : 0;
        const auto rows = static_cast<float>(queue.rows.size());
        block.titled = named || height - 2 * line_ >= std::min(rows, 4.0f) * least;
        if (!block.titled) block.rows_top = top + std::round(f_.px(3));
        const float for_rows = top + height - spare - line_ - block.rows_top;
        const auto room = static_cast<std::size_t>(std::max(1.0f, for_rows / least));
        block.rows = shown_rows(queue, room, d_.queue);
        const std::size_t lines = block.rows.rows.size() + (block.rows.folded.empty() ? 0 : 1);
        block.row_height = std::round(
            std::clamp(for_rows / static_cast<float>(std::max<std::size_t>(lines, 1)), least, 2.2f * line_));
        block.rows_bottom = block.rows_top + block.row_height * static_cast<float>(lines);
        draw_ground(block, named);
        float y = block.rows_top;
        const auto place = [&](std::size_t i) {
            const FairRow& row = queue.rows[i];
            goals_.push_back({row.task, {x_of(block, row.vruntime) - d_.origin.x, y - d_.origin.y}});
            shown_.push_back({blocks_.size(), i});
            y += block.row_height;
        };
        for (std::size_t n = 0; n <= block.rows.rows.size(); ++n) {
            if (!block.rows.folded.empty() && n == block.rows.fold_at) {
                draw_fold(block, y);
                y += block.row_height;
            }
            if (n < block.rows.rows.size()) place(block.rows.rows[n]);
        }
        blocks_.push_back(std::move(block));
    }

    // Real-time tasks, which precede all others, on their own line.
    void draw_real_time(const FairQueue& queue, float y) {
        std::string text = "real-time, before all others:";
        for (std::size_t i = 0; i < std::min<std::size_t>(queue.real_time.size(), 20); ++i)
            text += (i == 0 ? " " : ", ") + name_of(queue.real_time[i]);
        if (queue.real_time.size() > 20) text += fmt::format(", {} more", queue.real_time.size() - 20);
        draw_text(sans_, ImVec2(d_.origin.x, y + (line_ - pixel_size(*sans_)) / 2), t_.text,
                  cut_to(sans_, text, d_.room.x));
    }

    // The axis, its two lines, and the texts above and below.
    void draw_ground(const Block& block, bool named) {
        const FairQueue& queue = *block.queue;
        const float left = axis_left_, right = left + columns_.axis;
        const float text_y = block.top + (line_ - pixel_size(*sans_)) / 2;
        if (named)
            draw_text(sans_, ImVec2(d_.origin.x, text_y), t_.text_dim, fmt::format("cpu{}", queue.cpu));
        float x = right + gap_;
        const auto heading = [&](float width, const char* text) {
            if (width == 0) return;
            draw_text(sans_, ImVec2(x + width - gap_ - text_width(sans_, text), text_y), t_.text_dim, text);
            x += width;
        };
        if (block.titled) {
            heading(columns_.vruntime, "vruntime");
            heading(columns_.lag, "lag");
        }
        if (queue.rows.empty()) {
            draw_text(sans_, ImVec2(left, block.rows_top), t_.text_dim, "no fair task is runnable");
            return;
        }
        const float zero = x_of(block, 0), v = x_of(block, queue.average);
        if (has_deadlines())
            fill_rect(list_, ImVec2(left, block.rows_top), ImVec2(v, block.rows_bottom),
                      blend(with_alpha(t_.ok, 0.12f), t_.panel));
        draw_scale(block);
        fill_rect(list_, ImVec2(zero - stroke_ / 2, block.rows_top - (block.titled ? line_ / 4 : 0)),
                  ImVec2(zero + std::max(1.0f, stroke_), block.rows_bottom), t_.text);
        if (has_deadlines())
            fill_rect(list_, ImVec2(v - stroke_, block.rows_top - (block.titled ? line_ / 4 : 0)),
                      ImVec2(v + 2 * stroke_, block.rows_bottom), t_.ok);
        if (block.titled) label_lines(zero, v, left, right, text_y);
        const float below = block.rows_bottom;
        if (columns_.name + columns_.marks > text_width(sans_, "from min_vruntime") + gap_)
            draw_text(sans_, ImVec2(d_.origin.x, below + (line_ - pixel_size(*sans_)) / 2), t_.text_dim,
                      "from min_vruntime");
        explain_area(ImVec2(left, below), ImVec2(right, below + line_), kAboutAxis);
        explain_area(ImVec2(zero - f_.px(4), block.top), ImVec2(zero + f_.px(4), block.rows_bottom),
                     kAboutMin);
        if (has_deadlines())
            explain_area(ImVec2(v - f_.px(4), block.top), ImVec2(v + f_.px(4), block.rows_bottom), kAboutV);
    }

    // Ticks with numbers below them: 0, and as many others as fit.
    void draw_scale(const Block& block) {
        const VirtualRange& range = block.range;
        const float left = axis_left_, right = left + columns_.axis;
        const auto steps = static_cast<float>((range.end - range.begin) / range.step);
        const float widest = std::max(text_width(sans_, tick_text(range.begin, range.step)),
                                      text_width(sans_, tick_text(range.end, range.step)));
        const auto every = static_cast<std::int64_t>(std::ceil((widest + gap_) * steps / columns_.axis));
        float last = left - gap_;
        for (std::int64_t t = range.begin; t <= range.end; t += range.step) {
            const float at = x_of(block, t);
            fill_rect(list_, ImVec2(at, block.rows_top), ImVec2(at + 1, block.rows_bottom), t_.grid);
            if (t / range.step % std::max<std::int64_t>(every, 1) != 0) continue;
            const std::string text = tick_text(t, range.step);
            const float width = text_width(sans_, text);
            const float x = std::clamp(at - std::round(width / 2), left, std::max(left, right - width));
            if (x < last + gap_) continue;
            draw_text(sans_, ImVec2(x, block.rows_bottom + (line_ - pixel_size(*sans_)) / 2), t_.text_dim,
                      text);
            last = x + width;
        }
    }

    // Labels the two lines without overlap.
    void label_lines(float zero, float v, float left, float right, float y) {
        const float beside = std::round(f_.px(5));
        const auto fits = [&](float x, float width) { return x >= left && x + width <= right; };
        // Away from V if there is room.
        const bool to_left = has_deadlines() && v >= zero;
        float x = 0, width = 0;
        for (const bool left_of : {to_left, !to_left}) {
            for (const char* const text : {"min_vruntime", "min"}) {
                width = text_width(sans_, text);
                x = left_of ? zero - beside - width : zero + beside;
                if (!fits(x, width)) continue;
                draw_text(sans_, ImVec2(x, y), t_.text, text);
                return label_v(v, left, right, y, x, width);
            }
        }
        label_v(v, left, right, y, left, 0);
    }

    // Labels V; avoids the text of this width at x.
    void label_v(float v, float left, float right, float y, float x, float width) {
        const float beside = std::round(f_.px(5));
        const auto fits = [&](float at, float size) { return at >= left && at + size <= right; };
        if (!has_deadlines()) return;
        for (const char* const text : {"V, the eligible line", "V"}) {
            const float size = text_width(sans_, text);
            for (const float at : {v + beside, v - beside - size, x + width + 2 * beside}) {
                if (!fits(at, size) || (at < x + width + beside && at + size + beside > x)) continue;
                draw_text(sans_, ImVec2(at, y), t_.ok, text);
                return;
            }
        }
    }

    // With as many digits as the distance of the ticks requires.
    static std::string tick_text(std::int64_t t, std::int64_t step) {
        if (t == 0) return "0";
        int digits = 0;
        for (std::int64_t unit = 1'000'000; unit > 1 && step % unit != 0; unit /= 10) ++digits;
        return fmt::format("{:+.{}f} ms", static_cast<double>(t) / 1e6, digits);
    }

    // The folded tasks as small markers.
    void draw_fold(const Block& block, float y) {
        const std::string words = fmt::format("… {} more", grouped(block.rows.folded.size()));
        draw_text(sans_, ImVec2(d_.origin.x, y + (block.row_height - pixel_size(*sans_)) / 2), t_.text_dim,
                  cut_to(sans_, words, columns_.name + columns_.marks));
        float last = -1;
        for (const std::size_t i : block.rows.folded) {
            const FairRow& row = block.queue->rows[i];
            const float x = x_of(block, row.vruntime), half = std::max(1.0f, std::round(f_.px(2)));
            if (x == last) continue;
            last = x;
            fill_rect(list_, ImVec2(x - half, y + std::round(block.row_height * 0.2f)),
                      ImVec2(x + half, y + std::round(block.row_height * 0.8f)), colour_of(f_, row.task));
        }
    }

    void draw_rows() {
        std::uint64_t layout = 3;
        for (const Block& block : blocks_)
            layout = layout * 31 + static_cast<std::uint64_t>(block.range.end - block.range.begin) +
                     static_cast<std::uint64_t>(block.range.step) * 7 +
                     static_cast<std::uint64_t>(block.row_height);
        const CardMotion& motion = move_tasks(d_, goals_, layout);
        std::size_t n = 0;
        for (const CardMotion::Card& card : motion.cards()) {
            if (card.leaving || n == shown_.size()) break;
            const Block& block = blocks_[shown_[n].first];
            draw_row(block, block.queue->rows[shown_[n].second], card.at);
            ++n;
        }
    }

    void draw_row(const Block& block, const FairRow& row, const CardPlace& at) {
        const FairQueue& queue = *block.queue;
        const float top = d_.origin.y + std::round(at.y), height = block.row_height,
                    middle = top + std::round(height / 2),
                    text_y = top + std::round((height - pixel_size(*sans_)) / 2);
        const bool looked_at = d_.queue.current == row.task, best = d_.queue.best == row.task,
                   selected = f_.view.task == row.task;
        const ImVec2 min(d_.origin.x, top), max(d_.origin.x + d_.room.x, top + height - 1);
        const ImVec2 end_of_names(axis_left_ - gap_ / 2, max.y);
        if (looked_at || best || row.running)
            fill_rect(list_, min, end_of_names,
                      blend(with_alpha(looked_at ? t_.accent
                                       : best    ? t_.ok
                                                 : t_.text,
                                       best ? 0.2f : 0.16f),
                            t_.panel));
        if (selected) draw_frame(list_, min, max, t_.cursor, stroke_);

        const float side = std::round(pixel_size(*sans_) * 0.7f);
        fill_rect(list_, ImVec2(min.x + f_.px(2), middle - std::round(side / 2)),
                  ImVec2(min.x + f_.px(2) + side, middle - std::round(side / 2) + side),
                  colour_of(f_, row.task));
        const float name_left = min.x + side + f_.px(8);
        std::string name = name_of(row.task);
        if (looked_at)
            name = "▶ " + name;
        else if (best)
            name = "◆ " + name;
        draw_text(sans_, ImVec2(name_left, text_y), t_.text,
                  short_name(sans_, name, std::max(1.0f, min.x + columns_.name - gap_ / 2 - name_left)));
        draw_mark(row, queue.cpu, min.x + columns_.name, text_y);
        draw_on_axis(row, d_.origin.x + std::round(at.x), x_of(block, row.vruntime), block, middle, height);

        float x = axis_left_ + columns_.axis + gap_;
        const auto number = [&](float width, const std::string& text, ImU32 colour) {
            if (width == 0) return;
            draw_text(sans_, ImVec2(x + width - gap_ - text_width(sans_, text), text_y), colour, text);
            x += width;
        };
        number(columns_.vruntime, signed_ms(row.vruntime), t_.text);
        if (queue.has_deadlines) {
            number(columns_.lag, signed_ms(row.lag), t_.text);
            if (columns_.word > 0)
                draw_text(sans_, ImVec2(x, text_y), row.eligible() ? t_.ok : t_.text_dim, eligible_word(row));
        }
        react_to_task(d_, row.task, min, ImVec2(max.x - min.x, height - 1),
                      [&] { return details_of(d_, queue, row); });
    }

    // Marks the running task with its CPU, the leftmost one, and the buddy.
    void draw_mark(const FairRow& row, sim::CpuId cpu, float x, float y) {
        if (columns_.marks == 0) return;
        if (row.running) {
            const std::string tag = fmt::format("cpu{}", cpu);
            fill_rect(list_, ImVec2(x, y - f_.px(1)),
                      ImVec2(x + text_width(sans_, tag) + f_.px(8), y + pixel_size(*sans_) + f_.px(2)),
                      t_.text);
            draw_text(sans_, ImVec2(x + f_.px(4), y), t_.panel, tag);
        } else if (row.leftmost && !d_.moment.hidden) {
            draw_text(sans_, ImVec2(x, y), t_.accent, "leftmost");
        } else if (row.buddy) {
            draw_text(sans_, ImVec2(x, y), t_.accent, "buddy");
        }
    }

    // A disc at the vruntime, ringed if running, and a bar to the deadline, hatched if not eligible.
    void draw_on_axis(const FairRow& row, float x, float goal, const Block& block, float middle,
                      float height) {
        const ImU32 colour = colour_of(f_, row.task);
        const float radius = std::round(std::min(height * 0.3f, f_.px(9)));
        const bool is_far = row.vruntime > block.range.end || row.vruntime < block.range.begin;
        if (is_far) return draw_far(row.vruntime > block.range.end, middle, radius, colour);
        if (block.queue->has_deadlines) {
            const float half = std::max(2.0f, std::round(height * 0.16f));
            const float end = x + x_of(block, row.deadline) - goal;
            const ImVec2 from(std::min(x, end), middle - half), to(std::max(x, end), middle + half);
            if (row.eligible() || d_.moment.hidden) {
                fill_rect(list_, from, to, blend(with_alpha(colour, 0.55f), t_.panel));
            } else {
                fill_rect(list_, from, to, blend(with_alpha(colour, 0.15f), t_.panel));
                fill_pattern(list_, f_.fonts, Pattern::hatch, from, to, colour);
            }
            const float tick = std::max(2.0f, std::round(f_.px(3)));
            fill_rect(list_, ImVec2(end - tick, middle - 2 * half), ImVec2(end, middle + 2 * half), colour);
        }
        disc(list_, ImVec2(x, middle), radius, colour);
        if (row.running)
            ring(list_, ImVec2(x, middle), radius + f_.px(3), t_.text, 0, std::max(2.0f, 2 * stroke_));
        else if (row.leftmost && !d_.moment.hidden)
            ring(list_, ImVec2(x, middle), radius + f_.px(2), t_.accent, 0, std::max(1.0f, stroke_));
    }

    // An arrow for a task far beyond this end of the axis.
    void draw_far(bool to_right, float middle, float size, ImU32 colour) {
        const float tip = to_right ? axis_left_ + columns_.axis : axis_left_, by = to_right ? -size : size;
        for (const float from : {tip, tip + 1.5f * by}) {
            if (to_right)
                polygon(list_,
                        {ImVec2(from + by, middle - size), ImVec2(from, middle),
                         ImVec2(from + by, middle + size)},
                        colour);
            else
                polygon(list_,
                        {ImVec2(from + by, middle + size), ImVec2(from, middle),
                         ImVec2(from + by, middle - size)},
                        colour);
        }
    }

    const QueueDrawing& d_;
    const FairKernel kernel_;
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
    std::vector<std::pair<std::size_t, std::size_t>> shown_;  // of each goal: the block and the row in it
};

}  // namespace

void draw_fair_queues(const QueueDrawing& drawing) {
    FairPainter(drawing, fair_kernel(drawing.run, drawing.moment)).draw();
}

std::string fair_queues_text(const Run& run, const ViewState& view, const QueueView& shown,
                             const QueueMoment& moment) {
    constexpr std::size_t kMost = 1000;
    std::string text;
    std::size_t rows = 0;
    const std::uint32_t cpus = shown.machine->shape().cpus;
    for (sim::CpuId cpu = 0; cpu < cpus; ++cpu) {
        const FairQueue queue = fair_queue(moment, cpu, fair_kernel(run, moment));
        const std::string whose = cpus == 1 ? "" : fmt::format("cpu{}: ", cpu);
        for (const TaskId p : queue.real_time)
            text += fmt::format("{}real-time, before all others: {}\n", whose,
                                queue_task(run, view, shown, p).name);
        if (queue.rows.empty()) {
            text += whose + "no fair task is runnable\n";
            continue;
        }
        text += fmt::format("{}min_vruntime {} ns", whose, queue.min_vruntime);
        if (queue.has_deadlines)
            text += fmt::format("; V, the eligible line, at {}", signed_ms(queue.average));
        text += "; vruntimes relative to min_vruntime:\n";
        TextTable table(queue.has_deadlines ? "lrrrll" : "lrl");
        for (const FairRow& row : queue.rows) {
            if (++rows > kMost) continue;
            std::string marks;
            if (row.running) marks += fmt::format("cpu{} ", cpu);
            if (row.leftmost && !moment.hidden) marks += "leftmost ";
            if (row.buddy) marks += "buddy ";
            if (shown.current == row.task) marks += "looked at ";
            if (shown.best == row.task) marks += "best so far";
            const std::string name = queue_task(run, view, shown, row.task).name;
            if (!queue.has_deadlines)
                table.add({name, signed_ms(row.vruntime), marks});
            else
                table.add({name, signed_ms(row.vruntime), "deadline " + signed_ms(row.deadline),
                           "lag " + signed_ms(row.lag),
                           moment.hidden ? lag_words(row.lag)
                                         : fmt::format("{}, {}", lag_words(row.lag), eligible_word(row)),
                           marks});
        }
        text += table.text();
    }
    if (rows > kMost) text += fmt::format("... {} more\n", rows - kMost);
    return text;
}

}  // namespace ui
