// Random inputs for the window, reproducible from the seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/rng.h"
#include "ui/app/app.h"

namespace ui_fuzz {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : stream_(sim::mix64(seed)) {}
    // A random number from 0 to n - 1. REQUIRES: n > 0.
    std::size_t below(std::size_t n) { return sim::random_below(stream_, n); }
    int from_to(int least, int most) {
        return least + static_cast<int>(below(static_cast<std::size_t>(most - least) + 1));
    }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class List>
    const auto& of(const List& list) {
        return list[below(std::size(list))];
    }

  private:
    std::uint64_t stream_;
};

// One input: statements of an input script (ui/platform/script.h), or an action that was already applied to
// the app.
struct Input {
    std::string script;
    // For the log: describes an action that no input script can express.
    std::string description;
};

// Writes files to drop on the window into the directory: valid and invalid contents, harmless and hostile
// names. Returns the paths of the files, of a missing file and of the directory.
std::vector<std::string> make_drops(const std::string& folder);

class Inputs {
  public:
    // Generates the key bindings of the window's commands, among other keys.
    Inputs(const ui::App& app, std::uint64_t seed, std::vector<std::string> drops);

    // The next input. Actions other than keyboard, mouse and window system input are applied to the app here.
    Input next(ui::App& app);

  private:
    std::string mouse(ui::Size size);
    std::string resize();
    std::string typed();
    std::string keys();
    std::string link(ui::App& app);
    std::string change(ui::App& app);

    Dice dice_;
    std::vector<std::string> keys_, commands_, drops_;
    // Number of inputs until an oversized window becomes small again; 0: the window has a normal size.
    int shrink_in_ = 0;
};

}  // namespace ui_fuzz
