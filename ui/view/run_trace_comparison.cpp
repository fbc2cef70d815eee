#include "ui/view/run_trace_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;

constexpr std::uint64_t kFollowedAtATime = 20'000;  // events re-executed at a time; takes 1 to 2 ms
// Number of comparison steps done at a time; they take 2 ms at most.
constexpr std::size_t kStepsAtATime = 256;

}  // namespace

// Collects the switches on each CPU of the run, and the decisions that made them.
class RunTraceComparison::Follower final : public sim::trace_io::EventSink {
  public:
    Follower(RunTraceComparison& comparison, std::uint32_t cpus)
        : owner_(comparison), cpus_(cpus), decisions_(cpus) {}

    sim::trace_io::WaitAnalyzer waits;
    std::uint64_t decision = 0;  // the latest decision, counted from 1

    // The decision that made the n-th switch to a task on a CPU.
    std::uint64_t decision_of(std::size_t cpu, std::size_t n) const { return decisions_[cpu][n]; }

    void begin(const sim::trace_io::RunInfo& info) override { waits.begin(info); }
    void end(Nanos now) override { waits.end(now); }
    void event(const sim::trace_io::SchedEvent& e, const sim::trace_io::Threads& threads) override {
        using sim::trace_io::EventKind, sim::trace_io::kIdleThread;
        waits.event(e, threads);
        const bool is_switch = e.kind == EventKind::sched_switch && e.thread != kIdleThread;
        if (is_switch) decisions_[e.cpu].push_back(decision);
        if (is_switch) map_thread(e.thread, threads);
        if (e.kind == EventKind::exec && e.current != kIdleThread) map_thread(e.current, threads);
    }

  private:
    void map_thread(sim::trace_io::ThreadId thread, const sim::trace_io::Threads& threads) {
        const int task = owner_.recorded_.run().task_index(threads[thread].name);
        // Thread 0 stands for the idle tasks of all CPUs, which are tasks 0 to cpus_ - 1. So a thread N > 0
        // is task N + cpus_ - 1.
        if (task >= 0) owner_.tasks_[static_cast<std::size_t>(task)] = thread + cpus_ - 1;
    }

    RunTraceComparison& owner_;
    std::uint32_t cpus_;
    std::vector<std::vector<std::uint64_t>> decisions_;  // by CPU
};

RunTraceComparison::RunTraceComparison(const RecordedTrace& recorded, const Run& run)
    : recorded_(recorded),
      run_(run),
      tasks_(recorded.run().waits.identities().size(), sim::kNoTask),
      moment_(run.history().beginning()),
      follower_(std::make_unique<Follower>(*this, run.scenario().cpus)) {
    const sim::Scenario& s = run.history().scenario();
    events_ = std::make_unique<sim::trace_io::RunToEventConverter>(
        s, moment_.machine, sim::trace_io::RunInfo{.title = s.title, .cpus = s.cpus, .hz = s.machine.hz},
        *follower_);
    const sim::Machine& m = moment_.machine;
    for (sim::TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (const int task = recorded.run().task_index(s.task_name(m, p)); task >= 0)
            tasks_[static_cast<std::size_t>(task)] = p;
}

RunTraceComparison::~RunTraceComparison() = default;

std::optional<sim::TaskId> RunTraceComparison::task_of(int thread) const {
    if (thread < 0 || tasks_[static_cast<std::size_t>(thread)] == sim::kNoTask) return std::nullopt;
    return tasks_[static_cast<std::size_t>(thread)];
}

bool RunTraceComparison::replay_events(std::uint64_t events) {
    const sim::RunHistory& history = run_.history();
    const std::uint64_t last = history.simulated_end().machine.globals().events;
    trace_.records.clear();
    history.advance(
        moment_,
        {.until = sim::kHorizon, .events = std::min(last, moment_.machine.globals().events + events)},
        &trace_);
    for (const sim::TraceRecord& record : trace_.records) {
        if (record.kind == sim::TraceKind::schedule) ++follower_->decision;
        events_->add_record(record);
    }
    return moment_.machine.globals().events < last;
}

bool RunTraceComparison::work(Deadline deadline) {
    if (is_complete_ || !run_.history().is_complete()) return false;
    while (!side_by_side_) {
        if (Deadline::clock::now() >= deadline) return true;
        if (replay_events(run_.events_of_equal_replay_time(kFollowedAtATime))) continue;
        events_->finish(run_.end());
        side_by_side_ = std::make_unique<sim::trace_io::SwitchComparer>(
            recorded_.run().waits, follower_->waits, recorded_.run().task_indices(follower_->waits));
    }
    for (;;) {
        if (Deadline::clock::now() >= deadline) return true;
        if (!side_by_side_->advance(kStepsAtATime)) break;
    }
    finish();
    return false;
}

void RunTraceComparison::finish() {
    for (const sim::trace_io::SwitchMismatch& mismatch : switch_comparison().mismatches) {
        Mismatch place{.mismatch = &mismatch};
        if (mismatch.made) {
            place.decision = follower_->decision_of(mismatch.cpu, mismatch.number);
            place.time = mismatch.made->since;
        } else {
            place.time = recorded_.scenario_time(mismatch.recorded->since);
        }
        mismatches_.push_back(place);
    }
    std::stable_sort(mismatches_.begin(), mismatches_.end(), [](const Mismatch& a, const Mismatch& b) {
        return std::pair(a.time, a.decision) < std::pair(b.time, b.decision);
    });
    mismatches_on_.resize(std::max<std::size_t>(recorded_.cpus(), run_.scenario().cpus));
    for (std::size_t i = 0; i < mismatches_.size(); ++i)
        mismatches_on_[mismatches_[i].mismatch->cpu].push_back(static_cast<std::uint32_t>(i));
    is_complete_ = true;
}

double RunTraceComparison::progress() const {
    if (is_complete_) return 1;
    // The run is compared only after it is completely simulated.
    const double all = static_cast<double>(
        std::max<std::uint64_t>(1, run_.history().simulated_end().machine.globals().events));
    const double followed = static_cast<double>(moment_.machine.globals().events) / all;
    return std::min(0.99, 0.5 * std::max(0.0, run_.progress()) + 0.5 * followed);
}

std::string RunTraceComparison::mismatch_text(const Mismatch& mismatch) const {
    const sim::trace_io::SwitchMismatch& details = *mismatch.mismatch;
    std::string text = "recorded: ";
    text += details.recorded ? fmt::format("{} at {}", recorded_.name(details.recorded->task),
                                           instant_text(recorded_.scenario_time(details.recorded->since)))
                             : "no more switches";
    text += fmt::format(", on CPU {}; {}: ", details.cpu, run_.history().policy().spec());
    text +=
        details.made
            ? fmt::format("{} at {}",
                          follower_->waits.identities()[static_cast<std::size_t>(details.made->task)].name,
                          instant_text(details.made->since))
            : "no more switches";
    return text;
}

std::string RunTraceComparison::summary() const {
    const sim::trace_io::SwitchComparison& s = switch_comparison();
    std::string text = fmt::format("{} of {} {} in the same order ({})", group_digits(s.same),
                                   pluralize(s.recorded, "recorded switch", "es"),
                                   s.recorded == 1 ? "is" : "are", percent(s.matched_share()));
    if (!mismatches_.empty())
        text += fmt::format(", {}, the first at {}", pluralize(mismatches_.size(), "mismatch", "es"),
                            instant_text(mismatches_.front().time));
    return text;
}

}  // namespace ui
