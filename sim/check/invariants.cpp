#include "sim/check/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/core/summary.h"

namespace sim {
namespace {

using Kind = ChannelSpec::Kind;

// Checks one machine. Each check returns a description of the first broken rule, or an empty string.
class InvariantChecker {
  public:
    InvariantChecker(const Machine& m, const Scenario& scenario, const Policy& policy,
                     const Statistics* statistics)
        : m_(m),
          g_(m.globals()),
          scenario_(scenario),
          policy_(policy),
          statistics_(statistics),
          rows_(m.first_task() + m.shape().tasks),
          places_(rows_, 0) {}

    // Returns a ready task that an idle CPU may run and that no CPU is about to pick; kNoTask: none. A CPU
    // that is about to reschedule can pick one task only. Considers only idle CPUs accepted by is_idle()
    // and ready tasks accepted by is_ready().
    template <class IsIdle, class IsReady>
    TaskId find_overlooked_task(IsIdle is_idle, IsReady is_ready) const {
        std::uint64_t asked = 0, idle = 0;
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            const Cpu& cpu = m_.cpu(c);
            if (cpu.need_resched)
                asked |= std::uint64_t{1} << c;
            else if (m_.is_idle_task(cpu.current) && is_idle(c))
                idle |= std::uint64_t{1} << c;
        }
        if (idle == 0) return kNoTask;
        std::vector<TaskId> assigned_tasks(
            m_.shape().cpus,
            kNoTask);  // for each CPU that is about to reschedule: the task assigned to it
        for (TaskId p = m_.first_task(); p < g_.high_row; ++p) {
            if (m_.task[p].state != TaskState::runnable || m_.task[p].processor != Task::kNoProcessor)
                continue;
            if (!is_ready(p) || !may_run_on_one_of(p, idle)) continue;
            std::uint64_t untried_cpus = asked;
            if (!assign_cpu(p, untried_cpus, assigned_tasks)) return p;
        }
        return kNoTask;
    }

    std::string first_broken_rule() {
        if (statistics_ != nullptr)
            if (std::string broken = check_statistics(); !broken.empty()) return broken;
        for (const auto rule : {&InvariantChecker::check_cpus, &InvariantChecker::check_timers,
                                &InvariantChecker::check_queues, &InvariantChecker::check_tasks,
                                &InvariantChecker::check_policy_state, &InvariantChecker::check_channels,
                                &InvariantChecker::check_address_spaces, &InvariantChecker::check_residency,
                                &InvariantChecker::check_idle_cpus, &InvariantChecker::check_device_waits})
            if (std::string broken = (this->*rule)(); !broken.empty()) return broken;
        return {};
    }

  private:
    std::string check_statistics() {
        const Statistics& s = *statistics_;
        const TimeParts time = elapsed_time_parts(scenario_, s, m_);
        const Nanos expected = g_.now * m_.shape().cpus;
        if (time.total() != expected)
            return fmt::format("time is not conserved: the parts add up to {} ns, expected {} ns",
                               time.total().count(), expected.count());
        bool negative = time.user < Nanos{} || time.idle < Nanos{};
        for (const auto part : kOverheadParts) negative = negative || time.overhead.*part < Nanos{};
        if (negative) return "a part of the time (user, kernel or idle) is negative";
        if (s.switches.total() != g_.switches)
            return "the counts of the switches differ between the statistics and the machine";

        const SwitchCounts& n = s.switches;
        if (n.to_idle + n.kernel_thread + n.same_mm + n.other_mm != n.total())
            return "the switches by destination do not add up to the total";
        std::uint64_t caused = s.arrivals.switches + s.sleeps.switches + s.exit_switches;
        for (const WaitStatistics& w : s.waits) caused += w.switches;
        if (caused != n.voluntary) return "the voluntary switches by cause do not add up to the total";
        std::uint64_t switches = 0, to_idle = 0, migrations = 0;
        Nanos idle{};
        for (const Statistics::CpuStats& of : s.cpus) {
            switches += of.switches;
            to_idle += of.to_idle;
            migrations += of.migrations;
            idle += of.idle;
        }
        if (switches != n.total() || to_idle != n.to_idle || migrations != s.migrations)
            return "the switches or migrations by CPU do not add up to the total";
        if (idle != s.idle) return "the idle times of the CPUs do not add up to the total idle time";
        std::vector<WaitStatistics> blamed(s.waits.size());
        for (const WaitAttribution& b : s.wait_attributions) {
            blamed[b.channel].switches += b.waits;
            blamed[b.channel].waited += b.waited;
        }
        for (ChannelId c = 0; c < s.waits.size(); ++c)
            if (blamed[c].waited != s.waits[c].waited || blamed[c].switches > s.waits[c].switches)
                return fmt::format("the waits for {} counted by waker do not add up to the total", name(c));
        return {};
    }

