// Recordings of real machines, and exports of runs: read as events. What is wrong with a file is counted and
// said, and the file is refused only when nothing in it can be used.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "sim/exchange/peeked_stream.h"
#include "sim/exchange/sched_event.h"

namespace sim::exchange {

// What is noticed, for people: what stands behind "1" ("line that is no event") and behind a larger number
// ("lines that are no event").
struct Remark {
    std::string one, many;
};

// What there is to say of a file besides its events.
class Notes {
  public:
    struct Note {
        Remark remark;
        std::uint64_t count = 0;
        std::vector<std::uint64_t> lines;  // the first few, from 1; empty where a file has no lines

        const std::string& what() const { return count == 1 ? remark.one : remark.many; }
    };

    // Once more, in this line of the file; 0 for none.
    void add(const Remark& what, std::uint64_t line = 0, std::uint64_t count = 1);
    // In the order in which they came up first.
    const std::vector<Note>& notes() const { return notes_; }

  private:
    std::vector<Note> notes_;
};

// Reads one file and tells `sink` its events, in the order of time and at one instant in that of the file;
// which format it is is found out by its first lines. Of a file of a tracer time is told from its first event
// on (0) to its last, and RunInfo has what the file says of itself: at least how many CPUs there are at the
// end is not known when begin() is told (0). An export keeps its times. Threads are told apart by pid, and
// get the newest name that the file has for them. Where a file cannot be so, recording_teller.h says what is
// told. Throws ScenarioError when nothing in it can be used; events may have been told by then, but no end.
// Needs memory for the threads and some thousand events, not for the file.
void read_recording(std::istream& in, const std::string& file, EventSink& sink, Notes& notes);

// A file of several, of which nothing has been read, and what there is to say of it. All of it outlives the
// reading.
struct RecordingPart {
    PeekedStream& in;
    const std::string& file;
    Notes& notes;
};

// The same of several files of one recording, in the order of time: a file for each CPU, or one after the
// other as a tracer has changed them. At one instant that which begins earlier comes first. Where two have
// events of one CPU in turns, that is noted. Refused are files of different kinds, and exports of different
// runs. The events that are kept in memory are as many as of one file.
void read_recordings(const std::vector<RecordingPart>& parts, EventSink& sink);

}  // namespace sim::exchange
