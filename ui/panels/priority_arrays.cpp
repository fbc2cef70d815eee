// The two arrays of linux-2.6.20: for each its bitmap as a strip of 140 bits, and the lists that have tasks,
// one a line. The arrays stay where they are, as they do in the kernel; when they change places the frame and
// the word "active" go over to the other one, and no task moves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/policies/linux_2_6_20.h"
#include "ui/panels/drawing.h"
#include "ui/panels/pieces.h"
#include "ui/panels/queue_drawing.h"
#include "ui/platform/shapes.h"
#include "ui/view/priority_arrays.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::TaskId;
using sim::o1::kMaxPrio;
using sim::o1::kMaxRtPrio;

constexpr float kRealTimeShare = 0.4f;  // of the strip: its hundred bits are the narrower ones
constexpr std::size_t kMeasuredNames = 64;
constexpr std::size_t kMostChips = 600;

constexpr const char* kAboutBitmap =
    "The bitmap: a bit for each of the 140 lists, set while the list has tasks. schedule() takes the first "
    "set bit of the active array, and of its list the first task. 0 to 99 are real-time tasks, 100 to 139 "
    "all others: 120 + nice, less a bonus for sleep.";
constexpr const char* kAboutActive =
    "The active array has the tasks with a slice. When it is empty the two arrays change places: two "
    "pointers are exchanged, and no task moves.";
constexpr const char* kAboutExpired =
    "The expired array has the tasks that have used up their slice, and those that have yielded. They wait "
    "until the active one is empty.";

std::string counted_tasks(std::size_t n) {
    return n == 0 ? "nobody" : n == 1 ? "1 task" : fmt::format("{} tasks", n);
}

// What stands above an array.
std::string title_of(const PriorityArrays& arrays, std::size_t i, bool hidden) {
    const PriorityArray& array = arrays.arrays[i];
    std::string text = fmt::format("{}: arrays[{}], {}", i == arrays.active ? "active" : "expired", i,
                                   counted_tasks(array.count()));
    if (const auto bit = array.first_bit(); bit && !hidden) text += fmt::format(", first bit set: {}", *bit);
    return text;
}

std::string details_of(const QueueDrawing& d, TaskId p) {
    const Credit credit = credit_of(d.moment, p);
    std::string text = queue_task_details(d.run, queue_task(d.run, d.frame.view, d.queue, p), d.queue, p) +
                       fmt::format("\n{}", credit_text(credit));
    if (credit.is_real_time) return text;
    return text + fmt::format("\nsleep_avg {} ms of 1,000: a bonus of {}, of which 5 change nothing\n{}",
                              credit.sleep_avg / 1'000'000, credit.bonus,
                              credit.is_interactive ? "interactive: stays active when its slice is over"
                                                    : "not interactive: expires when its slice is over");
}

struct Box {
    ImVec2 min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
};

