// The two priority arrays of linux-2.6.20, each with its bitmap of 140 bits and its non-empty lists. As in
// the kernel, an exchange of the arrays moves no task: only the frame and the word "active" move to the
// other array.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/policies/linux_2_6_20.h"
#include "ui/panels/chip_rows.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel_helpers.h"
#include "ui/panels/queue_drawing.h"
#include "ui/platform/shapes.h"
#include "ui/view/priority_arrays.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::TaskId;
using sim::o1::kMaxPrio;
using sim::o1::kMaxRtPrio;

constexpr float kRealTimeShare = 0.4f;  // share of the strip for the real-time bits, which are narrower

constexpr const char* kAboutBitmap =
    "The bitmap has one bit for each of the 140 lists, set while the list has tasks. schedule() takes the "
    "first task of the list at the first set bit of the active array. 0 to 99 are real-time tasks, 100 to "
    "139 all others: 120 + nice, minus a bonus for sleep.";
constexpr const char* kAboutActive =
    "The active array has the tasks with a slice. When it is empty, the two arrays are exchanged: two "
    "pointers are swapped, and no task moves.";
constexpr const char* kAboutExpired =
    "The expired array has the tasks that have used up their slice, and those that have yielded. They wait "
    "until the active array is empty.";

std::string title_of(const PriorityArrays& arrays, std::size_t i, bool hidden) {
    const PriorityArray& array = arrays.arrays[i];
    std::string text = fmt::format("{}: arrays[{}], {}", i == arrays.active ? "active" : "expired", i,
                                   task_count_text(array.count()));
    if (const auto bit = array.first_bit(); bit && !hidden) text += fmt::format(", first bit set: {}", *bit);
    return text;
}

std::string details_of(const QueueDrawingContext& d, TaskId p) {
    const PrioComponents credit = prio_components_of(d.moment, p);
    std::string text = queue_task_details(d.run, queue_task(d.run, d.frame.view, d.queue, p), d.queue, p) +
                       fmt::format("\n{}", prio_components_text(credit));
    if (credit.is_real_time) return text;
    return text + fmt::format("\nsleep_avg {} of 1,000 ms gives a bonus of {} (5 is neutral)\n{}",
                              credit.sleep_avg / 1'000'000, credit.bonus,
                              credit.is_interactive ? "interactive: the task stays in the active array at "
                                                      "the end of its slice"
                                                    : "not interactive: the task moves to the expired array "
                                                      "at the end of its slice");
}

class PriorityArraysPainter {
  public:
    explicit PriorityArraysPainter(const QueueDrawingContext& d)
        : d_(d),
          f_(d.frame),
          t_(d.frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          sans_(d.frame.fonts.sans),
          line_(std::round(pixel_size(*d.frame.fonts.sans) * 1.35f)),
          gap_(std::round(d.frame.px(8))),
          border_(std::max(1.0f, std::round(d.frame.scale() * d.frame.theme.line_width))),
          chips_(d, chip_contents(), "list") {}

    void draw() {
        const float least = 3.6f * line_ + 2 * gap_;
        const auto [cpus, top, height] = cpu_rows(d_, least, line_);
        choose_chip_size(height);
        float y = top;
        for (const sim::CpuId cpu : cpus) {
            draw_cpu({ImVec2(d_.origin.x, y),
                      ImVec2(d_.origin.x + d_.room.x, y + height - (cpus.size() > 1 ? gap_ : 0))},
                     priority_arrays(d_.moment, cpu), cpus.size() > 1);
            y += height;
        }
        chips_.draw();
    }

  private:
    // Sets the size of the chips. They have a second line for slice and bonus if there is room.
    void choose_chip_size(float height) {
        std::size_t lists = 1, longest = 1;  // largest number of lists and of tasks in a list
        for (sim::CpuId cpu = 0; cpu < d_.queue.machine->shape().cpus; ++cpu) {
            for (const PriorityArray& array : priority_arrays(d_.moment, cpu).arrays) {
                lists = std::max(lists, array.lists.size());
                for (const PriorityList& list : array.lists) longest = std::max(longest, list.tasks.size());
            }
        }
        chips_.choose_chip_size(
            {height - 4 * line_, d_.room.x / 2 - f_.px(70), lists, longest, height < 4 * line_});
    }

    void draw_cpu(Box box, const PriorityArrays& arrays, bool named) {
        if (named) {
            draw_text(sans_, box.min, t_.text_dim,
                      ellipsized_text(sans_, fmt::format("cpu{}", arrays.cpu), box.width()));
            box.min.x += text_width(sans_, "cpu00 ");
        }
        const float half = std::floor((box.width() - gap_) / 2);
        const bool side_by_side = half >= f_.px(230) || box.height() < 6.6f * line_;
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            const auto n = static_cast<float>(i);
            const float height = std::floor((box.height() - gap_) / 2);
            const ImVec2 min = side_by_side ? ImVec2(box.min.x + n * (half + gap_), box.min.y)
                                            : ImVec2(box.min.x, box.min.y + n * (height + gap_));
            draw_array(
                {min, side_by_side ? ImVec2(min.x + half, box.max.y) : ImVec2(box.max.x, min.y + height)},
                arrays, i);
        }
    }

