#include "sim/script/freeze.h"

#include <fmt/format.h>

#include "sim/script/bytecode.h"
#include "sim/script/library.h"

namespace sim::script {
namespace {

// Metatable key; its value is the table with the contents of the frozen table.
constexpr const char* kKept = "kept";

int refuse_change(lua_State* L) {
    const bool is_global = lua_toboolean(L, lua_upvalueindex(1)) != 0;
    const bool has_text = lua_type(L, 2) == LUA_TSTRING || lua_type(L, 2) == LUA_TNUMBER;
    const std::string key = has_text ? lua_tostring(L, 2) : luaL_typename(L, 2);
    LuaSandbox::fail(
        L, is_global
               ? fmt::format("cannot assign the global variable '{}': make it local, or declare it to keep "
                             "its value: machine_fields {{ {} = 0 }}",
                             key, key)
               : fmt::format("cannot assign [{}]: tables created while the script is loaded are read-only; "
                             "declare a field to keep a value",
                             key));
}

// Makes the table at index `table` read-only. Moves its contents to a new table and sets a metatable that
// redirects reads to the new table. Leaves the new table on the stack.
void make_read_only(lua_State* L, int table, bool is_globals_table) {
    lua_newtable(L);
    const int kept = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, kept);
    }
    lua_pushnil(L);
    while (lua_next(L, kept) != 0) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, table);
    }
    // If the table had a metatable, the new table gets it, so that reads of missing keys work as before.
    if (lua_getmetatable(L, table) != 0) lua_setmetatable(L, kept);
    lua_newtable(L);
    lua_pushvalue(L, kept);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, kept);
    lua_setfield(L, -2, kKept);
    lua_pushboolean(L, is_globals_table);
    lua_pushcclosure(L, call_guarded<refuse_change>, 1);
    lua_setfield(L, -2, "__newindex");
    lua_setmetatable(L, table);
}

// Freezes values and everything that they refer to. `seen_` is the stack index of a table with the values
// visited so far, so that each value is visited once.
class Freezer {
  public:
    Freezer(lua_State* L, bool globals_are_only_read) : L_(L), globals_are_only_read_(globals_are_only_read) {
        lua_newtable(L_);
        seen_ = lua_gettop(L_);
    }

    // Freezes the value on the top of the stack, without popping the value. Returns a problem, or nullopt if
    // there is none.
    std::optional<Problem> visit(bool is_global) {
        const int value = lua_gettop(L_);
        const int type = lua_type(L_, value);
        if (type != LUA_TTABLE && type != LUA_TFUNCTION) return std::nullopt;
        if (depth_ == kDeepest)
            return Problem{
                0, fmt::format("tables and functions are nested more than {} levels deep", kDeepest), {}};
        luaL_checkstack(L_, 12, nullptr);
        lua_pushvalue(L_, value);
        lua_rawget(L_, seen_);
        const bool was_seen = lua_toboolean(L_, -1) != 0;
        lua_pop(L_, 1);
        if (was_seen) return std::nullopt;
        lua_pushvalue(L_, value);
        lua_pushboolean(L_, 1);
        lua_rawset(L_, seen_);
        ++depth_;
        std::optional<Problem> problem =
            type == LUA_TTABLE ? freeze_table(value, is_global) : freeze_function(value);
        --depth_;
        lua_settop(L_, value);
        return problem;
    }

  private:
    std::optional<Problem> freeze_table(int t, bool is_global) {
        int kept = t;
        if (!is_global || !globals_are_only_read_) {
            make_read_only(L_, t, is_global);
            kept = lua_gettop(L_);
        }
        // Problem with the lowest line number, because the order of a table's keys varies.
        std::optional<Problem> first;
        lua_pushnil(L_);
        while (lua_next(L_, kept) != 0) {
            auto problem = visit(false);
            if (problem && (!first || problem->line < first->line)) first = std::move(problem);
            lua_pop(L_, 1);
        }
        return first;
    }

    std::optional<Problem> freeze_function(int index) {
        if (lua_iscfunction(L_, index)) return std::nullopt;
        if (code_ > kMostCode)
            return Problem{0,
                           fmt::format("the functions that the script creates have more than {} MiB in total",
                                       kMostCode >> 20),
                           {}};
        lua_pushvalue(L_, index);
        const auto found = find_upvalue_assignment(L_, code_);
        if (found)
            return Problem{
                found->line,
                fmt::format("cannot assign '{}', which outlives the call; declare it to keep its value: "
                            "machine_fields {{ {} = 0 }}",
                            found->name, found->name),
                {}};
        for (int u = 1; lua_getupvalue(L_, index, u) != nullptr; ++u) {
            if (auto problem = visit(false)) return problem;
            lua_pop(L_, 1);
        }
        return std::nullopt;
    }

    lua_State* L_;
    bool globals_are_only_read_;
    int seen_;
    int depth_ = 0;
    static constexpr int kDeepest = 100;
    std::size_t code_ = 0;  // total size of the visited functions in bytes; a short script can create many
    static constexpr std::size_t kMostCode = 8 << 20;
};

// Whether key `a` comes before key `b`; numbers come before strings. REQUIRES: both keys are numbers or
// strings.
bool key_comes_before(lua_State* L, int a, int b) {
    const bool a_is_number = lua_type(L, a) == LUA_TNUMBER, b_is_number = lua_type(L, b) == LUA_TNUMBER;
    if (a_is_number != b_is_number) return a_is_number;
    return lua_compare(L, a, b, LUA_OPLT) != 0;
}

// The iterator of ordered_pairs(). Examines all keys and returns the smallest key that comes after the
// previous key, with its value. Scripts can call this function with any arguments.
int next_key_in_order(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    LuaSandbox::of(L).count_loop_step();
    lua_settop(L, 2);  // keeps the table and the previous key
    unwrap_frozen_table(L, 1);
    const bool is_first = lua_isnil(L, 2);
    int looked_at = 0;
    lua_pushnil(L);  // index 3: smallest suitable key found so far; nil: none
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        if (++looked_at % kEntriesPerInstruction == 0) LuaSandbox::of(L).charge_and_check_limits(1);
        if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING)
            LuaSandbox::fail(L, fmt::format("pairs() cannot order the keys of a table that has {} as a key",
                                            describe_value(L, -1)));
        if ((is_first || key_comes_before(L, 2, -1)) && (lua_isnil(L, 3) || key_comes_before(L, -1, 3))) {
            lua_pushvalue(L, -1);
            lua_replace(L, 3);
        }
    }
    lua_settop(L, 3);
    if (lua_isnil(L, 3)) return 1;
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    return 2;
}

}  // namespace

void unwrap_frozen_table(lua_State* L, int table) {
    if (lua_getmetatable(L, table) == 0) return;
    if (lua_getfield(L, -1, kKept) == LUA_TTABLE)
        lua_replace(L, table);
    else  // the table is not frozen yet
        lua_pop(L, 1);
    lua_pop(L, 1);
}

std::optional<Problem> freeze_globals(LuaSandbox& box, bool globals_are_only_read) {
    lua_State* L = box.state();
    const int globals = lua_gettop(L);
    Freezer freezer(L, globals_are_only_read);
    lua_pushvalue(L, globals);
    std::optional<Problem> problem = freezer.visit(true);
    lua_settop(L, globals);
    return problem;
}

int ordered_pairs(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushcfunction(L, call_guarded<next_key_in_order>);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

}  // namespace sim::script
