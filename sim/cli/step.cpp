// `switchyard step`: drives a policy by hand, one event per line, and explains its decisions.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>
#include <sstream>

#include "sim/base/human_text.h"
#include "sim/base/input_file.h"
#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/check/policy_driver.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/cli/scenario_input.h"
#include "sim/explain/explain.h"
#include "sim/os/streams.h"
#include "sim/scenario/scenario_json.h"

namespace sim::cli {
namespace {

constexpr std::uint32_t kMostTasks = 10'000;
constexpr Nanos kLongest = 100h;
constexpr const char* kTooLong = "the simulated time is limited to 100 hours";
constexpr const char* kHelp =
    "  task A [counter=N] [priority=N] [nice=N] [class=fifo|rr rt=N] [class=batch|idle] [mm=N] "
    "[sleeping]\n"
    "                         create a task\n"
    "  start | schedule       call schedule()\n"
    "  yield                  the running task calls sched_yield()\n"
    "  tick [N]               N timer interrupts, one tick apart (10 ms without a scenario)\n"
    "  pass TIME              let TIME pass; Linux 2.6 and later charge it to the running "
    "task, and may end its slice\n"
    "  block                  the running task goes to sleep\n"
    "  wake A                 wake up A\n"
    "  fork A                 the running task forks A\n"
    "  exit                   the running task exits\n"
    "  set_priority A N       set the priority of A, 1 to 40\n"
    "  show                   show the run queue and the sleeping tasks\n"
    "  help, quit\n";

// A line that cannot be executed.
class LineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

int number(const std::string& text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        throw LineError(fmt::format("'{}' is not a whole number from {} to {}", text, least, most));
    return value;
}

class Stepper {
  public:
    Stepper(const NamedPolicy& policy, std::uint32_t hz, bool shows_lines)
        : policy_(policy), driver_(*policy.policy, kMostTasks, hz), shows_lines_(shows_lines) {}

    // Executes a line. Returns false if it is a request to stop. Throws LineError, and PolicyError if a
    // policy script failed.
    bool execute_line(const std::string& text, std::string& out) {
        lines_ = {};
        policy_.policy->set_line_trace(shows_lines_ ? &lines_ : nullptr);
        std::string answer;
        const bool goes_on = execute_event(text, answer);
        policy_.policy->set_line_trace(nullptr);
        print_line_trace(out);
        out += answer;
        return goes_on;
    }

    bool execute_event(const std::string& text, std::string& out) {
        std::istringstream in(text.substr(0, text.find('#')));
        in.exceptions(std::ios::badbit);  // a failed allocation must not look like the end of the line
        std::vector<std::string> words;
        for (std::string word; in >> word;) words.push_back(word);
        if (words.empty()) return true;
        const std::string& verb = words.front();
        check_word_count(words);
        if (verb == "quit" || verb == "q") return false;
        if (verb == "help" || verb == "?")
            out += kHelp;
        else if (verb == "task")
            add(words);
        else if (verb == "show")
            show(out);
        else if (verb == "start" || verb == "schedule")
            report_decision(driver_.schedule(), out);
        else if (verb == "tick")
            execute_ticks(words, out);
        else if (verb == "wake")
            report_decision(
                driver_.wake(find_named_task(words), driver_.machine().is_idle_task(driver_.current())
                                                         ? WakeUp::Waker::interrupt
                                                         : WakeUp::Waker::task),
                out);
        else if (verb == "pass")
            pass(words, out);
        else if (verb == "set_priority")
            set_priority(words, out);
        else if (verb == "yield" || verb == "block" || verb == "exit" || verb == "fork")
            execute_for_running_task(verb, words, out);
        else
            fail_unknown_event(verb);
        return true;
    }

    void add(const DriverTask& task) {
        if (driver_.is_full()) throw LineError(fmt::format("there can be at most {} tasks", kMostTasks));
        if (driver_.find(task.name) != kNoTask || task.name == "idle")
            throw LineError(fmt::format("task '{}' already exists", task.name));
        driver_.add(task);
    }

