// Records each line that a policy script executes, with the variables visible in this line, in a
// ScriptLineTrace.
#pragma once

#include <string>
#include <vector>

#include "sim/core/script_line_trace.h"
#include "sim/script/script.h"

namespace sim::script {

class LineTracer final : public LuaSandbox::LineWatcher {
  public:
    // REQUIRES: `script` outlives the tracer.
    LineTracer(const Script& script, std::string_view text);

    // Installs the sink of the trace; null stops tracing.
    void set_sink(ScriptLineTrace* sink) { to_ = sink; }
    bool is_tracing() const { return to_ != nullptr; }

    // Exists during a schedule(). The work of all script calls during this time is added up.
    class ScheduleScope {
      public:
        explicit ScheduleScope(LineTracer& tracer) : tracer_(tracer) { tracer_.is_in_schedule_ = true; }
        ~ScheduleScope() { tracer_.is_in_schedule_ = false; }
        ScheduleScope(const ScheduleScope&) = delete;
        ScheduleScope& operator=(const ScheduleScope&) = delete;

      private:
        LineTracer& tracer_;
    };

    void begin_call(Callback callback) {
        if (to_ != nullptr) [[unlikely]]
            begin_traced_call(callback);
    }
    void on_line(lua_State* L, lua_Debug& activation) override;
    // Records that a script function returned. `result_index`: stack index of its result; 0: no result.
    void on_return(const CallContext& context, lua_State* L, int result_index);
    // Records a failure in this line of the script. Line 0: the failure is not in a line of the script.
    void on_failure(int line);

  private:
    void begin_traced_call(Callback callback);
    bool count_line_and_check_limits(const CallContext* context);
    void copy_work_counts(const CallContext& context);
    void add_variables(lua_State* L, lua_Debug& activation, const CallContext& context, ScriptLine& traced);
    void add_variable(ScriptLine& traced, ScriptLine::Variable variable) const;
    void add_value_and_fields(lua_State* L, const CallContext& context, const std::string& name,
                              ScriptLine& traced) const;
    void mark_changed_variables(ScriptLine& traced);

    const Script& script_;
    bool shows_counter_;  // the script's text contains `.counter`; the counters of tasks are then recorded
    ScriptLineTrace* to_ = nullptr;
    bool is_in_schedule_ = false;
    // Each traced line starts as a copy of latest_, which has the values that all lines of a call share.
    // latest_.line is the latest line of the function that the simulator called, not of functions called by
    // it.
    ScriptLine latest_;
    int last_line_ = 0;
    int depth_ = 0;  // call depth of the previous line; -1: a call has begun and has no line yet
    // The variables recorded at the latest line of the function at each call depth; the index is the depth.
    std::vector<std::vector<ScriptLine::Variable>> known_{};
};

}  // namespace sim::script
