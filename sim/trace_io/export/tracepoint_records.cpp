#include "sim/trace_io/export/tracepoint_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/base/text.h"

namespace sim::trace_io {
namespace {

constexpr std::size_t kCommBytes = 32, kTextBytes = 16;  // including the terminating 0

// Appends the text in a field of `bytes` bytes with a terminating 0. Text that is too long is cut at a
// character boundary.
void append_text_field(std::string& to, std::string_view text, std::size_t bytes) {
    std::size_t kept = 0;
    while (kept < text.size() && kept + character_at(text, kept).bytes < bytes)
        kept += character_at(text, kept).bytes;
    to.append(text.substr(0, kept)).append(bytes - kept, '\0');
}

struct RecordField {
    const char* declaration;  // in C
    std::size_t bytes;
    bool is_signed;
};

struct Tracepoint {
    const char* system;
    const char* name;
    std::vector<RecordField> fields;  // laid out as in C, without padding
    std::string print;                // format of the printed text, and its arguments
};

constexpr RecordField comm_field(const char* declaration) { return {declaration, kCommBytes, false}; }
constexpr RecordField int_field(const char* declaration) { return {declaration, 4, true}; }
constexpr RecordField long_field(const char* declaration) { return {declaration, 8, true}; }
constexpr RecordField text_field(const char* declaration) { return {declaration, kTextBytes, false}; }

// Bits of prev_state (include/linux/sched.h), and a bit for a preempted task.
constexpr std::int64_t kStateSleeping = 0x1, kStateDisk = 0x2, kStateDead = 0x10, kStatePreempted = 0x100;

// `preempted_expression`: a C expression about the record REC. The expression is true if the task was
// preempted.
std::string switch_print_format(std::string_view preempted_expression) {
    return fmt::format(
        R"("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", )"
        R"(REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? )"
        R"(__print_flags(REC->prev_state & 0xff, "|", {{ 0x01, "S" }}, {{ 0x02, "D" }}, {{ 0x04, "T" }}, )"
        R"({{ 0x08, "t" }}, {{ 0x10, "X" }}, {{ 0x20, "Z" }}, {{ 0x40, "P" }}, {{ 0x80, "I" }}) : "R", )"
        R"({} ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio)",
        preempted_expression);
}

// Additional tracepoints for perf. Their ids follow those of EventKind.
enum ExtraTracepoint : std::uint8_t { irq_handler_entry, irq_handler_exit, sched_stat_runtime };

Tracepoint kernel_tracepoint(EventKind kind, std::vector<RecordField> fields, std::string print) {
    return {"sched", to_string(kind), std::move(fields), std::move(print)};
}

Tracepoint simulator_tracepoint(EventKind kind, const RecordField& field, std::string print) {
    return {"switchyard", to_string(kind), {field}, std::move(print)};
}

Tracepoint switch_tracepoint(bool is_for_perf) {
    Tracepoint made = kernel_tracepoint(
        EventKind::sched_switch,
        {comm_field("char prev_comm[32]"), int_field("pid_t prev_pid"), int_field("int prev_prio"),
         long_field("long prev_state"), comm_field("char next_comm[32]"), int_field("pid_t next_pid"),
         int_field("int next_prio")},
        switch_print_format(is_for_perf ? "REC->preempted" : "REC->prev_state & 0x100"));
    if (is_for_perf) made.fields.push_back(int_field("int preempted"));
    return made;
}

Tracepoint wake_tracepoint(EventKind kind) {
    return kernel_tracepoint(kind,
                             {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio"),
                              int_field("int target_cpu")},
                             R"("comm=%s pid=%d prio=%d target_cpu=%03d", )"
                             R"(REC->comm, REC->pid, REC->prio, REC->target_cpu)");
}

// The tracepoints in Linux's sched.h, in the order of EventKind.
std::vector<Tracepoint> kernel_tracepoints(bool is_for_perf) {
    return {
        switch_tracepoint(is_for_perf),
        wake_tracepoint(EventKind::waking),
        wake_tracepoint(EventKind::wakeup),
        wake_tracepoint(EventKind::wakeup_new),
        kernel_tracepoint(EventKind::migrate,
                          {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio"),
                           int_field("int orig_cpu"), int_field("int dest_cpu")},
                          R"("comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", )"
                          R"(REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu)"),
        kernel_tracepoint(EventKind::fork,
                          {comm_field("char parent_comm[32]"), int_field("pid_t parent_pid"),
                           comm_field("char child_comm[32]"), int_field("pid_t child_pid")},
                          R"("comm=%s pid=%d child_comm=%s child_pid=%d", )"
                          R"(REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid)"),
        kernel_tracepoint(
            EventKind::exec,
            {comm_field("char filename[32]"), int_field("pid_t pid"), int_field("pid_t old_pid")},
            R"("filename=%s pid=%d old_pid=%d", REC->filename, REC->pid, REC->old_pid)"),
        kernel_tracepoint(EventKind::exit,
                          {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio")},
                          R"("comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio)"),
    };
}

// The tracepoints of events that only a simulator can see, in the order of EventKind.
std::vector<Tracepoint> simulator_tracepoints() {
    return {
        simulator_tracepoint(EventKind::yield, int_field("pid_t pid"), R"("pid=%d", REC->pid)"),
        simulator_tracepoint(EventKind::recalculation, long_field("long counters"),
                             R"("counters=%ld", REC->counters)"),
        simulator_tracepoint(EventKind::work_begin, text_field("char what[16]"), R"("%s", REC->what)"),
        simulator_tracepoint(EventKind::work_end, text_field("char what[16]"), R"("%s", REC->what)"),
        simulator_tracepoint(EventKind::queue_length, long_field("long tasks"), R"("tasks=%ld", REC->tasks)"),
    };
}

// The additional tracepoints for perf, in the order of ExtraTracepoint.
std::vector<Tracepoint> extra_tracepoints() {
    return {
        {"irq",
         "irq_handler_entry",
         {int_field("int irq"), text_field("char name[16]")},
         R"("irq=%d name=%s", REC->irq, REC->name)"},
        {"irq",
         "irq_handler_exit",
         {int_field("int irq"), int_field("int ret")},
         R"("irq=%d ret=%s", REC->irq, REC->ret ? "handled" : "unhandled")"},
        {"sched",
         "sched_stat_runtime",
         {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio"),
          long_field("u64 runtime")},
         R"("comm=%s pid=%d runtime=%Lu [ns]", REC->comm, REC->pid, REC->runtime)"},
    };
}

// All tracepoints, in the order of EventKind, then of ExtraTracepoint.
std::vector<Tracepoint> tracepoints(TracepointRecords::Reader reader) {
    const bool is_for_perf = reader == TracepointRecords::Reader::perf;
    std::vector<Tracepoint> list = kernel_tracepoints(is_for_perf);
    const auto append = [&](std::vector<Tracepoint> more) {
        list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    append(simulator_tracepoints());
    if (is_for_perf) append(extra_tracepoints());
    return list;
}

constexpr std::uint16_t kFirstId = 100;  // the ids of the kernel's own records are lower
constexpr auto kKinds = static_cast<std::uint16_t>(EventKind::queue_length) + std::uint16_t{1};

std::uint16_t tracepoint_id(EventKind kind) {
    return static_cast<std::uint16_t>(kFirstId + static_cast<std::uint16_t>(kind));
}
std::uint16_t tracepoint_id(ExtraTracepoint extra) {
    return static_cast<std::uint16_t>(kFirstId + kKinds + static_cast<std::uint16_t>(extra));
}

// The description of a record, as in /sys/kernel/tracing/events/.
std::string format_text(const Tracepoint& tracepoint, std::uint16_t id) {
    std::string text = fmt::format("name: {}\nID: {}\nformat:\n", tracepoint.name, id);
    std::size_t offset = 0;
    const auto add = [&](const RecordField& field) {
        text += fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", field.declaration, offset,
                            field.bytes, field.is_signed ? 1 : 0);
        offset += field.bytes;
    };
    for (const RecordField& field : {RecordField{"unsigned short common_type", 2, false},
                                     RecordField{"unsigned char common_flags", 1, false},
                                     RecordField{"unsigned char common_preempt_count", 1, false},
                                     RecordField{"int common_pid", 4, true}})
        add(field);
    text += '\n';
    for (const RecordField& field : tracepoint.fields) add(field);
    return text + fmt::format("\nprint fmt: {}\n", tracepoint.print);
}

// The flag bits are from enum trace_flag_type of include/linux/trace_events.h: irqs-off, need-resched (with
// preempt-resched) and hardirq.
std::uint8_t flags_of(const SchedEvent& e) {
    constexpr std::uint8_t kIrqsOff = 0x01, kNeedResched = 0x04 | 0x20, kHardIrq = 0x08;
    if (e.in_interrupt) return kIrqsOff | kHardIrq;
    if (e.kind == EventKind::sched_switch && e.state == PrevState::preempted) return kIrqsOff | kNeedResched;
    return kIrqsOff;
}

// The simulator's interrupts have no numbers; readers match an entry and an exit by CPU.
constexpr std::int32_t kIrqNumber = 0, kIrqHandled = 1;
constexpr std::uint8_t kInInterrupt = 0x01 | 0x08;

std::int64_t prev_state_bits(PrevState state) {
    constexpr std::int64_t kBits[] = {0, kStatePreempted, kStateSleeping, kStateDisk, kStateDead};
    return kBits[static_cast<std::size_t>(state)];
}

}  // namespace

std::string TracepointRecords::header(std::string_view version, Reader reader) {
    using namespace std::string_literals;
    constexpr std::uint8_t kLittleEndian = 0, kLong = 8;
    std::string text = "\x17\x08\x44";
    text.append(version).append(1, '\0');
    append_number(text, kLittleEndian);
    append_number(text, kLong);
    append_number(text, std::uint32_t{kPage});
    const auto add = [&](const std::string& what) {
        append_number(text, std::uint64_t{what.size()});
        text += what;
    };
    text += "header_page\0"s;
    add(
        fmt::format("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
                    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                    "\tfield: char data;\toffset:{};\tsize:{};\tsigned:0;\n",
                    kPageHeader, kPage - kPageHeader));
    text += "header_event\0"s;
    add("# compressed entry header\n"
        "\ttype_len    :    5 bits\n"
        "\ttime_delta  :   27 bits\n"
        "\tarray       :   32 bits\n"
        "\n"
        "\tpadding     : type == 29\n"
        "\ttime_extend : type == 30\n"
        "\ttime_stamp : type == 31\n"
        "\tdata max type_len  == 28\n");
    append_number(text, std::uint32_t{0});  // no events of ftrace itself
    const std::vector<Tracepoint> all = tracepoints(reader);
    std::vector<std::string_view> systems;
    for (const Tracepoint& tracepoint : all)
        if (std::find(systems.begin(), systems.end(), tracepoint.system) == systems.end())
            systems.emplace_back(tracepoint.system);
    append_number(text, static_cast<std::uint32_t>(systems.size()));
    for (const std::string_view system : systems) {
        text.append(system).append(1, '\0');
        const auto of_it =
            std::count_if(all.begin(), all.end(), [&](const Tracepoint& t) { return t.system == system; });
        append_number(text, static_cast<std::uint32_t>(of_it));
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].system == system) add(format_text(all[i], static_cast<std::uint16_t>(kFirstId + i)));
    }
    append_number(text, std::uint32_t{0});  // no addresses of functions
    append_number(text, std::uint32_t{0});  // no formats of printk
    return text;
}

