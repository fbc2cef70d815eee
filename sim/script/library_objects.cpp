// The fields of tasks, CPUs and the machine, as policy scripts read and set them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/suggest.h"
#include "sim/script/library.h"
#include "sim/script/library_call.h"
#include "sim/script/library_tables.h"

namespace sim::script {
namespace {

// The attributes of every task, apart from declared fields.
enum TaskAttribute : std::uint32_t {
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
    kFirstOfJob,  // "arrival"; this and the next attributes are TaskWord::kArrival and the next words
    kAttributeCount = kFirstOfJob + kTaskWords - kArrival
};
constexpr const char* kAttributeNames[kAttributeCount] = {
    "pid",    "class",   "rt_priority", "priority", "counter", "runnable", "running",
    "cpu",    "mm",      "remaining",   "ran",      "queued",  "slice",    "arrival",
    "length", "release", "deadline",    "period",   "tickets"};

std::int64_t run_time_of(LibraryCall& call, TaskId p) {
    const std::int64_t before = call.memory.task_word(p, kRan);
    if (call.m.task[p].processor == Task::kNoProcessor) return before;
    return before + ns(call.m.globals().now) - call.memory.task_word(p, kOnSince);
}

// Index of the field with this name. Returns an index out of range if there is no such field.
std::uint32_t find(const std::vector<Field>& fields, const char* name) {
    const auto place = std::lower_bound(fields.begin(), fields.end(), std::string_view(name),
                                        [](const Field& f, std::string_view n) { return f.name < n; });
    return place != fields.end() && place->name == name ? static_cast<std::uint32_t>(place - fields.begin())
                                                        : 0xffff'ffff;
}

[[noreturn]] void fail_unknown_field(lua_State* L, const char* whose, const std::vector<Field>& fields,
                                     int key, std::vector<std::string> known) {
    for (const Field& field : fields) known.push_back(field.name);
    std::sort(known.begin(), known.end());
    const std::string name = lua_type(L, key) == LUA_TSTRING ? lua_tostring(L, key) : describe_value(L, key);
    LuaSandbox::fail(L, fmt::format("{} has no field '{}'{}", whose, name, did_you_mean(name, known)));
}

// --- task.field ---

// The attribute or field of p with this name. If there is none, raises an error that contains the key at
// stack index 2.
[[gnu::always_inline]] inline Script::Attribute attribute_of_task(lua_State* L, const LibraryCall& call,
                                                                  const char* name, TaskId p) {
    const Script::Attribute attribute = call.script.attribute(name);
    if (attribute.name == nullptr)
        fail_unknown_field(L, "a task", call.script.layout().of_task, 2,
                           {std::begin(kAttributeNames), std::end(kAttributeNames)});
    if (!call.m.is_live(p)) LuaSandbox::fail(L, "the task no longer exists");
    return attribute;
}

// Pushes the value of attribute `number` of task p. Numbers from kAttributeCount on denote declared fields.
[[gnu::always_inline]] inline void push_attribute(lua_State* L, LibraryCall& call, TaskId p,
                                                  std::uint32_t number) {
    const Machine& m = call.m;
    switch (number) {
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
            lua_pushinteger(L, ns(m.remaining_burst(p)));
            break;
        case kRanFor:
            lua_pushinteger(L, run_time_of(call, p));
            break;
        case kIsQueued:
            lua_pushboolean(L, call.memory.queue_of(p) != ScriptState::kNoQueue);
            break;
        case kSliceLeft:
            lua_pushinteger(L, call.memory.slice(p));
            break;
        default:
            if (number >= kAttributeCount)
                lua_pushinteger(L, call.memory.task_field(p, number - kAttributeCount));
            else
                lua_pushinteger(
                    L, call.memory.task_word(p, static_cast<TaskWord>(kArrival + (number - kFirstOfJob))));
            break;
    }
}

int push_task_field(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call(L, "a task");
    const Script::Attribute attribute = attribute_of_task(L, call, lua_tostring(L, 2), p);
    push_attribute(L, call, p, attribute.number);
    if (call.context.reads != nullptr && lua_isinteger(L, -1) != 0) [[unlikely]]
        call.context.reads->push_back({p, attribute.name, lua_tointeger(L, -1)});
    return 1;
}

int set_task_field(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call = LibraryCall::for_writing(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const Script::Attribute attribute = attribute_of_task(L, call, name, p);
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
            LuaSandbox::fail(L, fmt::format("slice: expected a time in ns (0: no slice), got {}", value));
        call.memory.set_slice(p, value);
    } else {
        LuaSandbox::fail(
            L, fmt::format("'{}' is read-only; a policy can set slice, counter and its own fields", name));
    }
    return 0;
}

int text_of_task(lua_State* L) {
    const TaskId p = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    const LibraryCall call(L, "a task");
    return LuaSandbox::return_text(L, fmt::format("task {}", call.m.task[p].pid));
}

// --- cpu.field, machine.field ---

int push_cpu_field(lua_State* L) {
    const CpuId c = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call(L, "a CPU");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (std::string_view(name) == "number") {
        lua_pushinteger(L, c);
    } else if (std::string_view(name) == "current") {
        const TaskId p = call.m.cpu(c).current;
        call.push_task_or_nil(L, call.m.is_idle_task(p) ? kNoTask : p);
    } else if (std::string_view(name) == "need_resched") {
        lua_pushboolean(L, call.m.cpu(c).need_resched);
    } else {
        const std::vector<Field>& fields = call.script.layout().of_cpu;
        const std::uint32_t i = find(fields, name);
        if (i >= fields.size())
            fail_unknown_field(L, "a CPU", fields, 2, {"number", "current", "need_resched"});
        lua_pushinteger(L, call.memory.cpu_field(c, i));
    }
    return 1;
}

int set_cpu_field(lua_State* L) {
    const CpuId c = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call = LibraryCall::for_writing(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const std::vector<Field>& fields = call.script.layout().of_cpu;
    const std::uint32_t i = find(fields, name);
    if (i >= fields.size()) fail_unknown_field(L, "a CPU", fields, 2, {});
    call.memory.cpu_field(c, i) = integer_at(L, 3, name);
    return 0;
}

int push_machine_field(lua_State* L) {
    LibraryCall call(L, "machine");
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
        fail_unknown_field(L, "machine", fields, 2, {"cpus", "hz", "nr_running"});
    return 1;
}

int set_machine_field(lua_State* L) {
    LibraryCall call = LibraryCall::for_writing(L, "an assignment");
    const char* const name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    const std::vector<Field>& fields = call.script.layout().of_machine;
    const std::uint32_t i = find(fields, name);
    if (i >= fields.size()) fail_unknown_field(L, "machine", fields, 2, {});
    call.memory.machine_field(i) = integer_at(L, 3, name);
    return 0;
}

}  // namespace

bool is_attribute_of_tasks(std::string_view name) {
    return std::find(std::begin(kAttributeNames), std::end(kAttributeNames), name) !=
           std::end(kAttributeNames);
}

// Stores the attribute names in Lua's registry. Lua then has exactly one object for each of these strings,
// and its address identifies the name.
void Script::store_attribute_names() {
    lua_State* L = state();
    lua_newtable(L);
    const auto add = [&](const char* name, std::uint32_t number) {
        lua_pushstring(L, name);
        const char* const there = lua_tostring(L, -1);
        lua_rawseti(L, -2, lua_Integer{number} + 1);
        std::size_t slot = attribute_slot(there);
        while (attributes_[slot].name != nullptr) slot = (slot + 1) % attributes_.size();
        attributes_[slot] = {there, number};
    };
    for (std::uint32_t i = 0; i < kAttributeCount; ++i) add(kAttributeNames[i], i);
    for (std::uint32_t i = 0; i < layout().of_task.size(); ++i)
        add(layout().of_task[i].name.c_str(), kAttributeCount + i);
    lua_rawseti(L, LUA_REGISTRYINDEX, kAttributes);
}

void add_object_metatables(lua_State* L) {
    constexpr luaL_Reg kTask[] = {{"__index", call_guarded<push_task_field>},
                                  {"__newindex", call_guarded<set_task_field>},
                                  {"__tostring", call_guarded<text_of_task>},
                                  {nullptr, nullptr}};
    constexpr luaL_Reg kCpuFunctions[] = {{"__index", call_guarded<push_cpu_field>},
                                          {"__newindex", call_guarded<set_cpu_field>},
                                          {nullptr, nullptr}};
    constexpr luaL_Reg kMachine[] = {{"__index", call_guarded<push_machine_field>},
                                     {"__newindex", call_guarded<set_machine_field>},
                                     {nullptr, nullptr}};
    add_metatable(L, kTaskMeta, "task", kTask);
    add_metatable(L, kCpuMeta, "CPU", kCpuFunctions);
    add_metatable(L, kMachineMeta, "machine", kMachine);
}

}  // namespace sim::script
