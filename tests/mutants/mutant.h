// What a mutated copy of a source asks at each of its places: whether the mutant with this number is on.
// Every file of the mutants' build includes it first (places.py writes the copies, mutants.py builds and runs
// them).
//
// At most one mutant is on in a process, the one that SWITCHYARD_MUTANT names. Where
// SWITCHYARD_MUTANTS_REACHED names a file, none is, and the process appends a line with the microseconds that
// it took, and the numbers of those that it has come by.
#pragma once

namespace mutants {

inline constexpr unsigned kMost = 1 << 16;

// Of each mutant: 0 when it is off, 1 when coming by is to be noted, 2 when it is on.
extern unsigned char state[kMost];

// The rest of is_on(), for states other than 0.
bool is_on_or_noted(unsigned number);

inline bool is_on(unsigned number) {
    return __builtin_expect(state[number] != 0, false) && is_on_or_noted(number);
}

// In a constexpr function. What the compiler computes is as it was written.
constexpr bool is_on_at_run_time(unsigned number) {
    return !__builtin_is_constant_evaluated() && is_on(number);
}

}  // namespace mutants
