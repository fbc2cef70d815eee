#include "sim/core/intervene.h"

#include "sim/core/wait_table.h"

namespace sim {
namespace {

bool is_asleep(const Machine& m, TaskId p) { return m.has_event(p) || m.task[p].state == TaskState::waiting; }

// The id of an exit step of p's program. Every program ends with an exit step.
StepId exit_step_of(const ActionContext& context, TaskId p) {
    static const std::uint8_t exit = action_index("exit");
    StepId step = context.scenario.groups[context.m.task[p].group].program;
    while (context.scenario.steps[step].action != exit) ++step;
    return step;
}

// Wakes p. If p waited for a timer, a channel or a device, p continues with the next program step. If p
// waited for a lock or a pipe, p executes the current program step again.
void end_sleep(const ActionContext& context, TaskId p) {
    const TaskState state = context.m.task[p].state;
    const ChannelId channel = context.m.task[p].waiting_on;
    if (state == TaskState::waiting)
        remove_waiter(context.m, p);
    else
        context.m.events().remove(p);
    context.wake_up_process(p, kNoTask);
    if (channel == kNoChannel) return;
    const ChannelSpec::Kind kind = context.scenario.channels[channel].kind;
    if (kind == ChannelSpec::Kind::channel || kind == ChannelSpec::Kind::parking ||
        kind == ChannelSpec::Kind::device)
        context.m.task[p].waiting_on = kNoChannel;
    if (state == TaskState::in_service) context.end_service(channel);
}

}  // namespace

TaskId find_task(const Machine& m, std::uint32_t group, std::uint32_t ordinal) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p) && m.task[p].group == group && m.task[p].ordinal == ordinal) return p;
    return kNoTask;
}

InterventionResult predict_intervention_result(ScenarioIntervention::Kind kind, const Machine& m, TaskId p) {
    using Kind = ScenarioIntervention::Kind;
    if (p == kNoTask) return InterventionResult::no_task;
    if (kind == Kind::block && is_asleep(m, p)) return InterventionResult::asleep;
    if (kind == Kind::wake && !is_asleep(m, p) && !m.has_pending_block(p)) return InterventionResult::awake;
    return InterventionResult::done;
}

void renice_task(const ActionContext& context, TaskId p, std::int32_t priority) {
    context.ask_to_reschedule(context.policy.renice(context.m, p, priority), context.waking_cpu(p, kNoTask),
                              p, ReschedCause::renice);
}

void kill_task(const ActionContext& context, TaskId p) {
    Task& task = context.m.task[p];
    task.remaining = Nanos{};
    task.step = exit_step_of(context, p);
    if (context.m.shape().has_blocks) context.m.block[p] = 0;
    if (is_asleep(context.m, p)) {
        end_sleep(context, p);
        context.m.task[p].waiting_on = kNoChannel;
        return;
    }
    pass_token_to_next_waiter(context, p);
    if (task.processor == Task::kNoProcessor) return;  // p is ready: it exits when it is next chosen
    // p is running, or will run when the kernel work in progress ends. The CPU time that p has used up to now
    // is counted; the rest of its burst is dropped.
    Cpu& cpu = context.m.cpu(task.processor);
    const Nanos now = context.m.globals().now;
    if (now > cpu.kernel_until) {
        if (context.statistics != nullptr) context.statistics->add_user_time(p, now - cpu.kernel_until);
        cpu.kernel_until = now;
    }
    cpu.burst_end = cpu.deadline = cpu.kernel_until;
}

void wake_task(const ActionContext& context, TaskId p) {
    if (context.m.has_pending_block(p))
        context.m.block[p] = 0;
    else
        end_sleep(context, p);
}

void block_task(const ActionContext& context, TaskId p, std::uint32_t intervention) {
    context.m.block[p] = intervention + 1;
    const std::uint16_t cpu = context.m.task[p].processor;
    if (cpu != Task::kNoProcessor) context.m.set_need_resched(cpu, ReschedCause::block);
}

void pass_token_to_next_waiter(const ActionContext& context, TaskId p) {
    const ChannelId channel = context.m.task[p].waiting_on;
    context.m.task[p].waiting_on = kNoChannel;
    if (channel == kNoChannel || context.m.channel(channel).tokens == 0) return;
    const TaskId next = dequeue_waiter(context.m, channel);
    if (next != kNoTask) context.wake_up_process(next, kNoTask);
}

}  // namespace sim
