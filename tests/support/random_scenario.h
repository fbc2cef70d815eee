// Random scenarios: small, mean, and always valid, so that a test can ask of any of them what must hold for
// all.
#pragma once

#include <cstdint>
#include <string>

namespace sim {

// The scenario of this number as JSON text, which the loader accepts. It is the same on every platform. Its
// tasks compute, yield, sleep, wait for and wake each other, fork and exit; many of its times are multiples
// of one unit, often of the tick, so that events often fall on the same instant; and a run of it makes some
// hundreds to some thousands of decisions.
std::string random_scenario_json(std::uint64_t seed);

}  // namespace sim
