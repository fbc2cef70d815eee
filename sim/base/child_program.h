// Runs other programs, if installed.
#pragma once

#include <spawn.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct ChildProgram {
    // Exit code; 128 + the signal number if killed by a signal, as in the shell.
    int exit_code = -1;
    std::string out, err;
};

// Arguments for execve() or main(), terminated by a null pointer. They point into `words`.
inline std::vector<char*> argv_of(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// posix_spawn attributes that restore default handling of the signals ignored by run_program()
// (sim/base/main_wrapper.h).
class SpawnAttributes {
  public:
    // `also`: more signals to reset to the default.
    explicit SpawnAttributes(std::span<const int> also = {});
    ~SpawnAttributes();
    SpawnAttributes(const SpawnAttributes&) = delete;
    SpawnAttributes& operator=(const SpawnAttributes&) = delete;

    const posix_spawnattr_t* get() const { return &attributes_; }

  private:
    posix_spawnattr_t attributes_;
};

// Runs a program from PATH with `input` as standard input and waits until it exits. Returns nullopt if the
// program is not installed. Throws FileError if its input or output cannot be stored, or the system cannot
// start it. REQUIRES: words is not empty.
std::optional<ChildProgram> run_child_program(const std::vector<std::string>& words, std::string_view input);

}  // namespace sim
