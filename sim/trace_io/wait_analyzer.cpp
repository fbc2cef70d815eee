#include "sim/trace_io/wait_analyzer.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

constexpr Nanos kNoYield{-1};
// If a switch follows a call of sched_yield() after more than this time, the call is not its reason.
constexpr Nanos kLongestYield = 100us;

}  // namespace

void WaitAnalyzer::begin(const RunInfo& info) { begin_ = end_ = info.begin; }

int WaitAnalyzer::task_index_of(ThreadId id, const Thread& thread) {
    const auto [place, is_new] =
        task_index_.emplace(std::pair(id, thread.pid), static_cast<int>(identities_.size()));
    if (is_new) add_task({thread.pid, lives_[thread.pid]++, {}});
    identities_[static_cast<std::size_t>(place->second)].name = thread.name;
    return place->second;
}

void WaitAnalyzer::add_task(TaskIdentity task) {
    identities_.push_back(std::move(task));
    tasks_.push_back(std::make_unique<TaskWaits>());
}

void WaitAnalyzer::event(const SchedEvent& e, const Threads& threads) {
    if (cpus_.size() <= e.cpu) {
        cpus_.resize(std::size_t{e.cpu} + 1);
        yielded_.resize(cpus_.size(), kNoYield);
    }
    sleeps_.on_event(e);
    switch (e.kind) {
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            return on_wake_up(e, threads);
        case EventKind::sched_switch:
            return on_switch(e, threads);
        case EventKind::yield:
            yielded_[e.cpu] = e.time;
            return;
        case EventKind::exec: {
            if (cpus_[e.cpu].empty() || cpus_[e.cpu].back().task < 0) return;
            TaskIdentity after = identities_[static_cast<std::size_t>(cpus_[e.cpu].back().task)];
            after.life = lives_[after.pid]++;
            task_index_[{e.current, after.pid}] = static_cast<int>(identities_.size());
            cpus_[e.cpu].push_back({e.time, static_cast<int>(identities_.size()), true});
            return add_task(std::move(after));
        }
        default:
            return;
    }
}

// A task that has a CPU is not asleep yet, so a wake-up does not make it ready. A task that left in state R
// or R+, and whose CPU then ran another task, is ready already (program_lifetime.h).
void WaitAnalyzer::on_wake_up(const SchedEvent& e, const Threads& threads) {
    ReadyState& ready = ready_[threads[e.thread].pid];
    if (ready.has_cpu || (ready.is_ready && !ready.is_unclear)) return;
    ready = {.is_ready = true,
             .was_woken = true,
             .cpu = e.target,
             .since = e.time,
             .task = task_index_of(e.thread, threads[e.thread])};
}

void WaitAnalyzer::on_switch_out(const SchedEvent& e, const Threads& threads) {
    if (e.current == kIdleThread) return;
    ReadyState& ready = ready_[threads[e.current].pid];
    ready = {.task = task_index_of(e.current, threads[e.current])};
    if (e.state != PrevState::preempted && e.state != PrevState::runnable) return;
    // R+ means a preemption in the kernel. A task that is preempted on its return to user mode leaves in
    // state R, like a task that calls sched_yield().
    const bool has_yielded = e.state == PrevState::runnable && yielded_[e.cpu] != kNoYield &&
                             e.time - yielded_[e.cpu] <= kLongestYield;
    ready.is_ready = true;
    ready.is_unclear = e.thread == kIdleThread || e.is_inferred;
    ready.left_unseen = e.is_inferred;
    ready.cpu = e.cpu;
    ready.may_be_involuntary = !has_yielded && !e.is_inferred;
    ready.since = e.time;
    if (!ready.is_unclear && ready.may_be_involuntary) count_involuntary_switch(ready.task);
}

void WaitAnalyzer::count_involuntary_switch(int task) {
    ++tasks_[static_cast<std::size_t>(task)]->involuntary;
    ++all_->involuntary;
}

