// How much CPU time a program takes: all of it or, when it has a timer, each of its periods. Worked out from
// the steps as they are read, loops by their count rather than round by round.
#pragma once

#include <cstdint>

#include "sim/core/scenario.h"

namespace sim {

class JobLength {
  public:
    // What comes next computes for so long, ends the job of a period, or ends the task.
    void compute(const Duration& duration);
    void end_of_job();
    void end();
    // What comes next, like another program, computes nobody knows how long.
    void is_unknown() { known_ = known_ && ends_; }

    // These steps and then the others; and these so many times, kForever for no end.
    JobLength followed_by(const JobLength& next) const;
    JobLength repeated(std::uint32_t count) const;

    // The length; 0 when it is not the same in each period, is drawn, unknown or without end.
    Nanos fixed() const;

  private:
    // A job has ended, and took so long.
    void job_took(Nanos length);

    bool known_ = true;
    bool ends_ = false;        // no step follows
    bool never_ends_ = false;  // because these go on for ever
    bool has_timer_ = false;
    bool has_whole_job_ = false;  // from a timer to the next one
    Nanos head_{};                // until the first timer, or all there is
    Nanos whole_{};               // of each whole job
    Nanos tail_{};                // behind the last timer
};

}  // namespace sim
