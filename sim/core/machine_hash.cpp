// The digest of a machine: Machine::hash().
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/base/rng.h"
#include "sim/core/machine.h"

namespace sim {
namespace {

class MachineDigest {
  public:
    explicit MachineDigest(const Machine& m) : m_(m) {}

    std::uint64_t value() const { return h_; }

    void add_globals() {
        const Globals& g = m_.globals();
        add(g.now);
        add(g.ticks);
        add(g.next_tick);
        if (g.next_interrupt != g.next_tick) add(g.next_interrupt);
        add(g.decisions);
        add(g.switches);
        add(g.next_sequence);
        add(g.nr_running);
        add(g.nr_tasks);
        add(g.next_pid);
        add(g.next_mm);
        if (g.next_intervention > 0) add(g.next_intervention);
    }

    void add_cpu(CpuId c) {
        const Cpu& cpu = m_.cpu(c);
        add(cpu.current);
        add(cpu.need_resched | cpu.ipi_pending << 1);
        add(cpu.pending_steps);
        if (cpu.active_mm != m_.task[cpu.current].mm) add(std::uint64_t{cpu.active_mm} << 1 | cpu.left_mm);
        if (cpu.pending_work != Nanos{}) add(cpu.pending_work);
        for (std::uint32_t i = 0; i < cpu.recent; ++i) {
            const RecentTask& r = m_.recent(c)[i];
            add(std::uint64_t{r.task} << 32 | (cpu.tlb_flushes - r.tlb_flushes));
        }
        add(cpu.kernel_until);
        if (!m_.is_idle_task(cpu.current)) add(cpu.burst_end);
        add(cpu.deadline);
        // Adds the tasks in the order of the run queue.
        for (TaskId p = m_.next_run[c]; p != c; p = m_.next_run[p]) add(p);
    }

    void add_task(TaskId p) {
        add(p);
        add(m_.counter[p]);
        add(m_.priority[p]);
        add(m_.sched_class[p]);
        add(m_.rt_priority[p]);
        add(m_.sequence[p]);
        const Task& t = m_.task[p];
        add(t.pid);
        add(t.processor);
        add(t.last_processor);
        add(static_cast<std::uint32_t>(t.state) | std::uint32_t{t.policy_byte} << 8);
        if (m_.parent[p].pid != 0) add(std::uint64_t{m_.parent[p].pid} << 32 | m_.parent[p].row);
        add(t.mm);
        if (m_.shape().cpus > 1) add(m_.cpus_allowed[p]);
        if (t.waiting_on != kNoChannel && t.state != TaskState::waiting) add(t.waiting_on);
        if (m_.has_event(p) || (t.state == TaskState::waiting && t.wake_at != Nanos{})) add(t.wake_at);
        add(t.group);
        add(t.ordinal);
        add(t.step);
        add(t.remaining);
        add(t.stream);
        add(t.birth_stream);
        if (m_.shape().has_jobs) {
            add(m_.job[p].arrival);
            add(m_.job[p].release);
            if (m_.job[p].stops_at_deadline) add(std::uint64_t{1});
        }
        if (m_.has_pending_block(p)) add(m_.block[p]);
        for (std::uint32_t depth = 0; depth < m_.shape().loop_depth; ++depth) add(m_.loops_left(p, depth));
    }

    void add_channel(ChannelId c) {
        add(m_.channel(c).tokens);
        if (m_.channel(c).owner != kNoTask) add(m_.channel(c).owner);
        for (TaskId p = m_.channel(c).first; p != kNoTask; p = m_.task[p].wait_next) add(p);
    }

    // Adds the policy's state of a task or CPU to the digest.
    void add_words(const std::int64_t* begin, std::uint32_t bytes) {
        for (const std::int64_t* word = begin; word != begin + bytes / sizeof(std::int64_t); ++word) {
            std::uint64_t value = 0;
            std::memcpy(&value, word, sizeof value);
            add(value);
        }
    }

  private:
    template <class T>
    void add(T value) {
        if constexpr (std::is_same_v<T, Nanos>)
            h_ = mix64(h_ + static_cast<std::uint64_t>(value.count()));
        else
            h_ = mix64(h_ + static_cast<std::uint64_t>(value));
        h_ += 0x9e3779b97f4a7c15;
    }

    const Machine& m_;
    std::uint64_t h_ = 0x5377'6974'6368'7964;
};

}  // namespace

std::uint64_t Machine::hash() const {
    MachineDigest digest(*this);
    digest.add_globals();
    for (CpuId c = 0; c < shape_.cpus; ++c) digest.add_cpu(c);
    const TaskId high_row = globals_->high_row;
    for (TaskId p = first_task(); p < high_row; ++p)
        if (is_live(p)) digest.add_task(p);
    for (ChannelId c = 0; c < shape_.channels; ++c) digest.add_channel(c);
    for (CpuId c = 0; c < shape_.cpus; ++c) digest.add_words(policy_state_words_of_cpu(c), shape_.cpu_bytes);
    for (TaskId p = first_task(); p < high_row; ++p)
        if (is_live(p)) digest.add_words(policy_state_words(p), shape_.task_bytes);
    return digest.value();
}

}  // namespace sim
