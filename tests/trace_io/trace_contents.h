// Reads a trace and returns the events and notes of the reader.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/trace_io/import/reader.h"
#include "tests/support/event_sinks.h"

namespace sim::trace_contents {

// "2 lines that are not events [3 7]" for each note.
inline std::vector<std::string> in_words(const trace_io::Notes& notes) {
    std::vector<std::string> words;
    for (const trace_io::Notes::Note& note : notes.notes())
        words.push_back(fmt::format("{} {} [{}]", note.count, note.what(), fmt::join(note.lines, " ")));
    return words;
}

// Reads a trace and expects that its events follow the contract of EventSink.
struct TraceContents {
    TraceContents(std::istream& in, const std::string& name) { read(in, name); }
    TraceContents(const std::string& text, const std::string& name) {
        std::istringstream in(text);
        read(in, name);
    }

    trace_io::EventTextSink events{};
    trace_io::Notes notes{};

  private:
    void read(std::istream& in, const std::string& name) {
        trace_io::read_trace(in, name, events, notes);
        EXPECT_EQ(events.failure, "") << name;
    }
};

}  // namespace sim::trace_contents
