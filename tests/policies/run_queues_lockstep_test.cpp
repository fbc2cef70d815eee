// Lockstep test of the policies with per-CPU run queues against simple reference models, with random events
// at random times, on one to eight CPUs.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "sim/policies/fair_state.h"
#include "sim/policies/linux_2_6_20.h"
#include "tests/reference/run_queues_model.h"
#include "tests/support/run_queue_driver.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace run_queues_lockstep_test {

using reference2620::Linux2620Model;
using reference_fair::FairModel;
using reference_queues::RunQueuesModel;
using Kernel = RunQueuesModel::Kernel;

struct Variant {
    const char* spec;
    Kernel kernel;
    bool group_sched;
};

constexpr Variant kVariants[] = {
    {"linux-2.6.20", Kernel::linux_2_6_20, false},          {"linux-2.6.24", Kernel::linux_2_6_24, false},
    {"linux-2.6.32", Kernel::linux_2_6_32, false},          {"linux-6.6", Kernel::linux_6_6, false},
    {"linux-6.6:group_sched=yes", Kernel::linux_6_6, true},
};

constexpr std::uint32_t kMostCpus = 8;

using Counts = RunQueuesModel::Counts;
constexpr struct {
    const char* name;
    long long Counts::*count;
} kCounts[] = {
    {"migrations at a tick", &Counts::at_tick},
    {"migrations to a CPU without work", &Counts::when_idle},
    {"pushes", &Counts::pushed},
    {"migrations at wake-up", &Counts::woken},
    {"migrations at exec", &Counts::exec},
    {"migrations at fork", &Counts::forked},
    {"migrations of waiting real-time tasks", &Counts::real_time_moved},
    {"migrations of woken and new real-time tasks", &Counts::real_time_placed},
    {"moves of counted tasks", &Counts::counted},
    {"moves by load", &Counts::by_load},
    {"moves only after shifts", &Counts::after_shift},
    {"examinations that permit only the running task", &Counts::only_running},
    {"pushes that reset failures", &Counts::resets},
    {"amounts because of the tolerance", &Counts::tolerated},
    {"kept amounts below a task", &Counts::kept},
    {"kept amounts of 0", &Counts::kept_zero},
    {"busiest groups below the mean", &Counts::below_mean},
    {"busiest groups of several CPUs that are spare", &Counts::wide_spare},
    {"busiest groups of several CPUs that are full", &Counts::wide_full},
    {"busiest groups of several CPUs that are overloaded", &Counts::wide_overloaded},
};

struct Totals {
    std::uint64_t events = 0;
    Counts counts;
};

// Parameters of the machine and of the tasks of one run.
struct Setting {
    std::uint32_t cpus = 1, siblings = 1, cores = 64, hz = 1000;
    std::uint32_t at_start = 1, most = 4;
    std::uint32_t restricted = 0;  // percent of tasks with a restricted CPU mask
    int nice = 0;
    bool real_time = false, batch = false, idle = false;
    std::int64_t grain = 1;  // all times are multiples of this time in ns; a coarse grain creates ties
    // One core or socket of the machine is smaller than the other. One task may run on either, and many
    // light tasks may run on one CPU only. Without these conditions, fair kernels hardly ever push a task.
    bool lopsided = false;
    // One task is so heavy that the mean exceeds the loads of the other CPUs. One of these has two tasks;
    // some have a task that is a little heavier than each of the two. Without these conditions, amounts of 0
    // are rare.
    bool heavy = false;
    bool starts_quietly() const { return lopsided || heavy; }
};

