// The contents of the pane DECISION at a position in one schedule(), as plain data. The pane draws this data
// and decision_text() prints it, so both show the same contents. While the outcome is hidden, the data does
// not contain it. Table rows contain numbers, which are formatted only if the row is visible: a table may
// have thousands of rows, about forty of which are visible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"
#include "ui/view/prediction.h"

namespace ui {

// The headline of the pane DECISION: "switch 37: B → C on cpu3 at 12.345 678 ms".
struct DecisionHeadline {
    enum class Outcome { hidden, goes_on, switches };

    std::string which;  // "switch 37"; "decision 41" without a (visible) switch
    sim::TaskId prev = sim::kNoTask, next = sim::kNoTask;
    Outcome outcome = Outcome::hidden;
    std::string where;  // "on cpu3 at 12.345 678 ms"
};
DecisionHeadline decision_headline(const Cursor& cursor, bool hidden);
// The headline as one line of text.
std::string decision_headline_text(const Cursor& cursor, bool hidden);

struct CodeLine {
    const char* text = nullptr;
    int indent = 0;
    int number = 0;        // CodeRow::number
    LineCost cost, whole;  // `cost`: up to the cursor; `whole`: at the end of the decision
    bool current = false;  // the row of the cursor, or the line at which the policy script failed
    bool lit = false;      // highlighted: the row is `current`, or continues the work of the current row
    bool reached = false;
    bool failed = false;  // the policy script failed here, which ended the run
    // In a comparison of two decisions: true if the other decision has another count or cost in this row
    // or, for pseudo-code, does not contain this row.
    bool differs = false;
};
std::string cost_text(const LineCost& line);  // "+0.50 µs"; empty for no cost

// The variables that the next line of the policy script can access.
struct Variables {
    std::string where;  // "goodness(), called by pick_next()"
    std::vector<sim::ScriptLine::Variable> rows;
    std::uint32_t more = 0;  // number of variables that are not listed
};
// The value of a variable as text: "B", "17", "nil".
std::string value_text(const Cursor& cursor, const sim::ScriptLine::Variable& variable);

struct CandidateRow {
    sim::Candidate candidate{};
    bool prev = false;     // the task had the CPU before the decision; set only while the outcome is hidden
    bool seen = false;     // the search has examined the task
    bool current = false;  // the search examines the task at this step
    bool best = false;     // the task is the best so far
    bool differs = false;  // in a comparison: the other decision has no equal row
};

// The candidates in the order of the search or, while the outcome is hidden, the tasks that the user can
// choose.
struct CandidateTable {
    std::string title;
    std::vector<CandidateRow> rows;
    bool chooses = false;  // the user must choose a task or `no_task`
    // The label of the last row, which means that no task is chosen; null: the table has no such row.
    const char* no_task = nullptr;
    bool by_goodness = false;    // the policy compares goodness
    bool by_key = false;         // the policy chooses the task with the smallest key
    bool by_script = false;      // a policy script decides; if no field by_... is true, tasks take turns
    const char* best_word = "";  // label of the best row: "runs"
    std::size_t followed = 0;    // the row that the table scrolls to
};

struct RecalculationRow {
    RecalculatedCounter recalculated_counter;
    bool done = false, current = false;
};

// The table of recalculated counters. It is not shown if it has no rows.
struct RecalculationTable {
    std::string title;
    std::vector<RecalculationRow> rows;
    std::size_t done = 0;
    bool active = false;  // this step recalculates a counter
};
// The state of a task that is not runnable: "asleep" or "exited"; empty for a runnable task.
const char* not_runnable_word(const Cursor& cursor, sim::TaskId p);

// The cost of the decision up to the cursor.
struct DecisionCost {
    // The first part of an equation, before the terms: "5.00 us =", or "1.20 us of 5.00 us =".
    std::string equation_start;
    std::string longest;  // the longest `equation_start` of all steps, for the layout
    std::string total;    // "1.20 us of 5.00 us"
    sim::Overhead so_far, whole;
    sim::Nanos whole_time{};
    // In a comparison, the whole cost of the other decision.
    std::optional<sim::Overhead> other;

    bool differs(const CostKind& kind) const { return other && whole.*kind.part != (*other).*kind.part; }
};
// A part of a cost with its name, such as "search 0.50 µs". cost_terms() omits parts that are 0, and shows
// all parts in the unit of `whole`.
struct CostTerm {
    const CostKind* kind;
    std::string text;
};
std::vector<CostTerm> cost_terms(const sim::Overhead& sum, sim::Nanos whole);

struct DecisionPage {
    enum class Tone { plain, question, right, wrong };

    Cursor cursor;
    bool hidden = false;  // the outcome is hidden
    DecisionHeadline head;
    std::string sentence;
    Tone tone = Tone::plain;      // of `sentence`
    std::vector<CodeLine> code;   // empty while the outcome is hidden
    bool has_variables = false;   // the depth is DepthLevel::inside, and some steps are script lines
    Variables variables;          // the variables of the policy script at the cursor
    std::vector<Answer> answers;  // choices for a question that is not about a task
    CandidateTable candidates;
    RecalculationTable refill;
    DecisionCost costs;  // unset while the outcome is hidden
};

DecisionPage decision_page(const Cursor& cursor, const ViewState& view);

// Sets `differs` where the two complete decisions differ. Does nothing while an outcome is hidden.
void mark_differences(DecisionPage& a, DecisionPage& b);

// search_sentence(): how the search examined the task in row i of the candidates; empty if it did not.
// recalculation_sentence(): how the counter in row i of the recalculation changed; empty for a policy script.
std::string search_sentence(const DecisionPage& page, std::size_t i);
std::string recalculation_sentence(const DecisionPage& page, std::size_t i);

// The page as plain text.
std::string text_of(const DecisionPage& page);

}  // namespace ui
