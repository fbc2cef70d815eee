// Lockstep test of linux-2.6.20 against a simple reference model, with random events at random times.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "sim/check/policy_driver.h"
#include "sim/policies/linux_2_6_20.h"
#include "tests/reference/linux_2_6_20_model.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace o1_lockstep_test {

using reference2620::Linux2620Model;
using reference2620::Spec;

struct Counts {
    std::uint64_t decisions = 0, swaps = 0, forks = 0, exits = 0;
};

// Sends the same events to the policy and to the model.
class Pair {
  public:
    Pair(const Policy& policy, std::uint64_t seed, Counts& counts)
        : policy_(policy), driver_(policy, kMost, 1000), random_(seed), counts_(counts) {
        ticks_ = 10 + below(70);
        real_time_ = below(3) == 0;
        batch_ = below(3) == 0;
        nice_ = below(2) == 0;
        longest_ = below(20) == 0 ? 3'000'000'000 : 20'000'000;
    }

    // Returns the first mismatch, or an empty string.
    std::string run(int events) {
        const std::uint32_t at_start = 1 + below(6);
        for (std::uint32_t i = 0; i < at_start; ++i) make();
        driver_.schedule();
        model_.start();
        what_ = "start";
        if (std::string difference = compare(true, true); !difference.empty()) return difference;
        for (int i = 0; i < events; ++i)
            if (std::string difference = event(); !difference.empty()) return difference;
        return {};
    }

  private:
    static constexpr std::uint32_t kMost = 9;

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    int below_int(int n) { return static_cast<int>(below(static_cast<std::uint32_t>(n))); }

