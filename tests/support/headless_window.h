// A window without a display that shows one scenario, for tests of drawing.
#pragma once

#include <SDL.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ui/app/app.h"

namespace ui {

class HeadlessWindow {
  public:
    // `json`: the scenario. `name`: name of the test, used for the temporary scenario file.
    HeadlessWindow(const std::string& json, const char* name, Size size)
        : backend(Backend::headless(size)), app(backend) {
        const std::string path =
            (std::filesystem::temp_directory_path() / fmt::format("switchyard-{}-{}.json", name, ::getpid()))
                .string();
        std::ofstream(path) << json;
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
        app.control().set_wait_without_limit(true);
        EXPECT_TRUE(app.control().open(path)) << app.model().error;
        std::filesystem::remove(path);
        settle();
    }

    void frames(int n) {
        for (int i = 0; i < n; ++i) app.run_frame(1.0 / 60);
    }
    void settle() {
        frames(3);
        for (int i = 0; i < 600 && app.is_busy(); ++i) frames(1);
        frames(3);
    }
    void command(const std::string& id) {
        const Command* found = app.commands().find(id);
        ASSERT_NE(found, nullptr) << id;
        found->run(app);
        settle();
    }
    std::vector<std::uint8_t> picture() const { return backend.screenshot().rgba; }
    std::size_t pixels_of(ImU32 colour) const {
        const std::vector<std::uint8_t> all = picture();
        std::size_t n = 0;
        for (std::size_t i = 0; i + 4 <= all.size(); i += 4)
            n += IM_COL32(all[i], all[i + 1], all[i + 2], 255) == (colour | IM_COL32_A_MASK);
        return n;
    }

    Backend backend;
    App app;
};

}  // namespace ui
