#include "ui/app/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;
using namespace std::chrono_literals;

// The unit of kReadingSpeed is characters per second; kLeastReading and kMostReading are in seconds.
constexpr double kReadingSpeed = 15, kLeastReading = 4, kMostReading = 25;
constexpr int kFilmQuietFrames = 3;        // after that many idle frames, film_for() repeats the last frame
constexpr double kLongestGlide = 10;       // seconds
constexpr double kUsualLength = 20;        // length of a film without FilmRange::speed, in seconds
constexpr double kLongestFilm = 3600;      // in seconds
constexpr std::int64_t kShownSeconds = 8;  // seconds of the film that the timeline shows at once

}  // namespace

double seconds_to_read(std::string_view words) {
    const auto characters = std::count_if(words.begin(), words.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // the first byte of a UTF-8 character
    });
    return std::clamp(static_cast<double>(characters) / kReadingSpeed, kLeastReading, kMostReading);
}

Film::Film(App& app, const std::string& path, int fps, Progress progress)
    : app_(app),
      fps_(fps),
      file_(FilmFile::make(path, app.backend().size(), fps)),
      progress_(std::move(progress)),
      reported_(std::chrono::steady_clock::now()) {
    app.backend().set_frame_duration(1.0 / fps);
}

void Film::film_frame() {
    app_.run_frame(1.0 / fps_);
    add_drawn_frame(1);
}

void Film::add_drawn_frame(int times) {
    file_->add_frame(app_.backend().screenshot(), times);
    frames_ += static_cast<std::uint64_t>(times);
    const auto now = std::chrono::steady_clock::now();
    if (!progress_ || now - reported_ < 2s) return;
    reported_ = now;
    progress_(frames_, expected_);
}

// Records frames for this number of seconds. As soon as the picture no longer changes, repeats the last
// frame.
void Film::film_for(double seconds) {
    auto left = static_cast<int>(std::lround(seconds * fps_));
    for (int quiet = 0; left > 0 && quiet < kFilmQuietFrames; --left) {
        film_frame();
        quiet = app_.is_busy() || app_.backend().wants_frame() ? 0 : quiet + 1;
    }
    if (left > 0) add_drawn_frame(left);
}

void Film::film_tour() {
    const Model& model = app_.model();
    if (model.a == nullptr || model.a->scenario().tour.empty())
        throw std::runtime_error(fmt::format("{} has no tour; use --from and --to to film a range of its run",
                                             model.scenario_name));
    const std::vector<sim::TourStop>& stops = model.a->scenario().tour;
    double seconds = 0;
    for (const sim::TourStop& stop : stops) seconds += seconds_to_read(stop.title + stop.caption);
    expected_ = static_cast<std::uint64_t>(std::llround(seconds * fps_));
    app_.view().stop.reset();
    for (std::size_t n = 0; n < stops.size(); ++n) {
        app_.commands().find("tour.next")->run(app_);
        if (!model.error.empty()) throw std::runtime_error(model.error);
        // Makes the frames of the transition to the stop. The film starts at the first stop, so the
        // transition to that stop is not recorded.
        const auto most = static_cast<int>(kLongestGlide * fps_);
        for (int i = 0; i < most && (i == 0 || app_.is_busy()); ++i)
            if (n == 0)
                app_.run_frame(1.0 / fps_);
            else
                film_frame();
        film_for(seconds_to_read(stops[n].title + stops[n].caption));
    }
}

void Film::film_range(const FilmRange& range) {
    const Run& run = *app_.model().a;
    const Nanos to = std::min(range.to, run.end());
    if (range.from >= to)
        throw std::runtime_error(
            fmt::format("the run ends at {}, before the film starts", instant_text(run.end())));
    const Nanos length = to - range.from;
    const std::int64_t speed = std::max<std::int64_t>(
        1, range.speed > Nanos{}
               ? range.speed.count()
               : static_cast<std::int64_t>(static_cast<double>(length.count()) / kUsualLength));
    const double seconds = static_cast<double>(length.count()) / static_cast<double>(speed);
    if (seconds > kLongestFilm)
        throw std::runtime_error(
            fmt::format("{} at --speed {} would make a film of {:.0f} s; the limit is one hour", span(length),
                        span(Nanos{speed}), seconds));
    const auto frames = static_cast<std::int64_t>(std::ceil(seconds * fps_));
    expected_ = static_cast<std::uint64_t>(frames) + 1;
    Control& control = app_.control();
    app_.view().show_tour = false;
    const Nanos shown = std::min(length, Nanos{speed} * kShownSeconds);
    control.history().show({range.from, range.from + shown});
    for (std::int64_t i = 0; i <= frames; ++i) {
        // Simulated time of i frames: speed * i / fps_. Two divisions avoid an overflow of speed * i.
        const Nanos elapsed{speed / fps_ * i + speed % fps_ * i / fps_};
        control.navigator().seek(std::min(range.from + elapsed, to));
        control.history().keep_position_visible();
        film_frame();
    }
}

}  // namespace ui
