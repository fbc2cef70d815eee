#include "sim/core/action.h"

#include <algorithm>
#include <bit>

#include "sim/core/wait_table.h"

namespace sim {

std::uint8_t action_index(std::string_view name) {
    const std::span<const ActionInfo> list = actions();
    const auto place = std::lower_bound(list.begin(), list.end(), name,
                                        [](const ActionInfo& a, std::string_view n) { return a.name < n; });
    assert(place != list.end() && place->name == name);
    return static_cast<std::uint8_t>(place - list.begin());
}

void ActionContext::wait_on(CpuId cpu, TaskId p, ChannelId channel) const {
    enqueue_waiter(m, channel, p);
    if (statistics != nullptr) statistics->fell_asleep(p, m.globals().now, statistics->waits[channel]);
    if (trace != nullptr) trace->wait(m.globals().now, cpu, p, channel);
}

void ActionContext::sleep_until(CpuId cpu, TaskId p, Nanos end) const {
    const Nanos now = m.globals().now;
    m.task[p].wake_at = end;
    m.task[p].state = TaskState::on_timer;
    m.events().push(EventQueue::key(end, p));
    if (statistics != nullptr) statistics->fell_asleep(p, now, statistics->sleeps);
    if (trace != nullptr) trace->sleep(now, cpu, p);
}

void ActionContext::draw_next_burst_length(TaskId p) const {
    static const std::uint8_t loop = action_index("loop"), end = action_index("end of loop");
    // Maximum number of loop steps that this function executes before the task runs. The task itself
    // executes any further loop steps when it runs.
    constexpr std::uint32_t kMostLoops = 1'000;
    Task& task = m.task[p];
    if (task.remaining != Nanos{} || task.waiting_on != kNoChannel) return;
    for (std::uint32_t i = 0; i < kMostLoops; ++i) {
        const Step& step = scenario.steps[task.step];
        const ActionInfo& action = actions()[step.action];
        if (action.effect == StepEffect::compute) {
            task.remaining = scenario.durations[step.target].draw(task.stream);
            task.step = step.next;
            return;
        }
        if (step.action != loop && step.action != end) return;
        action.begin(*this, 0, p, step);  // no other task can observe this early execution
    }
}

void ActionContext::begin_service(CpuId cpu, TaskId p, ChannelId device, Nanos service) const {
    Task& task = m.task[p];
    const Nanos now = m.globals().now;
    --m.channel(device).tokens;
    task.state = TaskState::in_service;
    task.waiting_on = device;
    task.wake_at = std::min(now + service, kHorizon);
    m.events().push(EventQueue::key(task.wake_at, p));
    if (cpu == kNoCpu) return;
    if (statistics != nullptr) statistics->fell_asleep(p, now, statistics->waits[device]);
    if (trace != nullptr) trace->sleep(now, cpu, p, device);
}

void ActionContext::end_service(ChannelId device) const {
    Channel& channel = m.channel(device);
    ++channel.tokens;
    if (channel.first == kNoTask) return;
    const TaskId next = dequeue_waiter(m, device);
    begin_service(kNoCpu, next, device, m.task[next].wake_at);
}

void ActionContext::flush_tlb_mm(CpuId here, MmId mm) const {
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        Cpu& cpu = m.cpu(c);
        if (cpu.active_mm != mm || cpu.left_mm) continue;
        const bool borrowed = m.task[cpu.current].mm != mm;
        ++cpu.tlb_flushes;
        if (borrowed) cpu.left_mm = true;
        if (statistics != nullptr) {
            ++statistics->tlb_flushes;
            statistics->flush_ipis += c != here;
            statistics->left_mms += borrowed;
        }
        if (c == here) continue;
        if (trace != nullptr)
            trace->mm_event(m.globals().now, borrowed ? TraceKind::leave_mm : TraceKind::flush_ipi, c,
                            cpu.current, m.cpu(here).current, mm);
        interrupt(c, Interrupt::ipi);
    }
}

