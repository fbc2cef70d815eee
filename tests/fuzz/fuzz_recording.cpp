// Fuzz target of the trace readers: for any bytes, the emitted events are consistent and the messages are
// printable.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/trace_io/import/reader.h"
#include "sim/trace_io/rt_app/rt_app.h"
#include "tests/support/event_sinks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (const std::string text(reinterpret_cast<const char*>(data), size);
        sim::trace_io::is_rt_app_workload(text)) {
        sim::trace_io::Notes of_workload;
        try {
            sim::trace_io::read_workload("fuzz.json", text, {}, of_workload);
        } catch (const sim::ScenarioError& error) {
            for (const sim::Problem& problem : error.problems())
                if (!sim::is_safe_to_show(problem.text())) std::abort();
        }
        for (const auto& note : of_workload.notes())
            if (!sim::is_safe_to_show(note.what())) std::abort();
        return 0;
    }
    // The input is one file, or several files with this byte between them.
    constexpr char kBetween = '\x1c';
    constexpr std::size_t kMostParts = 5;
    std::vector<std::string> texts(1);
    for (std::size_t i = 0; i < size; ++i)
        if (static_cast<char>(data[i]) == kBetween && texts.size() < kMostParts)
            texts.emplace_back();
        else
            texts.back() += static_cast<char>(data[i]);
    const std::string name = "fuzz.txt";
    std::deque<std::istringstream> streams;
    std::deque<sim::trace_io::PeekedStream> peeked;
    std::vector<sim::trace_io::TraceInputFile> parts;
    sim::trace_io::ContractSink sink;
    sim::trace_io::Notes notes;
    try {
        for (std::string& text : texts)
            parts.push_back({peeked.emplace_back(streams.emplace_back(std::move(text))), name, notes});
        sim::trace_io::read_traces(parts, sink);
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems())
            if (!sim::is_safe_to_show(problem.text()) || !sim::is_safe_to_show(problem.message)) std::abort();
    }
    if (!sink.failure.empty()) std::abort();
    for (const auto& note : notes.notes())
        if (!sim::is_safe_to_show(note.what()) || note.count == 0) std::abort();
    return 0;
}
