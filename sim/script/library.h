// The functions and objects available to policy scripts while loading and running; described in
// docs/how-to/scripts.md.
#pragma once

#include "sim/base/types.h"
#include "sim/script/lua_versions.h"

namespace sim::script {

// Indices of the library's values in Lua's registry.
enum RegistryKey : lua_Integer {
    kAttributes = 50,  // names of attributes, stored to keep their addresses valid
    kTaskMeta = 100,   // metatables
    kQueueMeta,
    kCpuMeta,
    kMachineMeta,
    kOptionValues,
    kFirstCallback = 200,  // first index of the functions of the script
    kFirstCpu = 300,       // first index of the handles of CPUs, by CpuId
    kFirstTask = 1000,     // first index of the handles of tasks, by TaskId
};

// The content of a Lua userdata, which represents an object in scripts.
struct Handle {
    enum class Kind : std::uint32_t { task, queue, cpu, machine };
    Kind kind;
    std::uint32_t number;
};

// The handle at this stack index; null if the value is not a handle of this kind. All userdata are handles.
inline const Handle* handle_at(lua_State* L, int index, Handle::Kind kind) {
    const auto* handle = static_cast<const Handle*>(lua_touserdata(L, index));
    return handle != nullptr && handle->kind == kind ? handle : nullptr;
}
void push_handle(lua_State* L, Handle handle, RegistryKey metatable);

// Describes the value at this stack index for messages: "a task", "17", "nothing".
std::string describe_value(lua_State* L, int index);
// Returns the integer at this stack index. If the value is not an integer, raises an error that begins with
// `description`, such as "insert: the key".
std::int64_t integer_at(lua_State* L, int index, const char* description);

// A C function that processes this number of table entries adds one instruction to the script's count.
inline constexpr int kEntriesPerInstruction = 8;

// Whether every task has an attribute with this name. A declared field must not have the name of such an
// attribute.
bool is_attribute_of_tasks(std::string_view name);

// Both functions add to the table on the top of the stack. add_declaration_functions() adds the functions
// that declare options, fields, queues and the value that ranks tasks, while a script is loaded.
// add_library() adds the functions and objects for running scripts.
void add_declaration_functions(lua_State* L);
void add_library(lua_State* L);

// add_library() calls these functions. Each adds a part of the library.
void add_object_metatables(lua_State* L);
void add_queue_functions(lua_State* L);
void add_scheduling_functions(lua_State* L);
void add_basic_functions(lua_State* L);

}  // namespace sim::script