// Sends the same events to the policy and to the model.
class Pair {
  public:
    Pair(const Variant& variant, const Policy& policy, std::uint32_t cpus, std::uint64_t seed, Totals& totals)
        : variant_(variant),
          policy_(policy),
          random_(seed),
          setting_(draw(cpus)),
          driver_(policy, {.cpus = cpus,
                           .tasks = setting_.most,
                           .hz = setting_.hz,
                           .siblings = setting_.siblings,
                           .cores = setting_.cores}),
          model_(variant.kernel,
                 {.cpus = static_cast<int>(cpus),
                  .siblings = static_cast<int>(setting_.siblings),
                  .cores = static_cast<int>(setting_.cores),
                  .hz = static_cast<int>(setting_.hz)},
                 variant.group_sched),
          totals_(totals) {}

    // Returns the first mismatch, or an empty string.
    std::string run(int events) {
        for (std::uint32_t i = 0; i < setting_.at_start; ++i) begin(i);
        what_ = "start";
        driver_.settle();
        model_.settle();
        if (std::string difference = compare(); !difference.empty()) return difference;
        for (int i = 0; i < events; ++i)
            if (std::string difference = event(i); !difference.empty()) return difference;
        for (const auto& [name, count] : kCounts) totals_.counts.*count += model_.counts().*count;
        return {};
    }

