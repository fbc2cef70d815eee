// The interface of a scheduling policy: what a kernel's scheduler decides, and nothing else.
//
// A policy is a constant object. Its memory is the Machine (counters, queues, sequence numbers), its results
// count work, and it knows nothing of clocks, costs, traces or windows. The calls follow the places at which
// a kernel calls its scheduler. What people call all that is in PolicyInfo. To add one, write
// sim/policies/mine.cpp: docs/add_a_policy.md.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/decision.h"
#include "sim/core/machine.h"
#include "sim/core/pseudo_code.h"
#include "sim/core/script_lines.h"

namespace sim {

// How a task became runnable.
struct WakeUp {
    enum class By : std::uint8_t {
        start,      // it begins, and nobody has forked it
        fork,       // wake_up_new_task(): `fork` of the task that runs on `here`
        task,       // a task's system call ended its sleep
        interrupt,  // a timer or a device did
    };
    // What a sleep was: TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE (a device), or on a pipe.
    enum class Sleep : std::uint8_t { interruptible, uninterruptible, pipe };

    By by = By::task;
    Sleep from = Sleep::interruptible;  // meaningful for `task` and `interrupt`
    CpuId here = 0;                     // whose task woke it, or that took the interrupt
};

// What came of a wake-up.
struct Woken {
    std::uint32_t queue_steps = 0;
    std::uint64_t reschedule = 0;  // the CPUs that are asked to reschedule, a bit for each
};

// What a policy that is somebody's script has done wrong, and when: the run ends with
// StopReason::policy_failed, at the same event each time that it is made.
struct PolicyFailure {
    std::string place{};               // "my.lua:12"
    std::string what{};                // {} in it stands for the name of `task`
    std::vector<std::string> stack{};  // who had called whom, the innermost first
    std::string during{};              // "pick_next": the function of the script that the kernel had called
    TaskId task = kNoTask;             // whom it is about
    Nanos at{};
    std::uint64_t decisions = 0;  // so far
};

// What a textbook's scheduler is told of a job, and a kernel's never is.
struct JobFacts {
    Nanos arrival{};   // its start, or the fork
    Nanos length{};    // CPU time of the whole job, or of one period; 0: not known
    Nanos release{};   // of the current job, or of the next one while it waits for that; arrival, where
                       // nothing is periodic
    Nanos deadline{};  // absolute; kHorizon: none
    Nanos period{};    // 0: none
    std::int64_t tickets = 100;

    bool operator==(const JobFacts&) const = default;
};

class Policy {
  public:
    virtual ~Policy() = default;

    // A script tells each line that it runs from now on, until this is null. Nothing is decided otherwise.
    virtual void tell_lines(ScriptLines*) const {}

    // A script takes all instructions that it carries out from these, from now on until this is null; when
    // none is left, it has failed.
    virtual void bound_work(std::int64_t*) const {}

    // How much of a script has been carried out since this was made, in instructions, to a few thousand. Of
    // all others it is 0: whoever makes a run piece by piece need not reckon with what they take.
    virtual std::uint64_t effort() const { return 0; }

    // What it has done wrong in the run that it has last had a part in, if that ended so.
    virtual const PolicyFailure* failure() const { return nullptr; }

    // So many bytes it keeps of each task and for each CPU, beyond the columns of the Machine: the sizes of
    // its own structs (Machine::of_task(), of_cpu()). Mostly none.
    struct Keeps {
        std::uint32_t task_bytes = 0, cpu_bytes = 0;
    };
    virtual Keeps keeps() const { return {}; }

    // Sets what it keeps for the CPUs, which is all zero, before there are tasks or before those that there
    // are come to this policy.
    virtual void begin(Machine&) const {}

    // Sets the scheduler's own fields of a task that has just been made: counter, above all.
    // REQUIRES: class, priority and rt_priority of p are set; p is on no queue.
    virtual void start(Machine& m, TaskId p) const = 0;

    // p has become runnable: puts it on a run queue and says who is to reschedule (try_to_wake_up()). Unless
    // a policy knows better it calls the three below. REQUIRES: as for enqueue().
    virtual Woken wake(Machine& m, TaskId p, const WakeUp& how) const;
    // Whether it does: most wake-ups are of policies that do not, and the engine spares them working `how`
    // out.
    virtual bool has_own_wake() const { return false; }

