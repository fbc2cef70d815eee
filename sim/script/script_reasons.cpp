#include "sim/script/script_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "sim/script/script_description.h"

namespace sim::script {

std::string fields_text(const std::vector<CallContext::FieldRead>& reads, const TaskNamer& name) {
    std::string text;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        const CallContext::FieldRead& read = reads[i];
        if (std::find(reads.begin(), reads.begin() + static_cast<std::ptrdiff_t>(i), read) !=
            reads.begin() + static_cast<std::ptrdiff_t>(i))
            continue;
        text += fmt::format("{}{}'s {} {}", text.empty() ? ": " : ", ", name(read.task), read.field,
                            field_text(read.field, read.value));
    }
    return text;
}

const char* obstacle_to_choice(const Machine& m, TaskId p, CpuId cpu) {
    if (!m.is_live(p)) return "pick_next() returned {}, which no longer exists";
    if (m.task[p].state == TaskState::exited) return "pick_next() returned {}, which has exited";
    if (m.task[p].state != TaskState::runnable) return "pick_next() returned {}, which sleeps";
    if (m.task[p].processor != Task::kNoProcessor)
        return "pick_next() returned {}, which runs on another CPU";
    if (!m.may_run(p, cpu)) return "pick_next() returned {}, which may not use this CPU";
    return nullptr;
}

std::string reason_from_queue_position(const Script& script, const Machine& m, ScriptState& memory,
                                       TaskId p) {
    const std::uint32_t q = memory.queue_of(p);
    const bool by_script = script.has(Callback::pick_next);
    if (q == ScriptState::kNoQueue) return "pick_next() chooses it";
    const bool is_first = memory.first(q) == p;
    const std::string queue = script.layout().queues < 2 ? "the queue" : script.queue_names()[q];
    if (by_script)
        return is_first ? "pick_next() chooses it: it is first in " + queue : "pick_next() chooses it";
    if (!is_first) return fmt::format("it is the first in {} that this CPU can run", queue);
    return m.next_run[0] == p && script.layout().queues > 1
               ? fmt::format("it is first in {}, the first queue with a task", queue)
               : "it is first in " + queue;
}

void complete_log(const Script& script, DecisionLog& log, const Machine& m, ScriptState& memory, TaskId next,
                  const std::string& because) {
    const bool in_turn = script.criterion().by == RankingCriterion::Order::turn;
    if (log.candidates.empty()) {
        Candidate only{next, m.counter[next], 0, 0, !in_turn};
        if (!in_turn) only.key = memory.task_word(next, kKey);
        log.candidates.push_back(only);
    }
    if (!in_turn) return;
    log.because = because.empty() ? reason_from_queue_position(script, m, memory, next) : because;
    for (Candidate& candidate : log.candidates)
        if (candidate.task == next) {
            candidate.goodness = 1;
            candidate.best = true;
        }
}

}  // namespace sim::script
