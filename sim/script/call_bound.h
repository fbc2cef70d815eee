// Decides from the text of a policy script whether every call into the script terminates.
//
// In a script that searches its queue, counting every instruction takes a quarter of the run time
// (docs/how-to/scripts.md). Counting is unnecessary if only loops over tasks, CPUs or tables can make a
// call long, because the library counts the iterations of these loops (LuaSandbox::count_loop_step()). The
// text shows that counting is unnecessary if all of the following is true:
// - The only loops are
//       for p in ready:each() do, for p in level[i]:each() do, for p in tasks() do, for c in cpus() do,
//       for k, v in pairs(t) do and for i, v in ipairs(t) do.
// - There is no goto and no recursion.
// - Each function is defined outside all blocks under a unique name, which is used for calls only. No
//   function is a value, so that the text shows all calls.
// - // and % have a number as divisor: Lua 5.4.4 reports the line of a division by zero only while
//   instructions are counted.
// In all other scripts instructions are counted.
#pragma once

#include <optional>
#include <string_view>

namespace sim::script {

// Estimates how many instructions a call executes at most between two iterations of loops over tasks, CPUs or
// tables. The estimate is the number of tokens of the longest function, where each call adds the tokens of
// the called function. nullopt if the text does not show that calls terminate, or if the estimate is above
// 4,000. REQUIRES: Lua has compiled the text.
std::optional<int> max_instructions_between_iterations(std::string_view text);

}  // namespace sim::script
