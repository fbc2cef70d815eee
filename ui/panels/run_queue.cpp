// RUN QUEUE: the runnable tasks as cards, from head to tail. Cards move when the list moves; the one that has
// the CPU is lifted. Many tasks make smaller cards, very many a fold in the middle.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/app/app.h"
#include "ui/panels/queue_view.h"
#include "ui/view/text_table.h"
#include "ui/view/wait_words.h"

namespace ui {
namespace {

using sim::TaskId;

constexpr std::size_t kMostCards = 400;
constexpr std::size_t kMostCpus = 8;  // of more, those that run a task are named

// The shapes that a card can have, from the largest on; sizes at scale 1.
struct Shape {
    float width, height, gap, row_gap;
    bool large, bar, name;
};
constexpr Shape kShapes[] = {
    {176, 84, 26, 18, true, true, true},  {132, 62, 22, 14, false, true, true},
    {116, 50, 12, 12, false, true, true}, {104, 24, 8, 6, false, false, true},
    {14, 14, 4, 6, false, false, false},
};

std::string counter_text(const QueueTask& task, bool goodness) {
    if (!goodness) return fmt::format("{} left", task.counter);
    if (task.sched_class == sim::SchedClass::fifo) return fmt::format("fifo {}", task.rt_priority);
    if (task.sched_class == sim::SchedClass::rr)
        return fmt::format("rr {}, {} left", task.rt_priority, task.counter);
    return fmt::format("{} of {}", task.counter, task.priority);
}

std::string details(const Run& run, const QueueTask& task, const QueueView& queue, TaskId p) {
    const auto hz = static_cast<std::int64_t>(run.scenario().machine.hz);
    std::string text = fmt::format(
        "{}\ncounter {}, priority {} (a slice of {})\nclass {}", task.name, task.counter, task.priority,
        span(sim::Nanos{task.priority * 1'000'000'000LL / hz}), sim::to_string(task.sched_class));
    if (task.sched_class != sim::SchedClass::other) text += fmt::format(", rt_priority {}", task.rt_priority);
    text += "\n" +
            mm_text(queue.machine->is_live(p) ? *queue.machine : run.session().machine(), run.scenario(), p);
    if (p < run.tasks().size() && run.session().machine().is_live(p)) {
        const sim::TaskStatistics& s = run.tasks()[p];
        text += fmt::format(
            "\nso far: {} user, {} kernel, {} ready and waiting\n{} voluntary and {} involuntary "
            "switches, {} yields",
            span(s.user), span(s.system), span(s.ready), grouped(s.voluntary), grouped(s.involuntary),
            grouped(s.yields));
    }
    return text;
}

// Without the zeros that say nothing: "3 600.000 s".
std::string short_instant(sim::Nanos t) {
    std::string text = instant(t);
    const std::string zeros = std::string(kThinSpace) + "000 ";
    for (std::size_t at = text.rfind(zeros); at != std::string::npos && text.find('.') < at;
         at = text.rfind(zeros))
        text.erase(at, zeros.size() - 1);
    return text;
}

std::string sleepers_text(const QueueView& queue) {
    if (queue.asleep == 0) return "nobody is asleep";
    std::string text = grouped(queue.asleep) + " asleep";
    if (queue.next_wake != sim::kHorizon) text += ", the next wakes at " + short_instant(queue.next_wake);
    return text;
}

std::string cpu_text(const Run& run, const ViewState& view, const QueueView& queue) {
    std::string text;
    for (std::size_t cpu = 0; cpu < queue.running.size(); ++cpu) {
        const TaskId p = queue.running[cpu];
        text += fmt::format(
            "{}cpu{} {}", cpu == 0 ? "" : ", ", cpu,
            queue.machine->is_idle_task(p) ? "is idle" : "runs " + queue_task(run, view, queue, p).name);
        if (!queue.inside && queue.machine->is_live(p) && queue.machine->task[p].mm == sim::kKernelMm) {
            const std::string loaded = loaded_words(run, static_cast<sim::CpuId>(cpu));
            if (loaded.starts_with("borrows")) text += " and " + loaded;
        }
    }
    return text;
}

// The cards with their places, from the upper left corner on.
struct Cards {
    const Shape* shape = nullptr;
    std::vector<CardGoal> goals;
    std::size_t folded = 0;  // left out of the middle
    CardPlace fold, head, tail;
    float height = 0;  // of all of them
};

class Layout {
  public:
    Layout(Frame& frame, const QueueView& queue, ImVec2 room) : frame_(frame), queue_(queue), room_(room) {}

    Cards cards() {
        for (const Shape& shape : kShapes) {
            Cards cards = place(shape, queue_.tasks.size());
            if (cards.height <= room_.y && queue_.tasks.size() <= kMostCards) return cards;
        }
        // The smallest shape, as many as there is room for.
        const Shape& least = kShapes[std::size(kShapes) - 1];
        std::size_t low = 2, high = std::min(queue_.tasks.size(), kMostCards);
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            if (place(least, middle).height <= room_.y)
                low = middle;
            else
                high = middle - 1;
        }
        return place(least, low);
    }

  private:
    Cards place(const Shape& shape, std::size_t shown) {
        Cards cards;
        cards.shape = &shape;
        x_ = 0;
        y_ = lift();
        const float width = frame_.px(shape.width), height = frame_.px(shape.height);
        // Running, but not on the queue.
        for (const TaskId p : queue_.running) {
            if (queue_.machine->is_idle_task(p) || queue_.is_queued(p)) continue;
            cards.goals.push_back({p, next(shape, width)});
            cards.goals.back().place.y -= lift();
            x_ += frame_.px(16);
        }
        const float head = text_width(frame_.fonts.sans, "head"),
                    tail = text_width(frame_.fonts.sans, "tail");
        cards.head = next(shape, head);
        const std::size_t all = queue_.tasks.size();
        for (std::size_t i = 0; i < all; ++i) {
            if (shown < all && i == (shown + 1) / 2) {
                cards.folded = all - shown;
                cards.fold = next(shape, text_width(frame_.fonts.sans, fold_text(cards.folded)));
                i += cards.folded - 1;
                continue;
            }
            const TaskId p = queue_.tasks[i];
            cards.goals.push_back({p, next(shape, width)});
            if (queue_.cpu_of(p)) cards.goals.back().place.y -= lift();
        }
        cards.tail = next(shape, tail);
        cards.height = y_ + height;
        return cards;
    }

    CardPlace next(const Shape& shape, float width) {
        if (x_ > 0 && x_ + width > room_.x) {
            x_ = 0;
            y_ += frame_.px(shape.height + shape.row_gap);
        }
        const CardPlace at{std::round(x_), std::round(y_)};
        x_ += width + frame_.px(shape.gap);
        return at;
    }

    float lift() const { return std::round(frame_.px(6)); }

  public:
    static std::string fold_text(std::size_t folded) { return fmt::format("… {} more …", grouped(folded)); }

  private:
    Frame& frame_;
    const QueueView& queue_;
    ImVec2 room_;
    float x_ = 0, y_ = 0;
};

struct Look {
    const Run& run;
    const QueueView& queue;
    const Shape& shape;
    bool goodness;
    ImVec2 origin;
};

ImU32 faded(ImU32 colour, float shown) {
    return with_alpha(colour, shown * static_cast<float>(colour >> IM_COL32_A_SHIFT & 0xff) / 255);
}

void draw_card(Frame& frame, const Look& look, const CardMotion::Card& card) {
    const Theme& theme = frame.theme;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Shape& shape = look.shape;
    const TaskId p = card.task;
    const ImVec2 min(look.origin.x + std::round(card.at.x), look.origin.y + std::round(card.at.y));
    const ImVec2 max(min.x + std::round(frame.px(shape.width)), min.y + std::round(frame.px(shape.height)));
    const bool running = look.queue.cpu_of(p).has_value();
    const bool current = look.queue.current == p, best = look.queue.best == p;
    const float line = std::max(1.0f, std::round(frame.scale() * theme.line_width));
    const ImU32 colour = colour_of(frame, p);
    const auto ink = [&](ImU32 c) { return faded(c, card.shown); };

    if (running) {  // its shadow
        const float drop = std::round(frame.px(4));
        fill_rect(list, ImVec2(min.x + drop, min.y + drop), ImVec2(max.x + drop, max.y + drop),
                  ink(blend(with_alpha(theme.dark ? IM_COL32_BLACK : theme.text, theme.dark ? 0.45f : 0.2f),
                            theme.panel)));
    }
    const ImU32 ground = current ? blend(with_alpha(theme.accent, 0.28f), theme.panel)
                         : best  ? blend(with_alpha(theme.ok, 0.2f), theme.panel)
                                 : blend(with_alpha(theme.text, running ? 0.14f : 0.06f), theme.panel);
    fill_rect(list, min, max, ink(shape.name ? ground : colour));
    if (shape.name) fill_rect(list, min, ImVec2(min.x + std::round(frame.px(6)), max.y), ink(colour));
    if (shape.name && frame.view.show_mms && look.queue.machine->is_live(p))
        fill_rect(list, ImVec2(min.x + std::round(frame.px(7)), min.y),
                  ImVec2(min.x + std::round(frame.px(10)), max.y),
                  ink(mm_colour(theme, look.queue.machine->task[p].mm)));
    const bool selected = frame.view.task == p;
    const ImU32 border = selected  ? theme.cursor
                         : current ? theme.accent
                         : best    ? theme.ok
                         : running ? theme.text
                                   : theme.panel_border;
    if (shape.name || selected || current || best || running)
        draw_frame(list, min, max, ink(border), selected || current || best || running ? 2 * line : line);
    if (!shape.name) return;

    const QueueTask task = queue_task(look.run, frame.view, look.queue, p);
    ImFont* const sans = frame.fonts.sans;
    const float size = pixel_size(*sans), left = min.x + std::round(frame.px(14));
    const float right = max.x - std::round(frame.px(8));
    const std::string counter = counter_text(task, look.goodness);
    const char* const sign = current ? "▶" : best ? "◆" : "";
    const float sign_width = *sign == 0 ? 0 : text_width(sans, sign) + frame.px(4);
    const std::string tag = running ? fmt::format("cpu{}", *look.queue.cpu_of(p)) : "";
    const float tag_width = running ? text_width(sans, tag) + frame.px(8) : 0;
    const auto draw_tag = [&](float x, float y) {
        fill_rect(list, ImVec2(x, y), ImVec2(x + tag_width, y + size + frame.px(2)), ink(theme.text));
        draw_text(sans, ImVec2(x + frame.px(4), y + frame.px(1)), ink(theme.panel), tag);
    };
    const auto draw_sign = [&](float x, float y) {
        if (*sign != 0) draw_text(sans, ImVec2(x, y), ink(current ? theme.accent : theme.ok), sign);
    };

    const float inner = right - left;
    if (!shape.bar) {  // one line
        const float y = min.y + std::round((max.y - min.y - size) / 2);
        const std::string number = running ? tag : std::to_string(task.counter);
        const float number_width = running ? tag_width : text_width(sans, number) + frame.px(4);
        draw_sign(left, y);
        draw_text(sans, ImVec2(left + sign_width, y), ink(theme.text),
                  short_name(sans, task.name, inner - sign_width - number_width));
        if (running)
            draw_tag(right + frame.px(4) - tag_width, y - frame.px(1));
        else
            draw_text(sans, ImVec2(right - text_width(sans, number), y), ink(theme.text_dim), number);
        return;
    }
    ImFont* const font = shape.large ? frame.fonts.title : sans;
    const float first_size = pixel_size(*font), bar_height = std::round(frame.px(shape.height > 50 ? 6 : 3));
    const float spare = (frame.px(shape.height) - first_size - size - bar_height) / 4;
    const float top = min.y + std::round(spare), second = top + first_size + std::round(spare);
    const float sign_room = *sign == 0 ? 0 : text_width(font, sign) + frame.px(4);
    if (*sign != 0) draw_text(font, ImVec2(left, top), ink(current ? theme.accent : theme.ok), sign);
    draw_text(font, ImVec2(left + sign_room, top), ink(theme.text),
              short_name(font, task.name, inner - sign_room));
    draw_text(sans, ImVec2(left, second), ink(theme.text_dim), cut_to(sans, counter, inner - tag_width));
    if (running) draw_tag(right + frame.px(4) - tag_width, second - frame.px(1));

    // The counter, from nothing to the two slices that a long sleep can save up; a notch at one.
    if (!look.goodness || task.sched_class != sim::SchedClass::other || task.priority <= 0) return;
    const float y = max.y - bar_height - std::round(std::max(spare, frame.px(4)));
    const float share =
        std::clamp(static_cast<float>(task.counter) / static_cast<float>(2 * task.priority), 0.0f, 1.0f);
    fill_rect(list, ImVec2(left, y), ImVec2(right, y + bar_height),
              ink(blend(with_alpha(theme.text, 0.16f), theme.panel)));
    fill_rect(list, ImVec2(left, y), ImVec2(left + std::round(inner * share), y + bar_height), ink(colour));
    const float notch = left + std::round(inner / 2);
    fill_rect(list, ImVec2(notch, y - line), ImVec2(notch + line, y + bar_height + line), ink(theme.text));
}

void draw_queue(Frame& frame, const Run& run, std::size_t which, ImVec2 room, const std::string& label) {
    const QueueView queue = queue_view(run, frame.view);
    const Theme& theme = frame.theme;
    const float line = ImGui::GetTextLineHeightWithSpacing();

    // Who runs, and how many could.
    Flow flow(frame, room.x, std::round(ImGui::GetTextLineHeight() * 1.3f));
    if (!label.empty()) flow.text(frame.fonts.sans, theme.accent, label);
    std::size_t idle_cpus = 0, shown = 0;
    for (const TaskId p : queue.running) idle_cpus += queue.machine->is_idle_task(p);
    const bool many = queue.running.size() > kMostCpus;
    for (std::size_t cpu = 0; cpu < queue.running.size(); ++cpu) {
        const TaskId p = queue.running[cpu];
        const bool idle = queue.machine->is_idle_task(p);
        if (many && (idle || shown == kMostCpus)) continue;
        flow.chip(frame.fonts.sans, theme.text, colour_of(frame, p),
                  fmt::format("cpu{} {}", cpu,
                              idle ? "is idle" : "runs " + queue_task(run, frame.view, queue, p).name));
        ++shown;
    }
    if (many && queue.running.size() - idle_cpus > shown)
        flow.text(frame.fonts.sans, theme.text_dim,
                  fmt::format("… {} more run", queue.running.size() - idle_cpus - shown));
    if (many && idle_cpus > 0)
        flow.text(frame.fonts.sans, theme.text_dim, fmt::format("{} CPUs idle", idle_cpus));
    flow.text(frame.fonts.sans, theme.text_dim, "·");
    flow.text(frame.fonts.sans, theme.text_dim,
              queue.tasks.empty() ? "the queue is empty"
                                  : fmt::format("{} on the queue", grouped(queue.tasks.size())));
    flow.text(frame.fonts.sans, theme.text_dim, "·");
    flow.text(frame.fonts.sans, theme.text_dim, sleepers_text(queue));
    if (queue.inside) {
        flow.text(frame.fonts.sans, theme.text_dim, "·");
        flow.text(frame.fonts.sans, theme.accent,
                  outcome_hidden(frame.view) ? "before the choice" : "inside schedule()");
    }
    const float head = flow.finish() + ImGui::GetStyle().ItemSpacing.y;

    const ImVec2 space(room.x, std::max(room.y - head, line));
    Layout layout(frame, queue, space);
    const Cards cards = layout.cards();
    const Shape& shape = *cards.shape;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const auto key = [&](float n) { return std::bit_cast<std::uint32_t>(n); };
    const std::uint64_t kind = (std::uint64_t{key(space.x)} << 32 | key(frame.scale())) * 31 +
                               static_cast<std::uint64_t>(&shape - kShapes) +
                               (std::uint64_t{cards.folded > 0} << 5) + 1;
    CardMotion& motion = frame.view.cards[which];
    motion.forget_from(queue.machine->first_task() + queue.machine->shape().tasks);
    if (motion.move(cards.goals, kind, frame.dt, frame.view.reduce_motion)) frame.view.moving = true;

    const float size = pixel_size(*frame.fonts.sans), height = frame.px(shape.height);
    const auto label_at = [&](const CardPlace& place, const std::string& text) {
        draw_text(frame.fonts.sans, ImVec2(origin.x + place.x, origin.y + place.y + (height - size) / 2),
                  theme.text_dim, text);
    };
    if (!queue.tasks.empty()) {
        label_at(cards.head, "head");
        label_at(cards.tail, "tail");
    }
    if (cards.folded > 0) label_at(cards.fold, Layout::fold_text(cards.folded));

    const sim::NamedPolicy& policy = run.policy();
    const Look look{run, queue, shape, policy.criterion == "goodness", origin};
    const auto is_lifted = [&](TaskId p) { return queue.cpu_of(p).has_value(); };
    for (const CardMotion::Card& card : motion.cards())
        if (card.leaving) draw_card(frame, look, card);
    for (const CardMotion::Card& card : motion.cards())
        if (!card.leaving && !is_lifted(card.task)) draw_card(frame, look, card);
    for (const CardMotion::Card& card : motion.cards())
        if (!card.leaving && is_lifted(card.task)) draw_card(frame, look, card);

    // Links from card to card.
    if (shape.gap > 20 && !frame.view.moving) {
        for (std::size_t i = 0; i + 1 < cards.goals.size(); ++i) {
            const TaskId p = cards.goals[i].task;
            if (!queue.is_queued(p)) continue;
            const CardPlace& at = cards.goals[i].place;
            const float y = cards.goals[i + 1].place.y;
            if (std::abs(y - at.y) > frame.px(10)) continue;
            const float x = origin.x + at.x + frame.px(shape.width) +
                            (frame.px(shape.gap) - text_width(frame.fonts.sans, "→")) / 2;
            draw_text(frame.fonts.sans, ImVec2(x, origin.y + std::max(at.y, y) + (height - size) / 2),
                      theme.text_dim, "→");
        }
    }

    for (const CardMotion::Card& card : motion.cards()) {
        if (card.leaving) continue;
        const TaskId p = card.task;
        ImGui::PushID(static_cast<int>(p));
        ImGui::SetCursorScreenPos(ImVec2(origin.x + std::round(card.at.x), origin.y + std::round(card.at.y)));
        const bool selected = frame.view.task == p;
        if (ImGui::InvisibleButton("card", ImVec2(frame.px(shape.width), height)))
            frame.ask([p, selected](App& app) {
                app.select_task(selected ? std::nullopt : std::optional<TaskId>(p));
            });
        if (ImGui::IsItemHovered()) {
            const QueueTask task = queue_task(run, frame.view, queue, p);
            ImGui::SetTooltip("%s", details(run, task, queue, p).c_str());
        }
        ImGui::PopID();
    }
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy(ImVec2(room.x, std::max(cards.height, 1.0f)));
}

std::string one_text(const Run& run, const ViewState& view) {
    constexpr std::size_t kMost = 1000;
    const QueueView queue = queue_view(run, view);
    const bool goodness = run.policy().criterion == "goodness";
    std::string text = cpu_text(run, view, queue) + "\n";
    if (queue.inside) text += outcome_hidden(view) ? "before the choice\n" : "inside schedule()\n";
    text += queue.tasks.empty() ? "the queue is empty\n"
                                : fmt::format("{} on the queue, from head to tail:\n", queue.tasks.size());
    TextTable table("rlll");
    for (std::size_t i = 0; i < std::min(kMost, queue.tasks.size()); ++i) {
        const TaskId p = queue.tasks[i];
        const QueueTask task = queue_task(run, view, queue, p);
        std::string marks;
        if (const auto cpu = queue.cpu_of(p)) marks += fmt::format("cpu{} ", *cpu);
        if (queue.current == p) marks += "looked at ";
        if (queue.best == p) marks += "best so far";
        table.add({std::to_string(i + 1), task.name, counter_text(task, goodness), marks});
    }
    text += table.text();
    if (queue.tasks.size() > kMost) text += fmt::format("... {} more\n", queue.tasks.size() - kMost);
    return text + sleepers_text(queue) + "\n";
}

}  // namespace

void draw_run_queue(Frame& frame) {
    if (nothing_open(frame)) return;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    if (frame.model.b == nullptr) {
        draw_queue(frame, *frame.model.a, 0, room, "");
        return;
    }
    const float half = std::floor((room.y - 2 * ImGui::GetStyle().ItemSpacing.y) / 2);
    for (const bool first : {true, false}) {
        ImGui::PushID(first ? "a" : "b");
        const float top = ImGui::GetCursorPosY();
        draw_queue(frame, first ? *frame.model.a : *frame.model.b, first ? 0 : 1, ImVec2(room.x, half),
                   first ? "A" : "B");
        ImGui::PopID();
        if (first) ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + half));
    }
}

std::string run_queue_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return {};
    if (model.b == nullptr) return one_text(*model.a, view);
    return "A: " + one_text(*model.a, view) + "\nB: " + one_text(*model.b, view);
}

}  // namespace ui
