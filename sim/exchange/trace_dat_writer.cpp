// trace-cmd's file, version 6 (trace-cmd.dat.v6(5)): for each CPU the pages of a ring buffer as Linux fills
// them (kernel/trace/ring_buffer.c), and before them what the records in them look like.
//
// A record is described in the file itself, so the numbers and the layouts of events are our own, and readers
// know the tracepoints by their names and fields. What the kernel cannot see has records of its own, of a
// system "switchyard", and no texts in ftrace/print: KernelShark and trace-cmd then filter by event and by
// field, and KernelShark plots nr_running; neither of them makes anything of the markers of atrace. Names
// have twice the room that the kernel gives them, which both of them show: a scenario's are longer.
//
// The header says where the pages of each CPU are and how long, and the bytes of a file are handed over in
// their order: so the pages wait in files without a name for the end, when all is known.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "sim/base/nameless_file.h"
#include "sim/base/text.h"
#include "sim/exchange/formats.h"

namespace sim::exchange {
namespace {

constexpr std::size_t kDatPage = 4096, kDatPageHeader = 16;
constexpr std::size_t kDatComm = 32, kDatWhat = 16;  // of texts, with their end

// What happens at 0 stands one nanosecond later: KernelShark takes a time of 0 for none, and what has none
// for what comes last (libkshark-tepdata.c, pick_next_cpu()).
constexpr Nanos kDatFirst{1};

// Numbers are little-endian in the whole file.
template <typename Number>
void append_number(std::string& to, Number number) {
    for (std::size_t byte = 0; byte < sizeof number; ++byte)
        to += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte) & 0xff);
}

// In so many bytes, of which the last one is 0; never a part of a character.
void append_text(std::string& to, std::string_view text, std::size_t bytes) {
    std::size_t kept = 0;
    while (kept < text.size() && kept + character_at(text, kept).bytes < bytes)
        kept += character_at(text, kept).bytes;
    to.append(text.substr(0, kept)).append(bytes - kept, '\0');
}

struct DatField {
    const char* declaration;  // in C
    std::size_t bytes;
    bool is_signed;
};

struct DatEvent {
    const char* system;
    std::vector<DatField> fields;  // each stands where C would put it: no gaps
    const char* print;             // what is printed of it: a format, and its arguments
};

constexpr DatField comm_field(const char* declaration) { return {declaration, kDatComm, false}; }
constexpr DatField int_field(const char* declaration) { return {declaration, 4, true}; }
constexpr DatField long_field(const char* declaration) { return {declaration, 8, true}; }
constexpr DatField what_field() { return {"char what[16]", kDatWhat, false}; }

// As prev_state is printed: bits of include/linux/sched.h, and one for who would rather have stayed.
constexpr std::int64_t kDatSleeping = 0x1, kDatDisk = 0x2, kDatDead = 0x10, kDatPreempted = 0x100;
constexpr const char* kDatSwitchPrint =
    R"("prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", )"
    R"(REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? )"
    R"(__print_flags(REC->prev_state & 0xff, "|", { 0x01, "S" }, { 0x02, "D" }, { 0x04, "T" }, )"
    R"({ 0x08, "t" }, { 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }) : "R", )"
    R"(REC->prev_state & 0x100 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio)";

