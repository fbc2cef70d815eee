#include "sim/os/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "sim/os/descriptor.h"

namespace sim::os {

void prepare_process_io() {
    // /dev/null is opened in the wrong direction, so that reading from standard input fails, and writing to
    // standard output or standard error fails, too.
    for (int stream = kStandardInput; stream <= kStandardError; ++stream)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(::open("/dev/null", stream == kStandardInput ? O_WRONLY : O_RDONLY));
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);  // if SIGCHLD stayed ignored, waiting for a child program would fail
    signal(SIGXFSZ, SIG_IGN);
}

void finish_process_io(bool /*failed*/) noexcept {}

void write_error(std::string_view text) noexcept { static_cast<void>(write_all(kStandardError, text)); }

bool is_terminal(int stream) { return isatty(stream) != 0; }

void exit_immediately(int code) noexcept { _exit(code); }

void block_while_program_ends() noexcept { pause(); }

}  // namespace sim::os
