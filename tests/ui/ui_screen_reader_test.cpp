// Tests of the texts for screen readers: they are short and contain what has changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "ui/app/app.h"
#include "ui/app/screen_reader_text.h"
#include "ui/platform/backend.h"

namespace ui {
namespace ui_screen_reader_test {

struct Window {
    Backend backend = Backend::headless({1280, 720});
    App app{backend};
    std::vector<std::string> before;

    explicit Window(const std::string& scenario) {
        app.control().set_wait_without_limit(true);
        app.control().open(scenario);
        frames();
        new_lines();
    }

    void frames() {
        for (int i = 0; i < 3; ++i) app.run_frame(1.0 / 60);
    }

    // Returns the lines that are new since the last call.
    std::vector<std::string> new_lines() {
        std::istringstream text(screen_reader_lines(app));
        std::vector<std::string> now, fresh;
        for (std::string line; std::getline(text, line);) now.push_back(line);
        for (const std::string& line : now)
            if (std::find(before.begin(), before.end(), line) == before.end()) fresh.push_back(line);
        before = now;
        return fresh;
    }

    std::vector<std::string> after(const std::string& command) {
        app.commands().find(command)->run(app);
        frames();
        return new_lines();
    }
};

using Lines = std::vector<std::string>;

TEST(ScreenReaderText, StepReportsPositionAndDecision) {
    Window window("two-hogs");
    window.after("go.beginning");
    window.after("step.switch.forward");
    const Lines told = window.after("step.switch.forward");
    ASSERT_EQ(told.size(), 3u);
    EXPECT_EQ(told[0], "210 ms   switch 2 / 100");
    EXPECT_EQ(told[1], "switch 2: hog.1 → hog.2 at 210 ms");
    EXPECT_NE(told[2].find("hog.2 runs: "), std::string::npos) << told[2];
    EXPECT_EQ(window.after("view.marks"), Lines{}) << "nothing that it tells of has changed";
}

TEST(ScreenReaderText, LineStepReportsSingleLine) {
    Window window("two-hogs");
    window.after("step.switch.forward");
    window.after("inside.in");
    window.after("inside.in");
    EXPECT_EQ(window.after("step.forward").size(), 1u);
}

TEST(ScreenReaderText, TourStopReportsCaption) {
    Window window("recalc-storm");
    const Lines told = window.after("tour.next");
    const sim::TourStop& stop = window.app.model().a->scenario().tour[1];
    EXPECT_NE(std::find(told.begin(), told.end(), stop.caption), told.end());
}

TEST(ScreenReaderText, OverlayReportsChosenEntry) {
    Window window("two-hogs");
    EXPECT_EQ(window.after("palette"),
              Lines{"All commands, 1 of " + std::to_string(window.app.commands().all().size()) +
                    ": Time: Play or pause"});
    window.app.overlay_box().chosen = 1;
    EXPECT_EQ(window.new_lines().size(), 1u);
    std::string("nothing of these words").copy(window.app.overlay_box().typed.data(), 30);
    EXPECT_EQ(window.new_lines(), Lines{"All commands: no match"});
}

TEST(ScreenReaderText, ErrorComesFirst) {
    Window window("two-hogs");
    window.app.control().open("two-hogz");
    const Lines told = window.new_lines();
    ASSERT_FALSE(told.empty());
    EXPECT_NE(told[0].find("two-hogz"), std::string::npos) << told[0];
}

TEST(ScreenReaderText, AllPartsCanHaveHeadings) {
    Window window("two-hogs");
    const std::string text = window.app.text(/*all_headed=*/true);
    EXPECT_TRUE(text.starts_with("== The run\ntwo-hogs "));
    EXPECT_NE(text.find("\n== The question and the key hints\n"), std::string::npos);
}

TEST(Commands, AddedCommandIsFoundAndRun) {
    Window window("two-hogs");
    int runs = 0;
    window.app.commands().add("mine", "Window", "Mine", "F9", [&](App&) { ++runs; });
    window.after("mine");
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(window.app.key_of_command("mine"), "F9");
}

}  // namespace ui_screen_reader_test
}  // namespace ui
