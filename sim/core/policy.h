// The interface of a scheduling policy. It contains only the decisions of a kernel's scheduler.
//
// A policy is a constant object. Its state is in the Machine and its results are counts of work; it does not
// depend on costs, traces or windows. Its functions correspond to the points where a kernel calls its
// scheduler. Descriptions for the user are in PolicyInfo. To add a policy, write sim/policies/mine.cpp:
// docs/tutorials/add_a_policy.md.
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
#include "sim/core/load_average.h"
#include "sim/core/machine.h"
#include "sim/core/pseudo_code.h"
#include "sim/core/resched_check.h"
#include "sim/core/script_line_trace.h"
#include "sim/core/tick_phases.h"

namespace sim {

// A function that returns the name of a task, for texts.
using TaskNamer = std::function<std::string(TaskId)>;

// The cause of a wake-up.
struct WakeUp {
    enum class Waker : std::uint8_t {
        start,      // the start of a task that was not forked
        fork,       // wake_up_new_task(), in a fork by the task that runs on the CPU `here`
        task,       // a system call of another task
        interrupt,  // a timer or a device
    };
    // Kind of sleep that ends: TASK_INTERRUPTIBLE, TASK_UNINTERRUPTIBLE (wait for a device), or wait on a
    // pipe.
    enum class Sleep : std::uint8_t { interruptible, uninterruptible, pipe };

    Waker by = Waker::task;
    Sleep from = Sleep::interruptible;  // meaningful if `by` is `task` or `interrupt`
    CpuId here = 0;                     // the CPU of the waker or of the interrupt
};

struct WakeResult {
    std::uint32_t queue_steps = 0;
    std::uint64_t reschedule = 0;  // CPUs that must reschedule, one bit each
};

// An error in a policy script. It ends the run with StopReason::policy_failed. A repeated run ends at the
// same event.
struct PolicyFailure {
    std::string place{};               // "my.lua:12"
    std::string what{};                // the error; "{}" in it stands for the name of `task`
    std::vector<std::string> stack{};  // call stack, innermost first
    std::string during{};              // the script function that the kernel had called, such as "pick_next"
    TaskId task = kNoTask;             // the task that `what` is about
    Nanos at{};
    std::uint64_t decisions = 0;
};

// Facts about a job. Textbook policies and scripts receive them; a real kernel has no such information.
struct JobParameters {
    Nanos arrival{};  // time of the task's start or fork
    Nanos length{};   // CPU time of the job, or of one period; 0: unknown
    // Release of the current job. While the task waits for its next job: release of that job. Equals
    // `arrival` if the task is not periodic.
    Nanos release{};
    Nanos deadline{};  // absolute; kHorizon: none
    Nanos period{};    // 0: none
    std::int64_t tickets = 100;

    bool operator==(const JobParameters&) const = default;
};

class Policy {
  public:
    virtual ~Policy() = default;

    // Installs a line-trace sink for policy scripts; nullptr removes it. Does not affect decisions.
    virtual void set_line_trace(ScriptLineTrace*) const {}

    // Installs a budget of instructions for policy scripts; nullptr removes it. Executed instructions are
    // subtracted from the budget, and the policy fails when the budget is exhausted.
    virtual void set_instruction_budget(std::int64_t*) const {}

    // Number of script instructions executed so far, accurate to a few thousand; 0 for native policies.
    // Callers use it to limit the work that they do at a time.
    virtual std::uint64_t instructions_executed() const { return 0; }

    // The failure that ended the latest run of this policy, or nullptr.
    virtual const PolicyFailure* failure() const { return nullptr; }

    // Bytes of policy state per task and per CPU: the sizes of the policy's own structs (Machine::of_task(),
    // of_cpu()). Usually 0.
    struct StateSize {
        std::uint32_t task_bytes = 0, cpu_bytes = 0;
    };
    virtual StateSize state_size() const { return {}; }

    // Initializes the (zeroed) policy state of the CPUs, before tasks are created or adopted.
    virtual void initialize_cpu_state(Machine&) const {}

