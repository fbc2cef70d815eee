// A run beside the recording that its scenario is made of: whether it gives its CPUs to the same tasks, in
// the same order, and which task is who of the recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/exchange/run_events.h"
#include "sim/exchange/same_switches.h"
#include "ui/view/model.h"
#include "ui/view/recorded.h"

namespace ui {

class BesideRecorded {
  public:
    // REQUIRES: both outlive this.
    BesideRecorded(const Recorded& recorded, const Run& run);
    ~BesideRecorded();

    // Follows the run once it is simulated, until the deadline. Returns whether there is more to do.
    bool work(Deadline deadline);
    double progress() const;  // 1: all of it is there
    bool is_complete() const { return is_complete_; }

    // The task that has, or had, the colour of one who was recorded; none when the run has not come to him.
    std::optional<sim::TaskId> task_of(int who) const;

    // All of these REQUIRE is_complete().

    // A place at which a run and its recording part, in order of the run.
    struct Place {
        const sim::exchange::Parting* parting = nullptr;  // of switches()
        std::uint64_t decision = 0;  // the run's that makes the other switch; 0: it makes none there any more
        sim::Nanos time{};  // of the decision, or else of the recorded switch, in the scenario's time
    };
    const std::vector<Place>& places() const { return places_; }
    // Those on a CPU: numbers of places(), in order of time.
    const std::vector<std::uint32_t>& places_on(std::size_t cpu) const { return places_on_[cpu]; }
    const sim::exchange::SameSwitches& switches() const { return side_by_side_->result(); }

    // "recorded: light at 3.113 ms; linux-6.6: kthread at 3.2 ms"
    std::string words(const Place& place) const;
    // "320 of 334 recorded switches in the same order (95.8 %), 12 places differ, the first at 3.113 ms"
    std::string summary() const;

  private:
    class Follower;

    bool follow(std::uint64_t events);
    void finish();

    const Recorded& recorded_;
    const Run& run_;
    std::vector<sim::TaskId> tasks_;  // by number of the recording
    sim::Moment moment_;
    sim::Trace trace_;
    std::unique_ptr<Follower> follower_;
    std::unique_ptr<sim::exchange::RunEvents> events_;
    std::unique_ptr<sim::exchange::SwitchesSideBySide> side_by_side_;  // once the run is followed
    bool is_complete_ = false;
    std::vector<Place> places_;
    std::vector<std::vector<std::uint32_t>> places_on_;
};

}  // namespace ui
