// What the panes about one schedule() share: where in it one looks, what it has cost by then, and a few
// drawing helpers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "ui/panels/activity_look.h"
#include "ui/panels/panel.h"

namespace ui {

// Whether the outcome of the decision must not be seen yet: one is asked to predict it and has not.
bool outcome_hidden(const ViewState& view);

// A place in a decision: right after its step `at`. Unless one is inside, that is its end.
struct Cursor {
    const Run& run;
    const Inside& in;
    std::size_t at;
    bool stepping;  // DepthLevel::inside

    const sim::DecisionStep& step() const { return in.steps[at]; }
    const sim::DecisionView& decision() const { return in.view; }
    const sim::NamedPolicy& policy() const { return run.recording().policy_at(in.view.before); }
    std::string name(sim::TaskId p) const { return sim::names_in(in.view, run.scenario())(p); }
    bool switched() const { return in.view.record.task != in.view.record.other; }
    // Whether the chosen task has the CPU.
    bool handed_over() const { return step().phase >= sim::Phase::switch_context; }
    bool over() const { return at + 1 == in.steps.size(); }
};

// None when there is no run, or no schedule() before its position.
std::optional<Cursor> cursor_in(const Run* run, const ViewState& view);

// What a line of the pseudo-code has come to.
struct LineCost {
    std::uint32_t times = 0;
    sim::Nanos cost{};
};
std::vector<LineCost> line_costs(const Cursor& cursor);

// What the steps so far cost, by what it went into: at the end what the engine charged.
sim::Overhead cost_so_far(const Cursor& cursor);

// The parts of that, in their order.
struct CostKind {
    const char* name;
    sim::Nanos sim::Overhead::*part;
    sim::Activity activity;  // whose colour and pattern it has
};
std::span<const CostKind> cost_kinds();

// The steps that visit counters for a refill.
struct RefillWalk {
    std::size_t first = 0, count = 0;  // into the steps
    std::size_t done = 0;              // of them, at the cursor
};
RefillWalk refill_walk(const Cursor& cursor);

// One visit of it: what the counter was and is.
struct Visit {
    sim::TaskId task = sim::kNoTask;  // kNoTask: several that are not told apart
    std::int32_t before = 0, after = 0;
};
Visit visit(const Cursor& cursor, const RefillWalk& walk, std::size_t i);

// "on cpu3 ", where there is more than one CPU.
std::string cpu_words(const Cursor& cursor);
// "switch 37: B → C on cpu3 at 12.345 678 ms"; the outcome as "?" while it is hidden.
std::string head_line(const Cursor& cursor, bool hidden);

// What goodness() added: "+1 prev", "+20 last CPU", "1000 + 50" for a real-time task, or nothing.
// `brief`: as short as it can be said, for a narrow column.
std::string bonus_text(const sim::Candidate& candidate, const sim::DecisionLog& log, bool brief = false);

// Whether this policy has counters to refill.
bool can_refill(const Cursor& cursor);

// While the outcome is hidden: whom one can choose, in the order of the search and then of the queue; of a
// search that began anew, those of the first.
std::vector<sim::Candidate> choosable(const Cursor& cursor);

// The answers to a question other than who runs next, in the order in which they are shown.
struct Answer {
    Prediction says;
    std::string text;
};
std::vector<Answer> answers(const Cursor& cursor, Ask ask);

// Answer number n, from 1 on, as it is shown; of who runs next, 0 is the idle task. None when there is none.
std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n);

// The mistake behind what was said; none if it was right.
sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said);

// "3 of 4 right." while one predicts; empty when nothing was asked yet.
std::string score_so_far(const ViewState& view);

// Whether one has predicted, and was right. None when one has not.
std::optional<bool> predicted_right(const Cursor& cursor, const ViewState& view);

// What is said about the place where the cursor is: the step, or why the winner won; and about a prediction.
std::string sentence(const Cursor& cursor, const ViewState& view);

// "own address space 3", "the kernel's page tables"
std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p);

// --- drawing ---

void push_font(ImFont* font);
float text_width(ImFont* font, const std::string& text);
// The text, cut to a width with an ellipsis.
std::string cut_to(ImFont* font, const std::string& text, float width);
// A name, cut in front of its ordinal, which is what tells the tasks of a group apart: "spin…12".
std::string short_name(ImFont* font, const std::string& name, float width);
void draw_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float wrap = 0);
// On the right side of what is left of the line or the table's cell.
void right_text(const std::string& text);
// A square in the colour of a task, and space behind it, on the current line.
void task_chip(Frame& frame, sim::TaskId p);
// A rectangle's outline, in whole pixels.
void draw_frame(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float width);
// A bar of a cost: its colour and, over it, its pattern.
void draw_cost(Frame& frame, const CostKind& kind, ImVec2 min, ImVec2 max);

// Texts and swatches one after the other, in as many lines as they need.
class Flow {
  public:
    // `dry`: only measures.
    Flow(Frame& frame, float width, float line_height, bool dry = false);

    void text(ImFont* font, ImU32 colour, const std::string& text);
    // A text behind a square in a colour, which it is not parted from.
    void chip(ImFont* font, ImU32 colour, ImU32 square, const std::string& text);
    void cost(ImFont* font, ImU32 colour, const CostKind& kind, const std::string& text);
    // Takes its place in the window; answers its height.
    float finish();

  private:
    ImVec2 place(float width);
    float side(ImFont* font) const;
    void put(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width);

    Frame& frame_;
    ImVec2 origin_;
    float width_, line_, gap_, x_ = 0, y_ = 0;
    bool dry_;
};

}  // namespace ui