    // Puts p on a run queue. Returns the queue steps that this took.
    // REQUIRES: p is runnable, not running and on no queue.
    virtual std::uint32_t enqueue(Machine& m, TaskId p) const = 0;

    // Must the running task `current` give way, now that `woken` has been enqueued? `current` may be an idle
    // task.
    virtual bool preempts(const Machine& m, TaskId woken, TaskId current) const = 0;

    // p has become runnable on a machine with several CPUs: which of them are asked to reschedule, a bit for
    // each (reschedule_idle). `here` is the CPU whose task woke it, or that took the interrupt. Unless a
    // policy knows better: an idle CPU that p may use, the one it ran on last before others; or else the
    // first CPU whose task p preempts, beginning with that one.
    virtual std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId here) const;

    // prev could have gone on and has lost this CPU to somebody else on a machine of several with one queue:
    // which of them are asked to take it (schedule_tail()). Unless a policy knows better, an idle one.
    virtual std::uint64_t reschedule_prev(const Machine& m, TaskId prev, CpuId here) const;

    // How many CPUs this policy can schedule.
    virtual std::uint32_t most_cpus() const { return kMaxCpus; }

    // Whether this kernel lets a kernel thread borrow the address space that it finds (address_space.h).
    virtual bool lazy_tlb() const { return false; }

    // Whether it wants to be told about jobs: by set_facts() before start() or fork(), when p comes to its
    // `timer` (then of the job that follows), after an exec, and before adopt() when it takes over. A task
    // may run or be on a queue then. Facts that change without a sleep are followed by a schedule().
    virtual bool wants_facts() const { return false; }
    virtual void set_facts(Machine&, TaskId, const JobFacts&) const {}

    // Whether Machine::left_of_burst() has to be known of whoever waits for a CPU: then a burst that p begins
    // next is drawn when p becomes runnable, at the latest. What p does instead - try again for a lock, wake
    // somebody - counts as 0 until it has done that.
    virtual bool wants_bursts() const { return false; }

    // A task wants to sleep for so many ticks, rounded up: at the how-manieth tick from now on its timer
    // fires (nanosleep()). 0: it does not sleep. Linux counts one more, because the first may be nearly over.
    virtual std::uint64_t ticks_of_sleep(std::uint64_t wanted) const { return wanted == 0 ? 0 : wanted + 1; }

    // A timer interrupt found p running (never an idle task). Returns whether need_resched is set.
    virtual bool tick(Machine& m, TaskId p) const = 0;

    // Whether it gives slices of any length, which a timer of the CPU ends, and not only ticks. Then the last
    // word that it keeps for a CPU is when that will be (Machine::slice_end()), and begin() sets it to
    // kHorizon.
    virtual bool has_slices() const { return false; }
    // How long p, which schedule() has just chosen, may compute before slice_end() is asked; 0: for ever.
    virtual Nanos slice_of(const Machine&, TaskId) const { return {}; }
    // The slice of p, which is running, is over, and Machine::slice_end() is kHorizon again. Returns whether
    // need_resched is set; if not, p goes on with the slice that has been set meanwhile, if any.
    virtual bool slice_end(Machine&, TaskId) const { return true; }

    // p, which is running, calls sched_yield(). Returns whether need_resched is set.
    virtual bool yield(Machine& m, TaskId p) const = 0;

    // p, which is running, forks `child`, whose class and priorities are set; gives the child its counter.
    // REQUIRES: the child is on no queue yet.
    virtual void fork(Machine& m, TaskId parent, TaskId child) const = 0;

    // p, which is running, exits, and schedule() follows.
    virtual void exit(Machine&, TaskId) const {}

    // p has exited, schedule() has chosen another one, and its row is about to be freed: the last moment at
    // which what it leaves can go to somebody. Nobody gets it unless a policy says so.
    virtual void reap(Machine&, TaskId) const {}