void WaitAnalyzer::on_switch(const SchedEvent& e, const Threads& threads) {
    on_switch_out(e, threads);
    yielded_[e.cpu] = kNoYield;
    int task = -1;
    if (e.thread != kIdleThread) {
        task = task_index_of(e.thread, threads[e.thread]);
        ReadyState& ready = ready_[threads[e.thread].pid];
        if (ready.left_unseen && sleeps_.was_asleep(ready.cpu, ready.since, e.time)) ready = {};
        for (TaskWaits* of : {tasks_[static_cast<std::size_t>(task)].get(), all_.get()}) {
            ++of->switches;
            if (!ready.is_ready) continue;
            of->waits.add(e.time - ready.since);
            if (ready.was_woken) of->latency.add(e.time - ready.since);
        }
        if (ready.is_unclear && ready.may_be_involuntary) count_involuntary_switch(ready.task);
        ready = {.has_cpu = true, .task = task};
    }
    cpus_[e.cpu].push_back({e.time, task});
}

void WaitAnalyzer::end(Nanos now) {
    end_ = now;
    for (const auto& [pid, ready] : ready_) {
        // A task whose wait begins at the end of the trace was running: all CPUs switch to the idle task
        // at that time.
        if (!ready.is_ready || ready.is_unclear || ready.since == now) continue;
        // In a trace without other wake-ups, only a new task is woken (sched_wakeup_new).
        if (ready.was_woken && sleeps_.is_new_task_asleep(ready.cpu, ready.since, now)) continue;
        for (TaskWaits* of : {tasks_[static_cast<std::size_t>(ready.task)].get(), all_.get()})
            of->unfinished.add(now - ready.since, ready.was_woken);
    }
    for (std::vector<SwitchIn>& cpu : cpus_) {
        cpu.push_back({now, -1});
        for (std::size_t i = 0; i + 1 < cpu.size(); ++i) {
            if (cpu[i].task < 0) continue;
            tasks_[static_cast<std::size_t>(cpu[i].task)]->ran += cpu[i + 1].since - cpu[i].since;
            all_->ran += cpu[i + 1].since - cpu[i].since;
        }
    }
}

namespace {

// Iterates over the changes of the current tasks of all CPUs, in order of time.
class CurrentTaskCursor {
  public:
    explicit CurrentTaskCursor(const std::vector<std::vector<SwitchIn>>& cpus)
        : cpus_(cpus), next_(cpus.size(), 0), running_(cpus.size(), -1) {}

    Nanos next_change_time() const {
        Nanos next = kHorizon;
        for (std::size_t c = 0; c < cpus_.size(); ++c)
            if (next_[c] < cpus_[c].size()) next = std::min(next, cpus_[c][next_[c]].since);
        return next;
    }
    void go_to(Nanos time) {
        for (std::size_t c = 0; c < cpus_.size(); ++c)
            while (next_[c] < cpus_[c].size() && cpus_[c][next_[c]].since <= time)
                running_[c] = cpus_[c][next_[c]++].task;
    }
    const std::vector<int>& running_tasks() const { return running_; }

  private:
    const std::vector<std::vector<SwitchIn>>& cpus_;
    std::vector<std::size_t> next_;
    std::vector<int> running_;
};

}  // namespace

PlacementAgreement placement_agreement(const WaitAnalyzer& reference, const WaitAnalyzer& compared,
                                       const std::vector<int>& index_by_task) {
    CurrentTaskCursor x(reference.switches_by_cpu()), y(compared.switches_by_cpu());
    std::int64_t all = 0, here = 0, anywhere = 0;
    for (Nanos now = std::min(x.next_change_time(), y.next_change_time()); now < kHorizon;) {
        x.go_to(now);
        y.go_to(now);
        const Nanos next = std::min(x.next_change_time(), y.next_change_time());
        if (next == kHorizon) break;
        const std::int64_t span = (next - now).count();
        for (std::size_t c = 0; c < x.running_tasks().size(); ++c) {
            if (x.running_tasks()[c] < 0) continue;
            all += span;
            const auto is_it = [&](int other) {
                return other >= 0 && static_cast<std::size_t>(other) < index_by_task.size() &&
                       index_by_task[static_cast<std::size_t>(other)] == x.running_tasks()[c];
            };
            if (c < y.running_tasks().size() && is_it(y.running_tasks()[c])) here += span;
            if (std::any_of(y.running_tasks().begin(), y.running_tasks().end(), is_it)) anywhere += span;
        }
        now = next;
    }
    if (all == 0) return {};
    return {static_cast<double>(here) / static_cast<double>(all),
            static_cast<double>(anywhere) / static_cast<double>(all)};
}

}  // namespace sim::trace_io
