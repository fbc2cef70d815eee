#include "ui/view/decision_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Phase;

DecisionPage::Tone tone_of(const Cursor& c, const ViewState& view) {
    if (is_outcome_hidden(view)) return DecisionPage::Tone::question;
    const std::optional<bool> right = is_prediction_right(c, view);
    if (!right) return DecisionPage::Tone::plain;
    return *right ? DecisionPage::Tone::right : DecisionPage::Tone::wrong;
}

Cursor cursor_at_last_step(Cursor c) {
    c.at = c.in.steps.size() - 1;
    return c;
}

std::vector<CodeLine> code_lines_of(const Cursor& c) {
    const std::vector<LineCost> costs = line_costs(c), whole = line_costs(cursor_at_last_step(c));
    const std::vector<CodeRow> code = code_rows(c.policy());
    const bool script = is_script(c.policy());
    const std::size_t current = highlighted_row(c, c.step());
    // The number of the script line with the error; 0: none. While the user steps through the decision, it
    // is set only at the step that fails.
    int failed = c.stepping ? 0 : failed_line(c.run);
    if (c.stepping && c.step().is_script())
        if (const sim::ScriptLine& line = c.decision().script[c.step().script];
            line.what == sim::ScriptLine::Event::failed)
            failed = line.line;
    std::vector<CodeLine> lines;
    lines.reserve(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
        // Adjacent lines of one phase describe the same work, so they are highlighted together.
        const bool goes_on = !script && i >= current && i - current < 2 && code[i].phase == c.step().phase &&
                             code[i].phase != Phase::yield;
        const bool goes_on_with_one_done =
            !script && i > 0 && code[i].phase == code[i - 1].phase && costs[i - 1].times > 0;
        CodeLine& line = lines.emplace_back();
        line.text = code[i].text;
        line.indent = code[i].indent;
        line.number = code[i].number;
        line.cost = costs[i];
        line.whole = whole[i];
        line.failed = failed > 0 && line.number == failed;
        line.current = (c.stepping && i == current) || line.failed;
        line.lit = line.current || (c.stepping && goes_on);
        line.reached = costs[i].times > 0 || (c.stepping && goes_on) || goes_on_with_one_done || line.failed;
    }
    return lines;
}

// The call stack at a line of a policy script as text, the innermost function first.
std::string call_chain(const std::vector<sim::ScriptLine>& lines, std::size_t at) {
    constexpr int kMostCalls = 4;
    std::string text = lines[at].function + "()";
    int calls = 1;
    int depth = lines[at].depth;
    for (std::size_t i = at; i-- > 0 && depth > 0;) {
        if (lines[i].what != sim::ScriptLine::Event::runs) break;
        if (lines[i].depth >= depth) continue;
        depth = lines[i].depth;
        if (++calls > kMostCalls) return text + ", ...";
        text += fmt::format(", called by {}()", lines[i].function);
    }
    return text;
}

Variables variables_of(const Cursor& c) {
    if (!c.stepping || !c.step().is_script()) return {};
    const std::vector<sim::ScriptLine>& lines = c.decision().script;
    const sim::ScriptLine& line = lines[c.step().script];
    Variables variables{
        .where = call_chain(lines, c.step().script), .rows = line.variables, .more = line.more_variables};
    if (line.what == sim::ScriptLine::Event::runs) return variables;
    for (sim::ScriptLine::Variable& said : variables.rows) said.name = "returns";
    return variables;
}

// True if the step examines a candidate.
bool examines_candidate(const Cursor& c) {
    if (!c.decision().script.empty())
        return c.stepping && c.step().is_script() && c.at > 0 &&
               c.in.steps[c.at - 1].candidates < c.step().candidates;
    return c.stepping && (c.step().phase == Phase::consider || c.step().phase == Phase::keep);
}

CandidateTable hidden_candidates(const Cursor& c, const ViewState& view) {
    CandidateTable table;
    const std::vector<sim::Candidate> listed = choosable_candidates(c);
    table.title =
        fmt::format("{} to choose from{}", pluralize(listed.size(), "task", "s"),
                    c.policy().policy->keeps_running_task_queued() ? ", in the order of the search" : "");
    table.chooses = view.ask == PredictionQuestion::next_task;
    if (table.chooses)
        table.no_task = "no task: the idle task";
    else if (listed.empty())
        table.no_task = "no task";
    for (const sim::Candidate& candidate : listed)
        table.rows.push_back({.candidate = candidate, .prev = candidate.task == c.decision().log.prev});
    return table;
}