class ArraysPainter {
  public:
    explicit ArraysPainter(const QueueDrawing& d)
        : d_(d),
          f_(d.frame),
          t_(d.frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          sans_(d.frame.fonts.sans),
          line_(std::round(pixel_size(*d.frame.fonts.sans) * 1.35f)),
          gap_(std::round(d.frame.px(8))),
          border_(std::max(1.0f, std::round(d.frame.scale() * d.frame.theme.line_width))) {}

    void draw() {
        const float least = 3.6f * line_ + 2 * gap_;
        const auto [cpus, top, height] = cpu_rows(d_, least, line_);
        measure_chips(height);
        float y = top;
        for (const sim::CpuId cpu : cpus) {
            draw_cpu({ImVec2(d_.origin.x, y),
                      ImVec2(d_.origin.x + d_.room.x, y + height - (cpus.size() > 1 ? gap_ : 0))},
                     priority_arrays(d_.moment, cpu), cpus.size() > 1);
            y += height;
        }
        draw_chips();
    }

  private:
    // All chips have one size: with a second line for slice and bonus where there is room for it.
    void measure_chips(float height) {
        float name = f_.px(40), numbers = 0;
        std::vector<TaskId> tasks = d_.queue.tasks;
        if (tasks.size() > kMeasuredNames) tasks.resize(kMeasuredNames);
        for (const TaskId p : tasks) {
            name = std::max(name, text_width(sans_, queue_task(d_.run, f_.view, d_.queue, p).name));
            numbers = std::max(numbers, text_width(sans_, credit_text(credit_of(d_.moment, p))));
        }
        std::size_t lists = 1, longest = 1;  // of an array, and of a list
        for (sim::CpuId cpu = 0; cpu < d_.queue.machine->shape().cpus; ++cpu) {
            for (const PriorityArray& array : priority_arrays(d_.moment, cpu).arrays) {
                lists = std::max(lists, array.lists.size());
                for (const PriorityList& list : array.lists) longest = std::max(longest, list.tasks.size());
            }
        }
        const float room = d_.room.x / 2 - f_.px(70);
        tall_ = height - 4 * line_ > 2.3f * line_ * static_cast<float>(lists) &&
                (std::max(name, numbers) + f_.px(30)) * static_cast<float>(longest) < room;
        chip_height_ = std::round(tall_ ? 2.2f * line_ : height < 4 * line_ ? line_ : 1.15f * line_);
        chip_width_ = std::round(std::min(std::max(name, tall_ ? numbers : 0) + f_.px(24), f_.px(260)));
    }

    void draw_cpu(Box box, const PriorityArrays& arrays, bool named) {
        if (named) {
            draw_text(sans_, box.min, t_.text_dim,
                      cut_to(sans_, fmt::format("cpu{}", arrays.cpu), box.width()));
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
        // Where there is little room the bitmap stands beside the title.
        const bool low = inside.height() < 3.6f * line_;
        const float middle = low ? inside.min.x + std::round(inside.width() * 0.45f) : inside.max.x;
        float y = inside.min.y;
        draw_text(sans_, ImVec2(inside.min.x, y + (line_ - pixel_size(*sans_)) / 2),
                  active ? t_.text : t_.text_dim,
                  cut_to(sans_, title_of(arrays, i, d_.moment.hidden), middle - inside.min.x));
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

    // Where the bit of a prio begins; the bits of real-time tasks are narrower.
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
            // An arrow from above: this list is taken.
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

    // Which bits are whose.
    void draw_scale(float left, float right, float y) {
        const Box strip{ImVec2(left, y), ImVec2(right, y)};
        const float others = x_of(strip, kMaxRtPrio);
        const auto label = [&](float from, float to, const char* whole, const char* brief) {
            const char* text = text_width(sans_, whole) < to - from ? whole : brief;
            if (text_width(sans_, text) < to - from) draw_text(sans_, ImVec2(from, y), t_.text_dim, text);
        };
        label(left, others, "0 to 99: real-time", "0-99");
        label(others + f_.px(4), right, "100 to 139: the others", "100-139");
    }

    // The lists from the best on, as many as there is room for; of each as many tasks.
    void place_lists(const Box& box, const PriorityArrays& arrays, std::size_t i) {
        const PriorityArray& array = arrays.arrays[i];
        if (array.lists.empty()) return;
        const float between = std::round(f_.px(3)), row = chip_height_ + between,
                    label = text_width(sans_, "139") + gap_;
        const auto rows = static_cast<std::size_t>(std::max(0.0f, (box.height() + between) / row));
        std::size_t shown = std::min(array.lists.size(), rows);
        if (shown < array.lists.size() && shown > 1) --shown;  // for the words about the others
        std::size_t tasks = 0;
        for (std::size_t l = shown; l < array.lists.size(); ++l) tasks += array.lists[l].tasks.size();
        const std::string rest =
            tasks == 0 ? ""
                       : fmt::format("… {} more list{}: {}", array.lists.size() - shown,
                                     array.lists.size() - shown == 1 ? "" : "s", counted_tasks(tasks));
        const bool has_line = box.min.y + row * static_cast<float>(shown) + pixel_size(*sans_) <= box.max.y;
        float y = box.min.y;
        for (std::size_t l = 0; l < shown; ++l, y += row) {
            const PriorityList& list = array.lists[l];
            const bool taken = l == 0 && i == arrays.active && !d_.moment.hidden;
            draw_text(sans_, ImVec2(box.min.x, y + (chip_height_ - pixel_size(*sans_)) / 2),
                      taken ? t_.accent : t_.text_dim, std::to_string(list.prio));
            // Without a line of their own, the words about the other lists stand behind the last one.
            const bool last = l + 1 == shown && !rest.empty() && !has_line;
            const float room = last ? std::min(text_width(sans_, rest) + gap_, box.width() * 0.4f) : 0;
            const float right = box.max.x - room;
            place_tasks(box.min.x + label, right, y, list);
            if (last)
                draw_text(sans_, ImVec2(right, y + (chip_height_ - pixel_size(*sans_)) / 2), t_.text_dim,
                          cut_to(sans_, rest, room));
        }
        if (!rest.empty() && has_line)
            draw_text(sans_, ImVec2(box.min.x, y), t_.text_dim, cut_to(sans_, rest, box.width()));
    }

    void place_tasks(float left, float right, float y, const PriorityList& list) {
        const float between = std::round(f_.px(6)), step = chip_width_ + between;
        const std::size_t all = list.tasks.size();
        const auto fitting = [&](float width) {
            return static_cast<std::size_t>(std::max(0.0f, (right - left - width + between) / step));
        };
        std::size_t shown = fitting(0);
        // In a narrow place "+2" rather than "… 2 more".
        const auto words_for = [](bool brief, std::size_t n) {
            return brief ? fmt::format("+{}", n) : fmt::format("… {} more", n);
        };
        bool brief = false;
        if (shown < all) {
            brief = fitting(text_width(sans_, words_for(false, all)) + between) == 0;
            shown = fitting(text_width(sans_, words_for(brief, all)) + between);
        }
        shown = std::min({shown, all, kMostChips - std::min(kMostChips, goals_.size())});
        float x = left;
        for (std::size_t n = 0; n < shown; ++n, x += step)
            goals_.push_back({list.tasks[n], {x - d_.origin.x, y - d_.origin.y}});
        if (shown == all) return;
        draw_text(sans_, ImVec2(x, y + (chip_height_ - pixel_size(*sans_)) / 2), t_.text_dim,
                  cut_to(sans_, words_for(brief, all - shown), std::max(right - x, 1.0f)));
    }

    void draw_chips() {
        const CardMotion& motion = move_tasks(d_, goals_, std::uint64_t{tall_ ? 2u : 1u});
        for (const CardMotion::Card& card : motion.cards())
            if (!card.leaving) draw_chip(card);
    }

    void draw_chip(const CardMotion::Card& card) {
        const TaskId p = card.task;
        const ImVec2 min(d_.origin.x + std::round(card.at.x), d_.origin.y + std::round(card.at.y)),
            max(min.x + chip_width_, min.y + chip_height_);
        const bool running = d_.queue.cpu_of(p).has_value(), looked_at = d_.queue.current == p,
                   best = d_.queue.best == p, selected = f_.view.task == p;
        const QueueTask task = queue_task(d_.run, f_.view, d_.queue, p);
        const Credit credit = credit_of(d_.moment, p);
        const ImU32 tint = looked_at ? with_alpha(t_.accent, 0.28f)
                           : best    ? with_alpha(t_.ok, 0.2f)
                                     : with_alpha(t_.text, running ? 0.16f : 0.07f);
        fill_rect(list_, min, max, blend(tint, t_.panel));
        fill_rect(list_, min, ImVec2(min.x + std::round(f_.px(6)), max.y), colour_of(f_, p));
        draw_frame(list_, min, max,
                   selected    ? t_.cursor
                   : looked_at ? t_.accent
                   : best      ? t_.ok
                   : running   ? t_.text
                               : t_.panel_border,
                   selected || looked_at || best || running ? 2 * border_ : border_);
        const float left = min.x + std::round(f_.px(12)), right = max.x - std::round(f_.px(6));
        const float top = min.y + std::round((std::min(chip_height_, line_) - pixel_size(*sans_)) / 2 +
                                             (tall_ ? f_.px(1) : f_.px(0)));
        std::string name = looked_at ? "▶ " + task.name : best ? "◆ " + task.name : task.name;
        if (running) name += fmt::format("  cpu{}", *d_.queue.cpu_of(p));
        if (text_width(sans_, name) > right - left) name = task.name;
        draw_text(sans_, ImVec2(left, top), t_.text, short_name(sans_, name, right - left));
        if (tall_)
            draw_text(sans_, ImVec2(left, top + std::round(line_ * 0.95f)), t_.text_dim,
                      cut_to(sans_, credit_text(credit), right - left));
        if (!credit.is_real_time) draw_sleep(ImVec2(left, max.y), right, credit);
        react_to_task(d_, p, min, ImVec2(chip_width_, chip_height_), [&] { return details_of(d_, p); });
    }

    // sleep_avg as a bar along the lower edge: nothing to a second.
    void draw_sleep(ImVec2 at, float right, const Credit& credit) {
        const float height = std::max(2.0f, std::round(f_.px(2))), y = at.y - height - border_ * 2;
        const float share =
            std::clamp(static_cast<float>(credit.sleep_avg) / 1e9f, 0.0f, 1.0f) * (right - at.x);
        if (share >= 1)
            fill_rect(list_, ImVec2(at.x, y), ImVec2(at.x + std::round(share), y + height), t_.text_dim);
    }

    const QueueDrawing& d_;
    Frame& f_;
    const Theme& t_;
    ImDrawList& list_;
    ImFont* const sans_;
    const float line_, gap_, border_;
    bool tall_ = false;
    float chip_width_ = 0, chip_height_ = 0;
    std::vector<CardGoal> goals_;
};

}  // namespace

void draw_priority_arrays(const QueueDrawing& drawing) { ArraysPainter(drawing).draw(); }

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
        if (const std::string words = change_of_places(arrays); !words.empty()) text += whose + words + "\n";
        for (const std::size_t i : {arrays.active, arrays.expired()}) {
            text += whose + title_of(arrays, i, moment.hidden) + "\n";
            TextTable table("rlll");
            for (const PriorityList& list : arrays.arrays[i].lists) {
                for (const TaskId p : list.tasks) {
                    if (++shown > kMost) continue;
                    std::string marks;
                    if (const auto on = queue.cpu_of(p)) marks += fmt::format("cpu{} ", *on);
                    if (queue.current == p) marks += "looked at ";
                    if (queue.best == p) marks += "best so far";
                    table.add({fmt::format("prio {}", list.prio), queue_task(run, view, queue, p).name,
                               credit_text(credit_of(moment, p)), marks});
                }
            }
            text += table.text();
        }
    }
    if (shown > kMost) text += fmt::format("... {} more\n", shown - kMost);
    return text;
}

}  // namespace ui
