// The CPU time of a program: per period if the program has a timer, otherwise in total. It is computed
// while the program steps are read. Loops are not unrolled: the length of a loop is the length of its body,
// multiplied by the number of repetitions.
#pragma once

#include <cstdint>

#include "sim/core/scenario.h"

namespace sim {

class JobLength {
  public:
    // These functions append a computation, the end of a period's job, and the end of the task.
    void append_computation(const TimeDistribution& duration);
    void append_end_of_job();
    void append_end_of_task();
    // Appends a computation of unknown length, such as the execution of another program.
    void append_unknown() { known_ = known_ && ends_; }

    // followed_by() returns the length of the steps appended so far and the steps of `next` together.
    // repeated() returns the length of the steps appended so far if they are executed `count` times
    // (kForever: without end).
    JobLength followed_by(const JobLength& next) const;
    JobLength repeated(std::uint32_t count) const;

    // The length of each job; 0 if the jobs differ in length, or if a length is random, unknown or
    // infinite.
    Nanos fixed_length_or_zero() const;

  private:
    // Records a completed job of this length.
    void add_whole_job(Nanos length);

    bool known_ = true;
    bool ends_ = false;           // no further steps are executed: the task ends or loops forever
    bool loops_forever_ = false;  // the steps end with an endless loop
    bool has_timer_ = false;
    bool has_whole_job_ = false;  // there is a job between two timer steps
    Nanos head_{};                // length until the first timer step; total length if there is none
    Nanos whole_{};               // length of each job between two timer steps
    Nanos tail_{};                // length after the last timer step
};

}  // namespace sim
