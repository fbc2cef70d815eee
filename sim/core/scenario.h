// The constant input of a simulation: machine model, tasks, programs and seed.
//
// A program is a flat list of 16-byte steps, so that the position of a task is one index. Only sim/scenario/
// converts JSON to a Scenario.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/rng.h"
#include "sim/base/seek_target.h"
#include "sim/base/types.h"
#include "sim/core/cost_model.h"
#include "sim/core/machine.h"
#include "sim/core/tick_phases.h"

namespace sim {

// A fixed time, or a distribution from which times are drawn.
struct TimeDistribution {
    enum class Kind : std::uint8_t { fixed, exponential, uniform };
    Kind kind = Kind::fixed;
    Nanos a{};  // the fixed time, the mean, or the minimum
    Nanos b{};  // uniform: the maximum

    // Returns the fixed time or draws a time of at least 1 ns. REQUIRES: a > 0 if exponential, a <= b if
    // uniform.
    Nanos draw(std::uint64_t& stream) const {
        if (kind == Kind::fixed) return a;
        if (kind == Kind::exponential) return random_exponential(stream, a);
        const auto choices = static_cast<std::uint64_t>((b - a).count()) + 1;
        return std::max(a + Nanos{static_cast<std::int64_t>(random_below(stream, choices))}, Nanos{1});
    }
};

struct Step {
    std::uint8_t action = 0;  // index into actions() (action.h)
    std::uint8_t depth = 0;   // loops: nesting level
    std::uint16_t unused = 0;
    std::uint32_t target = 0;  // index of a TimeDistribution, channel or group; loops: the step to jump to
    StepId next = 0;
    std::uint32_t count = 0;  // loops: iterations or kForever; pipes: bytes
};
static_assert(sizeof(Step) == 16);

inline constexpr std::uint32_t kForever = 0xffff'ffff;

// A task group of the scenario file.
struct TaskGroup {
    std::string name;
    std::uint32_t count = 1;  // number of tasks that are not forked; 0: all tasks are forked
    Nanos start{};            // time when the tasks first become runnable
    StepId program = 0;       // first step of the tasks' program

    std::int32_t priority = 20;  // DEF_PRIORITY of Linux 2.0: 20 ticks at HZ=100
    SchedClass sched_class = SchedClass::other;
    std::int32_t rt_priority = 0;
    bool has_priority = false;  // the file specifies a priority; if not, a forked task inherits its parent's
    bool has_nice = false;      // the file specifies the priority as "nice"
    bool has_class = false;

    enum class MmKind : std::uint8_t { own, shared, kernel };
    MmKind mm = MmKind::own;
    MmId shared_mm = kKernelMm;  // meaningful for MmKind::shared

    std::uint64_t affinity = ~std::uint64_t{0};  // allowed CPUs, one bit each
    std::uint32_t working_set = 0;               // bytes that a task uses whenever it runs

    Nanos period{};  // period of the program's `timer` step; 0: no timer
    // Treatment of a job that is not finished at its deadline, and of the releases that pass before the job
    // is finished. goes_on: the job continues, and the jobs of all passed releases follow. skips_releases:
    // the job continues, and passed releases are skipped. gives_up: the job stops computing at its deadline.
    enum class LateJobs : std::uint8_t { goes_on, skips_releases, gives_up };
    LateJobs late = LateJobs::goes_on;
    Nanos deadline{};  // deadline relative to each release; 0: none. A task without a timer is one job
    std::int32_t tickets = 100;
    Nanos length{};  // CPU time of the program, or of one period; 0: variable, unknown or infinite
};

// An object that tasks block on.
struct ChannelSpec {
    enum class Kind : std::uint8_t {
        channel,       // used by the steps `wait` and `wake`
        parking,       // used by the steps `park` and `unpark`; belongs to a task group with count 1
        lock,          // used by the steps `lock` and `unlock`
        pipe_readers,  // tasks in `pipe_read` wait for data; the next channel is the pipe's pipe_writers
        pipe_writers,  // tasks in `pipe_write` wait for space
        device,        // `io`
    };
    Kind kind = Kind::channel;
    std::string name;
    std::uint32_t capacity = 0;  // pipe_writers: bytes; device: number of requests served at the same time
    std::uint32_t service = 0;   // device: service time, an index into Scenario::durations
    bool interruptible = false;  // device: the wait is interruptible, like a wait for the network

    bool is_uninterruptible() const { return kind == Kind::device && !interruptible; }
};

const char* to_string(ChannelSpec::Kind kind);

// The provenance of a number in the scenario file.
struct ProvenanceEntry {
    // JSON pointer to the number, or to an object or array that contains the number. "4-11" in the pointer
    // stands for the elements 4 to 11.
    std::string pointer;
    // Kind of provenance: "cited", "derived", "measured", "fitted", "tuned", "assumed", or "chosen". A value
    // that is "chosen" serves as an example.
    std::string basis;
    std::string reason;  // the source, the fitted data, or the reason for the choice
};

// An assertion about a value in the result of a run; tests check it.
struct Assertion {
    std::string pointer;  // JSON pointer into the summary
    std::string per;      // summary member by which the result is divided; empty: no division
    double least = 0, most = 0;
    std::string policy;  // policy of the run; empty: the scenario's policy
};

// A change of a task from outside the simulated system, at a specified time (intervene.h).
struct ScenarioIntervention {
    enum class Kind : std::uint8_t { kill, renice, wake, block };
    Nanos at{};
    Kind kind = Kind::kill;
    std::uint32_t group = 0, ordinal = 0;  // the task's name: Task::group, Task::ordinal
    std::int32_t priority = 0;             // for `renice`: 1 to 40
    Nanos span{};                    // for `block`: length of the sleep; 0: until something wakes the task
    ChannelId channel = kNoChannel;  // for `block` without a length: the task waits on this channel
};

const char* to_string(ScenarioIntervention::Kind kind);

// A stop of the guided tour: position, view and caption.
struct TourStop {
    // Level of detail: passing time, one switch, or the steps of one schedule().
    enum class Depth : std::uint8_t { time, context_switch, inside };

