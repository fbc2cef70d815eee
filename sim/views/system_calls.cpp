#include "sim/views/system_calls.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/core/action.h"
#include "sim/lab/progress.h"

namespace sim::views {

void replay_system_calls(const ViewedRun& run, const Engine& engine, Machine& m,
                         const std::function<void(const TraceRecord&)>& on_record,
                         const std::function<void(const SystemCall&)>& on_call, Statistics* statistics) {
    constexpr std::uint64_t kSlice = 4096;  // events per slice; their trace takes a few hundred KiB
    lab::RunProgressReporter reported(run.progress, m, run.limits);
    Trace trace;
    trace.logs_calls = true;
    for (;;) {
        Limits slice = run.limits;
        slice.events = std::min(run.limits.events, m.globals().events + kSlice);
        trace.records.clear();
        trace.calls.clear();
        const StopReason reason = engine.run(m, slice, {.statistics = statistics, .trace = &trace});
        engine.throw_if_policy_failed(m);
        auto next = trace.calls.begin();
        for (std::size_t i = 0; i <= trace.records.size(); ++i) {
            for (; next != trace.calls.end() && next->records == i; ++next) {
                const bool continues = next->is_retry && is_pipe_call(run.scenario, next->step);
                next->is_retry = continues;
                if (continues ? !next->blocks : !next->in_user_mode) on_call(*next);
            }
            if (i < trace.records.size()) on_record(trace.records[i]);
        }
        reported.show(m);
        if (reason != StopReason::event_limit || m.globals().events >= run.limits.events) return;
    }
}

std::string call_name(const Scenario& scenario, StepId step) {
    static const std::map<std::string_view, const char*> kNames{
        {"yield", "sched_yield"}, {"sleep", "nanosleep"}, {"timer", "clock_nanosleep"},
        {"fork", "clone"},        {"exec", "execve"},     {"exit", "exit"},
        {"wait", "futex"},        {"wake", "futex"},      {"lock", "futex"},
        {"unlock", "futex"},      {"park", "futex"},      {"unpark", "futex"},
        {"pipe_read", "read"},    {"pipe_write", "write"}};
    const std::string& action = actions()[scenario.steps[step].action].name;
    const auto found = kNames.find(action);
    return found == kNames.end() ? action : found->second;
}

bool is_pipe_call(const Scenario& scenario, StepId step) {
    return actions()[scenario.steps[step].action].name.starts_with("pipe_");
}

}  // namespace sim::views