    void draw_array(Box box, const PriorityArrays& arrays, std::size_t i) {
        const bool active = i == arrays.active;
        const PriorityArray& array = arrays.arrays[i];
        if (active) fill_rect(list_, box.min, box.max, blend(with_alpha(t_.accent, 0.08f), t_.panel));
        draw_frame(list_, box.min, box.max, active ? t_.accent : t_.panel_border,
                   active ? 2 * border_ : border_);
        const Box inside{ImVec2(box.min.x + gap_, box.min.y + gap_ / 2),
                         ImVec2(box.max.x - gap_, box.max.y - gap_ / 2)};
        // If there is little room, the bitmap is next to the title.
        const bool low = inside.height() < 3.6f * line_;
        const float middle = low ? inside.min.x + std::round(inside.width() * 0.45f) : inside.max.x;
        float y = inside.min.y;
        draw_text(sans_, ImVec2(inside.min.x, y + (line_ - pixel_size(*sans_)) / 2),
                  active ? t_.text : t_.text_dim,
                  ellipsized_text(sans_, title_of(arrays, i, d_.moment.hidden), middle - inside.min.x));
        explain_area(ImVec2(inside.min.x, y), ImVec2(middle, y + line_),
                     active ? kAboutActive : kAboutExpired);
        const float strip = std::round(line_ * 0.7f), arrow = std::round(f_.px(5));
        if (low) {
            draw_bitmap({ImVec2(middle + gap_, y + arrow), ImVec2(inside.max.x, y + line_)}, array, active);
            place_lists({ImVec2(inside.min.x, y + line_ + std::round(f_.px(2))), inside.max}, arrays, i);
            return;
        }
        y += line_ + arrow;
        draw_bitmap({ImVec2(inside.min.x, y), ImVec2(inside.max.x, y + strip)}, array, active);
        y += strip + std::round(f_.px(3));
        if (inside.max.y - y > 2.4f * line_) {
            draw_scale(inside.min.x, inside.max.x, y);
            y += line_;
        }
        place_lists({ImVec2(inside.min.x, y + gap_ / 2), inside.max}, arrays, i);
    }

    // The left edge of the bit for this prio. The bits of real-time prios are narrower than the other bits.
    static float x_of(const Box& strip, std::int32_t prio) {
        const float real_time = std::round(strip.width() * kRealTimeShare);
        if (prio < kMaxRtPrio)
            return strip.min.x + std::floor(real_time * static_cast<float>(prio) / kMaxRtPrio);
        return strip.min.x + real_time +
               std::floor((strip.width() - real_time) * static_cast<float>(prio - kMaxRtPrio) /
                          (kMaxPrio - kMaxRtPrio));
    }

