// The state of a policy script in the machine: its declared fields and its queues.
//
// Each field is one word of the policy's state block, so snapshots, hashes and rewinds include it. The queues
// are consecutive ranges of the machine's run queue, in order of creation. The header of each queue contains
// the first task, the last task and the number of tasks. Code that only needs the ready tasks (invariants,
// change of policy, window) can ignore the queues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/machine.h"
#include "sim/core/policy.h"
#include "sim/core/run_queue.h"

namespace sim::script {

struct Field {
    std::string name;
    std::int64_t initially = 0;
};

// The declarations of a script.
struct ScriptStateLayout {
    std::vector<Field> of_task, of_cpu, of_machine;  // sorted by name
    std::uint32_t queues = 0;
    // True if the running task stays on its queue, as in Linux 2.0. Otherwise a task is removed from its
    // queue when it is chosen.
    bool keeps_running_task_queued = false;

    static constexpr std::uint32_t kMostQueues = 1024, kMostFields = 64;

    Policy::StateSize state_size() const;
};

// Words of a task's state. They precede the fields that the script declares.
enum TaskWord : std::uint32_t {
    kQueue,      // number of the task's queue (counted from 0) plus 1; 0: in no queue
    kKey,        // first key passed to insert_by_key(), if it queued the task
    kSecondKey,  // second key passed to insert_by_key()
    kRan,        // CPU time in ns, without the task's current run
    kOnSince,    // time of the latest switch to the task, in ns; valid while the task runs
    kSlice,      // remaining slice in ns; for a running task, see Machine::slice_end()
    kArrival,    // this and the following words: JobParameters from Policy::set_job_parameters()
    kLength,
    kRelease,
    kDeadline,
    kPeriod,
    kTickets,
    kTaskWords
};

class ScriptState {
  public:
    ScriptState(Machine& m, const ScriptStateLayout& layout) : m_(m), layout_(layout) {}

    std::int64_t& task_word(TaskId p, TaskWord word) { return m_.policy_state_words(p)[word]; }
    std::int64_t& task_field(TaskId p, std::uint32_t i) { return m_.policy_state_words(p)[kTaskWords + i]; }
    std::int64_t& cpu_field(CpuId c, std::uint32_t i) { return m_.policy_state_words_of_cpu(c)[i]; }
    // The machine's fields are stored with the state of CPU 0.
    std::int64_t& machine_field(std::uint32_t i) {
        return machine_words()[kWholeWords + 3 * layout_.queues + i];
    }
    // The remaining slice of p in ns; 0: p has no slice.
    std::int64_t slice(TaskId p) const;
    // Sets the slice of p, in ns. The task p may be running.
    void set_slice(TaskId p, std::int64_t ns);
    std::uint64_t& random_stream() { return reinterpret_cast<std::uint64_t&>(machine_words()[kStream]); }

    void initialize();
    void set_job_parameters(TaskId p, const JobParameters& facts);
    // Initializes all words of p except the job parameters (kArrival to kTickets). The words may contain
    // values of an earlier task.
    void initialize_task_words(TaskId p);

    // --- queues, numbered from 0 ---

    static constexpr std::uint32_t kNoQueue = 0xffff'ffff;
    std::uint32_t queue_of(TaskId p) { return static_cast<std::uint32_t>(task_word(p, kQueue)) - 1; }
    std::int64_t count_queued_tasks() { return machine_words()[kQueued]; }  // number of tasks on all queues
    std::int64_t count_tasks(std::uint32_t q) { return queue_header(q)[2]; }
    TaskId first(std::uint32_t q) {
        return count_tasks(q) == 0 ? kNoTask : static_cast<TaskId>(queue_header(q)[0]);
    }
    TaskId last(std::uint32_t q) {
        return count_tasks(q) == 0 ? kNoTask : static_cast<TaskId>(queue_header(q)[1]);
    }
    // The task after p in its queue. REQUIRES: p is on a queue.
    TaskId next(TaskId p) { return last(queue_of(p)) == p ? kNoTask : m_.next_run[p]; }

    // REQUIRES, for add_last(), add_first(), add_before() and insert(): p is on no queue.
    void add_last(std::uint32_t q, TaskId p);
    void add_first(std::uint32_t q, TaskId p);
    void add_before(TaskId successor, TaskId p);  // REQUIRES: successor is on a queue
    // Inserts p after all tasks whose key pair is less than or equal to that of p. Returns the number of
    // tasks compared.
    std::uint32_t insert_by_key(std::uint32_t q, TaskId p, std::int64_t key, std::int64_t second_key);
    void remove(TaskId p);  // REQUIRES: p is on a queue

  private:
    Nanos user_code_start(CpuId c) const {  // now, or the end of kernel work if that is later
        return std::max(m_.globals().now, m_.cpu(c).kernel_until);
    }

    enum MachineWord : std::uint32_t { kStream, kQueued, kWholeWords };

    std::int64_t* machine_words() { return m_.policy_state_words_of_cpu(0) + layout_.of_cpu.size(); }
    // Three words: first task, last task, and number of tasks of q.
    std::int64_t* queue_header(std::uint32_t q) { return machine_words() + kWholeWords + 3 * q; }
    TaskId first_task_of_later_queues(std::uint32_t q);
    void insert_before(std::uint32_t q, TaskId successor, TaskId p);

    Machine& m_;
    const ScriptStateLayout& layout_;

    friend struct ScriptStateLayout;
};

}  // namespace sim::script
