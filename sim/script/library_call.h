// The context of the current call of a script function. The library functions (library.h) that this script
// function calls use the context.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "sim/script/library.h"
#include "sim/script/lua_sandbox.h"
#include "sim/script/script.h"
#include "sim/script/script_state.h"

namespace sim::script {

struct LibraryCall {
    Script& script;
    CallContext& context;
    Machine& m;
    ScriptState memory;

    LibraryCall(lua_State* L, const char* function)
        : script(Script::of(L)),
          context(require_call_context(L, script, function)),
          m(*context.m),
          memory(m, script.layout()) {}

    // The current call, for library functions that modify the machine. Raises an error if the script function
    // must not modify the machine.
    static LibraryCall for_writing(lua_State* L, const char* function) {
        LibraryCall call(L, function);
        call.require_write_access(L, function);
        return call;
    }
    void require_write_access(lua_State* L, const char* function) const {
        if (!context.may_write)
            LuaSandbox::fail(
                L, fmt::format("{} changes state, which {}() must not do", function, script.callback()));
    }

    // The task at this stack index; raises an error for any other value. Scripts never receive handles of
    // idle tasks.
    [[gnu::always_inline]] TaskId task(lua_State* L, int index, const char* function) const {
        const Handle* handle = handle_at(L, index, Handle::Kind::task);
        if (handle == nullptr)
            LuaSandbox::fail(L,
                             fmt::format("{}: expected a task, got {}", function, describe_value(L, index)));
        if (!m.is_live(handle->number))
            LuaSandbox::fail(L, fmt::format("{}: the task no longer exists", function));
        return handle->number;
    }

    void push_task_or_nil(lua_State* L, TaskId p) const {
        if (p == kNoTask)
            lua_pushnil(L);
        else
            push_task(L, p);
    }
    void push_task(lua_State* L, TaskId p) const {
        lua_rawgeti(L, LUA_REGISTRYINDEX, kFirstTask + lua_Integer{p});
    }

  private:
    [[gnu::always_inline]] static CallContext& require_call_context(lua_State* L, const Script& script,
                                                                    const char* function) {
        if (script.call_context() == nullptr)
            LuaSandbox::fail(L, fmt::format("{}: there is no machine while the script is loaded", function));
        return *script.call_context();
    }
};

// A library function that counts work of the script (CallContext::work) calls this function. Records the
// script line that called the library function in `counted_at`.
inline void record_line_of_counted_work(lua_State* L, CallContext& context) {
    lua_Debug caller{};
    if (lua_getstack(L, 1, &caller) != 0 && lua_getinfo(L, "l", &caller) != 0)
        context.counted_at = caller.currentline;
}

inline std::int64_t ns(Nanos time) { return time.count(); }

}  // namespace sim::script
