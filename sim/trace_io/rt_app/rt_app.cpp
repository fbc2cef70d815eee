#include "sim/trace_io/rt_app/rt_app.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "sim/trace_io/import/scanning.h"
#include "sim/trace_io/rt_app/omitted_features.h"
#include "sim/trace_io/rt_app/rt_app_keys.h"
#include "sim/trace_io/rt_app/rt_app_properties.h"
#include "sim/trace_io/rt_app/rt_app_steps.h"
#include "sim/trace_io/rt_app/rt_app_thread.h"
#include "sim/trace_io/rt_app/workload_file.h"
#include "sim/trace_io/scenario/name_in_scenario.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {
namespace {

class WorkloadReader {
  public:
    WorkloadReader(const std::string& file, std::string text)
        : file_(file, std::move(text)), properties_(file_, left_out_), steps_(file_, left_out_, threads_) {}

    Workload read(const WorkloadOptions& options, Notes& notes) {
        const JsonValue& root = file_.root();
        if (!root.is_object())
            file_.add_problem_and_throw(root, "expected an object ({...}), got " + kind_of(root));
        for (const JsonValue* member : root.children()) {
            if (member->key() == "tasks")
                tasks_ = &file_.require_object(*member);
            else if (member->key() == "global")
                properties_.read_global_properties(file_.require_object(*member));
            else if (member->key() != "resources")
                file_.add_problem(
                    *member,
                    "rt-app has no such key" +
                        did_you_mean(member->key(), std::vector<std::string>{"tasks", "global", "resources"}),
                    true);
        }
        if (tasks_ == nullptr)
            file_.add_problem_and_throw(root, "\"tasks\" is missing: expected an object with the threads");
        name_threads();
        for (RtAppThread& thread : threads_.all) read_thread(thread);
        left_out_.add_notes(notes);
        file_.throw_if_problems();
        Workload workload;
        workload.entries = static_cast<std::uint32_t>(threads_.all.size());
        workload.cpus = properties_.required_cpus();
        workload.scenario = scenario_text(options);
        file_.throw_if_problems();
        if (runs_on_ && properties_.duration() == Nanos{})
            notes.add({"workload without an end (global/duration): the scenario ends after 10 s",
                       "workloads without an end (global/duration): the scenario ends after 10 s"});
        check_scenario(workload.scenario);
        return workload;
    }

  private:
    // Names all threads and collects the names of conditions and barriers, before the first thread's program
    // is converted.
    void name_threads() {
        std::set<std::string> taken;
        std::map<std::string, int> times;  // by name: number of suffixes that have been tried
        for (const JsonValue* value : tasks_->children()) {
            file_.require_object(*value);
            const std::string wanted = name_in_scenario(value->key());
            std::string name = wanted;
            while (!taken.insert(name).second) name = fmt::format("{}.{}", wanted, ++times[wanted] + 1);
            threads_.all.emplace_back();
            threads_.all.back().value = value;
            threads_.all.back().name = name;
            threads_.by_key.emplace(value->key(), threads_.all.size() - 1);
        }
        if (threads_.all.empty())
            file_.add_problem_and_throw(*tasks_,
                                        "expected at least one thread, got "
                                        "none");
        if (threads_.all.size() > kMostThreadObjects)
            file_.add_problem_and_throw(*tasks_, "expected at most 10,000 threads");
        for (RtAppThread& thread : threads_.all) {
            for (const JsonValue* member : thread.value->children()) {
                if (member->key() == "instance")
                    thread.count = file_.integer_in_range(*member, 0, kMaxTasks, "a number of threads");
                if (member->key() != "phases" || !member->is_object()) continue;
                for (const JsonValue* phase : member->children())
                    steps_.add_conditions_and_barriers(thread, *phase);
            }
            steps_.add_conditions_and_barriers(thread, *thread.value);
        }
    }

    // Finds errors of the scenario as a whole: a loop that takes no time, too many steps. The user has not
    // seen the scenario, so the messages refer to the thread in the workload.
    void check_scenario(const std::string& scenario) {
        try {
            parse_scenario("--machine", scenario);
        } catch (const ScenarioError& error) {
            for (const Problem& problem : error.problems()) {
                constexpr std::string_view kTasks = "/tasks/";
                std::size_t thread = 0;
                std::string_view pointer = problem.pointer;
                const bool is_of_task = pointer.starts_with(kTasks);
                if (is_of_task) pointer.remove_prefix(kTasks.size());
                if (is_of_task && take_number(pointer, thread) && thread < threads_.all.size())
                    file_.add_problem(*threads_.all[thread].value, problem.message);
                else if (problem.pointer.starts_with("/machine"))
                    throw;
                else
                    file_.add_problem(*tasks_, problem.message);
            }
            file_.throw_if_problems();
        }
    }

