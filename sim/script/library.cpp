#include "sim/script/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/rng.h"
#include "sim/base/suggest.h"
#include "sim/script/freeze.h"
#include "sim/script/script.h"

namespace sim::script {
namespace {

// The attributes of every task, apart from declared fields.
enum Attribute : std::uint32_t {
    kPid,
    kClass,
    kRtPriority,
    kPriority,
    kCounter,
    kRunnable,
    kRunning,
    kCpu,
    kMm,
    kRemaining,
    kRanFor,
    kIsQueued,
    kSliceLeft,
    kFirstFact,  // followed by the other words from kArrival on, in their order
    kAttributeCount = kFirstFact + kTaskWords - kArrival
};
constexpr const char* kAttributeNames[kAttributeCount] = {
    "pid",    "class",   "rt_priority", "priority", "counter", "runnable", "running",
    "cpu",    "mm",      "remaining",   "ran",      "queued",  "slice",    "arrival",
    "length", "release", "deadline",    "period",   "tickets"};

// The current call of a script.
struct Call {
    Script& script;
    CallContext& subject;
    Machine& m;
    Memory memory;

    Call(lua_State* L, const char* who)
        : script(Script::of(L)),
          subject(subject_of(L, script, who)),
          m(*subject.m),
          memory(m, script.layout()) {}

    // For functions that modify the machine.
    static Call that_writes(lua_State* L, const char* who) {
        Call call(L, who);
        call.must_write(L, who);
        return call;
    }
    void must_write(lua_State* L, const char* who) const {
        if (!subject.may_write)
            LuaSandbox::fail(L, fmt::format("{} changes state, but {}() must not", who, script.callback()));
    }

    // The task at this stack index. Scripts never receive handles of idle tasks.
    TaskId task(lua_State* L, int index, const char* who) const {
        const Handle* handle = handle_at(L, index, Handle::Kind::task);
        if (handle == nullptr)
            LuaSandbox::fail(L, fmt::format("{}: expected a task, got {}", who, describe_value(L, index)));
        if (!m.is_live(handle->number))
            LuaSandbox::fail(L, fmt::format("{}: the task no longer exists", who));
        return handle->number;
    }

    void push(lua_State* L, TaskId p) const {
        if (p == kNoTask)
            lua_pushnil(L);
        else
            push_task(L, p);
    }
    void push_task(lua_State* L, TaskId p) const {
        lua_rawgeti(L, LUA_REGISTRYINDEX, kFirstTask + lua_Integer{p});
    }

