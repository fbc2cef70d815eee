// Digests of the scenario and the machines of a sweep. They are used to check that a results file belongs
// to the sweep.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/scenario.h"
#include "sim/scenario/scenario_json.h"

namespace sim::lab {

// FNV-1a, 64 bits.
class Digest {
  public:
    void add(std::string_view bytes) {
        for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }
    void add(std::int64_t number) { add(fmt::format("{};", number)); }
    std::string text() const { return fmt::format("{:016x}", value_); }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325ull;
};

// A digest of all machine properties that affect a run.
std::string digest_of(const MachineSpec& machine);

// The text of the scenario without comments and without keys that do not affect a run. So a sweep can be
// continued after such comments and keys have been edited.
std::string scenario_text_for_digest(const ScenarioText& source);

}  // namespace sim::lab