    void read_thread(RtAppThread& thread) {
        const JsonValue* phases = nullptr;
        bool has_events = false;
        RtAppProperties::Attributes attributes;
        for (const JsonValue* member : thread.value->children()) {
            if (member->key() == "phases") {
                phases = &file_.require_object(*member);
            } else if (member->key() == "loop") {
                thread.loop =
                    file_.integer_in_range(*member, -1, kMostTimes, "a number of times (-1: forever)");
            } else if (member->key() == "delay") {
                thread.start = Nanos{file_.microseconds(*member) * 1000};
            } else if (event_of(member->key())) {
                has_events = true;
            } else if (member->key() != "instance") {
                properties_.read_thread_property(*member, attributes);
            }
        }
        if (phases != nullptr && has_events) {
            file_.add_problem(*phases, "events must be in phases or in the thread itself, not in both");
            return;
        }
        std::vector<std::string> steps;
        if (phases == nullptr) {
            steps = steps_.steps_of(*thread.value, thread);
        } else {
            for (const JsonValue* phase : phases->children()) {
                file_.require_object(*phase);
                std::int64_t times = 1;
                for (const JsonValue* member : phase->children()) {
                    if (member->key() == "loop")
                        times = file_.integer_in_range(*member, -1, kMostTimes,
                                                       "a number of times (-1: forever)");
                    else if (!event_of(member->key()))
                        properties_.read_phase_property(*member, attributes, phases->size() == 1);
                }
                append_repeated_steps(steps_.steps_of(*phase, thread), times, steps);
            }
        }
        const std::string name = properties_.scheduling_class_of(attributes, *tasks_);
        const RtAppProperties::Reservation reservation = properties_.reservation(name, attributes);
        const bool uses_reservation =
            steps.empty() && phases == nullptr && !has_events && reservation.runtime > 0;
        if (uses_reservation) {
            // A thread with a SCHED_DEADLINE reservation and without events computes for the whole reserved
            // runtime in each period.
            thread.period = reservation.period;
            steps = {fmt::format("{{\"run\": \"{}us\"}}", reservation.runtime),
                     fmt::format("{{\"timer\": \"{}us\"}}", reservation.period)};
        }
        if (steps.empty() && thread.count > 0)
            file_.add_problem(*thread.value, "this thread has no event that a scenario supports");
        append_repeated_steps(std::move(steps), thread.loop, thread.steps);
        thread.attributes =
            properties_.attributes_text(name, attributes, *tasks_) +
            properties_.deadline_text(attributes, reservation, thread.period, !uses_reservation);
    }

    void append_repeated_steps(std::vector<std::string> steps, std::int64_t times,
                               std::vector<std::string>& program) {
        if (steps.empty() || times == 0) return;
        runs_on_ |= times == -1;
        if (times == 1)
            program.insert(program.end(), std::make_move_iterator(steps.begin()),
                           std::make_move_iterator(steps.end()));
        else
            program.push_back(fmt::format("{{\"loop\": {}, \"steps\": [{}]}}",
                                          times == -1 ? "\"forever\"" : std::to_string(times),
                                          join(steps, ", ")));
    }

    std::string scenario_text(const WorkloadOptions& options) const {
        const std::string title =
            options.title.empty() ? std::filesystem::path(file_.name()).stem().string() : options.title;
        std::string text_of = fmt::format(
            "{{\n    \"format\": \"switchyard-scenario/1\",\n    \"title\": {},\n    \"machine\": {},\n    "
            "\"cpus\": "
            "{},\n    \"policy\": {},\n",
            json_string_of(shorten(printable(title), 200)),
            options.machine.empty() ? "{\"base\": \"ideal\", \"hrtimers\": true}" : options.machine,
            properties_.required_cpus(),
            json_string_of(options.policy.empty() ? "linux-6.6" : options.policy));
        const Nanos duration = properties_.duration();
        if (duration > Nanos{} || runs_on_)
            text_of += fmt::format(
                "    \"until\": \"{}ns\",\n",
                (duration > Nanos{} ? std::min(duration, kHorizon - Nanos{1}) : Nanos{10s}).count());
        text_of += "    \"tasks\": [";
        for (std::size_t i = 0; i < threads_.all.size(); ++i) {
            const RtAppThread& e = threads_.all[i];
            text_of += fmt::format(
                "{}\n        {{\"name\": {}, \"mm\": \"rt-app\"{}{}{}, \"program\": [{}]}}", i > 0 ? "," : "",
                json_string_of(e.name), e.count == 1 ? "" : fmt::format(", \"count\": {}", e.count),
                e.attributes, e.start > Nanos{} ? fmt::format(", \"start\": \"{}ns\"", e.start.count()) : "",
                join(e.steps, ", "));
        }
        return text_of + "\n    ]\n}\n";
    }

    static constexpr std::size_t kMostThreadObjects = 10'000;
    static constexpr std::int64_t kMostTimes = 4'294'967'294;

    WorkloadFile file_;
    OmittedFeatures left_out_;
    RtAppProperties properties_;
    RtAppThreads threads_;
    RtAppSteps steps_;
    const JsonValue* tasks_ = nullptr;
    bool runs_on_ = false;
};

}  // namespace

bool is_rt_app_workload(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const auto skip = [&] {
        for (;;) {
            while (!text.empty() && std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos)
                text.remove_prefix(1);
            if (text.starts_with("//"))
                text.remove_prefix(std::min(text.find('\n'), text.size()));
            else if (text.starts_with("/*"))
                text.remove_prefix(std::min(text.find("*/"), text.size() - 2) + 2);
            else
                return;
        }
    };
    skip();
    if (!text.starts_with('{')) return false;
    text.remove_prefix(1);
    skip();
    for (const std::string_view key : {"\"tasks\"", "\"global\"", "\"resources\""}) {
        if (!text.starts_with(key)) continue;
        text.remove_prefix(key.size());
        skip();
        if (!text.starts_with(':')) return false;
        text.remove_prefix(1);
        skip();
        return text.empty() || text.front() == '{';  // in a scenario, "tasks" is a list
    }
    return false;
}

Workload read_workload(const std::string& file, std::string text, const WorkloadOptions& options,
                       Notes& notes) {
    return WorkloadReader(file, std::move(text)).read(options, notes);
}

}  // namespace sim::trace_io
