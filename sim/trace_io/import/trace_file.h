// A trace file as text. Compressed and binary files are read through a program that decodes them.
#pragma once

#include <istream>
#include <memory>
#include <string>

namespace sim::trace_io {

class TraceFile {
  public:
    // Opens a file, or standard input for "-". Standard input must be text. Throws ScenarioError if the
    // file cannot be opened, and FileError if the decoding program is not installed.
    explicit TraceFile(const std::string& path);
    ~TraceFile();
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    // True if another program decodes the file.
    bool needs_decoder() const;
    std::istream& text();
    // The decoding program's error message, in one line, if that program could not read the whole file;
    // otherwise empty. REQUIRES: the whole text has been read.
    std::string decoder_error();

  private:
    struct Reader;
    std::unique_ptr<Reader> reader_;
};

}  // namespace sim::trace_io
