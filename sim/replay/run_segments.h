// The segments in which each CPU ran one task (a Gantt chart as data), computed from a run's trace events.
//
// A segment starts with the schedule() that chose its task and ends with the schedule() that chose another
// task. So the cost of a schedule() is in the segment of the task that it chose. With costs of 0 the segments
// are those of textbooks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/trace.h"

namespace sim {

struct RunSegment {
    Nanos begin{}, end{};
    TaskId task = kNoTask;                 // kNoTask: the idle task
    std::uint32_t group = 0, ordinal = 0;  // for name(); values of the task at the start of the segment

    std::string name(const Scenario& scenario) const {
        return task == kNoTask ? "idle" : scenario.task_name(group, ordinal);
    }
};

class RunSegments {
  public:
    // Omits segments that end at or before `from`. The trace must start at the position of the machine m. The
    // first segment of each CPU also starts at this position, even if its task was chosen earlier.
    explicit RunSegments(const Machine& m, Nanos from = {});

    void add_record(const TraceRecord& record);
    // Ends the current segments at `now`. REQUIRES: add_record() is not called afterwards.
    void finish(Nanos now);

    // Number of completed segments on all CPUs.
    std::size_t count() const { return count_; }
    // Segments by CPU, in order of time. Adjacent segments have different tasks.
    const std::vector<std::vector<RunSegment>>& by_cpu() const { return pieces_; }

  private:
    struct TaskName {
        std::uint32_t group, ordinal;
    };

    void end_segment(CpuId cpu, Nanos now);

    TaskId first_task_;
    Nanos from_;
    std::vector<TaskName> names_;  // by TaskId
    std::vector<std::vector<RunSegment>> pieces_;
    std::vector<RunSegment> current_;  // by CPU
    std::size_t count_ = 0;
};

}  // namespace sim
