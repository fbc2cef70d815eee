// What a script keeps in the machine: the fields that it declares, and its queues.
//
// Every field is one word of the block, so that a snapshot, a hash and a rewind have it. The queues stand one
// behind another in the machine's run queue, in the order in which the script made them, so that whoever only
// wants to know who is ready (invariants, a change of policy, a window) need not know of them; the head of
// each says where it begins and ends.
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

// What a script has declared.
struct Layout {
    std::vector<Field> of_task, of_cpu, of_machine;  // ordered by name
    std::uint32_t queues = 0;
    // Whether the running task stays on its queue (Linux 2.0), or is taken off when it is chosen.
    bool keeps_running_task_queued = false;

    static constexpr std::uint32_t kMostQueues = 1024, kMostFields = 64;

    Policy::Keeps keeps() const;
};

// The words before the fields of a task.
enum TaskWord : std::uint32_t {
    kQueue,  // the queue that it is on, from 1; 0: none
    kKey,
    kSecondKey,  // by which it was put there, if it was
    kRan,        // CPU time until it was last given the CPU
    kOnSince,    // meaningful while it runs: since when
    kSlice,      // what is left of its slice, unless it runs: then Machine::slice_end() has it
    kArrival,    // this and the following are JobFacts, as Policy::set_facts() has told them
    kLength,
    kRelease,
    kDeadline,
    kPeriod,
    kTickets,
    kTaskWords
};

class Memory {
  public:
    Memory(Machine& m, const Layout& layout) : m_(m), layout_(layout) {}

    std::int64_t& task_word(TaskId p, TaskWord word) { return m_.kept_of_task(p)[word]; }
    std::int64_t& task_field(TaskId p, std::uint32_t i) { return m_.kept_of_task(p)[kTaskWords + i]; }
    std::int64_t& cpu_field(CpuId c, std::uint32_t i) { return m_.kept_of_cpu(c)[i]; }
    // Those of the whole machine stand behind the fields of CPU 0.
    std::int64_t& machine_field(std::uint32_t i) { return whole()[kWholeWords + 3 * layout_.queues + i]; }
    // What is left of p's slice; 0: it has none.
    std::int64_t slice(TaskId p) const;
    // Gives it another one, also while it runs.
    void set_slice(TaskId p, std::int64_t ns);
    std::uint64_t& stream() { return reinterpret_cast<std::uint64_t&>(whole()[kStream]); }

    void begin();
    void set_facts(TaskId p, const JobFacts& facts);
    void begin_task(TaskId p);  // the others; they are zero, or another task's

    // --- the queues, by number from 0 ---

    static constexpr std::uint32_t kNoQueue = 0xffff'ffff;
    std::uint32_t queue_of(TaskId p) { return static_cast<std::uint32_t>(task_word(p, kQueue)) - 1; }
    std::int64_t queued() { return whole()[kQueued]; }  // tasks on any of them
    std::int64_t count(std::uint32_t q) { return head(q)[2]; }
    TaskId first(std::uint32_t q) { return count(q) == 0 ? kNoTask : static_cast<TaskId>(head(q)[0]); }
    TaskId last(std::uint32_t q) { return count(q) == 0 ? kNoTask : static_cast<TaskId>(head(q)[1]); }
    // The one behind p in its queue. REQUIRES: p is on one.
    TaskId next(TaskId p) { return last(queue_of(p)) == p ? kNoTask : m_.next_run[p]; }

    // REQUIRES of these four: p is on no queue.
    void add_last(std::uint32_t q, TaskId p);
    void add_first(std::uint32_t q, TaskId p);
    void add_before(TaskId place, TaskId p);  // REQUIRES: place is on a queue
    // Behind all whose pair of keys is not greater. Returns how many tasks it was compared with.
    std::uint32_t insert(std::uint32_t q, TaskId p, std::int64_t key, std::int64_t second);
    void remove(TaskId p);  // REQUIRES: p is on a queue

  private:
    Nanos on_cpu_from(CpuId c) const {  // now, or when the kernel is done
        return std::max(m_.globals().now, m_.cpu(c).kernel_until);
    }

    enum WholeWord : std::uint32_t { kStream, kQueued, kWholeWords };

    std::int64_t* whole() { return m_.kept_of_cpu(0) + layout_.of_cpu.size(); }
    // First, last, how many.
    std::int64_t* head(std::uint32_t q) { return whole() + kWholeWords + 3 * q; }
    TaskId place_behind(std::uint32_t q);
    void put(std::uint32_t q, TaskId place, TaskId p);

    Machine& m_;
    const Layout& layout_;

    friend struct Layout;
};

}  // namespace sim::script
