#include "tests/mutation/mutant.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mutants {

unsigned char state[kMost];

namespace {

// This function runs before the static initializers of other files, which may already call is_on().
[[gnu::constructor(101)]] void begin() {
    if (std::getenv("SWITCHYARD_MUTANTS_REACHED") != nullptr) std::memset(state, 1, sizeof state);
    if (const char* number = std::getenv("SWITCHYARD_MUTANT")) state[std::atoi(number) % kMost] = 2;
}

// This function does not allocate memory, because the process may have run out of it.
[[gnu::destructor(101)]] void end() {
    const char* path = std::getenv("SWITCHYARD_MUTANTS_REACHED");
    if (path == nullptr) return;
    const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0) return;
    static char text[kMost * 7];
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto microseconds = [](const timeval& t) { return t.tv_sec * 1'000'000 + t.tv_usec; };
    std::size_t size = 0;
    const auto add = [&size](const char* before, long number) {
        size += static_cast<std::size_t>(
            std::snprintf(text + size, sizeof text - size, "%s%ld\n", before, number));
    };
    add("used ", microseconds(used.ru_utime) + microseconds(used.ru_stime));
    for (unsigned i = 0; i < kMost; ++i)
        if (state[i] == 0) add("", static_cast<long>(i));
    [[maybe_unused]] const auto written = ::write(file, text, size);
    ::close(file);
}

}  // namespace

bool is_on_or_noted(unsigned number) {
    if (state[number] == 2) return true;
    state[number] = 0;
    return false;
}

}  // namespace mutants
