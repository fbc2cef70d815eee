// What a script can call and look at, when it is loaded and when it runs: docs/scripts.md describes each.
#pragma once

#include "sim/base/types.h"
#include "sim/script/lua_versions.h"

namespace sim::script {

// The fixed places in Lua's registry: what is at each.
enum RegistryKey : lua_Integer {
    kAttributes = 50,  // the names of attributes, so that each stays at its address
    kTaskMeta = 100,   // metatables
    kQueueMeta,
    kCpuMeta,
    kMachineMeta,
    kOptionValues,
    kFirstCallback = 200,  // the functions of the script
    kFirstCpu = 300,       // the handles of CPUs
    kFirstTask = 1000,     // and of tasks, by TaskId
};

// What a userdata stands for.
struct Handle {
    enum class Kind : std::uint32_t { task, queue, cpu, machine };
    Kind kind;
    std::uint32_t number;
};

// The handle at this place of the stack, if it is one of this kind. There are no other userdata.
inline const Handle* handle_at(lua_State* L, int index, Handle::Kind kind) {
    const auto* handle = static_cast<const Handle*>(lua_touserdata(L, index));
    return handle != nullptr && handle->kind == kind ? handle : nullptr;
}
void push_handle(lua_State* L, Handle handle, RegistryKey meta);

// What stands at this place, for messages: "a task", "17", "nothing".
std::string describe_value(lua_State* L, int index);
// Raises an error that names `who` when there is none there.
std::int64_t integer_at(lua_State* L, int index, const char* who);

// What looks at each entry of a table pays an instruction for so many.
inline constexpr int kEntriesOfInstruction = 8;

// Whether no field may have this name, because every task has such an attribute.
bool is_attribute_of_tasks(std::string_view name);

// Puts the functions into the table on the top of the stack: those that declare, and those that look and act.
void add_declarations(lua_State* L);
void add_library(lua_State* L);

}  // namespace sim::script
