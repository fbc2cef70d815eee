// Statistics of the jobs of a run in the terms of textbooks, as cells of a table. The statistics cover the
// run up to its current position or up to its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "ui/view/model.h"

namespace ui {

// The common unit of all times in a table, so that they are easy to compare. A time has up to three decimals.
struct JobTimeUnit {
    explicit JobTimeUnit(sim::Nanos longest);

    std::string text(sim::Nanos t) const;
    std::string text(std::optional<sim::Nanos> t) const { return t ? text(*t) : "-"; }

    double ns;
    const char* name;
};

class JobTable {
  public:
    JobTable() = default;
    // `whole`: true for the statistics of the whole run, false for the statistics up to the run's position.
    // REQUIRES: `run` outlives this object.
    JobTable(const Run& run, bool whole);

    // True if the table is made from `run` and `whole`, and the run has not changed since.
    bool is_up_to_date(const Run& run, bool whole) const;

    std::size_t row_count() const { return last_ - first_; }
    sim::TaskId task(std::size_t row) const { return first_ + static_cast<sim::TaskId>(row); }
    // The cells of a row, one per column.
    std::vector<std::string> cells(std::size_t row, const JobTimeUnit& unit) const;
    // The last two rows of the table. means(): the mean of each column. maxima(): the largest value of each
    // column.
    std::vector<std::string> means(const JobTimeUnit& unit) const;
    std::vector<std::string> maxima(const JobTimeUnit& unit) const;
    // A summary such as "3 jobs finished by 12 ms, 250 jobs per second; Jain's index 0.9300; deadlines: 4
    // met, 1 missed, ...".
    std::string summary() const;

    bool has_deadlines() const { return deadlines_.has_value(); }
    sim::Nanos interval_end() const { return at_; }  // the end of the reported interval

  private:
    const sim::Machine& machine() const;
    const sim::Statistics& statistics() const;

    const Run* run_ = nullptr;
    std::uint64_t run_id_ = 0, revision_ = 0, events_ = 0;
    bool whole_ = false;
    sim::Nanos at_{};
    sim::TaskId first_ = 0, last_ = 0;
    // Statistics of the tasks at the end of the run; unused if whole_ is false (see Run::tasks()).
    std::vector<sim::TaskStatistics> whole_run_tasks_;
    sim::Summary::Jobs jobs_;
    std::optional<sim::Summary::Deadlines> deadlines_;
};

// A column of the table of jobs.
struct JobColumn {
    const char *title, *meaning;
};
// All columns. The last column is used only if a task has a deadline.
inline constexpr JobColumn kJobColumns[] = {
    {"job", "the task: one job from its arrival to its finish"},
    {"arrival", "when the task was started or forked"},
    {"service", "the CPU time that the task has used"},
    {"first run", "when the task had a CPU for the first time"},
    {"finish", "when the task exited"},
    {"response", "from arrival to the first run"},
    {"turnaround", "from arrival to finish"},
    {"waiting", "how long the task was ready and had no CPU"},
    {"norm.", "normalised turnaround: turnaround / service; 1 if the task never waited"},
    {"met / missed", "jobs that finished by their deadlines, and those that did not"}};
inline constexpr std::size_t kJobColumnCount = std::size(kJobColumns);

}  // namespace ui
