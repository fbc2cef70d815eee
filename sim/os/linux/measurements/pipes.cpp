// lmbench's lat_ctx: a byte travels round a ring of pipes, and each member sums its array when it has the
// byte. A single context does the same without wake-ups; the difference in time is the cost of a switch.
#include <unistd.h>

#include <cerrno>

#include "sim/os/linux/measurements/batch_context.h"

namespace sim::calibrate {
namespace {

bool write_byte(int pipe) {
    const char byte = 0;
    ssize_t done;
    do done = write(pipe, &byte, 1);
    while (done < 0 && errno == EINTR);
    return done == 1;
}

bool read_byte(int pipe) {
    char byte;
    ssize_t done;
    do done = read(pipe, &byte, 1);
    while (done < 0 && errno == EINTR);
    return done == 1;
}

}  // namespace

std::uint64_t write_and_read_own_pipe(const BatchContext& context) {
    const std::uint64_t quota = context.quota();
    const Pipe& pipe = context.pipes[0];
    std::uint64_t sum = 0;
    context.start_clock();
    for (std::uint64_t i = 0; i < quota; ++i) {
        const bool wrote = write_byte(pipe.write);
        sum += sum_array(context.array, context.benchmark.kib);
        if (!wrote || !read_byte(pipe.read)) {
            context.record_error(errno);
            break;
        }
    }
    context.stop_clock();
    context.array[0] = sum & 1;
    return quota;
}

// In the first round, before the clock starts, every member reaches the read of its pipe.
std::uint64_t pass_byte_round_ring(const BatchContext& context) {
    const std::uint64_t rounds = context.quota() + 1;
    const int in = context.pipes[context.member].read;
    const int out = context.pipes[(context.member + 1) % context.member_count()].write;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        if (context.is_first()) {
            if (i == 1) context.start_clock();
            sum += sum_array(context.array, context.benchmark.kib);
            if (!write_byte(out) || !read_byte(in)) context.record_error(errno);
        } else {
            if (!read_byte(in)) context.record_error(errno);
            sum += sum_array(context.array, context.benchmark.kib);
            if (!write_byte(out)) context.record_error(errno);
        }
    }
    if (context.is_first()) context.stop_clock();
    context.array[0] = sum & 1;
    return rounds - 1;
}

}  // namespace sim::calibrate
