// An unnamed temporary file, for data that does not fit into memory or is passed to another program. It
// disappears when the process ends for any reason.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/os/descriptor.h"

namespace sim {

class TempFile {
  public:
    // Throws FileError if no file can be created.
    TempFile();

    int descriptor() const { return file_.number(); }

    // Writes at the current position. Throws FileError.
    void write(std::string_view bytes);
    // Moves the current position to the start. Throws FileError.
    void rewind();
    // Reads at most `max_bytes` bytes; returns their number, 0 at the end. Throws FileError.
    std::size_t read_some(char* buffer, std::size_t max_bytes);
    // Passes the whole content to `process_chunk` in chunks. Throws FileError, and what `process_chunk`
    // throws.
    void read(const std::function<void(std::string_view bytes)>& process_chunk);
    // Returns the whole content.
    std::string read();

  private:
    os::Descriptor file_;
};

}  // namespace sim
