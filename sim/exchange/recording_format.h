// Which of the forms of text a file has that recordings come in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sim::exchange {

enum class RecordingFormat : std::uint8_t { tracer, table, bpftrace, rows };
// For people: "the text of a tracer".
const char* to_string(RecordingFormat format);

// What files of other kinds begin with.
struct Signature {
    std::string_view bytes;
    const char* says;  // for people
    std::vector<std::string>
        words;  // the program that prints it as text, to which its name is added; empty: none
    std::vector<std::string> words_of_run = {};  // the same for what it prints of an export's run
};
// Null when it is none of them.
const Signature* signature_of(std::string_view beginning);

// By its beginning: by the first line that is of one of these forms. `beginning` may end in a line.
RecordingFormat format_of(std::string_view beginning);

// Whether a file is to be read as a recording, and not as a scenario or a workload: as far as its beginning
// tells, which should be some ten thousand bytes.
bool begins_like_a_recording(std::string_view beginning);

// Why a file in which nothing was found is none, for people: by what it begins with. Lines and columns count
// from 1 and are 0 where there is no such place.
struct NoRecording {
    int line = 0, column = 0;
    std::string why;
};
NoRecording why_no_recording(std::string_view beginning);

}  // namespace sim::exchange
