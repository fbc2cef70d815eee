// Who had each CPU, from when to when: a Gantt chart as data, followed in the trace of a run.
//
// A piece begins with the schedule() that chose its task and ends with the one that chose another one, so
// what schedule() itself takes is the next task's; with prices of 0 the pieces are those of the textbooks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/scenario.h"
#include "sim/core/trace.h"

namespace sim {

struct RunPiece {
    Nanos begin{}, end{};
    TaskId task = kNoTask;                 // kNoTask: the idle task
    std::uint32_t group = 0, ordinal = 0;  // what the task was called then

    std::string name(const Scenario& scenario) const {
        return task == kNoTask ? "idle" : scenario.task_name(group, ordinal);
    }
};

class RunPieces {
  public:
    // Pieces that end before `from` are not kept. The trace begins where the machine stands; so does the
    // first piece of each CPU, whenever its task was chosen.
    explicit RunPieces(const Machine& m, Nanos from = {});

    void follow(const TraceRecord& record);
    // What is in progress ends now. Nothing may follow.
    void finish(Nanos now);

    // On all CPUs; what is in progress is not in it.
    std::size_t count() const { return count_; }
    // Neighbours are of different tasks.
    const std::vector<std::vector<RunPiece>>& by_cpu() const { return pieces_; }

  private:
    struct Name {
        std::uint32_t group, ordinal;
    };

    void end(CpuId cpu, Nanos now);

    TaskId first_task_;
    Nanos from_;
    std::vector<Name> names_;  // by TaskId
    std::vector<std::vector<RunPiece>> pieces_;
    std::vector<RunPiece> current_;  // by CPU
    std::size_t count_ = 0;
};

}  // namespace sim
