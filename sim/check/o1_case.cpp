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
    static constexpr const char* kForm = "expected name:priority:time_slice:sleep_avg";

    // The outcome of one event, recorded or replayed.
    struct EventOutcome {
        std::string chosen;
        bool rescheduled = false, swapped = false;
        std::string queues;
        Values values;  // by task name: "priority:time_slice:sleep_avg"

        std::string text() const {
            return fmt::format("chosen {}, {}, {}\n             queues [{}]\n             tasks [{}]\n",
                               shown(chosen), rescheduled ? "rescheduled" : "not rescheduled",
                               swapped ? "swapped" : "not swapped", shown(queues), shown(text_of(values)));
        }
    };

    std::vector<std::string> keys() const override {
        return {"policy", "case", "style", "tasks", "start", "events"};
    }
    std::vector<std::string> task_keys() const override {
        return {"name", "nice", "policy", "rt_priority", "sleep_avg", "time_slice", "state", "kernel"};
    }
    std::uint32_t hz() const override { return 1000; }
    const char* compared(bool whole) const override {
        return whole ? "chosen, rescheduled, swaps, arrays, priorities, slices, sleep averages" : "chosen";
    }
    std::size_t most_tasks() const override { return 1'000; }
    std::size_t name_at() const override { return 1; }
    std::vector<std::string> recorded_options(const Json&) const override { return {}; }

    bool keeps_arrays() const { return policy().name == "linux-2.6.20"; }

    void read_task(const Json& task, const std::string& pointer, DriverTask& t) override {
        const auto small = [&](const char* key, std::int64_t most, std::int64_t least = 0) {
            return static_cast<std::int32_t>(number(task.at(key), pointer + "/" + key, most, least));
        };
        if (task.contains("nice")) t.priority = priority_of_nice(task.at("nice"), pointer + "/nice");
        if (task.contains("policy"))
            t.sched_class =
                class_of(task.at("policy"), pointer + "/policy",
                         {SchedClass::other, SchedClass::fifo, SchedClass::rr, SchedClass::batch});
        if (task.contains("rt_priority")) t.rt_priority = small("rt_priority", 99);
        if (task.contains("time_slice")) t.counter = small("time_slice", 800, 1);
        if (task.contains("kernel") && small("kernel", 1) == 1) t.mm = kKernelMm;
        if (task.contains("state")) {
            const std::string state = word(task.at("state"), pointer + "/state");
            need(state == "running" || state == "sleeping" || state == "disk" || state == "pipe",
                 pointer + "/state", "expected running, sleeping, disk or pipe");
            t.sleeping = state != "running";
            t.sleep = state == "disk"   ? WakeUp::Sleep::uninterruptible
                      : state == "pipe" ? WakeUp::Sleep::pipe
                                        : WakeUp::Sleep::interruptible;
        }
        const std::int64_t sleep_avg =
            task.contains("sleep_avg") ? number(task.at("sleep_avg"), pointer + "/sleep_avg", 1'000'000'000)
                                       : 0;
        if (keeps_arrays())
            t.set_policy_state = [sleep_avg](Machine& m, TaskId p) {
                if (m.sched_class[p] != SchedClass::batch) m.of_task<o1::TaskOf>(p).sleep_avg = sleep_avg;
                m.of_task<o1::TaskOf>(p).prio = o1::effective_prio(m, p);
            };
    }

    void start(const Json& outcome) override {
        need(outcome.size() == 3, "/start", "the outcome of the first schedule() has 3 elements");
        recorded_.chosen = word(outcome[0], "/start/0");
        recorded_.rescheduled = true;
        recorded_.queues = word(outcome[1], "/start/1");
        update_from_list(recorded_.values, outcome[2], "/start/2", kForm);
        compare("start", "/start", true, false);
    }

    void event(const Json& e, const std::string& pointer) override {
        need(e.size() == 8, pointer, "an event and its outcome have 8 elements");
        const std::string name = word(e[1], pointer + "/1");
        Driver& d = driver();
        const std::int64_t now = number(e[0], pointer + "/0", kLongest, now_);
        if (name == "yield" || name == "block" || name == "disk" || name == "pipe" || name == "exit" ||
            name == "fork" || name == "clone")
            require_running_task(name, pointer);
        before_ = queues();
        const std::uint32_t active = active_array();
        std::string what = name;
        bool rescheduled = false;
        if (name == "tick") {
            const std::int64_t ticks = number(e[2], pointer + "/2", kLongest / 1000, 1);
            const std::int64_t first = now / 1000 - ticks + 1;
            need(now % 1000 == 0 && first * 1000 > now_ - now_ % 1000, pointer,
                 "ticks must be at whole milliseconds, at most one in each");
            if (are_too_many(static_cast<std::uint64_t>(ticks)))
                fail(pointer + "/2", "too many ticks; a file can have at most 20 million");
            for (std::int64_t tick = first; tick * 1000 <= now; ++tick) {
                pass_until(tick * 1000);
                rescheduled = d.tick();
                // Before its last tick, the line has no decision: this one is a difference.
                if (rescheduled && tick * 1000 < now) break;
            }
        } else {
            pass_until(now);
            if (name == "disk") {
                rescheduled = d.block(WakeUp::Sleep::uninterruptible);
            } else if (name == "pipe") {
                rescheduled = d.block(WakeUp::Sleep::pipe);
            } else if (name == "irq") {
                const TaskId p = task_named(e[2], pointer + "/2");
                what += " " + d.name(p);
                rescheduled = d.wake(p, WakeUp::By::interrupt);
            } else if (name == "fork" || name == "clone") {
                const std::string child = new_name(e[2], pointer + "/2");
                what += " " + child;
                rescheduled = d.fork(child, name == "clone");
            } else {
                if (name == "exit") recorded_.values.erase(d.name(d.current()));
                const std::optional<bool> done = common_event(name, e[2], pointer + "/2", what);
                if (!done)
                    unknown_event(name, pointer + "/1",
                                  {"tick", "yield", "block", "disk", "pipe", "exit", "wake", "irq", "fork",
                                   "clone", "set_nice"});
                rescheduled = *done;
            }
        }
        recorded_.chosen = word(e[3], pointer + "/3");
        recorded_.rescheduled = number(e[4], pointer + "/4", 1) != 0;
        recorded_.swapped = number(e[5], pointer + "/5", 1) != 0;
        recorded_.queues = word(e[6], pointer + "/6");
        update_from_list(recorded_.values, e[7], pointer + "/7", kForm);
        compare(what, pointer, rescheduled, active_array() != active);
    }

    void pass_until(std::int64_t microseconds) {
        driver().pass(Nanos{(microseconds - now_) * 1000});
        now_ = microseconds;
    }

    std::uint32_t active_array() const {
        return keeps_arrays() ? driver().machine().of_cpu<o1::QueueOf>(0).active : 0;
    }

    // "ACTIVE/EXPIRED": the tasks of the two arrays.
    std::string queues() const {
        if (!keeps_arrays()) return driver().queue();
        const Machine& m = driver().machine();
        std::string arrays[2];
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
            arrays[m.of_task<o1::TaskOf>(p).array == active_array() ? 0 : 1] += driver().name(p);
        return arrays[0] + "/" + arrays[1];
    }

    void compare(const std::string& what, const std::string& pointer, bool rescheduled, bool swapped) {
        const Driver& d = driver();
        EventOutcome ours{d.name(d.current()), rescheduled, swapped, queues(), {}};
        const Machine& m = d.machine();
        for (TaskId p = m.first_task(); keeps_arrays() && p < m.globals().high_row; ++p) {
            if (!m.is_live(p)) continue;
            const o1::TaskOf& t = m.of_task<o1::TaskOf>(p);
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

std::unique_ptr<RecordedCase> o1_case(const JsonTree& text, int line, VerifyResult& result) {
    return std::make_unique<O1Case>(text, line, result);
}

}  // namespace sim
