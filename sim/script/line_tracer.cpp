#include "sim/script/line_tracer.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/script/library.h"

namespace sim::script {
namespace {

constexpr std::size_t kMaxShownBytes = 40;  // maximum length of a name or a value, in bytes

std::string name_to_show(const char* name) { return shorten(name, kMaxShownBytes); }

std::string text_of_value(lua_State* L, const CallContext& context, const ScriptStateLayout& layout) {
    if (lua_isnil(L, -1)) return "nil";
    if (lua_type(L, -1) == LUA_TSTRING) {
        std::size_t length = 0;
        const char* const text = lua_tolstring(L, -1, &length);
        return fmt::format("\"{}\"",
                           shorten(printable({text, std::min(length, kMaxShownBytes + 1)}), kMaxShownBytes));
    }
    if (const Handle* cpu = handle_at(L, -1, Handle::Kind::cpu)) return fmt::format("cpu{}", cpu->number);
    if (const Handle* queue = handle_at(L, -1, Handle::Kind::queue)) {
        const auto tasks = ScriptState(*context.m, layout).count_tasks(queue->number);
        return fmt::format("a queue of {} task{}", tasks, tasks == 1 ? "" : "s");
    }
    return describe_value(L, -1);
}

}  // namespace

LineTracer::LineTracer(const Script& script, std::string_view text)
    : script_(script), shows_counter_(text.find(".counter") != std::string_view::npos) {}

void LineTracer::begin_traced_call(Callback callback) {
    // The work counts of all script calls within one schedule() are added up. Each call outside of schedule()
    // starts with counts of 0.
    if (!is_in_schedule_ || !latest_.is_in_schedule) latest_ = {};
    latest_.during = to_string(callback);
    latest_.line = last_line_ = 0;
    latest_.is_in_schedule = is_in_schedule_;
    known_.clear();
    depth_ = -1;
}

// Assigns the next number to the current line. Returns whether the line must be recorded.
bool LineTracer::count_line_and_check_limits(const CallContext* context) {
    if (to_ == nullptr || (to_->only_schedule_lines && !is_in_schedule_)) return false;
    latest_.number = to_->all++;
    if (latest_.number == to_->machine_at && to_->machine != nullptr && context != nullptr)
        *to_->machine = *context->m;
    return latest_.number >= to_->first && to_->lines.size() < to_->most &&
           to_->variables < to_->most_variables;
}

void LineTracer::copy_work_counts(const CallContext& context) {
    latest_.considered = context.work.considered;
    latest_.recalculated = context.work.recalculated;
    latest_.queue_steps = context.work.queue_steps;
    latest_.counted_at = context.counted_at;
    if (context.log == nullptr) return;
    latest_.candidates = static_cast<std::uint32_t>(context.log->candidates.size());
    latest_.counter_changes = static_cast<std::uint32_t>(context.log->counter_changes.size());
    latest_.insertions = static_cast<std::uint32_t>(context.log->insertions.size());
}

void LineTracer::on_line(lua_State* L, lua_Debug& activation) {
    const CallContext* const call_context = script_.call_context();
    if (call_context == nullptr || lua_getinfo(L, "l", &activation) == 0) return;
    last_line_ = activation.currentline;
    if (!count_line_and_check_limits(call_context) || lua_getinfo(L, "nS", &activation) == 0) return;
    copy_work_counts(*call_context);
    ScriptLine traced = latest_;
    traced.line = activation.currentline;
    lua_Debug outer{};
    while (traced.depth < ScriptLine::kDeepest && lua_getstack(L, traced.depth + 1, &outer) != 0)
        ++traced.depth;
    traced.function = traced.depth == 0 ? traced.during
                      : activation.name != nullptr
                          ? name_to_show(activation.name)
                          : fmt::format("the function at line {}", activation.linedefined);
    if (traced.depth == 0) latest_.line = traced.line;
    add_variables(L, activation, *call_context, traced);
    mark_changed_variables(traced);
    to_->variables += traced.variables.size();
    to_->lines.push_back(std::move(traced));
}

void LineTracer::on_return(const CallContext& context, lua_State* L, int result_index) {
    if (!count_line_and_check_limits(&context)) return;
    copy_work_counts(context);
    ScriptLine traced = latest_;
    traced.what = ScriptLine::Event::returned;
    if (traced.line == 0) traced.line = last_line_;
    traced.function = traced.during;
    if (result_index != 0) {
        lua_pushvalue(L, result_index);
        add_value_and_fields(L, context, "", traced);
        lua_pop(L, 1);
        traced.variables.resize(1);
    }
    to_->lines.push_back(std::move(traced));
}

void LineTracer::on_failure(int line) {
    if (!count_line_and_check_limits(nullptr)) return;
    ScriptLine traced = latest_;
    traced.what = ScriptLine::Event::failed;
    if (line > 0) traced.line = line;
    if (traced.line == 0) traced.line = last_line_;
    traced.function = traced.during;
    to_->lines.push_back(std::move(traced));
}

void LineTracer::add_variable(ScriptLine& traced, ScriptLine::Variable variable) const {
    // An inner variable hides an outer one with the same name.
    const auto hidden = std::find_if(traced.variables.begin(), traced.variables.end(),
                                     [&](const auto& other) { return other.name == variable.name; });
    if (hidden != traced.variables.end())
        *hidden = std::move(variable);
    else if (traced.variables.size() < ScriptLine::kMostVariables)
        traced.variables.push_back(std::move(variable));
    else
        ++traced.more_variables;
}

// Records the value on the top of the stack. For a task or CPU, also records its fields.
void LineTracer::add_value_and_fields(lua_State* L, const CallContext& context, const std::string& name,
                                      ScriptLine& traced) const {
    const ScriptStateLayout& layout = script_.layout();
    Machine& m = *context.m;
    ScriptState memory(m, layout);
    const TaskId p = Script::task_at(L, -1);
    if (p == kNoTask) {
        add_variable(traced, {.name = name, .value = text_of_value(L, context, layout)});
        if (const Handle* cpu = handle_at(L, -1, Handle::Kind::cpu))
            for (std::uint32_t i = 0; i < layout.of_cpu.size(); ++i)
                add_variable(traced, {.name = name + "." + name_to_show(layout.of_cpu[i].name.c_str()),
                                      .value = fmt::format(
                                          "{}", memory.cpu_field(static_cast<CpuId>(cpu->number), i))});
        return;
    }
    add_variable(traced, {.name = name, .value = {}, .task = p});
    if (!m.is_live(p)) return;
    if (shows_counter_)
        add_variable(traced, {.name = name + ".counter", .value = fmt::format("{}", m.counter[p])});
    for (std::uint32_t i = 0; i < layout.of_task.size(); ++i)
        add_variable(traced, {.name = name + "." + name_to_show(layout.of_task[i].name.c_str()),
                              .value = fmt::format("{}", memory.task_field(p, i))});
}

void LineTracer::add_variables(lua_State* L, lua_Debug& activation, const CallContext& context,
                               ScriptLine& traced) {
    for (int i = 1; const char* name = lua_getlocal(L, &activation, i); ++i) {
        if (name[0] != '(')
            // Lua gives internal variables names that begin with '('.
            add_value_and_fields(L, context, name_to_show(name), traced);
        lua_pop(L, 1);
    }
    ScriptState memory(*context.m, script_.layout());
    const std::vector<Field>& fields = script_.layout().of_machine;
    for (std::uint32_t i = 0; i < fields.size(); ++i)
        add_variable(traced, {.name = "machine." + name_to_show(fields[i].name.c_str()),
                              .value = fmt::format("{}", memory.machine_field(i))});
}

// Marks values that changed since the previous line of the same function call.
void LineTracer::mark_changed_variables(ScriptLine& traced) {
    const auto depth = static_cast<std::size_t>(traced.depth);
    if (known_.size() <= depth) known_.resize(depth + 1);
    std::vector<ScriptLine::Variable>& before = known_[depth];
    if (traced.depth > depth_) {
        // A function call has begun. The previous line belongs to the caller, so its local variables are not
        // compared with those of the called function. Only the values of the machine are compared.
        before.clear();
        if (depth_ >= 0)
            for (const ScriptLine::Variable& variable : known_[static_cast<std::size_t>(depth_)])
                if (variable.name.compare(0, 8, "machine.") == 0) before.push_back(variable);
    }
    depth_ = traced.depth;
    for (ScriptLine::Variable& variable : traced.variables) {
        const auto old = std::find_if(before.begin(), before.end(),
                                      [&](const auto& other) { return other.name == variable.name; });
        variable.is_new = old == before.end() || old->value != variable.value || old->task != variable.task;
    }
    before = traced.variables;
}

}  // namespace sim::script