CandidateTable candidates_of(const Cursor& c) {
    CandidateTable table;
    const std::vector<sim::Candidate>& listed = c.decision().log.candidates;
    const std::size_t looked = c.step().candidates;
    table.title =
        !c.stepping || looked == listed.size()
            ? fmt::format("{} looked at, in this order", pluralize(listed.size(), "task", "s"))
            : fmt::format("{} of {} looked at", group_digits(looked), pluralize(listed.size(), "task", "s"));
    if (listed.empty()) table.no_task = "no task is runnable";
    table.best_word = !c.stepping || c.is_next_running() ? "runs" : "best so far";
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const bool seen = i < looked;
        table.rows.push_back({.candidate = listed[i],
                              .seen = seen,
                              .current = examines_candidate(c) && i + 1 == looked,
                              .best = seen && c.step().best == listed[i].task});
    }
    table.followed = looked == 0 ? 0 : looked - 1;
    if (examines_candidate(c) || looked == 0 || c.step().best == sim::kNoTask) return table;
    const auto best = std::find_if(listed.begin(), listed.end(),
                                   [&](const sim::Candidate& x) { return x.task == c.step().best; });
    if (best != listed.end()) table.followed = static_cast<std::size_t>(best - listed.begin());
    return table;
}

// The recalculations that a policy script has made, in order of time.
RecalculationTable recalculation_by_script(const Cursor& c) {
    const std::vector<sim::CounterChange>& changes = c.decision().log.counter_changes;
    RecalculationTable table;
    table.done = c.step().counter_changes;
    table.active = c.stepping && c.step().is_script() && c.step().recalculation_cost > sim::Nanos{};
    table.title = table.done == changes.size()
                      ? fmt::format("recalculation: {} changed", pluralize(changes.size(), "counter", "s"))
                      : fmt::format("recalculation: {} of {} counters changed", group_digits(table.done),
                                    group_digits(changes.size()));
    for (std::size_t i = 0; i < changes.size(); ++i)
        table.rows.push_back({.recalculated_counter = {changes[i].task, changes[i].before, changes[i].after},
                              .done = i < table.done,
                              .current = table.active && i + 1 == table.done});
    return table;
}

RecalculationTable recalculation_of(const Cursor& c) {
    if (!c.decision().script.empty()) return recalculation_by_script(c);
    const RecalculationSteps walk = recalculation_steps(c);
    RecalculationTable table;
    table.done = walk.done;
    table.title = walk.done == walk.count ? fmt::format("recalculation: {} visited, asleep or not",
                                                        pluralize(walk.count, "task", "s"))
                                          : fmt::format("recalculation: {} of {} tasks visited",
                                                        group_digits(walk.done), group_digits(walk.count));
    const bool recalculates = c.stepping && c.step().phase == Phase::recalculate;
    table.active = recalculates;
    table.rows.reserve(walk.count);
    for (std::size_t i = 0; i < walk.count; ++i)
        table.rows.push_back({.recalculated_counter = recalculated_counter(c, walk, i),
                              .done = i < walk.done,
                              .current = recalculates && i + 1 == walk.done});
    return table;
}

DecisionCost decision_cost_of(const Cursor& c) {
    DecisionCost line;
    line.so_far = cost_so_far(c);
    line.whole = cost_so_far(cursor_at_last_step(c));
    line.whole_time = c.in.steps.back().until;
    if (line.whole_time == sim::Nanos{}) {
        line.total = line.equation_start = line.longest = "no costs";
        return line;
    }
    const std::string whole = span(line.whole_time);
    line.total = fmt::format("{} of {}", span(line.so_far.total(), line.whole_time), whole);
    line.equation_start = (c.stepping && !c.is_at_last_step() ? line.total : whole) + " =";
    line.longest = (c.stepping ? whole + " of " + whole : whole) + " =";
    return line;
}

std::string step_description(const Cursor& c, const sim::DecisionStep& step) {
    return sim::describe(step, c.decision(), c.policy(),
                         sim::make_task_namer(c.decision(), c.run.scenario()));
}

// --- comparison of two pages ---

bool is_same_code(const CodeLine& x, const CodeLine& y) {
    return x.number == y.number && x.indent == y.indent && std::string_view(x.text) == y.text;
}