    // Another policy has looked after p until now (intervention.h): makes what this one keeps of a task, the
    // counter aside, which is left to it, in range. enqueue() follows if p is runnable.
    virtual void adopt(Machine& m, TaskId p) const { m.task[p].mark = 0; }

    // p, which has just been enqueued, has the CPU from now on without a schedule() that chose it: it had it
    // when this policy took over.
    virtual void set_current(Machine& m, CpuId cpu, TaskId p) const;

    // setpriority() by somebody: p, whatever it is at, has another priority from now on. Returns the CPUs
    // that are asked to reschedule, a bit for each.
    virtual std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const {
        m.priority[p] = priority;
        return 0;
    }

    // Whether each CPU has a run queue of its own (docs/run_queues.md), which what follows is about.
    virtual bool has_queue_per_cpu() const { return false; }

    // A timer interrupt has come to this CPU, idle or not, and its tick() is over: takes tasks over from
    // other CPUs, if it is time to. Returns the CPUs that are asked to reschedule, a bit for each.
    virtual std::uint64_t rebalance(Machine&, CpuId) const { return 0; }

    // p, which is running, has called exec, which is when moving it costs the least. Returns whether
    // need_resched is set: then schedule() will send it elsewhere.
    virtual bool exec(Machine&, TaskId) const { return false; }

    // What balancing on this CPU has come to since this was asked last; it is, after each pick_next().
    struct Balancing {
        std::uint32_t looks = 0;       // at the load of a run queue
        std::uint32_t moves = 0;       // of a task to another one
        std::uint32_t pushes = 0;      // calls of the migration thread
        std::uint64_t reschedule = 0;  // the CPUs to which pick_next() has sent a task that is to run
        TaskId moved = kNoTask;        // the last such task
    };
    virtual Balancing balanced(Machine&, CpuId) const { return {}; }

    // schedule() on this CPU: takes prev off the queue when it is no longer runnable, chooses who runs next
    // and does the housekeeping that comes with it. Fills `log` when there is one. REQUIRES: prev is
    // cpu.current.
    virtual Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const = 0;

    // Whether p, which is running, is on the run queue meanwhile.
    virtual bool keeps_running_task_queued() const = 0;

    // Whether `counter` is what is left of a slice as Linux counts it: never negative for a task of class
    // other, and never above twice its largest priority.
    virtual bool has_linux_counters() const { return false; }

    // The numbers by which it knows p, for people: "counter 17".
    virtual std::string numbers(const Machine& m, TaskId p) const;

    // The first of them: what it is called, how it is written, and what orders tasks by it.
    struct Known {
        std::string name, value;
        std::int64_t order;
    };
    virtual Known known_by(const Machine& m, TaskId p) const;

    // Where the run queue is several queues, one behind another (a script's): what each is called, for
    // people, and how many tasks are on it, in that order. Empty where it is one.
    struct QueuePart {
        std::string name;
        std::uint32_t tasks = 0;
    };
    virtual std::vector<QueuePart> queue_parts(const Machine&) const { return {}; }

    // What Candidate::key would be, if schedule() looked at p. REQUIRES: PolicyInfo::why is there.
    virtual std::int64_t key_of(const Machine&, TaskId) const { return 0; }

    // What is wrong between two events with what the policy keeps, in words; empty when nothing is.
    virtual std::string broken_rule(const Machine&) const { return {}; }
};

// The idle CPU that p would be sent to, of those that its affinity allows and that nobody has asked to
// reschedule yet: the one it ran on last, or else the one that has been idle for longest. kNoCpu when there
// is none.
CpuId idle_cpu_for(const Machine& m, TaskId p);

// The same shape with room for what the policy keeps.
MachineShape with_room_for(const Policy& policy, MachineShape shape);

// "my.lua:12: what is wrong with B, in pick_next() after 37 decisions at 12.3 ms; called by ...".
std::string describe(const PolicyFailure& failure, const std::function<std::string(TaskId)>& name);

// --- policies by name ---

// The options given after the name of a policy: `linux-2.0:yield=one_tick`.
using PolicyOptions = std::map<std::string, std::string, std::less<>>;

struct OptionInfo {
    std::string name;
    // The allowed ones, the default first; "N" behind it stands for a number from 1 to 1,000,000, "N0" for
    // one from 0, "N/N/.." for numbers with '/' between them.
    std::vector<std::string> values;
    std::string summary;
};

