#include "sim/check/exercise.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"
#include "sim/core/engine.h"
#include "sim/core/statistics.h"
#include "sim/core/summary.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace {

std::string ns_text(Nanos time) { return fmt::format("\"{}ns\"", time.count()); }

std::string program_of(const ExerciseJob& job) {
    if (job.period > Nanos{})
        return fmt::format(
            R"({{"loop": "forever", "steps": [{{"run": {}}}, {{"timer": {{"period": {}{}}}}}]}})",
            ns_text(job.length), ns_text(job.period), job.gives_up ? R"(, "late": "give_up")" : "");
    const std::int64_t waits = job.io_every > Nanos{} ? (job.length - 1ns) / job.io_every : 0;
    if (waits == 0) return fmt::format(R"({{"run": {}}})", ns_text(job.length));
    return fmt::format(R"({{"loop": {}, "steps": [{{"run": {}}}, {{"arrival": {}}}]}}, {{"run": {}}})", waits,
                       ns_text(job.io_every), ns_text(job.io_time),
                       ns_text(job.length - waits * job.io_every));
}

Scenario scenario_of(const Exercise& exercise) {
    std::string tasks;
    for (std::size_t i = 0; i < exercise.jobs.size(); ++i) {
        const ExerciseJob& job = exercise.jobs[i];
        tasks += fmt::format(R"({}{{"name": "job{}", "start": {}, "priority": {}, "tickets": {}, )",
                             i > 0 ? ", " : "", i, ns_text(job.arrival), job.priority, job.tickets);
        if (job.deadline > Nanos{}) tasks += fmt::format(R"("deadline": {}, )", ns_text(job.deadline));
        if (!job.cpus.empty()) tasks += fmt::format(R"("affinity": [{}], )", join(job.cpus, ", "));
        tasks += fmt::format(R"("program": [{}]}})", program_of(job));
    }
    return parse_scenario(
        "exercise",
        fmt::format(R"({{"format": "switchyard-scenario/1", "title": "an exercise", "machine": "ideal",
                         "cpus": {}, "until": {}, "tasks": [{}]}})",
                    exercise.cpus, ns_text(exercise.end), tasks));
}

// Builds ValueIntervals from a value that is read after each event.
class IntervalWriter {
  public:
    void set_value(int value, Nanos now) {
        if (value == value_) return;
        end(now);
        value_ = value;
    }
    ValueIntervals finish(Nanos now) {
        end(now);
        return std::move(intervals_);
    }

  private:
    void end(Nanos now) {
        if (now == since_) return;
        if (!intervals_.empty() && intervals_.back().value == value_)
            intervals_.back().length += now - since_;
        else
            intervals_.push_back({value_, now - since_});
        since_ = now;
    }

    ValueIntervals intervals_;
    int value_ = -1;
    Nanos since_{};
};

class ExerciseSolver {
  public:
    ExerciseSolver(const Exercise& exercise, const Scenario& scenario, const Policy& policy)
        : exercise_(exercise),
          scenario_(scenario),
          policy_(policy),
          engine_(scenario, policy),
          m_(engine_.initial_state()),
          statistics_(m_.shape()),
          writers_(exercise.cpus) {
        for (const ExerciseJob& job : exercise.jobs) releases_.push_back(job.arrival);
    }

    ExerciseSolution solve() {
        ExerciseSolution s;
        // Runs one nanosecond longer than the exercise, because events at its end count: a job that
        // finishes exactly then can meet its deadline.
        while (engine_.step(m_, exercise_.end + 1ns, {.statistics = &statistics_})) record_changes(s);
        engine_.throw_if_policy_failed(m_);
        s.end = std::min(m_.globals().now, exercise_.end);
        for (IntervalWriter& writer : writers_) s.schedule.push_back(writer.finish(s.end));
        s.level = level_.finish(s.end);
        const std::vector<TaskStatistics> tasks = elapsed_task_statistics(scenario_, statistics_, m_);
        for (std::size_t i = 0; i < exercise_.jobs.size(); ++i) {
            const JobTimes& times = statistics_.jobs[row(i)];
            ExerciseSolution::JobTimes of;
            if (times.first_run != JobTimes::kNever) of.response = times.first_run - times.arrival;
            if (times.finish != JobTimes::kNever) {
                of.turnaround = times.finish - times.arrival;
                of.waiting = tasks[row(i)].ready;
            }
            s.jobs.push_back(of);
            if (exercise_.jobs[i].period > Nanos{} && m_.is_live(row(i)) &&
                m_.job[row(i)].release + exercise_.jobs[i].deadline <= exercise_.end &&
                m_.job[row(i)].release < exercise_.end)
                s.misses.emplace_back(i, m_.job[row(i)].release);
        }
        std::sort(s.misses.begin(), s.misses.end());
        return s;
    }

  private:
    TaskId row(std::size_t job) const { return m_.first_task() + static_cast<TaskId>(job); }

    std::int64_t sort_value(TaskId p) const { return policy_.scheduling_key(m_, p).order; }

    // Records the changes made by the last event.
    void record_changes(ExerciseSolution& s) {
        const Nanos now = std::min(m_.globals().now, exercise_.end);
        for (CpuId c = 0; c < exercise_.cpus; ++c) {
            const TaskId p = m_.cpu(c).current;
            const bool idle = m_.is_idle_task(p);
            writers_[c].set_value(idle ? -1 : static_cast<int>(p - m_.first_task()), now);
            if (c == 0) level_.set_value(idle ? -1 : static_cast<int>(sort_value(p)) - 1, now);
        }
        if (m_.globals().decisions != decisions_ && !m_.is_idle_task(m_.cpu(0).current)) {
            s.turns.push_back(now);
            s.sort_values.emplace_back();
            for (std::size_t i = 0; i < exercise_.jobs.size(); ++i)
                s.sort_values.back().push_back(sort_value(row(i)));
        }
        decisions_ = m_.globals().decisions;
        for (std::size_t i = 0; i < exercise_.jobs.size() && m_.shape().has_jobs; ++i) {
            const Nanos release = m_.job[row(i)].release;
            if (release == releases_[i]) continue;  // the release is the same, so no job has ended
            const Nanos deadline = releases_[i] + exercise_.jobs[i].deadline;
            const bool missed = statistics_.deadlines[row(i)].counts.missed != missed_deadlines_of(i);
            if (missed && deadline <= exercise_.end) s.misses.emplace_back(i, releases_[i]);
            missed_[i] = statistics_.deadlines[row(i)].counts.missed;
            releases_[i] = release;
        }
    }
    std::uint64_t missed_deadlines_of(std::size_t job) {
        missed_.resize(exercise_.jobs.size(), 0);
        return missed_[job];
    }

    const Exercise& exercise_;
    const Scenario& scenario_;
    const Policy& policy_;
    Engine engine_;
    Machine m_;
    Statistics statistics_;
    std::vector<IntervalWriter> writers_;
    IntervalWriter level_;
    std::vector<Nanos> releases_;
    std::vector<std::uint64_t> missed_;
    std::uint64_t decisions_ = 0;
};

}  // namespace

ExerciseSolution solve(const Exercise& exercise, const Policy& policy) {
    const Scenario scenario = scenario_of(exercise);
    return ExerciseSolver(exercise, scenario, policy).solve();
}

}  // namespace sim
