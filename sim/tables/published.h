// Published values that more than one table needs, in us unless noted.
#pragma once

#include <array>

namespace sim::tables {

// Gooch 1998: two real-time tasks that yield to each other, alone and with ten more on the run queue.
struct GoochRow {
    const char *label, *scenario;
    double alone, with_ten;
};
inline constexpr std::array<GoochRow, 2> kGooch{
    {{"processes", "yield-processes", 2.4, 7.8}, {"threads", "yield-threads", 0.6, 6.0}}};

// Times in the 2019 document: two processes pass a token through pipes; one process passes it through a pipe
// alone; 20 threads pass it round a ring; the shortest measured system call.
inline constexpr double kTokenPipe = 3.5, kPipeAlone = 0.508250, kThreadRing = 4.363495, kSyscall2019 = 0.2;

// A column of lmbench's row of context switches (lat_ctx) in the 2019 document.
struct LatCtxColumn {
    int processes, kib;
    double published;
};
inline constexpr std::array<LatCtxColumn, 7> kLatCtx{{{2, 0, 2.78},
                                                      {2, 16, 2.78},
                                                      {2, 64, 2.70},
                                                      {8, 16, 4.38},
                                                      {8, 64, 4.04},
                                                      {16, 16, 4.75},
                                                      {16, 64, 5.48}}};

// Times of a switch that the 1997 document states twice, in us: in its first table, and in its last table for
// two contexts (two processes or two threads).
struct RepeatedMeasurement {
    const char *label, *system;
    double first, last;
};
inline constexpr std::array<RepeatedMeasurement, 4> kGivenTwice{{{"a process", "NT", 10, 10},
                                                                 {"a process", "Linux", 19, 19},
                                                                 {"a thread", "NT", 6, 5},
                                                                 {"a thread", "Linux", 19, 16}}};
// Times on Linux in the first table of the 1997 document, in ms, for cloning a process or spawning a thread,
// running it to its end and waiting for it.
inline constexpr double kClone1997 = 1.0, kThread1997 = 0.3;
// The noise of the published values of 1997, in us. Four values are in two tables of the 1997 document
// (kGivenTwice). They differ by 0, 0, 1 and 3 us. The root mean square of these differences is 1.58; this
// program uses 1.5.
inline constexpr double kNoise1997 = 1.5;

}  // namespace sim::tables
