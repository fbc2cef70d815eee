#include "sim/script/lua_sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/os/thread_time.h"

namespace sim::script {
namespace {

// Instructions charged for each call, in addition to the multiples of 1,000 that the hook counts.
constexpr std::int64_t kCallItself = 100;
// If the estimated instructions of a call exceed this number, the further instructions of the call are
// counted.
constexpr std::int64_t kMostEstimated = 10'000;
constexpr const char* kChunk = "script";  // name of the script in Lua's messages
// Allocating or moving kBytesOfInstruction bytes of a large block costs one instruction. A large block has at
// least kLargeBlock bytes.
constexpr std::size_t kBytesOfInstruction = 64, kLargeBlock = 4096;
// Maximum size of a string object without its characters, and size of a table entry (key and value); both
// in bytes.
constexpr std::size_t kStringHeader = 32, kBytesOfEntry = 24;
constexpr int kMostOfStack = 12;      // maximum number of calls in Problem::stack
constexpr int kDeepestExamined = 64;  // maximum number of stack levels examined, in case of recursion

std::string seconds(std::chrono::nanoseconds time) {
    return fmt::format("{} s", static_cast<double>(time / std::chrono::milliseconds(1)) / 1000);
}

// Whether a new block of this size can be the hash part of a table. The number of entries of a hash part is
// a power of two.
bool is_hash_part_size(std::size_t bytes) {
    return bytes % kBytesOfEntry == 0 && std::has_single_bit(bytes / kBytesOfEntry);
}

bool is_in_script(const lua_Debug& call) { return call.currentline > 0; }

}  // namespace

LuaSandbox::LuaSandbox(void* owner) : owner_(owner), state_(lua_newstate(&LuaSandbox::allocate, this)) {
    if (state_ == nullptr) throw std::bad_alloc();
    lua_State* L = state();
    *static_cast<LuaSandbox**>(lua_getextraspace(L)) = this;
    // Outside of calls to scripts, lack of memory is the only possible error.
    lua_atpanic(L, [](lua_State*) -> int { throw std::bad_alloc(); });
    // The message handler stays at the bottom of the stack.
    lua_pushcfunction(L, call_guarded<&LuaSandbox::describe_error>);
    set_hook();
}

// Lua's allocator. Refuses memory beyond the limit; Lua then collects garbage and retries.
void* LuaSandbox::allocate(void* sandbox, void* block, std::size_t old_size_or_type, std::size_t new_size) {
    LuaSandbox& self = *static_cast<LuaSandbox*>(sandbox);
    if (new_size == 0) {
        if (block != nullptr) self.used_ -= old_size_or_type;
        std::free(block);
        return nullptr;
    }
    self.memory_is_short_ = false;
    const bool is_new =
        block == nullptr;  // for a new block, Lua passes the type of the object in `old_size_or_type`
    const std::size_t old_size = is_new ? 0 : old_size_or_type;
    if (self.limits_memory_ && new_size > old_size) {
        const bool is_long_text =
            is_new && old_size_or_type == LUA_TSTRING && new_size > kLongestString + kStringHeader;
        const bool is_large_table =
            is_new && new_size > kMostKeys * kBytesOfEntry && is_hash_part_size(new_size);
        // If memory is refused, Lua traverses all its objects. The cost of this traversal is charged below.
        if (is_long_text || is_large_table || self.used_ - old_size + new_size > kMostBytes) {
            // An error message needs the list of calls, which some versions of Lua cannot provide while the
            // stack grows. Then the stack is allowed to exceed the memory limit, at most to twice its size
            // before. The hook ends the call one instruction later.
            if (kCallsAreHiddenWhileTheStackGrows && block == self.stack_block_) {
                self.stack_is_too_large_ = true;
                self.set_hook(1);
                return self.resize(block, old_size, new_size);
            }
            self.charge(static_cast<std::int64_t>(self.used_ / kBytesOfInstruction));
            if (self.is_budget_used_up()) self.set_hook(1);  // the hook raises the error
            try {
                self.latest_.stack = self.call_stack(&self.latest_.line);
                self.latest_.what = is_long_text
                                        ? fmt::format("a string is longer than {} bytes", kLongestString)
                                    : is_large_table ? fmt::format("a table has more than {} keys", kMostKeys)
                                                     : memory_limit_message();
            } catch (const std::bad_alloc&) {  // exceptions must not pass through Lua
                self.memory_is_short_ = true;
            }
            return nullptr;
        }
        if (new_size >= kLargeBlock) self.charge(static_cast<std::int64_t>(new_size / kBytesOfInstruction));
    }
    return self.resize(block, old_size, new_size);
}

void* LuaSandbox::resize(void* block, std::size_t old_size, std::size_t new_size) {
    const bool is_stack = block == nullptr ? blocks_ < 2 && ++blocks_ == 2 : block == stack_block_;
    void* const moved = std::realloc(block, new_size);
    if (moved != nullptr) used_ += new_size - old_size;
    if (moved != nullptr && is_stack) stack_block_ = moved;
    memory_is_short_ = moved == nullptr;  // true: the system is out of memory; not an error of the script
    return moved;
}

std::string LuaSandbox::memory_limit_message() {
    return fmt::format("the script uses more than {} MiB of memory", kMostBytes >> 20);
}

// Ends the call because the stack is too large. The stack grew when the innermost function was called, so the
// message names the line of this call, in the caller.
void LuaSandbox::fail_for_stack() {
    stack_is_too_large_ = false;
    limits_memory_ = false;
    is_described_ = true;
    latest_.stack = call_stack(&latest_.line, 1);
    latest_.what = memory_limit_message();
    fail(state(), latest_.what);
}

void LuaSandbox::count_instructions_by_estimate(std::int64_t instructions_between_steps) {
    // `instructions_between_steps` counts all tokens of a function. Because of branches, a call executes only
    // about 1/kShare of them.
    constexpr std::int64_t kShare = 6;
    step_ = std::max<std::int64_t>(1, instructions_between_steps / kShare);
}

void LuaSandbox::set_hook(int instruction_interval) {
    const int lines = watcher_ != nullptr ? LUA_MASKLINE : 0;
    const bool counts = counts_ || instruction_interval != kHookEvery;
    lua_sethook(state(), &LuaSandbox::hook, (counts ? LUA_MASKCOUNT : 0) | lines, instruction_interval);
}

// Charges 1,000 estimated instructions, the same number that the hook charges when it counts.
void LuaSandbox::charge_estimated_instructions() {
    left_of_thousand_ += kHookEvery;
    charge(kHookEvery);
    check_time_limit();
    if (budget_ > kMostInstructions - kMostEstimated) return;
    counts_ = true;
    set_hook();
}

void LuaSandbox::watch_lines(LineWatcher* watcher) {
    watcher_ = watcher;
    set_hook();
}

void LuaSandbox::hook(lua_State* L, lua_Debug* activation) {
    run_guarded(L, [L, activation] {
        LuaSandbox& self = of(L);
        if (self.stack_is_too_large_) self.fail_for_stack();
        if (activation->event == LUA_HOOKCOUNT)
            self.charge_and_check_limits(kHookEvery);
        else if (self.watcher_ != nullptr)
            self.watcher_->on_line(L, *activation);
        return 0;
    });
}

// Ends the call if it has used too much computing time. The clock of the thread's CPU time is slower to read
// than the steady clock. So it is read only if the limit is exceeded according to the steady clock.
void LuaSandbox::check_time_limit() {
    until_time_check_ = kHookEvery;
    const auto now = std::chrono::steady_clock::now();
    if (!is_timed_) {
        is_timed_ = true;
        began_ = now;
        computed_before_ = os::thread_cpu_time();
    }
    if (now - began_ < most_time_ || os::thread_cpu_time() - computed_before_ < most_time_) return;
    fail(state(), fmt::format("the script did not finish within {}", seconds(most_time_)));
}

void LuaSandbox::set_shared_instruction_budget(std::int64_t* instructions) {
    instructions_left_in_all_ = instructions;
    computed_in_all_ = {};
    if (instructions != nullptr)
        most_in_all_ = std::chrono::seconds(1) +
                       std::chrono::microseconds(std::min<std::int64_t>(*instructions, 1'000'000'000'000));
}

void LuaSandbox::fail_for_budget() {
    if (budget_ >= 0)
        fail(state(), "the script's calls have used up the limit of instructions for all calls");
    fail(state(), fmt::format("the script did not finish within {} instructions", kMostInstructions));
}

void LuaSandbox::fail(lua_State* L, const std::string& message) {
    of(L).text_ = message;
    throw Failure{};
}

// REQUIRES: no local variable has a destructor, because the Lua functions that finish_guard() calls can raise
// errors.
int LuaSandbox::finish_guard(lua_State* L, int results) {
    const std::string& text = of(L).text_;
    lua_pushlstring(L, text.data(), text.size());
    return results == kReturnsText ? 1 : lua_error(L);
}

std::vector<std::string> LuaSandbox::call_stack(int* line, int first_level) const {
    std::vector<std::string> stack;
    *line = 0;
    lua_Debug call{};
    for (int level = first_level; lua_getstack(state(), level, &call) != 0; ++level) {
        if (lua_getinfo(state(), "Sln", &call) == 0 || !is_in_script(call)) continue;
        if (*line == 0) *line = call.currentline;
        if (stack.size() == kMostOfStack || level == kDeepestExamined) {
            stack.emplace_back("...");
            break;
        }
        const bool is_main = call.what != nullptr && std::string_view(call.what) == "main";
        lua_Debug outer{};
        const bool is_outermost = lua_getstack(state(), level + 1, &outer) == 0;
        std::string name = is_main                ? ""
                           : call.name != nullptr ? fmt::format("{}(), ", call.name)
                           : is_outermost         ? fmt::format("{}(), ", called_)
                                          : fmt::format("the function at line {}, ", call.linedefined);
        name += fmt::format("line {}", call.currentline);
        if (stack.empty() || stack.back() != name)
            stack.push_back(printable(name));  // repeated calls by recursion are listed once
    }
    return stack;
}

// Lua's message handler. Writes the description of an error to latest_. Lua calls the handler when the error
// is raised, while the call stack is intact.
int LuaSandbox::describe_error(lua_State* L) {
    if (of(L).thrown_ || of(L).is_described_) return 1;
    LuaSandbox& self = of(L);
    self.limits_memory_ = false;
    Problem& problem = self.latest_;
    problem.stack = self.call_stack(&problem.line);
    if (lua_type(L, 1) == LUA_TSTRING) {
        problem.what = lua_tostring(L, 1);
        // A message that Lua creates begins with the position, such as "script:12: ". The position is removed
        // from the message.
        const std::string place = fmt::format("{}:{}: ", kChunk, problem.line);
        if (problem.what.compare(0, place.size(), place) == 0) problem.what.erase(0, place.size());
        problem.what = printable(problem.what);
    } else {
        problem.what = fmt::format("error() expected a string, got a {}", lua_typename(L, lua_type(L, 1)));
    }
    return 1;
}

std::optional<Problem> LuaSandbox::problem_of_status(int status) {
    limits_memory_ = false;
    lua_settop(state(), lua_gettop(state()) - 1);
    if (status == LUA_ERRMEM && memory_is_short_) throw std::bad_alloc();
    if (status == LUA_ERRERR)
        latest_.what = "the calls are nested too deep: even the error could not be reported";
    return std::move(latest_);
}

namespace {

// Returns a hint for users of other programming languages, to append to Lua's message. Returns an empty text
// if there is no hint for this message.
std::string hint_for_error(std::string_view message) {
    constexpr std::pair<std::string_view, const char*> kHints[] = {
        {"'then' expected near '='", "; use == to compare two values"},
        {"'do' expected near '='", "; use == to compare two values"},
        {"near '!'", "; write ~= for \"not equal\", and the word 'not' for \"not\""},
        {"near '&'", "; write 'and' instead of &&"},
        {"near '|'", "; write 'or' instead of ||"},
        {"near '{'", "; write a block as then ... end or do ... end, without braces"},
        {"syntax error near '+'", "; += and ++ do not exist: write n = n + 1"},
        {"syntax error near '-'", "; -= does not exist: write n = n - 1"}};
    for (const auto& [end, hint] : kHints)
        if (message.ends_with(end)) return hint;
    return {};
}

}  // namespace

std::optional<Problem> LuaSandbox::compile(std::string_view text) {
    if (text.size() > kLongestSource)
        return Problem{0, fmt::format("the script is longer than {} bytes", kLongestSource), {}};
    if (!text.empty() && text.front() == LUA_SIGNATURE[0])
        return Problem{1, "compiled code is not allowed, only source text", {}};
    budget_ = kMostInstructions;
    const int status =
        luaL_loadbufferx(state(), text.data(), text.size(), (std::string("=") + kChunk).c_str(), "t");
    if (status == LUA_OK) return std::nullopt;
    if (status == LUA_ERRMEM && memory_is_short_) throw std::bad_alloc();
    // "script:LINE: what"
    std::string what = lua_tostring(state(), -1) != nullptr ? lua_tostring(state(), -1) : "";
    lua_pop(state(), 1);
    Problem found;
    if (const std::string before = std::string(kChunk) + ":"; what.compare(0, before.size(), before) == 0) {
        what.erase(0, before.size());
        char* end = nullptr;
        found.line = static_cast<int>(std::strtol(what.c_str(), &end, 10));
        what.erase(0, static_cast<std::size_t>(end - what.c_str()));
        if (what.compare(0, 2, ": ") == 0) what.erase(0, 2);
    }
    found.what = printable(shorten(what, 200)) + hint_for_error(what);
    return found;
}

std::optional<Problem> LuaSandbox::call(const char* name, int arguments, int results) {
    called_ = name;
    charge(kCallItself);
    budget_ = kMostInstructions;
    counts_ = step_ == 0 || instructions_left_in_all_ != nullptr || watcher_ != nullptr;
    left_of_thousand_ = kHookEvery;
    is_timed_ = false;
    stack_is_too_large_ = is_described_ = false;
    set_hook();  // set_hook() resets the instruction count of the hook to 0
    until_time_check_ = kHookEvery;
    limits_memory_ = true;
    if (instructions_left_in_all_ != nullptr) computed_in_all_ -= os::thread_cpu_time();
    const int status = lua_pcall(state(), arguments, results, 1);
    limits_memory_ = false;
    if (thrown_) [[unlikely]] {
        lua_pop(state(), 1);
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
    if (instructions_left_in_all_ != nullptr && (computed_in_all_ += os::thread_cpu_time()) > most_in_all_) {
        *instructions_left_in_all_ = -1;
        lua_pop(state(), status == LUA_OK ? results : 1);
        return Problem{0,
                       fmt::format("all calls of the script together took more than {} of CPU time",
                                   seconds(most_in_all_)),
                       {}};
    }
    if (status == LUA_OK) [[likely]]
        return std::nullopt;
    return problem_of_status(status);
}

}  // namespace sim::script
