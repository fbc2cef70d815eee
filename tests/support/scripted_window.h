// A window without a display that is used by input scripts, like by keyboard and mouse.
#pragma once

#include <SDL.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "ui/app/app.h"
#include "ui/app/script_host.h"

namespace ui {

class ScriptedWindow : public AppInputScriptHost {
  public:
    explicit ScriptedWindow(Size size)
        : AppInputScriptHost(app), backend(Backend::headless(size)), app(backend) {
        SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    }

    // Plays statements of an input script, which are for this window.
    void play(const std::string& script) {
        std::ostringstream out;
        InputScriptPlayer player(parse_input_script(script, "script"), *this, out);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        for (const sim::Problem& problem : player.failures())
            ADD_FAILURE() << problem.text() << "\n" << app.text();
    }
    void save_screenshot(const std::string&) override {}

    Backend backend;
    App app;
};

}  // namespace ui