// In the order of EventKind.
const std::vector<DatEvent>& dat_events() {
    static const auto wake = [] {
        return DatEvent{"sched",
                        {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio"),
                         int_field("int target_cpu")},
                        R"("comm=%s pid=%d prio=%d target_cpu=%03d", )"
                        R"(REC->comm, REC->pid, REC->prio, REC->target_cpu)"};
    };
    static const std::vector<DatEvent> list{
        {"sched",
         {comm_field("char prev_comm[32]"), int_field("pid_t prev_pid"), int_field("int prev_prio"),
          long_field("long prev_state"), comm_field("char next_comm[32]"), int_field("pid_t next_pid"),
          int_field("int next_prio")},
         kDatSwitchPrint},
        wake(),
        wake(),
        wake(),
        {"sched",
         {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio"),
          int_field("int orig_cpu"), int_field("int dest_cpu")},
         R"("comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", )"
         R"(REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu)"},
        {"sched",
         {comm_field("char parent_comm[32]"), int_field("pid_t parent_pid"),
          comm_field("char child_comm[32]"), int_field("pid_t child_pid")},
         R"("comm=%s pid=%d child_comm=%s child_pid=%d", )"
         R"(REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid)"},
        {"sched",
         {comm_field("char filename[32]"), int_field("pid_t pid"), int_field("pid_t old_pid")},
         R"("filename=%s pid=%d old_pid=%d", REC->filename, REC->pid, REC->old_pid)"},
        {"sched",
         {comm_field("char comm[32]"), int_field("pid_t pid"), int_field("int prio")},
         R"("comm=%s pid=%d prio=%d", REC->comm, REC->pid, REC->prio)"},
        {"switchyard", {int_field("pid_t pid")}, R"("pid=%d", REC->pid)"},
        {"switchyard", {long_field("long counters")}, R"("counters=%ld", REC->counters)"},
        {"switchyard", {what_field()}, R"("%s", REC->what)"},
        {"switchyard", {what_field()}, R"("%s", REC->what)"},
        {"switchyard", {long_field("long tasks")}, R"("tasks=%ld", REC->tasks)"},
    };
    return list;
}

// As /sys/kernel/tracing/events/ has it.
std::string format_text(EventKind kind, std::uint16_t id) {
    const DatEvent& event = dat_events()[static_cast<std::size_t>(kind)];
    std::string text = fmt::format("name: {}\nID: {}\nformat:\n", to_string(kind), id);
    std::size_t offset = 0;
    const auto add = [&](const DatField& field) {
        text += fmt::format("\tfield:{};\toffset:{};\tsize:{};\tsigned:{};\n", field.declaration, offset,
                            field.bytes, field.is_signed ? 1 : 0);
        offset += field.bytes;
    };
    for (const DatField& field :
         {DatField{"unsigned short common_type", 2, false}, DatField{"unsigned char common_flags", 1, false},
          DatField{"unsigned char common_preempt_count", 1, false}, DatField{"int common_pid", 4, true}})
        add(field);
    text += '\n';
    for (const DatField& field : event.fields) add(field);
    return text + fmt::format("\nprint fmt: {}\n", event.print);
}

// What waits for the end: a little of it in memory, the rest in a file.
class WaitingBytes {
  public:
    void add(std::string_view bytes) {
        size_ += bytes.size();
        latest_ += bytes;
        constexpr std::size_t kEnough = 1 << 16;
        if (latest_.size() < kEnough) return;
        if (!file_) file_.emplace();
        file_->write(latest_);
        latest_.clear();
    }
    std::uint64_t size() const { return size_; }
    void hand_over(const Output& output) {
        if (file_) file_->read(output);
        output(latest_);
    }

  private:
    std::optional<NamelessFile> file_;
    std::string latest_;
    std::uint64_t size_ = 0;
};

// The pages of one CPU. A page says when its first record was; each of the others says how long after the
// one before it came, in 27 bits, or after a record of 8 bytes in 59.
class RingBuffer {
  public:
    // REQUIRES: not before the last one; 1 to 28 words of 4 bytes.
    void add(Nanos time, std::string_view record) {
        constexpr unsigned kDeltaBits = 27, kTimeExtend = 30, kWordBits = 5;
        constexpr std::uint64_t kLongDelta = std::uint64_t{1} << kDeltaBits;
        constexpr std::uint64_t kBeyondExtend = std::uint64_t{1} << (kDeltaBits + 32);
        constexpr std::size_t kRecordHeader = 4, kExtend = 8;
        auto delta = static_cast<std::uint64_t>((time - last_).count());
        const std::size_t room = (delta < kLongDelta ? 0 : kExtend) + kRecordHeader + record.size();
        if (page_.size() + room > kDatPage || delta >= kBeyondExtend) finish_page();
        if (page_.empty()) {
            append_number(page_, time.count());
            append_number(page_, std::uint64_t{0});  // how much is in it: see finish_page()
            delta = 0;
        }
        if (delta >= kLongDelta) {
            append_number(page_,
                          static_cast<std::uint32_t>((delta & (kLongDelta - 1)) << kWordBits | kTimeExtend));
            append_number(page_, static_cast<std::uint32_t>(delta >> kDeltaBits));
            delta = 0;
        }
        append_number(page_, static_cast<std::uint32_t>(delta << kWordBits | record.size() / 4));
        page_ += record;
        last_ = time;
    }