    void show(std::string& out) const {
        if (policy_.policy->state_size().task_bytes == 0) {
            out += fmt::format("  running {}; queue [{}]; sleeping [{}]\n", driver_.name(driver_.current()),
                               driver_.queue_text(), driver_.off_queue_text());
            return;
        }
        // Tasks with more state than a counter have one line each: first the queued tasks, in the order of
        // the queue, then the other tasks.
        const Machine& m = driver_.machine();
        const std::vector<Policy::QueuePart> parts = policy_.policy->queue_parts(m);
        std::size_t width = 8;
        for (const Policy::QueuePart& part : parts) width = std::max(width, part.name.size());
        const auto line = [&](TaskId p, const std::string& where) {
            out += fmt::format("  {:<8} {:<{}} {}\n", driver_.name(p), where, width,
                               policy_.policy->scheduling_values(m, p));
        };
        if (m.is_idle_task(driver_.current()))
            out += "  idle\n";
        else
            line(driver_.current(), "running");
        // A queue of a policy script is shown under its name, every other queue as "ready".
        TaskId p = m.next_run[0];
        for (const Policy::QueuePart& part : parts)
            for (std::uint32_t i = 0; i < part.tasks; ++i, p = m.next_run[p])
                if (p != driver_.current()) line(p, part.name);
        for (; p != 0; p = m.next_run[p])
            if (p != driver_.current()) line(p, "ready");
        for (p = m.first_task(); p < m.globals().high_row; ++p)
            if (m.is_live(p) && m.task[p].state != TaskState::runnable) line(p, "asleep");
    }

  private:
    // Rejects words after a complete event.
    static void check_word_count(const std::vector<std::string>& words) {
        static const std::map<std::string, std::size_t> most{
            {"start", 1}, {"schedule", 1}, {"yield", 1},       {"block", 1}, {"exit", 1},
            {"show", 1},  {"help", 1},     {"quit", 1},        {"tick", 2},  {"pass", 2},
            {"wake", 2},  {"fork", 2},     {"set_priority", 3}};
        const auto known = most.find(words.front());
        if (known != most.end() && words.size() > known->second)
            throw LineError(
                fmt::format("'{}' does not take the argument '{}'", words.front(), words[known->second]));
    }

    [[noreturn]] static void fail_unknown_event(const std::string& verb) {
        static const std::vector<std::string> known{"task", "start", "schedule", "yield",       "tick",
                                                    "pass", "block", "wake",     "fork",        "exit",
                                                    "show", "help",  "quit",     "set_priority"};
        throw LineError(
            fmt::format("unknown event '{}'{} ('help' lists the events)", verb, did_you_mean(verb, known)));
    }

    TaskId find_named_task(const std::vector<std::string>& words) const {
        if (words.size() < 2) throw LineError(fmt::format("'{}' needs the name of a task", words[0]));
        const TaskId p = driver_.find(words[1]);
        if (p == kNoTask)
            throw LineError(
                fmt::format("unknown task '{}'{}", words[1], did_you_mean(words[1], driver_.names())));
        return p;
    }

    void add(const std::vector<std::string>& words) {
        if (words.size() < 2) throw LineError("'task' needs a name");
        DriverTask task{.name = words[1]};
        for (std::size_t i = 2; i < words.size(); ++i) {
            const std::string& word = words[i];
            const std::size_t equals = word.find('=');
            const std::string key = word.substr(0, equals);
            const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
            if (word == "sleeping")
                task.sleeping = true;
            else if (key == "counter")
                task.counter = number(value, 0, 1000);
            else if (key == "priority")
                task.priority = number(value, 1, 40);
            else if (key == "nice")
                task.priority = std::max(20 - number(value, -20, 20), 1);
            else if (key == "rt")
                task.rt_priority = number(value, 1, 99);
            else if (key == "mm")
                task.mm = value == "kernel" ? kKernelMm : static_cast<MmId>(number(value, 1, 1000));
            else if (word == "class=fifo")
                task.sched_class = SchedClass::fifo;
            else if (word == "class=rr")
                task.sched_class = SchedClass::rr;
            else if (word == "class=batch")
                task.sched_class = SchedClass::batch;
            else if (word == "class=idle")
                task.sched_class = SchedClass::idle;
            else if (key == "class" && word != "class=other") {
                throw LineError(
                    fmt::format("unknown class '{}': expected other, fifo, rr, batch or idle", value));
            } else if (word != "class=other") {
                static const std::vector<std::string> keys{"counter", "priority", "nice",    "rt",
                                                           "class",   "mm",       "sleeping"};
                throw LineError(fmt::format("unknown task attribute '{}'{}", word, did_you_mean(key, keys)));
            }
        }
        if (is_real_time(task.sched_class) && task.rt_priority == 0)
            throw LineError("a fifo or rr task needs rt=N, 1 to 99");
        if (!is_real_time(task.sched_class) && task.rt_priority != 0)
            throw LineError("rt=N is only allowed for a fifo or rr task; add class=fifo or class=rr");
        add(task);
    }

