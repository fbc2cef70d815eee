// The scenario's task groups as a table of jobs, for the pane WORKLOAD: the values that the user can edit,
// and the results of the run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/view/model.h"

namespace ui {

struct WorkloadRow {
    std::string name, arrival, burst, priority;  // as the cells show them; times in ms, without a unit
    bool has_single_burst = false;  // the program is one burst; otherwise `burst` describes the program
    std::uint32_t tasks = 1;        // number of tasks at the start
    // Results at the end of the simulated part of the run, for a group of one task; nullopt: not known.
    std::optional<sim::Nanos> finish, turnaround, waiting;
};

struct WorkloadTable {
    std::vector<WorkloadRow> rows;
    // Means over all finished jobs, in ns; nullopt: no job has finished.
    std::optional<double> mean_turnaround, mean_waiting;
    bool is_complete = false;  // the whole run is simulated
};

// REQUIRES: model.a is not null.
WorkloadTable workload_table(const Model& model);

// A time in ms without its unit, exact: "8", "0.25".
std::string exact_ms_text(sim::Nanos time);
// A time in ms, rounded to three digits after the point, without trailing zeros.
std::string rounded_ms_text(double ns);

std::string text_of(const WorkloadTable& table);

}  // namespace ui