void ActionContext::take_interrupt(CpuId c, Interrupt kind) const {
    Cpu& cpu = m.cpu(c);
    const CostModel& costs = scenario.machine.costs;
    const Nanos now = m.globals().now;
    const bool begins = cpu.kernel_until <= now, idle = m.is_idle_task(cpu.current);
    const bool halted = idle && cpu.kernel_until < now;
    const Nanos stolen = halted ? costs.steal.time : Nanos{};
    const Nanos handler = costs.cost_of(kind);
    if (statistics != nullptr) {
        if (begins && idle)
            statistics->add_idle_time(c, cpu.kernel_until, now);
        else if (begins)
            statistics->add_user_time(cpu.current, now - cpu.kernel_until);
        statistics->steals += halted;
        statistics->add_interrupt_time(c, cpu.current, begins, stolen, handler);
    }
    if (trace != nullptr) trace->interrupt(now, c, cpu.current, stolen + handler, stolen);
    if (begins) cpu.kernel_until = now;
    cpu.kernel_until += stolen + handler;
    if (!idle) cpu.burst_end += stolen + handler;
    cpu.deadline = cpu.need_resched ? cpu.kernel_until : idle ? kHorizon : end_of_burst_or_slice(c);
}

void ActionContext::log_wake_up_check(TaskId woken, CpuId here, std::uint64_t cpus_to_reschedule) const {
    if (!trace->logs_checks) return;
    const std::uint16_t last = m.task[woken].last_processor;
    CpuId c = here;
    if (cpus_to_reschedule != 0)
        c = static_cast<CpuId>(std::countr_zero(cpus_to_reschedule));
    else if (policy.has_queue_per_cpu())
        c = m.task[woken].policy_byte;  // task_cpu()
    else if (last != Task::kNoProcessor && m.may_run(woken, last))
        c = last;
    else
        while (!m.may_run(woken, c)) c = (c + 1) % m.shape().cpus;
    const TaskId current = m.cpu(c).current;
    ReschedCheck check{.at = ReschedCheck::Point::wake_up,
                       .time = m.globals().now,
                       .cpu = c,
                       .task = woken,
                       .current = current,
                       .asks = cpus_to_reschedule != 0,
                       .pending = m.cpu(c).need_resched};
    if (!m.is_idle_task(current))
        check.reason = policy.wake_reason(m, woken, current, cpus_to_reschedule != 0,
                                          [this](TaskId p) { return scenario.task_name(m, p); });
    trace->checks.push_back(std::move(check));
}

void ActionContext::log_resched_check(CpuId c, bool asks, ReschedCheck::Point at) const {
    if (!trace->logs_checks) return;
    const TaskId p = m.cpu(c).current;
    trace->checks.push_back({.at = at,
                             .time = m.globals().now,
                             .cpu = c,
                             .task = p,
                             .current = p,
                             .asks = asks,
                             .pending = m.cpu(c).need_resched,
                             .reason = at == ReschedCheck::Point::yield
                                           ? std::string()
                                           : policy.tick_reason(m, p, at, asks, [this](TaskId q) {
                                                 return scenario.task_name(m, q);
                                             })});
}

void ActionContext::ask_to_reschedule(std::uint64_t cpus, CpuId here, TaskId p, ReschedCause cause) const {
    for (CpuId c = 0; cpus != 0; ++c, cpus >>= 1) {
        if ((cpus & 1) == 0) continue;
        if (c == here) {
            m.set_need_resched(c, cause, p);
            continue;
        }
        if (m.cpu(c).need_resched) continue;  // an earlier request to reschedule is pending
        m.set_need_resched(c, cause, p, scenario.machine.costs.reschedule_ipi.time);
        if (scenario.machine.idle == MachineSpec::IdleMode::mwait && m.is_idle_task(m.cpu(c).current))
            continue;
        m.cpu(c).ipi_pending = interrupts_take_time;
        if (statistics != nullptr) ++statistics->reschedule_ipis;
        if (trace != nullptr) trace->reschedule_ipi(m.globals().now, c, m.cpu(c).current, p);
    }
}

void ActionContext::count_end_of_channel_wait(TaskId woken, TaskId waker) const {
    const Task& task = m.task[woken];
    const bool served = task.state == TaskState::in_service;
    if (scenario.is_uninterruptible(m, woken))
        statistics->io_wait_ended(task.last_processor, m.globals().now);
    statistics->wait_ended(woken, m.globals().now, task.waiting_on, task.group,
                           served || waker == kNoTask ? WaitAttribution::kNoWaker : m.task[waker].group);
}

}  // namespace sim
