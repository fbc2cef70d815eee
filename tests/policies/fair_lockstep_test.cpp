// Lockstep test of linux-2.6.24, linux-2.6.32 and linux-6.6 against simple reference models, with random
// events at random times.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "sim/check/policy_driver.h"
#include "sim/policies/fair_state.h"
#include "tests/reference/fair_model.h"
#include "tests/support/test_name.h"
#include "tests/support/test_sizes.h"

namespace sim {
namespace fair_lockstep_test {

using reference_fair::FairModel;
using Kernel = FairModel::Kernel;

struct Variant {
    const char* spec;
    Kernel kernel;
    bool compat_yield, group_sched;
};

constexpr Variant kVariants[] = {
    {"linux-2.6.24", Kernel::linux_2_6_24, false, false},
    {"linux-2.6.24:yield=compat", Kernel::linux_2_6_24, true, false},
    {"linux-2.6.32", Kernel::linux_2_6_32, false, false},
    {"linux-2.6.32:yield=compat", Kernel::linux_2_6_32, true, false},
    {"linux-6.6", Kernel::linux_6_6, false, false},
    {"linux-6.6:group_sched=yes", Kernel::linux_6_6, false, true},
};

struct Counts {
    std::uint64_t decisions = 0, rescheduled = 0, forks = 0, exits = 0;
};

// Sends the same events to the policy and to the model.
class Pair {
  public:
    Pair(const Variant& variant, const Policy& policy, std::uint64_t seed, Counts& counts)
        : kernel_(variant.kernel),
          policy_(policy),
          driver_(policy, kMost, 1000),
          random_(seed),
          base_(variant.kernel == Kernel::linux_6_6 || below(2) == 0 ? -(1 << 20) : 1'000'000'000),
          model_(variant.kernel, variant.compat_yield, variant.group_sched, base_),
          counts_(counts) {
        queue(driver_.mutable_machine()).min_vruntime = base_;
        ticks_ = 10 + below(60);
        classes_ = below(3) == 0;
        nice_ = below(2) == 0 ? 0 : below(3) == 0 ? 20 : 4;
        // Equal times create ties, so that the shape of the tree matters.
        grain_ = below(3) == 0 ? 250'000 : 1;
    }

    // Returns the first mismatch, or an empty string.
    std::string run(int events) {
        const std::uint32_t at_start = 1 + below(kMost - 2);
        for (std::uint32_t i = 0; i < at_start; ++i) make();
        driver_.schedule();
        model_.start();
        what_ = "start";
        if (std::string difference = compare(true); !difference.empty()) return difference;
        for (int i = 0; i < events; ++i)
            if (std::string difference = event(); !difference.empty()) return difference;
        return {};
    }

  private:
    static constexpr std::uint32_t kMost = 14;

    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    int below_int(int n) { return static_cast<int>(below(static_cast<std::uint32_t>(n))); }

    int some_nice() { return nice_ == 0 ? 0 : std::max(below_int(2 * nice_) - nice_, -20); }

    void make() {
        FairModel::Spec spec{.id = next_id_++};
        DriverTask task{.name = std::to_string(spec.id)};
        spec.nice = some_nice();
        task.priority = 20 - spec.nice;
        if (classes_ && below(3) == 0) {
            const bool batch = below(2) == 0;
            spec.cls = batch ? FairModel::Class::batch : FairModel::Class::idle;
            task.sched_class = batch ? SchedClass::batch : SchedClass::idle;
        }
        task.sleeping = spec.sleeping = below(4) == 0;
        if (kernel_ == Kernel::linux_6_6) {
            if (below(2) == 0) spec.lag = below_int(2'000'000) - 1'000'000;
        } else {
            spec.v = below_int(3'000'000);
        }
        task.set_policy_state = [this, spec](Machine& m, TaskId p) {
            if (kernel_ == Kernel::linux_2_6_24) m.of_task<fair::TaskFields2624>(p).vruntime += spec.v;
            if (kernel_ == Kernel::linux_2_6_32) m.of_task<fair::TaskFields2632>(p).vruntime += spec.v;
            if (kernel_ == Kernel::linux_6_6) m.of_task<fair::TaskFields66>(p).vlag = spec.lag;
        };
        driver_.add(task);
        model_.add(spec);
    }

    std::string event() {
        std::int64_t time = below(5) == 0 ? 0 : below(below(2) == 0 ? 1'000'000 : 20'000);
        time = time / grain_ * grain_;
        const std::uint32_t choice = below(100);
        const bool is_tick = below(100) < ticks_;
        if (is_tick) time = 1'000'000;
        driver_.advance_clock(Nanos{time});
        model_.pass_time(time);
        const TaskId current = driver_.current();
        const bool runs = !driver_.machine().is_idle_task(current);
        bool ours = false, theirs = false;
        if (is_tick) {
            what_ = "tick";
            ours = driver_.tick();
            theirs = model_.tick();
        } else if (runs && choice < 15) {
            what_ = "yield";
            ours = driver_.yield();
            theirs = model_.yield();
        } else if (runs && choice < 35) {
            what_ = "block";
            ours = driver_.block();
            theirs = model_.block();
        } else if (runs && choice < 43 && !driver_.is_full()) {
            ++counts_.forks;
            const int child = next_id_++;
            what_ = fmt::format("fork {}", child);
            ours = driver_.fork(std::to_string(child));
            theirs = model_.fork(child);
        } else if (runs && choice < 48 && driver_.machine().globals().nr_tasks > 1) {
            ++counts_.exits;
            what_ = "exit";
            ours = driver_.exit();
            theirs = model_.exit();
        } else if (choice < 58) {
            const TaskId p = any_task();
            const int nice = nice_ == 0 ? below_int(3) - 1 : some_nice();
            what_ = fmt::format("set_nice {} {}", driver_.name(p), nice);
            ours = driver_.set_priority(p, 20 - nice);
            theirs = model_.set_nice(std::stoi(driver_.name(p)), nice);
        } else {
            const TaskId p = any_task();
            const bool interrupt = !runs || below(2) == 0;
            what_ = fmt::format("{} {}", interrupt ? "irq" : "wake", driver_.name(p));
            ours = driver_.wake(p, interrupt ? WakeUp::Waker::interrupt : WakeUp::Waker::task);
            const int id = std::stoi(driver_.name(p));
            theirs = !model_.asleep(id) ? false : interrupt ? model_.irq(id) : model_.wake(id);
        }
        return compare(ours == theirs);
    }

    TaskId any_task() {
        const Machine& m = driver_.machine();
        for (;;) {
            const TaskId p = m.first_task() + below(m.globals().high_row - m.first_task());
            if (m.is_live(p)) return p;
        }
    }

    fair::RunQueueFields& queue(Machine& m) const {
        if (kernel_ == Kernel::linux_2_6_24) return m.of_cpu<fair::RunQueueFields>(0);
        if (kernel_ == Kernel::linux_2_6_32) return m.of_cpu<fair::RunQueueFields2632>(0);
        return m.of_cpu<fair::RunQueueFields66>(0);
    }

    std::vector<std::int64_t> numbers(TaskId p) const {
        const Machine& m = driver_.machine();
        if (kernel_ == Kernel::linux_2_6_24) return {m.of_task<fair::TaskFields2624>(p).vruntime};
        if (kernel_ == Kernel::linux_2_6_32) return {m.of_task<fair::TaskFields2632>(p).vruntime};
        const fair::TaskFields66& t = m.of_task<fair::TaskFields66>(p);
        if (m.task[p].state != TaskState::runnable) return {t.vlag};
        return {t.vruntime, t.deadline, p == driver_.current() && t.vlag == t.deadline};
    }
    std::vector<std::int64_t> models_numbers(int id) const {
        if (kernel_ != Kernel::linux_6_6) return {model_.vruntime(id)};
        if (model_.asleep(id)) return {model_.lag(id)};
        return {model_.vruntime(id), model_.deadline(id), model_.has_picked_deadline(id)};
    }

    template <class Numbers>
    static std::string joined(const Numbers& numbers) {
        return fmt::format("{}", fmt::join(numbers, " "));
    }

    std::string compare(bool same_call) {
        ++counts_.decisions;
        const Machine& m = driver_.machine();
        const auto differ = [&](const std::string& what, const std::string& a, const std::string& b) {
            return fmt::format("at '{}', {} ns: {}: {}, the model's {}", what_, m.globals().now.count(), what,
                               a, b);
        };
        if (!same_call) return differ("schedule()", "differs", "other");
        const int chosen =
            m.is_idle_task(driver_.current()) ? FairModel::kIdle : std::stoi(driver_.name(driver_.current()));
        if (chosen != model_.current())
            return differ("chosen", std::to_string(chosen), std::to_string(model_.current()));
        std::vector<int> tree;
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p]) tree.push_back(std::stoi(driver_.name(p)));
        if (tree != model_.tree()) return differ("tree", joined(tree), joined(model_.tree()));
        const std::int64_t min_vruntime = queue(driver_.mutable_machine()).min_vruntime;
        if (min_vruntime != model_.min_vruntime())
            return differ("min_vruntime", std::to_string(min_vruntime),
                          std::to_string(model_.min_vruntime()));
        if (kernel_ == Kernel::linux_6_6 && fair::avg_vruntime(m, 0) != model_.avg_vruntime())
            return differ("average", std::to_string(fair::avg_vruntime(m, 0)),
                          std::to_string(model_.avg_vruntime()));
        if (const std::string broken = policy_.find_violation(m); !broken.empty())
            return what_ + ": " + broken;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const std::vector<std::int64_t> a = numbers(p), b = models_numbers(std::stoi(driver_.name(p)));
            if (a != b) return differ("task " + driver_.name(p), joined(a), joined(b));
        }
        return {};
    }

