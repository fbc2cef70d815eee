// Reads recorded decisions of Linux 2.6.20: the two arrays, slices, dynamic priorities and sleep averages.
#include <fmt/format.h>

#include "sim/check/recorded_case.h"
#include "sim/policies/linux_2_6_20.h"

namespace sim {
namespace {

class O1Case final : public RecordedCase {
  public:
    using RecordedCase::RecordedCase;

  private:
    static constexpr std::int64_t kLongest = 600'000'000;  // maximum length of a case, in microseconds
    static constexpr const char* kForm = "expected entries of the form name:priority:time_slice:sleep_avg";

    // The outcome of one event, recorded or replayed.
    struct EventOutcome {
        std::string chosen;
        bool rescheduled = false, swapped = false;
        std::string queues;
        Values values;  // by task name: "priority:time_slice:sleep_avg"

        std::string text() const {
            return fmt::format("chosen {}, {}, {}\n             queues [{}]\n             tasks [{}]\n",
                               printable_excerpt(chosen), rescheduled ? "rescheduled" : "not rescheduled",
                               swapped ? "arrays swapped" : "arrays not swapped", printable_excerpt(queues),
                               printable_excerpt(values_text(values)));
        }
    };

    std::vector<std::string> keys() const override {
        return {"policy", "case", "style", "tasks", "start", "events"};
    }
    std::vector<std::string> task_keys() const override {
        return {"name", "nice", "policy", "rt_priority", "sleep_avg", "time_slice", "state", "kernel"};
    }
    std::uint32_t hz() const override { return 1000; }
    const char* compared_values_text(bool full_comparison) const override {
        return full_comparison ? "chosen task, reschedules, swaps, arrays, priorities, slices, sleep averages"
                               : "chosen task";
    }
    std::size_t most_tasks() const override { return 1'000; }
    std::size_t event_name_index() const override { return 1; }
    std::vector<std::string> recorded_options(const Json&) const override { return {}; }

    bool has_priority_arrays() const { return policy().name == "linux-2.6.20"; }

    void read_task(const Json& task, const std::string& pointer, DriverTask& t) override {
        const auto small = [&](const char* key, std::int64_t most, std::int64_t least = 0) {
            return static_cast<std::int32_t>(read_integer(task.at(key), pointer + "/" + key, most, least));
        };
        if (task.contains("nice")) t.priority = read_nice_as_priority(task.at("nice"), pointer + "/nice");
        if (task.contains("policy"))
            t.sched_class =
                read_sched_class(task.at("policy"), pointer + "/policy",
                                 {SchedClass::other, SchedClass::fifo, SchedClass::rr, SchedClass::batch});
        if (task.contains("rt_priority")) t.rt_priority = small("rt_priority", 99);
        if (task.contains("time_slice")) t.counter = small("time_slice", 800, 1);
        if (task.contains("kernel") && small("kernel", 1) == 1) t.mm = kKernelMm;
        if (task.contains("state")) {
            const std::string state = read_string(task.at("state"), pointer + "/state");
            require(state == "running" || state == "sleeping" || state == "disk" || state == "pipe",
                    pointer + "/state", "expected \"running\", \"sleeping\", \"disk\" or \"pipe\"");
            t.sleeping = state != "running";
            t.sleep = state == "disk"   ? WakeUp::Sleep::uninterruptible
                      : state == "pipe" ? WakeUp::Sleep::pipe
                                        : WakeUp::Sleep::interruptible;
        }
        const std::int64_t sleep_avg =
            task.contains("sleep_avg")
                ? read_integer(task.at("sleep_avg"), pointer + "/sleep_avg", 1'000'000'000)
                : 0;
        if (has_priority_arrays())
            t.set_policy_state = [sleep_avg](Machine& m, TaskId p) {
                if (m.sched_class[p] != SchedClass::batch) m.of_task<o1::TaskFields>(p).sleep_avg = sleep_avg;
                m.of_task<o1::TaskFields>(p).prio = o1::effective_prio(m, p);
            };
    }

    void check_start(const Json& outcome) override {
        require(outcome.size() == 3, "/start", "expected 3 elements for the outcome of the first schedule()");
        recorded_.chosen = read_string(outcome[0], "/start/0");
        recorded_.rescheduled = true;
        recorded_.queues = read_string(outcome[1], "/start/1");
        apply_listed_changes(recorded_.values, outcome[2], "/start/2", kForm);
        compare("start", "/start", true, false);
    }

    void replay_event(const Json& e, const std::string& pointer) override {
        require(e.size() == 8, pointer, "expected 8 elements for an event and its outcome");
        const std::string name = read_string(e[1], pointer + "/1");
        PolicyDriver& d = driver();
        const std::int64_t now = read_integer(e[0], pointer + "/0", kLongest, now_);
        if (name == "yield" || name == "block" || name == "disk" || name == "pipe" || name == "exit" ||
            name == "fork" || name == "clone")
            require_running_task(name, pointer);
        before_ = queues_text();
        const std::uint32_t active = active_array();
        std::string what = name;
        bool rescheduled = false;
        if (name == "tick") {
            const std::int64_t ticks = read_integer(e[2], pointer + "/2", kLongest / 1000, 1);
            const std::int64_t first = now / 1000 - ticks + 1;
            require(now % 1000 == 0 && first * 1000 > now_ - now_ % 1000, pointer,
                    "expected ticks at whole milliseconds, at most one tick per millisecond");
            if (count_ticks_and_check_limit(static_cast<std::uint64_t>(ticks)))
                fail(pointer + "/2", "too many ticks; a file can have at most 20 million");
            for (std::int64_t tick = first; tick * 1000 <= now; ++tick) {
                advance_clock_to(tick * 1000);
                rescheduled = d.tick();
                // An event of several ticks records only the outcome of its last tick. If an earlier tick
                // calls schedule(), the replay differs from the record, and the loop ends.
                if (rescheduled && tick * 1000 < now) break;
            }
        } else {
            advance_clock_to(now);
            if (name == "disk") {
                rescheduled = d.block(WakeUp::Sleep::uninterruptible);
            } else if (name == "pipe") {
                rescheduled = d.block(WakeUp::Sleep::pipe);
            } else if (name == "irq") {
                const TaskId p = find_named_task(e[2], pointer + "/2");
                what += " " + d.name(p);
                rescheduled = d.wake(p, WakeUp::Waker::interrupt);
            } else if (name == "fork" || name == "clone") {
                const std::string child = read_new_task_name(e[2], pointer + "/2");
                what += " " + child;
                rescheduled = d.fork(child, name == "clone");
            } else {
                if (name == "exit") recorded_.values.erase(d.name(d.current()));
                const std::optional<bool> done = replay_common_event(name, e[2], pointer + "/2", what);
                if (!done)
                    fail_unknown_event(name, pointer + "/1",
                                       {"tick", "yield", "block", "disk", "pipe", "exit", "wake", "irq",
                                        "fork", "clone", "set_nice"});
                rescheduled = *done;
            }
        }
        recorded_.chosen = read_string(e[3], pointer + "/3");
        recorded_.rescheduled = read_integer(e[4], pointer + "/4", 1) != 0;
        recorded_.swapped = read_integer(e[5], pointer + "/5", 1) != 0;
        recorded_.queues = read_string(e[6], pointer + "/6");
        apply_listed_changes(recorded_.values, e[7], pointer + "/7", kForm);
        compare(what, pointer, rescheduled, active_array() != active);
    }

    void advance_clock_to(std::int64_t microseconds) {
        driver().advance_clock(Nanos{(microseconds - now_) * 1000});
        now_ = microseconds;
    }

    std::uint32_t active_array() const {
        return has_priority_arrays() ? driver().machine().of_cpu<o1::RunQueueFields>(0).active : 0;
    }

    // "ACTIVE/EXPIRED": the tasks of the two arrays.
    std::string queues_text() const {
        if (!has_priority_arrays()) return driver().queue_text();
        const Machine& m = driver().machine();
        std::string arrays[2];
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
            arrays[m.of_task<o1::TaskFields>(p).array == active_array() ? 0 : 1] += driver().name(p);
        return arrays[0] + "/" + arrays[1];
    }

    void compare(const std::string& what, const std::string& pointer, bool rescheduled, bool swapped) {
        const PolicyDriver& d = driver();
        EventOutcome ours{d.name(d.current()), rescheduled, swapped, queues_text(), {}};
        const Machine& m = d.machine();
        for (TaskId p = m.first_task(); has_priority_arrays() && p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const o1::TaskFields& t = m.of_task<o1::TaskFields>(p);
            ours.values[d.name(p)] = fmt::format("{}:{}:{}", t.prio, m.counter[p], t.sleep_avg);
        }
        count_decision();
        const bool same =
            ours.chosen == recorded_.chosen &&
            (!is_full_comparison() ||
             (ours.rescheduled == recorded_.rescheduled && ours.queues == recorded_.queues &&
              (pointer == "/start" || ours.swapped == recorded_.swapped) && ours.values == recorded_.values));
        if (!same) count_difference(what, pointer, before_, recorded_.text(), ours.text(), rescheduled);
    }

    std::int64_t now_ = 0;  // microseconds
    std::string before_;
    EventOutcome recorded_;
};

}  // namespace

std::unique_ptr<RecordedCase> make_o1_case(const JsonTree& text, int line, VerifyResult& result) {
    return std::make_unique<O1Case>(text, line, result);
}

}  // namespace sim
