#include "ui/view/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;

std::size_t kind_of_recorded_slice(const RecordedSlice& s) { return s.task < 0 ? 1 : 0; }
sim::TaskId owner_of_recorded_slice(const RecordedSlice& s) {
    return s.task < 0 ? sim::kNoTask : static_cast<sim::TaskId>(s.task);
}

}  // namespace

RecordedTrace::RecordedTrace(std::unique_ptr<const sim::trace_io::RecordedRun> run)
    : run_(std::move(run)), names_(run_->waits.identities().size()) {
    for (std::size_t n = 0; n < names_.size(); ++n)
        names_[n] = sim::printable(run_->waits.identities()[n].name);
    for (const auto& [name, number] : run_->numbers)
        if (number >= 0) names_[static_cast<std::size_t>(number)] = sim::printable(name);
    for (const std::vector<sim::trace_io::SwitchIn>& had : run_->waits.switches_by_cpu()) {
        std::vector<RecordedSlice>& slices = slices_.emplace_back();
        slices.reserve(had.size() + 1);
        Nanos known{};
        for (std::size_t i = 0; i < had.size(); ++i) {
            const Nanos begin = scenario_time(had[i].since);
            const Nanos end = i + 1 < had.size() ? scenario_time(had[i + 1].since) : begin;
            if (known < begin) slices.push_back({known, begin, -1});
            known = std::max(known, end);
            if (begin < end) slices.push_back({begin, end, had[i].task});
        }
        sums_.emplace_back(std::span<const RecordedSlice>(slices), kind_of_recorded_slice,
                           owner_of_recorded_slice);
    }
}

int RecordedTrace::task_at(std::size_t cpu, Nanos t) const {
    const std::size_t i = first_ending_after(slices(cpu), t);
    return i < slices(cpu).size() ? slices(cpu)[i].task : -1;
}

Nanos RecordedTrace::busy_time(std::size_t cpu, std::size_t first, std::size_t last,
                               TimesByTask* owners) const {
    return sums_[cpu]
        .sums_of(slices(cpu), first, last, kind_of_recorded_slice, owner_of_recorded_slice, owners)
        .time[0];
}

std::vector<std::string> recorded_tooltip(const RecordedTrace& recorded, std::size_t cpu, std::size_t slice) {
    const RecordedSlice& s = recorded.slices(cpu)[slice];
    return {s.task < 0 ? fmt::format("recorded: no task on CPU {}", cpu)
                       : fmt::format("recorded: {} on CPU {}", recorded.name(s.task), cpu),
            range_text(s.begin, s.end)};
}

std::vector<std::string> recorded_tooltip(const RecordedTrace& recorded, std::size_t cpu, std::size_t first,
                                          std::size_t last, const TimesByTask& owners) {
    constexpr std::size_t kMostNamedUsers = 5;
    const Nanos begin = recorded.slices(cpu)[first].begin, end = recorded.slices(cpu)[last].end;
    std::vector<std::string> lines{
        fmt::format("recorded: {} on CPU {}", pluralize(last - first + 1, "change", "s"), cpu),
        range_text(begin, end)};
    for (const TimesByTask::Owner& o : owners.top_owners(kMostNamedUsers))
        lines.push_back(fmt::format(
            "{} {}", recorded.name(static_cast<int>(o.task)),
            percent(static_cast<double>(o.time.count()) / static_cast<double>((end - begin).count()))));
    if (owners.size() > kMostNamedUsers)
        lines.push_back(fmt::format("and {} more", group_digits(owners.size() - kMostNamedUsers)));
    return lines;
}

std::string recorded_threads_text(const RecordedTrace& recorded, Nanos t) {
    constexpr std::size_t kMostNamedCpus = 8;
    std::string text = "recorded:";
    for (std::size_t cpu = 0; cpu < std::min(recorded.cpus(), kMostNamedCpus); ++cpu) {
        const int task = recorded.task_at(cpu, t);
        text += fmt::format("{} {} on CPU {}", cpu == 0 ? "" : ",",
                            task < 0 ? "no task" : recorded.name(task), cpu);
    }
    if (recorded.cpus() > kMostNamedCpus)
        text += fmt::format(", and {} more CPUs", recorded.cpus() - kMostNamedCpus);
    return text;
}

}  // namespace ui