  private:
    static CallContext& subject_of(lua_State* L, const Script& script, const char* who) {
        if (script.subject() == nullptr)
            LuaSandbox::fail(L, fmt::format("{}: there is no machine while the script is loaded", who));
        return *script.subject();
    }
};

// Records the script's line that called this function as the one that counted work.
void note_line(lua_State* L, CallContext& subject) {
    lua_Debug caller{};
    if (lua_getstack(L, 1, &caller) != 0 && lua_getinfo(L, "l", &caller) != 0)
        subject.counted_at = caller.currentline;
}

std::int64_t ns(Nanos time) { return time.count(); }

std::int64_t ran(Call& call, TaskId p) {
    const std::int64_t before = call.memory.task_word(p, kRan);
    if (call.m.task[p].processor == Task::kNoProcessor) return before;
    return before + ns(call.m.globals().now) - call.memory.task_word(p, kOnSince);
}

// Index of the field with this name; out of range if there is none.
std::uint32_t find(const std::vector<Field>& fields, const char* name) {
    const auto place = std::lower_bound(fields.begin(), fields.end(), std::string_view(name),
                                        [](const Field& f, std::string_view n) { return f.name < n; });
    return place != fields.end() && place->name == name ? static_cast<std::uint32_t>(place - fields.begin())
                                                        : 0xffff'ffff;
}

[[noreturn]] void no_such_field(lua_State* L, const char* whose, const std::vector<Field>& fields, int key,
                                std::vector<std::string> known) {
    for (const Field& field : fields) known.push_back(field.name);
    std::sort(known.begin(), known.end());
    const std::string name = lua_type(L, key) == LUA_TSTRING ? lua_tostring(L, key) : describe_value(L, key);
    LuaSandbox::fail(L, fmt::format("{} has no '{}'{}", whose, name, did_you_mean(name, known)));
}

int index_task(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    Call call(L, "a task");
    const Machine& m = call.m;
    const Script::Attribute attribute = call.script.attribute(lua_tostring(L, 2));
    if (attribute.name == nullptr)
        no_such_field(L, "a task", call.script.layout().of_task, 2,
                      {std::begin(kAttributeNames), std::end(kAttributeNames)});
    if (!m.is_live(p)) LuaSandbox::fail(L, "the task no longer exists");
    switch (attribute.number) {
        case kPid:
            lua_pushinteger(L, m.task[p].pid);
            break;
        case kClass:
            lua_pushstring(L, to_string(m.sched_class[p]));
            break;
        case kRtPriority:
            lua_pushinteger(L, m.rt_priority[p]);
            break;
        case kPriority:
            lua_pushinteger(L, m.priority[p]);
            break;
        case kCounter:
            lua_pushinteger(L, m.counter[p]);
            break;
        case kRunnable:
            lua_pushboolean(L, m.task[p].state == TaskState::runnable);
            break;
        case kRunning:
            lua_pushboolean(L, m.task[p].processor != Task::kNoProcessor);
            break;
        case kCpu:
            if (m.task[p].last_processor == Task::kNoProcessor)
                lua_pushnil(L);
            else
                lua_pushinteger(L, m.task[p].last_processor);
            break;
        case kMm:
            lua_pushinteger(L, m.task[p].mm);
            break;
        case kRemaining:
            lua_pushinteger(L, ns(m.left_of_burst(p)));
            break;
        case kRanFor:
            lua_pushinteger(L, ran(call, p));
            break;
        case kIsQueued:
            lua_pushboolean(L, call.memory.queue_of(p) != Memory::kNoQueue);
            break;
        case kSliceLeft:
            lua_pushinteger(L, call.memory.slice(p));
            break;
        default:
            if (attribute.number >= kAttributeCount)
                lua_pushinteger(L, call.memory.task_field(p, attribute.number - kAttributeCount));
            else
                lua_pushinteger(L, call.memory.task_word(
                                       p, static_cast<TaskWord>(kArrival + (attribute.number - kFirstFact))));
            break;
    }
    return 1;
}

int set_in_task(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    Call call = Call::that_writes(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const Script::Attribute attribute = call.script.attribute(name);
    if (attribute.name == nullptr)
        no_such_field(L, "a task", call.script.layout().of_task, 2,
                      {std::begin(kAttributeNames), std::end(kAttributeNames)});
    if (!call.m.is_live(p)) LuaSandbox::fail(L, "the task no longer exists");
    const std::int64_t value = integer_at(L, 3, name);
    if (attribute.number >= kAttributeCount) {
        call.memory.task_field(p, attribute.number - kAttributeCount) = value;
    } else if (attribute.number == kCounter) {
        if (value < std::numeric_limits<std::int32_t>::min() ||
            value > std::numeric_limits<std::int32_t>::max())
            LuaSandbox::fail(L, fmt::format("counter has 32 bits; {} is out of range", value));
        call.m.counter[p] = static_cast<std::int32_t>(value);
    } else if (attribute.number == kSliceLeft) {
        if (value < 0 || value > kHorizon.count())
            LuaSandbox::fail(L, fmt::format("slice: expected a time in ns (0: none), got {}", value));
        call.memory.set_slice(p, value);
    } else {
        LuaSandbox::fail(
            L, fmt::format("'{}' is read-only; a policy can set slice, counter and its own fields", name));
    }
    return 0;
}

int text_of_task(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    const Call call(L, "a task");
    return LuaSandbox::return_text(L, fmt::format("task {}", call.m.task[p].pid));
}

// --- cpu.field, machine.field ---

int index_cpu(lua_State* L) {
    const CpuId c = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    Call call(L, "a CPU");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (std::string_view(name) == "number") {
        lua_pushinteger(L, c);
    } else if (std::string_view(name) == "current") {
        const TaskId p = call.m.cpu(c).current;
        call.push(L, call.m.is_idle_task(p) ? kNoTask : p);
    } else if (std::string_view(name) == "need_resched") {
        lua_pushboolean(L, call.m.cpu(c).need_resched);
    } else {
        const std::vector<Field>& fields = call.script.layout().of_cpu;
        const std::uint32_t i = find(fields, name);
        if (i >= fields.size()) no_such_field(L, "a CPU", fields, 2, {"number", "current", "need_resched"});
        lua_pushinteger(L, call.memory.cpu_field(c, i));
    }
    return 1;
}

int set_in_cpu(lua_State* L) {
    const CpuId c = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    Call call = Call::that_writes(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const std::vector<Field>& fields = call.script.layout().of_cpu;
    const std::uint32_t i = find(fields, name);
    if (i >= fields.size()) no_such_field(L, "a CPU", fields, 2, {});
    call.memory.cpu_field(c, i) = integer_at(L, 3, name);
    return 0;
}

int index_machine(lua_State* L) {
    Call call(L, "machine");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const std::vector<Field>& fields = call.script.layout().of_machine;
    if (const std::uint32_t i = find(fields, name); i < fields.size())
        lua_pushinteger(L, call.memory.machine_field(i));
    else if (std::string_view(name) == "cpus")
        lua_pushinteger(L, call.m.shape().cpus);
    else if (std::string_view(name) == "hz")
        lua_pushinteger(L, call.m.shape().hz);
    else if (std::string_view(name) == "nr_running")
        lua_pushinteger(L, call.m.globals().nr_running);
    else
        no_such_field(L, "machine", fields, 2, {"cpus", "hz", "nr_running"});
    return 1;
}

int set_in_machine(lua_State* L) {
    Call call = Call::that_writes(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const std::vector<Field>& fields = call.script.layout().of_machine;
    const std::uint32_t i = find(fields, name);
    if (i >= fields.size()) no_such_field(L, "machine", fields, 2, {});
    call.memory.machine_field(i) = integer_at(L, 3, name);
    return 0;
}

// --- queues ---

std::uint32_t queue_at(lua_State* L, const char* who) {
    const Handle* handle = handle_at(L, 1, Handle::Kind::queue);
    if (handle == nullptr)
        LuaSandbox::fail(L, fmt::format("call {} with ':', as in ready:{}(...)", who, who));
    return handle->number;
}

TaskId task_to_queue(lua_State* L, Call& call, const char* who) {
    const TaskId p = call.task(L, 2, who);
    if (call.memory.queue_of(p) != Memory::kNoQueue)
        LuaSandbox::fail(L, fmt::format("{}: task {} is already on a queue", who, call.m.task[p].pid));
    if (call.m.task[p].state != TaskState::runnable)
        LuaSandbox::fail(L, fmt::format("{}: task {} is not runnable: it is {}", who, call.m.task[p].pid,
                                        to_string(call.m.task[p].state)));
    return p;
}

int add_last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_last");
    Call call = Call::that_writes(L, "add_last");
    call.memory.add_last(q, task_to_queue(L, call, "add_last"));
    return 0;
}

int add_first(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_first");
    Call call = Call::that_writes(L, "add_first");
    call.memory.add_first(q, task_to_queue(L, call, "add_first"));
    return 0;
}

int add_before(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_before");
    Call call = Call::that_writes(L, "add_before");
    const TaskId p = task_to_queue(L, call, "add_before");
    const TaskId place = call.task(L, 3, "add_before");
    if (call.memory.queue_of(place) != q)
        LuaSandbox::fail(L, fmt::format("add_before: task {} is not on this queue", call.m.task[place].pid));
    call.memory.add_before(place, p);
    return 0;
}

int insert(lua_State* L) {
    const std::uint32_t q = queue_at(L, "insert");
    Call call = Call::that_writes(L, "insert");
    const TaskId p = task_to_queue(L, call, "insert");
    const std::int64_t key = integer_at(L, 3, "insert: the key");
    const std::int64_t second = lua_isnoneornil(L, 4) ? 0 : integer_at(L, 4, "insert: the second key");
    const std::uint32_t steps = call.memory.insert(q, p, key, second);
    call.subject.work.queue_steps += steps;
    if (call.subject.notes_lines) [[unlikely]]
        note_line(L, call.subject);
    if (call.subject.log != nullptr && steps > 0) call.subject.log->insertions.push_back({p, steps});
    call.script.box().spend(steps);
    return 0;
}

int remove(lua_State* L) {
    const std::uint32_t q = queue_at(L, "remove");
    Call call = Call::that_writes(L, "remove");
    const TaskId p = call.task(L, 2, "remove");
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(L, fmt::format("remove: task {} is not on this queue", call.m.task[p].pid));
    call.memory.remove(p);
    return 0;
}

int move_last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "move_last");
    Call call = Call::that_writes(L, "move_last");
    const TaskId p = call.task(L, 2, "move_last");
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(L, fmt::format("move_last: task {} is not on this queue", call.m.task[p].pid));
    call.memory.remove(p);
    call.memory.add_last(q, p);
    return 0;
}

int first(lua_State* L) {
    const std::uint32_t q = queue_at(L, "first");
    Call call(L, "first");
    call.push(L, call.memory.first(q));
    return 1;
}

int last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "last");
    Call call(L, "last");
    call.push(L, call.memory.last(q));
    return 1;
}