    std::string check_device_waits() {
        if (statistics_ == nullptr) return {};
        std::vector<std::uint32_t> waiting(m_.shape().cpus);
        for (TaskId p = m_.first_task(); p < g_.high_row; ++p)
            if (scenario_.is_uninterruptible(m_, p)) ++waiting[m_.task[p].last_processor];
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            const Statistics::CpuStats& of = statistics_->cpus[c];
            if (of.nr_iowait != waiting[c])
                return fmt::format("{} tasks of cpu{} wait for devices, but nr_iowait is {}", waiting[c], c,
                                   of.nr_iowait);
            if (of.io_wait < Nanos{} || of.io_wait > of.idle)
                return fmt::format("cpu{} waited longer for devices than it was idle", c);
        }
        return {};
    }

    std::string check_cpus() {
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            const Cpu& cpu = m_.cpu(c);
            const TaskId p = cpu.current;
            if (p >= rows_ || !m_.is_live(p)) return fmt::format("cpu{} runs a task that does not exist", c);
            if (m_.is_idle_task(p) && p != c)
                return fmt::format("cpu{} runs the idle task of another CPU", c);
            if (m_.task[p].state != TaskState::runnable) return fmt::format("cpu{} runs a sleeping task", c);
            if (m_.task[p].processor != c)
                return fmt::format("the task that cpu{} runs is recorded on a different CPU", c);
            if (!m_.is_idle_task(p) && !m_.may_run(p, c))
                return fmt::format("cpu{} runs a task whose affinity excludes this CPU", c);
            if (!policy_.keeps_running_task_queued() && !m_.is_idle_task(p)) ++places_[p];
            if (g_.is_stopped) continue;  // the run may have stopped in the middle of a program
            if (cpu.pending_work != Nanos{}) return fmt::format("cpu{} has uncharged kernel work", c);
            if (policy_.has_slices() && !m_.is_idle_task(p) && !cpu.need_resched &&
                cpu.deadline > std::max(m_.slice_end(c), cpu.kernel_until))
                return fmt::format("the next event of cpu{} comes after the end of the slice", c);
            if (policy_.has_slices() && m_.is_idle_task(p) && m_.slice_end(c) != kHorizon)
                return fmt::format("cpu{} is idle, but a slice is set for it", c);
            if (cpu.deadline < g_.now) return fmt::format("the next event of cpu{} is in the past", c);
            if (cpu.need_resched && cpu.deadline == kHorizon)
                return fmt::format("cpu{} has need_resched set but will never reschedule", c);
            if (m_.is_idle_task(p) && !cpu.need_resched && cpu.deadline != kHorizon)
                return fmt::format("cpu{} is idle, but a next event is set for it", c);
            if (!m_.is_idle_task(p) && cpu.deadline > cpu.burst_end)
                return fmt::format("the next event of cpu{} comes after the end of the burst", c);
        }
        for (TaskId p = m_.first_task(); p < g_.high_row; ++p) {
            const std::uint16_t where = m_.task[p].processor;
            if (!m_.is_live(p) || where == Task::kNoProcessor) continue;
            if (where >= m_.shape().cpus || m_.cpu(where).current != p)
                return fmt::format("task {} does not run on its recorded CPU", scenario_.task_name(m_, p));
        }
        return {};
    }

    std::string check_timers() {
        if (!m_.events().is_consistent(rows_)) return "the event queue is not a valid tournament tree";
        for (TaskId p = 0; p < rows_; ++p) {
            const TaskState state = m_.task[p].state;
            if (!m_.events().contains(p)) {
                if (p < m_.first_task() || state != TaskState::in_service) continue;
                return "a device serves a task that has no timer";
            }
            if (!m_.has_event(p)) return "a timer is pending for a task that is awake";
            if (m_.events().time_of_task(p) != m_.task[p].wake_at) return "a timer is set to the wrong time";
            if (m_.task[p].wake_at < g_.now) return "a timer was missed";
            if (state == TaskState::on_timer && !ends_at_a_tick(m_.task[p].wake_at))
                return "a sleep would end between two ticks instead of at a tick";
            ++places_[p];
        }
        return check_timer_interrupts();
    }

    std::string check_timer_interrupts() const {
        if (g_.next_tick == kHorizon) return {};  // the machine of a PolicyDriver has no ticks
        if (g_.now > g_.next_interrupt) return "a timer interrupt was missed";
        if (g_.next_tick != scenario_.time_of_tick(g_.ticks + 1)) return "the next tick is at the wrong time";
        const auto groups = tick_groups(scenario_.machine, policy_, m_.shape().cpus);
        if (g_.tick_group >= groups.size()) return "the next timer interrupt is for CPUs that do not exist";
        const std::uint64_t tick = g_.ticks + (g_.tick_group == 0 ? 1 : 0);
        if (g_.next_interrupt != scenario_.time_of_tick(tick) + groups[g_.tick_group].phase)
            return "the next timer interrupt is at the wrong time";
        return {};
    }

    std::string check_queues() {
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            TaskId before = c;
            std::uint32_t length = 0;
            for (TaskId p = m_.next_run[c]; p != c; before = p, p = m_.next_run[p]) {
                if (p >= rows_ || ++length > rows_ || m_.prev_run[p] != before)
                    return "the links of the run queue are inconsistent";
                if (m_.task[p].state != TaskState::runnable)
                    return fmt::format("the task in row {} is on the run queue but not runnable", p);
                ++places_[p];
            }
        }
        for (ChannelId c = 0; c < m_.shape().channels; ++c) {
            std::uint32_t length = 0;
            TaskId last = kNoTask;
            for (TaskId p = m_.channel(c).first; p != kNoTask; last = p, p = m_.task[p].wait_next) {
                if (p >= rows_ || ++length > rows_) return "the links of a channel's queue are inconsistent";
                if (m_.task[p].state != TaskState::waiting || m_.task[p].waiting_on != c)
                    return "a task in the wait queue of a channel does not wait for this channel";
                ++places_[p];
            }
            if (length > 0 && m_.channel(c).last != last)
                return "the recorded last task of the wait queue of a channel is wrong";
        }
        return {};
    }

    std::string check_tasks() {
        std::int32_t most_priority = 40;  // largest priority of a task (nice -20)
        for (const TaskGroup& group : scenario_.groups)
            most_priority = std::max(most_priority, group.priority);
        const bool has_slices = policy_.has_linux_counters();
        std::uint32_t live = 0, runnable = 0;
        for (TaskId p = m_.first_task(); p < rows_; ++p) {
            if (!m_.is_live(p)) {
                if (places_[p] != 0) return fmt::format("task row {} is unused but still referenced", p);
                continue;
            }
            ++live;
            if (m_.task[p].state == TaskState::runnable) ++runnable;
            if (m_.has_pending_block(p) && !is_about_to_block(p))
                return fmt::format("task {} has to block, but no schedule() is requested",
                                   scenario_.task_name(m_, p));
            if (places_[p] != 1)
                return fmt::format("task {} is in {} queues or CPUs; expected exactly 1",
                                   scenario_.task_name(m_, p), places_[p]);
            if (!is_real_time(m_.sched_class[p]) && has_slices &&
                (m_.counter[p] < 0 || m_.counter[p] > 2 * most_priority))
                return fmt::format("task {} has an invalid counter: {}", scenario_.task_name(m_, p),
                                   m_.counter[p]);
        }
        if (live != g_.nr_tasks)
            return fmt::format("{} tasks are alive, but nr_tasks is {}", live, g_.nr_tasks);
        if (runnable != g_.nr_running)
            return fmt::format("{} tasks are runnable, but nr_running is {}", runnable, g_.nr_running);
        return {};
    }

    // For a task p that an intervention blocks (Machine::has_pending_block()). Returns true if p is still
    // awake and one of these is true: p does not run; the CPU of p will call schedule() (need_resched); the
    // run has stopped.
    bool is_about_to_block(TaskId p) const {
        if (m_.task[p].state != TaskState::runnable) return false;
        const std::uint16_t cpu = m_.task[p].processor;
        return cpu == Task::kNoProcessor || m_.cpu(cpu).need_resched || g_.is_stopped;
    }

    std::string check_policy_state() { return policy_.find_violation(m_); }

    // Invariants of channels, locks, pipes and devices.
    std::string check_channels() {
        const std::uint32_t channels = m_.shape().channels;
        std::vector<std::uint32_t> served(channels, 0), retrying(channels, 0);
        for (TaskId p = m_.first_task(); p < g_.high_row; ++p) {
            const Task& task = m_.task[p];
            if (!m_.is_live(p) || task.waiting_on == kNoChannel || task.state == TaskState::waiting) continue;
            const Kind kind = scenario_.channels[task.waiting_on].kind;
            if (task.state == TaskState::in_service && kind == Kind::device)
                ++served[task.waiting_on];
            else if (task.state == TaskState::runnable && has_retry_after_wake_up(kind))
                ++retrying[task.waiting_on];
            else
                return fmt::format("task {} refers to a channel but does not wait for it",
                                   scenario_.task_name(m_, p));
        }
        for (ChannelId c = 0; c < channels; ++c)
            if (std::string broken = check_channel(c, served[c], retrying[c]); !broken.empty()) return broken;
        return {};
    }

    // Checks one channel. `served`: number of tasks that the device serves; `retrying`: number of woken
    // tasks that have not yet tried again to use the channel.
    std::string check_channel(ChannelId c, std::uint32_t served, std::uint32_t retrying) const {
        const Channel& channel = m_.channel(c);
        const ChannelSpec& spec = scenario_.channels[c];
        const bool waits = channel.first != kNoTask;
        if (channel.owner != kNoTask && spec.kind != Kind::lock)
            return fmt::format("{} has an owner but is not a lock", name(c));
        switch (spec.kind) {
            case Kind::parking:
                if (channel.tokens > 1) return fmt::format("{} has more than one permit", name(c));
                [[fallthrough]];
            case Kind::channel:
                if (waits && channel.tokens > 0)
                    return fmt::format("{} has waiting tasks and unused wake-ups", name(c));
                break;
            case Kind::lock:
                if (channel.tokens > 1) return fmt::format("{} is recorded as free more than once", name(c));
                if (channel.tokens == 1 && channel.owner != kNoTask)
                    return fmt::format("{} is free but has an owner", name(c));
                // An intervention can kill a task that holds locks; these locks remain taken without an
                // owner.
                if (channel.tokens == 0 && channel.owner == kNoTask &&
                    g_.interventions + g_.next_intervention == 0)
                    return fmt::format("{} is taken but has no owner", name(c));
                if (channel.owner != kNoTask && (channel.owner >= rows_ || !m_.is_live(channel.owner)))
                    return fmt::format("{} is held by a task that does not exist", name(c));
                if (waits && channel.tokens > 0 && retrying == 0)
                    return fmt::format("{} is free, tasks wait for it, and none was woken", name(c));
                break;
            case Kind::pipe_readers:
                if (channel.tokens + m_.channel(c + 1).tokens != scenario_.channels[c + 1].capacity)
                    return fmt::format("{} has lost or gained bytes", name(c));
                if (waits && channel.tokens > 0 && retrying == 0)
                    return fmt::format("{} has data, readers wait, and none was woken", name(c));
                break;
            case Kind::pipe_writers:
                if (waits && channel.tokens == spec.capacity && retrying == 0)
                    return fmt::format("{} is empty, writers wait, and none was woken", name(c));
                break;
            case Kind::device:
                if (channel.tokens + served != spec.capacity)
                    return fmt::format(
                        "the capacity of {} is {}; expected served requests ({}) plus free capacity ({})",
                        name(c), spec.capacity, served, channel.tokens);
                if (waits && channel.tokens > 0)
                    return fmt::format("{} has room, but tasks wait for it", name(c));
                break;
        }
        return {};
    }

    std::string check_address_spaces() {
        const MmId mms = m_.shape().mms;
        // The machine of a PolicyDriver (policy_driver.h) has no table of address spaces.
        if (mms == 0) return {};
        std::vector<std::uint32_t> users(mms, 0), borrowers(mms, 0);
        for (TaskId p = m_.first_task(); p < g_.high_row; ++p) {
            if (!m_.is_live(p)) continue;
            if (m_.task[p].mm >= g_.next_mm) return "a task has an address space that does not exist";
            ++users[m_.task[p].mm];
        }
        const bool lazy = scenario_.machine.lazy_tlb.value_or(policy_.lazy_tlb());
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            const Cpu& cpu = m_.cpu(c);
            const MmId own = m_.task[cpu.current].mm;
            if (cpu.active_mm >= g_.next_mm) return "a CPU has loaded an address space that does not exist";
            if (own != kKernelMm) {
                if (cpu.active_mm != own || cpu.left_mm)
                    return fmt::format("cpu{} has not loaded the address space of its task", c);
                continue;
            }
            if (cpu.active_mm != kKernelMm && !lazy && g_.interventions == 0)
                return fmt::format("cpu{} borrows an address space, but lazy TLB mode is off", c);
            ++borrowers[cpu.active_mm];
        }
        std::vector<bool> is_free(mms, false);
        for (MmId id = g_.free_mm; id != kKernelMm; id = m_.mm(id).users) {
            if (id >= mms || is_free[id]) return "the list of free address spaces is broken";
            if (m_.mm(id).count != 0) return fmt::format("address space {} is free but has references", id);
            is_free[id] = true;
        }
        for (MmId id = kKernelMm + 1; id < mms; ++id) {
            const Mm& mm = m_.mm(id);
            const bool in_use = users[id] + borrowers[id] > 0;
            if (is_free[id]) {
                if (in_use) return fmt::format("address space {} is free, but a task or CPU uses it", id);
                continue;
            }
            if (id > scenario_.shared_mms && id < g_.next_mm && !in_use)
                return fmt::format("address space {} is lost: neither used nor free", id);
            if (mm.users != users[id])
                return fmt::format("address space {} has {} users, but its count is {}", id, users[id],
                                   mm.users);
            if (mm.count != (users[id] > 0) + borrowers[id])
                return fmt::format("address space {} has {} references, but its reference count is {}", id,
                                   (users[id] > 0) + borrowers[id], mm.count);
        }
        return {};
    }

    std::string check_residency() {
        if (m_.shape().recent == 0) return {};
        std::uint32_t remembered = 0, resident = 0;
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            const Cpu& cpu = m_.cpu(c);
            if (cpu.recent > m_.shape().recent) return fmt::format("cpu{} lists too many recent tasks", c);
            for (std::uint32_t i = 0; i < cpu.recent; ++i, ++remembered) {
                const RecentTask& entry = m_.recent(c)[i];
                if (entry.task >= rows_ || !m_.is_live(entry.task) || m_.is_idle_task(entry.task))
                    return fmt::format("cpu{} lists a recent task that does not exist", c);
                if (m_.resident_on[entry.task] != c)
                    return fmt::format("cpu{} lists a recent task of another CPU", c);
                for (std::uint32_t j = 0; j < i; ++j)
                    if (m_.recent(c)[j].task == entry.task)
                        return fmt::format("cpu{} lists the same recent task twice", c);
            }
            if (!m_.is_idle_task(cpu.current) && (cpu.recent == 0 || m_.recent(c)[0].task != cpu.current))
                return fmt::format("the running task of cpu{} is not the first of its recent tasks", c);
        }
        for (TaskId p = m_.first_task(); p < rows_; ++p) {
            const std::uint16_t where = m_.resident_on[p];
            if (where == Task::kNoProcessor) continue;
            if (where >= m_.shape().cpus) return "a task is recorded as recent on a CPU that does not exist";
            ++resident;
        }
        if (resident != remembered) return "a task is recorded as recent on a CPU that does not list it";
        return {};
    }

    // An idle CPU may overlook a ready task until its next timer interrupt. So the check considers only
    // tasks that were ready, and CPUs that were idle, before the last timer interrupt of each CPU.
    std::string check_idle_cpus() {
        if (g_.is_stopped || statistics_ == nullptr) return {};
        if (policy_.has_queue_per_cpu()) return {};  // a task may then wait while another CPU is idle
        const bool together = tick_groups(scenario_.machine, policy_, m_.shape().cpus).size() == 1;
        if (!together && g_.ticks == 0) return {};
        const Nanos tick = scenario_.time_of_tick(together ? g_.ticks : g_.ticks - 1);
        const TaskId p =
            find_overlooked_task([&](CpuId c) { return m_.cpu(c).kernel_until < tick; },
                                 [&](TaskId q) { return statistics_->tasks[q].ready_since < tick; });
        if (p == kNoTask) return {};
        return fmt::format("task {} is ready, but a CPU that it may use stays idle",
                           scenario_.task_name(m_, p));
    }

    bool may_run_on_one_of(TaskId p, std::uint64_t cpus) const {
        for (CpuId c = 0; cpus != 0; ++c, cpus >>= 1)
            if ((cpus & 1) != 0 && m_.may_run(p, c)) return true;
        return false;
    }

    // Assigns p to a CPU that is about to reschedule, and reassigns other tasks if necessary (bipartite
    // matching by augmenting paths). Returns false if there is no CPU for p. `untried_cpus`: the CPUs not
    // visited yet in this search.
    bool assign_cpu(TaskId p, std::uint64_t& untried_cpus, std::vector<TaskId>& assigned_tasks) const {
        for (CpuId c = 0; c < m_.shape().cpus; ++c) {
            if ((untried_cpus >> c & 1) == 0 || !m_.may_run(p, c)) continue;
            untried_cpus &= ~(std::uint64_t{1} << c);
            if (assigned_tasks[c] != kNoTask && !assign_cpu(assigned_tasks[c], untried_cpus, assigned_tasks))
                continue;
            assigned_tasks[c] = p;
            return true;
        }
        return false;
    }

    bool ends_at_a_tick(Nanos time) const {
        const MachineSpec& machine = scenario_.machine;
        if (machine.hrtimers || time == kHorizon) return true;
        constexpr std::uint64_t kSecond = 1'000'000'000;
        const auto scaled = static_cast<std::uint64_t>(time.count()) * machine.hz;
        return scenario_.time_of_tick((scaled + kSecond - 1) / kSecond) == time;
    }

    static bool has_retry_after_wake_up(Kind kind) {
        return kind == Kind::lock || kind == Kind::pipe_readers || kind == Kind::pipe_writers;
    }

    std::string name(ChannelId c) const {
        const ChannelSpec& spec = scenario_.channels[c];
        const char* word =
            has_retry_after_wake_up(spec.kind) && spec.kind != Kind::lock ? "pipe" : to_string(spec.kind);
        return fmt::format("the {} '{}'", word, spec.name);
    }

    const Machine& m_;
    const Globals& g_;
    const Scenario& scenario_;
    const Policy& policy_;
    const Statistics* statistics_;
    TaskId rows_;
    // For each task: the number of timers and queues that contain the task, plus the number of CPUs that run
    // the task and have removed it from the run queue.
    std::vector<int> places_;
};

}  // namespace

TaskId find_unserved_ready_task(const Machine& m, const Scenario& scenario, const Policy& policy) {
    return InvariantChecker(m, scenario, policy, nullptr)
        .find_overlooked_task([](CpuId) { return true; }, [](TaskId) { return true; });
}

std::string check_invariants(const Machine& m, const Scenario& scenario, const Policy& policy,
                             const Statistics* statistics) {
    return InvariantChecker(m, scenario, policy, statistics).first_broken_rule();
}

}  // namespace sim
