// Reads recorded decisions of Linux 2.6.24, 2.6.32 and 6.6: order of the tree, virtual times, deadlines and
// lags.
#include <fmt/format.h>

#include "sim/check/recorded_case.h"
#include "sim/policies/fair_state.h"

namespace sim {
namespace {

class FairCase final : public RecordedCase {
  public:
    using RecordedCase::RecordedCase;

  private:
    static constexpr std::int64_t kLongest = 60'000'000'000;          // maximum length of a case, in ns
    static constexpr std::int64_t kFarthest = 1'000'000'000'000'000;  // maximum of initial virtual times
    static constexpr std::int64_t kMostLag = 10'000'000'000;

    // The outcome of one event, recorded or replayed.
    struct EventOutcome {
        std::string chosen;
        bool rescheduled = false;
        std::string tree;
        std::int64_t min_vruntime = 0, average = 0;
        Values values;  // by task name: the text after "name:" in the recorded list

        std::string text() const {
            return fmt::format(
                "chosen {}, {}, min_vruntime {}, average {}\n             tree [{}]\n             tasks "
                "[{}]\n",
                printable_excerpt(chosen), rescheduled ? "rescheduled" : "not rescheduled", min_vruntime,
                average, printable_excerpt(tree), printable_excerpt(values_text(values)));
        }
    };

    enum class Kernel { other, linux_2_6_24, linux_2_6_32, linux_6_6 };

    std::vector<std::string> keys() const override {
        return {"policy", "compat_yield", "group_sched", "case", "base", "ties", "tasks", "start", "events"};
    }
    std::vector<std::string> task_keys() const override {
        return {"name", "nice", "policy", "state", "v", "lag"};
    }
    std::uint32_t hz() const override { return 1000; }
    const char* compared_values_text(bool full_comparison) const override {
        return full_comparison ? "chosen task, reschedules, tree, min_vruntime, vruntimes, deadlines, lags"
                               : "chosen task";
    }
    std::size_t most_tasks() const override { return 64; }
    std::size_t event_name_index() const override { return 1; }

    std::vector<std::string> recorded_options(const Json& root) const override {
        std::vector<std::string> options;
        if (root.contains("compat_yield"))
            options.push_back(read_integer(root.at("compat_yield"), "/compat_yield", 1) != 0
                                  ? "yield=compat"
                                  : "yield=default");
        if (root.contains("group_sched"))
            options.push_back(read_integer(root.at("group_sched"), "/group_sched", 1) != 0
                                  ? "group_sched=yes"
                                  : "group_sched=no");
        return options;
    }

    void begin_case(const Json& root) override {
        has_average_ = root.at("policy") == "linux-6.6";
        const std::string& name = policy().name;
        kernel_ = name == "linux-2.6.24"   ? Kernel::linux_2_6_24
                  : name == "linux-2.6.32" ? Kernel::linux_2_6_32
                  : name == "linux-6.6"    ? Kernel::linux_6_6
                                           : Kernel::other;
        const std::int64_t base = read_integer(member(root, "", "base"), "/base", kFarthest, -kFarthest);
        if (kernel_ != Kernel::other) queue(driver().mutable_machine()).min_vruntime = base;
    }

    void read_task(const Json& task, const std::string& pointer, DriverTask& t) override {
        if (task.contains("nice")) t.priority = read_nice_as_priority(task.at("nice"), pointer + "/nice");
        if (task.contains("policy"))
            t.sched_class = read_sched_class(task.at("policy"), pointer + "/policy",
                                             {SchedClass::other, SchedClass::batch, SchedClass::idle});
        if (task.contains("state")) {
            const std::string state = read_string(task.at("state"), pointer + "/state");
            require(state == "running" || state == "sleeping", pointer + "/state",
                    "expected \"running\" or \"sleeping\"");
            t.sleeping = state == "sleeping";
        }
        const std::int64_t v =
            task.contains("v") ? read_integer(task.at("v"), pointer + "/v", kFarthest, -kFarthest) : 0;
        const std::int64_t lag =
            task.contains("lag") ? read_integer(task.at("lag"), pointer + "/lag", kMostLag, -kMostLag) : 0;
        t.set_policy_state = [this, v, lag](Machine& m, TaskId p) {
            if (kernel_ == Kernel::linux_2_6_24) m.of_task<fair::TaskFields2624>(p).vruntime += v;
            if (kernel_ == Kernel::linux_2_6_32) m.of_task<fair::TaskFields2632>(p).vruntime += v;
            if (kernel_ == Kernel::linux_6_6) m.of_task<fair::TaskFields66>(p).vlag = lag;
        };
    }

    void check_start(const Json& outcome) override { compare("start", outcome, "/start", 0, true); }