    Kernel kernel_;
    const Policy& policy_;
    PolicyDriver driver_;
    std::mt19937_64 random_;
    std::int64_t base_;
    FairModel model_;
    Counts& counts_;
    std::uint32_t ticks_ = 0;
    bool classes_ = false;
    int nice_ = 0;
    std::int64_t grain_ = 1;
    int next_id_ = 0;
    std::string what_;
};

class FairLockstep : public testing::TestWithParam<Variant> {};

TEST_P(FairLockstep, MatchesReferenceModel) {
    const Variant& variant = GetParam();
    const NamedPolicy policy = make_policy(variant.spec);
    Counts counts;
    const auto most = rounds<std::uint64_t>(1'000'000, 50'000, 15'000);
    for (std::uint64_t seed = 1; counts.decisions < most; ++seed)
        ASSERT_EQ(Pair(variant, *policy.policy, seed, counts).run(400), "") << "seed " << seed;
    std::cout << fmt::format("{} events, {} forks, {} exits\n", counts.decisions, counts.forks, counts.exits);
    EXPECT_GT(counts.forks, counts.decisions / 500);
    EXPECT_GT(counts.exits, counts.decisions / 500);
}

INSTANTIATE_TEST_SUITE_P(All, FairLockstep, testing::ValuesIn(kVariants),
                         [](const auto& of) { return test_name(of.param.spec); });

}  // namespace fair_lockstep_test
}  // namespace sim