std::vector<std::uint16_t> TracepointRecords::ids(Reader reader) {
    std::vector<std::uint16_t> list(tracepoints(reader).size());
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<std::uint16_t>(kFirstId + i);
    return list;
}

void TracepointRecords::begin_record(std::uint16_t id, std::uint8_t flags, const Thread& current) {
    record_.clear();
    append_number(record_, id);
    append_number(record_, flags);
    append_number(record_, std::uint8_t{0});  // preemption count
    append_number(record_, current.pid);
}

void TracepointRecords::append_thread(const Thread& thread) {
    append_text_field(record_, thread.name, kCommBytes);
    append_number(record_, thread.pid);
    append_number(record_, thread.prio);
}

const std::string& TracepointRecords::event_record(const SchedEvent& e, const Threads& threads) {
    const Thread& current = threads[e.current];
    const Thread& thread = threads[e.thread];
    const bool has_flag = reader_ == Reader::trace_cmd || e.state != PrevState::preempted;
    begin_record(tracepoint_id(e.kind), flags_of(e), current);
    switch (e.kind) {
        case EventKind::sched_switch:
            append_text_field(record_, comm(e.current, threads, e.cpu), kCommBytes);
            append_number(record_, current.pid);
            append_number(record_, current.prio);
            append_number(record_, has_flag ? prev_state_bits(e.state) : std::int64_t{0});
            append_text_field(record_, comm(e.thread, threads, e.cpu), kCommBytes);
            append_number(record_, thread.pid);
            append_number(record_, thread.prio);
            if (reader_ == Reader::perf) append_number(record_, std::int32_t{has_flag ? 0 : 1});
            break;
        case EventKind::waking:
        case EventKind::wakeup:
        case EventKind::wakeup_new:
            append_thread(thread);
            append_number(record_, e.target);
            break;
        case EventKind::migrate:
            append_thread(thread);
            append_number(record_, static_cast<std::int32_t>(e.value));
            append_number(record_, e.target);
            break;
        case EventKind::fork:
            append_text_field(record_, current.name, kCommBytes);
            append_number(record_, current.pid);
            append_text_field(record_, thread.name, kCommBytes);
            append_number(record_, thread.pid);
            break;
        case EventKind::exec:
            append_text_field(record_, current.name, kCommBytes);
            append_number(record_, current.pid);
            append_number(record_, current.pid);
            break;
        case EventKind::exit:
            append_thread(current);
            break;
        case EventKind::yield:
            append_number(record_, current.pid);
            break;
        case EventKind::recalculation:
        case EventKind::queue_length:
            append_number(record_, e.value);
            break;
        case EventKind::work_begin:
        case EventKind::work_end: {
            if (e.cpu >= work_.size()) work_.resize(e.cpu + 1);
            std::vector<const char*>& work = work_[e.cpu];
            if (e.kind == EventKind::work_begin) work.push_back(e.what);
            append_text_field(record_, work.empty() ? "" : work.back(), kTextBytes);
            if (e.kind == EventKind::work_end && !work.empty()) work.pop_back();
            break;
        }
    }
    return record_;
}

const std::string& TracepointRecords::interrupt_entry(const Thread& current) {
    begin_record(tracepoint_id(irq_handler_entry), kInInterrupt, current);
    append_number(record_, kIrqNumber);
    append_text_field(record_, "interrupt", kTextBytes);
    return record_;
}

const std::string& TracepointRecords::interrupt_exit(const Thread& current) {
    begin_record(tracepoint_id(irq_handler_exit), kInInterrupt, current);
    append_number(record_, kIrqNumber);
    append_number(record_, kIrqHandled);
    return record_;
}

const std::string& TracepointRecords::run_time_record(const Thread& current, Nanos time) {
    begin_record(tracepoint_id(sched_stat_runtime), 0x01, current);
    append_thread(current);
    append_number(record_, time.count());
    return record_;
}

}  // namespace sim::trace_io