    void replay_event(const Json& e, const std::string& pointer) override {
        require(e.size() > 2, pointer, "expected the name of an event and its outcome");
        PolicyDriver& d = driver();
        const std::int64_t dt = read_integer(e[0], pointer + "/0", kLongest);
        const std::string name = read_string(e[1], pointer + "/1");
        now_ += dt;
        require(now_ <= kLongest, pointer + "/0", "the case is longer than 1 minute, which is the limit");
        d.advance_clock(Nanos{dt});
        if (name == "yield" || name == "block" || name == "exit" || name == "fork")
            require_running_task(name, pointer);
        before_ = tree();
        std::string what = name;
        bool rescheduled = false;
        if (name == "tick") {
            rescheduled = d.tick();
        } else if (name == "fork") {
            const std::string child = read_new_task_name(e[2], pointer + "/2");
            what += " " + child;
            rescheduled = d.fork(child);
        } else {
            if (name == "exit") recorded_.values.erase(d.name(d.current()));
            const std::optional<bool> done = replay_common_event(name, e[2], pointer + "/2", what);
            if (!done)
                fail_unknown_event(name, pointer + "/1",
                                   {"tick", "yield", "block", "exit", "wake", "fork", "set_nice"});
            rescheduled = *done;
        }
        compare(what, e, pointer, 3, rescheduled);
    }

    fair::RunQueueFields& queue(Machine& m) const {
        return kernel_ == Kernel::linux_2_6_24 ? m.of_cpu<fair::RunQueueFields>(0)
               : kernel_ == Kernel::linux_2_6_32
                   ? m.of_cpu<fair::RunQueueFields2632>(0)
                   : static_cast<fair::RunQueueFields&>(m.of_cpu<fair::RunQueueFields66>(0));
    }

    // The queued tasks, in tree order.
    std::string tree() const {
        const Machine& m = driver().machine();
        std::string text;
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
            text += (text.empty() ? "" : " ") + driver().name(p);
        return text;
    }

    std::string value_of(TaskId p) const {
        const Machine& m = driver().machine();
        if (kernel_ == Kernel::linux_2_6_24)
            return std::to_string(m.of_task<fair::TaskFields2624>(p).vruntime);
        if (kernel_ == Kernel::linux_2_6_32)
            return std::to_string(m.of_task<fair::TaskFields2632>(p).vruntime);
        const fair::TaskFields66& t = m.of_task<fair::TaskFields66>(p);
        if (m.task[p].state != TaskState::runnable) return std::to_string(t.vlag);
        const bool is_marked = p == driver().current() && t.vlag == t.deadline;
        return fmt::format("{}:{}{}", t.vruntime, t.deadline, is_marked ? ":p" : "");
    }

    // Compares the simulated outcome of an event with the recorded outcome. `e` is the JSON array of the
    // event; its elements from `first` on are the recorded outcome.
    void compare(const std::string& what, const Json& e, const std::string& pointer, std::size_t first,
                 bool rescheduled) {
        const std::size_t numbers = has_average_ ? 2 : 1;
        require(e.size() == first + 4 + numbers, pointer,
                has_average_ ? "expected an outcome of 6 elements" : "expected an outcome of 5 elements");
        const auto at = [&](std::size_t i) { return pointer + "/" + std::to_string(first + i); };
        constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
        recorded_.chosen = read_string(e[first], at(0));
        recorded_.rescheduled = read_integer(e[first + 1], at(1), 1) != 0;
        recorded_.tree = read_string(e[first + 2], at(2));
        recorded_.min_vruntime = read_integer(e[first + 3], at(3), kAny, -kAny);
        if (has_average_) recorded_.average = read_integer(e[first + 4], at(4), kAny, -kAny);
        apply_listed_changes(recorded_.values, e[first + 3 + numbers], at(3 + numbers),
                             "expected entries of the form name:number");

        PolicyDriver& d = driver();
        const Machine& m = d.machine();
        EventOutcome ours{d.name(d.current()), rescheduled, tree(), 0, 0, {}};
        if (kernel_ != Kernel::other) {
            ours.min_vruntime = queue(d.mutable_machine()).min_vruntime;
            if (has_average_ && kernel_ == Kernel::linux_6_6) ours.average = fair::avg_vruntime(m, 0);
            for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
                if (m.is_live(p)) ours.values[d.name(p)] = value_of(p);
        }
        count_decision();
        const bool same = ours.chosen == recorded_.chosen &&
                          (!is_full_comparison() ||
                           (ours.rescheduled == recorded_.rescheduled && ours.tree == recorded_.tree &&
                            ours.min_vruntime == recorded_.min_vruntime &&
                            ours.average == recorded_.average && ours.values == recorded_.values));
        if (!same) count_difference(what, pointer, before_, recorded_.text(), ours.text(), rescheduled);
    }

    Kernel kernel_ = Kernel::other;
    bool has_average_ = false;
    std::int64_t now_ = 0;  // ns
    std::string before_;
    EventOutcome recorded_;
};

}  // namespace

std::unique_ptr<RecordedCase> make_fair_case(const JsonTree& text, int line, VerifyResult& result) {
    return std::make_unique<FairCase>(text, line, result);
}

}  // namespace sim
