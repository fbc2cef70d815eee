// Runs the shortest possible measurements. Checks that values exist, but not whether they are plausible.
// Also checks that no child process remains and that the CPU affinity is restored.
#ifdef __linux__
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "sim/calibrate/benchmarks.h"
#include "sim/os/linux/measure.h"

namespace calibrate_measure_test {

using namespace sim::calibrate;

MeasureOptions shortest() {
    return {.time = std::chrono::nanoseconds(1), .batch = std::chrono::microseconds(1), .least = 1};
}

TEST(CalibrateMeasure, EveryCellHasPositiveValue) {
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    const CalibrationSamples samples = measure_this_machine(shortest());
    ASSERT_EQ(samples.benchmarks.size(), benchmarks().size());
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        ASSERT_EQ(samples.benchmarks[i].ns.size(), 1u) << benchmarks()[i].name;
        EXPECT_GT(samples.benchmarks[i].ns[0], 0) << benchmarks()[i].name;
        EXPECT_GE(samples.benchmarks[i].others[0], 0) << benchmarks()[i].name;
    }
    EXPECT_FALSE(samples.facts.kernel.empty());
    EXPECT_FALSE(samples.facts.processor.empty());

    sched_getaffinity(0, sizeof after, &after);
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

TEST(CalibrateMeasure, RejectsUnavailableCpu) {
    MeasureOptions options = shortest();
    options.cpu = 8191;
    EXPECT_THROW(measure_this_machine(options), MeasurementError);
}

TEST(CalibrateMeasure, ExceptionLeavesNoChildProcess) {
    MeasureOptions options = shortest();
    options.progress = [](double) { throw MeasurementError("enough"); };
    EXPECT_THROW(measure_this_machine(options), MeasurementError);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

// Kills the measuring process while its workers exist. The orphans are reparented to this process, whose
// waitpid() would block forever if an orphan survived.
TEST(CalibrateMeasure, WorkersDieWithMeasuringProcess) {
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        MeasureOptions options = shortest();
        options.progress = [&](double) {
            const char byte = 0;
            if (write(ready[1], &byte, 1) == 1) pause();
        };
        measure_this_machine(options);
        _exit(0);
    }
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    int died = 0;
    // Counts every child: those that the signal killed, and those that exited because the other end of
    // their pipe had been closed before.
    while (waitpid(-1, nullptr, 0) > 0) ++died;
    EXPECT_EQ(errno, ECHILD);
    EXPECT_GE(died, 1 + kMostContexts + 1);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    close(ready[0]);
    close(ready[1]);
}

}  // namespace calibrate_measure_test
#endif
