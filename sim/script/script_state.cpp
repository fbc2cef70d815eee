#include "sim/script/script_state.h"

#include <algorithm>
#include <cassert>

#include "sim/base/rng.h"

namespace sim::script {

Policy::StateSize ScriptStateLayout::state_size() const {
    const std::size_t task_words = kTaskWords + of_task.size();
    const std::size_t cpu_words = of_cpu.size() + ScriptState::kWholeWords + 3 * std::size_t{queues} +
                                  of_machine.size() + 1;  // 1 word for Machine::slice_end()
    return {static_cast<std::uint32_t>(task_words * sizeof(std::int64_t)),
            static_cast<std::uint32_t>(cpu_words * sizeof(std::int64_t))};
}

void ScriptState::initialize() {
    for (CpuId c = 0; c < m_.shape().cpus; ++c) m_.set_slice_end(c, kHorizon);
    for (CpuId c = 0; c < m_.shape().cpus; ++c)
        for (std::uint32_t i = 0; i < layout_.of_cpu.size(); ++i)
            cpu_field(c, i) = layout_.of_cpu[i].initially;
    for (std::uint32_t i = 0; i < layout_.of_machine.size(); ++i)
        machine_field(i) = layout_.of_machine[i].initially;
    random_stream() = named_random_stream(m_.shape().seed, "policy");
}

void ScriptState::set_job_parameters(TaskId p, const JobParameters& facts) {
    task_word(p, kArrival) = facts.arrival.count();
    task_word(p, kLength) = facts.length.count();
    task_word(p, kRelease) = facts.release.count();
    task_word(p, kDeadline) = facts.deadline.count();
    task_word(p, kPeriod) = facts.period.count();
    task_word(p, kTickets) = facts.tickets;
}

void ScriptState::initialize_task_words(TaskId p) {
    std::int64_t* const words = m_.policy_state_words(p);
    for (const TaskWord word : {kQueue, kKey, kSecondKey, kRan, kOnSince, kSlice}) words[word] = 0;
    for (std::uint32_t i = 0; i < layout_.of_task.size(); ++i)
        task_field(p, i) = layout_.of_task[i].initially;
}

std::int64_t ScriptState::slice(TaskId p) const {
    const std::uint16_t c = m_.task[p].processor;
    if (c == Task::kNoProcessor) return m_.policy_state_words(p)[kSlice];
    const Nanos end = m_.slice_end(c);
    return end == kHorizon ? 0 : std::max(end - user_code_start(c), Nanos{}).count();
}

void ScriptState::set_slice(TaskId p, std::int64_t ns) {
    const std::uint16_t c = m_.task[p].processor;
    if (c == Task::kNoProcessor) {
        task_word(p, kSlice) = ns;
        return;
    }
    Cpu& cpu = m_.cpu(c);
    m_.set_slice_end(c, ns == 0 ? kHorizon : std::min(user_code_start(c) + Nanos{ns}, kHorizon));
    if (!cpu.need_resched)
        cpu.deadline = std::min(cpu.burst_end, std::max(m_.slice_end(c), cpu.kernel_until));
}

// The first task in the queues after q. If these queues are empty, returns 0, which denotes the end of the
// run queue.
TaskId ScriptState::first_task_of_later_queues(std::uint32_t q) {
    for (std::uint32_t later = q + 1; later < layout_.queues; ++later)
        if (count_tasks(later) > 0) return first(later);
    return 0;
}

void ScriptState::insert_before(std::uint32_t q, TaskId successor, TaskId p) {
    assert(task_word(p, kQueue) == 0);
    RunQueue(m_).insert_before(successor, p);
    task_word(p, kQueue) = q + 1;
    ++machine_words()[kQueued];
    ++queue_header(q)[2];
}

void ScriptState::add_last(std::uint32_t q, TaskId p) {
    const TaskId last_one = last(q);
    insert_before(q, last_one != kNoTask ? m_.next_run[last_one] : first_task_of_later_queues(q), p);
    queue_header(q)[1] = p;
    if (last_one == kNoTask) queue_header(q)[0] = p;
}

void ScriptState::add_first(std::uint32_t q, TaskId p) {
    if (count_tasks(q) == 0) return add_last(q, p);
    add_before(first(q), p);
}

void ScriptState::add_before(TaskId successor, TaskId p) {
    const std::uint32_t q = queue_of(successor);
    const bool is_first = first(q) == successor;
    insert_before(q, successor, p);
    if (is_first) queue_header(q)[0] = p;
}

std::uint32_t ScriptState::insert_by_key(std::uint32_t q, TaskId p, std::int64_t key,
                                         std::int64_t second_key) {
    task_word(p, kKey) = key;
    task_word(p, kSecondKey) = second_key;
    std::uint32_t steps = 0;
    TaskId next = kNoTask;  // first task of q that must come after p
    for (TaskId at = last(q); at != kNoTask; at = at == first(q) ? kNoTask : m_.prev_run[at]) {
        ++steps;
        const std::int64_t its = task_word(at, kKey);
        if (its < key || (its == key && task_word(at, kSecondKey) <= second_key)) break;
        next = at;
    }
    if (next == kNoTask)
        add_last(q, p);
    else
        add_before(next, p);
    return steps;
}

void ScriptState::remove(TaskId p) {
    const std::uint32_t q = queue_of(p);
    assert(q != kNoQueue);
    // If p is the only task of q, next_run[p] belongs to another queue. The check for an empty queue below
    // then replaces this wrong head by 0.
    if (first(q) == p) queue_header(q)[0] = m_.next_run[p];
    if (last(q) == p) queue_header(q)[1] = m_.prev_run[p];
    if (--queue_header(q)[2] == 0) queue_header(q)[0] = queue_header(q)[1] = 0;
    RunQueue(m_).remove(p);
    task_word(p, kQueue) = 0;
    --machine_words()[kQueued];
}

}  // namespace sim::script
