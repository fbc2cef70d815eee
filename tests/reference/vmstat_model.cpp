#include "tests/reference/vmstat_model.h"

#include <algorithm>

#include "tests/reference/linux_2_0_model.h"

namespace reference {
namespace {

constexpr std::int64_t kTick = 10'000'000, kSecond = 1'000'000'000;
constexpr std::int64_t kNever = INT64_MAX;

class VmstatSimulation {
  public:
    VmstatSimulation(const std::vector<Round>& tasks, const Costs& costs) : tasks_(tasks), costs_(costs) {
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            model_.add_task(static_cast<TaskId>(i) + 1, {}, true);
            // If the round of a task begins with a sleep or a wait, the task computes nothing before that.
            const bool begins_away =
                tasks[i].kind == Round::Kind::sleeper || tasks[i].kind == Round::Kind::server;
            left_.push_back(begins_away ? 0 : tasks[i].busy);
            arrives_.push_back(kNever);
            expires_.push_back(0);
        }
    }

    void until(std::int64_t end) {
        for (std::int64_t next; (next = next_instant()) < end;) {
            pass(next);
            happen();
        }
        pass(end);
    }

    VmstatSecond sums() const {
        return {.runnable = static_cast<int>(model_.queue().size()),
                .interrupts = jiffies_ + packets_,
                .switches = switches_,
                .user = static_cast<double>(user_),
                .system = static_cast<double>(now_ - user_ - idle_),
                .idle = static_cast<double>(idle_)};
    }

  private:
    bool is_idle() const { return model_.current() == kIdle; }
    std::size_t running() const { return static_cast<std::size_t>(model_.current()) - 1; }

    // The time of the next event that the CPU itself causes: the end of a burst, or the return from the
    // kernel with need_resched set.
    std::int64_t cpu_instant() const {
        if (model_.need_resched()) return std::max(now_, kernel_until_);
        return is_idle() ? kNever : std::max(now_, kernel_until_) + left_[running()];
    }
    std::int64_t next_instant() const {
        const std::int64_t packet = *std::min_element(arrives_.begin(), arrives_.end());
        return std::min({packet, (jiffies_ + 1) * kTick, cpu_instant()});
    }

    void pass(std::int64_t to) {
        const std::int64_t outside_kernel = std::max<std::int64_t>(0, to - std::max(now_, kernel_until_));
        if (is_idle()) {
            idle_ += outside_kernel;
        } else {
            user_ += outside_kernel;
            left_[running()] -= outside_kernel;
        }
        now_ = to;
    }

    // Processes all events at the current time in the kernel's order: packet interrupts; the timer interrupt,
    // which charges the running task; expired timers; then the running task continues.
    void happen() {
        const std::int64_t cpu = cpu_instant();
        for (std::size_t i = 0; i < tasks_.size(); ++i) {
            if (arrives_[i] != now_) continue;
            arrives_[i] = kNever;
            ++packets_;
            come_back(i);
        }
        if (now_ == (jiffies_ + 1) * kTick) {
            ++jiffies_;
            model_.tick();
            for (std::size_t i = 0; i < tasks_.size(); ++i)
                if (expires_[i] == jiffies_) come_back(i);
        }
        if (now_ != std::min(cpu, cpu_instant())) return;
        const bool in_user_mode = now_ > kernel_until_;
        if (!is_idle() && left_[running()] == 0 && (in_user_mode || !model_.need_resched()))
            next_step();
        else
            schedule(0);
    }

    void come_back(std::size_t i) {
        expires_[i] = 0;
        left_[i] = tasks_[i].busy;
        model_.wake(static_cast<TaskId>(i) + 1);
    }

    void next_step() {
        const std::size_t i = running();
        const Round& task = tasks_[i];
        switch (task.kind) {
            case Round::Kind::hog:
                return;  // never reached: the round of a hog does not end
            case Round::Kind::sleeper:
                // timespectojiffies() rounds up, sys_nanosleep() adds one.
                expires_[i] = jiffies_ + (task.away + kTick - 1) / kTick + 1;
                model_.block();
                break;
            case Round::Kind::server:
                arrives_[i] = now_ + task.away;
                model_.block();
                break;
            case Round::Kind::yielder:
                left_[i] = task.busy;
                model_.yield();
                break;
        }
        schedule(costs_.syscall);
    }

    void schedule(std::int64_t entry) {
        const TaskId before = model_.current();
        const Decision d = model_.schedule();
        const bool switched = d.chosen != before;
        switches_ += switched ? 1 : 0;
        kernel_until_ = now_ + entry + costs_.schedule + d.considered * costs_.considered +
                        d.recalculated * costs_.recalculated + (switched ? costs_.context_switch : 0);
    }

    const std::vector<Round>& tasks_;
    const Costs& costs_;
    Linux20Model model_{YieldVariant::original, true};
    std::vector<std::int64_t> left_;     // remaining time of the burst
    std::vector<std::int64_t> arrives_;  // arrival time of a packet; kNever: none
    std::vector<std::int64_t> expires_;  // jiffy at which a timer expires; 0: none
    std::int64_t now_ = 0, kernel_until_ = 0, jiffies_ = 0;
    std::int64_t packets_ = 0, switches_ = 0, user_ = 0, idle_ = 0;
};

}  // namespace

VmstatSecond vmstat_second(const std::vector<Round>& tasks, const Costs& costs) {
    VmstatSimulation simulation(tasks, costs);
    simulation.until(kSecond);
    const VmstatSecond before = simulation.sums();
    simulation.until(2 * kSecond);
    VmstatSecond second = simulation.sums();
    second.interrupts -= before.interrupts;
    second.switches -= before.switches;
    const auto share = [](double after, double earlier) { return (after - earlier) * 100 / double{kSecond}; };
    second.user = share(second.user, before.user);
    second.system = share(second.system, before.system);
    second.idle = share(second.idle, before.idle);
    return second;
}

}  // namespace reference
