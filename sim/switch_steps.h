// The context switch of one decision, step by step, as Linux 2.0 makes it on an i386 with one CPU: what is
// saved, what is loaded, what is lost, what stays, and whose `prev` the code behind it sees.
//
// Source: 2.0.40 include/asm-i386/system.h, switch_to(), a hardware task switch by one far jump; the lazy
// floating-point unit is arch/i386/kernel/traps.c, math_state_restore(); where a new task begins is
// arch/i386/kernel/process.c, copy_thread(). A kernel that switches otherwise (in software, or with a lazy
// TLB) gets a function beside this one, with the same result.
//
// Left out: debug registers, the I/O permission map and local descriptor tables, which the same jump takes
// care of and which no task here has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cost_model.h"
#include "sim/decision_view.h"
#include "sim/explain.h"
#include "sim/policy.h"

namespace sim {

struct SwitchStep {
    std::string title;    // two or three words: "Page tables"
    std::string detail;   // one or two sentences
    Nanos cost{};         // what the model charges for it
    bool happens = true;  // false: it is named to say that it is spared
    enum class Kept : std::uint8_t { kept, flushed, none } kept = Kept::none;  // what was there before
};

struct SwitchView {
    bool switched = false;
    bool other_mm = false;  // to another address space; false unless switched
    std::string summary;    // one sentence: who hands over to whom, or why nobody does
    std::vector<SwitchStep> steps;
    std::string whose_prev;  // one sentence: what the variables prev and next are after switch_to()
    Nanos cost{};            // of all steps: context_switch + address_space of the decision
};

const char* to_string(SwitchStep::Kept kept);

// REQUIRES: `view` was made under this policy and at these prices.
SwitchView switch_steps(const DecisionView& view, const Policy& policy, const CostModel& costs,
                        const TaskNamer& name);

}  // namespace sim