    // Initializes the scheduler's fields of a new task, mainly the counter.
    // REQUIRES: class, priority and rt_priority of p are set; p is on no queue.
    virtual void start(Machine& m, TaskId p) const = 0;

    // try_to_wake_up(): enqueues p, which has become runnable, and returns the CPUs that must reschedule.
    // The default implementation calls enqueue(), then preempts() or reschedule(). REQUIRES: as for
    // enqueue().
    virtual WakeResult wake(Machine& m, TaskId p, const WakeUp& wake_up) const;
    // True if the policy overrides wake(). If false, the engine does not compute `wake_up` (see wake()).
    virtual bool overrides_wake() const { return false; }

    // Puts p on a run queue; returns the queue steps.
    // REQUIRES: p is runnable, not running and on no queue.
    virtual std::uint32_t enqueue(Machine& m, TaskId p) const = 0;

    // Whether the running task `current`, possibly an idle task, must give way to the enqueued task `woken`.
    virtual bool preempts(const Machine& m, TaskId woken, TaskId current) const = 0;

    // reschedule_idle() on a multiprocessor: the CPUs to be asked to reschedule for `woken`, one bit each.
    // `here`: the CPU of the waker or of the interrupt. The default implementation returns the CPU
    // idle_cpu_for(woken). If there is none, it examines the CPUs, beginning with the CPU where `woken` ran
    // last (`here` if `woken` has not run), and returns the first CPU that meets three conditions: `woken`
    // may use the CPU, the CPU has not been asked to reschedule yet, and `woken` preempts the CPU's task.
    virtual std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId here) const;

    // schedule_tail() on a multiprocessor with one queue: prev has lost CPU `here` but is runnable. Returns
    // the CPUs to be asked to run prev, one bit each. The default implementation returns an idle CPU, if any.
    virtual std::uint64_t reschedule_prev(const Machine& m, TaskId prev, CpuId here) const;

    virtual std::uint32_t max_cpus() const { return kMaxCpus; }

    // Whether kernel threads borrow the loaded address space (address_space.h).
    virtual bool lazy_tlb() const { return false; }

    // The rule for the times at which the CPUs of a multiprocessor take their timer interrupts.
    virtual TickPhases::Rule tick_phases() const { return TickPhases::Rule::together; }

    // Whether set_job_parameters() is called. If so, it is called for a task p before start() or fork(), when
    // p reaches its `timer` step (with the facts of the next job), after an exec, and before adopt(). p may
    // be running or queued. If the facts of p change and p does not sleep, a schedule() follows.
    virtual bool needs_job_parameters() const { return false; }
    virtual void set_job_parameters(Machine&, TaskId, const JobParameters&) const {}

    // Whether Machine::remaining_burst() must be valid for tasks that wait for a CPU. If so, the length of a
    // burst is drawn at the latest when p becomes runnable. If another step precedes the burst (retrying a
    // lock, waking a task), remaining_burst() is 0 until that step is done.
    virtual bool needs_burst_lengths() const { return false; }

    // Number of ticks from now to the end of a nanosleep() of `requested_ticks` ticks (rounded up); 0: no
    // sleep. Linux adds one tick, because the current tick period may be nearly over.
    virtual std::uint64_t ticks_of_sleep(std::uint64_t requested_ticks) const {
        return requested_ticks == 0 ? 0 : requested_ticks + 1;
    }

    // Called at a timer interrupt while the task p runs. p is not an idle task. Returns whether need_resched
    // is set.
    virtual bool tick(Machine& m, TaskId p) const = 0;

    // Whether the policy has slices of any length, each of which is ended by a timer of the CPU. If so, the
    // last word of the CPU's policy state is Machine::slice_end(). initialize_cpu_state() sets it to
    // kHorizon.
    virtual bool has_slices() const { return false; }
    // How long p, just chosen by schedule(), may compute before slice_end() is called; 0: unlimited.
    virtual Nanos slice_of(const Machine&, TaskId) const { return {}; }
    // Called at the end of the slice of the running task p, after Machine::slice_end() has been reset to
    // kHorizon. Returns whether need_resched is set. If not, p continues; this function may have set a new
    // end of the slice.
    virtual bool slice_end(Machine&, TaskId) const { return true; }

