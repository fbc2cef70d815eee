// Lua in a box: a script that can compute and call what it is given, and can do nothing else.
//
// There is no input or output, no clock, no random number, no text to take apart, no coroutine and no
// metatable. A call may carry out so many instructions and no more, and the box has so much memory. Some
// instructions can be made slow, so there is a bound of time, too, far from what other scripts take. What is
// alive when loading is over is frozen (freeze.h): a call leaves nothing behind. The same call with the same
// arguments so does the same everywhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/script/lua_versions.h"

namespace sim::script {

// What went wrong in a script, and where.
struct Problem {
    int line = 0;                    // 0: in no line of it
    std::string what;                // without the place
    std::vector<std::string> stack;  // who had called whom, the innermost first: "goodness(), line 12"
};

class LuaBox {
  public:
    static constexpr std::size_t kMostBytes = 8 << 20;  // of memory
    static constexpr std::size_t kMostKeys = 4096;  // of a table, lists aside: all may be in one place of it
    static constexpr std::size_t kLongestSource = 64 << 10;  // in bytes
    static constexpr std::size_t kLongestString = 1024;      // in bytes, once it runs
    static constexpr std::int64_t kMostInstructions =
        5'000'000;  // of a call; what a loop in C++ does counts, too

    // `owner` is what owner() gives to C functions.
    explicit LuaBox(void* owner);
    LuaBox(const LuaBox&) = delete;
    LuaBox& operator=(const LuaBox&) = delete;

    lua_State* state() const { return state_.get(); }

    static LuaBox& of(lua_State* L) { return **static_cast<LuaBox**>(lua_getextraspace(L)); }
    static void* owner(lua_State* L) { return of(L).owner_; }

    // Compiles a text as one function and leaves it on the stack, or says what is wrong with it.
    std::optional<Problem> compile(std::string_view text);

    // Calls the function on the stack that has so many arguments above it, and leaves so many results; with a
    // problem, none. `name` is how a problem calls the function.
    std::optional<Problem> call(const char* name, int arguments, int results);

    // Carried out so far, in all calls.
    std::uint64_t spent() const { return spent_; }

    // So many instructions the function calls carry out at most between two calls of step(), roughly
    // (call_bound.h): they are not counted one by one any more, but in calls with very many steps, or where
    // each has to be known (bound_in_all(), watch_lines()).
    void trust(std::int64_t between_steps);
    // A C function goes a step further in a loop of the script.
    void step() {
        if (!counts_ && (left_of_thousand_ -= step_) <= 0) [[unlikely]]
            end_of_thousand();
    }

    // Loops of C functions count as instructions. Raises an error when they are used up.
    void spend(std::int64_t instructions) {
        charge(instructions);
        if (is_used_up()) out_of_budget();
        if ((until_look_ -= instructions) <= 0) [[unlikely]]
            look_at_the_time();
    }
    // From now on all calls together take their instructions from these, too, and a second and a microsecond
    // for each; null: without a bound.
    void bound_in_all(std::int64_t* instructions);

    // A call ends that computes for longer, found out within a thousand instructions; 10 s unless this says
    // otherwise. Others take less than a second for as many instructions as a call may have.
    void bound_time(std::chrono::nanoseconds most) { most_time_ = most; }

    // --- errors of C functions ---
    //
    // A C library of Lua raises an error by longjmp(), which skips destructors. So each function that Lua
    // gets is a call_guarded<>, or calls guard(). Inside of it an error is a C++ exception. It becomes an
    // error of Lua where no object is left to destroy. A function of Lua that can raise an error, also for
    // lack of memory, may only be called where all local variables are trivially destructible.

    // Ends the call with this message at the line that called the C function. REQUIRES: inside of a guard().
    [[noreturn]] static void fail(lua_State* L, const std::string& what);
    // The value of a guarded function that returns this text to Lua.
    static int return_text(lua_State* L, std::string text) {
        of(L).text_ = std::move(text);
        return kReturnsText;
    }
    // Calls `work`, which returns how many results it has pushed. An exception of it ends the call of Lua.
    // call() throws it again, unless it is of fail().
    template <class Work>
    static int guard(lua_State* L, const Work& work) {
        int results = kFails;
        try {
            results = work();
        } catch (const Failure&) {
        } catch (const std::exception&) {  // exceptions of a C++ library of Lua are others
            of(L).thrown_ = std::current_exception();
        }
        return results >= 0 ? results : finish_guard(L, results);
    }

    // To each line that is about to run, until it is null: with what it sees.
    struct LineWatcher {
        virtual ~LineWatcher() = default;
        virtual void line(lua_State* L, lua_Debug& at) = 0;
    };
    void watch_lines(LineWatcher* watcher);

  private:
    static constexpr int kHookEvery = 1000;  // instructions

    struct Close {
        void operator()(lua_State* L) const { lua_close(L); }
    };

    bool is_used_up() const { return budget_ < 0 || (in_all_ != nullptr && *in_all_ < 0); }
    // Where no error can be raised: the next hook does.
    void charge(std::int64_t instructions) {
        budget_ -= instructions;
        spent_ += static_cast<std::uint64_t>(instructions);
        if (in_all_ != nullptr) *in_all_ -= instructions;
    }
    struct Failure {};  // text_ is the message
    static constexpr int kReturnsText = -1, kFails = -2;
    static int finish_guard(lua_State* L, int results);
    static std::string too_much_memory();
    void* resize(void* block, std::size_t had, std::size_t after);
    static void* allocate(void* box, void* block, std::size_t before, std::size_t after);
    static void hook(lua_State* L, lua_Debug* at);
    static int describe(lua_State* L);  // the message handler
    [[noreturn]] void out_of_budget();
    std::vector<std::string> call_stack(int* line, int from = 0) const;
    [[noreturn]] void fail_for_stack();
    std::optional<Problem> problem(int status);
    void set_hook(int every = kHookEvery);
    void end_of_thousand();
    void look_at_the_time();

    void* owner_;
    std::size_t used_ = 0;
    int blocks_ = 0;                     // made so far; only the first ones are counted
    const void* stack_block_ = nullptr;  // Lua's stack: the second block that a state asks for
    bool stack_is_too_large_ = false;    // the next hook raises the error
    bool is_described_ = false;          // latest_ is the problem of the error that is being raised
    std::int64_t budget_ = kMostInstructions;
    std::int64_t* in_all_ = nullptr;
    std::uint64_t spent_ = 0;
    std::int64_t step_ = 0;  // instructions of a step, estimated; 0: not known how many it may have
    bool counts_ = true;     // each instruction, in this call
    std::int64_t left_of_thousand_ = 0;              // of those that are estimated
    bool guards_ = false;                            // memory and strings: while a call is on
    std::int64_t until_look_ = 0;                    // instructions until the time is looked at
    bool is_timed_ = false;                          // this call has lasted for a thousand
    std::chrono::steady_clock::time_point began_{};  // when it had, by the clock that is quick to read
    std::chrono::nanoseconds computed_before_{};     // and by that of the thread
    std::chrono::nanoseconds most_time_ = std::chrono::seconds(10);
    std::chrono::nanoseconds computed_in_all_{}, most_in_all_{};
    bool memory_is_short_ = false;
    LineWatcher* watcher_ = nullptr;
    const char* called_ = nullptr;
    Problem latest_;
    std::string text_;  // of return_text() or fail()
    std::exception_ptr thrown_;
    std::unique_ptr<lua_State, Close> state_;
};

// `function` as Lua gets it.
template <lua_CFunction function>
int call_guarded(lua_State* L) {
    return LuaBox::guard(L, [L] { return function(L); });
}

}  // namespace sim::script
