// A loaded script: what it declares, and its functions, to be called.
//
// A script is a Lua program that runs once, when it is loaded, and declares: options, fields, queues, what it
// compares. The functions that it defines are called where a kernel calls its scheduler (sim/core/policy.h);
// each has a default. docs/scripts.md is for those who write one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/script/lua_box.h"
#include "sim/script/memory.h"

namespace sim::script {

// The functions that a script can define.
enum class Callback : std::uint8_t {
    start,
    adopt,
    enqueue,
    preempts,
    reschedule,
    tick,
    slice_end,
    yield,
    fork,
    exit,
    reap,
    renice,
    pick_next,
    count
};
inline constexpr std::size_t kCallbacks = static_cast<std::size_t>(Callback::count);
const char* to_string(Callback callback);

// What the script says that it compares, in a word for people.
struct Compares {
    enum class By : std::uint8_t { turn, highest, lowest };
    By by = By::turn;
    std::string what = "turn";
};

// A script cannot be loaded, or not with these options. what() says at which line.
class LoadError : public std::runtime_error {
  public:
    explicit LoadError(const Problem& problem);
    bool has_line() const { return has_line_; }

  private:
    bool has_line_;
};

// What a call works on.
struct Subject {
    Machine* m = nullptr;
    bool may_write = true;
    CpuId cpu = 0;
    DecisionLog* log = nullptr;
    Decision work{};  // what the script has had counted
    bool has_best = false;
    std::int64_t best = 0;
    bool notes_lines = false;  // somebody looks on, and wants to know which line had it counted
    int counted_at = 0;        // the last that did
};

class Script {
  public:
    // Loads the text; options that `given` does not name have their defaults. Throws LoadError.
    Script(std::string_view text, const PolicyOptions& given);
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;

    const Layout& layout() const { return declared_.layout; }
    const Compares& compares() const { return declared_.compares; }
    const std::vector<std::string>& queue_names() const { return queue_names_; }  // by number; of several
    // What it has declared, in alphabetical order.
    const std::vector<OptionInfo>& options() const { return declared_.options; }

    std::uint64_t effort() const { return box_.spent(); }  // Policy::effort()

    bool has(Callback callback) const { return has_[static_cast<std::size_t>(callback)]; }

    // A call: begin(), push what it is called with, call(), read the results, end().
    // REQUIRES: has(callback), and `subject` outlives the call.
    void begin(Callback callback, Subject& subject);
    void push_task(TaskId p);  // nil for kNoTask
    void push_cpu(CpuId c);
    void push(std::int64_t number);
    void push(const char* word);
    std::optional<Problem> call(int results);
    lua_State* state() const { return box_.state(); }
    void end();

    // The task of the value at this place of the stack; kNoTask for anything else.
    static TaskId task_at(lua_State* L, int index);
    static bool is_idle_word(lua_State* L, int index);  // `idle`
    // The CPU of the value at this place of the stack; kNoCpu for anything else.
    static CpuId cpu_at(lua_State* L, int index);

    void watch_lines(LuaBox::LineWatcher* watcher) { box_.watch_lines(watcher); }
    void bound_in_all(std::int64_t* instructions) { box_.bound_in_all(instructions); }

    // --- for the functions that a script calls (library.cpp, declarations.cpp) ---

    static Script& of(lua_State* L) { return *static_cast<Script*>(LuaBox::owner(L)); }
    LuaBox& box() { return box_; }
    Subject* subject() const { return subject_; }       // null while it is loaded
    const char* callback() const { return callback_; }  // the function that is called
    // What a script declares while it is loaded.
    struct Declared {
        Layout layout;
        Compares compares;
        std::vector<OptionInfo> options;
    };
    Declared* declares() { return is_loading_ ? &declared_ : nullptr; }
    const PolicyOptions& given() const { return given_; }
    // An attribute or a field of tasks, by its name as Lua has it; without a name for none.
    struct Attribute {
        const char* name = nullptr;
        std::uint32_t number = 0;
    };
    Attribute attribute(const char* name) const {
        std::size_t slot = slot_of(name);
        while (attributes_[slot].name != nullptr && attributes_[slot].name != name)
            slot = (slot + 1) % attributes_.size();
        return attributes_[slot];
    }

  private:
    void load(std::string_view text);
    void find_callbacks();
    void refuse_misspelt_callbacks(std::string_view text);
    void name_attributes();
    void make_handles(TaskId end);  // of all tasks up to that one
    [[noreturn]] static void refuse(const Problem& problem);

    static std::size_t slot_of(const char* name) {
        return (reinterpret_cast<std::uintptr_t>(name) >> 4) % kSlots;
    }
    static constexpr std::size_t kSlots = 256;  // for at most 64 fields and what every task has

    LuaBox box_;
    Declared declared_;
    std::vector<std::string> queue_names_;
    PolicyOptions given_;
    std::array<bool, kCallbacks> has_{};
    bool is_loading_ = true;
    Subject* subject_ = nullptr;
    const char* callback_ = "";  // the function that is called, and with how many arguments
    int arguments_ = 0;
    TaskId handles_ = 0;  // made so far
    std::array<Attribute, kSlots> attributes_{};
};

}  // namespace sim::script
