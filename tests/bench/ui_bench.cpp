// Frame times of the window during navigation in a long run, and the memory that the window uses.
//
// Draws the frames of the real program with its painter, without a display. Prints the median, the 99th
// percentile and the maximum, because a mean hides slow frames.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "ui/app/app.h"
#include "ui/platform/backend.h"

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

double percentile(std::vector<double> all, double p) {
    std::sort(all.begin(), all.end());
    return all[std::min(all.size() - 1,
                        static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(all.size()))))];
}

struct Times {
    // Times in ms. `lists`: building the draw lists; `frames`: drawing the frame; `whole`: the frame with
    // input and background work.
    std::vector<double> lists, frames, whole;
};

void report(const char* what, const Times& t) {
    const auto three = [](const std::vector<double>& all) {
        return fmt::format("{:6.2f} {:6.2f} {:6.2f}", percentile(all, 50), percentile(all, 99),
                           percentile(all, 100));
    };
    fmt::print("{:<44} {:>6}   {}   {}   {}\n", what, t.frames.size(), three(t.lists), three(t.frames),
               three(t.whole));
}

// Draws `count` frames and calls `act` before each.
Times frames(ui::App& app, int count, const std::function<void(int)>& act) {
    Times times;
    for (int i = 0; i < count; ++i) {
        const Clock::time_point begin = Clock::now();
        act(i);
        app.run_frame(1.0 / 60);
        const Clock::time_point made = Clock::now();
        app.backend().paint();  // painting counts: a real window paints in each frame
        const Clock::time_point end = Clock::now();
        times.whole.push_back(Milliseconds(end - begin).count());
        times.lists.push_back(Milliseconds(app.times().lists).count());
        times.frames.push_back(Milliseconds(app.times().frame + (end - made)).count());
    }
    return times;
}

void settle(ui::App& app) {
    do app.run_frame(1.0 / 60);
    while (app.is_busy());
}

long peak_mebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

}  // namespace

int main() {
    ui::Backend backend = ui::Backend::headless({1920, 1080});
    ui::App app(backend);
    fmt::print("window 1920x1080, milliseconds: median, 99th percentile, longest\n");
    fmt::print("{:<44} {:>6}   {:<20}   {:<20}   {:<20}\n", "", "frames", "building lists",
               "drawing, all of it", "with input and work");

    const Clock::time_point opened = Clock::now();
    app.control().open("web-server");
    Times loading;
    while (!app.model().a->history().is_complete()) {
        const Times one = frames(app, 1, [](int) {});
        loading.lists.push_back(one.lists[0]);
        loading.frames.push_back(one.frames[0]);
        loading.whole.push_back(one.whole[0]);
    }
    const double open_seconds = std::chrono::duration<double>(Clock::now() - opened).count();
    report("web-server, 17 h, while it is simulated", loading);
    settle(app);

    app.control().history().show_whole_run();
    const sim::Nanos end = app.model().a->end();
    // Zoom from the entire run to a microsecond and back, at five positions.
    constexpr int kZoomSteps = 60;
    const double ratio = std::pow(static_cast<double>(end.count()) / 1000, 1.0 / kZoomSteps);
    Times zoom;
    for (int place = 1; place <= 5; ++place) {
        const sim::Nanos anchor = end * place / 6;
        app.control().history().show_whole_run();
        app.control().navigator().seek(anchor);
        const Times some = frames(app, 2 * kZoomSteps, [&](int i) {
            app.control().history().zoom(i < kZoomSteps ? ratio : 1 / ratio, anchor);
        });
        zoom.lists.insert(zoom.lists.end(), some.lists.begin(), some.lists.end());
        zoom.frames.insert(zoom.frames.end(), some.frames.begin(), some.frames.end());
        zoom.whole.insert(zoom.whole.end(), some.whole.begin(), some.whole.end());
    }
    report("zooming from 17 h to 1 us and back", zoom);
    for (const auto& [width, name] :
         {std::pair{end, "panning: 17 h shown"}, std::pair{end / 60, "panning: 17 min shown"},
          std::pair{sim::Nanos{10'000'000'000}, "panning: 10 s shown"},
          std::pair{sim::Nanos{100'000'000}, "panning: 100 ms shown"},
          std::pair{sim::Nanos{1'000'000}, "panning: 1 ms shown"}}) {
        app.control().history().show({end / 2, end / 2 + width});
        report(name, frames(app, 200, [&](int) { app.control().history().pan(0.02); }));
    }
    std::uint64_t random = 1;
    const auto somewhere = [&] {
        random = random * 6364136223846793005U + 1442695040888963407U;
        return sim::Nanos{
            static_cast<std::int64_t>((random >> 33) % static_cast<std::uint64_t>(end.count()))};
    };
    report("seeking anywhere", frames(app, 300, [&](int) {
               app.control().navigator().seek(somewhere());
               app.control().history().show_range_around_position();
           }));
    const std::uint64_t switches =
        app.model().a->session().history().simulated_end().machine.globals().switches;
    report("to any switch", frames(app, 300, [&](int) {
               app.control().navigator().seek(sim::StepEventKind::context_switch,
                                              1 + static_cast<std::uint64_t>(somewhere().count()) % switches);
           }));
    report("stepping back, switch by switch", frames(app, 300, [&](int) {
               app.control().navigator().step(sim::StepEventKind::context_switch, -1);
           }));
    app.control().player().set_playing(true);
    report("playing", frames(app, 300, [](int) {}));
    app.control().player().set_playing(false);
    fmt::print("opened and simulated in {:.1f} s; keyframes {:.1f} MiB; peak memory {} MiB\n", open_seconds,
               static_cast<double>(app.model().a->history().keyframe_bytes()) / (1 << 20), peak_mebibytes());

    app.control().open("yield-processes");
    app.control().set_value("/tasks/0/count", "40");
    app.control().set_value("/until", "\"2.8s\"");
    settle(app);
    fmt::print("\nyield-processes, 40 spinners, {} yields; a slider moves:\n",
               app.model().a->history().simulated_end().statistics.yields);
    report("run again and drawn", frames(app, 60, [&](int i) {
               app.control().set_value("/tasks/0/count", std::to_string(40 + i % 2));
           }));

    app.control().open("two-hogs");
    app.control().set_value("/tasks/0/count", "64000");
    settle(app);
    app.control().history().show_whole_run();
    report("two-hogs with 64,000 tasks, panning",
           frames(app, 60, [&](int) { app.control().history().pan(0.02); }));
    return EXIT_SUCCESS;
}
