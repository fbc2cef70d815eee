#include "sim/machine.h"

#include <type_traits>
#include <utility>

#include "sim/rng.h"

namespace sim {

template <class Visitor>
void Machine::for_each_part(Visitor visit) {
    const std::size_t rows = std::size_t{shape_.cpus} + shape_.tasks;
    visit(globals_, 1);
    visit(cpus_, shape_.cpus);
    visit(channels_, shape_.channels);
    visit(event_keys_, rows);
    visit(loops_left_, rows * shape_.loop_depth);
    const auto column = [&](auto& c) {
        visit(c.data_, rows);
        c.size_ = static_cast<std::uint32_t>(rows);
    };
    column(counter);
    column(priority);
    column(next_run);
    column(prev_run);
    column(sched_class);
    column(rt_priority);
    column(sequence);
    column(processor);
    column(last_processor);
    column(state);
    column(mm);
    column(pid);
    column(wake_at);
    column(waiting_on);
    column(wait_next);
    column(group);
    column(ordinal);
    column(step);
    column(remaining);
    column(stream);
    column(birth_stream);
    column(forks);
}

void Machine::bind() {
    // Each part begins at a multiple of 16 bytes, for the vector loads of the recalculation.
    const auto words_of = [](auto* pointer, std::size_t count) {
        using T = std::remove_pointer_t<decltype(pointer)>;
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= sizeof(std::uint64_t));
        return (count * sizeof(T) + 15) / 16 * 2;
    };
    if (block_.empty()) {
        std::size_t words = 0;
        for_each_part([&](auto* pointer, std::size_t count) { words += words_of(pointer, count); });
        block_.resize(words);
    }
    std::size_t offset = 0;
    for_each_part([&](auto*& pointer, std::size_t count) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(block_.data() + offset);
        offset += words_of(pointer, count);
    });
}

Machine::Machine(const MachineShape& shape) : shape_(shape) {
    assert(shape.cpus >= 1 && shape.tasks <= kMaxTasks);
    bind();
    Globals& g = *globals_;
    g.next_tick = kHorizon;
    g.high_row = first_task();
    g.free_row = kNoTask;
    g.next_pid = 1;
    g.next_mm = kKernelMm + 1;
    for (CpuId c = 0; c < shape.cpus; ++c) {
        cpus_[c] = Cpu{.current = c, .need_resched = false, .pending_steps = 0, .kernel_until = {}, .burst_end = {},
                       .deadline = kHorizon};
    }
    for (ChannelId c = 0; c < shape.channels; ++c) channels_[c] = {0, kNoTask, kNoTask};
    for (TaskId p = 0; p < shape.cpus + shape.tasks; ++p) {
        next_run[p] = prev_run[p] = kNoTask;
        processor[p] = last_processor[p] = kNoProcessor;
    }
    for (TaskId idle = 0; idle < shape.cpus; ++idle) {
        state[idle] = TaskState::runnable;
        counter[idle] = -100;  // 2.0: sys_idle() sets it, so that any wake-up preempts the idle task
        next_run[idle] = prev_run[idle] = idle;  // an idle task heads its CPU's run queue
        processor[idle] = last_processor[idle] = idle;
    }
}

Machine::Machine(const Machine& other) : shape_(other.shape_), block_(other.block_) { bind(); }

Machine::Machine(Machine&& other) noexcept : shape_(other.shape_), block_(std::move(other.block_)) { bind(); }

Machine& Machine::operator=(const Machine& other) {
    if (this == &other) return *this;
    block_ = other.block_;  // keeps its memory when the sizes agree
    shape_ = other.shape_;
    bind();
    return *this;
}

Machine& Machine::operator=(Machine&& other) noexcept {
    block_ = std::move(other.block_);
    shape_ = other.shape_;
    bind();
    return *this;
}

TaskId Machine::allocate_task() {
    Globals& g = *globals_;
    TaskId p = g.free_row;
    if (p != kNoTask) {
        g.free_row = wait_next[p];
    } else if (g.high_row < shape_.cpus + shape_.tasks) {
        p = g.high_row++;
    } else {
        return kNoTask;
    }
    state[p] = TaskState::runnable;
    pid[p] = g.next_pid++;
    ++g.nr_tasks;
    counter[p] = priority[p] = rt_priority[p] = 0;
    next_run[p] = prev_run[p] = kNoTask;
    sched_class[p] = SchedClass::other;
    sequence[p] = 0;
    processor[p] = last_processor[p] = kNoProcessor;
    mm[p] = kKernelMm;
    wake_at[p] = remaining[p] = Nanos{};
    waiting_on[p] = 0;
    wait_next[p] = kNoTask;
    group[p] = ordinal[p] = 0;
    step[p] = 0;
    stream[p] = birth_stream[p] = 0;
    forks[p] = 0;
    for (std::uint32_t depth = 0; depth < shape_.loop_depth; ++depth) loops_left(p, depth) = 0;
    return p;
}

void Machine::free_task(TaskId p) {
    assert(state[p] == TaskState::exited && next_run[p] == kNoTask);
    Globals& g = *globals_;
    state[p] = TaskState::unused;
    counter[p] = priority[p] = 0;
    wait_next[p] = g.free_row;
    g.free_row = p;
    --g.nr_tasks;
}

std::uint64_t Machine::hash() const {
    std::uint64_t h = 0x5377'6974'6368'7964;
    const auto add = [&h](auto value) {
        if constexpr (std::is_same_v<decltype(value), Nanos>)
            h = mix64(h + static_cast<std::uint64_t>(value.count()));
        else
            h = mix64(h + static_cast<std::uint64_t>(value));
        h += 0x9e3779b97f4a7c15;
    };
    const Globals& g = *globals_;
    add(g.now);
    add(g.ticks);
    add(g.next_tick);
    add(g.decisions);
    add(g.switches);
    add(g.next_sequence);
    add(g.nr_running);
    add(g.nr_tasks);
    add(g.next_pid);
    add(g.next_mm);
    for (CpuId c = 0; c < shape_.cpus; ++c) {
        const Cpu& cpu = cpus_[c];
        add(cpu.current);
        add(cpu.need_resched);
        add(cpu.pending_steps);
        add(cpu.kernel_until);
        if (!is_idle_task(cpu.current)) add(cpu.burst_end);
        add(cpu.deadline);
        for (TaskId p = next_run[c]; p != c; p = next_run[p]) add(p);  // the order of the queue
    }
    for (TaskId p = first_task(); p < g.high_row; ++p) {
        if (!is_live(p)) continue;
        add(p);
        add(pid[p]);
        add(counter[p]);
        add(priority[p]);
        add(sched_class[p]);
        add(rt_priority[p]);
        add(sequence[p]);
        add(processor[p]);
        add(last_processor[p]);
        add(state[p]);
        add(mm[p]);
        if (state[p] == TaskState::interruptible) add(wake_at[p]);
        add(group[p]);
        add(ordinal[p]);
        add(step[p]);
        add(remaining[p]);
        add(stream[p]);
        add(birth_stream[p]);
        add(forks[p]);
        for (std::uint32_t depth = 0; depth < shape_.loop_depth; ++depth) add(loops_left(p, depth));
    }
    for (ChannelId c = 0; c < shape_.channels; ++c) {
        add(channels_[c].tokens);
        for (TaskId p = channels_[c].first; p != kNoTask; p = wait_next[p]) add(p);
    }
    return h;
}

}  // namespace sim
