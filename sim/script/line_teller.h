// Tells who looks on (ScriptLines) each line that a script runs, with what it sees there.
#pragma once

#include <string>
#include <vector>

#include "sim/core/script_lines.h"
#include "sim/script/script.h"

namespace sim::script {

class LineTeller final : public LuaBox::LineWatcher {
  public:
    // REQUIRES: `script` outlives this.
    LineTeller(const Script& script, std::string_view text);

    // To nobody, for null.
    void tell(ScriptLines* to) { to_ = to; }
    bool is_on() const { return to_ != nullptr; }

    // Around schedule(), whose calls belong together.
    void begin_schedule() { is_in_schedule_ = true; }
    void end_schedule() { is_in_schedule_ = false; }

    void begin_call(Callback callback) {
        if (to_ != nullptr) [[unlikely]]
            begin_told_call(callback);
    }
    void line(lua_State* L, lua_Debug& at) override;
    // The call is over. `said`: the place of its result on the stack, 0 without one.
    void returned(const Subject& subject, lua_State* L, int said);
    // At this line, or at none of the script.
    void failed(int line);

  private:
    void begin_told_call(Callback callback);
    bool counts(const Subject* subject);
    void add(ScriptLine line);
    void count_work(const Subject& subject);
    void note_variables(lua_State* L, lua_Debug& at, const Subject& subject, ScriptLine& told);
    void note(ScriptLine& told, ScriptLine::Variable variable) const;
    void note_value(lua_State* L, const Subject& subject, const std::string& name, ScriptLine& told) const;
    void mark_new(ScriptLine& told);

    const Script& script_;
    bool shows_counter_;  // which is worth showing where the script speaks of it
    ScriptLines* to_ = nullptr;
    bool is_in_schedule_ = false;
    ScriptLine latest_;  // of the call: what all its lines have, and the last of its outermost function
    int last_line_ = 0;
    int depth_ = 0;                                           // of the line before
    std::vector<std::vector<ScriptLine::Variable>> known_{};  // by depth, since its function was entered
};

}  // namespace sim::script
