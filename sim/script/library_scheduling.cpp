// Library functions for policy scripts: count work, list tasks and CPUs, read the time and random numbers.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/base/text.h"
#include "sim/script/library.h"
#include "sim/script/library_call.h"

namespace sim::script {
namespace {

int consider_task(lua_State* L) {
    LibraryCall call(L, "consider");
    const TaskId p = call.task(L, 1, "consider");
    CallContext& s = call.context;
    ++s.work.considered;
    if (s.notes_lines) [[unlikely]]
        record_line_of_counted_work(L, s);
    const RankingCriterion& criterion = call.script.criterion();
    const bool has_value = !lua_isnoneornil(L, 2);
    if (has_value != (criterion.by != RankingCriterion::Order::turn))
        LuaSandbox::fail(
            L, has_value ? "consider: declare the compared value with highest \"...\" or lowest \"...\""
                         : fmt::format("consider: the {} of the task is missing", criterion.what));
    if (!has_value) {
        if (s.log != nullptr) s.log->candidates.push_back({p, call.m.counter[p], 0, 0, false});
        return 0;
    }
    const std::int64_t value = integer_at(L, 2, "consider");
    const bool is_best =
        !s.has_best || (criterion.by == RankingCriterion::Order::highest ? value > s.best : value < s.best);
    if (is_best) {
        s.has_best = true;
        s.best = value;
    }
    if (s.log == nullptr) return 0;
    const auto shown = static_cast<std::int32_t>(std::clamp<std::int64_t>(
        value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    Candidate candidate{p, call.m.counter[p], 0, shown, is_best};
    candidate.key = value;
    s.log->candidates.push_back(candidate);
    return 0;
}

// The library function because(text, ...), with which a script states the reason for its decision. Each {} in
// the text is replaced by the next argument, a number.
int state_reason(lua_State* L) {
    constexpr std::size_t kLongest = 300;
    LibraryCall call(L, "because");
    if (lua_type(L, 1) != LUA_TSTRING)
        LuaSandbox::fail(L, "because: expected a text, got " + describe_value(L, 1));
    std::string text = lua_tostring(L, 1);
    int given = 2;
    for (std::size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at)) {
        if (given > lua_gettop(L))
            LuaSandbox::fail(L, "because: the text contains more {} than there are numbers after it");
        const std::string value = fmt::format("{}", integer_at(L, given++, "because"));
        text.replace(at, 2, value);
        at += value.size();
    }
    if (given <= lua_gettop(L)) LuaSandbox::fail(L, "because: there are more numbers than {} in the text");
    call.context.because = printable(shorten(text, kLongest));
    return 0;
}

int refill(lua_State* L) {
    LibraryCall call = LibraryCall::for_writing(L, "refill");
    const TaskId p = call.task(L, 1, "refill");
    const std::int64_t value = integer_at(L, 2, "refill");
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
        LuaSandbox::fail(L, fmt::format("counter has 32 bits; {} is out of range", value));
    const std::int32_t before = call.m.counter[p], after = static_cast<std::int32_t>(value);
    call.context.work.recalculations = 1;
    ++call.context.work.recalculated;
    if (call.context.notes_lines) [[unlikely]]
        record_line_of_counted_work(L, call.context);
    call.m.counter[p] = after;
    if (call.context.log != nullptr && before != after)
        call.context.log->counter_changes.push_back({p, before, after});
    return 0;
}

int next_task(lua_State* L) {
    const LibraryCall call(L, "tasks");
    call.script.box().count_loop_step();
    const Handle* before = handle_at(L, 2, Handle::Kind::task);
    TaskId p = before == nullptr ? call.m.first_task() : before->number + 1;
    while (p < call.m.globals().high_row && !call.m.is_live(p)) {
        ++p;
        call.script.box().charge_and_check_limits(1);
    }
    call.push_task_or_nil(L, p < call.m.globals().high_row ? p : kNoTask);
    return 1;
}

int tasks(lua_State* L) {
    lua_pushcfunction(L, call_guarded<next_task>);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

int next_cpu(lua_State* L) {
    const LibraryCall call(L, "cpus");
    call.script.box().count_loop_step();
    const Handle* before = handle_at(L, 2, Handle::Kind::cpu);
    const CpuId c = before == nullptr ? 0 : before->number + 1;
    if (c >= call.m.shape().cpus) return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, kFirstCpu + lua_Integer{c});
    return 1;
}

int cpus(lua_State* L) {
    lua_pushcfunction(L, call_guarded<next_cpu>);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

int may_run(lua_State* L) {
    const LibraryCall call(L, "may_run");
    const TaskId p = call.task(L, 1, "may_run");
    CpuId c = call.context.cpu;
    if (!lua_isnoneornil(L, 2)) {
        const Handle* cpu = handle_at(L, 2, Handle::Kind::cpu);
        if (cpu == nullptr)
            LuaSandbox::fail(L, fmt::format("may_run: expected a CPU, got {}", describe_value(L, 2)));
        c = cpu->number;
    }
    lua_pushboolean(L, call.m.may_run(p, c));
    return 1;
}

int now(lua_State* L) {
    lua_pushinteger(L, ns(LibraryCall(L, "now").m.globals().now));
    return 1;
}

int push_ticks(lua_State* L) {
    lua_pushinteger(L, static_cast<lua_Integer>(LibraryCall(L, "ticks").m.globals().ticks));
    return 1;
}

int push_random_number(lua_State* L) {
    LibraryCall call = LibraryCall::for_writing(L, "random");
    const std::int64_t n = integer_at(L, 1, "random");
    if (n < 1) LuaSandbox::fail(L, fmt::format("random({}): expected a number of at least 1", n));
    const std::uint64_t drawn = random_below(call.memory.random_stream(), static_cast<std::uint64_t>(n));
    lua_pushinteger(L, static_cast<lua_Integer>(drawn) + 1);
    return 1;
}

}  // namespace

void add_scheduling_functions(lua_State* L) {
    constexpr luaL_Reg kFunctions[] = {{"consider", call_guarded<consider_task>},
                                       {"because", call_guarded<state_reason>},
                                       {"refill", call_guarded<refill>},
                                       {"tasks", call_guarded<tasks>},
                                       {"cpus", call_guarded<cpus>},
                                       {"may_run", call_guarded<may_run>},
                                       {"now", call_guarded<now>},
                                       {"ticks", call_guarded<push_ticks>},
                                       {"random", call_guarded<push_random_number>},
                                       {nullptr, nullptr}};
    luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace sim::script
