// Fuzz target of input scripts. The reader reports an error for each bad line or returns statements. A small
// window executes them, comes to rest and prints nothing that a terminal would execute.
//
// Writes only to a directory of its own: statements that could spell a path are removed.
#include <SDL.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "ui/app/app.h"
#include "ui/app/script_host.h"
#include "ui/platform/script.h"

namespace {

constexpr std::size_t kMostStatements = 24;
constexpr int kMostFrames = 20, kLargestSize = 1500;

// A temporary directory for all files that the window saves.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "switchyard-script-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

const std::filesystem::path& folder() {
    static const Folder one;
    return one.path();
}

class Host final : public ui::AppInputScriptHost {
  public:
    explicit Host(ui::App& app) : AppInputScriptHost(app), app_(app) {}
    bool is_busy() override { return false; }  // do not wait for background work
    void save_screenshot(const std::string&) override { app_.backend().screenshot(); }
    void resize(ui::Size size) override {
        app_.backend().resize({std::min(size.width, kLargestSize), std::min(size.height, kLargestSize)});
    }

  private:
    ui::App& app_;
};

// Removes statements that take long or could spell a path.
ui::ParsedInputScript tamed(ui::ParsedInputScript script) {
    using Verb = ui::Statement::Verb;
    std::erase_if(script.statements, [](const ui::Statement& s) {
        return s.verb == Verb::drop || s.text.find_first_of("/~") != std::string::npos ||
               s.chord.key == SDL_SCANCODE_SLASH || s.chord.key == SDL_SCANCODE_GRAVE ||
               s.chord.key == SDL_SCANCODE_KP_DIVIDE;
    });
    script.statements.resize(std::min(script.statements.size(), kMostStatements));
    for (ui::Statement& s : script.statements)
        if (s.verb == Verb::wait || s.verb == Verb::hold) s.numbers[0] = std::min(s.numbers[0], kMostFrames);
    return script;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ui::ParsedInputScript script;
    try {
        script = ui::parse_input_script({reinterpret_cast<const char*>(data), size}, "fuzz.script");
    } catch (const sim::ScenarioError& error) {
        if (error.problems().empty()) std::abort();
        for (const sim::Problem& problem : error.problems())
            if (problem.line == 0 || sim::printable(problem.text()) != problem.text()) std::abort();
        return 0;
    }
    std::filesystem::create_directories(folder() / "now");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder() / "now");
    {
        ui::Backend backend = ui::Backend::headless({640, 400});
        ui::App app(backend);
        app.control().open("two-hogs");
        std::ostringstream out;
        Host host(app);
        ui::InputScriptPlayer player(tamed(std::move(script)), host, out);
        while (player.push_next_frame()) app.run_frame(1.0 / 60);
        app.control().player().set_playing(false);
        app.control().laboratory().stop();
        for (int idle = 0, frames = 0; idle <= 3; ++frames) {
            app.run_frame(1.0 / 60);
            idle = app.is_busy() || backend.wants_frame() ? 0 : idle + 1;
            if (frames > 2000) std::abort();  // half a minute of simulated frames
        }
        for (const std::string& text : {app.text(), backend.visible_text(), backend.clipboard(), out.str()})
            if (sim::printable_lines(text) != text) std::abort();
    }
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder() / "now");
    return 0;
}
