// Runs Lua code that can only compute and call the functions supplied to it.
//
// There is no I/O, clock, random number generator, string processing, coroutine or metatable. Instructions
// per call and memory are limited. Since single instructions can be slow, time is limited too, far above the
// needs of normal scripts. After loading, everything is frozen (freeze.h), so that calls leave no state
// behind. Thus the same call with the same arguments has the same result everywhere.
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

// An error in a script and its position.
struct Problem {
    int line = 0;                    // 0: not in a line of the script
    std::string what;                // text of the message, without the position
    std::vector<std::string> stack;  // active calls, innermost first: "goodness(), line 12"
};

class LuaSandbox {
  public:
    static constexpr std::size_t kMostBytes = 8 << 20;  // memory limit
    // Limit for the hash part of a table, because all its keys might collide.
    static constexpr std::size_t kMostKeys = 4096;
    static constexpr std::size_t kLongestSource = 64 << 10;       // in bytes
    static constexpr std::size_t kLongestString = 1024;           // in bytes; limit during calls
    static constexpr std::int64_t kMostInstructions = 5'000'000;  // per call, including loops in C++

    // `owner`: the pointer that owner() returns to C functions.
    explicit LuaSandbox(void* owner);
    LuaSandbox(const LuaSandbox&) = delete;
    LuaSandbox& operator=(const LuaSandbox&) = delete;

    lua_State* state() const { return state_.get(); }

    static LuaSandbox& of(lua_State* L) { return **static_cast<LuaSandbox**>(lua_getextraspace(L)); }
    static void* owner(lua_State* L) { return of(L).owner_; }

    // Compiles a text as one function and pushes the function, or returns the problem.
    std::optional<Problem> compile(std::string_view text);

    // Calls the function that is on the stack below its arguments. Replaces the function and its `arguments`
    // arguments by `results` results, or only removes them if there is a problem. `name` is the name of the
    // function for problems.
    std::optional<Problem> call(const char* name, int arguments, int results);

    // Instructions executed so far, in all calls.
    std::uint64_t instructions_executed() const { return spent_; }

    // After this function has been called, instructions are estimated instead of counted, except in two
    // cases: after very many steps within one call of a script, and whenever an exact count is needed
    // (set_shared_instruction_budget(), watch_lines()). `instructions_between_steps`: approximate maximum
    // of instructions between two calls of count_loop_step() (call_bound.h).
    void count_instructions_by_estimate(std::int64_t instructions_between_steps);
    // Called by C functions for each iteration of a script's loop.
    void count_loop_step() {
        if (!counts_ && (left_of_thousand_ -= step_) <= 0) [[unlikely]]
            charge_estimated_instructions();
    }

    // Charges instructions to the script for a loop in a C function. Raises an error if the script has no
    // instructions left.
    void charge_and_check_limits(std::int64_t instructions) {
        charge(instructions);
        if (is_budget_used_up()) fail_for_budget();
        if ((until_time_check_ -= instructions) <= 0) [[unlikely]]
            check_time_limit();
    }
    // Limits all later calls together to `*instructions` instructions. The limit of their computing time is 1
    // s, plus 1 us for each of these permitted instructions. Each call subtracts its instructions from
    // `*instructions`. A null pointer removes the limit.
    void set_shared_instruction_budget(std::int64_t* instructions);

    // Sets the maximum computing time of a call. Without this function, the maximum is 10 s. The time is
    // checked every thousand instructions. Normal scripts need less than a second for the maximum number of
    // instructions.
    void limit_time_per_call(std::chrono::nanoseconds limit) { most_time_ = limit; }

    // --- errors of C functions ---
    //
    // A Lua library compiled as C raises errors by longjmp(), which skips destructors. So every function
    // passed to Lua is a call_guarded<> or calls run_guarded(). Within it, errors are C++ exceptions; they
    // become Lua errors once no object is left to destroy. Lua functions that can raise an error (even out of
    // memory) may be called only while all local variables are trivially destructible.

