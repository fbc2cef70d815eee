// A file without a name: what does not fit into memory, or is handed to another program. It is gone with the
// process, however that ends.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sim {

class NamelessFile {
  public:
    // Throws FileError when none can be made.
    NamelessFile();

    int descriptor() const { return fileno(file_.get()); }

    // Where the last writing or reading ended. Throws FileError.
    void write(std::string_view bytes);
    // What is done next is done from the beginning on. Throws FileError.
    void rewind();
    // The next bytes, at most so many: how many; 0 at the end. Throws FileError.
    std::size_t read_some(char* buffer, std::size_t most);
    // All of it, from the beginning on, piece by piece. Throws FileError, and what `take` throws.
    void read(const std::function<void(std::string_view bytes)>& take);
    // The same in one piece.
    std::string read();

  private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace sim
