#include "sim/base/child_program.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/base/atomic_file.h"
#include "sim/base/temp_file.h"
#include "sim/os/child_process.h"

namespace sim {

std::optional<ChildProgramResult> run_child_program(const std::vector<std::string>& words,
                                                    std::string_view input) {
    TempFile in, out, err;  // temporary files, because three pipes could deadlock
    in.write(input);
    in.rewind();
    os::ChildProcess child;
    const int failed = child.start(words, {in.descriptor(), out.descriptor(), err.descriptor()});
    if (failed == ENOENT || failed == EACCES) return {};
    if (failed != 0) throw FileError(fmt::format("{} cannot be run: {}", words[0], std::strerror(failed)));
    os::ChildExitStatus end;
    if (const int error = child.wait(end); error != 0)
        throw FileError(fmt::format("{}: {}", words[0], std::strerror(error)));
    return ChildProgramResult{end.exit_code, out.read(), err.read()};
}

}  // namespace sim
