// A film of the window: frame after frame of it, as a person would see them, into a file.
//
// Every frame is so much time of the film, however long it took to make: the same film on a slow machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ui/app/app.h"
#include "ui/platform/film_file.h"

namespace ui {

// How long people read this, title and all: 15 characters a second, 4 s at least and 25 s at most.
double seconds_to_read(std::string_view words);

// A part of a run, and how much of it goes by in a second of the film.
struct FilmStretch {
    sim::Nanos from{}, to{};  // REQUIRES: from < to
    sim::Nanos speed{};       // 0: so that it takes 20 s
};

class Film {
  public:
    // What it tells about its progress, now and then: frames made, and how many there will be in all, about;
    // 0 when nobody knows.
    using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

    // Of the app's window in its present size; see FilmFile about the path, and what it throws.
    // REQUIRES: the window is in memory, the control is patient, and both outlive the film.
    Film(App& app, const std::string& path, int fps, Progress progress);

    // The window's next frame.
    void frame();
    // All stops of the tour, each for as long as one reads it, and the way from one to the next. Throws
    // std::runtime_error when the scenario has none.
    void tour();
    // The position goes through it, and the timeline with it. Ends where the run does. Throws
    // std::runtime_error when the run does not come to its beginning, or the film would be hours long.
    void stretch(const FilmStretch& stretch);
    // The film appears. The last call.
    void finish() { file_->finish(); }

    std::uint64_t frames() const { return frames_; }
    double seconds() const { return static_cast<double>(frames_) / fps_; }

  private:
    void hold(double seconds);
    void record(int times);

    App& app_;
    int fps_;
    std::unique_ptr<FilmFile> file_;
    Progress progress_;
    std::chrono::steady_clock::time_point told_;
    std::uint64_t frames_ = 0, expected_ = 0;
};

}  // namespace ui
