// Draws a plain list in the pane RUN QUEUE: cards from head to tail, which move when the list changes; the
// cards of running tasks are raised. If there are many tasks, the cards are smaller. If there are very
// many, cards in the middle are omitted.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/queue_drawing.h"
#include "ui/view/text_table.h"

namespace ui {
namespace {

using sim::TaskId;

constexpr std::size_t kMostCards = 400;

// The possible shapes of a card, the largest first; in pixels at scale 1.
struct CardShape {
    float width, height, gap, row_gap;
    bool large, bar, name;
};
constexpr CardShape kShapes[] = {
    {176, 84, 26, 18, true, true, true},  {132, 62, 22, 14, false, true, true},
    {116, 50, 12, 12, false, true, true}, {156, 24, 8, 6, false, false, true},
    {104, 24, 8, 6, false, false, true},  {14, 14, 4, 6, false, false, false},
};

std::string counter_text(const QueueTask& task, bool by_goodness) {
    if (!task.key_text.empty()) return task.key_text;
    if (!by_goodness) return fmt::format("{} left", task.counter);
    if (task.sched_class == sim::SchedClass::fifo) return fmt::format("fifo {}", task.rt_priority);
    if (task.sched_class == sim::SchedClass::rr)
        return fmt::format("rr {}, {} left", task.rt_priority, task.counter);
    // The counter can exceed the priority, because a recalculation sets the counter to half its value plus
    // the priority.
    if (task.counter > task.priority) return fmt::format("{} (priority {})", task.counter, task.priority);
    return fmt::format("{} of {}", task.counter, task.priority);
}

// The layout of the cards; positions are relative to the upper left corner.
struct PlacedCards {
    const CardShape* shape = nullptr;
    std::vector<CardGoal> goals;
    std::size_t folded = 0;  // number of cards that are omitted in the middle
    CardPlace fold, head, tail;
    float height = 0;  // height of all rows of cards
};

class CardLayout {
  public:
    CardLayout(Frame& frame, const QueueView& queue, ImVec2 room)
        : frame_(frame), queue_(queue), room_(room) {}

    PlacedCards cards() {
        for (const CardShape& shape : kShapes) {
            PlacedCards cards = place(shape, queue_.tasks.size());
            if (cards.height <= room_.y && queue_.tasks.size() <= kMostCards) return cards;
        }
        // If not all cards fit, uses the smallest shape and draws as many cards as fit.
        const CardShape& least = kShapes[std::size(kShapes) - 1];
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
    PlacedCards place(const CardShape& shape, std::size_t shown) {
        PlacedCards cards;
        cards.shape = &shape;
        x_ = 0;
        y_ = lift_height();
        const float width = frame_.px(shape.width), height = frame_.px(shape.height);
        // Places the tasks that are running but not on the queue.
        for (const TaskId p : queue_.running) {
            if (queue_.machine->is_idle_task(p) || queue_.is_queued(p)) continue;
            cards.goals.push_back({p, next_place(shape, width)});
            cards.goals.back().place.y -= lift_height();
            x_ += frame_.px(16);
        }
        const float head = text_width(frame_.fonts.sans, "head"),
                    tail = text_width(frame_.fonts.sans, "tail");
        cards.head = next_place(shape, head);
        const std::size_t all = queue_.tasks.size();
        for (std::size_t i = 0; i < all; ++i) {
            if (shown < all && i == (shown + 1) / 2) {
                cards.folded = all - shown;
                cards.fold =
                    next_place(shape, text_width(frame_.fonts.sans, omitted_cards_text(cards.folded)));
                i += cards.folded - 1;
                continue;
            }
            const TaskId p = queue_.tasks[i];
            cards.goals.push_back({p, next_place(shape, width)});
            if (queue_.cpu_of(p)) cards.goals.back().place.y -= lift_height();
        }
        cards.tail = next_place(shape, tail);
        cards.height = y_ + height;
        return cards;
    }

    CardPlace next_place(const CardShape& shape, float width) {
        if (x_ > 0 && x_ + width > room_.x) {
            x_ = 0;
            y_ += frame_.px(shape.height + shape.row_gap);
        }
        const CardPlace at{std::round(x_), std::round(y_)};
        x_ += width + frame_.px(shape.gap);
        return at;
    }

    float lift_height() const { return std::round(frame_.px(6)); }

  public:
    static std::string omitted_cards_text(std::size_t folded) {
        return fmt::format("… {} more …", group_digits(folded));
    }

  private:
    Frame& frame_;
    const QueueView& queue_;
    ImVec2 room_;
    float x_ = 0, y_ = 0;
};

// Data that all cards of a queue share.
struct CardContext {
    const Run& run;
    const QueueView& queue;
    const PlacedCards& cards;
    bool goodness;  // the policy compares goodness; cards then show the counter relative to the priority
    ImVec2 origin;
};

// The colour of a card that is fading in or out.
ImU32 faded(ImU32 colour, float opacity) {
    return with_alpha(colour, opacity * static_cast<float>(colour >> IM_COL32_A_SHIFT & 0xff) / 255);
}

class CardPainter {
  public:
    CardPainter(Frame& frame, const CardContext& context, const CardMotion::Card& card)
        : frame_(frame),
          theme_(frame.theme),
          list_(*ImGui::GetWindowDrawList()),
          context_(context),
          shape_(*context.cards.shape),
          p_(card.task),
          shown_(card.shown),
          min_(context.origin.x + std::round(card.at.x), context.origin.y + std::round(card.at.y)),
          max_(min_.x + std::round(frame.px(shape_.width)), min_.y + std::round(frame.px(shape_.height))),
          line_(std::max(1.0f, std::round(frame.scale() * theme_.line_width))),
          running_(context.queue.cpu_of(p_).has_value()),
          current_(context.queue.current == p_),
          best_(context.queue.best == p_) {}

