#include "sim/replay/timeline.h"

#include <algorithm>
#include <utility>

namespace sim {
namespace {

// Builds the slices of a timeline from the trace. The builder starts before the window, at a time at which no
// CPU executes a kernel call that continues in the window.
class SliceBuilder {
  public:
    SliceBuilder(Timeline& out, const RunHistory& history, const Moment& first, Nanos simulated_end)
        : out_(out),
          cost_calculator_(history.scenario().machine.costs),
          first_(first),
          end_(std::min(out.end, simulated_end)) {
        const Machine& m = first.machine;
        rows_ = m.shape().cpus + m.shape().tasks;
        out_.cpus.resize(m.shape().cpus);
        out_.tasks.resize(rows_);
        states_.resize(rows_);
        cpus_.resize(m.shape().cpus);
        runnable_ = m.globals().nr_running;
        out_.runnable_counts.push_back({out.begin, runnable_});
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
            if (m.is_live(p)) set(p, of(m, p), m.globals().now, m.task[p].processor, m.task[p].waiting_on);
        for (CpuId c = 0; c < cpus_.size(); ++c) {
            cpus_[c].current = m.cpu(c).current;
            cpus_[c].kernel_until = m.cpu(c).kernel_until;
            cpus_[c].mm = m.cpu(c).active_mm;
            cpus_[c].borrowed = m.cpu(c).active_mm != m.task[m.cpu(c).current].mm;
        }
    }

    // Processes one trace record. `index`: its index in the window's trace; kNoRecord for a record before
    // the window.
    void follow(const TraceRecord& r, std::uint32_t index) {
        catch_up(r.time);
        switch (r.kind) {
            case TraceKind::wake_up:
                set(r.task, TaskActivity::ready, r.time, 0, kNoChannel, index);
                change_runnable_count(r.time, +1);
                add_marker(r.time, index);
                break;
            case TraceKind::fork:
                set(r.task, TaskActivity::ready, r.time, 0, kNoChannel, index);
                add_marker(r.time, index);
                break;
            case TraceKind::tick:
            case TraceKind::yield:
                add_marker(r.time, index);
                break;
            case TraceKind::exit:
                cpus_[r.cpu].leaving = LeaveReason::exit;
                change_runnable_count(r.time, -1);
                add_marker(r.time, index);
                break;
            case TraceKind::sleep:
                block(r, r.channel == kNoChannel ? LeaveReason::sleep : LeaveReason::wait);
                break;
            case TraceKind::wait:
                block(r, LeaveReason::wait);
                break;
            case TraceKind::syscall:
                add_system_call(r, index);
                break;
            case TraceKind::schedule:
                schedule(r, index);
                break;
            case TraceKind::interrupt:
                interrupt(r, index);
                break;
            case TraceKind::exec:
                cpus_[r.cpu].mm = r.mm;
                cpus_[r.cpu].borrowed = false;
                add_marker(r.time, index);
                break;
            case TraceKind::flush_ipi:
            case TraceKind::leave_mm:
            case TraceKind::reschedule_ipi:
                add_marker(r.time, index);
                break;
            // These records describe details of the preceding switch, whose record contains the new address
            // space.
            case TraceKind::borrow_mm:
                cpus_[r.cpu].borrowed = true;
                break;
            case TraceKind::return_mm:
            case TraceKind::drop_mm:
            case TraceKind::intervention:  // the effects of the intervention have records of their own
                break;
        }
    }

    void finish() {
        catch_up(end_);
        for (CpuId c = 0; c < cpus_.size(); ++c) add_user_time_until(c, end_);
        for (TaskId p = 0; p < rows_; ++p) close(p, end_);
    }

  private:
    enum class LeaveReason : std::uint8_t { no, sleep, wait, exit };

    // State of a CPU at the current record of the trace. The CPU is in the kernel until `kernel_until`, then
    // it runs `current`.
    struct CpuState {
        Nanos kernel_until{};
        TaskId current = 0;
        std::uint32_t record = kNoRecord;       // record of the schedule() that chose `current`
        LeaveReason leaving = LeaveReason::no;  // why the current task leaves the CPU at the next schedule()
        ChannelId channel = kNoChannel;         // for LeaveReason::wait
        MmId mm = kKernelMm;                    // active_mm
        bool borrowed = false;
        struct ActivityChange {
            TaskId task;
            TaskActivity activity;
            ChannelId channel;
        };
        std::vector<ActivityChange> changes;  // activities that tasks begin at kernel_until
    };

