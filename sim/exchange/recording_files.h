// The files of one recording: opened, read as events, and what there is to say of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "sim/exchange/reader.h"

namespace sim::exchange {

// "trace.txt: 12 lines that are no event (lines 3, 9, 17, ...)", for each.
std::vector<std::string> sentences(const std::string& file, const Notes& notes);

class RecordingFiles {
  public:
    // Opens them all; "-" is standard input, which may be one of them. `called` is what the file is called in
    // messages when there is one; empty: its path. Throws ScenarioError for a file that cannot be opened, and
    // FileError when it takes a program to read it that is not there.
    explicit RecordingFiles(const std::vector<std::string>& paths, const std::string& called = "");
    ~RecordingFiles();
    RecordingFiles(const RecordingFiles&) = delete;
    RecordingFiles& operator=(const RecordingFiles&) = delete;

    std::size_t count() const { return open_.size(); }
    // What the file is called in messages; "the recording" when there are several.
    std::string name() const;
    // Of those that are a workload of rt-app, in which there is nothing recorded, the first; null if none is.
    const std::string* workload() const;
    // The text of the only file, if it fits into the memory; or else a piece that is longer than any JSON may
    // be. REQUIRES: nothing has been read.
    std::string take_text();

    // As read_recordings() does. REQUIRES: nothing has been read. Throws ScenarioError when nothing in them
    // can be used, or one of them is a workload.
    void read(EventSink& sink);
    // What was noticed, in sentences. REQUIRES: they have been read.
    std::vector<std::string> remarks() const;

  private:
    struct Open;
    std::vector<std::unique_ptr<Open>> open_;
};

// Whether a file is a recording, as far as its beginning tells; false for what is no ordinary file. A
// scenario is none.
bool is_recording(const std::string& path);

}  // namespace sim::exchange
