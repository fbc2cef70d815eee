// What a person with no plan does to the window: inputs at random, the same ones for the same seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/rng.h"
#include "ui/app/app.h"

namespace storm {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : stream_(sim::mix64(seed)) {}
    // 0 to n - 1. REQUIRES: n > 0.
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

// Some input: statements of a script (ui/platform/script.h), after what no script can say, if anything.
struct Input {
    std::string script;
    std::string said;  // what was done that is not in the script, for people
};

// Writes files to be dropped on the window into the folder, good and bad ones with good and bad names.
// Returns their paths; one of them is missing and one is the folder.
std::vector<std::string> make_drops(const std::string& folder);

class Inputs {
  public:
    // Of keys, the window's commands have theirs.
    Inputs(const ui::App& app, std::uint64_t seed, std::vector<std::string> drops);

    // The next one. Where it is none of keyboard, mouse and window system, it is done to the app here.
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
    int shrink_in_ = 0;  // inputs until a window that is far too large becomes small again; 0: it is not
};

}  // namespace storm
