// Statistics of the jobs of a run in the terms of textbooks, as cells of a table. The statistics cover the
// run up to the position or up to the end of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/summary.h"
#include "ui/view/model.h"

namespace ui {

// A common unit for all times of a table, so that they are easy to compare. Times have three decimals.
struct JobUnit {
    explicit JobUnit(sim::Nanos longest);

    std::string text(sim::Nanos t) const;
    std::string text(std::optional<sim::Nanos> t) const { return t ? text(*t) : "-"; }

    double ns;
    const char* name;
};

class JobTable {
  public:
    JobTable() = default;
    // `whole`: up to the end of the run. REQUIRES: `run` outlives this object.
    JobTable(const Run& run, bool whole);

    // True if the table is up to date for this run and `whole`.
    bool is_up_to_date(const Run& run, bool whole) const;

    std::size_t rows() const { return last_ - first_; }
    sim::TaskId task(std::size_t row) const { return first_ + static_cast<sim::TaskId>(row); }
    // The cells of a row, one per column.
    std::vector<std::string> cells(std::size_t row, const JobUnit& unit) const;
    std::vector<std::string> means(const JobUnit& unit) const;
    std::vector<std::string> maxima(const JobUnit& unit) const;
    // A summary such as "3 finished by 12 ms, 250 a second; Jain's index 0.9300; deadlines: 4 met, 1
    // missed, ...".
    std::string summary() const;

    bool has_deadlines() const { return deadlines_.has_value(); }
    sim::Nanos at() const { return at_; }  // the end of the reported interval

  private:
    const sim::Machine& machine() const;
    const sim::Statistics& statistics() const;

    const Run* run_ = nullptr;
    std::uint64_t run_id_ = 0, revision_ = 0, events_ = 0;
    bool whole_ = false;
    sim::Nanos at_{};
    sim::TaskId first_ = 0, last_ = 0;
    std::vector<sim::TaskStatistics> settled_;  // used only for the whole run; else Run::tasks() is used
    sim::Summary::Jobs jobs_;
    std::optional<sim::Summary::Deadlines> deadlines_;
};

// A column of the table. kJobColumns: all columns; the last one is used only if a task has a deadline.
struct JobColumn {
    const char *title, *meaning;
};
inline constexpr JobColumn kJobColumns[] = {
    {"job", "the task: one job from its arrival to its finish"},
    {"arrival", "when it was started or forked"},
    {"service", "the CPU time that it has used"},
    {"first run", "when it had a CPU for the first time"},
    {"finish", "when it exited"},
    {"response", "from arrival to the first run"},
    {"turnaround", "from arrival to finish"},
    {"waiting", "how long it was ready and had no CPU"},
    {"norm.", "normalised turnaround: turnaround / service; 1 as if it had run alone"},
    {"met / missed", "jobs that finished by their deadlines, and those that did not"}};
inline constexpr std::size_t kJobColumnCount = std::size(kJobColumns);

}  // namespace ui
