#include "ui/view/decision_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "ui/view/format.h"

namespace ui {

bool is_outcome_hidden(const ViewState& view) { return view.predicting && !view.prediction; }

std::optional<Cursor> cursor_in(const Run* run, const ViewState& view) {
    const DecisionDetail* in = run == nullptr ? nullptr : run->last_decision();
    if (in == nullptr || in->steps.empty()) return std::nullopt;
    const std::size_t last = in->steps.size() - 1;
    const bool stepping = view.level == DepthLevel::inside && !is_outcome_hidden(view);
    return Cursor{.run = *run,
                  .in = *in,
                  .at = stepping ? std::min(view.inside_step, last) : last,
                  .stepping = stepping};
}

bool is_script(const sim::NamedPolicy& policy) { return !policy.source_lines.empty(); }

std::vector<CodeRow> code_rows(const sim::NamedPolicy& policy) {
    std::vector<CodeRow> rows;
    const auto add = [&](sim::Phase first, sim::Phase last) {
        for (const sim::PseudoLine& line : policy.pseudo_code)
            if (first <= line.phase && line.phase <= last)
                rows.push_back({.text = line.text, .indent = line.indent, .phase = line.phase});
    };
    if (!is_script(policy)) {
        add(sim::Phase::enter, sim::Phase::resume);
        return rows;
    }
    add(sim::Phase::enter, sim::Phase::consider);
    int number = 0;
    for (const std::string& line : policy.source_lines)
        rows.push_back({.text = line.c_str(), .number = ++number});
    add(sim::Phase::switch_context, sim::Phase::resume);
    return rows;
}

namespace {

// The number of rows that are shown above the text of the policy script.
std::size_t rows_before_script(const sim::NamedPolicy& policy) {
    return static_cast<std::size_t>(
        std::count_if(policy.pseudo_code.begin(), policy.pseudo_code.end(),
                      [](const sim::PseudoLine& line) { return line.phase <= sim::Phase::consider; }));
}

std::size_t row_of_line(const sim::NamedPolicy& policy, int line) {
    const auto last = static_cast<int>(policy.source_lines.size());
    return rows_before_script(policy) + static_cast<std::size_t>(std::clamp(line, 1, last) - 1);
}

// The row of a step that is not a script line. If the policy is a script, its text replaces the rows of the
// phases between `consider` and `switch_context`. A step of one of these phases has no row of its own, so it
// is shown at the last row before the text.
std::size_t row_of_engine_step(const sim::NamedPolicy& policy, const sim::DecisionStep& step) {
    if (!is_script(policy) || step.phase <= sim::Phase::consider) return step.line;
    if (step.phase < sim::Phase::switch_context) return rows_before_script(policy) - 1;
    const auto left_out =
        std::count_if(policy.pseudo_code.begin(), policy.pseudo_code.end(), [](const sim::PseudoLine& line) {
            return line.phase > sim::Phase::consider && line.phase < sim::Phase::switch_context;
        });
    return step.line - static_cast<std::size_t>(left_out) + policy.source_lines.size();
}

}  // namespace

std::size_t highlighted_row(const Cursor& cursor, const sim::DecisionStep& step) {
    const sim::NamedPolicy& policy = cursor.policy();
    if (!step.is_script()) return row_of_engine_step(policy, step);
    return row_of_line(policy, cursor.decision().script[step.script].line);
}

std::size_t charged_row(const Cursor& cursor, const sim::DecisionStep& step) {
    return step.cost_line > 0 ? row_of_line(cursor.policy(), step.cost_line)
                              : row_of_engine_step(cursor.policy(), step);
}

std::vector<LineCost> line_costs(const Cursor& cursor) {
    const sim::NamedPolicy& policy = cursor.policy();
    std::vector<LineCost> rows(policy.pseudo_code.size() + policy.source_lines.size(),
                               {.decision_cost = cursor.in.steps.back().until});
    for (std::size_t i = 0; i <= cursor.at; ++i) {
        const sim::DecisionStep& step = cursor.in.steps[i];
        const std::size_t row = highlighted_row(cursor, step);
        const bool runs = step.is_script()
                              ? cursor.decision().script[step.script].what == sim::ScriptLine::Event::runs
                              : !is_script(policy) || step.phase <= sim::Phase::consider ||
                                    step.phase >= sim::Phase::switch_context;
        if (runs && row < rows.size()) ++rows[row].times;
        if (const std::size_t paying = charged_row(cursor, step); paying < rows.size())
            rows[paying].cost += step.cost;
    }
    return rows;
}

std::string failure_text(const Run& run) {
    const sim::PolicyFailure* const failure = run.failure_at_position();
    if (failure == nullptr) return {};
    return "The run ends here. " + sim::describe(*failure, [&](sim::TaskId p) { return run.name(p); });
}

int failed_line(const Run& run) {
    const sim::PolicyFailure* const failure = run.failure_at_position();
    if (failure == nullptr) return 0;
    const std::size_t colon = failure->place.rfind(':');
    return colon == std::string::npos ? 0 : std::atoi(failure->place.c_str() + colon + 1);
}

sim::Overhead cost_so_far(const Cursor& cursor) {
    sim::Overhead sum;
    for (std::size_t i = 0; i <= cursor.at; ++i) sim::add_cost(cursor.in.steps[i], sum);
    return sum;
}

std::span<const CostKind> cost_kinds() {
    static constexpr std::array<CostKind, 6> kKinds{{
        {"call", &sim::Overhead::system, sim::CpuActivity::system},
        {"search", &sim::Overhead::select, sim::CpuActivity::select},
        {"recalc", &sim::Overhead::recalculation, sim::CpuActivity::recalculation},
        {"switch", &sim::Overhead::context_switch, sim::CpuActivity::context_switch},
        {"address space", &sim::Overhead::address_space, sim::CpuActivity::address_space},
        {"cache refill", &sim::Overhead::cache_refill, sim::CpuActivity::cache_refill},
    }};
    return kKinds;
}

RecalculationSteps recalculation_steps(const Cursor& cursor) {
    const auto& steps = cursor.in.steps;
    const auto is_refill = [](const sim::DecisionStep& s) { return s.phase == sim::Phase::recalculate; };
    const auto first = std::find_if(steps.begin(), steps.end(), is_refill);
    const auto last = std::find_if_not(first, steps.end(), is_refill);
    RecalculationSteps walk{.first = static_cast<std::size_t>(first - steps.begin()),
                            .count = static_cast<std::size_t>(last - first)};
    walk.done = std::min(walk.count, cursor.at + 1 - std::min(cursor.at + 1, walk.first));
    return walk;
}

RecalculatedCounter recalculated_counter(const Cursor& cursor, const RecalculationSteps& steps,
                                         std::size_t i) {
    const sim::DecisionStep& step = cursor.in.steps[steps.first + i];
    const std::uint32_t before =
        steps.first + i == 0 ? 0 : cursor.in.steps[steps.first + i - 1].counter_changes;
    if (step.task == sim::kNoTask) return {};
    if (step.counter_changes > before) {
        const sim::CounterChange& refill = cursor.decision().log.counter_changes[step.counter_changes - 1];
        return {refill.task, refill.before, refill.after};
    }
    const sim::DecisionView& view = cursor.decision();
    const sim::Machine& m = view.after.is_live(step.task) ? view.after : view.before;
    return {step.task, m.counter[step.task], m.counter[step.task]};
}

std::string bonus_text(const sim::Candidate& c, const sim::DecisionLog& log, bool brief) {
    if (c.goodness < 0 && brief &&
        (c.remark == sim::CandidateRemark::none || c.remark == sim::CandidateRemark::elsewhere))
        return "elsewhere";
    if (brief && c.remark == sim::CandidateRemark::not_allowed) return "not allowed";
    if (const char* const why = sim::reason_not_compared(c)) return why;
    if (c.goodness < 0) return "runs on another CPU";
    if (sim::is_real_time(c)) return fmt::format("1000 + {}", c.goodness - 1000);
    std::string text;
    const auto add = [&](std::int32_t part, const char* what) {
        if (part != 0) text += fmt::format("{}{:+} {}", text.empty() ? "" : brief ? " " : ", ", part, what);
    };
    add(c.for_priority, brief ? "prio" : "priority");
    add(c.for_mm, "mm");
    add(sim::bonus_for_prev(c, log), "prev");
    add(sim::bonus_for_last_cpu(c, log), brief ? "cpu" : "last CPU");
    return text;
}

bool can_recalculate_counters(const Cursor& cursor) {
    const auto& code = cursor.policy().pseudo_code;
    return std::any_of(code.begin(), code.end(),
                       [](const sim::PseudoLine& line) { return line.phase == sim::Phase::recalculate; });
}

std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p) {
    const sim::MmId mm = m.task[p].mm;
    if (mm == sim::kKernelMm) {
        const std::uint16_t cpu = m.is_idle_task(p) ? static_cast<std::uint16_t>(p) : m.task[p].processor;
        if (cpu != sim::Task::kNoProcessor && m.cpu(cpu).current == p &&
            m.cpu(cpu).active_mm != sim::kKernelMm)
            return "borrows " + scenario.mm_name(m, m.cpu(cpu).active_mm);
        return "kernel's page tables";
    }
    return fmt::format("{} {}", mm <= scenario.shared_mms ? "shared mm" : "own mm", mm);
}

std::string scheduling_key_text(const Cursor& cursor, const sim::Machine& m, sim::TaskId p) {
    if (!m.is_live(p) || m.is_idle_task(p)) return {};
    const sim::Policy::SchedulingKey known = cursor.policy().policy->scheduling_key(m, p);
    return known.name + " " + known.value;
}

}  // namespace ui
