// The files of one trace: opens and reads them, and collects remarks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

// One sentence per note: "trace.txt: 12 lines that are not events (lines 3, 9, 17, ...)".
std::vector<std::string> note_sentences(const std::string& file, const Notes& notes);

class TraceFiles {
  public:
    // A path "-" is standard input. `name_in_messages`: the name that messages use instead of the path, for a
    // single file; empty: the path is used. With several files, all of them would get this name. Throws
    // ScenarioError and FileError like TraceFile.
    explicit TraceFiles(const std::vector<std::string>& paths, const std::string& name_in_messages = "");
    ~TraceFiles();
    TraceFiles(const TraceFiles&) = delete;
    TraceFiles& operator=(const TraceFiles&) = delete;

    std::size_t count() const { return open_.size(); }
    // Name of the file in messages; "the trace" if there are several.
    std::string name() const;
    // Name of the first file that is an rt-app workload, and thus not a trace; nullptr: none.
    const std::string* rt_app_file_name() const;
    // The text of the only file, cut after kMaxJsonBytes + 1 bytes; a text of this length is too long to be
    // read as JSON. REQUIRES: nothing has been read.
    std::string take_text_of_only_file();

    // Like read_traces(), for all files; emits their events to `sink`. Throws ScenarioError if nothing in the
    // files can be used, if they are not parts of one trace, or if a file is an rt-app workload. REQUIRES:
    // nothing has been read.
    void read(EventSink& sink);
    // Observations about the files, as sentences. REQUIRES: read() has been called.
    std::vector<std::string> remarks() const;

  private:
    struct OpenFile;
    std::vector<std::unique_ptr<OpenFile>> open_;
};

}  // namespace sim::trace_io
