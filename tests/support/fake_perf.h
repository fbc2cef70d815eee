// A shell script in place of `perf`, which may be missing on the test machine.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/command_line.h"

// Writes a fake `perf` into `folder`. `perf record` runs the program without recording it; `perf script`
// prints tests/recordings/`recording`.
inline void write_fake_perf(const std::filesystem::path& folder,
                            const std::string& recording = "interactive-vs-hog.txt") {
    write_file(folder / "perf",
               "#!/bin/sh\n"
               "if [ \"$1\" = script ]; then cat '" SWITCHYARD_SOURCE_DIR "/tests/recordings/" +
                   recording +
                   "'; exit; fi\n"
                   "while [ \"$1\" != -o ]; do shift; done\n"
                   "file=$2\n"
                   "shift 3\n"
                   "printf PERFILE2 >\"$file\"\n"
                   "\"$@\"\n");
    std::filesystem::permissions(folder / "perf", std::filesystem::perms::owner_all);
}
