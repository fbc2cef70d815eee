// Helpers for posix_spawn() that several files use.
#pragma once

#include <spawn.h>

#include <span>
#include <string>
#include <vector>

namespace sim::os {

// Arguments for execve() or main(), terminated by a null pointer. They point into `command`.
inline std::vector<char*> argv_of(const std::vector<std::string>& command) {
    std::vector<char*> pointers;
    for (const std::string& word : command) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// posix_spawn attributes that restore default handling of the signals ignored by prepare_process_io().
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

}  // namespace sim::os