    void draw() {
        draw_background();
        draw_border();
        if (!shape_.name) return;
        task_ = queue_task(context_.run, frame_.view, context_.queue, p_);
        left_ = min_.x + std::round(frame_.px(14));
        right_ = max_.x - std::round(frame_.px(8));
        sign_ = current_ ? "▶" : best_ ? "◆" : "";
        if (running_) {
            tag_ = fmt::format("cpu{}", *context_.queue.cpu_of(p_));
            tag_width_ = text_width(sans(), tag_) + frame_.px(8);
        }
        if (shape_.bar)
            draw_full_content();
        else
            draw_compact_content();
    }

  private:
    ImFont* sans() const { return frame_.fonts.sans; }
    ImU32 faded_colour(ImU32 colour) const { return faded(colour, shown_); }
    // Mixes a colour with the pane's background.
    ImU32 tint(ImU32 colour, float share) const {
        return faded_colour(blend(with_alpha(colour, share), theme_.panel));
    }

    void draw_background() {
        if (running_) {  // the shadow of a raised card
            const float drop = std::round(frame_.px(4));
            fill_rect(list_, ImVec2(min_.x + drop, min_.y + drop), ImVec2(max_.x + drop, max_.y + drop),
                      theme_.dark ? tint(IM_COL32_BLACK, 0.45f) : tint(theme_.text, 0.2f));
        }
        const ImU32 colour = faded_colour(colour_of(frame_, p_));
        if (!shape_.name) return fill_rect(list_, min_, max_, colour);
        fill_rect(list_, min_, max_,
                  current_ ? tint(theme_.accent, 0.28f)
                  : best_  ? tint(theme_.ok, 0.2f)
                           : tint(theme_.text, running_ ? 0.14f : 0.06f));
        fill_rect(list_, min_, ImVec2(min_.x + std::round(frame_.px(6)), max_.y), colour);
        const sim::Machine& m = *context_.queue.machine;
        if (frame_.view.show_mms && m.is_live(p_))
            fill_rect(list_, ImVec2(min_.x + std::round(frame_.px(7)), min_.y),
                      ImVec2(min_.x + std::round(frame_.px(10)), max_.y),
                      faded_colour(mm_colour(theme_, m.task[p_].mm)));
    }

    void draw_border() {
        const bool selected = frame_.view.task == p_;
        const bool noted = selected || current_ || best_ || running_;
        if (!shape_.name && !noted) return;
        const ImU32 border = selected   ? theme_.cursor
                             : current_ ? theme_.accent
                             : best_    ? theme_.ok
                             : running_ ? theme_.text
                                        : theme_.panel_border;
        draw_frame(list_, min_, max_, faded_colour(border), noted ? 2 * line_ : line_);
    }

    void draw_cpu_tag(float y) {
        const float x = right_ + frame_.px(4) - tag_width_;
        fill_rect(list_, ImVec2(x, y), ImVec2(x + tag_width_, y + pixel_size(*sans()) + frame_.px(2)),
                  faded_colour(theme_.text));
        draw_text(sans(), ImVec2(x + frame_.px(4), y + frame_.px(1)), faded_colour(theme_.panel), tag_);
    }

    // Draws the marker and then the name, in `room` pixels. If the name does not fit, first uses smaller
    // letters, then cuts it.
    void draw_name(ImFont* font, float y, float room) {
        float sign_room = 0;
        if (*sign_ != 0) {
            draw_text(font, ImVec2(left_, y), faded_colour(current_ ? theme_.accent : theme_.ok), sign_);
            sign_room = text_width(font, sign_) + frame_.px(4);
        }
        if (text_width(font, task_.name) > room - sign_room) font = sans();
        draw_text(font, ImVec2(left_ + sign_room, y), faded_colour(theme_.text),
                  short_name(font, task_.name, room - sign_room));
    }

