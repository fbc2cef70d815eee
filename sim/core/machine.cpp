#include "sim/core/machine.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sim {

template <class Visitor>
void Machine::for_each_block_part(Visitor visit) {
    const std::size_t rows = std::size_t{shape_.cpus} + shape_.tasks;
    visit(globals_, 1);
    visit(cpus_, shape_.cpus);
    visit(channels_, shape_.channels);
    visit(events_, EventQueue::node_count(static_cast<std::uint32_t>(rows)));
    visit(loops_left_, rows * shape_.loop_depth);
    visit(mms_, shape_.mms);
    visit(recent_, std::size_t{shape_.cpus} * shape_.recent);
    const auto column_if = [&](bool wanted, auto& c) {
        visit(c.data_, wanted ? rows : 0);
        c.size_ = static_cast<std::uint32_t>(wanted ? rows : 0);
    };
    const auto column = [&](auto& c) { column_if(true, c); };
    column(counter);
    column(priority);
    column(next_run);
    column(prev_run);
    column(sched_class);
    column(rt_priority);
    column(sequence);
    column(task);
    column_if(shape_.cpus > 1, cpus_allowed);
    column_if(shape_.recent > 0, resident_on);
    column_if(shape_.has_jobs, job);
    column_if(shape_.has_blocks, block);
    column(parent);
    visit(kept_of_cpus_, std::size_t{shape_.cpus} * shape_.cpu_bytes);
    visit(kept_of_tasks_, rows * shape_.task_bytes);
}

void Machine::update_column_views() {
    const auto lines_of = [](auto* pointer, std::size_t count) {
        using T = std::remove_pointer_t<decltype(pointer)>;
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(CacheLine));
        return (count * sizeof(T) + sizeof(CacheLine) - 1) / sizeof(CacheLine);
    };
    if (block_.empty()) {
        std::size_t lines = 0;
        for_each_block_part([&](auto* pointer, std::size_t count) { lines += lines_of(pointer, count); });
        block_.resize(lines);
    }
    first_leaf_ = EventQueue::first_leaf(shape_.cpus + shape_.tasks);
    std::size_t offset = 0;
    for_each_block_part([&](auto*& pointer, std::size_t count) {
        pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(block_.data() + offset);
        offset += lines_of(pointer, count);
    });
}

Machine::Machine(const MachineShape& shape) : shape_(shape) {
    assert(shape.cpus >= 1 && shape.cpus <= kMaxCpus && shape.tasks <= kMaxTasks);
    update_column_views();
    Globals& g = *globals_;
    g.next_tick = g.next_interrupt = kHorizon;
    g.high_row = first_task();
    g.free_row = kNoTask;
    g.next_pid = 1;
    g.next_mm = kKernelMm + 1;
    std::fill_n(events_, EventQueue::node_count(shape.cpus + shape.tasks), EventQueue::kNever);
    for (CpuId c = 0; c < shape.cpus; ++c) {
        cpus_[c] = Cpu{.current = c,
                       .need_resched = false,
                       .ipi_pending = false,
                       .pending_steps = 0,
                       .active_mm = kKernelMm,
                       .left_mm = false,
                       .cause = ReschedCause::none,
                       .caused_by = kNoTask,
                       .tlb_flushes = 0,
                       .recent = 0,
                       .previous_cpu = Task::kNoProcessor,
                       .pending_work = {},
                       .kernel_until = {},
                       .burst_end = {},
                       .deadline = kHorizon};
    }
    for (ChannelId c = 0; c < shape.channels; ++c) channels_[c] = {0, kNoTask, kNoTask, kNoTask};
    for (TaskId p = 0; p < shape.cpus + shape.tasks; ++p) {
        next_run[p] = prev_run[p] = kNoTask;
        task[p].processor = task[p].last_processor = Task::kNoProcessor;
        task[p].waiting_on = kNoChannel;
        if (shape.cpus > 1) cpus_allowed[p] = ~std::uint64_t{0};
        if (shape.recent > 0) resident_on[p] = Task::kNoProcessor;
    }
    for (TaskId idle = 0; idle < shape.cpus; ++idle) {
        task[idle].state = TaskState::runnable;
        // In Linux 2.0, sys_idle() sets this value, so that any wake-up preempts the idle task.
        counter[idle] = -100;
        next_run[idle] = prev_run[idle] = idle;  // an idle task heads its CPU's run queue
        set_running_task(idle, idle);
        cpus_[idle].previous_cpu = Task::kNoProcessor;
    }
}

