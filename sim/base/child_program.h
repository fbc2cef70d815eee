// Other programs that ours calls when they are there.
#pragma once

#include <spawn.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct ChildProgram {
    int exit_code = -1;  // 128 and the number of the signal that ended it, as the shell counts
    std::string out, err;
};

// Words as execve() and main() take them, a null pointer at the end. They point into `words`.
inline std::vector<char*> argv_of(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// What a program is started with: the signals that run_program() ignores (sim/base/program.h) are as every
// program expects them.
class StartAttributes {
  public:
    // `also`: further signals that are as the program expects them, whatever we do with them.
    explicit StartAttributes(std::span<const int> also = {});
    ~StartAttributes();
    StartAttributes(const StartAttributes&) = delete;
    StartAttributes& operator=(const StartAttributes&) = delete;

    // For posix_spawn().
    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

// Runs a program that is searched for in PATH, with that standard input, to its end. Returns none when it is
// not there. Throws FileError when there is no room for what it reads and writes, or the system starts no
// more programs. REQUIRES: words is not empty.
std::optional<ChildProgram> run_child_program(const std::vector<std::string>& words, std::string_view input);

}  // namespace sim
