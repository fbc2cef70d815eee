// Run-time switches of the mutants. Every mutated copy of a source includes this file first and calls is_on()
// at each mutated place. places.py writes the copies, mutants.py builds and runs them.
//
// At most one mutant is on in a process: the number in SWITCHYARD_MUTANT. If SWITCHYARD_MUTANTS_REACHED is
// the path of a file, no mutant is on. The process then appends its CPU time in microseconds and the numbers
// of the mutants that it reached.
#pragma once

namespace mutants {

inline constexpr unsigned kMost = 1 << 16;

// State of each mutant. 0: off, or already reached; 1: record when reached; 2: on.
extern unsigned char state[kMost];

// Slow path of is_on(): the state is not 0.
bool is_on_or_noted(unsigned number);

inline bool is_on(unsigned number) {
    return __builtin_expect(state[number] != 0, false) && is_on_or_noted(number);
}

// is_on() for constexpr functions. The compiler evaluates the original code.
constexpr bool is_on_at_run_time(unsigned number) {
    return !__builtin_is_constant_evaluated() && is_on(number);
}

}  // namespace mutants
