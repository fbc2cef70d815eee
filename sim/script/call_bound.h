// Whether each call of a script ends, read from its text.
//
// To have each instruction counted takes a quarter of the time of a script (docs/benchmarks.md). It is not
// needed where the text shows that a function ends unless a loop over tasks, CPUs or a table goes on, whose
// steps are made by library.cpp, which counts them (LuaBox::step()). That is so if in functions there is no
// loop but
//     for p in ready:each() do, for p in level[i]:each() do, for p in tasks() do, for c in cpus() do,
//     for k, v in pairs(t) do and for i, v in ipairs(t) do,
// no goto, and no function that comes to call itself: each stands outside of all blocks under a name of its
// own, that name is used for nothing but calls, and no function is a value, so that who calls whom can be
// read off. Scripts of any other form are as good, and counted. So are those that divide, by // or %, by
// anything but a number: only where instructions are counted does Lua 5.4.4 know in which line it was that
// divided by zero.
#pragma once

#include <optional>
#include <string_view>

namespace sim::script {

// The tokens of the longest function, those of the functions that it calls included at each call: roughly as
// many instructions does the script carry out at most from one such step to the next, or to the end of the
// call. None if the text does not show that there is an end, or if they are more than 4,000. REQUIRES: Lua
// has compiled the text.
std::optional<int> most_between_steps(std::string_view text);

}  // namespace sim::script