    void draw_compact_content() {
        const float y = min_.y + std::round((max_.y - min_.y - pixel_size(*sans())) / 2);
        // The short form of the scheduling key: "120" for "prio 120", "5.7 ms" for "5.7 ms left".
        const std::string& key_text = task_.key_text;
        const bool is_time = !key_text.empty() && key_text.front() >= '0' && key_text.front() <= '9';
        const std::string number = key_text.empty() ? std::to_string(task_.counter)
                                   : is_time        ? key_text.substr(0, key_text.rfind(' '))
                                                    : key_text.substr(key_text.find(' ') + 1);
        const float number_width = running_ ? tag_width_ : text_width(sans(), number) + frame_.px(4);
        draw_name(sans(), y, right_ - left_ - number_width);
        if (running_)
            draw_cpu_tag(y - frame_.px(1));
        else
            draw_text(sans(), ImVec2(right_ - text_width(sans(), number), y), faded_colour(theme_.text_dim),
                      number);
    }

    void draw_full_content() {
        ImFont* const font = shape_.large ? frame_.fonts.title : sans();
        const float first_size = pixel_size(*font),
                    bar_height = std::round(frame_.px(shape_.height > 50 ? 6 : 3));
        const float spare = (frame_.px(shape_.height) - first_size - pixel_size(*sans()) - bar_height) / 4;
        const float top = min_.y + std::round(spare), second = top + first_size + std::round(spare);
        draw_name(font, top, right_ - left_);
        draw_text(
            sans(), ImVec2(left_, second), faded_colour(theme_.text_dim),
            ellipsized_text(sans(), counter_text(task_, context_.goodness), right_ - left_ - tag_width_));
        if (running_) draw_cpu_tag(second - frame_.px(1));
        draw_counter_bar(max_.y - bar_height - std::round(std::max(spare, frame_.px(4))), bar_height);
    }

    // Draws the counter as a bar from 0 to twice the priority, with a notch at the priority. Under Linux 1.2
    // to 2.2, the priority is the length of a time slice; the counter approaches two slices during a long
    // sleep.
    void draw_counter_bar(float y, float height) {
        if (!context_.goodness || sim::is_real_time(task_.sched_class) || task_.priority <= 0) return;
        const float width = right_ - left_;
        const float share = std::clamp(
            static_cast<float>(task_.counter) / static_cast<float>(2 * task_.priority), 0.0f, 1.0f);
        fill_rect(list_, ImVec2(left_, y), ImVec2(right_, y + height), tint(theme_.text, 0.16f));
        fill_rect(list_, ImVec2(left_, y), ImVec2(left_ + std::round(width * share), y + height),
                  faded_colour(colour_of(frame_, p_)));
        const float notch = left_ + std::round(width / 2);
        fill_rect(list_, ImVec2(notch, y - line_), ImVec2(notch + line_, y + height + line_),
                  faded_colour(theme_.text));
    }