    // Those that are full; all of them after finish_page().
    WaitingBytes& pages() { return pages_; }

    void finish_page() {
        if (page_.empty()) return;
        std::string length;
        append_number(length, std::uint64_t{page_.size() - kDatPageHeader});
        page_.replace(kDatPageHeader - length.size(), length.size(), length);
        page_.resize(kDatPage);
        pages_.add(page_);
        page_.clear();
    }

  private:
    std::string page_;  // that is being filled
    WaitingBytes pages_;
    Nanos last_{};
};

class TraceDatWriter final : public EventSink {
  public:
    explicit TraceDatWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        run_ = to_json(info);
        of_.resize(info.cpus);
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        const Thread& current = threads[e.current];
        const Thread& thread = threads[e.thread];
        meet(e.current, threads);
        meet(e.thread, threads);
        if (e.cpu >= of_.size()) of_.resize(e.cpu + 1);
        OfCpu& of = of_[e.cpu];
        record_.clear();
        append_number(record_, id_of(e.kind));
        append_number(record_, flags_of(e));
        append_number(record_, std::uint8_t{0});  // how often preemption is forbidden
        append_number(record_, current.pid);
        switch (e.kind) {
            case EventKind::sched_switch:
                append_text(record_, comm(e.current, threads, e.cpu), kDatComm);
                append_number(record_, current.pid);
                append_number(record_, current.prio);
                append_number(record_, bits_of(e.state));
                append_text(record_, comm(e.thread, threads, e.cpu), kDatComm);
                append_number(record_, thread.pid);
                append_number(record_, thread.prio);
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
                append_text(record_, current.name, kDatComm);
                append_number(record_, current.pid);
                append_text(record_, thread.name, kDatComm);
                append_number(record_, thread.pid);
                break;
            case EventKind::exec:
                append_text(record_, current.name, kDatComm);
                append_number(record_, current.pid);
                append_number(record_, current.pid);
                break;
            case EventKind::exit:
                append_thread(current);
                break;
            case EventKind::yield:
                append_number(record_, current.pid);
                break;
            case EventKind::refill:
            case EventKind::queue_length:
                append_number(record_, e.value);
                break;
            case EventKind::work_begin:
                of.work.push_back(e.what);
                append_text(record_, e.what, kDatWhat);
                break;
            case EventKind::work_end:
                append_text(record_, of.work.empty() ? "" : of.work.back(), kDatWhat);
                if (!of.work.empty()) of.work.pop_back();
                break;
        }
        of.buffer.add(std::max(e.time, kDatFirst), record_);
    }

    void end(Nanos) override {
        for (const Known& known : known_) name(known);
        std::string header = before_the_names();
        append_number(header, names_.size());
        output_(header);
        names_.hand_over(output_);
        const std::string rest = after_the_names();
        std::uint64_t offset = header.size() + names_.size() + rest.size() + 2 * 8 * of_.size();
        const std::uint64_t gap = (kDatPage - offset % kDatPage) % kDatPage;
        offset += gap;
        std::string places;
        for (OfCpu& of : of_) {
            of.buffer.finish_page();
            append_number(places, offset);
            append_number(places, of.buffer.pages().size());
            offset += of.buffer.pages().size();
        }
        output_(rest + places + std::string(gap, '\0'));
        for (OfCpu& of : of_) of.buffer.pages().hand_over(output_);
    }

  private:
    struct OfCpu {
        RingBuffer buffer;
        std::vector<const char*> work;  // that has begun, the innermost last
    };
    struct Known {
        std::int32_t pid = 0;  // of nobody, or the idle task, whom readers know
        std::string name;
    };

    static std::uint16_t id_of(EventKind kind) {
        constexpr std::uint16_t kFirst = 100;  // the kernel's own records come before
        return static_cast<std::uint16_t>(kFirst + static_cast<std::uint16_t>(kind));
    }
    // irqs-off, need-resched, hardirq: enum trace_flag_type of include/linux/trace_events.h
    static std::uint8_t flags_of(const SchedEvent& e) {
        constexpr std::uint8_t kIrqsOff = 0x01, kNeedResched = 0x04 | 0x20, kHardIrq = 0x08;
        if (e.in_interrupt) return kIrqsOff | kHardIrq;
        if (e.kind == EventKind::sched_switch && e.state == PrevState::preempted)
            return kIrqsOff | kNeedResched;
        return kIrqsOff;
    }
    static std::int64_t bits_of(PrevState state) {
        constexpr std::int64_t kBits[] = {0, kDatPreempted, kDatSleeping, kDatDisk, kDatDead};
        return kBits[static_cast<std::size_t>(state)];
    }
    void append_thread(const Thread& thread) {
        append_text(record_, thread.name, kDatComm);
        append_number(record_, thread.pid);
        append_number(record_, thread.prio);
    }

    // A file has one name for each pid: the last one. Those of threads whose places others have wait in the
    // file of names.
    void meet(ThreadId id, const Threads& threads) {
        if (id >= known_.size()) known_.resize(threads.size());
        Known& known = known_[id];
        const Thread& thread = threads[id];
        if (known.pid != thread.pid) {
            name(known);
            known.pid = thread.pid;
        }
        if (known.name != thread.name) known.name = thread.name;
    }
    void name(const Known& known) {
        if (known.pid != 0) names_.add(fmt::format("{} {}\n", known.pid, printable(known.name)));
    }

    static std::string before_the_names() {
        using namespace std::string_literals;
        constexpr std::uint8_t kLittleEndian = 0, kLong = 8;
        std::string text = "\x17\x08\x44tracing6\0"s;
        append_number(text, kLittleEndian);
        append_number(text, kLong);
        append_number(text, std::uint32_t{kDatPage});
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
                        kDatPageHeader, kDatPage - kDatPageHeader));
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
        append_number(text, std::uint32_t{0});  // events of ftrace itself
        const std::vector<DatEvent>& events = dat_events();
        constexpr const char* kSystems[] = {"sched", "switchyard"};
        append_number(text, std::uint32_t{std::size(kSystems)});
        for (const std::string_view system : kSystems) {
            text.append(system).append(1, '\0');
            const auto of_it = std::count_if(events.begin(), events.end(),
                                             [&](const DatEvent& event) { return event.system == system; });
            append_number(text, static_cast<std::uint32_t>(of_it));
            for (std::size_t i = 0; i < events.size(); ++i) {
                const auto kind = static_cast<EventKind>(i);
                if (events[i].system == system) add(format_text(kind, id_of(kind)));
            }
        }
        append_number(text, std::uint32_t{0});  // addresses of functions
        append_number(text, std::uint32_t{0});  // formats of printk
        return text;
    }

    std::string after_the_names() const {
        using namespace std::string_literals;
        constexpr std::uint16_t kUname = 5, kNoMore = 0;
        std::string text;
        append_number(text, static_cast<std::uint32_t>(of_.size()));
        text += "options  \0"s;
        append_number(text, kUname);
        append_number(text, static_cast<std::uint32_t>(run_.size() + 1));
        text.append(run_).append(1, '\0');
        append_number(text, kNoMore);
        return text + "flyrecord\0"s;
    }

    Output output_;
    std::string run_;     // what it is, as JSON
    std::string record_;  // that is being made
    std::vector<OfCpu> of_;
    std::vector<Known> known_;  // by ThreadId
    WaitingBytes names_;
};

}  // namespace

Format trace_dat_format() {
    return {.name = "trace.dat",
            .ending = "dat",
            .summary = "trace-cmd's binary file: KernelShark, trace-cmd",
            .make = make_writer<TraceDatWriter>};
}

}  // namespace sim::exchange
