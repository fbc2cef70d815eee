#include "sim/tables/yield_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/tables/yield_cost.h"

namespace sim::tables {
namespace {

constexpr int kFewest = 2, kMost = 40, kStep = 2;  // processes
constexpr int kLines = 10, kMicrosecondsPerLine = 3, kCharactersPerPoint = 3;
constexpr std::uint64_t kYieldsOfAPoint = 10'000;

// A drawing of points; the first line is the top.
class CharacterPlot {
  public:
    CharacterPlot()
        : lines_(kLines, std::string(kCharactersPerPoint * ((kMost - kFewest) / kStep + 1), ' ')) {}

    void draw(int contexts, double us, char mark) {
        const auto column =
            static_cast<std::size_t>(kCharactersPerPoint * ((contexts - kFewest) / kStep) + 1);
        const int height = std::clamp(static_cast<int>(us / kMicrosecondsPerLine), 0, kLines - 1);
        char& place = lines_[static_cast<std::size_t>(kLines - 1 - height)][column];
        place = place == ' ' ? mark : '*';
    }
    std::string text() const {
        std::string text;
        for (int i = 0; i < kLines; ++i) {
            const std::string& line = lines_[static_cast<std::size_t>(i)];
            text += fmt::format("  {:>3} |{}\n", (kLines - 1 - i) * kMicrosecondsPerLine,
                                line.substr(0, line.find_last_not_of(' ') + 1));
        }
        return text;
    }

  private:
    std::vector<std::string> lines_;
};

}  // namespace

std::string short_yield_table(const std::vector<Cell>& cells) {
    constexpr int kWidth = 13;
    std::string text = fmt::format("  {:<18}", "runnable contexts");
    for (const int n : kYieldContexts) text += fmt::format("{:>{}}", n, kWidth);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i % kYieldContexts.size() == 0) text += fmt::format("\n  {:<18}", cells[i].row);
        text += fmt::format("{:>{}}", fmt::format("{:.0f} / {:.1f}", cells[i].published, cells[i].simulated),
                            kWidth);
    }
    return text + "\n";
}

std::string yield_cost_plot_text() {
    CharacterPlot grid;
    for (int n = kFewest; n <= kMost; n += kStep)
        for (const auto& [row, mark] : {std::pair{0u, 'b'}, std::pair{2u, 'a'}}) {
            const YieldCost cost = measure_yield_cost(yield_rows()[row], n, kYieldsOfAPoint);
            grid.draw(n, cost.per_yield(cost.time), mark);
        }
    std::string text =
        "  us for each yield of a process: b before the patch, a after it, * both\n" + grid.text();
    text += "      +";
    for (int n = kFewest; n <= kMost; n += kStep) text += n % 10 == 0 ? "-+-" : "---";
    text += "\n       ";
    for (int n = kFewest; n <= kMost; n += kStep)
        text += n == kFewest || n % 10 == 0 ? fmt::format("{:>2} ", n) : "   ";
    return text + " processes\n";
}

std::string yield_rules_text() {
    return "schedule() examines every task on the run queue: the more tasks are ready, the longer a yield "
           "takes.\n"
           "Before the patch a yield uses up the caller's counter, and when all counters are used up, the "
           "kernel recalculates those of all tasks.\n"
           "With the two-line patch a yield uses up only one tick: the kernel recalculates twenty times "
           "less often, and searches as before.\n";
}

}  // namespace sim::tables
