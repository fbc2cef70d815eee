// Reads recorded decisions of Linux 2.0 to 2.4: considered tasks, recalculations, queue and counters.
#include <fmt/format.h>

#include <set>

#include "sim/check/recorded_case.h"

namespace sim {
namespace {

class GoodnessCase final : public RecordedCase {
  public:
    using RecordedCase::RecordedCase;

  private:
    // The outcome of one event, recorded or replayed.
    struct EventOutcome {
        std::string chosen;
        bool rescheduled = false;
        std::uint32_t considered = 0, recalculations = 0, recalculated = 0;
        std::string queue, off_queue;

        std::string text() const {
            return fmt::format(
                "chosen {}, {}, considered {}, recalculations {} over {} tasks\n             queue [{}]\n"
                "             others [{}]\n",
                printable_excerpt(chosen), rescheduled ? "rescheduled" : "not rescheduled", considered,
                recalculations, recalculated, printable_excerpt(queue), printable_excerpt(off_queue));
        }
    };

    std::vector<std::string> keys() const override {
        return {"policy", "yield", "case", "tasks", "start", "events"};
    }
    std::vector<std::string> task_keys() const override {
        return {"name", "counter", "priority", "nice", "mm", "policy", "state", "rt_priority"};
    }
    std::uint32_t hz() const override { return 100; }
    const char* compared_values_text(bool full_comparison) const override {
        return full_comparison ? "chosen task, considered tasks, recalculations, counters, queue order"
                               : "chosen task, recalculations, all counters";
    }
    std::size_t event_name_index() const override { return 0; }

    std::vector<std::string> recorded_options(const Json& root) const override {
        return {"yield=" + (root.contains("yield") ? read_string(root.at("yield"), "/yield") : "original")};
    }

    void read_task(const Json& task, const std::string& pointer, DriverTask& t) override {
        const auto small = [&](const char* key, std::int64_t most) {
            return static_cast<std::int32_t>(read_integer(task.at(key), pointer + "/" + key, most));
        };
        if (task.contains("priority")) t.priority = small("priority", 40);
        if (task.contains("counter")) t.counter = small("counter", 1000);
        if (task.contains("rt_priority")) t.rt_priority = small("rt_priority", 99);
        if (task.contains("policy"))
            t.sched_class = read_sched_class(task.at("policy"), pointer + "/policy",
                                             {SchedClass::other, SchedClass::fifo, SchedClass::rr});
        if (task.contains("state")) {
            const std::string state = read_string(task.at("state"), pointer + "/state");
            require(state == "running" || state == "sleeping", pointer + "/state",
                    "expected \"running\" or \"sleeping\"");
            t.sleeping = state == "sleeping";
        }
        if (task.contains("nice")) {
            require(!task.contains("priority"), pointer + "/nice",
                    "specify \"nice\" or \"priority\", not both");
            t.priority = read_nice_as_priority(task.at("nice"), pointer + "/nice");
        }
        if (task.contains("mm")) t.mm = kKernelMm + static_cast<MmId>(small("mm", kFirstOwnMm - 1));
    }

    void check_start(const Json& outcome) override { compare("start", outcome, "/start", 0, true); }

    void replay_event(const Json& e, const std::string& pointer) override {
        require(!e.empty(), pointer, "expected the name of an event");
        const std::string name = read_string(e[0], pointer + "/0");
        PolicyDriver& d = driver();
        if (name == "set_priority" || name == "set_nice") {
            if (e.size() != 2 || !e[1].is_array() || e[1].size() != 2)
                fail(pointer, fmt::format("expected [\"{}\", [task, value]]", name));
            const TaskId p = find_named_task(e[1][0], pointer + "/1/0");
            const std::string at = pointer + "/1/1";
            d.set_priority(p, name == "set_nice" ? read_nice_as_priority(e[1][1], at)
                                                 : static_cast<std::int32_t>(read_integer(e[1][1], at, 40)));
            return;
        }
        require(e.size() == 9, pointer, "expected 9 elements for an event and its outcome");
        if (name == "yield" || name == "block" || name == "fork" || name == "exit")
            require_running_task(name, pointer);
        std::string what = name;
        bool rescheduled = false;
        before_ = d.queue_text();
        if (name == "tick") {
            rescheduled = d.tick();
        } else if (name == "fork") {
            const std::string child = read_new_task_name(e[1], pointer + "/1");
            what += " " + child;
            rescheduled = d.fork(child);
        } else {
            const std::optional<bool> done = replay_common_event(name, e[1], pointer + "/1", what);
            if (!done)
                fail_unknown_event(
                    name, pointer + "/0",
                    {"tick", "yield", "block", "exit", "wake", "fork", "set_priority", "set_nice"});
            rescheduled = *done;
        }
        compare(what, e, pointer, 2, rescheduled);
    }

    // Compares the simulated outcome of an event with the recorded outcome. `e` is the JSON array of the
    // event; its elements from `first` on are the recorded outcome.
    void compare(const std::string& what, const Json& e, const std::string& pointer, std::size_t first,
                 bool rescheduled) {
        require(e.size() == first + 7, pointer, "expected an outcome of 7 elements");
        const auto at = [&](std::size_t i) { return pointer + "/" + std::to_string(first + i); };
        EventOutcome recorded;
        recorded.chosen = read_string(e[first], at(0));
        recorded.rescheduled = read_integer(e[first + 1], at(1), 1) != 0;
        recorded.considered = static_cast<std::uint32_t>(read_integer(e[first + 2], at(2), 1'000'000));
        recorded.recalculations = static_cast<std::uint32_t>(read_integer(e[first + 3], at(3), 1'000'000));
        recorded.recalculated = static_cast<std::uint32_t>(read_integer(e[first + 4], at(4), 1'000'000));
        recorded.queue = read_string(e[first + 5], at(5));
        recorded.off_queue = read_string(e[first + 6], at(6));

        const PolicyDriver& d = driver();
        const Decision decision = rescheduled ? d.log().decision : Decision{};
        const EventOutcome ours{d.name(d.current()),     rescheduled,           decision.considered,
                                decision.recalculations, decision.recalculated, d.queue_text(),
                                d.off_queue_text()};
        count_decision();
        const bool same =
            ours.chosen == recorded.chosen && ours.rescheduled == recorded.rescheduled &&
            ours.recalculations == recorded.recalculations && ours.recalculated == recorded.recalculated &&
            ours.off_queue == recorded.off_queue &&
            (is_full_comparison() ? ours.considered == recorded.considered && ours.queue == recorded.queue
                                  : queue_entry_set(ours.queue) == queue_entry_set(recorded.queue));
        if (!same) count_difference(what, pointer, before_, recorded.text(), ours.text(), rescheduled);
    }

    // The tasks of a queue with their counters, for comparing two queues regardless of the order of the
    // tasks.
    static std::multiset<std::string> queue_entry_set(const std::string& queue) {
        const std::vector<std::string> words = split_words(queue);
        return {words.begin(), words.end()};
    }

    std::string before_;
};

}  // namespace

std::unique_ptr<RecordedCase> make_goodness_case(const JsonTree& text, int line, VerifyResult& result) {
    return std::make_unique<GoodnessCase>(text, line, result);
}

}  // namespace sim