Machine::Machine(const Machine& other) : shape_(other.shape_), block_(other.block_) {
    assert(!other.ready.is_live());  // while the index exists, counters of sleeping tasks may be outdated
    update_column_views();
}

Machine::Machine(Machine&& other) noexcept : shape_(other.shape_), block_(std::move(other.block_)) {
    update_column_views();
}

Machine& Machine::operator=(const Machine& other) {
    if (this == &other) return *this;
    assert(!other.ready.is_live());
    block_ = other.block_;  // reuses the memory if the sizes are equal
    shape_ = other.shape_;
    ready.close();
    update_column_views();
    return *this;
}

Machine& Machine::operator=(Machine&& other) noexcept {
    block_ = std::move(other.block_);
    shape_ = other.shape_;
    ready.close();
    update_column_views();
    return *this;
}

TaskId Machine::allocate_task() {
    Globals& g = *globals_;
    TaskId p = g.free_row;
    if (p != kNoTask) {
        g.free_row = task[p].wait_next;
    } else if (g.high_row < shape_.cpus + shape_.tasks) {
        p = g.high_row++;
    } else {
        return kNoTask;
    }
    task[p] = {};
    task[p].state = TaskState::runnable;
    task[p].pid = g.next_pid++;
    task[p].waiting_on = kNoChannel;
    if (shape_.cpus > 1) cpus_allowed[p] = ~std::uint64_t{0};
    task[p].processor = task[p].last_processor = Task::kNoProcessor;
    ++g.nr_tasks;
    counter[p] = priority[p] = rt_priority[p] = 0;
    next_run[p] = prev_run[p] = kNoTask;
    sched_class[p] = SchedClass::other;
    sequence[p] = 0;
    if (shape_.has_jobs) job[p] = {};
    if (shape_.has_blocks) block[p] = 0;
    parent[p] = {};
    if (shape_.task_bytes > 0)
        std::memset(kept_of_tasks_ + std::size_t{p} * shape_.task_bytes, 0, shape_.task_bytes);
    if (ready.is_live()) ready.reset_missed_recalculations(p);
    for (std::uint32_t depth = 0; depth < shape_.loop_depth; ++depth) loops_left(p, depth) = 0;
    return p;
}

void Machine::free_task(TaskId p) {
    assert(task[p].state == TaskState::exited && next_run[p] == kNoTask);
    Globals& g = *globals_;
    task[p].state = TaskState::unused;
    counter[p] = priority[p] = 0;
    task[p].wait_next = g.free_row;
    g.free_row = p;
    --g.nr_tasks;
}

// The policy state is the last part of the block, so the other parts keep their offsets if its size changes.
void Machine::resize_policy_state(std::uint32_t task_bytes, std::uint32_t cpu_bytes) {
    assert(!ready.is_live());
    std::byte* const begin = reinterpret_cast<std::byte*>(block_.data());
    const auto begin_of_kept = static_cast<std::size_t>(kept_of_cpus_ - begin);
    if (task_bytes == shape_.task_bytes && cpu_bytes == shape_.cpu_bytes) {
        std::memset(kept_of_cpus_, 0, bytes() - begin_of_kept);
        return;
    }
    shape_.task_bytes = task_bytes;
    shape_.cpu_bytes = cpu_bytes;
    const std::vector<CacheLine> before = std::exchange(block_, {});
    update_column_views();
    std::memcpy(block_.data(), before.data(), begin_of_kept);
}

}  // namespace sim
