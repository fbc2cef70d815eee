// Writes Perfetto's own trace format: https://perfetto.dev/docs/reference/trace-packet-proto. Switches,
// wake-ups and forks are ftrace events in bundles per CPU, as a kernel records them. Events that the kernel
// cannot see are track events: kernel work per CPU, a counter, and sched_yield() on the threads. Times are
// exact.
//
// Readers sort packets by time. At equal times, packets without a CPU come first, then those of CPU 0, 1 and
// so on. Readers keep the order of events in a bundle.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/protobuf.h"
#include "sim/trace_io/export/thread_name_tracker.h"

namespace sim::trace_io {
namespace {

// Field numbers of the Protocol Buffers messages, with one namespace per message.
namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kFtraceEvents = 1, kProcessTree = 2, kChromeEvents = 5, kTimestamp = 8,
                        kSequenceId = 10, kTrackEvent = 11, kSequenceFlags = 13, kSystemInfo = 45,
                        kTrackDescriptor = 60;
}
namespace system_info {
constexpr std::uint32_t kUtsname = 1, kHz = 3, kCpus = 8;
constexpr std::uint32_t kSysname = 1, kVersion = 2, kRelease = 3;  // of utsname
}  // namespace system_info
namespace chrome_events {
constexpr std::uint32_t kMetadata = 2;
constexpr std::uint32_t kName = 1, kStringValue = 2;  // of metadata
}  // namespace chrome_events
namespace process_tree {
constexpr std::uint32_t kProcess = 1, kThread = 2;
constexpr std::uint32_t kPid = 1, kParent = 2, kCmdline = 3;  // fields of a process
constexpr std::uint32_t kTid = 1, kName = 2, kTgid = 3;       // fields of a thread
}  // namespace process_tree
namespace bundle {
constexpr std::uint32_t kCpu = 1, kEvent = 2;
}
// Field numbers of the message FtraceEvent. Each kind of event in this message has its own fields, numbered
// in the order of the fields of the kernel's tracepoint.
namespace ftrace {
constexpr std::uint32_t kTimestamp = 1, kPid = 2, kSwitch = 4, kWakeup = 17, kWaking = 20, kWakeupNew = 114,
                        kNewtask = 235, kExec = 237, kExit = 238, kFork = 239, kFree = 240, kMigrate = 491;
}
namespace track {
constexpr std::uint32_t kUuid = 1, kName = 2, kThread = 4, kParent = 5, kCounter = 8;
constexpr std::uint32_t kPid = 1, kTid = 2;  // of thread
}  // namespace track
namespace track_event {
constexpr std::uint32_t kAnnotation = 4, kType = 9, kTrack = 11, kName = 23, kCounterValue = 30;
constexpr std::uint32_t kAnnotationInteger = 4, kAnnotationName = 10;
enum Type : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
}  // namespace track_event

// Ids of tracks. The track of a CPU is kFirstCpuTrack plus its number; the track of a thread is
// kFirstThreadTrack plus its pid.
constexpr std::uint64_t kQueueTrack = 1, kWorkTrack = 2, kFirstCpuTrack = 3,
                        kFirstThreadTrack = std::uint64_t{1} << 32;

// The state bits are those of Linux since 4.14 (include/linux/sched.h). Readers use this release to convert
// the bits to letters.
constexpr const char* kRelease = "6.1.0";
constexpr std::int64_t linux_state_bits(PrevState state) {
    switch (state) {
        case PrevState::runnable:
            return 0;
        case PrevState::preempted:
            return 0x100;  // TASK_REPORT_MAX
        case PrevState::sleeping:
            return 1;  // TASK_INTERRUPTIBLE
        case PrevState::disk:
            return 2;  // TASK_UNINTERRUPTIBLE
        case PrevState::dead:
            break;
    }
    return 0x10;  // EXIT_DEAD
}

std::uint64_t timestamp(Nanos time) { return static_cast<std::uint64_t>(time.count()); }

class PerfettoWriter final : public EventSink {
  public:
    explicit PerfettoWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        using Message = ProtobufMessage;
        constexpr std::uint64_t kIncrementalStateCleared = 1;
        write(packet_in_sequence()
                  .add_unsigned(packet::kSequenceFlags, kIncrementalStateCleared)
                  .add_message(packet::kSystemInfo,
                               Message()
                                   .add_message(system_info::kUtsname,
                                                Message()
                                                    .add_text(system_info::kSysname, "Linux")
                                                    .add_text(system_info::kVersion, "switchyard")
                                                    .add_text(system_info::kRelease, kRelease))
                                   .add_unsigned(system_info::kHz, info.hz)
                                   .add_unsigned(system_info::kCpus, info.cpus)));
        write(packet_in_sequence().add_message(
            packet::kChromeEvents,
            Message().add_message(chrome_events::kMetadata,
                                  Message()
                                      .add_text(chrome_events::kName, "switchyard")
                                      .add_text(chrome_events::kStringValue, to_json(info)))));
        declare_track(kQueueTrack,
                      Message().add_text(track::kName, "nr_running").add_message(track::kCounter, Message()));
        declare_track(kWorkTrack, Message().add_text(track::kName, "kernel work"));
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        names_in_output_.introduce_threads(e, threads,
                                           [&](ThreadId t) { write_process_tree(e, t, threads); });
        while (bundles_.size() <= e.cpu) add_cpu_track();
        switch (e.kind) {
            case EventKind::yield:
                return add_yield(e, threads[e.current]);
            case EventKind::recalculation:
                return add_track_event(
                    e, kFirstCpuTrack + e.cpu, track_event::instant,
                    ProtobufMessage()
                        .add_text(track_event::kName, fmt::format("recalculation of {} counters", e.value))
                        .add_message(track_event::kAnnotation,
                                     ProtobufMessage()
                                         .add_text(track_event::kAnnotationName, "counters")
                                         .add_signed(track_event::kAnnotationInteger, e.value)));
            case EventKind::work_begin:
                return add_track_event(e, kFirstCpuTrack + e.cpu, track_event::slice_begin,
                                       ProtobufMessage().add_text(track_event::kName, e.what));
            case EventKind::work_end:
                return add_track_event(e, kFirstCpuTrack + e.cpu, track_event::slice_end, {});
            case EventKind::queue_length:
                return add_track_event(e, kQueueTrack, track_event::counter,
                                       ProtobufMessage().add_signed(track_event::kCounterValue, e.value));
            default:
                add_ftrace_events(e, threads);
        }
    }