    SeekTarget at;
    std::string title, caption;
    std::string notes;    // text for the lecturer's second window
    std::string policy;   // policy of the run; empty: the scenario's policy
    std::string compare;  // policy of a second run, shown next to the first; empty: none
    std::string pane;     // pane to open, one of kTourPanes; empty: no change
    std::string subject;  // subject of the caption, one of kTourSubjects; empty: follows from `depth`
    Depth depth = Depth::time;
    std::uint32_t decision_step = 1;  // at Depth::inside: step of schedule(), from 1; the last step if larger
    Nanos span{};                     // length of the visible range around the position; 0: a few switches
};
inline constexpr const char* kTourPanes[] = {"switch", "tasks", "costs",      "system", "invariants",
                                             "caches", "waits", "laboratory", "jobs",   "script"};
// Subjects of tour stops: panes, and parts of panes ("pane.part"). The subject is enlarged and outlined for
// presenters.
inline constexpr const char* kTourSubjects[] = {
    "timeline", "timeline.cpus", "timeline.tasks",   "timeline.queue",
    "decision", "decision.code", "decision.tasks",   "decision.costs",
    "queue",    "switch",        "switch.registers", "switch.memory",
    "tasks",    "costs",         "system",           "invariants",
    "caches",   "waits",         "laboratory",       "jobs",
    "script"};

struct MachineSpec {
    // How an idle CPU waits. hlt: for the next interrupt. mwait: for the next interrupt or a write to
    // need_resched.
    enum class IdleMode : std::uint8_t { hlt, mwait };

    std::string name;
    std::string title;
    // Operating system of the cost values, one of kSystems (policy.h); empty: unspecified.
    std::string system;
    std::uint32_t hz = 100;  // timer interrupts per second
    bool dynticks = false;   // no ticks on idle CPUs (CONFIG_NO_HZ, Linux 2.6.21)
    // Number of hardware threads per core and of cores per socket. Only some kernels use these numbers
    // (docs/reference/run_queues.md).
    std::uint32_t siblings = 1, cores = kMaxCpus;
    IdleMode idle = IdleMode::hlt;
    bool hrtimers = false;  // sleeps end exactly, by their own interrupts, not at a tick
    // Whether kernel threads borrow the loaded address space; nullopt: as in the policy's kernel.
    std::optional<bool> lazy_tlb;
    std::optional<TickPhases> tick_phases;  // nullopt: as in the policy's kernel
    CostModel costs;

    bool operator==(const MachineSpec&) const = default;
};

struct Scenario {
    std::string name;  // file name without directory and extension
    std::string title, question, hint;
    std::string policy = "linux-2.0";
    std::uint64_t seed = 1;
    std::optional<Nanos> until;  // time limit of the run; nullopt: the run ends when all tasks have exited
    std::uint32_t cpus = 1;
    MachineSpec machine;
    std::vector<TaskGroup> groups;
    std::vector<Step> steps;
    std::vector<TimeDistribution> durations;
    std::vector<ChannelSpec> channels;        // by ChannelId
    std::vector<ProvenanceEntry> provenance;  // ordered by pointer
    std::vector<Assertion> assertions;
    std::vector<TourStop> tour;
    std::vector<ScenarioIntervention> interventions;  // ordered by time
    MachineShape shape;
    MmId shared_mms = 0;  // ids 1..shared_mms

    // Name of a task: "httpd" for the only task of a group, otherwise "httpd.17".
    std::string task_name(std::uint32_t group, std::uint32_t ordinal) const;
    std::string task_name(const Machine& m, TaskId p) const;
    // Whether p is in TASK_UNINTERRUPTIBLE (state D): it waits for a device that is not `interruptible`.
    bool is_uninterruptible(const Machine& m, TaskId p) const;

    // Display name of an address space: "httpd.17's address space", "the address space of jvm" (shared by
    // name), "the kernel's page tables". `owner`: a task that uses the address space; empty: unknown.
    std::string mm_name(MmId mm, const std::string& owner) const;
    std::string mm_name(const Machine& m, MmId mm) const;

    // Time of timer interrupt n (from 1). If HZ does not divide a second, rounding errors do not accumulate.
    Nanos time_of_tick(std::uint64_t n) const {
        assert(machine.hz <= 10'000);  // n * 1,000,000,000 is then below 2^62 for times up to kHorizon
        return Nanos{static_cast<std::int64_t>(n * 1'000'000'000 / machine.hz)};
    }
};

}  // namespace sim
