// The processes, or the threads of one process, that work on a batch together. They are made once and sleep
// between batches, which the kernel's choice of who runs next takes no notice of.
//
// All of them are children of whoever makes the crew and are killed when it goes: by its destructor, or by
// the kernel when its process dies (PR_SET_PDEATHSIG).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

#include "sim/base/descriptor.h"
#include "sim/calibrate/measurements/turn.h"

namespace sim::calibrate {

// What one batch was.
struct BatchResult {
    double ns = 0;        // of one operation
    double switches = 0;  // for each
    double others = 0;    // the share of the time that the CPU was somebody else's
    double total = 0;     // ns, from begin to end
};

// What a member has had of the CPU during a batch, and how often it has left it.
struct Used {
    std::int64_t cpu = 0;  // ns
    std::int64_t switches = 0;
};

class Crew {
  public:
    // Throws CannotMeasure.
    explicit Crew(bool threads);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // One batch of a cell: so many operations, or rounds, of member 0. REQUIRES: quota > 0, and the cell's
    // contexts are what this crew is of. Throws CannotMeasure.
    BatchResult work(std::size_t cell, std::uint64_t quota);

  private:
    struct Member;  // what one of them shares with this process
    struct Shared;

    void start_process(int first, int members);
    void stop() noexcept;
    [[noreturn]] void be(int first, int members);
    void serve(int member);
    void check_alive();

    Shared* shared_ = nullptr;
    std::vector<Descriptor> ends_;
    Pipe pipes_[kMostRing];
    std::vector<pid_t> processes_;
};

}  // namespace sim::calibrate