    static TaskActivity of(const Machine& m, TaskId p) {
        switch (m.task[p].state) {
            case TaskState::interruptible:
            case TaskState::on_timer:
                return TaskActivity::sleeping;
            case TaskState::waiting:
            case TaskState::in_service:
                return TaskActivity::waiting;
            default:
                return m.task[p].processor == Task::kNoProcessor ? TaskActivity::ready
                                                                 : TaskActivity::running;
        }
    }

    void block(const TraceRecord& r, LeaveReason leaving) {
        cpus_[r.cpu].leaving = leaving;
        cpus_[r.cpu].channel = r.channel;
        change_runnable_count(r.time, -1);
    }

    void add_system_call(const TraceRecord& r, std::uint32_t index) {
        CpuState& cpu = cpus_[r.cpu];
        add_user_time_until(r.cpu, r.time);
        add(r.cpu, r.time, r.time + r.span, r.task, CpuActivity::system, index);
        cpu.kernel_until = r.time + r.span;
        set(r.task, TaskActivity::kernel, r.time, r.cpu);
        change_activity_later(cpu, r.task, TaskActivity::running);
    }

    void schedule(const TraceRecord& r, std::uint32_t index) {
        CpuState& cpu = cpus_[r.cpu];
        add_user_time_until(r.cpu, r.time);
        const bool switched = r.task != r.other;
        add_overhead(r.cpu, r.time, cost_calculator_.overhead_of(work_of_schedule_call(r)), r.other, index);
        if (r.decision.recalculations > 0) add_marker(r.time, index);
        cpu.kernel_until = r.time + r.span;
        cpu.current = r.task;
        cpu.record = index;
        cpu.mm = r.mm;
        if (switched) cpu.borrowed = false;
        const Machine& m = first_.machine;
        if (!m.is_idle_task(r.other)) {
            set(r.other, TaskActivity::kernel, r.time, r.cpu);
            if (cpu.leaving == LeaveReason::exit)
                end_task_later(cpu, r.other);
            else
                change_activity_later(
                    cpu, r.other,
                    !switched                           ? TaskActivity::running
                    : cpu.leaving == LeaveReason::sleep ? TaskActivity::sleeping
                    : cpu.leaving == LeaveReason::wait  ? TaskActivity::waiting
                                                        : TaskActivity::ready,
                    switched && cpu.leaving == LeaveReason::wait ? cpu.channel : kNoChannel);
        }
        if (switched && !m.is_idle_task(r.task)) change_activity_later(cpu, r.task, TaskActivity::running);
        cpu.leaving = LeaveReason::no;
        if (r.span == Nanos{}) catch_up(r.time);
    }

    void add_overhead(CpuId c, Nanos at, const Overhead& o, TaskId task, std::uint32_t record) {
        const auto part = [&](Nanos span, CpuActivity activity) {
            add(c, at, at + span, task, activity, record);
            at += span;
        };
        part(o.system, CpuActivity::system);
        part(o.select, CpuActivity::select);
        part(o.recalculation, CpuActivity::recalculation);
        part(o.context_switch, CpuActivity::context_switch);
        part(o.address_space, CpuActivity::address_space);
        part(o.cache_refill, CpuActivity::cache_refill);
    }

    // Adds the kernel time of an interrupt. If the CPU is already in the kernel, extends the current interval
    // of kernel time.
    void interrupt(const TraceRecord& r, std::uint32_t index) {
        CpuState& cpu = cpus_[r.cpu];
        if (cpu.kernel_until <= r.time) {
            add_user_time_until(r.cpu, r.time);
            cpu.kernel_until = r.time;
            if (!first_.machine.is_idle_task(r.task)) {
                set(r.task, TaskActivity::kernel, r.time, r.cpu);
                change_activity_later(cpu, r.task, TaskActivity::running);
            }
        }
        const Nanos handler = cpu.kernel_until + r.extra;
        add(r.cpu, cpu.kernel_until, handler, r.task, CpuActivity::stolen, index);
        cpu.kernel_until += r.span;
        add(r.cpu, handler, cpu.kernel_until, r.task, CpuActivity::interrupt, index);
    }