// Sets `differs` of the lines of two decisions. Each line of `a` is compared with the next line of `b` that
// has the same code.
void mark_differing_lines(std::vector<CodeLine>& a, std::vector<CodeLine>& b) {
    // Lines of pseudo-code without a counterpart differ. Script lines without a counterpart are not
    // flagged, because it is obvious that they differ.
    for (CodeLine& line : a) line.differs = line.number == 0;
    for (CodeLine& line : b) line.differs = line.number == 0;
    auto from = b.begin();
    for (CodeLine& line : a) {
        const auto found =
            std::find_if(from, b.end(), [&](const CodeLine& other) { return is_same_code(line, other); });
        if (found == b.end()) continue;
        line.differs = found->differs =
            line.whole.times != found->whole.times || line.whole.cost != found->whole.cost;
        from = found + 1;
    }
}

void mark_differing_candidates(DecisionPage& a, const DecisionPage& b) {
    const auto wins = [](const DecisionPage& page, const sim::Candidate& c) {
        return c.task == page.cursor.decision().record.task;
    };
    for (CandidateRow& row : a.candidates.rows) {
        const sim::Candidate& here = row.candidate;
        row.differs =
            std::none_of(b.candidates.rows.begin(), b.candidates.rows.end(), [&](const CandidateRow& r) {
                const sim::Candidate& there = r.candidate;
                return there.task == here.task && there.counter == here.counter &&
                       there.goodness == here.goodness && wins(a, here) == wins(b, there);
            });
    }
}

// --- as text ---

constexpr std::size_t kMostPrintedRows = 1000;  // per table
constexpr std::size_t kCodeWidth = 82;          // the costs start at this column or farther right
// Rightmost column at which the costs start if the lines of a script are long.
constexpr std::size_t kMostCodeWidth = 120;

// The width of the column with the names of the candidates.
std::size_t widest_name(const DecisionPage& page) {
    std::size_t width = 4;
    const std::vector<CandidateRow>& rows = page.candidates.rows;
    for (std::size_t i = 0; i < std::min(kMostPrintedRows, rows.size()); ++i)
        width = std::max(width, page.cursor.name(rows[i].candidate.task).size());
    return width;
}

std::string omitted_rows_text(std::size_t rows) {
    return rows > kMostPrintedRows ? fmt::format("  ... {} more\n", rows - kMostPrintedRows) : "";
}

// The marker in front of a row.
const char* row_marker(bool current, bool differs) { return current ? ">" : differs ? "≠" : " "; }

std::string code_text(const DecisionPage& page) {
    std::string text;
    std::size_t width = kCodeWidth;
    for (const CodeLine& line : page.code)
        if (line.number > 0 && line.whole.times > 0)
            width = std::clamp(std::string_view(line.text).size() + 10, width, kMostCodeWidth);
    for (const CodeLine& line : page.code) {
        const std::string number = line.number == 0 ? "" : fmt::format("{:>4}  ", line.number);
        const char* const sign = line.failed ? "!" : row_marker(line.current, line.differs);
        const std::string left = fmt::format("{} {}{:{}}{}", sign, number, "", 2 * line.indent, line.text);
        const LineCost& cost = line.cost;
        const std::string times = cost.times == 0 ? "" : fmt::format("{} x", cost.times);
        const std::string right = fmt::format("{:>7} {:>9}", times, cost_text(cost));
        const bool blank = right.find_first_not_of(' ') == std::string::npos;
        text += blank ? left + "\n" : fmt::format("{:<{}}{}\n", left, width, right);
    }
    return text;
}

std::string variables_text(const DecisionPage& page) {
    if (page.variables.where.empty()) return {};
    std::string text = "\n" + page.variables.where + "\n";
    for (const sim::ScriptLine::Variable& variable : page.variables.rows)
        text += fmt::format("{} {} = {}\n", variable.is_new ? '*' : ' ', variable.name,
                            value_text(page.cursor, variable));
    if (page.variables.more > 0) text += fmt::format("  ... {} more\n", page.variables.more);
    return text;
}