    // Ends the script's call with this message. The error is at the line that called the C function.
    // REQUIRES: called within run_guarded().
    [[noreturn]] static void fail(lua_State* L, const std::string& message);
    // Returns this text to Lua as the result of a guarded function, which calls return_text() in its return
    // statement.
    static int return_text(lua_State* L, std::string text) {
        of(L).text_ = std::move(text);
        return kReturnsText;
    }
    // Calls `work`, which returns the number of results that it pushed. An exception ends the Lua call.
    // call() rethrows the exception unless fail() threw it.
    template <class Work>
    static int run_guarded(lua_State* L, const Work& work) {
        int results = kFails;
        try {
            results = work();
        } catch (const Failure&) {
        } catch (const std::exception&) {  // errors of a Lua library built as C++ have another type
            of(L).thrown_ = std::current_exception();
        }
        return results >= 0 ? results : finish_guard(L, results);
    }

    // An observer that is notified of each line before the script executes it, and can inspect the script's
    // state.
    struct LineWatcher {
        virtual ~LineWatcher() = default;
        virtual void on_line(lua_State* L, lua_Debug& activation) = 0;
    };
    // Sets the observer of lines; null removes it.
    void watch_lines(LineWatcher* watcher);

  private:
    static constexpr int kHookEvery = 1000;  // instructions

    struct StateCloser {
        void operator()(lua_State* L) const { lua_close(L); }
    };

    bool is_budget_used_up() const {
        return budget_ < 0 || (instructions_left_in_all_ != nullptr && *instructions_left_in_all_ < 0);
    }
    // Charges instructions without raising an error, so that any code can call it. If no instructions are
    // left, the next hook raises the error.
    void charge(std::int64_t instructions) {
        budget_ -= instructions;
        spent_ += static_cast<std::uint64_t>(instructions);
        if (instructions_left_in_all_ != nullptr) *instructions_left_in_all_ -= instructions;
    }
    struct Failure {};  // thrown by fail(); the message is in text_
    static constexpr int kReturnsText = -1, kFails = -2;
    static int finish_guard(lua_State* L, int results);
    static std::string memory_limit_message();
    void* resize(void* block, std::size_t old_size, std::size_t new_size);
    static void* allocate(void* sandbox, void* block, std::size_t old_size_or_type, std::size_t new_size);
    static void hook(lua_State* L, lua_Debug* activation);
    static int describe_error(lua_State* L);  // Lua's message handler
    [[noreturn]] void fail_for_budget();
    std::vector<std::string> call_stack(int* line, int first_level = 0) const;
    [[noreturn]] void fail_for_stack();
    std::optional<Problem> problem_of_status(int status);
    void set_hook(int instruction_interval = kHookEvery);
    void charge_estimated_instructions();
    void check_time_limit();

    void* owner_;
    std::size_t used_ = 0;
    int blocks_ = 0;                     // allocated blocks; stops at 2, at the block of the stack
    const void* stack_block_ = nullptr;  // Lua's stack, the second block allocated
    bool stack_is_too_large_ = false;    // the next hook raises an error
    bool is_described_ = false;          // latest_ describes the error being raised
    std::int64_t budget_ = kMostInstructions;
    std::int64_t* instructions_left_in_all_ = nullptr;
    std::uint64_t spent_ = 0;
    std::int64_t step_ = 0;  // estimated instructions per loop step; 0: no estimate, instructions are counted
    bool counts_ = true;     // instructions are counted in this call
    std::int64_t left_of_thousand_ = 0;  // estimated instructions until the next 1,000 are charged
    bool limits_memory_ = false;         // true during a call: memory and strings are limited
    std::int64_t until_time_check_ = 0;  // instructions until the next time check
    bool is_timed_ = false;              // the first time check of this call has been made
    std::chrono::steady_clock::time_point began_{};  // steady-clock time of the call's first time check
    std::chrono::nanoseconds computed_before_{};     // CPU time of the thread at the call's first time check
    std::chrono::nanoseconds most_time_ = std::chrono::seconds(10);
    std::chrono::nanoseconds computed_in_all_{}, most_in_all_{};
    bool memory_is_short_ = false;
    LineWatcher* watcher_ = nullptr;
    const char* called_ = nullptr;
    Problem latest_;
    std::string text_;  // argument of return_text() or fail()
    std::exception_ptr thrown_;
    std::unique_ptr<lua_State, StateCloser> state_;
};

// Wraps `function` in run_guarded(). Lua receives this wrapper.
template <lua_CFunction function>
int call_guarded(lua_State* L) {
    return LuaSandbox::run_guarded(L, [L] { return function(L); });
}

}  // namespace sim::script