  private:
    bool is_o1() const { return variant_.kernel == Kernel::linux_2_6_20; }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    int below_int(int n) { return static_cast<int>(below(static_cast<std::uint32_t>(n))); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

    Setting draw(std::uint32_t cpus) {
        Setting s;
        s.cpus = cpus;
        s.siblings = 1U << below(3);
        constexpr std::uint32_t kCores[] = {1, 2, 4, 64};
        s.cores = kCores[below(4)];
        if (is_o1() && one_in(4)) s.hz = 100;
        s.most = one_in(12) ? 60 : 4 + below(3 * cpus + 4);
        s.at_start = 1 + below(s.most - 2);
        s.restricted = below(3) * 20;
        s.nice = one_in(2) ? 0 : one_in(3) ? 20 : 4;
        s.real_time = one_in(3);
        s.batch = one_in(3);
        s.idle = !is_o1() && one_in(4);
        s.grain = one_in(3) ? 250'000 : 1;
        s.lopsided = (cpus == 6 || cpus == 7) && one_in(2);
        if (s.lopsided) {
            s.siblings = 1U << (2 * below(2));  // one group has four CPUs, the other two or three
            s.cores = s.siblings == 1 ? 4 : 64;
            s.at_start = 8 + below(2);
            s.most = s.at_start + 2;
            s.batch = s.idle = s.real_time = false;
        }
        s.heavy = cpus >= 3 && !s.lopsided && one_in(5);
        if (s.heavy) {
            s.at_start = cpus + 1;
            s.most = s.at_start + 3;
            s.nice = 0;
        }
        return s;
    }

    int some_nice() {
        const int range = setting_.nice;
        return range == 0 ? 0 : std::max(below_int(2 * range) - range, -20);
    }

    std::uint64_t some_cpus() {
        const std::uint64_t all = (std::uint64_t{1} << setting_.cpus) - 1;
        if (below(100) >= setting_.restricted) return one_in(2) ? all : ~std::uint64_t{0};
        for (;;)
            if (const std::uint64_t some = random_() & all; some != 0) return some;
    }

    // Starts a task. `number`: its index among the tasks at the start; ~0U if the task starts later.
    void begin(std::uint32_t number) {
        RunQueuesModel::Spec theirs{.id = next_id_++};
        RunQueueDriver::Spec ours{.id = theirs.id};
        theirs.nice = some_nice();
        theirs.allowed = some_cpus();
        if (setting_.heavy) theirs.nice = number == 0 ? -20 : one_in(3) ? -2 : 0;
        if (setting_.lopsided) {
            const bool heavy = number == 0;
            theirs.nice = heavy ? 0 : (is_o1() ? 16 : 8) + below_int(3);
            theirs.allowed = heavy ? 0b010001 : 0b100000;
        }
        ours.priority = 20 - theirs.nice;
        ours.allowed = theirs.allowed;
        if (setting_.real_time && one_in(3)) {
            const bool fifo = one_in(2);
            theirs.cls = fifo ? RunQueuesModel::Class::fifo : RunQueuesModel::Class::rr;
            ours.sched_class = fifo ? SchedClass::fifo : SchedClass::rr;
            theirs.rt_priority = ours.rt_priority = 1 + below_int(one_in(4) ? 99 : 3);
            if (!fifo && !is_o1()) {
                // Some turns are nearly over at the start, because few turns of 100 ticks would end within
                // a run.
                theirs.turn = one_in(2) ? 1 + below_int(10) : 100;
                ours.set_policy_state = [turn = theirs.turn](Machine& m, TaskId p) { m.counter[p] = turn; };
            }
        } else if (setting_.batch && one_in(3)) {
            theirs.cls = RunQueuesModel::Class::batch;
            ours.sched_class = SchedClass::batch;
        } else if (setting_.idle && one_in(3)) {
            theirs.cls = RunQueuesModel::Class::idle;
            ours.sched_class = SchedClass::idle;
        }
        if (is_o1()) {
            theirs.kernel_thread = ours.kernel_thread = one_in(5);
            if (theirs.cls != RunQueuesModel::Class::batch)
                theirs.sleep_avg = static_cast<long long>(below(1'000'000'001));
            ours.set_policy_state = [sleep_avg = theirs.sleep_avg](Machine& m, TaskId p) {
                m.of_task<o1::TaskFields>(p).sleep_avg = sleep_avg;
                m.of_task<o1::TaskFields>(p).prio = o1::effective_prio(m, p);
            };
        }
        driver_.begin(ours);
        model_.begin(theirs);
    }

    std::int64_t now() const { return driver_.machine().globals().now.count(); }

    void pass(std::int64_t ns) {
        driver_.pass(Nanos{ns});
        model_.pass_time(ns);
    }

    // Advances the time, with all ticks in it, and then performs one action of a task or an interrupt.
    std::string event(int number) {
        const std::int64_t tick = 1'000'000'000 / setting_.hz;
        const std::int64_t most = one_in(setting_.starts_quietly() ? 2 : 4) ? 20'000'000 : 1'500'000;
        const std::int64_t time =
            100'000 + static_cast<std::int64_t>(below(static_cast<std::uint32_t>(most)));
        const std::int64_t until = now() + std::max(time / setting_.grain * setting_.grain, std::int64_t{1});
        for (;;) {
            const std::int64_t next =
                (static_cast<std::int64_t>(driver_.machine().globals().ticks) + 1) * tick;
            if (next > until) break;
            pass(next - now());
            what_ = "tick";
            driver_.tick();
            model_.tick();
            if (std::string difference = compare(); !difference.empty()) return difference;
        }
        pass(until - now());

        const CpuId c = below(setting_.cpus);
        const int cpu = static_cast<int>(c);
        const bool runs = !driver_.is_idle(c);
        std::uint32_t choice = below(100);
        // In the first 20 events, tasks only wake tasks that are already awake. Light tasks (CPU 5) yield.
        if (setting_.starts_quietly() && number < 20) choice = setting_.lopsided && runs && c == 5 ? 0 : 99;
        if (runs && choice < 8) {
            what_ = fmt::format("yield on CPU {}", c);
            driver_.yield(c);
            model_.yield(cpu);
        } else if (runs && choice < 34) {
            block(c);
        } else if (runs && choice < 42 && !driver_.is_full()) {
            const int child = next_id_++;
            // A kernel thread shares its address space, the kernel's, with all its children.
            const bool kernel_thread = driver_.machine().task[driver_.current(c)].mm == kKernelMm;
            const bool thread = kernel_thread || one_in(2);
            what_ = fmt::format("fork of a {} {} on CPU {}", thread ? "thread" : "process", child, c);
            driver_.fork(c, child, thread);
            model_.fork(cpu, child, thread);
        } else if (runs && choice < 47 && driver_.machine().globals().nr_tasks > 1) {
            what_ = fmt::format("exit on CPU {}", c);
            driver_.exit(c);
            model_.exit(cpu);
        } else if (runs && choice < 55) {
            what_ = fmt::format("exec on CPU {}", c);
            driver_.exec(c);
            model_.exec(cpu);
        } else if (choice < 60) {
            const TaskId p = any_task();
            const int nice = setting_.nice == 0 ? below_int(3) - 1 : some_nice();
            what_ = fmt::format("nice {} of {}", nice, driver_.id_of(p));
            driver_.set_priority(p, 20 - nice);
            model_.set_nice(driver_.id_of(p), nice);
        } else if (choice < 62 && !driver_.is_full()) {
            what_ = fmt::format("{} begins", next_id_);
            begin(~0U);
            driver_.settle();
            model_.settle();
        } else {
            const TaskId p = any_task();
            const bool interrupt = !runs || one_in(2);
            what_ = fmt::format("{} on CPU {} wakes {}", interrupt ? "an interrupt" : "the task", c,
                                driver_.id_of(p));
            driver_.wake(p, interrupt ? WakeUp::Waker::interrupt : WakeUp::Waker::task, c);
            model_.wake(driver_.id_of(p), cpu, interrupt);
        }
        return compare();
    }

    void block(CpuId c) {
        const std::uint32_t kind = below(3);
        what_ = fmt::format("sleep {} on CPU {}", kind, c);
        driver_.block(c, kind == 0   ? WakeUp::Sleep::interruptible
                         : kind == 1 ? WakeUp::Sleep::uninterruptible
                                     : WakeUp::Sleep::pipe);
        model_.block(static_cast<int>(c), kind == 0   ? RunQueuesModel::Sleep::interruptible
                                          : kind == 1 ? RunQueuesModel::Sleep::uninterruptible
                                                      : RunQueuesModel::Sleep::pipe);
    }

    TaskId any_task() {
        const Machine& m = driver_.machine();
        for (;;) {
            const TaskId p = m.first_task() + below(m.globals().high_row - m.first_task());
            if (m.is_live(p)) return p;
        }
    }

    // ---- Compared state: values of the simulator and of the model, in the same order

    using Numbers = std::vector<std::int64_t>;

    const fair::RunQueueFields& fair_queue(CpuId c) const {
        const Machine& m = driver_.machine();
        if (variant_.kernel == Kernel::linux_2_6_24) return m.of_cpu<fair::RunQueueFields>(c);
        if (variant_.kernel == Kernel::linux_2_6_32) return m.of_cpu<fair::RunQueueFields2632>(c);
        return m.of_cpu<fair::RunQueueFields66>(c);
    }

    Numbers of_cpu(CpuId c) const {
        const Machine& m = driver_.machine();
        if (!is_o1()) return {fair_queue(c).min_vruntime};
        const o1::RunQueueFields& queue = m.of_cpu<o1::RunQueueFields>(c);
        return {queue.best_expired_prio, static_cast<std::int64_t>(queue.expired_timestamp)};
    }
    Numbers models_of_cpu(CpuId c) const {
        const int cpu = static_cast<int>(c);
        if (!is_o1()) return {model_.fair(cpu).min_vruntime()};
        const Linux2620Model& queue = model_.o1(cpu);
        return {queue.best_expired_prio(), queue.expired_timestamp() ? *queue.expired_timestamp() + 1 : 0};
    }

    // Returns the tasks on the queue of a CPU. A task in the expired array is listed as ~id.
    Numbers queue(CpuId c) const {
        const Machine& m = driver_.machine();
        Numbers all;
        for (TaskId p = m.next_run[c]; p != c; p = m.next_run[p]) {
            const bool expired =
                is_o1() && m.of_task<o1::TaskFields>(p).array != m.of_cpu<o1::RunQueueFields>(c).active;
            all.push_back(expired ? ~driver_.id_of(p) : driver_.id_of(p));
        }
        return all;
    }
    Numbers models_queue(CpuId c) const {
        const int cpu = static_cast<int>(c);
        Numbers all;
        if (is_o1()) {
            for (int id : model_.o1(cpu).active()) all.push_back(id);
            for (int id : model_.o1(cpu).expired()) all.push_back(~id);
        } else {
            for (int id : model_.fair(cpu).real_time_waiting()) all.push_back(id);
            for (int id : model_.fair(cpu).tree()) all.push_back(id);
        }
        return all;
    }

    // State of one task. The first element is its CPU.
    Numbers of_task(TaskId p) const {
        const Machine& m = driver_.machine();
        const std::int64_t cpu = m.task[p].policy_byte;
        if (is_o1()) {
            const o1::TaskFields& t = m.of_task<o1::TaskFields>(p);
            return {cpu, t.prio, m.counter[p], t.sleep_avg, t.first_time_slice, t.timestamp};
        }
        if (m.sched_class[p] == SchedClass::fifo) return {cpu};
        if (m.sched_class[p] == SchedClass::rr) return {cpu, m.counter[p]};
        if (variant_.kernel == Kernel::linux_2_6_24)
            return {cpu, m.of_task<fair::TaskFields2624>(p).vruntime};
        if (variant_.kernel == Kernel::linux_2_6_32) {
            const fair::TaskFields2632& t = m.of_task<fair::TaskFields2632>(p);
            return {cpu, t.vruntime, t.last_wakeup, t.start_runtime, t.total, t.avg_wakeup};
        }
        const fair::TaskFields66& t = m.of_task<fair::TaskFields66>(p);
        if (m.task[p].state != TaskState::runnable) return {cpu, t.vlag};
        const bool runs = m.task[p].processor != Task::kNoProcessor;
        return {cpu, t.vruntime, t.deadline, runs && t.vlag == t.deadline};
    }
    Numbers models_of_task(int id) const {
        const int cpu = model_.cpu_of(id);
        if (is_o1()) {
            const Linux2620Model::Task& t = model_.o1(cpu).task(id);
            return {cpu, t.prio, t.time_slice, t.sleep_avg, t.first_time_slice, t.timestamp};
        }
        const FairModel& queue = model_.fair(cpu);
        if (queue.is_real_time(id)) {
            if (queue.cls(id) == FairModel::Class::fifo) return {cpu};
            return {cpu, queue.turn(id)};
        }
        if (variant_.kernel == Kernel::linux_2_6_24) return {cpu, queue.vruntime(id)};
        if (variant_.kernel == Kernel::linux_2_6_32) {
            Numbers all{cpu, queue.vruntime(id)};
            for (long long number : queue.habits(id)) all.push_back(number);
            return all;
        }
        if (queue.asleep(id)) return {cpu, queue.lag(id)};
        return {cpu, queue.vruntime(id), queue.deadline(id), queue.has_picked_deadline(id)};
    }

    std::string differ(const std::string& what, const Numbers& a, const Numbers& b) const {
        if (a == b) return {};
        return fmt::format("{} CPUs, {} siblings, {} cores, {} Hz, at '{}', {} ns: {}: {}, the model's {}",
                           setting_.cpus, setting_.siblings, setting_.cores, setting_.hz, what_, now(), what,
                           fmt::join(a, " "), fmt::join(b, " "));
    }

    std::string compare() {
        ++totals_.events;
        const Machine& m = driver_.machine();
        for (CpuId c = 0; c < setting_.cpus; ++c) {
            const std::string where = fmt::format(" of CPU {}", c);
            const Numbers runs{driver_.id_of(driver_.current(c))};
            for (const std::string& difference :
                 {differ("the running task" + where, runs, {model_.current(static_cast<int>(c))}),
                  differ("the queue" + where, queue(c), models_queue(c)),
                  differ(is_o1() ? "best_expired_prio, expired_timestamp" + where : "min_vruntime" + where,
                         of_cpu(c), models_of_cpu(c))})
                if (!difference.empty()) return difference;
        }
        if (const std::string broken = policy_.find_violation(m); !broken.empty())
            return what_ + ": " + broken;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const int id = driver_.id_of(p);
            const std::string what =
                is_o1() ? "CPU, prio, slice, sleep_avg, first_time_slice, timestamp of "
                : variant_.kernel == Kernel::linux_6_6
                    ? "CPU and lag, or vruntime, deadline, mark of "
                    : "CPU, vruntime (2.6.32: last_wakeup, start_runtime, sum, avg_wakeup) of ";
            const std::string difference = differ(what + std::to_string(id), of_task(p), models_of_task(id));
            if (!difference.empty()) return difference;
        }
        return {};
    }

    const Variant& variant_;
    const Policy& policy_;
    std::mt19937_64 random_;
    Setting setting_;
    RunQueueDriver driver_;
    RunQueuesModel model_;
    Totals& totals_;
    int next_id_ = 0;
    std::string what_;
};

class RunQueuesLockstep : public testing::TestWithParam<Variant> {};

TEST_P(RunQueuesLockstep, MatchesReferenceModel) {
    const Variant& variant = GetParam();
    const NamedPolicy policy = make_policy(variant.spec, kMostCpus);
    Totals totals;
    const auto most = rounds<std::uint64_t>(1'000'000, 60'000, 8'000);
    for (std::uint64_t seed = 1; totals.events < most; ++seed) {
        const auto cpus = static_cast<std::uint32_t>(1 + seed % kMostCpus);
        ASSERT_EQ(Pair(variant, *policy.policy, cpus, seed, totals).run(60), "") << "seed " << seed;
    }
    std::cout << totals.events << " events\n";
    for (const auto& [name, count] : kCounts)
        if (totals.counts.*count != 0) std::cout << fmt::format("{:8} {}\n", totals.counts.*count, name);
    const Counts& counts = totals.counts;
    const auto often = [&](long long count, std::uint64_t once_in) {
        if (!kOptimised && once_in > 1000) return;  // too rare for the short runs of such builds
        EXPECT_GT(static_cast<std::uint64_t>(count), totals.events / once_in);
    };
    often(counts.at_tick, 1000);
    often(counts.when_idle, 500);
    often(counts.pushed, 20'000);
    often(counts.woken, 500);
    often(counts.exec, 1000);
    if (variant.kernel == Kernel::linux_2_6_32 || variant.kernel == Kernel::linux_6_6)
        often(counts.forked, 1000);
    often(counts.real_time_moved, 10'000);
    often(counts.real_time_placed, 10'000);
    if (variant.kernel == Kernel::linux_2_6_24 || variant.kernel == Kernel::linux_2_6_32) {
        often(counts.tolerated, 500);
        often(counts.kept, 5000);
        often(counts.kept_zero, 10'000);
    }
    if (variant.kernel == Kernel::linux_2_6_32 || variant.kernel == Kernel::linux_6_6)
        often(counts.only_running, 5000);
    if (variant.kernel == Kernel::linux_6_6) {
        often(counts.counted, 500);
        often(counts.by_load, 2000);
        often(counts.after_shift, 20'000);
        often(counts.resets, 20'000);
        often(counts.below_mean, 20'000);
        often(counts.wide_spare, 2000);
        often(counts.wide_full, 1000);
        often(counts.wide_overloaded, 500);
    }
}

INSTANTIATE_TEST_SUITE_P(All, RunQueuesLockstep, testing::ValuesIn(kVariants),
                         [](const auto& of) { return test_name(of.param.spec); });

}  // namespace run_queues_lockstep_test
}  // namespace sim