struct PolicyInfo {
    std::string name;
    std::string summary;
    std::string source;  // the kernel file or document whose semantics these are
    std::vector<OptionInfo> options;
    // How the explanation of a decision calls what schedule() compares: "goodness", "turn".
    std::string criterion;
    // For a policy that compares Candidate::key, of which the least wins: why the winner did, as it goes on
    // after "B runs: ". Empty for all others.
    std::function<std::string(const DecisionLog&, const Candidate& winner)> why = {};
    // schedule() in 8 to 14 lines of our own words, one at least for each phase that a decision of this
    // policy can have; the same lines every time. REQUIRES: as for `make`.
    std::function<std::vector<PseudoLine>(const PolicyOptions&)> pseudo_code;
    // The recorded kernel whose search and queue order these are, so that the steps of a decision (tasks
    // considered, order of the queue) can be held against its recordings. Empty: there is none, and only the
    // chosen task can.
    std::string recorded_kernel = {};
    // The options, if any, under which the recorded decisions of this name were made ("option=value,...").
    std::string recorded_with = {};
    // Of kSystems: whose scheduler this is, or was meant to be. Empty: nobody's in particular.
    std::string system = {};
    // Of a script its text, line by line.
    std::vector<std::string> source_lines = {};
    // REQUIRES: every option is present, with an allowed value.
    std::function<std::unique_ptr<const Policy>(const PolicyOptions&)> make;
};

// Whose schedulers there are, and whose prices a machine can have: a word for files, a name for people.
struct SystemInfo {
    const char *word, *name;
};
inline constexpr SystemInfo kSystems[] = {{"linux", "Linux"}, {"nt", "Windows NT"}};

// All policies of kernels, ordered by name: sim/policies/policies.cpp.
std::span<const PolicyInfo> policies();

// The scripts that are built in, ordered by name: sim/script/scripts.cpp.
std::span<const PolicyInfo> script_policies();

// Whether a policy of this name is a script in a file.
bool is_script_file(std::string_view name);
// The name in `NAME[:option=value,...]`.
std::string_view name_in_spec(std::string_view spec);
// The same with this option, unless it has been given one of that name.
std::string with_option(std::string_view spec, std::string_view name, std::string_view value);
// The text of a script in a file. Throws PolicyError when it cannot be read; what is longer than a script may
// be is cut off somewhere behind that.
std::string script_text(const std::string& file);
// The policy of the script in this file, or of this text in its place. Throws PolicyError when it cannot be
// read, or is wrong.
PolicyInfo script_policy_of(const std::string& file);
PolicyInfo script_policy_of(const std::string& file, std::string_view text);

// Texts of scripts in place of what the files of these names have: what an editor has, and has not saved.
using ScriptTexts = std::map<std::string, std::string, std::less<>>;

// A problem with the name or the options of a policy.
class PolicyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A policy with its full name, all options included, and what is said of it under these:
// "linux-2.0:yield=original,rt_wake_preempts=yes".
struct NamedPolicy {
    std::string name;  // PolicyInfo::name
    PolicyOptions options;
    std::shared_ptr<const Policy> policy;
    std::string criterion;                // PolicyInfo::criterion
    std::vector<PseudoLine> pseudo_code;  // PolicyInfo::pseudo_code
    std::string recorded_kernel;          // PolicyInfo::recorded_kernel
    std::string system = {};              // PolicyInfo::system
    std::function<std::string(const DecisionLog&, const Candidate& winner)> why = {};  // PolicyInfo::why
    std::vector<OptionInfo> known_options = {};                                        // PolicyInfo::options
    std::vector<std::string> source_lines = {};  // PolicyInfo::source_lines

    // The name with the options that are not at their default.
    std::string spec() const;
};

// Makes the policy that `NAME[:option=value,...]` or `FILE.lua[:option=value,...]` describes. Throws
// PolicyError, also when it cannot schedule so many CPUs.
NamedPolicy make_policy(std::string_view spec, std::uint32_t cpus = 1, const ScriptTexts& texts = {});

}  // namespace sim
