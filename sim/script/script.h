// A loaded policy script: its declarations and its callbacks.
//
// A policy script is a Lua program that runs once, when it is loaded, and declares options, fields, queues
// and its criterion. The functions that the script defines are called where a kernel calls its scheduler
// (sim/core/policy.h). A function that the script does not define has a default. For authors of scripts:
// docs/how-to/scripts.md.
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
#include "sim/script/lua_sandbox.h"
#include "sim/script/script_state.h"

namespace sim::script {

// The functions that a script can define and that the policy then calls.
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

// The criterion by which a script compares tasks; `what` is its display name.
struct RankingCriterion {
    enum class Order : std::uint8_t { turn, highest, lowest };
    Order by = Order::turn;
    std::string what = "turn";
};

// Thrown if the script cannot be loaded at all, or cannot be loaded with the specified options. what()
// contains the line.
class LoadError : public std::runtime_error {
  public:
    explicit LoadError(const Problem& problem);
    bool has_line() const { return has_line_; }

  private:
    bool has_line_;
};

// The state of one call of a script function.
struct CallContext {
    Machine* m = nullptr;
    bool may_write = true;
    CpuId cpu = 0;
    DecisionLog* log = nullptr;
    Decision work{};  // counts of the script's work in this call, such as tasks considered
    bool has_best = false;
    std::int64_t best = 0;
    // A field of a task that the script has read, for explanations.
    struct FieldRead {
        TaskId task;
        std::string field;
        std::int64_t value;
        bool operator==(const FieldRead&) const = default;
    };
    // Receives each read of a field with an integer value; null: not recorded.
    std::vector<FieldRead>* reads = nullptr;
    std::string because{};     // reason for the decision, stated by the script with because()
    bool notes_lines = false;  // true while lines are traced; library functions then set `counted_at`
    int counted_at = 0;        // script line in which work was last counted
};

class Script {
  public:
    // Loads the text. Options that are not in `given` have their default values. Throws LoadError.
    Script(std::string_view text, const PolicyOptions& given);
    Script(const Script&) = delete;
    Script& operator=(const Script&) = delete;

    const ScriptStateLayout& layout() const { return declared_.layout; }
    const RankingCriterion& criterion() const { return declared_.criterion; }
    // Display names of the queues, by queue number; empty if there is only one queue.
    const std::vector<std::string>& queue_names() const { return queue_names_; }
    // The declared options, in alphabetical order.
    const std::vector<OptionInfo>& options() const { return declared_.options; }

    // The number of instructions executed in all calls.
    std::uint64_t instructions_executed() const { return box_.instructions_executed(); }

    bool has(Callback callback) const { return has_[static_cast<std::size_t>(callback)]; }

    // A call consists of begin_call(), pushing the arguments, call(), reading the results, and end_call(), in
    // this order. REQUIRES: has(callback), and `context` outlives the call.
    void begin_call(Callback callback, CallContext& context);
    void push_task(TaskId p);  // pushes nil for kNoTask
    void push_cpu(CpuId c);
    void push(std::int64_t number);
    void push(const char* word);
    std::optional<Problem> call(int results);
    lua_State* state() const { return box_.state(); }
    void end_call();

    // The task at this stack index; kNoTask for other values.
    static TaskId task_at(lua_State* L, int index);
    static bool is_idle_word(lua_State* L, int index);  // whether the value is the word `idle`
    // The CPU at this stack index; kNoCpu for other values.
    static CpuId cpu_at(lua_State* L, int index);

    void watch_lines(LuaSandbox::LineWatcher* watcher) { box_.watch_lines(watcher); }
    void set_shared_instruction_budget(std::int64_t* instructions) {
        box_.set_shared_instruction_budget(instructions);
    }

    // --- for functions called by the script (library.h) ---

    static Script& of(lua_State* L) { return *static_cast<Script*>(LuaSandbox::owner(L)); }
    LuaSandbox& box() { return box_; }
    // Null if no callback is running, for example while loading.
    CallContext* call_context() const { return context_; }
    const char* callback() const { return callback_; }  // name of the current callback
    // The declarations made while the script is loaded.
    struct Declarations {
        ScriptStateLayout layout;
        RankingCriterion criterion;
        std::vector<OptionInfo> options;
    };
    Declarations* declarations() { return is_loading_ ? &declared_ : nullptr; }
    const PolicyOptions& given_options() const { return given_; }
    // An attribute or declared field of tasks, found by the address of its name in Lua. If nothing is
    // found, `name` is null.
    struct Attribute {
        const char* name = nullptr;
        std::uint32_t number = 0;
    };
    Attribute attribute(const char* name) const {
        std::size_t slot = attribute_slot(name);
        while (attributes_[slot].name != nullptr && attributes_[slot].name != name)
            slot = (slot + 1) % attributes_.size();
        return attributes_[slot];
    }

  private:
    void load(std::string_view text);
    void find_callbacks();
    void refuse_misspelt_callbacks(std::string_view text);
    void store_attribute_names();
    void make_task_handles(TaskId end);  // makes the handles of all tasks below `end`
    [[noreturn]] static void throw_load_error(const Problem& problem);

    static std::size_t attribute_slot(const char* name) {
        return (reinterpret_cast<std::uintptr_t>(name) >> 4) % kSlots;
    }
    // Slots of the hash table `attributes_`, which has at most 64 fields and the attributes of tasks.
    static constexpr std::size_t kSlots = 256;

    LuaSandbox box_;
    Declarations declared_;
    std::vector<std::string> queue_names_;
    PolicyOptions given_;
    std::array<bool, kCallbacks> has_{};
    bool is_loading_ = true;
    CallContext* context_ = nullptr;
    const char* callback_ = "";  // name of the current callback; arguments_: number of its arguments
    int arguments_ = 0;
    TaskId handles_ = 0;  // number of task handles made
    std::array<Attribute, kSlots> attributes_{};
};

}  // namespace sim::script
