#include "sim/explain/switch_writer.h"

#include <fmt/format.h>

#include "sim/core/residency.h"

namespace sim {

SwitchView SwitchWriter::describe_no_switch(const NamedPolicy& policy, const TaskNamer& name) const {
    const bool idle = view_.after.is_idle_task(next_);
    SwitchView result;
    result.summary = fmt::format("No context switch: {} was running and was chosen again.", a_);
    result.steps.push_back(
        {.title = "Nothing to do",
         .detail = fmt::format(
             "{} schedule() returns to {}, whose registers, page tables and TLB are in "
             "place; switch_to() is not called.",
             idle ? "No task is ready for this CPU." : why_winner_won(view_.log, policy, name), a_),
         .happens = false,
         .kept = OldContents::kept});
    result.whose_prev = fmt::format("`prev` and `next` are both {}.", a_);
    return result;
}

SwitchView SwitchWriter::describe_switch(const NamedPolicy& policy) const {
    SwitchView result;
    result.switched = true;
    result.other_mm = view_.record.loads_mm;
    // A policy that models no kernel does not state how page tables and the TLB are switched. If switches
    // cost no time either, the description assumes a machine without page tables and TLB.
    if (policy.system.empty() && is_without_costs()) {
        result.summary =
            fmt::format("{} hands the CPU to {}. On this machine, a switch takes no time.", a_, b_);
        result.steps.push_back({.title = "Save and load",
                                .detail = fmt::format("{}'s state is saved and {}'s is loaded. The machine "
                                                      "has no page tables, TLB or caches.",
                                                      a_, b_)});
        result.whose_prev = fmt::format("`prev` is {}, `next` is {}.", a_, b_);
        return result;
    }
    result.summary = summary();
    result.steps = steps();
    for (const SwitchStep& step : result.steps) result.cost += step.cost;
    result.whose_prev = describe_prev();
    return result;
}

bool SwitchWriter::next_never_ran() const {
    const Machine& before = view_.before;
    return !before.is_live(next_) || before.task[next_].pid != view_.after.task[next_].pid ||
           before.task[next_].last_processor == Task::kNoProcessor;
}

std::optional<SwitchStep> SwitchWriter::refill_step() const {
    if (scenario_.shape.recent == 0) return std::nullopt;
    const TraceRecord& r = view_.record;
    SwitchStep step{.title = "Cache refill", .detail = {}, .cost = r.refill, .happens = r.refill != Nanos{}};
    if (view_.after.is_idle_task(next_)) {
        step.detail = "The idle task has no TLB entries or cache lines to reload.";
        return step;
    }
    const std::vector<ResidentEntries> contents = Residency(scenario_).contents(view_.after, r.cpu);
    if (contents.empty() || contents.front().task != next_) return std::nullopt;
    const ResidentEntries& own = contents.front();
    if (costs_.tlb.entries > 0)
        step.detail += fmt::format("Of the {} pages that {} uses, the TLB still holds {}. ", own.tlb_needed,
                                   b_, own.tlb_needed - r.refilled_entries);
    if (costs_.cache.size > 0)
        step.detail += fmt::format(
            "Caches use physical addresses, so a switch does not flush them, but other tasks have filled "
            "them: of the {} lines that {} uses, {} remain. ",
            own.lines_needed, b_, own.lines_needed - r.refilled_lines - r.streamed_lines);
    const bool whole = r.refilled_entries + r.refilled_lines + r.streamed_lines == 0;
    step.detail += whole ? "Nothing has to be reloaded."
                         : fmt::format(
                               "The rest is reloaded on demand: {} page-table walks, {} lines one by one "
                               "and {} in sequence.",
                               r.refilled_entries, r.refilled_lines, r.streamed_lines);
    return step;
}

SwitchStep SwitchWriter::save_registers(std::string explanation, const std::string& cost) const {
    if (exits_) explanation += fmt::format(" {} has exited: its state is never loaded again.", a_);
    return {.title = "Save registers",
            .detail = explanation + " " + cost,
            .cost = costs_.switch_same_mm.time,
            .kept = OldContents::kept};
}

SwitchStep SwitchWriter::floating_point(const std::string& explanation) const {
    return {.title = "Floating point",
            .detail = explanation + " The model charges no time for floating-point registers.",
            .happens = false,
            .kept = OldContents::kept};
}

SwitchStep SwitchWriter::resume_next(const std::string& idle_call, const std::string& new_task_start) const {
    if (view_.after.is_idle_task(next_))
        return {.title = fmt::format("{} continues", b_),
                .detail = fmt::format("After its own call of {0} has returned, {1} waits for an interrupt.",
                                      idle_call, b_)};
    if (first_time_)
        return {.title = fmt::format("{} begins", b_),
                .detail = fmt::format("{} has never run. It has no call of schedule() to return from{}", b_,
                                      new_task_start)};
    return {.title = fmt::format("{} continues", b_),
            .detail = fmt::format("The call of schedule() in which {} last lost the CPU returns now.", b_)};
}

SwitchStep SwitchWriter::load_page_directory(std::string explanation) const {
    if (scenario_.shape.recent == 0)
        explanation += " The cost includes refilling the TLB and the caches afterwards.";
    return {.title = "Page directory",
            .detail = std::move(explanation),
            .cost = costs_.switch_other_mm.time - costs_.switch_same_mm.time};
}

SwitchStep SwitchWriter::caches() const {
    return {.title = "Caches",
            .detail = fmt::format("Caches use physical addresses, so a switch does not flush them. The "
                                  "model does not compute how much of {}'s data remains.",
                                  b_),
            .kept = OldContents::kept};
}

}  // namespace sim