    // Adds the interval from the end of the kernel work to `until`, in which the current task ran or the CPU
    // was idle.
    void add_user_time_until(CpuId c, Nanos until) {
        const CpuState& cpu = cpus_[c];
        const bool idle = first_.machine.is_idle_task(cpu.current);
        add(c, cpu.kernel_until, until, cpu.current, idle ? CpuActivity::idle : CpuActivity::user,
            cpu.record);
    }

    void add(CpuId c, Nanos begin, Nanos end, TaskId task, CpuActivity activity, std::uint32_t record) {
        begin = std::max(begin, out_.begin);
        end = std::min(end, end_);
        if (begin >= end) return;
        out_.cpus[c].push_back({begin, end, task, activity, record, cpus_[c].mm, cpus_[c].borrowed});
    }

    static constexpr auto kGone = static_cast<TaskActivity>(0xff);

    void change_activity_later(CpuState& cpu, TaskId p, TaskActivity activity,
                               ChannelId channel = kNoChannel) {
        cpu.changes.push_back({p, activity, channel});
    }
    void end_task_later(CpuState& cpu, TaskId p) { cpu.changes.push_back({p, kGone, kNoChannel}); }

    // Applies the changes of all CPUs whose kernel work has ended by `now`, in order of time. The order
    // matters because a task may already run on one CPU while another CPU is still switching away from this
    // task.
    void catch_up(Nanos now) {
        for (CpuId c; (c = first_cpu_to_change(now)) != kNoCpu;) {
            CpuState& cpu = cpus_[c];
            for (const CpuState::ActivityChange& change : cpu.changes) {
                if (change.activity == kGone) {
                    if (states_[change.task].activity == TaskActivity::kernel)
                        close(change.task, cpu.kernel_until);
                } else if (change.activity == TaskActivity::running || is_still_in_kernel(change.task, c)) {
                    set(change.task, change.activity, cpu.kernel_until, c, change.channel);
                }
            }
            cpu.changes.clear();
        }
    }
    CpuId first_cpu_to_change(Nanos now) const {
        CpuId first = kNoCpu;
        for (CpuId c = 0; c < cpus_.size(); ++c)
            if (!cpus_[c].changes.empty() && cpus_[c].kernel_until <= now &&
                (first == kNoCpu || cpus_[c].kernel_until < cpus_[first].kernel_until))
                first = c;
        return first;
    }

    // Whether p is still in the kernel on CPU c. Before c has finished switching away from a sleeping task,
    // this task may be woken, and may even be in the kernel on another CPU.
    bool is_still_in_kernel(TaskId p, CpuId c) const {
        const OpenSlice& s = states_[p];
        return s.alive && s.activity == TaskActivity::kernel && s.cpu == c;
    }

    struct OpenSlice {
        bool alive = false;
        TaskActivity activity{};
        Nanos since{};
        CpuId cpu = 0;
        ChannelId channel = kNoChannel;
        std::uint32_t record = kNoRecord;
    };

    void set(TaskId p, TaskActivity activity, Nanos at, CpuId cpu, ChannelId channel = kNoChannel,
             std::uint32_t record = kNoRecord) {
        close(p, at);
        states_[p] = {true, activity, at, cpu, channel, record};
    }

    void close(TaskId p, Nanos at) {
        OpenSlice& s = states_[p];
        const Nanos begin = std::max(s.since, out_.begin);
        const Nanos end = std::min(at, end_);
        if (s.alive && begin < end)
            out_.tasks[p].push_back({begin, end, s.activity, s.cpu, s.channel, s.record});
        s.alive = false;
    }

    void add_marker(Nanos time, std::uint32_t record) {
        if (record != kNoRecord) out_.marks.push_back({time, record});
    }

