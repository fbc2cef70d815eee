#include "ui/view/thumbnails.h"

#include <algorithm>
#include <utility>

#include "sim/core/policy.h"
#include "sim/replay/range_segments.h"
#include "sim/scenario/scenario_json.h"

namespace ui {
namespace {

constexpr std::size_t kFirstCpuSegments = 24;  // a picture ends after this number of segments of CPU 0
constexpr std::uint32_t kMostCpus = 3;         // largest number of CPUs in a picture
constexpr std::size_t kMostSegments = 200;
constexpr std::uint64_t kMostSwitches = 100,
                        kMostEvents = 20'000;  // the run is simulated up to one of these limits
constexpr std::uint64_t kDecisionsAtATime = 16, kReplayedAtATime = 4'096;

std::unique_ptr<sim::RunHistory> start_run_history(const std::string& scenario_name) {
    auto scenario = std::make_shared<const sim::Scenario>(sim::load_scenario(scenario_name));
    sim::NamedPolicy policy = sim::make_policy(scenario->policy, scenario->cpus);
    return std::make_unique<sim::RunHistory>(std::move(scenario), std::move(policy));
}

// A picture of the first segments of the run.
Thumbnail thumbnail_of(const sim::RunHistory& history) {
    const sim::Machine& machine = history.simulated_end().machine;
    const sim::Nanos simulated_end = machine.globals().now;
    Thumbnail picture;
    picture.cpus = std::min<std::uint32_t>(history.scenario().cpus, kMostCpus);
    if (simulated_end == sim::Nanos{}) return picture;
    sim::RangeSegments segments(history, sim::Nanos{}, simulated_end, kMostSegments);
    while (segments.advance(kReplayedAtATime)) continue;
    const std::vector<std::vector<sim::RunSegment>>& by_cpu = segments.segments().by_cpu();
    sim::Nanos end = simulated_end;
    std::size_t count = 0;
    for (const sim::RunSegment& piece : by_cpu.front())
        if (piece.task != sim::kNoTask && ++count == kFirstCpuSegments) end = piece.end;
    const auto share = [&](sim::Nanos t) {
        return static_cast<float>(static_cast<double>(std::min(t, end).count()) /
                                  static_cast<double>(end.count()));
    };
    for (std::uint32_t cpu = 0; cpu < picture.cpus; ++cpu)
        for (const sim::RunSegment& piece : by_cpu[cpu])
            if (piece.task != sim::kNoTask && piece.begin < end)
                picture.boxes.push_back({share(piece.begin), share(piece.end), cpu,
                                         piece.task - std::min(piece.task, machine.first_task())});
    return picture;
}

}  // namespace

const Thumbnail* Thumbnails::find(const std::string& name) {
    const auto found = made_.find(name);
    if (found != made_.end()) return &found->second;
    if (std::find(wanted_.begin(), wanted_.end(), name) == wanted_.end()) wanted_.push_back(name);
    return nullptr;
}

bool Thumbnails::work(Deadline deadline) {
    while (!wanted_.empty() && Deadline::clock::now() < deadline) {
        const std::string name = wanted_.front();
        if (history_ == nullptr) history_ = start_run_history(name);
        const sim::Globals& globals = history_->simulated_end().machine.globals();
        if (!history_->is_complete() && globals.switches < kMostSwitches && globals.events < kMostEvents) {
            history_->extend(kDecisionsAtATime);
            continue;
        }
        made_[name] = thumbnail_of(*history_);
        history_.reset();
        wanted_.erase(wanted_.begin());
    }
    return !wanted_.empty();
}

}  // namespace ui
