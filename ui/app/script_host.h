// Runs input scripts on the application.
#pragma once

#include <string>

#include "ui/app/app.h"
#include "ui/app/commands.h"
#include "ui/platform/png.h"
#include "ui/platform/script.h"

namespace ui {

class AppInputScriptHost : public InputScriptHost {
  public:
    // The constructor does not use `app`, so `app` may be constructed later. REQUIRES: `app` exists when
    // another function is called.
    explicit AppInputScriptHost(App& app) : app_(app) {}

    bool is_busy() override { return app_.is_busy(); }
    std::string window_text() override { return app_.text(); }
    void save_screenshot(const std::string& path) override { write_png(path, app_.backend().screenshot()); }
    bool run_command(const std::string& id) override {
        const Command* command = app_.commands().find(id);
        if (command != nullptr) command->run(app_);
        return command != nullptr;
    }
    void resize(Size size) override { app_.backend().resize(size); }

  private:
    App& app_;
};

}  // namespace ui
