#include "sim/script/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/suggest.h"
#include "sim/script/bytecode.h"
#include "sim/script/call_bound.h"
#include "sim/script/freeze.h"
#include "sim/script/library.h"
#include "sim/script/queue_names.h"
#include "sim/script/source.h"
#include "sim/script/tokens.h"

namespace sim::script {
namespace {

std::string text_of(const Problem& problem) {
    std::string text = problem.line > 0 ? fmt::format("{}: {}", problem.line, problem.what) : problem.what;
    for (std::size_t i = 1; i < problem.stack.size(); ++i)
        text += fmt::format("; called by {}", problem.stack[i]);
    return text;
}

// The offsets of each name and keyword in a text, except in comments and strings.
std::map<std::string_view, std::vector<std::size_t>> word_offsets(std::string_view text) {
    std::map<std::string_view, std::vector<std::size_t>> places;
    for (const Token& token : tokens_of(text))
        if (token.kind == Token::Kind::name)
            places[token.words].push_back(static_cast<std::size_t>(token.words.data() - text.data()));
    return places;
}

}  // namespace

const char* to_string(Callback callback) {
    constexpr const char* kCallbackNames[] = {"start", "adopt",     "enqueue",  "preempts", "reschedule",
                                              "tick",  "slice_end", "yield",    "fork",     "exit",
                                              "reap",  "renice",    "pick_next"};
    static_assert(std::size(kCallbackNames) == kCallbacks);
    return kCallbackNames[static_cast<std::size_t>(callback)];
}

LoadError::LoadError(const Problem& problem)
    : std::runtime_error(text_of(problem)), has_line_(problem.line > 0) {}

void Script::throw_load_error(const Problem& problem) { throw LoadError(problem); }

Script::Script(std::string_view text, const PolicyOptions& given) : box_(this), given_(given) { load(text); }

void Script::load(std::string_view text) {
    lua_State* L = state();
    lua_newtable(L);
    const int globals = lua_gettop(L);
    add_library(L);
    lua_pushvalue(L, globals);
    add_declaration_functions(L);
    lua_pop(L, 1);

    std::string prepared;
    if (const auto problem = translate_to_plain_lua(text, prepared)) throw_load_error(*problem);
    if (const auto problem = box_.compile(prepared)) throw_load_error(*problem);
    if (const auto line = line_miscompiled_by_lua(L))
        throw_load_error(
            {*line,
             "Lua 5.4.4 may miscompile &, | and ~ in a function with more than 255 constants: split the "
             "function",
             {}});
    const bool globals_are_only_read = only_reads_globals(L);
    lua_pushvalue(L, globals);
    lua_setupvalue(L, -2, 1);  // _ENV
    if (const auto problem = box_.call("", 0, 0)) throw_load_error(*problem);
    if (declared_.layout.queues == 0) {  // a script that declares no queue gets the queue `ready`
        push_handle(L, {Handle::Kind::queue, declared_.layout.queues++}, kQueueMeta);
        lua_setfield(L, globals, "ready");
    }
    is_loading_ = false;
    find_callbacks();
    refuse_misspelt_callbacks(text);
    if (declared_.layout.queues > 1) queue_names_ = script::queue_names(L, declared_.layout.queues);
    if (const auto problem = freeze_globals(box_, globals_are_only_read)) throw_load_error(*problem);
    store_attribute_names();
    if (const auto most = max_instructions_between_iterations(text))
        box_.count_instructions_by_estimate(*most);
    lua_settop(L, globals - 1);
}

// REQUIRES: the table of globals is on the top of the stack.
void Script::find_callbacks() {
    lua_State* L = state();
    for (std::size_t i = 0; i < kCallbacks; ++i) {
        const char* const name = to_string(static_cast<Callback>(i));
        lua_pushstring(L, name);
        const int type = lua_rawget(L, -2);
        if (type != LUA_TNIL && type != LUA_TFUNCTION)
            throw_load_error(
                {0, fmt::format("'{}' must be a function, got {}", name, describe_value(L, -1)), {}});
        has_[i] = type == LUA_TFUNCTION;
        lua_rawseti(L, LUA_REGISTRYINDEX, kFirstCallback + static_cast<lua_Integer>(i));
    }
}

// Rejects the script if the name of one of its functions is a misspelt name of a callback, because this
// function is never called. REQUIRES: the table of globals is on the top of the stack and not yet frozen.
void Script::refuse_misspelt_callbacks(std::string_view text) {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < kCallbacks; ++i)
        if (!has_[i]) missing.emplace_back(to_string(static_cast<Callback>(i)));
    lua_State* L = state();
    std::vector<std::string> own;
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
        if (lua_isfunction(L, -1) && !lua_iscfunction(L, -1) && lua_type(L, -2) == LUA_TSTRING)
            own.emplace_back(lua_tostring(L, -2));
        lua_pop(L, 1);
    }
    std::sort(own.begin(), own.end());
    const auto places = word_offsets(text);
    for (const std::string& name : own) {
        const auto its = places.find(name);
        if (its == places.end() || its->second.size() != 1) continue;
        const std::string meant = did_you_mean(name, missing);
        if (meant.empty()) continue;
        const auto line =
            1 +
            std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(its->second.front()), '\n');
        throw_load_error({static_cast<int>(line), fmt::format("'{}' is never called{}", name, meant), {}});
    }
}

void Script::begin_call(Callback callback, CallContext& context) {
    context_ = &context;
    callback_ = to_string(callback);
    arguments_ = 0;
    const TaskId rows = context.m->globals().high_row;
    if (handles_ < rows) [[unlikely]]
        make_task_handles(rows);
    lua_rawgeti(state(), LUA_REGISTRYINDEX, kFirstCallback + static_cast<lua_Integer>(callback));
}

void Script::push_task(TaskId p) {
    ++arguments_;
    if (p == kNoTask)
        lua_pushnil(state());
    else
        lua_rawgeti(state(), LUA_REGISTRYINDEX, kFirstTask + lua_Integer{p});
}

void Script::push_cpu(CpuId c) {
    ++arguments_;
    lua_rawgeti(state(), LUA_REGISTRYINDEX, kFirstCpu + lua_Integer{c});
}

void Script::push(std::int64_t number) {
    ++arguments_;
    lua_pushinteger(state(), number);
}

void Script::push(const char* word) {
    ++arguments_;
    lua_pushstring(state(), word);
}

std::optional<Problem> Script::call(int results) { return box_.call(callback_, arguments_, results); }

void Script::end_call() {
    lua_settop(state(), 1);
    context_ = nullptr;
}

TaskId Script::task_at(lua_State* L, int index) {
    const Handle* handle = handle_at(L, index, Handle::Kind::task);
    return handle != nullptr ? handle->number : kNoTask;
}

CpuId Script::cpu_at(lua_State* L, int index) {
    const Handle* handle = handle_at(L, index, Handle::Kind::cpu);
    return handle != nullptr ? handle->number : kNoCpu;
}

bool Script::is_idle_word(lua_State* L, int index) {
    return lua_type(L, index) == LUA_TSTRING && std::string_view(lua_tostring(L, index)) == "idle";
}

}  // namespace sim::script
