// The contents of the pane DECISION at a position in one schedule(), as plain data. The pane draws them and
// decision_text() prints them, so the two agree. They reveal nothing of a hidden outcome.
//
// Table rows hold numbers and are formatted only when shown: of thousands of rows, about forty are visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"
#include "ui/view/prediction.h"

namespace ui {

// The headline: "switch 37: B → C on cpu3 at 12.345 678 ms".
struct DecisionHead {
    enum class Outcome { hidden, goes_on, switches };

    std::string which;  // "switch 37"; "decision 41" without a switch, or while the outcome is hidden
    sim::TaskId prev = sim::kNoTask, next = sim::kNoTask;
    Outcome outcome = Outcome::hidden;
    std::string where;  // "on cpu3 at 12.345 678 ms"
};
DecisionHead decision_head(const Cursor& cursor, bool hidden);
// The headline as one line of text.
std::string head_line(const Cursor& cursor, bool hidden);

struct CodeLine {
    const char* text = nullptr;
    int indent = 0;
    int number = 0;        // CodeRow::number
    LineCost cost, whole;  // `cost`: up to the cursor; `whole`: at the end of the decision
    bool current = false;  // the row of the cursor, or the failed line
    bool lit = false;      // current, or a continuation of the current row
    bool reached = false;
    bool failed = false;  // the policy script failed here, which ended the run
    // Comparison: the other decision has another count or cost here, or (pseudo-code only) lacks the row.
    bool differs = false;
};
std::string cost_text(const LineCost& line);  // "+500 ns"; empty for no cost

// The variables that are visible to the next line of the policy script.
struct Variables {
    std::string where;  // "goodness(), called by pick_next()"
    std::vector<sim::ScriptLine::Variable> rows;
    std::uint32_t more = 0;  // number of variables that are not listed
};
// "B", "17", "nil"
std::string value_text(const Cursor& cursor, const sim::ScriptLine::Variable& variable);

struct CandidateRow {
    sim::Candidate candidate{};
    bool prev = false;     // while the outcome is hidden: the task had the CPU
    bool seen = false;     // the search has examined it
    bool current = false;  // the search examines it at this step
    bool best = false;     // the best so far
    bool differs = false;  // comparison: other numbers or result than in the other decision, or missing there
};

// The candidates in the order of the search. While the outcome is hidden: the tasks that the user can
// choose.
struct CandidateTable {
    std::string title;
    std::vector<CandidateRow> rows;
    bool chooses = false;  // the user chooses a row, or `nobody`
    // Label of the row for "no task" below the tasks, also as a choice; null: no such row.
    const char* nobody = nullptr;
    bool by_goodness = false;    // the policy compares goodness; if all three are false, tasks take turns
    bool by_key = false;         // the smallest key wins (PolicyInfo::why)
    bool by_script = false;      // a policy script decides
    const char* best_word = "";  // label of the best row: "runs"
    std::size_t followed = 0;    // the row to keep in view
};

struct RefillRow {
    Visit visit;
    bool done = false, current = false;
};

// The recalculated counters. Without rows, the table is not shown.
struct RefillTable {
    std::string title;
    std::vector<RefillRow> rows;
    std::size_t done = 0;
    bool active = false;  // this step recalculates a counter
};
// "asleep", "exited", or empty for a runnable task.
const char* absence_word(const Cursor& cursor, sim::TaskId p);

// The cost up to the cursor.
struct CostLine {
    std::string total;    // "5.00 us =", or "1.20 us of 5.00 us ="
    std::string longest;  // the longest value of `total` at any step, for the layout
    std::string summary;  // `total` without the equals sign
    sim::Overhead so_far, whole;
    sim::Nanos whole_time{};
    // In a comparison, the whole cost of the other decision.
    std::optional<sim::Overhead> other;

    bool differs(const CostKind& kind) const { return other && whole.*kind.part != (*other).*kind.part; }
};
// The summands that are not 0, each with its name: "search 500 ns".
struct CostTerm {
    const CostKind* kind;
    std::string text;
};
std::vector<CostTerm> cost_terms(const sim::Overhead& sum);

struct DecisionPage {
    enum class Tone { plain, question, right, wrong };

    Cursor cursor;
    bool hidden = false;  // the outcome is hidden
    DecisionHead head;
    std::string sentence;
    Tone tone = Tone::plain;      // of `sentence`
    std::vector<CodeLine> code;   // empty while the outcome is hidden
    bool has_variables = false;   // the depth is DepthLevel::inside, and some steps are script lines
    Variables variables;          // at this step
    std::vector<Answer> answers;  // choices for a question that is not about a task
    CandidateTable candidates;
    RefillTable refill;
    CostLine costs;  // unset while the outcome is hidden
};

DecisionPage decision_page(const Cursor& cursor, const ViewState& view);

// Sets `differs` where the two complete decisions differ. No-op while an outcome is hidden.
void mark_differences(DecisionPage& a, DecisionPage& b);

// A sentence on how the search or the recalculation treated the task of row i; empty if it did not.
std::string search_explained(const DecisionPage& page, std::size_t i);
std::string refill_explained(const DecisionPage& page, std::size_t i);

std::string text_of(const DecisionPage& page);

}  // namespace ui
