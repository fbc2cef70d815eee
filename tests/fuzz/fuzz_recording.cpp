// Recordings from anywhere: whatever the bytes, what is told of them can have happened, and what is said
// about them can be shown.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/exchange/reader.h"
#include "tests/support/told_events.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    sim::exchange::ContractSink sink;
    sim::exchange::Notes notes;
    try {
        sim::exchange::read_recording(in, "fuzz.txt", sink, notes);
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            if (!sim::is_shown(problem.text()) || !sim::is_shown(problem.message)) std::abort();
    }
    if (!sink.failure.empty()) std::abort();
    for (const auto& note : notes.notes())
        if (!sim::is_shown(note.what()) || note.count == 0) std::abort();
    return 0;
}