    void make() {
        Spec spec{.id = next_id_++};
        DriverTask task{.name = std::to_string(spec.id)};
        if (nice_) spec.nice = below_int(40) - 20;
        task.priority = 20 - spec.nice;
        if (real_time_ && below(3) == 0) {
            spec.cls = below(2) == 0 ? Spec::Class::fifo : Spec::Class::rr;
            task.sched_class = spec.cls == Spec::Class::fifo ? SchedClass::fifo : SchedClass::rr;
            spec.rt_priority = task.rt_priority = 1 + below_int(3);
        } else if (batch_ && below(3) == 0) {
            spec.cls = Spec::Class::batch;
            task.sched_class = SchedClass::batch;
        }
        spec.kernel_thread = below(5) == 0;
        if (spec.kernel_thread) task.mm = kKernelMm;
        if (spec.cls != Spec::Class::batch) spec.sleep_avg = static_cast<long long>(below(1'000'000'001));
        const std::int64_t sleep_avg = spec.sleep_avg;
        task.set_policy_state = [sleep_avg](Machine& m, TaskId p) {
            m.of_task<o1::TaskFields>(p).sleep_avg = sleep_avg;
            m.of_task<o1::TaskFields>(p).prio = o1::effective_prio(m, p);
        };
        const std::uint32_t state = below(6);
        if (state < 3) {
            task.sleeping = true;
            spec.state = state == 0   ? Spec::State::sleeping
                         : state == 1 ? Spec::State::disk
                                      : Spec::State::pipe;
            task.sleep = state == 0   ? WakeUp::Sleep::interruptible
                         : state == 1 ? WakeUp::Sleep::uninterruptible
                                      : WakeUp::Sleep::pipe;
        }
        driver_.add(task);
        model_.add(spec);
    }

    // Advances the time by `ns`, at most to the next tick. Returns true if that tick is due.
    bool advance_clock(std::int64_t ns) {
        const std::int64_t now = driver_.machine().globals().now.count();
        const std::int64_t tick =
            (static_cast<std::int64_t>(driver_.machine().globals().ticks) + 1) * 1'000'000;
        const std::int64_t then = std::min(now + ns, tick);
        driver_.advance_clock(Nanos{then - now});
        model_.set_time(then);
        return then == tick;
    }

    std::string tick() {
        what_ = "tick";
        const bool before = driver_active();
        const bool rescheduled = driver_.tick();
        const reference2620::Outcome o = model_.tick();
        return compare(rescheduled == o.rescheduled, (driver_active() != before) == o.swapped);
    }

    std::string event() {
        std::int64_t time = below(8) == 0 ? static_cast<std::int64_t>(random_() % longest_) : below(300'000);
        if (below(100) < ticks_) time = 1'000'000;
        const std::int64_t until = driver_.machine().globals().now.count() + time;
        while (advance_clock(until - driver_.machine().globals().now.count())) {
            if (std::string difference = tick(); !difference.empty()) return difference;
            if (driver_.machine().globals().now.count() >= until) break;
        }
        const bool before = driver_active();
        const TaskId current = driver_.current();
        const bool runs = !driver_.machine().is_idle_task(current);
        const std::uint32_t choice = below(100);
        const int id = runs ? std::stoi(driver_.name(current)) : -1;
        bool ours = false;
        reference2620::Outcome o;
        if (runs && choice < 15) {
            what_ = "yield";
            ours = driver_.yield();
            o = model_.yield();
        } else if (runs && choice < 35) {
            what_ = "block";
            const std::uint32_t kind = below(3);
            ours = driver_.block(kind == 0   ? WakeUp::Sleep::interruptible
                                 : kind == 1 ? WakeUp::Sleep::uninterruptible
                                             : WakeUp::Sleep::pipe);
            o = kind == 0 ? model_.block() : kind == 1 ? model_.disk() : model_.pipe();
        } else if (runs && choice < 43 && !driver_.is_full()) {
            ++counts_.forks;
            const int child = next_id_++;
            const bool shares = below(2) == 0;
            what_ = fmt::format("{} {}", shares ? "clone" : "fork", child);
            // A kernel thread shares its address space, the kernel's, with all its children.
            const bool is_thread = shares || model_.task(id).kernel_thread;
            ours = driver_.fork(std::to_string(child), is_thread);
            o = is_thread ? model_.clone(child) : model_.fork(child);
        } else if (runs && choice < 48 && model_.tasks().size() > 1) {
            ++counts_.exits;
            what_ = "exit";
            ours = driver_.exit();
            o = model_.exit();
        } else if (choice < 60) {
            const TaskId p = any_task();
            const int nice = below_int(40) - 20;
            what_ = fmt::format("set_nice {} {}", driver_.name(p), nice);
            ours = driver_.set_priority(p, 20 - nice);
            o = model_.set_nice(std::stoi(driver_.name(p)), nice);
        } else {
            const TaskId p = any_task();
            const bool interrupt = !runs || below(2) == 0;
            what_ = fmt::format("{} {}", interrupt ? "irq" : "wake", driver_.name(p));
            ours = driver_.wake(p, interrupt ? WakeUp::Waker::interrupt : WakeUp::Waker::task);
            o = interrupt ? model_.irq(std::stoi(driver_.name(p))) : model_.wake(std::stoi(driver_.name(p)));
        }
        return compare(ours == o.rescheduled, (driver_active() != before) == o.swapped);
    }

    TaskId any_task() {
        const Machine& m = driver_.machine();
        for (;;) {
            const TaskId p = m.first_task() + below(m.globals().high_row - m.first_task());
            if (m.is_live(p)) return p;
        }
    }

    bool driver_active() const { return driver_.machine().of_cpu<o1::RunQueueFields>(0).active != 0; }

    std::string arrays() const {
        const Machine& m = driver_.machine();
        const std::uint32_t active = m.of_cpu<o1::RunQueueFields>(0).active;
        std::string text[2];
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
            text[m.of_task<o1::TaskFields>(p).array == active ? 0 : 1] += driver_.name(p) + " ";
        return text[0] + "/ " + text[1];
    }
    std::string models_arrays() const {
        std::string text;
        for (const int id : model_.active()) text += std::to_string(id) + " ";
        text += "/ ";
        for (const int id : model_.expired()) text += std::to_string(id) + " ";
        return text;
    }

    std::string compare(bool same_call, bool same_swap) {
        ++counts_.decisions;
        counts_.swaps += driver_active() != was_active_;
        was_active_ = driver_active();
        const Machine& m = driver_.machine();
        const std::string chosen = m.is_idle_task(driver_.current()) ? std::to_string(Linux2620Model::kIdle)
                                                                     : driver_.name(driver_.current());
        const auto differ = [&](const std::string& what, const std::string& a, const std::string& b) {
            return fmt::format("at '{}', {} ns: {}: {}, the model's {}", what_, m.globals().now.count(), what,
                               a, b);
        };
        if (!same_call) return differ("schedule()", "differs", "other");
        if (!same_swap) return differ("swap", "differs", "other");
        if (chosen != std::to_string(model_.current()))
            return differ("chosen", chosen, std::to_string(model_.current()));
        if (arrays() != models_arrays()) return differ("arrays", arrays(), models_arrays());
        if (const std::string broken = policy_.find_violation(m); !broken.empty())
            return what_ + ": " + broken;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const int id = std::stoi(driver_.name(p));
            const o1::TaskFields& t = m.of_task<o1::TaskFields>(p);
            const Linux2620Model::Task& theirs = model_.task(id);
            const std::array<std::int64_t, 5> a{t.prio, m.counter[p], t.sleep_avg, t.first_time_slice,
                                                t.timestamp};
            const std::array<std::int64_t, 5> b{theirs.prio, theirs.time_slice, theirs.sleep_avg,
                                                theirs.first_time_slice, theirs.timestamp};
            if (a != b)
                return differ("prio, slice, sleep_avg, first_time_slice, timestamp of " + driver_.name(p),
                              fmt::format("{}", fmt::join(a, " ")), fmt::format("{}", fmt::join(b, " ")));
        }
        return {};
    }

    const Policy& policy_;
    PolicyDriver driver_;
    Linux2620Model model_;
    std::mt19937_64 random_;
    Counts& counts_;
    std::uint32_t ticks_ = 0;
    bool real_time_ = false, batch_ = false, nice_ = false;
    std::uint64_t longest_ = 1;
    int next_id_ = 0;
    bool was_active_ = false;
    std::string what_;
};

TEST(Linux2620, MatchesReferenceModel) {
    const NamedPolicy policy = make_policy("linux-2.6.20");
    Counts counts;
    const auto most = rounds<std::uint64_t>(1'000'000, 100'000, 8'000);
    for (std::uint64_t seed = 1; counts.decisions < most; ++seed)
        ASSERT_EQ(Pair(*policy.policy, seed, counts).run(400), "") << "seed " << seed;
    std::cout << fmt::format("{} events, {} swaps, {} forks, {} exits\n", counts.decisions, counts.swaps,
                             counts.forks, counts.exits);
    EXPECT_GT(counts.swaps, counts.decisions / 100);
    EXPECT_GT(counts.forks, counts.decisions / 500);
    EXPECT_GT(counts.exits, counts.decisions / 500);
}

}  // namespace o1_lockstep_test
}  // namespace sim
