// Records each line that a policy script executes, with the variables visible there, in a ScriptLineTrace.
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
    void set_sink(ScriptLineTrace* to) { to_ = to; }
    bool is_on() const { return to_ != nullptr; }

    // begin_schedule() and end_schedule() enclose a schedule(), whose calls of the script are counted
    // together.
    void begin_schedule() { is_in_schedule_ = true; }
    void end_schedule() { is_in_schedule_ = false; }

    void begin_call(Callback callback) {
        if (to_ != nullptr) [[unlikely]]
            begin_told_call(callback);
    }
    void line(lua_State* L, lua_Debug& at) override;
    // Records the end of a call. `said`: stack index of its result; 0: no result.
    void returned(const CallContext& subject, lua_State* L, int said);
    // Records a failure in this line. 0: it is in no line of the script.
    void failed(int line);

  private:
    void begin_told_call(Callback callback);
    bool counts(const CallContext* subject);
    void add(ScriptLine line);
    void count_work(const CallContext& subject);
    void note_variables(lua_State* L, lua_Debug& at, const CallContext& subject, ScriptLine& told);
    void note(ScriptLine& told, ScriptLine::Variable variable) const;
    void note_value(lua_State* L, const CallContext& subject, const std::string& name,
                    ScriptLine& told) const;
    void mark_new(ScriptLine& told);

    const Script& script_;
    bool shows_counter_;  // the script uses `.counter`
    ScriptLineTrace* to_ = nullptr;
    bool is_in_schedule_ = false;
    // Values that all lines of the call share, and the latest line of its outermost function.
    ScriptLine latest_;
    int last_line_ = 0;
    int depth_ = 0;  // depth of the previous line
    // By call depth: the variables after the latest line of the function at this depth.
    std::vector<std::vector<ScriptLine::Variable>> known_{};
};

}  // namespace sim::script
