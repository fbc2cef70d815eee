// The methods of queues for policy scripts.
#include <fmt/format.h>

#include <string>

#include "sim/base/suggest.h"
#include "sim/script/library.h"
#include "sim/script/library_call.h"
#include "sim/script/library_tables.h"

namespace sim::script {
namespace {

std::uint32_t queue_at(lua_State* L, const char* function) {
    const Handle* handle = handle_at(L, 1, Handle::Kind::queue);
    if (handle == nullptr)
        LuaSandbox::fail(L, fmt::format("call {} with ':', as in ready:{}(...)", function, function));
    return handle->number;
}

TaskId task_to_queue(lua_State* L, LibraryCall& call, const char* function) {
    const TaskId p = call.task(L, 2, function);
    if (call.memory.queue_of(p) != ScriptState::kNoQueue)
        LuaSandbox::fail(L, fmt::format("{}: task {} is already on a queue", function, call.m.task[p].pid));
    if (call.m.task[p].state != TaskState::runnable)
        LuaSandbox::fail(L, fmt::format("{}: task {} is not runnable: it is {}", function, call.m.task[p].pid,
                                        to_string(call.m.task[p].state)));
    return p;
}

int add_last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_last");
    LibraryCall call = LibraryCall::that_writes(L, "add_last");
    call.memory.add_last(q, task_to_queue(L, call, "add_last"));
    return 0;
}

int add_first(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_first");
    LibraryCall call = LibraryCall::that_writes(L, "add_first");
    call.memory.add_first(q, task_to_queue(L, call, "add_first"));
    return 0;
}

int add_before(lua_State* L) {
    const std::uint32_t q = queue_at(L, "add_before");
    LibraryCall call = LibraryCall::that_writes(L, "add_before");
    const TaskId p = task_to_queue(L, call, "add_before");
    const TaskId place = call.task(L, 3, "add_before");
    if (call.memory.queue_of(place) != q)
        LuaSandbox::fail(L, fmt::format("add_before: task {} is not on this queue", call.m.task[place].pid));
    call.memory.add_before(place, p);
    return 0;
}

int insert(lua_State* L) {
    const std::uint32_t q = queue_at(L, "insert");
    LibraryCall call = LibraryCall::that_writes(L, "insert");
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

// The task in argument 2, which must be on queue `q`. `function` is the name of the calling library function,
// for messages.
TaskId task_on_queue(lua_State* L, LibraryCall& call, std::uint32_t q, const char* function) {
    const TaskId p = call.task(L, 2, function);
    if (call.memory.queue_of(p) != q)
        LuaSandbox::fail(L, fmt::format("{}: task {} is not on this queue", function, call.m.task[p].pid));
    return p;
}

int remove(lua_State* L) {
    const std::uint32_t q = queue_at(L, "remove");
    LibraryCall call = LibraryCall::that_writes(L, "remove");
    call.memory.remove(task_on_queue(L, call, q, "remove"));
    return 0;
}

int move_last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "move_last");
    LibraryCall call = LibraryCall::that_writes(L, "move_last");
    const TaskId p = task_on_queue(L, call, q, "move_last");
    call.memory.remove(p);
    call.memory.add_last(q, p);
    return 0;
}

int first(lua_State* L) {
    const std::uint32_t q = queue_at(L, "first");
    LibraryCall call(L, "first");
    call.push(L, call.memory.first(q));
    return 1;
}

int last(lua_State* L) {
    const std::uint32_t q = queue_at(L, "last");
    LibraryCall call(L, "last");
    call.push(L, call.memory.last(q));
    return 1;
}

int has(lua_State* L) {
    const std::uint32_t q = queue_at(L, "has");
    LibraryCall call(L, "has");
    lua_pushboolean(L, call.memory.queue_of(call.task(L, 2, "has")) == q);
    return 1;
}

int empty(lua_State* L) {
    const std::uint32_t q = queue_at(L, "empty");
    LibraryCall call(L, "empty");
    lua_pushboolean(L, call.memory.count(q) == 0);
    return 1;
}

int count_queue(lua_State* L) {
    const std::uint32_t q = static_cast<const Handle*>(lua_touserdata(L, 1))->number;
    LibraryCall call(L, "#");
    lua_pushinteger(L, call.memory.count(q));
    return 1;
}

// The iterator of `for p in ready:each() do`. Scripts can call it with any arguments.
int next_of_queue(lua_State* L) {
    const std::uint32_t q = queue_at(L, "each");
    LibraryCall call(L, "each");
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

// Moves all tasks of another queue to the end of this one. Their order is unchanged.
int append(lua_State* L) {
    const std::uint32_t q = queue_at(L, "append");
    LibraryCall call = LibraryCall::that_writes(L, "append");
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

int no_such_method(lua_State* L) {
    const std::string name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : describe_value(L, 2);
    LuaSandbox::fail(L,
                     fmt::format("a queue has no '{}'{}", name, did_you_mean(name, names_in_table(L, {}))));
}

}  // namespace

void add_queues(lua_State* L) {
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
    add_metatable(L, kQueueMeta, "queue", kQueueFunctions);
    lua_rawgeti(L, LUA_REGISTRYINDEX, kQueueMeta);
    lua_newtable(L);
    luaL_setfuncs(L, kMethods, 0);
    add_index<no_such_method>(L);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

}  // namespace sim::script