    void end(Nanos) override {
        for (CpuId c = 0; c < bundles_.size(); ++c) finish_bundle(c);
        flush();
    }

  private:
    struct ThreadState {
        std::int32_t pid = 0;
        std::int32_t parent = 0;  // pid of the process's parent; 0: unknown
        bool has_track = false;
    };

    // All packets belong to one sequence, so that track events can refer to its tracks.
    static ProtobufMessage packet_in_sequence() {
        ProtobufMessage message;
        message.add_unsigned(packet::kSequenceId, 1);
        return message;
    }
    void write(const ProtobufMessage& packet) {
        text_ += ProtobufMessage().add_message(trace::kPacket, packet).bytes();
        constexpr std::size_t kEnough = 1 << 16;
        if (text_.size() >= kEnough) flush();
    }
    void flush() {
        output_(text_);
        text_.clear();
    }

    void declare_track(std::uint64_t uuid, ProtobufMessage descriptor) {
        write(packet_in_sequence().add_message(packet::kTrackDescriptor,
                                               descriptor.add_unsigned(track::kUuid, uuid)));
    }
    void add_cpu_track() {
        const std::size_t cpu = bundles_.size();
        bundles_.emplace_back();
        declare_track(kFirstCpuTrack + cpu, ProtobufMessage()
                                                .add_text(track::kName, fmt::format("CPU {}", cpu))
                                                .add_unsigned(track::kParent, kWorkTrack));
    }

