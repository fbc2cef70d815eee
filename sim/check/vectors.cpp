#include "sim/check/vectors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/check/driver.h"
#include "sim/explain/explain.h"
#include "sim/scenario/json_tree.h"

namespace sim {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMostTasks = 10'000;
constexpr std::size_t kMaxLineBytes = std::size_t{4} << 20;

// What happened at one event: as recorded, or as replayed.
struct Happened {
    std::string chosen;
    bool rescheduled = false;
    std::uint32_t considered = 0, recalcs = 0, recalculated = 0;
    std::string queue, off_queue;
};

// What the author of a file wrote, as it may be printed and is not too long.
std::string shown(const std::string& written) { return printable(shorten(written, 4'000)); }

// Task names stand in lists with blanks between them.
bool is_name(const std::string& text) {
    return !text.empty() && text.size() <= 64 && text.find(' ') == std::string::npos && is_shown(text);
}

// One line of the file: reads it, replays it, compares.
class Case {
  public:
    Case(const JsonTree& text, int line, VerifyResult& result) : text_(text), line_(line), result_(result) {}

    void replay(const std::string& policy_override, std::set<std::string>& specs) {
        const json root = text_.root().plain();
        need(root.is_object(), "", "an object is expected");
        for (const auto& [key, value] : root.items()) {
            static const std::vector<std::string> known{"policy", "yield", "case",
                                                        "tasks",  "start", "events"};
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail("/" + pointer_piece(key),
                     fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)));
        }
        const std::string recorded = word(member(root, "", "policy"), "/policy");
        const std::string yield = root.contains("yield") ? word(root.at("yield"), "/yield") : "original";
        named_ = policy_for(policy_override, recorded, yield);
        specs.insert(named_.spec());
        whole_ = named_.recorded_kernel == recorded;
        result_.whole = result_.whole && whole_;

        const json& tasks = array(member(root, "", "tasks"), "/tasks");
        const json& events = array(member(root, "", "events"), "/events");
        std::size_t forks = 0;
        for (const json& event : events) forks += event.is_array() && !event.empty() && event[0] == "fork";
        need(tasks.size() + forks <= kMostTasks, "/tasks", "more tasks than a recording has");
        driver_.emplace(*named_.policy, static_cast<std::uint32_t>(tasks.size() + forks));
        for (std::size_t i = 0; i < tasks.size(); ++i) add_task(tasks[i], "/tasks/" + std::to_string(i));

        driver_->schedule();
        compare("start", array(member(root, "", "start"), "/start"), "/start", 0, true);
        // After a difference the rest of the recording belongs to another history.
        for (std::size_t i = 0; i < events.size() && !diverged_; ++i)
            event(events[i], "/events/" + std::to_string(i));
        ++result_.cases;
    }

  private:
    [[noreturn]] void fail(const std::string& pointer, std::string message) const {
        throw ScenarioError(text_.problem_at(pointer, std::move(message)));
    }
    void need(bool condition, const std::string& pointer, const char* message) const {
        if (!condition) fail(pointer, message);
    }
    const json& member(const json& object, const std::string& pointer, const char* key) const {
        if (!object.contains(key)) fail(pointer, fmt::format("\"{}\" is missing", key));
        return object.at(key);
    }
    const json& array(const json& value, const std::string& pointer) const {
        need(value.is_array(), pointer, "an array is expected");
        return value;
    }
    std::string word(const json& value, const std::string& pointer) const {
        need(value.is_string(), pointer, "a string is expected");
        return value.get<std::string>();
    }
    std::int64_t number(const json& value, const std::string& pointer, std::int64_t most) const {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > most)
            fail(pointer, fmt::format("a whole number from 0 to {} is expected", most));
        return value.get<std::int64_t>();
    }

    // -20 to 19: 40 to 1.
    std::int32_t priority_of_nice(const json& value, const std::string& pointer) const {
        if (!value.is_number_integer() || value < -20 || value > 19)
            fail(pointer, "a whole number from -20 to 19 is expected");
        return 20 - value.get<std::int32_t>();
    }

    NamedPolicy policy_for(std::string spec, const std::string& recorded, const std::string& yield) const {
        const bool replaced = !spec.empty();
        if (!replaced) spec = recorded;
        // The recorded variant of sched_yield, unless another one is asked for.
        const std::string name = spec.substr(0, spec.find(':'));
        const auto add_option = [&](std::string_view option) {  // unless it has been chosen
            const std::string key(option.substr(0, option.find('=') + 1));
            if (spec.find(":" + key) != std::string::npos || spec.find("," + key) != std::string::npos)
                return;
            spec += spec.find(':') == std::string::npos ? ':' : ',';
            spec += option;
        };
        for (const PolicyInfo& info : policies()) {
            if (info.name != name) continue;
            for (const OptionInfo& option : info.options)
                if (option.name == "yield") add_option("yield=" + yield);
            if (name != recorded) continue;
            std::istringstream options(info.recorded_with);
            options.exceptions(std::ios::badbit);
            for (std::string option; std::getline(options, option, ',');) add_option(option);
        }
        try {
            return make_policy(spec);
        } catch (const PolicyError& error) {
            fail(replaced ? "" : "/policy", error.what());
        }
    }

    void add_task(const json& task, const std::string& pointer) {
        need(task.is_object(), pointer, "an object is expected");
        static const std::vector<std::string> known{"name", "counter", "priority", "nice",
                                                    "mm",   "policy",  "state",    "rt_priority"};
        for (const auto& [key, value] : task.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                fail(pointer + "/" + pointer_piece(key),
                     fmt::format("unknown key '{}'{}", key, did_you_mean(key, known)));
        DriverTask t;
        t.name = word(member(task, pointer, "name"), pointer + "/name");
        need(is_name(t.name), pointer + "/name", "a name without blanks, of 1 to 64 bytes, is expected");
        need(driver_->find(t.name) == kNoTask && t.name != "idle", pointer + "/name", "this name is taken");
        const auto small = [&](const char* key, std::int64_t most) {
            return static_cast<std::int32_t>(number(task.at(key), pointer + "/" + key, most));
        };
        if (task.contains("priority")) t.priority = small("priority", 40);
        if (task.contains("counter")) t.counter = small("counter", 1000);
        if (task.contains("rt_priority")) t.rt_priority = small("rt_priority", 99);
        if (task.contains("policy")) {
            const std::string name = word(task.at("policy"), pointer + "/policy");
            need(name == "other" || name == "fifo" || name == "rr", pointer + "/policy",
                 "other, fifo or rr is expected");
            t.sched_class = name == "fifo" ? SchedClass::fifo
                            : name == "rr" ? SchedClass::rr
                                           : SchedClass::other;
        }
        if (task.contains("state")) {
            const std::string state = word(task.at("state"), pointer + "/state");
            need(state == "running" || state == "sleeping", pointer + "/state",
                 "running or sleeping is expected");
            t.sleeping = state == "sleeping";
        }
        if (task.contains("nice")) {
            need(!task.contains("priority"), pointer + "/nice", "there is a \"priority\" already");
            t.priority = priority_of_nice(task.at("nice"), pointer + "/nice");
        }
        if (task.contains("mm")) t.mm = kKernelMm + static_cast<MmId>(small("mm", kFirstOwnMm - 1));
        driver_->add(t);
    }

    TaskId task_named(const json& value, const std::string& pointer) const {
        const std::string name = word(value, pointer);
        const TaskId p = driver_->find(name);
        if (p == kNoTask)
            fail(pointer, fmt::format("there is no task '{}'{}", name, did_you_mean(name, driver_->names())));
        return p;
    }

    void event(const json& e, const std::string& pointer) {
        array(e, pointer);
        need(!e.empty(), pointer, "an event's name is expected");
        const std::string name = word(e[0], pointer + "/0");
        Driver& d = *driver_;
        if (name == "set_priority" || name == "set_nice") {
            if (e.size() != 2 || !e[1].is_array() || e[1].size() != 2)
                fail(pointer, fmt::format("[\"{}\", [task, value]] is expected", name));
            const TaskId p = task_named(e[1][0], pointer + "/1/0");
            const std::string at = pointer + "/1/1";
            d.set_priority(p, name == "set_nice" ? priority_of_nice(e[1][1], at)
                                                 : static_cast<std::int32_t>(number(e[1][1], at, 40)));
            return;
        }
        need(e.size() == 9, pointer, "an event and its outcome have 9 elements");
        const bool needs_runner = name == "yield" || name == "block" || name == "fork" || name == "exit";
        if (needs_runner && d.machine().is_idle_task(d.current()))
            fail(pointer, fmt::format("'{}' needs a running task, and the CPU is idle", name));
        std::string what = name;
        bool rescheduled = false;
        const std::string before = d.queue();
        if (name == "tick") {
            rescheduled = d.tick();
        } else if (name == "yield") {
            rescheduled = d.yield();
        } else if (name == "block") {
            rescheduled = d.block();
        } else if (name == "exit") {
            rescheduled = d.exit();
        } else if (name == "wake") {
            const TaskId p = task_named(e[1], pointer + "/1");
            what += " " + d.name(p);
            rescheduled = d.wake(p);
        } else if (name == "fork") {
            const std::string child = word(e[1], pointer + "/1");
            need(is_name(child), pointer + "/1", "a name without blanks, of 1 to 64 bytes, is expected");
            need(d.find(child) == kNoTask && child != "idle", pointer + "/1", "this name is taken");
            what += " " + child;
            rescheduled = d.fork(child);
        } else {
            static const std::vector<std::string> known{"tick", "yield", "block",        "exit",
                                                        "wake", "fork",  "set_priority", "set_nice"};
            fail(pointer + "/0", fmt::format("unknown event '{}'{}", name, did_you_mean(name, known)));
        }
        before_ = before;
        compare(what, e, pointer, 2, rescheduled);
    }

    // Holds what the driver has just done against the recorded outcome, which begins at element `first`.
    void compare(const std::string& what, const json& e, const std::string& pointer, std::size_t first,
                 bool rescheduled) {
        need(e.size() == first + 7, pointer, "an outcome has 7 elements");
        const auto at = [&](std::size_t i) { return pointer + "/" + std::to_string(first + i); };
        Happened recorded;
        recorded.chosen = word(e[first], at(0));
        recorded.rescheduled = number(e[first + 1], at(1), 1) != 0;
        recorded.considered = static_cast<std::uint32_t>(number(e[first + 2], at(2), 1'000'000));
        recorded.recalcs = static_cast<std::uint32_t>(number(e[first + 3], at(3), 1'000'000));
        recorded.recalculated = static_cast<std::uint32_t>(number(e[first + 4], at(4), 1'000'000));
        recorded.queue = word(e[first + 5], at(5));
        recorded.off_queue = word(e[first + 6], at(6));

        const Driver& d = *driver_;
        const Decision decision = rescheduled ? d.log().decision : Decision{};
        const Happened ours{d.name(d.current()),   rescheduled, decision.considered, decision.recalcs,
                            decision.recalculated, d.queue(),   d.off_queue()};
        ++result_.decisions;
        const bool same = ours.chosen == recorded.chosen && ours.rescheduled == recorded.rescheduled &&
                          ours.recalcs == recorded.recalcs && ours.recalculated == recorded.recalculated &&
                          ours.off_queue == recorded.off_queue &&
                          (whole_ ? ours.considered == recorded.considered && ours.queue == recorded.queue
                                  : in_any_order(ours.queue) == in_any_order(recorded.queue));
        if (same) return;
        diverged_ = true;
        if (++result_.differences > 1) return;
        const Problem place = text_.problem_at(pointer, "");
        const auto show = [](const Happened& o) {
            return fmt::format(
                "chosen {}, {}, considered {}, recalcs {} over {} tasks\n             queue [{}]\n"
                "             others [{}]\n",
                shown(o.chosen), o.rescheduled ? "rescheduled" : "not rescheduled", o.considered, o.recalcs,
                o.recalculated, shown(o.queue), shown(o.off_queue));
        };
        result_.first_difference = fmt::format(
            "{}:{}: {}: at '{}' under {}\n  queue before [{}]\n  recorded:  {}  replayed:  {}", place.file,
            line_, pointer, what, named_.spec(), shown(before_), show(recorded), show(ours));
        if (rescheduled)
            result_.first_difference += explain_decision(
                d.log(), named_, [&](TaskId p) { return d.name(p); }, "  ");
    }

    // The tasks of a queue with their counters, whatever the order in which they stand.
    static std::multiset<std::string> in_any_order(const std::string& queue) {
        std::multiset<std::string> tasks;
        std::istringstream in(queue);
        in.exceptions(std::ios::badbit);
        for (std::string task; in >> task;) tasks.insert(task);
        return tasks;
    }

    const JsonTree& text_;
    int line_;  // of the file
    VerifyResult& result_;
    NamedPolicy named_;
    std::optional<Driver> driver_;
    bool whole_ = true;
    bool diverged_ = false;
    std::string before_;
};

// The next line without its end; false at the end of the file. Throws for a line that is too long to be one.
bool next_line(std::istream& in, std::string& line, const std::string& file, int number) {
    line.clear();
    for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
        if (c == '\n') return true;
        line.push_back(static_cast<char>(c));
        if (line.size() > kMaxLineBytes)
            throw ScenarioError(
                Problem{file, number, 1, {}, "a line longer than 4 MiB: not recorded decisions"});
    }
    return !line.empty();
}

}  // namespace

VerifyResult verify(std::istream& lines, const std::string& file, const std::string& policy) {
    VerifyResult result;
    std::set<std::string> specs;
    std::string line;
    for (int number = 1; next_line(lines, line, file, number); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        try {
            const JsonTree text(file, line);
            Case(text, number, result).replay(policy, specs);
        } catch (const ScenarioError& error) {
            std::vector<Problem> problems = error.problems();
            for (Problem& problem : problems) problem.line += problem.line > 0 ? number - 1 : number;
            throw ScenarioError(std::move(problems));
        }
    }
    if (result.cases == 0) throw ScenarioError(Problem{file, 0, 0, {}, "no recorded decisions in it"});
    result.policies = fmt::format("{}", fmt::join(specs, ", "));
    return result;
}

}  // namespace sim
