// What does not change while a simulation runs: the machine's figures, the tasks, their programs, the seed.
//
// A program is a flat list of steps, 16 bytes each, so that where a task stands is one index that can be
// copied, hashed and rewound. JSON becomes a Scenario in sim/scenario/, and nowhere else.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/place.h"
#include "sim/base/rng.h"
#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/machine.h"

namespace sim {

// A time that is given, or drawn anew each time that it is needed.
struct Duration {
    enum class Kind : std::uint8_t { fixed, exponential, uniform };
    Kind kind = Kind::fixed;
    Nanos a{};  // the time itself; the mean; the least
    Nanos b{};  // uniform: the greatest

    // REQUIRES: a drawn time has a > 0 (exponential) or a <= b (uniform). Draws are at least 1 ns.
    Nanos draw(std::uint64_t& stream) const {
        if (kind == Kind::fixed) return a;
        if (kind == Kind::exponential) return random_exponential(stream, a);
        const auto choices = static_cast<std::uint64_t>((b - a).count()) + 1;
        return std::max(a + Nanos{static_cast<std::int64_t>(random_below(stream, choices))}, Nanos{1});
    }
};

// One step of a program.
struct Step {
    std::uint8_t action = 0;  // an index into actions() (action.h)
    std::uint8_t depth = 0;   // loops: how deeply nested
    std::uint16_t unused = 0;
    std::uint32_t target = 0;  // a Duration, a channel, a group; loops: the step to go to
    StepId next = 0;           // the step that follows this one
    std::uint32_t count = 0;   // loops: how many times; kForever for no end. Pipes: bytes
};
static_assert(sizeof(Step) == 16);

inline constexpr std::uint32_t kForever = 0xffff'ffff;

// The tasks of one entry in the scenario file.
struct TaskGroup {
    std::string name;
    std::uint32_t count = 1;  // how many there are at the start; 0 for one that is only forked
    Nanos start{};            // when they become runnable for the first time
    StepId program = 0;       // the first step

    std::int32_t priority = 20;  // 2.0: DEF_PRIORITY, 20 ticks at HZ=100
    SchedClass sched_class = SchedClass::other;
    std::int32_t rt_priority = 0;
    bool has_priority = false;  // stated in the file, so that a fork does not inherit it
    bool has_nice = false;      // and stated as "nice"
    bool has_class = false;

    enum class Mm : std::uint8_t { own, shared, kernel };
    Mm mm = Mm::own;
    MmId shared_mm = kKernelMm;  // meaningful for shared

    std::uint64_t affinity = ~std::uint64_t{0};  // the CPUs that may run them, a bit for each
    std::uint32_t working_set = 0;               // bytes that they use whenever they run

    Nanos period{};  // of the `timer` in the program; 0: there is none
    // What becomes of a job that is not over at its deadline, and of releases that have passed when the task
    // comes to its timer: it goes on, and they follow; it goes on, and they are left out; it computes no
    // more.
    enum class Late : std::uint8_t { goes_on, leaves_out, gives_up };
    Late late = Late::goes_on;
    Nanos deadline{};  // from each release on; 0: none. Without a timer, the whole life is one job
    std::int32_t tickets = 100;
    Nanos length{};  // CPU time of the program, or of each period; 0: not fixed, not known, or without end
};

// What tasks block on, besides their own timers.
struct ChannelSpec {
    enum class Kind : std::uint8_t {
        channel,       // `wait` and `wake`
        parking,       // `park` and `unpark`: of the one task of an entry
        lock,          // `lock` and `unlock`
        pipe_readers,  // `pipe_read`: who waits for data. The writers' channel follows
        pipe_writers,  // `pipe_write`: who waits for room
        device,        // `io`
    };
    Kind kind = Kind::channel;
    std::string name;
    std::uint32_t capacity = 0;  // pipe_writers: bytes; device: how many it serves at once
    std::uint32_t service = 0;   // device: an index into Scenario::durations
};

const char* to_string(ChannelSpec::Kind kind);

// What a number of the scenario file rests on.
struct StatedNumber {
    std::string pointer;  // to it, or to what it is part of; "4-11" in it stands for the elements 4 to 11
    std::string basis;    // "cited", "derived", "measured", "fitted", "tuned", "assumed", or "chosen" for an
                          // example's sake
    std::string reason;   // from where, to what, or why
};

// A claim about the result of a run, which a scenario makes and the tests check.
struct Expectation {
    std::string pointer;  // into the JSON summary
    std::string per;      // divides by this member of the summary; empty for no division
    double least = 0, most = 0;
    std::string policy;  // under this policy; empty for the scenario's own
};

// A stop of the guided tour through a run: where to stand, what to look at, and what there is to say.
struct TourStop {
    // How deep one looks: at time passing, at one switch, or at the lines of one schedule().
    enum class Depth : std::uint8_t { time, context_switch, inside };