int has(lua_State* L) {
    const std::uint32_t q = queue_at(L, "has");
    Call call(L, "has");
    lua_pushboolean(L, call.memory.queue_of(call.task(L, 2, "has")) == q);
    return 1;
}

int empty(lua_State* L) {
    const std::uint32_t q = queue_at(L, "empty");
    Call call(L, "empty");
    lua_pushboolean(L, call.memory.count(q) == 0);
    return 1;
}

int count_queue(lua_State* L) {
    const std::uint32_t q = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    Call call(L, "#");
    lua_pushinteger(L, call.memory.count(q));
    return 1;
}

// Iteration of `for p in ready:each() do`. Scripts can call it with any arguments.
int next_of_queue(lua_State* L) {
    const std::uint32_t q = queue_at(L, "each");
    Call call(L, "each");
    call.script.box().step();
    if (lua_isnoneornil(L, 2)) {
        call.push(L, call.memory.first(q));
        return 1;
    }
    const TaskId p = call.task(L, 2, "each");
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(
            L, fmt::format("each: task {} left the queue during this loop; use a while loop with first()",
                           call.m.task[p].pid));
    call.push(L, call.memory.next(p));
    return 1;
}

int each(lua_State* L) {
    queue_at(L, "each");
    lua_pushcfunction(L, call_guarded<next_of_queue>);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// Moves all tasks of another queue to the end of this one, in their order.
int append(lua_State* L) {
    const std::uint32_t q = queue_at(L, "append");
    Call call = Call::that_writes(L, "append");
    const Handle* other = handle_at(L, 2, Handle::Kind::queue);
    if (other == nullptr)
        LuaSandbox::fail(L, fmt::format("append: expected a queue, got {}", describe_value(L, 2)));
    if (other->number == q) return 0;
    for (TaskId p = call.memory.first(other->number); p != kNoTask; p = call.memory.first(other->number)) {
        call.memory.remove(p);
        call.memory.add_last(q, p);
        call.script.box().spend(1);
    }
    return 0;
}

// --- other functions ---

int consider(lua_State* L) {
    Call call(L, "consider");
    const TaskId p = call.task(L, 1, "consider");
    CallContext& s = call.subject;
    ++s.work.considered;
    if (s.notes_lines) [[unlikely]]
        note_line(L, s);
    const Compares& compares = call.script.compares();
    const bool has_value = !lua_isnoneornil(L, 2);
    if (has_value != (compares.by != Compares::By::turn))
        LuaSandbox::fail(
            L, has_value ? "consider: declare the compared value with highest \"...\" or lowest \"...\""
                         : fmt::format("consider: the {} of the task is missing", compares.what));
    if (!has_value) {
        if (s.log != nullptr) s.log->candidates.push_back({p, call.m.counter[p], 0, 0, false});
        return 0;
    }
    const std::int64_t value = integer_at(L, 2, "consider");
    const bool is_best =
        !s.has_best || (compares.by == Compares::By::highest ? value > s.best : value < s.best);
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

int refill(lua_State* L) {
    Call call = Call::that_writes(L, "refill");
    const TaskId p = call.task(L, 1, "refill");
    const std::int64_t value = integer_at(L, 2, "refill");
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
        LuaSandbox::fail(L, fmt::format("counter has 32 bits; {} is out of range", value));
    const std::int32_t before = call.m.counter[p], after = static_cast<std::int32_t>(value);
    call.subject.work.recalcs = 1;
    ++call.subject.work.recalculated;
    if (call.subject.notes_lines) [[unlikely]]
        note_line(L, call.subject);
    call.m.counter[p] = after;
    if (call.subject.log != nullptr && before != after)
        call.subject.log->refills.push_back({p, before, after});
    return 0;
}

int next_of_tasks(lua_State* L) {
    const Call call(L, "tasks");
    call.script.box().step();
    const Handle* before = handle_at(L, 2, Handle::Kind::task);
    TaskId p = before == nullptr ? call.m.first_task() : before->number + 1;
    while (p < call.m.globals().high_row && !call.m.is_live(p)) {
        ++p;
        call.script.box().spend(1);
    }
    call.push(L, p < call.m.globals().high_row ? p : kNoTask);
    return 1;
}

int tasks(lua_State* L) {
    lua_pushcfunction(L, call_guarded<next_of_tasks>);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

int next_of_cpus(lua_State* L) {
    const Call call(L, "cpus");
    call.script.box().step();
    const Handle* before = handle_at(L, 2, Handle::Kind::cpu);
    const CpuId c = before == nullptr ? 0 : before->number + 1;
    if (c >= call.m.shape().cpus) return 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, kFirstCpu + lua_Integer{c});
    return 1;
}

int cpus(lua_State* L) {
    lua_pushcfunction(L, call_guarded<next_of_cpus>);
    lua_pushnil(L);
    lua_pushnil(L);
    return 3;
}

int may_run(lua_State* L) {
    const Call call(L, "may_run");
    const TaskId p = call.task(L, 1, "may_run");
    CpuId c = call.subject.cpu;
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
    lua_pushinteger(L, ns(Call(L, "now").m.globals().now));
    return 1;
}

int ticks(lua_State* L) {
    lua_pushinteger(L, static_cast<lua_Integer>(Call(L, "ticks").m.globals().ticks));
    return 1;
}

int random(lua_State* L) {
    Call call = Call::that_writes(L, "random");
    const std::int64_t n = integer_at(L, 1, "random");
    if (n < 1) LuaSandbox::fail(L, fmt::format("random({}): expected a number of at least 1", n));
    lua_pushinteger(
        L, static_cast<lua_Integer>(random_below(call.memory.stream(), static_cast<std::uint64_t>(n))) + 1);
    return 1;
}

// --- replacements for functions of Lua ---

int raise(lua_State* L) {
    LuaSandbox::fail(L,
                     lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "error(): " + describe_value(L, 1));
}

int check(lua_State* L) {
    if (lua_toboolean(L, 1) != 0) return lua_gettop(L);
    LuaSandbox::fail(L, lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "assertion failed");
}

// `#x` as rewritten by source.h. For a table: the number of elements from 1 up to the first missing one.
int length(lua_State* L) {
    if (lua_type(L, 2) != LUA_TTABLE) {
        lua_len(L, 2);
        return 1;
    }
    unwrap_frozen(L, 2);
    lua_Integer n = 0;
    while (lua_rawgeti(L, 2, n + 1) != LUA_TNIL) {
        lua_pop(L, 1);
        if (++n % kEntriesPerInstruction == 0) Script::of(L).box().spend(1);
    }
    lua_pushinteger(L, n);
    return 1;
}

int kind(lua_State* L) {
    lua_pushstring(L, handle_at(L, 1, Handle::Kind::task) != nullptr ? "task" : luaL_typename(L, 1));
    return 1;
}

int to_text(lua_State* L) {
    return LuaSandbox::return_text(L,
                                   lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : describe_value(L, 1));
}

int next_of_array(lua_State* L) {
    Script::of(L).box().step();
    const lua_Integer i = static_cast<lua_Integer>(static_cast<std::uint64_t>(lua_tointeger(L, 2)) + 1);
    lua_pushinteger(L, i);
    return lua_geti(L, 1, i) == LUA_TNIL ? 1 : 2;
}

int ordered_array(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushcfunction(L, call_guarded<next_of_array>);
    lua_pushvalue(L, 1);
    lua_pushinteger(L, 0);
    return 3;
}

int absolute(lua_State* L) {
    const std::int64_t a = integer_at(L, 1, "abs");
    lua_pushinteger(L, a < 0 ? static_cast<lua_Integer>(0U - static_cast<std::uint64_t>(a)) : a);
    return 1;
}

int extreme(lua_State* L, const char* who, bool least) {
    std::int64_t best = integer_at(L, 1, who);
    LuaSandbox::of(L).spend(lua_gettop(L));
    for (int i = 2; i <= lua_gettop(L); ++i) {
        const std::int64_t value = integer_at(L, i, who);
        if (least ? value < best : value > best) best = value;
    }
    lua_pushinteger(L, best);
    return 1;
}
int least(lua_State* L) { return extreme(L, "min", true); }
int greatest(lua_State* L) { return extreme(L, "max", false); }

// `names` and the string keys of the table at the bottom of the stack, sorted.
std::vector<std::string> names_in_table(lua_State* L, std::vector<std::string> names) {
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) names.emplace_back(lua_tostring(L, -1));
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Reports an unknown global. For well-known functions of Lua the message contains the reason or a
// replacement.
int missing(lua_State* L) {
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    for (const char* library : {"math", "tonumber"})
        if (name == library)
            LuaSandbox::fail(
                L, fmt::format("'{}' is not available: all numbers are integers, // rounds down, and "
                               "there are min(), max(), abs() and random()",
                               name));
    for (const char* library :
         {"os",         "io",       "string",  "table",  "debug",          "coroutine",
          "package",    "utf8",     "require", "dofile", "loadfile",       "load",
          "loadstring", "rawequal", "rawlen",  "print",  "setmetatable",   "getmetatable",
          "rawset",     "rawget",   "pcall",   "xpcall", "collectgarbage", "next",
          "select",     "_G"})
        if (name == library)
            LuaSandbox::fail(
                L, fmt::format("'{}' is not available: a policy script can access only the machine", name));
    const std::vector<std::string> known = names_in_table(L, {"true", "false", "nil"});
    LuaSandbox::fail(L, fmt::format("there is no variable '{}'{}", name, did_you_mean(name, known)));
}

int no_such_option(lua_State* L) {
    std::vector<std::string> known;
    for (const OptionInfo& option : Script::of(L).options()) known.push_back(option.name);
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    LuaSandbox::fail(L, fmt::format("there is no option '{}'{}", name, did_you_mean(name, known)));
}

int no_such_method(lua_State* L) {
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    LuaSandbox::fail(L,
                     fmt::format("a queue has no '{}'{}", name, did_you_mean(name, names_in_table(L, {}))));
}

// Sets the function to call for missing keys of the table on the top of the stack.
template <lua_CFunction function>
void add_index(lua_State* L) {
    lua_newtable(L);
    lua_pushcfunction(L, call_guarded<function>);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
}

void add_metatable(lua_State* L, RegistryKey key, const char* name, const luaL_Reg* functions) {
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");  // for messages of Lua
    lua_rawseti(L, LUA_REGISTRYINDEX, key);
}

}  // namespace

void push_handle(lua_State* L, Handle handle, RegistryKey meta) {
    *static_cast<Handle*>(lua_newuserdatauv(L, sizeof(Handle), 0)) = handle;
    lua_rawgeti(L, LUA_REGISTRYINDEX, meta);
    lua_setmetatable(L, -2);
}

std::string describe_value(lua_State* L, int index) {
    if (handle_at(L, index, Handle::Kind::task) != nullptr) return "a task";
    if (handle_at(L, index, Handle::Kind::queue) != nullptr) return "a queue";
    if (handle_at(L, index, Handle::Kind::cpu) != nullptr) return "a CPU";
    if (handle_at(L, index, Handle::Kind::machine) != nullptr) return "the machine";
    switch (lua_type(L, index)) {
        case LUA_TNONE:
        case LUA_TNIL:
            return "nothing";
        case LUA_TBOOLEAN:
            return lua_toboolean(L, index) != 0 ? "true" : "false";
        case LUA_TNUMBER:
            return lua_isinteger(L, index) != 0 ? fmt::format("{}", lua_tointeger(L, index))
                                                : fmt::format("{}", lua_tonumber(L, index));
        case LUA_TSTRING:
            return "a string";
        default:
            return fmt::format("a {}", luaL_typename(L, index));
    }
}

std::int64_t integer_at(lua_State* L, int index, const char* who) {
    int is_integer = 0;
    const lua_Integer value = lua_tointegerx(L, index, &is_integer);
    if (is_integer == 0 || lua_type(L, index) != LUA_TNUMBER)
        LuaSandbox::fail(L,
                         fmt::format("{}: expected a whole number, got {}", who, describe_value(L, index)));
    return value;
}

bool is_attribute_of_tasks(std::string_view name) {
    return std::find(std::begin(kAttributeNames), std::end(kAttributeNames), name) !=
           std::end(kAttributeNames);
}

void Script::make_handles(TaskId end) {
    for (; handles_ < end; ++handles_) {
        push_handle(state(), {Handle::Kind::task, handles_}, kTaskMeta);
        lua_rawseti(state(), LUA_REGISTRYINDEX, kFirstTask + lua_Integer{handles_});
    }
}

// Keeps the attribute names alive. Lua then has a single object for each of these strings, so its address
// identifies the name.
void Script::name_attributes() {
    lua_State* L = state();
    lua_newtable(L);
    const auto add = [&](const char* name, std::uint32_t number) {
        lua_pushstring(L, name);
        const char* const there = lua_tostring(L, -1);
        lua_rawseti(L, -2, lua_Integer{number} + 1);
        std::size_t slot = slot_of(there);
        while (attributes_[slot].name != nullptr) slot = (slot + 1) % attributes_.size();
        attributes_[slot] = {there, number};
    };
    for (std::uint32_t i = 0; i < kAttributeCount; ++i) add(kAttributeNames[i], i);
    for (std::uint32_t i = 0; i < layout().of_task.size(); ++i)
        add(layout().of_task[i].name.c_str(), kAttributeCount + i);
    lua_rawseti(L, LUA_REGISTRYINDEX, kAttributes);
}

void add_library(lua_State* L) {
    constexpr luaL_Reg kTask[] = {{"__index", call_guarded<index_task>},
                                  {"__newindex", call_guarded<set_in_task>},
                                  {"__tostring", call_guarded<text_of_task>},
                                  {nullptr, nullptr}};
    constexpr luaL_Reg kCpuFunctions[] = {
        {"__index", call_guarded<index_cpu>}, {"__newindex", call_guarded<set_in_cpu>}, {nullptr, nullptr}};
    constexpr luaL_Reg kMachine[] = {{"__index", call_guarded<index_machine>},
                                     {"__newindex", call_guarded<set_in_machine>},
                                     {nullptr, nullptr}};
    constexpr luaL_Reg kQueueFunctions[] = {{"__len", call_guarded<count_queue>}, {nullptr, nullptr}};
    constexpr luaL_Reg kMethods[] = {{"add_last", call_guarded<add_last>},
                                     {"add_first", call_guarded<add_first>},
                                     {"add_before", call_guarded<add_before>},
                                     {"insert", call_guarded<insert>},
                                     {"remove", call_guarded<remove>},
                                     {"move_last", call_guarded<move_last>},
                                     {"first", call_guarded<first>},
                                     {"last", call_guarded<last>},
                                     {"has", call_guarded<has>},
                                     {"empty", call_guarded<empty>},
                                     {"each", call_guarded<each>},
                                     {"append", call_guarded<append>},
                                     {nullptr, nullptr}};
    constexpr luaL_Reg kFunctions[] = {{"consider", call_guarded<consider>},
                                       {"refill", call_guarded<refill>},
                                       {"tasks", call_guarded<tasks>},
                                       {"cpus", call_guarded<cpus>},
                                       {"may_run", call_guarded<may_run>},
                                       {"now", call_guarded<now>},
                                       {"ticks", call_guarded<ticks>},
                                       {"random", call_guarded<random>},
                                       {"error", call_guarded<raise>},
                                       {"assert", call_guarded<check>},
                                       {"type", call_guarded<kind>},
                                       {"tostring", call_guarded<to_text>},
                                       {"ipairs", call_guarded<ordered_array>},
                                       {"pairs", call_guarded<ordered_pairs>},
                                       {"abs", call_guarded<absolute>},
                                       {"min", call_guarded<least>},
                                       {"max", call_guarded<greatest>},
                                       {nullptr, nullptr}};
    add_metatable(L, kTaskMeta, "task", kTask);
    add_metatable(L, kCpuMeta, "CPU", kCpuFunctions);
    add_metatable(L, kMachineMeta, "machine", kMachine);
    add_metatable(L, kQueueMeta, "queue", kQueueFunctions);
    lua_rawgeti(L, LUA_REGISTRYINDEX, kQueueMeta);
    lua_newtable(L);
    luaL_setfuncs(L, kMethods, 0);
    add_index<no_such_method>(L);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);

    luaL_setfuncs(L, kFunctions, 0);
    push_handle(L, {Handle::Kind::machine, 0}, kMachineMeta);
    lua_setfield(L, -2, "machine");
    for (CpuId c = 0; c < kMaxCpus; ++c) {
        push_handle(L, {Handle::Kind::cpu, c}, kCpuMeta);
        lua_rawseti(L, LUA_REGISTRYINDEX, kFirstCpu + lua_Integer{c});
    }
    lua_pushstring(L, "idle");
    lua_setfield(L, -2, "idle");
    lua_pushinteger(L, 1'000);
    lua_setfield(L, -2, "us");
    lua_pushinteger(L, 1'000'000);
    lua_setfield(L, -2, "ms");
    lua_newtable(L);
    add_index<no_such_option>(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, kOptionValues);
    lua_setfield(L, -2, "option");
    lua_pushstring(L, "");  // the metatable of all strings
    lua_newtable(L);
    lua_pushcfunction(L, call_guarded<length>);
    lua_setfield(L, -2, "__pow");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    // Handles missing globals until the table is frozen.
    add_index<missing>(L);
}

}  // namespace sim::script
