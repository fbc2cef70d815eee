// What the pane DECISION says about one schedule() at a place in it, as plain data: the pane draws the page,
// and decision_text() prints it, so that the two cannot differ. Nothing of the outcome is on it while that is
// hidden.
//
// Rows of tables hold numbers; their words are made when one is shown. There may be thousands, of which a
// screen has room for forty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/decision_cursor.h"
#include "ui/view/prediction.h"

namespace ui {

// The line at the top: "switch 37: B → C on cpu3 at 12.345 678 ms".
struct DecisionHead {
    enum class Outcome { hidden, goes_on, switches };

    std::string which;  // "switch 37", or "decision 41" where there was none or it must not be told
    sim::TaskId prev = sim::kNoTask, next = sim::kNoTask;
    Outcome outcome = Outcome::hidden;
    std::string where;  // "on cpu3 at 12.345 678 ms"
};
DecisionHead decision_head(const Cursor& cursor, bool hidden);
// As one line of text.
std::string head_line(const Cursor& cursor, bool hidden);

// A row of code.
struct CodeLine {
    const char* text = nullptr;
    int indent = 0;        // levels
    int number = 0;        // CodeRow::number
    LineCost cost, whole;  // so far; at the end of the decision
    bool current = false;  // where the cursor is,
    bool lit = false;      // and lines that go on with the same piece of work
    bool reached = false;
    bool failed = false;   // the script has done here what ends the run
    bool differs = false;  // of two decisions: the other has no such line, or it came to something else there
};
std::string cost_text(const LineCost& line);  // "+500 ns"; empty for nothing

// What the line of a script that is next sees.
struct Variables {
    std::string where;  // "goodness(), called by pick_next()"
    std::vector<sim::ScriptLine::Variable> rows;
    std::uint32_t more = 0;  // that are left out
};
// "B", "17", "nil"
std::string value_text(const Cursor& cursor, const sim::ScriptLine::Variable& variable);

struct CandidateRow {
    sim::Candidate candidate{};
    bool prev = false;     // while the outcome is hidden: it had the CPU
    bool seen = false;     // the search has looked at it
    bool current = false;  // and does so at this step
    bool best = false;     // so far
    bool differs = false;  // of two decisions: its numbers, or whether it is chosen; or it is in one alone
};

// The tasks in the order of the search; while the outcome is hidden, those that one can choose.
struct CandidateTable {
    std::string title;
    std::vector<CandidateRow> rows;
    bool chooses = false;          // of the rows one is asked for, or of nobody below them
    const char* nobody = nullptr;  // the row below: there is nobody, or one may choose so; null without one
    bool by_goodness = false;      // the policy weighs; otherwise it is somebody's turn
    bool by_key = false;           // or the least key wins (PolicyInfo::why)
    bool by_script = false;        // or what a script says
    const char* best_word = "";    // what the best is: "runs"
    std::size_t followed = 0;      // the row to be kept in view
};

struct RefillRow {
    Visit visit;
    bool done = false, current = false;
};

// The counters that are refilled. Without rows there is no such table.
struct RefillTable {
    std::string title;
    std::vector<RefillRow> rows;
    std::size_t done = 0;
    bool active = false;  // a counter is refilled at this step
};
// "asleep", "exited", or nothing.
const char* absence_word(const Cursor& cursor, sim::TaskId p);

// What it cost so far.
struct CostLine {
    std::string total;    // "5.00 us =", or "1.20 us of 5.00 us ="
    std::string longest;  // that total can be at any step
    std::string summary;  // without the sign
    sim::Overhead so_far, whole;
    sim::Nanos whole_time{};
    // Of two decisions: the other one's, where the two are told apart.
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
    bool hidden = false;  // the outcome
    DecisionHead head;
    std::string sentence;
    Tone tone = Tone::plain;      // of the sentence
    std::vector<CodeLine> code;   // none while the outcome is hidden
    bool has_variables = false;   // one is inside, and some of the steps are lines of a script
    Variables variables;          // at this one
    std::vector<Answer> answers;  // to a question that is not about a task
    CandidateTable candidates;
    RefillTable refill;
    CostLine costs;  // without meaning while the outcome is hidden
};

DecisionPage decision_page(const Cursor& cursor, const ViewState& view);

// Marks what differs between two decisions as wholes, whatever the step. Nothing while the outcome is hidden.
void mark_differences(DecisionPage& a, DecisionPage& b);

// What the search did with the task of row i, or the refill; empty where there is nothing to say.
std::string search_explained(const DecisionPage& page, std::size_t i);
std::string refill_explained(const DecisionPage& page, std::size_t i);

std::string text_of(const DecisionPage& page);

}  // namespace ui