    void change_runnable_count(Nanos time, int difference) {
        runnable_ = static_cast<std::uint32_t>(static_cast<int>(runnable_) + difference);
        time = std::max(time, out_.begin);
        if (out_.runnable_counts.back().time == time)
            out_.runnable_counts.back().runnable = runnable_;
        else
            out_.runnable_counts.push_back({time, runnable_});
    }

    Timeline& out_;
    CostCalculator cost_calculator_;
    const Moment& first_;
    Nanos end_;
    std::uint32_t rows_ = 0, runnable_ = 0;
    std::vector<OpenSlice> states_;
    std::vector<CpuState> cpus_;
};

}  // namespace

const char* to_string(CpuActivity activity) {
    switch (activity) {
        case CpuActivity::user:
            return "user";
        case CpuActivity::system:
            return "system call";
        case CpuActivity::select:
            return "search";
        case CpuActivity::recalculation:
            return "recalculation";
        case CpuActivity::context_switch:
            return "switch";
        case CpuActivity::address_space:
            return "address space";
        case CpuActivity::cache_refill:
            return "cache refill";
        case CpuActivity::stolen:
            return "stolen";
        case CpuActivity::interrupt:
            return "interrupt";
        case CpuActivity::idle:
            return "idle";
    }
    return "?";
}

const char* to_string(TaskActivity activity) {
    switch (activity) {
        case TaskActivity::running:
            return "running";
        case TaskActivity::kernel:
            return "in the kernel";
        case TaskActivity::ready:
            return "ready";
        case TaskActivity::sleeping:
            return "sleeping";
        case TaskActivity::waiting:
            return "waiting";
    }
    return "?";
}

std::string Timeline::name(const Scenario& scenario, TaskId p, Nanos at) const {
    if (p < cpus.size()) return "idle";
    // Finds the most recent name of the task at time `at`. For times before the window, this is the task's
    // first name.
    auto next = std::upper_bound(names_.begin(), names_.end(), std::pair{p, at},
                                 [](const auto& key, const NameSince& n) {
                                     return key.first != n.task ? key.first < n.task : key.second < n.from;
                                 });
    if (next != names_.begin() && (next - 1)->task == p) --next;
    if (next == names_.end() || next->task != p) return "?";
    return scenario.task_name(next->group, next->ordinal);
}

std::string Timeline::mm_name(const Scenario& scenario, MmId mm, Nanos at) const {
    auto next = std::upper_bound(owners_.begin(), owners_.end(), std::pair{mm, at},
                                 [](const auto& key, const MmOwner& o) {
                                     return key.first != o.mm ? key.first < o.mm : key.second < o.from;
                                 });
    if (next != owners_.begin() && (next - 1)->mm == mm) --next;
    const bool known = next != owners_.end() && next->mm == mm;
    return scenario.mm_name(mm, known ? name(scenario, next->task, std::max(at, next->from)) : std::string{});
}

namespace {

// Sets `out` to a state before `begin` in which no CPU is in a kernel call that lasts beyond `begin`, because
// the slices of a kernel call can be built only from its start.
void seek_before_kernel_call(const RunHistory& history, Nanos begin, Moment& out) {
    const CostCalculator calculator(history.scenario().machine.costs);
    const Machine& m = out.machine;
    // The search begins one nanosecond before `begin`, so that an intervention at `begin` is in the trace.
    const Nanos last =
        std::max(Nanos{}, Nanos(std::min(begin, history.simulated_end().machine.globals().now) - 1ns));
    Nanos from = last;
    for (Nanos earlier = from;; from = earlier) {
        history.state_at(from, out);
        for (CpuId c = 0; c < m.shape().cpus; ++c) {
            if (m.cpu(c).kernel_until <= last) continue;
            const Overhead call = calculator.overhead_of(out.statistics.cpus[c].latest);
            earlier = std::min(earlier, m.cpu(c).kernel_until - call.total());
        }
        if (earlier == from) return;
    }
}

// Simulates up to `until`, but not beyond simulated_end(). Interventions after the last event are included.
void advance_in_run(const RunHistory& history, Moment& moment, Nanos until, Trace& trace) {
    const Globals& simulated_end = history.simulated_end().machine.globals();
    history.advance(moment, {.until = until, .events = simulated_end.events}, &trace);
    history.advance(moment, {.until = std::min(until, simulated_end.now), .events = simulated_end.events + 1},
                    &trace);
}

// Adds the records up to `end` to `trace`. Returns false if there are more than `most_records`.
bool read_window(const RunHistory& history, Moment& moment, Nanos end, std::size_t most_records,
                 Trace& trace) {
    const std::uint64_t last = history.simulated_end().machine.globals().events;
    // The window is read in chunks, so that reading can stop early if there are too many records.
    const auto events = [&moment] { return moment.machine.globals().events; };
    for (std::uint64_t piece = events(); events() == piece && piece < last;) {
        piece = std::min(last, events() + 4096);
        history.advance(moment, {.until = end, .events = piece}, &trace);
        if (trace.records.size() > most_records) return false;
    }
    advance_in_run(history, moment, end, trace);
    // Interventions at `end` belong to the next window.
    while (!trace.records.empty() && trace.records.back().time >= end) trace.records.pop_back();
    return true;
}

// Builds the slices of `timeline` from the records before the window and in it, and numbers the decisions.
void build_slices(SliceBuilder builder, const Trace& before, Timeline& timeline) {
    for (const TraceRecord& r : before.records) builder.follow(r, kNoRecord);
    std::uint64_t decision = timeline.first_decision;
    timeline.decision_numbers.reserve(timeline.trace.records.size());
    for (std::uint32_t i = 0; i < timeline.trace.records.size(); ++i) {
        timeline.decision_numbers.push_back(decision);
        if (timeline.trace.records[i].kind == TraceKind::schedule) ++decision;
        builder.follow(timeline.trace.records[i], i);
    }
    builder.finish();
}

}  // namespace

std::optional<Timeline> make_timeline(const RunHistory& history, Nanos begin, Nanos end,
                                      std::size_t most_records) {
    Timeline t;
    t.begin = begin;
    t.end = end;
    const Nanos simulated_end = history.simulated_end().machine.globals().now;

    Moment moment = history.beginning();
    seek_before_kernel_call(history, begin, moment);
    const Moment first = moment;
    Trace before;
    advance_in_run(history, moment, begin, before);
    const auto in_window = std::find_if(before.records.begin(), before.records.end(),
                                        [&](const TraceRecord& r) { return r.time >= begin; });
    t.trace.records.assign(in_window, before.records.end());
    before.records.erase(in_window, before.records.end());
    t.first_decision = moment.machine.globals().decisions + 1;

    if (!read_window(history, moment, end, most_records, t.trace)) return std::nullopt;

    const Machine& m = first.machine;
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p)) t.names_.push_back({p, Nanos{}, m.task[p].group, m.task[p].ordinal});
    for (const Trace* trace : {&std::as_const(before), &std::as_const(t.trace)})
        for (const TraceRecord& r : trace->records)
            if (r.kind == TraceKind::fork || r.kind == TraceKind::exec)
                t.names_.push_back({r.task, r.time, r.group, r.ordinal});
    // Records are in order of time. The stable sort keeps this order for each task.
    std::stable_sort(t.names_.begin(), t.names_.end(),
                     [](const auto& a, const auto& b) { return a.task < b.task; });

    // Finds the owner of each address space that only one task uses and that is loaded in the window.
    std::vector<TaskId> latest(m.shape().mms, kNoTask);
    const auto owns = [&](MmId mm, TaskId p, Nanos from) {
        if (mm <= history.scenario().shared_mms || latest[mm] == p) return;
        latest[mm] = p;
        t.owners_.push_back({mm, from, p});
    };
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        if (m.is_live(p)) owns(m.task[p].mm, p, Nanos{});
    for (const Trace* trace : {&std::as_const(before), &std::as_const(t.trace)})
        for (const TraceRecord& r : trace->records)
            if (r.loads_mm || r.kind == TraceKind::exec) owns(r.mm, r.task, r.time);
    std::stable_sort(t.owners_.begin(), t.owners_.end(),
                     [](const auto& a, const auto& b) { return a.mm < b.mm; });

    build_slices(SliceBuilder(t, history, first, simulated_end), before, t);
    return t;
}

}  // namespace sim