std::string candidates_text(const DecisionPage& page, std::size_t width) {
    const CandidateTable& table = page.candidates;
    std::string text = table.title + "\n";
    for (std::size_t i = 0; i < std::min(kMostPrintedRows, table.rows.size()); ++i) {
        const CandidateRow& row = table.rows[i];
        const sim::Candidate& candidate = row.candidate;
        text += fmt::format("{} {:>5}  {:<{}}  ", row_marker(row.current, row.differs), i + 1,
                            page.cursor.name(candidate.task), width);
        text +=
            table.by_key
                ? (row.seen ? sim::key_text(candidate, page.cursor.policy())
                            : scheduling_key_text(page.cursor, page.cursor.decision().before, candidate.task))
                : fmt::format("counter {:>3}", candidate.counter);
        if (row.prev) text += "  prev";
        if (row.seen && table.by_goodness)
            text += fmt::format("  {:<14}  goodness {:>4}", bonus_text(candidate, page.cursor.decision().log),
                                candidate.goodness);
        else if (row.seen)
            text += candidate.goodness > 0 ? "  best so far" : "  not better";
        if (row.best) text += fmt::format("  <- {}", table.best_word);
        text += "\n";
    }
    text += omitted_rows_text(table.rows.size());
    if (table.no_task == nullptr) return text;
    return text + (table.chooses ? fmt::format("  {:>5}  {}\n", 0, table.no_task)
                                 : fmt::format("  {}\n", table.no_task));
}

std::string recalculation_text(const DecisionPage& page, std::size_t width) {
    const RecalculationTable& table = page.refill;
    std::string text = table.title + "\n";
    for (std::size_t i = 0; i < std::min(kMostPrintedRows, table.done); ++i) {
        const RecalculationRow& row = table.rows[i];
        const RecalculatedCounter& v = row.recalculated_counter;
        text += v.task == sim::kNoTask
                    ? "  all other tasks\n"
                    : fmt::format("{} {:<{}}  {:>3} -> {:<3} {}\n", row.current ? '>' : ' ',
                                  page.cursor.name(v.task), width, v.before, v.after,
                                  not_runnable_word(page.cursor, v.task));
    }
    return text + omitted_rows_text(table.done);
}

std::string decision_cost_text(const DecisionCost& costs) {
    std::string text = costs.equation_start;
    std::string plus = " ";
    for (const CostTerm& part : cost_terms(costs.so_far, costs.whole_time)) {
        text += plus + (costs.differs(*part.kind) ? "≠ " : "") + part.text;
        plus = " + ";
    }
    return text + "\n";
}

std::string without_trailing_blanks(const std::string& text) {
    std::string trimmed;
    for (const char ch : text) {
        if (ch == '\n') trimmed.erase(trimmed.find_last_not_of(' ') + 1);
        trimmed += ch;
    }
    return trimmed;
}

}  // namespace

DecisionHeadline decision_headline(const Cursor& c, bool hidden) {
    const sim::DecisionView& view = c.decision();
    DecisionHeadline head;
    head.outcome = hidden          ? DecisionHeadline::Outcome::hidden
                   : c.is_switch() ? DecisionHeadline::Outcome::switches
                                   : DecisionHeadline::Outcome::goes_on;
    head.which = head.outcome == DecisionHeadline::Outcome::switches
                     ? "switch " + group_digits(view.switch_number)
                     : "decision " + group_digits(view.number);
    head.prev = view.record.other;
    if (!hidden) head.next = view.record.task;
    if (c.run.scenario().cpus > 1) head.where = fmt::format("on cpu{} ", view.record.cpu);
    head.where += "at " + instant_text(view.record.time);
    // The other panes show the run's position, so the headline states how long before that position the
    // decision was.
    const sim::Nanos since = c.run.now() - view.record.time;
    if (since > sim::Nanos{})
        head.where += fmt::format(", {} ago", instant_text(since));
    else if (!c.run.is_at_decision())
        head.where += ", before a later event at the same time";
    return head;
}

std::string decision_headline_text(const Cursor& cursor, bool hidden) {
    const DecisionHeadline head = decision_headline(cursor, hidden);
    const std::string prev = cursor.name(head.prev);
    switch (head.outcome) {
        case DecisionHeadline::Outcome::hidden:
            return fmt::format("{}: {} → ? {}", head.which, prev, head.where);
        case DecisionHeadline::Outcome::goes_on:
            return fmt::format("{}: {} continues {}", head.which, prev, head.where);
        case DecisionHeadline::Outcome::switches:
            break;
    }
    return fmt::format("{}: {} → {} {}", head.which, prev, cursor.name(head.next), head.where);
}

