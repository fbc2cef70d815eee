// Reads traces of real machines and exports of runs as events. Defects of a file are counted and reported;
// a file is refused only if nothing in it can be used.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "sim/trace_io/import/peeked_stream.h"
#include "sim/trace_io/sched_event.h"

namespace sim::trace_io {

// The text of an observation, without its count. `one`: singular, such as "line that is not an event".
// `many`: plural, such as "lines that are not events".
struct NoteWording {
    std::string one, many;
};

class Notes {
  public:
    struct Note {
        NoteWording wording;
        std::uint64_t count = 0;
        std::vector<std::uint64_t> lines;  // the first few line numbers, from 1; empty if there are none

        const std::string& what() const { return count == 1 ? wording.one : wording.many; }
    };

    // Adds `count` occurrences of `wording`. `line`: line number in the file; 0: none.
    void add(const NoteWording& wording, std::uint64_t line = 0, std::uint64_t count = 1);
    // The notes, in the order of their first occurrence.
    const std::vector<Note>& notes() const { return notes_; }

  private:
    std::vector<Note> notes_;
};

// Reads a file and passes its events to `sink` in order of time, and at equal times in the order of the file.
// The format is detected from the first lines.
//
// Times of a trace are relative to its first event; an export keeps its times. RunInfo has the facts that the
// file states; for a trace, the number of CPUs is 0 (unknown). Threads are identified by pid and have their
// newest name. Inconsistent events are corrected (trace_normalizer.h).
//
// Throws ScenarioError if nothing in the file can be used; `sink` may then have received events, but end()
// has not been called. Memory is needed for the threads and at most ReorderBuffer::kMost events.
void read_trace(std::istream& in, const std::string& file, EventSink& sink, Notes& notes);

// One of several files of a trace, and the notes on it. Nothing has been read from the file yet. All
// members must outlive the call of read_traces().
struct TraceInputFile {
    PeekedStream& in;
    const std::string& file;
    Notes& notes;
};

// Like read_trace(), for several files of one trace, for example a file for each CPU, or successive files of
// a tracer. Merges their events by time; at equal times, events of the file that begins earlier come first.
// Adds a note if two files have alternating events of one CPU. Throws ScenarioError if the formats differ, or
// if the files are exports of different runs. All files share the limit of events in memory.
void read_traces(const std::vector<TraceInputFile>& parts, EventSink& sink);

}  // namespace sim::trace_io
