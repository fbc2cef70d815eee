#include "sim/explain/script_step_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/explain/decision_facts.h"

namespace sim {
namespace {

bool calls_pick_next(const DecisionView& view) {
    return std::any_of(view.script.begin(), view.script.end(),
                       [](const ScriptLine& line) { return std::string_view(line.during) == "pick_next"; });
}

// Describes the work that a script counted between two lines.
std::string describe_counted_work(const ScriptLine& before, const ScriptLine& line, const DecisionView& view,
                                  const NamedPolicy& policy, const TaskNamer& name) {
    const DecisionLog& log = view.log;
    std::string text;
    if (const std::uint32_t considered = line.considered - before.considered; considered > 1) {
        text += fmt::format("{} tasks were considered. ", considered);
    } else if (considered == 1 && line.candidates > 0) {
        const Candidate& c = log.candidates[line.candidates - 1];
        if (policy.criterion == "turn")
            text += fmt::format("{} was considered. ", name(c.task));
        else
            text += fmt::format("{} was considered: {} {}{}. ", name(c.task), policy.criterion, c.key,
                                c.best ? ", the best so far" : "");
    }
    if (const std::uint32_t recalculated = line.recalculated - before.recalculated; recalculated > 1) {
        text += fmt::format("{} counters were recalculated. ", recalculated);
    } else if (recalculated == 1 && line.counter_changes > before.counter_changes) {
        const CounterChange& r = log.counter_changes[line.counter_changes - 1];
        text += fmt::format("{}'s counter was recalculated: {} -> {}. ", name(r.task), r.before, r.after);
    } else if (recalculated == 1) {
        text += "A counter was recalculated and did not change. ";
    }
    if (const std::uint32_t steps = line.queue_steps - before.queue_steps; steps > 0)
        text +=
            fmt::format("{} found its queue position after {}. ",
                        name(log.insertions[line.insertions - 1].task), count_with_noun(steps, "comparison"));
    return text;
}

std::string describe_next_line(const ScriptLine* before, const ScriptLine& line) {
    if (before == nullptr || before->depth == line.depth || before->what != ScriptLine::Event::runs)
        return fmt::format("The next line is {}, in {}().", line.line, line.function);
    if (before->depth < line.depth)
        return fmt::format("{}() is called: the next line is {}.", line.function, line.line);
    return fmt::format("{}() has returned: the next line is {}, in {}().", before->function, line.line,
                       line.function);
}

}  // namespace

std::string describe_script_step(const DecisionStep& step, const DecisionView& view,
                                 const NamedPolicy& policy, const TaskNamer& name) {
    const ScriptLine& line = view.script[step.script];
    const ScriptLine* const before = step.script > 0 ? &view.script[step.script - 1] : nullptr;
    std::string text;
    if (step.skipped > 0)
        text = step.skipped == 1
                   ? "One more line has run, which is not shown. "
                   : fmt::format("{} more lines have run, which are not shown one by one. ", step.skipped);
    text += describe_counted_work(before == nullptr ? ScriptLine{} : *before, line, view, policy, name);
    switch (line.what) {
        case ScriptLine::Event::runs:
            return text + describe_next_line(step.skipped > 0 ? nullptr : before, line);
        case ScriptLine::Event::returned: {
            if (line.variables.empty()) return text + fmt::format("{}() is done.", line.during);
            const ScriptLine::Variable& said = line.variables.front();
            return text + fmt::format("{}() returns {}.", line.during,
                                      said.task != kNoTask ? name(said.task) : said.value);
        }
        case ScriptLine::Event::failed:
            break;
    }
    const PolicyFailure* const failure = policy.policy->failure();
    return text + (failure != nullptr ? describe(*failure, name)
                                      : fmt::format("The policy script fails in line {}.", line.line));
}

std::string describe_engine_step(const DecisionStep& step, const DecisionView& view, const TaskNamer& name) {
    if (view.script.empty()) return {};
    const std::string prev = name(view.record.other);
    if (step.phase == Phase::put_back) return fmt::format("{} is still runnable: enqueue() is called.", prev);
    if (step.phase != Phase::consider) return {};
    if (!calls_pick_next(view))
        return fmt::format("{} is the first task of the first non-empty queue.", name(step.task));
    if (step.cost == Nanos{} && step.task == view.record.other && step.best != view.log.decision.next)
        return "pick_next() is called.";
    return fmt::format("pick_next() has considered no task: the choice of {} counts as one considered task.",
                       name(step.task));
}

}  // namespace sim
