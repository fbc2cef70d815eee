// Collects the features of a workload that a scenario cannot express.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/json_tree.h"
#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

class OmittedFeatures {
  public:
    // Counts one more value to which the note applies. `wording` identifies the feature and outlives this.
    void add(const NoteWording& wording, const JsonValue& value);
    // Adds one note per feature, with JSON pointers to its first few values. Notes are in the order in
    // which the features first occurred.
    void add_notes(Notes& notes) const;

  private:
    struct OmittedFeature {
        const NoteWording* wording;
        std::uint64_t count;
        std::vector<std::string> first;
    };
    std::vector<OmittedFeature> list_;
};

}  // namespace sim::trace_io
