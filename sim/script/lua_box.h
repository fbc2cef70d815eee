// Lua in a box: a script that can compute and call what it is given, and can do nothing else.
//
// There is no input or output, no clock, no random number, no text to take apart, no coroutine and no
// metatable. A call may carry out so many instructions and no more, and the box has so much memory; tables
// are small, so that no instruction takes long, and a call that computes for seconds all the same ends. What
// is alive when loading is over is frozen (freeze.h): a call leaves nothing behind. The same call with the
// same arguments so does the same everywhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::script {

// What went wrong in a script, and where.
struct Problem {
    int line = 0;                    // 0: in no line of it
    std::string what;                // without the place
    std::vector<std::string> stack;  // who had called whom, the innermost first: "goodness(), line 12"
};

class LuaBox {
  public:
    static constexpr std::size_t kMostBytes = 8 << 20;       // of memory
    static constexpr std::size_t kLargestBlock = 128 << 10;  // of it in one piece, once it runs: a table that
                                                             // has 4,096 keys, a list of 8,192
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
    }
    // From now on all calls together take their instructions from these, too; null: without a bound.
    void bound_in_all(std::int64_t* instructions) { in_all_ = instructions; }

    // A call ends that has computed for twice as long, at the latest; 10 s unless this says otherwise. For
    // what nobody has thought of: a call of so many instructions, in small tables, takes a tenth of a second.
    void bound_time(std::chrono::nanoseconds most) { most_time_ = most; }

    // Ends the call with this message at the line that called the C function. Does not return.
    [[noreturn]] static void fail(lua_State* L, const std::string& what);

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
    static void* allocate(void* box, void* block, std::size_t before, std::size_t after);
    static void hook(lua_State* L, lua_Debug* at);
    static int describe(lua_State* L);  // the message handler
    [[noreturn]] void out_of_budget();
    std::vector<std::string> call_stack(int* line) const;
    std::optional<Problem> problem(int status);
    void set_hook(int every = kHookEvery);
    void end_of_thousand();
    void look_at_the_time();
    std::string too_large() const;

    void* owner_;
    std::size_t used_ = 0;
    std::int64_t budget_ = kMostInstructions;
    std::int64_t* in_all_ = nullptr;
    std::uint64_t spent_ = 0;
    std::int64_t step_ = 0;  // instructions of a step, estimated; 0: not known how many it may have
    bool counts_ = true;     // each instruction, in this call
    std::int64_t left_of_thousand_ = 0;  // of those that are estimated
    bool guards_ = false;                // memory and strings: while a call is on
    bool is_timed_ = false;              // this call, which has lasted for a thousand instructions
    std::chrono::steady_clock::time_point began_{};
    std::chrono::nanoseconds computed_before_{-1};  // by the thread; -1: not looked at yet
    std::chrono::nanoseconds most_time_ = std::chrono::seconds(10);
    bool memory_is_short_ = false;
    LineWatcher* watcher_ = nullptr;
    const char* called_ = nullptr;
    Problem latest_;
    std::unique_ptr<lua_State, Close> state_;
};

}  // namespace sim::script