    Frame& frame_;
    const Theme& theme_;
    ImDrawList& list_;
    const CardContext& context_;
    const CardShape& shape_;
    TaskId p_;
    float shown_;
    ImVec2 min_, max_;
    float line_;  // line width
    bool running_, current_, best_;
    // The following members are set only for cards with names.
    QueueTask task_;
    float left_ = 0, right_ = 0;  // left and right edge of the text
    const char* sign_ = "";
    std::string tag_;
    float tag_width_ = 0;
};

// Moves the cards towards their goals, which are their places in the current layout. If the layout has
// changed, the cards jump to their goals.
CardMotion& move_cards(Frame& frame, const QueueView& queue, const PlacedCards& cards, std::size_t run_index,
                       ImVec2 space) {
    const auto bits = [](float n) { return std::uint64_t{std::bit_cast<std::uint32_t>(n)}; };
    const std::uint64_t kind = (bits(space.x) << 32 | bits(frame.scale())) * 31 +
                               static_cast<std::uint64_t>(cards.shape - kShapes) +
                               (std::uint64_t{cards.folded > 0} << 5) + 1;
    CardMotion& motion = frame.view.cards[run_index];
    motion.remove_cards_from(queue.machine->first_task() + queue.machine->shape().tasks);
    if (motion.advance(cards.goals, kind, frame.dt, frame.view.reduce_motion)) frame.view.moving = true;
    return motion;
}

// Draws the words "head" and "tail", and the number of omitted cards.
void draw_card_labels(Frame& frame, const CardContext& context) {
    const PlacedCards& cards = context.cards;
    const float size = pixel_size(*frame.fonts.sans), height = frame.px(cards.shape->height);
    const auto label_at = [&](const CardPlace& place, const std::string& text) {
        draw_text(frame.fonts.sans,
                  ImVec2(context.origin.x + place.x, context.origin.y + place.y + (height - size) / 2),
                  frame.theme.text_dim, text);
    };
    if (!context.queue.tasks.empty()) {
        label_at(cards.head, "head");
        label_at(cards.tail, "tail");
    }
    if (cards.folded > 0) label_at(cards.fold, CardLayout::omitted_cards_text(cards.folded));
}

// Draws the cards. The cards of tasks that leave the queue are drawn first and the cards of running tasks
// last, on top of the others.
void draw_cards(Frame& frame, const CardContext& context, const CardMotion& motion) {
    const auto is_lifted = [&](TaskId p) { return context.queue.cpu_of(p).has_value(); };
    for (const CardMotion::Card& card : motion.cards())
        if (card.leaving) CardPainter(frame, context, card).draw();
    for (const CardMotion::Card& card : motion.cards())
        if (!card.leaving && !is_lifted(card.task)) CardPainter(frame, context, card).draw();
    for (const CardMotion::Card& card : motion.cards())
        if (!card.leaving && is_lifted(card.task)) CardPainter(frame, context, card).draw();
}

// Draws an arrow from each card to the next, unless the cards move or are close together.
void draw_card_arrows(Frame& frame, const CardContext& context) {
    const CardShape& shape = *context.cards.shape;
    if (shape.gap <= 20 || frame.view.moving) return;
    ImFont* const sans = frame.fonts.sans;
    const float size = pixel_size(*sans), height = frame.px(shape.height);
    const std::vector<CardGoal>& goals = context.cards.goals;
    for (std::size_t i = 0; i + 1 < goals.size(); ++i) {
        if (!context.queue.is_queued(goals[i].task)) continue;
        const CardPlace& at = goals[i].place;
        const float y = goals[i + 1].place.y;
        if (std::abs(y - at.y) > frame.px(10)) continue;
        const float x = context.origin.x + at.x + frame.px(shape.width) +
                        (frame.px(shape.gap) - text_width(sans, "→")) / 2;
        draw_text(sans, ImVec2(x, context.origin.y + std::max(at.y, y) + (height - size) / 2),
                  frame.theme.text_dim, "→");
    }
}

// Handles the mouse on the cards. A click selects the task; hovering over a card shows details of the task.
void handle_card_mouse(Frame& frame, const CardContext& context, const CardMotion& motion) {
    const ImVec2 size(frame.px(context.cards.shape->width), frame.px(context.cards.shape->height));
    for (const CardMotion::Card& card : motion.cards()) {
        if (card.leaving) continue;
        const TaskId p = card.task;
        ImGui::PushID(static_cast<int>(p));
        set_cursor_screen_pos(
            ImVec2(context.origin.x + std::round(card.at.x), context.origin.y + std::round(card.at.y)));
        if (ImGui::InvisibleButton("card", size))
            frame.ask([p](Control& control) { control.selection().toggle_task(p); });
        if (ImGui::IsItemHovered()) {
            frame.report_hovered_task(p);
            const QueueTask task = queue_task(context.run, frame.view, context.queue, p);
            ImGui::SetTooltip("%s", queue_task_details(context.run, task, context.queue, p).c_str());
        }
        ImGui::PopID();
    }
}

}  // namespace

void draw_queue_cards(const QueueDrawingContext& drawing) {
    Frame& frame = drawing.frame;
    const PlacedCards cards = CardLayout(frame, drawing.queue, drawing.room).cards();
    const CardContext context{drawing.run, drawing.queue, cards, drawing.run.policy().criterion == "goodness",
                              drawing.origin};
    const CardMotion& motion = move_cards(frame, drawing.queue, cards, drawing.which, drawing.room);
    draw_card_labels(frame, context);
    draw_cards(frame, context, motion);
    draw_card_arrows(frame, context);
    handle_card_mouse(frame, context, motion);
    set_cursor_screen_pos(context.origin);
    ImGui::Dummy(ImVec2(drawing.room.x, std::max(cards.height, 1.0f)));
}

std::string queue_cards_text(const Run& run, const ViewState& view, const QueueView& queue) {
    constexpr std::size_t kMost = 1000;
    const bool goodness = run.policy().criterion == "goodness";
    std::string text;
    text += queue.tasks.empty() ? "the queue is empty\n"
                                : fmt::format("{} on the queue, from head to tail:\n", queue.tasks.size());
    TextTable table("rlll");
    for (std::size_t i = 0; i < std::min(kMost, queue.tasks.size()); ++i) {
        const TaskId p = queue.tasks[i];
        const QueueTask task = queue_task(run, view, queue, p);
        table.add(
            {std::to_string(i + 1), task.name, counter_text(task, goodness), queue_marker_text(queue, p)});
    }
    text += table.text();
    if (queue.tasks.size() > kMost) text += fmt::format("... {} more\n", queue.tasks.size() - kMost);
    return text;
}

}  // namespace ui