    // The running task p calls sched_yield(). Returns whether need_resched is set.
    virtual bool yield(Machine& m, TaskId p) const = 0;

    // The running task `parent` forks: sets the counter of `child`. REQUIRES: class and priorities of the
    // child are set; the child is on no queue.
    virtual void fork(Machine& m, TaskId parent, TaskId child) const = 0;

    // The running task p exits; schedule() follows.
    virtual void exit(Machine&, TaskId) const {}

    // p has exited, and p's row is about to be freed. A policy may return p's remaining ticks to the parent
    // here.
    virtual void reap(Machine&, TaskId) const {}

    // Makes this policy's state of p valid, after another policy has scheduled p until now
    // (intervention.h). May keep or change the counter. enqueue() follows if p is runnable.
    virtual void adopt(Machine& m, TaskId p) const { m.task[p].policy_byte = 0; }

    // The enqueued task p was running when this policy took over: makes it current on `cpu` without a
    // schedule().
    virtual void adopt_running_task(Machine& m, CpuId cpu, TaskId p) const;

    // Changes the priority of p, which may be in any state: setpriority(). Returns the CPUs that must
    // reschedule, one bit each.
    virtual std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const {
        m.priority[p] = priority;
        return 0;
    }

    // Whether each CPU has its own run queue (docs/reference/run_queues.md). Only such policies implement
    // the following functions, up to take_balance_work().
    virtual bool has_queue_per_cpu() const { return false; }

    // Called after tick() at every timer interrupt of this CPU, idle or not. Pulls tasks from other CPUs if
    // balancing is due. Returns the CPUs that must reschedule, one bit each.
    virtual std::uint64_t rebalance(Machine&, CpuId) const { return 0; }

    // The running task p has called exec. This is the time when migrating p costs least. Returns whether
    // need_resched is set; then schedule() moves p.
    virtual bool exec(Machine&, TaskId) const { return false; }

    // Work done by load balancing on this CPU since the last call of take_balance_work(). The engine calls
    // this function after every pick_next().
    struct BalanceWork {
        std::uint32_t looks = 0;   // number of times that the load of a run queue was read
        std::uint32_t moves = 0;   // tasks moved to another run queue
        std::uint32_t pushes = 0;  // calls of the migration thread
        // CPUs that must reschedule because pick_next() moved tasks, one bit each.
        std::uint64_t reschedule = 0;
        TaskId moved = kNoTask;  // the last moved task, not counting pulled real-time tasks
    };
    virtual BalanceWork take_balance_work(Machine&, CpuId) const { return {}; }

    // schedule(): dequeues prev if it is no longer runnable, chooses the next task, and fills `log` unless it
    // is null. REQUIRES: prev is cpu.current.
    virtual Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const = 0;

    // Whether the running task stays on the run queue.
    virtual bool keeps_running_task_queued() const = 0;

    // Whether `counter` contains the remaining ticks of a task's slice, as in Linux 1.2 to 2.4. If so, the
    // counter of a task of class `other` is from 0 to twice the largest priority of any task.
    virtual bool has_linux_counters() const { return false; }

    // The rule by which the policy's kernel computes load averages. Policies that do not model a Linux kernel
    // use the rule of current kernels.
    virtual LoadRule load_average_rule() const { return LoadRule::linux_4_7; }

    // The scheduling values of p for display, such as "counter 17".
    virtual std::string scheduling_values(const Machine& m, TaskId p) const;

    // The main scheduling value of p: its name, its value as text, and a number for sorting tasks by this
    // value.
    struct SchedulingKey {
        std::string name, value;
        std::int64_t order;
    };
    virtual SchedulingKey scheduling_key(const Machine& m, TaskId p) const;

