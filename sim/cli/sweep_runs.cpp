#include "sim/cli/sweep_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>

#include "sim/base/main_wrapper.h"
#include "sim/cli/output.h"
#include "sim/lab/parallel.h"
#include "sim/os/streams.h"

namespace sim::cli {
namespace {

using lab::Row;
using lab::Sweep;
using lab::SweepSpec;

// Shows progress on standard error if standard error is a terminal: finished runs, rate and remaining time.
class ProgressBar {
  public:
    ProgressBar(std::uint64_t runs, std::uint64_t before, bool quiet)
        : on_(!quiet && os::is_terminal(os::kStandardError)), runs_(runs), before_(before), done_(before) {}
    ~ProgressBar() {
        if (shown_) print_error(kBlank);
    }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void count_finished_run() { ++done_; }
    // Counts finished parts of the current runs. Thread-safe.
    void add_parts(std::uint64_t parts) { parts_ += parts; }
    static constexpr std::uint64_t kParts = 1000;  // per run

    void show() {
        if (!on_) return;
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        shown_ = true;
        const double here = static_cast<double>(parts_) / static_cast<double>(kParts);
        const double all = static_cast<double>(runs_ - before_);
        const double seconds = std::chrono::duration<double>(now - begin_).count();
        const double share = (static_cast<double>(before_) + here) / static_cast<double>(runs_);
        print_error(fmt::format("\r[{}] {}/{} runs, {:.3g}/s, {} left ", text_bar(share, 24), done_, runs_,
                                here / seconds, here > 0 ? span(seconds / here * (all - here)) : "?"));
    }

  private:
    using Clock = std::chrono::steady_clock;  // wall clock, for the display only
    static constexpr const char* kBlank =
        "\r                                                                               \r";

    static std::string span(double seconds) {
        if (seconds < 100) return fmt::format("{:.0f} s", seconds);
        if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
        return fmt::format("{:.0f} h", seconds / 3600);
    }

    bool on_, shown_ = false;
    std::uint64_t runs_, before_, done_;
    std::atomic<std::uint64_t> parts_ = 0;
    Clock::time_point begin_ = Clock::now(), next_ = begin_ + std::chrono::milliseconds(500);
};

struct FinishedRun {
    Row row;
    std::string line;
};

FinishedRun run_with_progress(const Sweep& sweep, std::uint64_t run, ProgressBar& bar) {
    // Number of decisions between two updates of the progress; about 50 ms.
    constexpr std::uint64_t kSlice = 1 << 20;
    lab::SweepRun one(sweep, run);
    std::uint64_t told = 0;
    while (!one.advance(kSlice)) {
        const auto parts =
            static_cast<std::uint64_t>(one.progress() * static_cast<double>(ProgressBar::kParts));
        if (parts > told && parts < ProgressBar::kParts) bar.add_parts(parts - told), told = parts;
    }
    FinishedRun finished{one.row(), {}};
    finished.line = lab::row_line(sweep.spec(), finished.row);
    bar.add_parts(ProgressBar::kParts - told);
    return finished;
}

}  // namespace

void run_shard(const Sweep& sweep, const lab::Shard& shard, const std::string& results_file, unsigned threads,
               bool quiet, lab::SweepResults& results) {
    const SweepSpec& spec = sweep.spec();
    std::unique_ptr<lab::SweepWriter> writer;
    if (!results_file.empty())
        writer = std::make_unique<lab::SweepWriter>(results_file, spec, shard,
                                                    [&](const Row& row) { results.add(row); });
    const std::uint64_t before = writer ? writer->rows() : 0, all = shard.run_count(spec.runs());
    ProgressBar bar(all, before, quiet);
    lab::process_in_order(
        threads, all - before,
        [&](std::uint64_t k) { return run_with_progress(sweep, shard.run_number(before + k), bar); },
        [&](std::uint64_t, const FinishedRun& finished) {
            if (writer) writer->append(finished.line);
            results.add(finished.row);
            bar.count_finished_run();
        },
        [&] { bar.show(); });
    if (writer) writer->close();
}

void refine_crossings(CurveCrossings& crossings, const Sweep& sweep, const lab::Measure& measure,
                      unsigned threads) {
    const SweepSpec& spec = sweep.spec();
    for (lab::Crossover& crossover : crossings.list) {
        std::vector<std::string> values;
        for (std::size_t axis = 0; axis < spec.axes.size(); ++axis)
            values.push_back(spec.axes[axis].values[crossover.at[axis]]);
        crossover = lab::refine(crossover, [&](std::size_t policy, std::int64_t x) -> std::optional<double> {
            values[crossings.axis] = fmt::format("{}", x);
            std::vector<double> there;
            lab::process_in_order(
                std::min<unsigned>(threads, static_cast<unsigned>(spec.seeds())), spec.seeds(),
                [&](std::uint64_t k) {
                    lab::SweepRun run(sweep, values, policy, spec.first_seed + k);
                    run.advance(std::numeric_limits<std::uint64_t>::max());
                    return lab::value_of(measure, *run.row().summary);
                },
                [&](std::uint64_t, std::optional<double> value) {
                    if (value) there.push_back(*value);
                },
                [] {});
            const lab::MeanEstimate estimate = lab::estimate_mean(there);
            if (estimate.n == 0) return std::nullopt;
            return estimate.mean;
        });
    }
}

}  // namespace sim::cli
