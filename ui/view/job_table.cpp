#include "ui/view/job_table.h"

#include <fmt/format.h>

#include <cmath>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;

std::string number(std::optional<double> n) { return n ? fmt::format("{:.2f}", *n) : "-"; }

std::string deadlines_text(const sim::Summary::Deadlines& d) {
    return fmt::format("{} / {}", group_digits(d.met), group_digits(d.missed));
}

std::optional<Nanos> rounded(std::optional<double> ns) {
    return ns ? std::optional(Nanos{std::llround(*ns)}) : std::nullopt;
}

}  // namespace

JobTimeUnit::JobTimeUnit(Nanos longest)
    : ns(longest >= Nanos{2'000'000'000} ? 1e9
         : longest >= Nanos{2'000'000}   ? 1e6
         : longest >= Nanos{2'000}       ? 1e3
                                         : 1),
      name(longest >= Nanos{2'000'000'000} ? "s"
           : longest >= Nanos{2'000'000}   ? "ms"
           : longest >= Nanos{2'000}       ? "µs"
                                           : "ns") {}

std::string JobTimeUnit::text(Nanos t) const {
    const double number = static_cast<double>(t.count()) / ns;
    // A time that is too small for the table's unit is shown in its own unit.
    if (t != Nanos{} && number < 0.001) return span(t);
    std::string text = fmt::format("{:.3f}", number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

const sim::Machine& JobTable::machine() const {
    return whole_ ? run_->history().simulated_end().machine : run_->session().machine();
}

const sim::Statistics& JobTable::statistics() const {
    return whole_ ? run_->history().simulated_end().statistics : run_->session().statistics();
}

JobTable::JobTable(const Run& run, bool whole)
    : run_(&run), run_id_(run.id()), revision_(run.session().revision()), whole_(whole) {
    const sim::Machine& m = machine();
    events_ = m.globals().events;
    at_ = m.globals().now;
    first_ = m.first_task();
    last_ = m.globals().high_row;
    if (whole) whole_run_tasks_ = sim::elapsed_task_statistics(run.scenario(), statistics(), m);
    const std::vector<sim::TaskStatistics>& settled = whole ? whole_run_tasks_ : run.tasks();
    jobs_ = sim::summary_of_jobs(m, statistics(), settled);
    deadlines_ = sim::summary_of_deadlines(run.scenario(), m, statistics());
}

bool JobTable::is_up_to_date(const Run& run, bool whole) const {
    if (run_id_ != run.id() || whole != whole_) return false;
    return whole ? events_ == run.history().simulated_end().machine.globals().events && at_ == run.end()
                 : revision_ == run.session().revision();
}

std::vector<std::string> JobTable::cells(std::size_t row, const JobTimeUnit& unit) const {
    const sim::Summary::TaskSummary t = sim::summary_of_task(
        run_->scenario(), machine(), statistics(), whole_ ? whole_run_tasks_ : run_->tasks(), task(row));
    std::vector<std::string> cells{t.name,
                                   unit.text(t.arrival),
                                   unit.text(t.user),
                                   unit.text(t.first_run),
                                   unit.text(t.finish),
                                   unit.text(t.response),
                                   unit.text(t.turnaround),
                                   unit.text(t.waiting),
                                   number(t.normalised_turnaround)};
    if (has_deadlines()) cells.push_back(t.deadlines ? deadlines_text(*t.deadlines) : "-");
    return cells;
}

std::vector<std::string> JobTable::means(const JobTimeUnit& unit) const {
    std::vector<std::string> cells{"mean",
                                   "",
                                   "",
                                   "",
                                   "",
                                   unit.text(rounded(jobs_.mean_response)),
                                   unit.text(rounded(jobs_.mean_turnaround)),
                                   unit.text(rounded(jobs_.mean_waiting)),
                                   number(jobs_.mean_normalised_turnaround)};
    if (deadlines_) cells.push_back(deadlines_text(*deadlines_));
    return cells;
}

std::vector<std::string> JobTable::maxima(const JobTimeUnit& unit) const {
    return {"longest",
            "",
            "",
            "",
            "",
            unit.text(jobs_.max_response),
            unit.text(jobs_.max_turnaround),
            unit.text(jobs_.max_waiting)};
}

std::string JobTable::summary() const {
    std::string text = jobs_.finished == 0 ? fmt::format("No job has finished by {}", instant_text(at_))
                                           : fmt::format("{} finished by {}, {:.4g} jobs per second",
                                                         pluralize(jobs_.finished, "job", "s"),
                                                         instant_text(at_), jobs_.throughput.value_or(0));
    if (jobs_.jain) text += fmt::format("; Jain's index {:.4f}", *jobs_.jain);
    if (deadlines_)
        text +=
            fmt::format("; deadlines: {} met, {} missed, maximum lateness {}", group_digits(deadlines_->met),
                        group_digits(deadlines_->missed), span(deadlines_->max_lateness));
    return text;
}

}  // namespace ui
