// Shows the tasks as textbook jobs: a line for each job, and the means.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/human_text.h"
#include "sim/core/summary.h"
#include "sim/lab/follow_run.h"
#include "sim/views/views.h"

namespace sim::views {
namespace {

std::string cell_text(std::optional<Nanos> time) { return time ? human_time(*time) : "-"; }
std::string cell_text(std::optional<double> number) { return number ? fmt::format("{:.2f}", *number) : "-"; }
std::string mean_cell_text(std::optional<double> ns) {
    return ns ? human_time(Nanos{static_cast<std::int64_t>(*ns + 0.5)}) : "-";
}

std::string job_line(std::size_t name_width, const std::string& name, const std::vector<std::string>& cells) {
    std::string text = fmt::format("{:<{}}", name, name_width);
    for (const std::string& cell : cells) text += fmt::format(" {:>11}", cell);
    return text + "\n";
}

// Returns a note about the finished jobs that have no line because another task reused their row of the task
// table. The means include these jobs, too.
std::string missing_jobs_note(const Summary& s) {
    std::uint64_t finished = 0;
    for (const Summary::TaskSummary& t : s.tasks) finished += t.finish.has_value();
    if (s.jobs.finished == finished) return {};
    return fmt::format("... and {} finished jobs whose rows of the task table were reused\n",
                       group_digits(s.jobs.finished - finished));
}

std::string print_jobs(const ViewedRun& run) {
    const Engine engine(run.scenario, run.policy);
    Machine m = engine.initial_state();
    Statistics statistics(run.scenario.shape);
    const StopReason reason =
        lab::run_with_progress(engine, m, run.limits, {.statistics = &statistics}, run.progress);
    const Summary s = summarize(run.scenario, "", m, statistics, reason);

    std::size_t width = std::string_view("longest").size();
    for (const Summary::TaskSummary& t : s.tasks) width = std::max(width, t.name.size());
    std::string text = job_line(
        width, "job",
        {"arrival", "service", "first run", "finish", "response", "turnaround", "waiting", "normalised"});
    for (const Summary::TaskSummary& t : s.tasks)
        text += job_line(width, t.name,
                         {cell_text(t.arrival), human_time(t.user), cell_text(t.first_run),
                          cell_text(t.finish), cell_text(t.response), cell_text(t.turnaround),
                          cell_text(t.waiting), cell_text(t.normalised_turnaround)});
    text += missing_jobs_note(s);
    const Summary::Jobs& jobs = s.jobs;
    text +=
        job_line(width, "mean",
                 {"", "", "", "", mean_cell_text(jobs.mean_response), mean_cell_text(jobs.mean_turnaround),
                  mean_cell_text(jobs.mean_waiting), cell_text(jobs.mean_normalised_turnaround)});
    text += job_line(width, "longest",
                     {"", "", "", "", cell_text(jobs.max_response), cell_text(jobs.max_turnaround),
                      cell_text(jobs.max_waiting)});
    text += jobs.finished == 0
                ? fmt::format("\nno job has finished in {}", human_time(s.simulated))
                : fmt::format("\nfinished jobs: {} in {}, {:.4g} per second", group_digits(jobs.finished),
                              human_time(s.simulated), jobs.throughput.value_or(0));
    if (jobs.jain) text += fmt::format("; Jain's index {:.4f}", *jobs.jain);
    return text + "\n";
}

}  // namespace

View jobs_view() { return {"jobs", {}, print_jobs}; }

}  // namespace sim::views
