// A file with a recording, as its text: what is compressed or binary is read through the program that knows
// it.
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace sim::exchange {

class RecordingFile {
  public:
    // A file, or standard input for "-", which has to be text. Throws ScenarioError when it cannot be opened,
    // and FileError when it takes a program to read it that is not there.
    explicit RecordingFile(const std::string& path);
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    std::istream& text();
    // What the program says of the file when it could not read all of it, in one line; empty otherwise.
    // REQUIRES: all of the text was read.
    std::string finish();

  private:
    struct Reader;
    std::unique_ptr<Reader> reader_;
};

}  // namespace sim::exchange
