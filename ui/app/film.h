// Records the window as a film, as a user would see it. Every frame has a fixed duration in the film, so a
// slow machine produces the same film.
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

// Seconds to read a text (title and caption) at 15 characters per second; at least 4 s, at most 25 s.
double seconds_to_read(std::string_view words);

// The range of a run to film, and the speed of the film.
struct FilmRange {
    sim::Nanos from{}, to{};  // REQUIRES: from < to
    sim::Nanos speed{};       // simulated time per second of the film; 0: the film is 20 s long
};

class Film {
  public:
    // A function that reports the progress. `done`: number of recorded frames; `all`: estimated total, 0 if
    // unknown. It is called at most every two seconds.
    using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

    // Films the app's window in its current size; see FilmFile for `path` and exceptions. REQUIRES: the
    // backend is headless, the app waits for simulation without a time limit
    // (Control::waits_without_limit()), and `app` outlives the film.
    Film(App& app, const std::string& path, int fps, Progress progress);

    // Makes and records the window's next frame.
    void film_frame();
    // Records all stops of the tour, each for its reading time, and the transitions between them. Throws
    // std::runtime_error if there is no tour.
    void film_tour();
    // Films this range of the run: moves the position and the timeline through it. If the run ends inside the
    // range, the film ends there. Throws std::runtime_error if the run ends before the range starts, or the
    // film would exceed an hour.
    void film_range(const FilmRange& range);
    // Completes the file. No other function may be called afterwards.
    void finish() { file_->finish(); }

    std::uint64_t frames() const { return frames_; }
    double seconds() const { return static_cast<double>(frames_) / fps_; }

  private:
    void film_for(double seconds);
    void add_drawn_frame(int times);

    App& app_;
    int fps_;
    std::unique_ptr<FilmFile> file_;
    Progress progress_;
    std::chrono::steady_clock::time_point reported_;
    std::uint64_t frames_ = 0, expected_ = 0;
};

}  // namespace ui
