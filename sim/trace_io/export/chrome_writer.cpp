// Writes JSON for chrome://tracing and Perfetto (the "Trace Event Format"). Events with a Linux tracepoint
// are ftrace text in the string "systemTraceEvents"; all others are in "traceEvents". Kernel work is shown in
// an artificial process with one thread per CPU. The string and "traceEvents" grow at the same time, so the
// string is kept in a temporary file until the end.
#include <fmt/format.h>

#include <utility>

#include "sim/base/append.h"
#include "sim/base/temp_file.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/ftrace_line.h"
#include "sim/trace_io/export/thread_name_tracker.h"

namespace sim::trace_io {
namespace {

// Linux's PID_MAX_LIMIT; the pid of every task is lower. The ids of the threads that represent CPUs start
// at this value.
constexpr std::int64_t kWorkPid = 4'194'304;
std::int64_t tid_of_cpu_track(CpuId cpu) { return kWorkPid + cpu; }

// Prints a time in microseconds, the unit of the format.
std::string micros(Nanos time) {
    constexpr std::int64_t kMicro = 1000;
    return fmt::format("{}.{:03}", time.count() / kMicro, time.count() % kMicro);
}

class ChromeWriter final : public EventSink {
  public:
    explicit ChromeWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        text_ = fmt::format(
            "{{\"displayTimeUnit\":\"ns\",\n"
            "\"metadata\":{{\"switchyard\":{}}},\n"
            "\"traceEvents\":[\n"
            "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"kernel work\"}}}}",
            to_json(info), kWorkPid);
        print_line("# tracer: nop");
        print_line("#");
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        names_in_output_.introduce_threads(e, threads, [&](ThreadId t) { write_thread_names(threads[t]); });
        for (; cpus_ <= e.cpu; ++cpus_)
            write_name("thread_name", kWorkPid, tid_of_cpu_track(cpus_), fmt::format("CPU {}", cpus_));
        if (has_tracepoint(e.kind))
            print_ftrace_lines(e, threads);
        else
            print_event(e, threads[e.current]);
        if (e.kind == EventKind::yield) print_yield(e, threads);
        if (text_.size() >= kEnough) flush();
        if (lines_.size() >= kEnough) spill_lines();
    }

    void end(Nanos) override {
        text_ += "\n],\n\"systemTraceEvents\":\"";
        flush();
        spill_lines();
        kept_.read(output_);
        text_ = "\"}\n";
        flush();
    }

  private:
    static constexpr std::size_t kEnough = 1 << 16;

    void flush() {
        output_(text_);
        text_.clear();
    }
    void spill_lines() {
        kept_.write(lines_);
        lines_.clear();
    }

    void write_thread_names(const Thread& t) {
        if (t.pid == t.tgid) write_name("process_name", t.tgid, t.pid, t.name);
        write_name("thread_name", t.tgid, t.pid, t.name);
    }
    void write_name(const char* metadata_name, std::int64_t pid, std::int64_t tid, const std::string& name) {
        append(text_, ",\n{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}",
               metadata_name, pid, tid, json_string_of(name));
    }

    // Escapes a line for JSON and appends it to the string "systemTraceEvents".
    void print_line(const std::string& line) {
        const std::string text = json_string_of(line);
        lines_.append(text, 1, text.size() - 2);
        lines_ += "\\n";
    }
    void print_ftrace_lines(const SchedEvent& e, const Threads& threads) {
        std::string line;
        print_ftrace_context(line, e, threads);
        const std::size_t context = line.size();
        if (e.kind == EventKind::wakeup_new) {
            // Linux emits no sched_waking for a new task, but readers count a wait only after a
            // sched_waking.
            SchedEvent waking = e;
            waking.kind = EventKind::waking;
            print_ftrace_event(line, waking, threads);
            print_line(line);
            line.resize(context);
        }
        print_ftrace_event(line, e, threads);
        print_line(line);
    }
    // Prints the tracepoint of the system call sched_yield(), without arguments. As in Linux, the line is
    // printed among the lines of the switches: if a switch has the same time, only the order of the lines
    // shows which event came first.
    void print_yield(const SchedEvent& e, const Threads& threads) {
        std::string line;
        print_ftrace_context(line, e, threads);
        print_line(line + "sys_enter_sched_yield: ");
    }

    void print_event(const SchedEvent& e, const Thread& current) {
        const auto begin = [&](const char* phase, std::int64_t pid, std::int64_t tid) {
            append(text_, ",\n{{\"ph\":\"{}\",\"ts\":{},\"pid\":{},\"tid\":{}", phase, micros(e.time), pid,
                   tid);
        };
        switch (e.kind) {
            case EventKind::yield:
                begin("i", current.tgid, current.pid);
                text_ += ",\"s\":\"t\",\"name\":\"sched_yield\"}";
                break;
            case EventKind::recalculation:
                begin("i", kWorkPid, tid_of_cpu_track(e.cpu));
                append(
                    text_,
                    ",\"s\":\"t\",\"name\":\"recalculation of {} counters\",\"args\":{{\"counters\":{}}}}}",
                    e.value, e.value);
                break;
            case EventKind::work_begin:
                begin("B", kWorkPid, tid_of_cpu_track(e.cpu));
                append(text_, ",\"name\":\"{}\"}}", e.what);
                break;
            case EventKind::work_end:
                begin("E", kWorkPid, tid_of_cpu_track(e.cpu));
                text_ += '}';
                break;
            case EventKind::queue_length:
                begin("C", kWorkPid, kWorkPid);
                append(text_, ",\"name\":\"nr_running\",\"args\":{{\"tasks\":{}}}}}", e.value);
                break;
            default:
                break;
        }
    }

    Output output_;
    std::string text_;   // for "traceEvents"
    std::string lines_;  // for "systemTraceEvents"
    TempFile kept_;
    CpuId cpus_ = 0;  // number of CPUs named so far
    ThreadNameTracker names_in_output_;
};

}  // namespace

ExportFormat chrome_format() {
    return {.name = "chrome",
            .ending = "json",
            .summary = "JSON for chrome://tracing, Perfetto, browser viewers and your own programs",
            .make = make_writer<ChromeWriter>};
}

}  // namespace sim::trace_io