    void draw_bitmap(const Box& strip, const PriorityArray& array, bool active) {
        const ImU32 ground = blend(with_alpha(t_.text, 0.1f), t_.panel),
                    line = blend(with_alpha(t_.text, 0.28f), t_.panel);
        const float others = x_of(strip, kMaxRtPrio);
        fill_rect(list_, strip.min, strip.max, ground);
        fill_pattern(list_, f_.fonts, Pattern::hatch, strip.min, ImVec2(others, strip.max.y), line);
        for (std::int32_t prio = kMaxRtPrio; prio < kMaxPrio; ++prio)
            if (const float x = x_of(strip, prio); x_of(strip, prio + 1) - x >= 4)
                fill_rect(list_, ImVec2(x, strip.min.y), ImVec2(x + 1, strip.max.y), line);
        const auto first = array.first_bit();
        for (const PriorityList& list : array.lists) {
            const float x = x_of(strip, list.prio),
                        right =
                            std::max(x_of(strip, list.prio + 1), x + std::max(2.0f, std::round(f_.px(3))));
            fill_rect(list_, ImVec2(x, strip.min.y), ImVec2(right, strip.max.y),
                      active ? t_.accent : t_.text_dim);
            if (list.prio != *first || d_.moment.hidden) continue;
            // Draws an arrow to the list from which schedule() takes the next task.
            const float middle = (x + right) / 2, side = std::round(f_.px(5));
            polygon(list_,
                    {ImVec2(middle - side, strip.min.y - side), ImVec2(middle + side, strip.min.y - side),
                     ImVec2(middle, strip.min.y)},
                    active ? t_.text : t_.text_dim);
        }
        fill_rect(list_, ImVec2(others - border_, strip.min.y), ImVec2(others + border_, strip.max.y),
                  t_.text);
        explain_area(strip.min, strip.max, kAboutBitmap);
    }

    void draw_scale(float left, float right, float y) {
        const Box strip{ImVec2(left, y), ImVec2(right, y)};
        const float others = x_of(strip, kMaxRtPrio);
        const auto label = [&](float from, float to, const char* whole, const char* brief) {
            const char* text = text_width(sans_, whole) < to - from ? whole : brief;
            if (text_width(sans_, text) < to - from) draw_text(sans_, ImVec2(from, y), t_.text_dim, text);
        };
        label(left, others, "0 to 99: real-time", "0-99");
        label(others + f_.px(4), right, "100 to 139: other tasks", "100-139");
    }

    // Places the non-empty lists of an array in rows, the best prio first.
    void place_lists(const Box& box, const PriorityArrays& arrays, std::size_t i) {
        std::vector<ChipRow> rows;
        for (const PriorityList& list : arrays.arrays[i].lists)
            rows.push_back({std::to_string(list.prio), list.tasks,
                            rows.empty() && i == arrays.active && !d_.moment.hidden});
        chips_.place_rows(box, rows, text_width(sans_, "139") + gap_);
    }

    // The texts of a chip, and its bar, which shows sleep_avg from 0 to 1 s.
    ChipContents chip_contents() const {
        return {[this](TaskId p) { return prio_components_text(prio_components_of(d_.moment, p)); },
                [this](TaskId p) { return details_of(d_, p); },
                [this](TaskId p) {
                    const PrioComponents credit = prio_components_of(d_.moment, p);
                    return credit.is_real_time ? 0 : static_cast<float>(credit.sleep_avg) / 1e9f;
                }};
    }

    const QueueDrawingContext& d_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float line_, gap_, border_;
    ChipRows chips_;
};

}  // namespace

void draw_priority_arrays(const QueueDrawingContext& drawing) { PriorityArraysPainter(drawing).draw(); }

std::string priority_arrays_text(const Run& run, const ViewState& view, const QueueView& queue,
                                 const QueueMoment& moment) {
    constexpr std::size_t kMost = 1000;
    std::string text;
    std::size_t shown = 0;
    const std::uint32_t cpus = queue.machine->shape().cpus;
    for (sim::CpuId cpu = 0; cpu < cpus; ++cpu) {
        const PriorityArrays arrays = priority_arrays(moment, cpu);
        const std::string whose = cpus == 1 ? "" : fmt::format("cpu{}: ", cpu);
        if (arrays.tasks().empty() && cpus > 1) {
            text += whose + "both arrays are empty\n";
            continue;
        }
        if (const std::string words = exchange_text(arrays); !words.empty()) text += whose + words + "\n";
        for (const std::size_t i : {arrays.active, arrays.expired_index()}) {
            text += whose + title_of(arrays, i, moment.hidden) + "\n";
            TextTable table("rlll");
            for (const PriorityList& list : arrays.arrays[i].lists) {
                for (const TaskId p : list.tasks) {
                    if (++shown > kMost) continue;
                    table.add({fmt::format("prio {}", list.prio), queue_task(run, view, queue, p).name,
                               prio_components_text(prio_components_of(moment, p)),
                               queue_marker_text(queue, p)});
                }
            }
            text += table.text();
        }
    }
    if (shown > kMost) text += fmt::format("... {} more\n", shown - kMost);
    return text;
}

}  // namespace ui