std::string value_text(const Cursor& cursor, const sim::ScriptLine::Variable& variable) {
    return variable.task != sim::kNoTask ? cursor.name(variable.task) : variable.value;
}

std::string cost_text(const LineCost& line) {
    return line.cost == sim::Nanos{} ? "" : "+" + span(line.cost, line.decision_cost);
}

const char* not_runnable_word(const Cursor& cursor, sim::TaskId p) {
    const sim::Machine& m = cursor.decision().after;
    if (!m.is_live(p)) return "exited";
    return m.task[p].state == sim::TaskState::runnable ? "" : "asleep";
}

std::vector<CostTerm> cost_terms(const sim::Overhead& sum, sim::Nanos whole) {
    std::vector<CostTerm> parts;
    for (const CostKind& kind : cost_kinds())
        if (const sim::Nanos cost = sum.*kind.part; cost != sim::Nanos{})
            parts.push_back({&kind, fmt::format("{} {}", kind.name, span(cost, whole))});
    return parts;
}

DecisionPage decision_page(const Cursor& cursor, const ViewState& view) {
    const bool hidden = is_outcome_hidden(view);
    const bool failed = !hidden && (!cursor.stepping || cursor.is_at_last_step()) &&
                        cursor.run.failure_at_position() != nullptr;
    const bool fails = cursor.stepping && cursor.step().is_script() &&
                       cursor.decision().script[cursor.step().script].what == sim::ScriptLine::Event::failed;
    DecisionPage page{.cursor = cursor,
                      .hidden = hidden,
                      .head = decision_headline(cursor, hidden),
                      .sentence = failed ? failure_text(cursor.run) : decision_sentence(cursor, view),
                      .tone = failed || fails ? DecisionPage::Tone::wrong : tone_of(cursor, view),
                      .code = {},
                      .has_variables = cursor.stepping && !cursor.decision().script.empty(),
                      .variables = {},
                      .answers = {},
                      .candidates = hidden ? hidden_candidates(cursor, view) : candidates_of(cursor),
                      .refill = {},
                      .costs = {}};
    page.candidates.by_goodness = cursor.policy().criterion == "goodness";
    page.candidates.by_key = static_cast<bool>(cursor.policy().why);
    page.candidates.by_script = is_script(cursor.policy());
    if (hidden) {
        if (view.ask != PredictionQuestion::next_task) page.answers = possible_answers(cursor, view.ask);
        return page;
    }
    page.code = code_lines_of(cursor);
    page.variables = variables_of(cursor);
    page.refill = recalculation_of(cursor);
    page.costs = decision_cost_of(cursor);
    return page;
}

void mark_differences(DecisionPage& a, DecisionPage& b) {
    if (a.hidden || b.hidden) return;
    mark_differing_lines(a.code, b.code);
    mark_differing_candidates(a, b);
    mark_differing_candidates(b, a);
    a.costs.other = b.costs.whole;
    b.costs.other = a.costs.whole;
}

std::string search_sentence(const DecisionPage& page, std::size_t i) {
    if (!page.candidates.rows[i].seen) return {};
    const auto& steps = page.cursor.in.steps;
    const auto step = std::find_if(steps.begin(), steps.end(), [&](const sim::DecisionStep& s) {
        return s.phase == Phase::consider && s.candidates >= i + 1;
    });
    return step == steps.end() ? "" : step_description(page.cursor, *step);
}

std::string recalculation_sentence(const DecisionPage& page, std::size_t i) {
    if (!page.cursor.decision().script.empty()) return {};
    return step_description(page.cursor, page.cursor.in.steps[recalculation_steps(page.cursor).first + i]);
}

std::string text_of(const DecisionPage& page) {
    const Cursor& c = page.cursor;
    std::string text = decision_headline_text(c, page.hidden) + "\n";
    if (c.stepping) text += fmt::format("step {} of {}\n", c.at + 1, c.in.steps.size());
    text += page.sentence + "\n";
    if (!page.code.empty()) text += "\n" + code_text(page);
    text += variables_text(page);
    int number = 0;
    for (const Answer& answer : page.answers) text += fmt::format("  {}: {}\n", ++number, answer.text);
    const std::size_t width = widest_name(page);
    text += "\n" + candidates_text(page, width);
    if (!page.refill.rows.empty()) text += "\n" + recalculation_text(page, width);
    if (!page.hidden) text += "\n" + decision_cost_text(page.costs);
    return without_trailing_blanks(text);
}

}  // namespace ui