    // Readers create a thread when they read a task_newtask event, so the thread's names must come after
    // that event.
    void write_process_tree(const SchedEvent& e, ThreadId id, const Threads& threads) {
        using Message = ProtobufMessage;
        const Thread& t = threads[id];
        const bool is_born = e.kind == EventKind::fork && id == e.thread;
        if (of_.size() < threads.size()) of_.resize(threads.size());
        ThreadState& of = of_[id];
        // A process that executes a new program keeps its parent. If another parent were written, readers
        // would treat the process as a different one.
        if (is_born || of.pid != t.pid) of = {.pid = t.pid, .parent = is_born ? threads[e.current].tgid : 0};
        of.has_track = false;
        Message tree;
        if (t.pid == t.tgid) {
            Message process;
            process.add_signed(process_tree::kPid, t.pid).add_text(process_tree::kCmdline, t.name);
            if (of.parent != 0) process.add_signed(process_tree::kParent, of.parent);
            tree.add_message(process_tree::kProcess, process);
        }
        tree.add_message(process_tree::kThread, Message()
                                                    .add_signed(process_tree::kTid, t.pid)
                                                    .add_text(process_tree::kName, t.name)
                                                    .add_signed(process_tree::kTgid, t.tgid));
        write(packet_in_sequence()
                  .add_unsigned(packet::kTimestamp, timestamp(e.time + Nanos{is_born ? 1 : 0}))
                  .add_message(packet::kProcessTree, tree));
    }

    void add_track_event(const SchedEvent& e, std::uint64_t uuid, track_event::Type type,
                         ProtobufMessage event) {
        event.add_unsigned(track_event::kType, type).add_unsigned(track_event::kTrack, uuid);
        write(packet_in_sequence()
                  .add_unsigned(packet::kTimestamp, timestamp(e.time))
                  .add_message(packet::kTrackEvent, event));
    }
    void add_yield(const SchedEvent& e, const Thread& thread) {
        const std::uint64_t uuid = kFirstThreadTrack + static_cast<std::uint32_t>(thread.pid);
        if (e.current != kIdleThread && !of_[e.current].has_track) {
            declare_track(uuid, ProtobufMessage().add_message(track::kThread,
                                                              ProtobufMessage()
                                                                  .add_signed(track::kPid, thread.tgid)
                                                                  .add_signed(track::kTid, thread.pid)));
            of_[e.current].has_track = true;
        }
        add_track_event(e, uuid, track_event::instant,
                        ProtobufMessage().add_text(track_event::kName, "sched_yield"));
    }

    // Consecutive events of one CPU form a bundle.
    void add_to_bundle(const SchedEvent& e, std::int32_t pid, std::uint32_t field,
                       const ProtobufMessage& event) {
        ProtobufMessage& events = bundles_[e.cpu];
        events.add_message(bundle::kEvent, ProtobufMessage()
                                               .add_unsigned(ftrace::kTimestamp, timestamp(e.time))
                                               .add_signed(ftrace::kPid, pid)
                                               .add_message(field, event));
        constexpr std::size_t kEnough = 1 << 14;
        if (events.bytes().size() >= kEnough) finish_bundle(e.cpu);
    }
    void finish_bundle(CpuId cpu) {
        ProtobufMessage& events = bundles_[cpu];
        if (events.bytes().empty()) return;
        write(
            packet_in_sequence().add_message(packet::kFtraceEvents, events.add_unsigned(bundle::kCpu, cpu)));
        events.clear();
    }

