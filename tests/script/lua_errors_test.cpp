// An error in a C++ function that a script calls must destroy all objects of that function, whether Lua is
// compiled as C or as C++.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "sim/script/lua_sandbox.h"

namespace sim::script {
namespace lua_errors_test {

int alive = 0;  // number of live Counted objects

struct Counted {
    Counted() { ++alive; }
    Counted(const Counted&) = delete;
    ~Counted() { --alive; }
};

int fail(lua_State* L) {
    const Counted counted;
    LuaSandbox::fail(L, "it is wrong: " + std::string(100, 'x'));
}

int throw_error(lua_State*) {
    const Counted counted;
    throw std::out_of_range("thrown");
}

int run_out_of_memory(lua_State*) {
    const Counted counted;
    throw std::bad_alloc();
}

int return_long_text(lua_State* L) {
    const Counted counted;
    return LuaSandbox::return_text(L, std::string(100, 'y'));
}

// Calls the function from a script and checks that the Lua stack is balanced.
template <lua_CFunction function>
std::optional<Problem> call_from_script(LuaSandbox& box) {
    const int top = lua_gettop(box.state());
    lua_pushcfunction(box.state(), call_guarded<function>);
    EXPECT_FALSE(box.compile("local f = ...\nlocal text = f()\nreturn text"));
    lua_insert(box.state(), -2);
    std::optional<Problem> problem;
    try {
        problem = box.call("", 1, 1);
    } catch (...) {
        EXPECT_EQ(lua_gettop(box.state()), top);
        throw;
    }
    EXPECT_EQ(lua_gettop(box.state()), problem ? top : top + 1);
    return problem;
}

TEST(LuaErrors, DestroyObjectsOfFailingFunction) {
    LuaSandbox box(nullptr);
    for (int i = 0; i < 1000; ++i) {
        const auto problem = call_from_script<fail>(box);
        ASSERT_TRUE(problem);
        EXPECT_EQ(problem->what, "it is wrong: " + std::string(100, 'x'));
        EXPECT_EQ(problem->line, 2);
        ASSERT_EQ(alive, 0);
    }
}

TEST(LuaErrors, ExceptionsOfAFunctionReachTheCaller) {
    LuaSandbox box(nullptr);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_THROW(call_from_script<throw_error>(box), std::out_of_range);
        ASSERT_THROW(call_from_script<run_out_of_memory>(box), std::bad_alloc);
        ASSERT_EQ(alive, 0);
    }
    EXPECT_FALSE(call_from_script<return_long_text>(box)) << "the box can be used after that";
}

TEST(LuaErrors, ReturnedTextIsIntactAndObjectsDestroyed) {
    LuaSandbox box(nullptr);
    EXPECT_FALSE(call_from_script<return_long_text>(box));
    EXPECT_EQ(lua_tostring(box.state(), -1), std::string(100, 'y'));
    EXPECT_EQ(alive, 0);
}

// If an error occurs outside of a protected call, Lua calls the panic function, which throws.
TEST(LuaErrors, ErrorOutsideCallThrowsBadAlloc) {
    LuaSandbox box(nullptr);
    const auto raise = [&] {
        const Counted counted;
        lua_pushstring(box.state(), "no memory");
        lua_error(box.state());
    };
    EXPECT_THROW(raise(), std::bad_alloc);
    EXPECT_EQ(alive, 0);
}

}  // namespace lua_errors_test
}  // namespace sim::script
