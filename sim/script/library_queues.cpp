// The methods of queue objects in policy scripts.
#include <fmt/format.h>

#include <string>

#include "sim/base/suggest.h"
#include "sim/script/library.h"
#include "sim/script/library_call.h"
#include "sim/script/library_tables.h"

namespace sim::script {
namespace {

std::uint32_t queue_argument(lua_State* L, const char* function) {
    const Handle* handle = handle_at(L, 1, Handle::Kind::queue);
    if (handle == nullptr)
        LuaSandbox::fail(L, fmt::format("call {} with ':', as in ready:{}(...)", function, function));
    return handle->number;
}

TaskId unqueued_task_argument(lua_State* L, LibraryCall& call, const char* function) {
    const TaskId p = call.task(L, 2, function);
    if (call.memory.queue_of(p) != ScriptState::kNoQueue)
        LuaSandbox::fail(L, fmt::format("{}: task {} is already on a queue", function, call.m.task[p].pid));
    if (call.m.task[p].state != TaskState::runnable)
        LuaSandbox::fail(L, fmt::format("{}: task {} is not runnable: it is {}", function, call.m.task[p].pid,
                                        to_string(call.m.task[p].state)));
    return p;
}

int add_last(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "add_last");
    LibraryCall call = LibraryCall::for_writing(L, "add_last");
    call.memory.add_last(q, unqueued_task_argument(L, call, "add_last"));
    return 0;
}

int add_first(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "add_first");
    LibraryCall call = LibraryCall::for_writing(L, "add_first");
    call.memory.add_first(q, unqueued_task_argument(L, call, "add_first"));
    return 0;
}

int add_before(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "add_before");
    LibraryCall call = LibraryCall::for_writing(L, "add_before");
    const TaskId p = unqueued_task_argument(L, call, "add_before");
    const TaskId place = call.task(L, 3, "add_before");
    if (call.memory.queue_of(place) != q)
        LuaSandbox::fail(L, fmt::format("add_before: task {} is not on this queue", call.m.task[place].pid));
    call.memory.add_before(place, p);
    return 0;
}

int insert(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "insert");
    LibraryCall call = LibraryCall::for_writing(L, "insert");
    const TaskId p = unqueued_task_argument(L, call, "insert");
    const std::int64_t key = integer_at(L, 3, "insert: the key");
    const std::int64_t second = lua_isnoneornil(L, 4) ? 0 : integer_at(L, 4, "insert: the second key");
    const std::uint32_t steps = call.memory.insert_by_key(q, p, key, second);
    call.context.work.queue_steps += steps;
    if (call.context.notes_lines) [[unlikely]]
        record_line_of_counted_work(L, call.context);
    if (call.context.log != nullptr && steps > 0) call.context.log->insertions.push_back({p, steps});
    call.script.box().charge_and_check_limits(steps);
    return 0;
}

// The task in argument 2, which must be on queue `q`. `function` is the name of the calling library function,
// for messages.
TaskId queued_task_argument(lua_State* L, LibraryCall& call, std::uint32_t q, const char* function) {
    const TaskId p = call.task(L, 2, function);
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(L, fmt::format("{}: task {} is not on this queue", function, call.m.task[p].pid));
    return p;
}

int remove(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "remove");
    LibraryCall call = LibraryCall::for_writing(L, "remove");
    call.memory.remove(queued_task_argument(L, call, q, "remove"));
    return 0;
}

int move_last(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "move_last");
    LibraryCall call = LibraryCall::for_writing(L, "move_last");
    const TaskId p = queued_task_argument(L, call, q, "move_last");
    call.memory.remove(p);
    call.memory.add_last(q, p);
    return 0;
}

int first(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "first");
    LibraryCall call(L, "first");
    call.push_task_or_nil(L, call.memory.first(q));
    return 1;
}

int last(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "last");
    LibraryCall call(L, "last");
    call.push_task_or_nil(L, call.memory.last(q));
    return 1;
}

int has(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "has");
    LibraryCall call(L, "has");
    lua_pushboolean(L, call.memory.queue_of(call.task(L, 2, "has")) == q);
    return 1;
}

int empty(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "empty");
    LibraryCall call(L, "empty");
    lua_pushboolean(L, call.memory.count_tasks(q) == 0);
    return 1;
}

int push_queue_length(lua_State* L) {
    const std::uint32_t q = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call(L, "#");
    lua_pushinteger(L, call.memory.count_tasks(q));
    return 1;
}

// The iterator of `for p in ready:each() do`. Scripts can call it with any arguments.
int next_task_of_queue(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "each");
    LibraryCall call(L, "each");
    call.script.box().count_loop_step();
    if (lua_isnoneornil(L, 2)) {
        call.push_task_or_nil(L, call.memory.first(q));
        return 1;
    }
    const TaskId p = call.task(L, 2, "each");
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(
            L, fmt::format("each: task {} left the queue during this loop; use a while loop with first()",
                           call.m.task[p].pid));
    call.push_task_or_nil(L, call.memory.next(p));
    return 1;
}

int iterate_queue(lua_State* L) {
    queue_argument(L, "each");
    lua_pushcfunction(L, call_guarded<next_task_of_queue>);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// Moves all tasks of the queue in argument 2 to the end of the queue in argument 1. The order of the tasks is
// unchanged.
int append(lua_State* L) {
    const std::uint32_t q = queue_argument(L, "append");
    LibraryCall call = LibraryCall::for_writing(L, "append");
    const Handle* other = handle_at(L, 2, Handle::Kind::queue);
    if (other == nullptr)
        LuaSandbox::fail(L, fmt::format("append: expected a queue, got {}", describe_value(L, 2)));
    if (other->number == q) return 0;
    for (TaskId p = call.memory.first(other->number); p != kNoTask; p = call.memory.first(other->number)) {
        call.memory.remove(p);
        call.memory.add_last(q, p);
        call.script.box().charge_and_check_limits(1);
    }
    return 0;
}

int fail_unknown_method(lua_State* L) {
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    LuaSandbox::fail(
        L, fmt::format("a queue has no function '{}'{}", name, did_you_mean(name, names_in_table(L, {}))));
}

}  // namespace

void add_queue_functions(lua_State* L) {
    constexpr luaL_Reg kQueueFunctions[] = {{"__len", call_guarded<push_queue_length>}, {nullptr, nullptr}};
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
                                     {"each", call_guarded<iterate_queue>},
                                     {"append", call_guarded<append>},
                                     {nullptr, nullptr}};
    add_metatable(L, kQueueMeta, "queue", kQueueFunctions);
    lua_rawgeti(L, LUA_REGISTRYINDEX, kQueueMeta);
    lua_newtable(L);
    luaL_setfuncs(L, kMethods, 0);
    set_missing_key_handler<fail_unknown_method>(L);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

}  // namespace sim::script