    void execute_ticks(const std::vector<std::string>& words, std::string& out) {
        const int count = words.size() > 1 ? number(words[1], 1, 100'000) : 1;
        for (int i = 1; i <= count; ++i) {
            const Nanos tick = Nanos{1s} / driver_.machine().shape().hz;
            if (tick > kLongest - driver_.machine().globals().now) throw LineError(kTooLong);
            driver_.advance_clock(tick);
            if (!driver_.tick()) continue;
            if (count > 1) out += fmt::format("  at tick {}:\n", i);
            report_decision(true, out);
        }
        if (!driver_.machine().is_idle_task(driver_.current()))
            out += fmt::format("  {} runs, {}\n", driver_.name(driver_.current()),
                               policy_.policy->scheduling_values(driver_.machine(), driver_.current()));
    }

    void pass(const std::vector<std::string>& words, std::string& out) {
        if (words.size() < 2) throw LineError("'pass' needs a time, such as pass 3ms");
        std::string why;
        const std::optional<Nanos> time = parse_time(words[1], why);
        if (!time) throw LineError(why);
        if (*time > kLongest - driver_.machine().globals().now) throw LineError(kTooLong);
        driver_.advance_clock(*time);
        if (driver_.end_slice_if_over()) report_decision(true, out);
    }

    void execute_for_running_task(const std::string& verb, const std::vector<std::string>& words,
                                  std::string& out) {
        if (driver_.machine().is_idle_task(driver_.current()))
            throw LineError(fmt::format("'{}' needs a running task; try 'start'", verb));
        if (verb == "yield") return report_decision(driver_.yield(), out);
        if (verb == "block") return report_decision(driver_.block(), out);
        if (verb == "exit") return report_decision(driver_.exit(), out);
        if (words.size() < 2) throw LineError("'fork' needs the child's name");
        if (driver_.is_full()) throw LineError(fmt::format("there can be at most {} tasks", kMostTasks));
        if (driver_.find(words[1]) != kNoTask || words[1] == "idle")
            throw LineError(fmt::format("task '{}' already exists", words[1]));
        report_decision(driver_.fork(words[1]), out);
    }

    void set_priority(const std::vector<std::string>& words, std::string& out) {
        const TaskId p = find_named_task(words);
        if (words.size() < 3) throw LineError("'set_priority' needs a task and a number, 1 to 40");
        if (driver_.set_priority(p, number(words[2], 1, 40))) report_decision(true, out);
    }

    void report_decision(bool scheduled, std::string& out) const {
        if (!scheduled) {
            out += fmt::format("  no schedule() call: need_resched is not set; {} continues\n",
                               driver_.name(driver_.current()));
            return;
        }
        out += explain_decision(
            driver_.log(), policy_, [&](TaskId p) { return driver_.name(p); }, "  ");
        const Decision& d = driver_.log().decision;
        out += fmt::format("  work: {} considered, {} recalculated, {}\n", pluralize(d.considered, "task"),
                           pluralize(d.recalculated, "counter"), pluralize(d.queue_steps, "queue step"));
    }

    // The policy script's executed lines, each with the variables that changed.
    void print_line_trace(std::string& out) const {
        const ScriptLine* before = nullptr;
        for (const ScriptLine& line : lines_.lines) {
            if (before == nullptr || line.during != before->during || before->what != ScriptLine::Event::runs)
                out += fmt::format("  {}()\n", line.during);
            before = &line;
            std::string changed;
            for (const ScriptLine::Variable& v : line.variables)
                if (v.is_new || line.what == ScriptLine::Event::returned)
                    changed += fmt::format("  {}{}{}", v.name, v.name.empty() ? "" : " = ",
                                           v.task != kNoTask ? driver_.name(v.task) : v.value);
            if (line.what == ScriptLine::Event::returned) {
                if (!changed.empty()) out += fmt::format("        returns{}\n", changed.substr(1));
                continue;
            }
            const auto index = static_cast<std::size_t>(line.line) - 1;
            const std::string text =
                index < policy_.source_lines.size() ? printable(policy_.source_lines[index]) : "";
            out += changed.empty() ? fmt::format("  {:>4}  {}\n", line.line, text)
                                   : fmt::format("  {:>4}  {:<60}{}\n", line.line, text, changed);
        }
        if (lines_.all > lines_.lines.size())
            out += fmt::format("  ... {} more lines\n", lines_.all - lines_.lines.size());
    }

    const NamedPolicy& policy_;
    PolicyDriver driver_;
    bool shows_lines_;
    ScriptLineTrace lines_;  // script lines that the latest event executed
};

// Throws UsageError if there are too many tasks, or if a task has an unsuitable name.
void add_tasks_of(const Scenario& scenario, const std::string& file, Stepper& stepper) {
    for (std::uint32_t g = 0; g < scenario.groups.size(); ++g) {
        const TaskGroup& group = scenario.groups[g];
        for (std::uint32_t i = 1; i <= group.count; ++i) {
            try {
                stepper.add({.name = scenario.task_name(g, i),
                             .priority = group.priority,
                             .sched_class = group.sched_class,
                             .rt_priority = group.rt_priority,
                             .mm = group.mm == TaskGroup::MmKind::own      ? kOwnMm
                                   : group.mm == TaskGroup::MmKind::shared ? group.shared_mm
                                                                           : kKernelMm,
                             .sleeping = group.start > Nanos{}});
            } catch (const LineError& error) {
                throw UsageError(fmt::format("{}: {}", file, error.what()));
            }
        }
    }
}

// Executes the lines of standard input and prints their results. Returns the exit code.
int execute_lines(Stepper& stepper, bool is_interactive, const std::string& output) {
    InputFile in("-");
    std::string out;
    int line_number = 0;
    bool wrong = false, any = false;  // wrong: a line was refused; any: an event was executed
    for (std::string line;;) {
        if (is_interactive) print_immediately("> ");
        if (!in.read_interactive_line(line)) break;
        ++line_number;
        any = any || line.substr(0, line.find('#')).find_first_not_of(" \t\r") != std::string::npos;
        std::string answer;
        try {
            if (!is_interactive && line.find_first_not_of(" \t\r") != std::string::npos)
                answer += "> " + line + "\n";
            if (!stepper.execute_line(line, answer)) break;
        } catch (const LineError& error) {
            print_diagnostic(fmt::format("{}:{}: {}", is_interactive ? "line" : "standard input", line_number,
                                         error.what()));
            wrong = true;
            if (!is_interactive) return kBadInput;  // without a terminal, stop and print no results
        }
        if (is_interactive)
            print_immediately(answer);
        else
            out += answer;
    }
    if (!is_interactive && !any)
        throw ScenarioError(Problem{
            in.name(), line_number + 1, 1, {}, "expected at least one event; 'help' lists the events"});
    if (!is_interactive) write_output_text(out, output);
    return wrong && !is_interactive ? kBadInput : kDone;
}

int execute_step(const CommonOptions& o, bool shows_lines) {
    if (o.policies.size() > 1) throw UsageError("step takes only one --policy");
    std::optional<Scenario> scenario;
    std::vector<Problem> notices;
    if (!o.scenario.empty()) scenario = parse_scenario(read_scenario(o.scenario), o.sets, &notices);
    o.print_notices(notices);
    const std::string spec = !o.policies.empty() ? o.policies.front()
                             : scenario          ? scenario->policy
                                                 : "linux-2.0";
    const NamedPolicy policy = make_policy(spec);
    if (shows_lines && policy.source_lines.empty())
        throw UsageError(fmt::format(
            "--trace-script needs a policy script, and {} is not one; `switchyard list scripts` lists some",
            policy.name));
    Stepper stepper(policy, scenario ? scenario->machine.hz : 100, shows_lines);
    const bool is_interactive = os::is_terminal(os::kStandardInput);
    if (scenario) add_tasks_of(*scenario, o.scenario, stepper);
    if (is_interactive)
        print_immediately(
            fmt::format("{}: enter one event per line; 'help' lists the events, 'quit' or {} ends\n",
                        policy.spec(), os::kEndOfInput));
    return execute_lines(stepper, is_interactive, o.output);
}

}  // namespace

void add_step_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    Command& command = program.add_command("step",
                                           "enter events by hand, on standard input, and see the "
                                           "decisions of a policy");
    command.add_option("SCENARIO", o->scenario, "start with the tasks of this scenario").type_name("");
    command.add_repeatable("--policy", o->policies, "POLICY",
                           "policy: NAME[:option=value,...]; see `switchyard list policies`");
    command.add_repeatable("--set", o->sets, "POINTER=VALUE", "change a value of the scenario; repeatable");
    auto shows_lines = std::make_shared<bool>(false);
    command.add_flag("--trace-script", *shows_lines,
                     "print each executed line of the policy script, with its variables");
    add_output_option(command, o->output);
    command.set_examples(
        {"printf 'task A\\ntask B\\nstart\\nyield\\nyield\\n' | switchyard step",
         "printf 'task A\\ntask B\\nstart\\nyield\\n' | switchyard step --policy linux-2.0:yield=one_tick",
         "printf 'start\\ntick 21\\nshow\\n' | switchyard step two-hogs"});
    command.set_action([o, shows_lines] { return execute_step(*o, *shows_lines); });
}

}  // namespace sim::cli