    Place at;
    std::string title, caption;
    std::string policy;   // the run is made under this one; empty for the scenario's own
    std::string compare;  // and beside it under this one; empty for nothing beside it
    std::string pane;     // to have open, one of kTourPanes; empty for whichever is
    std::string subject;  // what the caption speaks of, one of kTourSubjects; empty for what fits the depth
    Depth depth = Depth::time;
    Nanos span{};  // of time to show around the place; 0 for a few switches
};
inline constexpr const char* kTourPanes[] = {"switch", "tasks", "costs",      "system", "invariants",
                                             "caches", "waits", "laboratory", "jobs",   "script"};
// A pane, or a part of one: what a presenter's view shows large and outlines.
inline constexpr const char* kTourSubjects[] = {
    "timeline", "timeline.cpus", "timeline.tasks",   "timeline.queue",
    "decision", "decision.code", "decision.tasks",   "decision.costs",
    "queue",    "switch",        "switch.registers", "switch.memory",
    "tasks",    "costs",         "system",           "invariants",
    "caches",   "waits",         "laboratory",       "jobs",
    "script"};

struct MachineModel {
    // What an idle CPU waits in: until the next interrupt, or until somebody writes to its need_resched, too.
    enum class Idle : std::uint8_t { hlt, mwait };

    std::string name;
    std::string title;
    std::string system;      // of kSystems (policy.h): whose prices these are; empty: not said
    std::uint32_t hz = 100;  // timer interrupts a second
    bool dynticks = false;   // an idle CPU takes none (CONFIG_NO_HZ, Linux 2.6.21)
    // Hardware threads of a core and cores of a socket, for kernels that look (docs/run_queues.md).
    std::uint32_t siblings = 1, cores = kMaxCpus;
    Idle idle = Idle::hlt;
    bool hrtimers = false;  // a sleep ends when it should, by an interrupt of its own, and not at a tick
    std::optional<bool> lazy_tlb;  // kernel threads borrow the address space they find; none: as the policy's
                                   // kernel does
    CostModel costs;

    bool operator==(const MachineModel&) const = default;
};

struct Scenario {
    std::string name;  // the file's name without folder and ending
    std::string title, question, watch;
    std::string policy = "linux-2.0";
    std::uint64_t seed = 1;
    std::optional<Nanos> until;  // none: until all tasks have exited
    std::uint32_t cpus = 1;
    MachineModel machine;
    std::vector<TaskGroup> groups;
    std::vector<Step> steps;
    std::vector<Duration> durations;
    std::vector<ChannelSpec> channels;  // by ChannelId
    std::vector<StatedNumber> numbers;  // ordered by pointer
    std::vector<Expectation> expectations;
    std::vector<TourStop> tour;
    MachineShape shape;
    MmId shared_mms = 0;  // ids 1..shared_mms are those that groups share by name

    // "httpd" for the only one of its group, otherwise "httpd.17".
    std::string task_name(std::uint32_t group, std::uint32_t ordinal) const;
    std::string task_name(const Machine& m, TaskId p) const;

    // "httpd.17's address space"; of several tasks "the address space of jvm"; "the kernel's page tables".
    // `owner` is the name of a task that has it, empty if none is known.
    std::string mm_name(MmId mm, const std::string& owner) const;
    std::string mm_name(const Machine& m, MmId mm) const;

    // When timer interrupt n (from 1) comes. HZ need not divide a second: no error adds up.
    Nanos tick_time(std::uint64_t n) const {
        assert(machine.hz <= 10'000);  // so that the product stays below 2^62 up to kHorizon
        return Nanos{static_cast<std::int64_t>(n * 1'000'000'000 / machine.hz)};
    }
};

}  // namespace sim