    void add_ftrace_events(const SchedEvent& e, const Threads& threads) {
        using Message = ProtobufMessage;
        const Thread& current = threads[e.current];
        const Thread& thread = threads[e.thread];
        switch (e.kind) {
            case EventKind::sched_switch:
                add_to_bundle(e, current.pid, ftrace::kSwitch,
                              Message()
                                  .add_text(1, comm(e.current, threads, e.cpu))
                                  .add_signed(2, current.pid)
                                  .add_signed(3, current.prio)
                                  .add_signed(4, linux_state_bits(e.state))
                                  .add_text(5, comm(e.thread, threads, e.cpu))
                                  .add_signed(6, thread.pid)
                                  .add_signed(7, thread.prio));
                if (e.state == PrevState::dead)
                    add_to_bundle(e, thread.pid, ftrace::kFree,
                                  Message()
                                      .add_text(1, current.name)
                                      .add_signed(2, current.pid)
                                      .add_signed(3, current.prio));
                return;
            case EventKind::waking:
                return add_wake_up(e, current.pid, ftrace::kWaking, thread);
            case EventKind::wakeup:
                return add_wake_up(e, current.pid, ftrace::kWakeup, thread);
            case EventKind::wakeup_new:
                // Linux emits no sched_waking for a new task, but readers count a wait only after a
                // sched_waking.
                add_wake_up(e, current.pid, ftrace::kWaking, thread);
                return add_wake_up(e, current.pid, ftrace::kWakeupNew, thread);
            case EventKind::migrate:
                return add_to_bundle(e, current.pid, ftrace::kMigrate,
                                     Message()
                                         .add_text(1, thread.name)
                                         .add_signed(2, thread.pid)
                                         .add_signed(3, thread.prio)
                                         .add_signed(4, e.value)
                                         .add_signed(5, e.target));
            case EventKind::fork:
                add_to_bundle(e, current.pid, ftrace::kFork,
                              Message()
                                  .add_text(1, comm(e.current, threads, e.cpu))
                                  .add_signed(2, current.pid)
                                  .add_text(3, thread.name)
                                  .add_signed(4, thread.pid));
                return add_new_task(e, current, thread);
            case EventKind::exec:
                return add_to_bundle(e, current.pid, ftrace::kExec,
                                     Message()
                                         .add_text(1, current.name)
                                         .add_signed(2, current.pid)
                                         .add_signed(3, current.pid));
            case EventKind::exit:
                return add_to_bundle(e, current.pid, ftrace::kExit,
                                     Message()
                                         .add_text(1, current.name)
                                         .add_signed(2, current.pid)
                                         .add_signed(3, current.tgid)
                                         .add_signed(4, current.prio));
            default:
                return;
        }
    }
    void add_wake_up(const SchedEvent& e, std::int32_t pid, std::uint32_t field, const Thread& thread) {
        add_to_bundle(e, pid, field,
                      ProtobufMessage()
                          .add_text(1, thread.name)
                          .add_signed(2, thread.pid)
                          .add_signed(3, thread.prio)
                          .add_signed(4, 1)
                          .add_signed(5, e.target));
    }
    // Declares the child as a thread of its parent's process, or as a process of its own. Does nothing if
    // the child is a thread of a third process: only write_process_tree() declares such a child.
    void add_new_task(const SchedEvent& e, const Thread& parent, const Thread& child) {
        constexpr std::uint64_t kNewProcess = 17;      // SIGCHLD
        constexpr std::uint64_t kNewThread = 0x10f00;  // CLONE_VM | _FS | _FILES | _SIGHAND | _THREAD
        if (child.tgid != child.pid && child.tgid != parent.tgid) return;
        add_to_bundle(e, parent.pid, ftrace::kNewtask,
                      ProtobufMessage()
                          .add_signed(1, child.pid)
                          .add_text(2, child.name)
                          .add_unsigned(3, child.tgid == child.pid ? kNewProcess : kNewThread)
                          .add_signed(4, 0));
    }

    Output output_;
    std::string text_;
    std::vector<ProtobufMessage> bundles_;  // by CPU: bundle that is not written yet
    std::vector<ThreadState> of_;           // by ThreadId
    ThreadNameTracker names_in_output_;
};

}  // namespace

ExportFormat perfetto_format() {
    return {.name = "perfetto",
            .ending = "perfetto-trace",
            .summary = "Perfetto's own format, with exact nanoseconds, for Perfetto and its SQL",
            .make = make_writer<PerfettoWriter>};
}

}  // namespace sim::trace_io