    // Display name and length of a part of the run queue. The run queue of a policy script can consist of
    // several queues in sequence, which are its parts.
    struct QueuePart {
        std::string name;
        std::uint32_t tasks = 0;
    };
    virtual std::vector<QueuePart> queue_parts(const Machine&) const { return {}; }

    // The part of the run queue in which the ready task p is, as a noun: "the queue", "the expired array".
    virtual std::string queue_name(const Machine&, TaskId) const { return "the queue"; }

    // A sentence about how a schedule() on this CPU has changed the run queue: "The active array is empty, so
    // the two arrays are exchanged." The sentence does not describe positions of tasks; empty: nothing else
    // has changed. `before` and `after`: the machine before and after the decision.
    virtual std::string queue_change(const Machine& /*before*/, const Machine& /*after*/, CpuId) const {
        return {};
    }

    // The following two functions explain a decision that has just been made. Each returns a clause, without
    // a full stop, about the values of the decision; empty: no explanation. They are called for explanations
    // only, after the decision and before need_resched is set.
    //
    // Called after wake() or enqueue(). Returns the reason why `woken` preempts the task `current` (if
    // `needs_resched`) or does not preempt it: "C's counter 25 is more than 3 above A's 18". `current` is not
    // an idle task.
    virtual std::string wake_reason(const Machine&, TaskId /*woken*/, TaskId /*current*/,
                                    bool /*needs_resched*/, const TaskNamer&) const {
        return {};
    }
    // Called after tick() or slice_end(), which returned `needs_resched`. Returns the reason why the running
    // task p must give up the CPU or keeps it: "12 ticks of its slice are left".
    virtual std::string tick_reason(const Machine&, TaskId /*p*/, ReschedCheck::Point, bool /*needs_resched*/,
                                    const TaskNamer&) const {
        return {};
    }
    // Called after schedule() has chosen `winner` without examining the ready task p. Returns the reason why
    // p was not chosen. Empty: p was after `winner` in the queue.
    virtual std::string not_chosen_reason(const Machine&, TaskId /*p*/, TaskId /*winner*/,
                                          const TaskNamer&) const {
        return {};
    }

    // Candidate::key of p, as schedule() would compute it. REQUIRES: the policy chooses the lowest key (its
    // PolicyInfo::why is not null). If the policy is a script, also: has_keys_in_queue() is true and p is
    // ready.
    virtual std::int64_t candidate_key(const Machine&, TaskId) const { return 0; }
    // Whether candidate_key() is valid for every ready task, even if schedule() does not examine the task.
    virtual bool has_keys_in_queue() const { return true; }

    // Describes an inconsistency in the state of the policy; empty: none. The caller calls this function
    // between two events.
    virtual std::string find_violation(const Machine&) const { return {}; }
};

// The idle CPU that p should use: the CPU where p ran last if it is idle, otherwise the CPU that has been
// idle for longest. CPUs that p's affinity forbids, and CPUs that have already been asked to reschedule,
// are not considered. kNoCpu: none.
CpuId idle_cpu_for(const Machine& m, TaskId p);

// Returns `shape` with the number of bytes per task and per CPU that the state of this policy needs.
MachineShape with_policy_state_size(const Policy& policy, MachineShape shape);

// The failure as text: "my.lua:12: add_last: task 3 is already on a queue, in enqueue() at 12.3ms, after 37
// decisions; called by ...".
std::string describe(const PolicyFailure& failure, const std::function<std::string(TaskId)>& name);

// --- policies by name ---

// The values of a policy's options, by the names of the options, as in `linux-2.0:yield=one_tick`.
using PolicyOptions = std::map<std::string, std::string, std::less<>>;

struct OptionInfo {
    std::string name;
    // Allowed values, default first. The second value can stand for a range: "N" for a number from 1 to
    // 1,000,000, "N0" for a number from 0 to 1,000,000, "N/N/.." for one or more numbers from 0 to 1,000,000,
    // separated by "/".
    std::vector<std::string> values;
    std::string summary;
};

