// Records a tour. A stop is the state of the window when the user adds the stop, with a title and a caption.
// Saving the scenario writes the stops as its "tour".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ui/control/app_state.h"

namespace ui {

class TourRecorder {
  public:
    explicit TourRecorder(AppState& state) : state_(state) {}

    static constexpr std::size_t kMost = 200;         // largest number of stops, as in the scenario schema
    static constexpr std::size_t kLongestTitle = 80;  // bytes
    static constexpr std::size_t kLongestCaption = 1000;

    const std::vector<sim::TourStop>& stops() const { return stops_; }
    bool has_unsaved_stops() const { return is_changed_; }
    // True if no stop has been recorded and the open scenario has a tour. New stops would replace this tour,
    // unless extend_scenario_tour() is called first.
    bool can_extend_scenario_tour() const;

    // The stop that add_stop() would record, without title and caption. REQUIRES: a scenario is open.
    sim::TourStop stop_of_current_state() const;
    // state_not_in_stop(): the parts of the current state that a stop cannot contain, one line each.
    // recording_refusal(): the reason why no stop can be recorded; empty if a stop can be recorded.
    std::vector<std::string> state_not_in_stop() const;
    std::string recording_refusal() const;

    // Adds a stop. REQUIRES: recording_refusal() is empty.
    void add_stop(const std::string& title, const std::string& caption, const std::string& notes = {});
    void remove_last_stop();
    void discard_stops();
    // Starts the recording with the stops of the open scenario's tour.
    void extend_scenario_tour();

    // Returns the scenario text `text` with the recorded stops as its tour. Without stops, returns it
    // unchanged. `file`: name of the scenario's file, for errors.
    std::string text_with_tour(const std::string& file, const std::string& text) const;
    // Discards the recorded stops. Must be called when they have been saved in a file.
    void on_stops_saved() { discard_stops(); }

  private:
    AppState& state_;
    std::vector<sim::TourStop> stops_;
    std::string written_for_;  // scenario text and changed values at the first stop or extend_scenario_tour()
    bool is_changed_ = false;
};

// The position of a stop as a tour states it: "switch 37" or "12.5ms".
std::string place_text(const sim::SeekTarget& place);
// A stop in one line: "switch 37 under linux-2.0, pane costs".
std::string stop_text(const sim::TourStop& stop);

}  // namespace ui