struct PolicyInfo {
    std::string name;
    std::string summary;
    std::string source;  // the kernel file or document that defines the semantics
    std::vector<OptionInfo> options;
    // Name of the value by which the policy compares tasks, for explanations: "goodness". "turn": tasks take
    // turns.
    std::string criterion;
    // For policies that choose the lowest Candidate::key: the reason why the winner was chosen. It
    // completes the sentence "B runs: ". Empty for other policies.
    std::function<std::string(const DecisionLog&, const Candidate& winner)> why = {};
    // schedule() as 8 to 14 lines of pseudo-code, with at least one line for each phase that can occur. The
    // lines depend on the options only. REQUIRES: as for `make`.
    std::function<std::vector<PseudoLine>(const PolicyOptions&)> pseudo_code;
    // The kernel with recorded decisions (tests/decisions/) whose search and queue order this policy
    // reproduces. Every step of a decision can then be compared with the recording. Empty: only the chosen
    // tasks can be compared.
    std::string recorded_kernel = {};
    // Options ("option=value,...") that this policy needs to reproduce the decisions of `recorded_kernel`.
    // Empty: the default options.
    std::string recorded_with = {};
    // Operating system that the policy models, one of kSystems; empty: none in particular.
    std::string system = {};
    // Source lines of a policy script; empty for native policies.
    std::vector<std::string> source_lines = {};
    // Creates the policy. REQUIRES: every option is present with an allowed value.
    std::function<std::unique_ptr<const Policy>(const PolicyOptions&)> make;
};

// An operating system that policies and machine files can name: its key in files, and its display name.
struct OperatingSystemInfo {
    const char *word, *name;
};
inline constexpr OperatingSystemInfo kSystems[] = {{"linux", "Linux"}, {"nt", "Windows NT"}};

// The policies that are not scripts, ordered by name: sim/policies/policies.cpp.
std::span<const PolicyInfo> policies();

// Built-in policy scripts, ordered by name: sim/script/scripts.cpp.
std::span<const PolicyInfo> script_policies();

// The policy of that name in policies() or script_policies(); nullptr if there is none.
const PolicyInfo* find_policy_info(std::string_view name);

bool is_script_file(std::string_view name);
// Returns NAME or FILE.lua from a spec such as `NAME[:option=value,...]`.
std::string_view name_in_spec(std::string_view spec);
// Returns the spec with this option added, or unchanged if it already sets this option.
std::string with_option(std::string_view spec, std::string_view name, std::string_view value);
// The text of a script file. A file that is longer than the maximum length of a script is not read to its
// end, because such a script is rejected. Throws PolicyError if the file is unreadable.
std::string script_text(const std::string& file);
// Loads the policy from this script file, or from `text` instead of the file's content. Throws PolicyError
// if the file is unreadable or the script is invalid.
PolicyInfo script_policy_of(const std::string& file);
PolicyInfo script_policy_of(const std::string& file, std::string_view text);

// Unsaved script texts by file name; they override the file contents.
using ScriptTexts = std::map<std::string, std::string, std::less<>>;

// An error in the name or the options of a policy.
class PolicyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// A policy, its name, all of its options, and members of its PolicyInfo. Example of name and options:
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

    // The name with all options that are not at their defaults.
    std::string spec() const;
};

// The value of a criterion for display. A time is shown exactly, with its unit. kHorizon (78 h) or a later
// time stands for a missing time and is shown as "none". Any other value is shown as a plain number.
std::string criterion_value_text(std::string_view criterion, std::int64_t key);

// Creates the policy `NAME[:option=value,...]` or `FILE.lua[:option=value,...]`. Also accepts the names of
// policy_names.h. Throws PolicyError if the spec is invalid or the policy does not support this number of
// CPUs.
NamedPolicy make_policy(std::string_view spec, std::uint32_t cpus = 1, const ScriptTexts& texts = {});

}  // namespace sim
