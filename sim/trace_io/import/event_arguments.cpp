// The arguments of an event have one of three forms:
//   key=value, as the kernel prints them (in raw output, without the "==>" of a switch);
//   comm:pid [prio], as the plugin of libtraceevent prints them (trace-cmd report, old perf);
//   free text, from the kernel (system calls, interrupts) or from a program (markers).
//
// A comm may contain spaces, '=' and any other character. So the parser searches keys from the right, and
// takes the remaining text as the comm.
#include "sim/trace_io/import/event_arguments.h"

#include <string>

#include "sim/trace_io/import/scanning.h"

namespace sim::trace_io {
namespace {

// Extracts the values of keys from a line, from right to left.
class RightToLeftKeyReader {
  public:
    explicit RightToLeftKeyReader(std::string_view text) : rest_(text) {}

    // Sets `value` to the text after ` key=` and keeps only the text before it. Returns false if there is
    // no such key.
    bool take(std::string_view key, std::string_view& value) {
        for (std::size_t at = rest_.size(); at-- > key.size();) {
            const std::size_t begin = at - key.size();
            if (rest_[at] != '=' || rest_.substr(begin, key.size()) != key) continue;
            if (begin > 0 && rest_[begin - 1] != ' ') continue;
            value = rest_.substr(at + 1);
            rest_ = rest_.substr(0, begin == 0 ? 0 : begin - 1);
            return true;
        }
        return false;
    }
    template <typename Integer>
    bool take(std::string_view key, Integer& number) {
        std::string_view value;
        return take(key, value) && take_number(value, number) && (value.empty() || value.front() == ' ');
    }

  private:
    std::string_view rest_;
};

// Reads "comm:pid [prio]" from the end of a text.
bool take_comm_pid_prio(std::string_view text, ThreadFields& fields) {
    text = without_trailing_spaces(text);
    if (!text.ends_with(']')) return false;
    const std::size_t bracket = text.rfind('[');
    if (bracket == std::string_view::npos) return false;
    if (!parse_number(text.substr(bracket + 1, text.size() - bracket - 2), fields.prio)) return false;
    text = without_trailing_spaces(text.substr(0, bracket));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || !parse_number(text.substr(colon + 1), fields.pid)) return false;
    fields.name = text.substr(0, colon);
    return fields.pid >= 0;
}

bool take_thread(RightToLeftKeyReader& keys, std::string_view comm, std::string_view pid,
                 ThreadFields& fields) {
    std::string_view name;
    if (!keys.take(pid, fields.pid) || fields.pid < 0 || !keys.take(comm, name)) return false;
    fields.name = name;
    return true;
}

bool take_cpu(std::string_view text, CpuId& cpu) {
    return take_number(text, cpu) && (text.empty() || text.front() == ' ');
}

// Sets the current task of the line from the arguments, which are more reliable than the head of the line.
void set_current(LineEvent& e, ThreadFields& fields) {
    if (e.current.pid != fields.pid) e.current.tgid = kUnset;
    e.current.pid = fields.pid;
    if (fields.prio != kUnset) e.current.prio = fields.prio;
    e.current.name.swap(fields.name);
    e.current.name_is_of_the_printer = false;
}

// WakeResult::no: the line contains success=0, because the task was already awake.
enum class WakeResult : std::uint8_t { yes, no, broken };
WakeResult read_wake_up(std::string_view arguments, LineEvent& e) {
    const bool failed = arguments.find(" success=0 ") != std::string_view::npos;
    RightToLeftKeyReader keys(arguments);
    std::string_view target;
    if (keys.take("target_cpu", target)) {
        if (!take_cpu(target, e.target) || !keys.take("prio", e.thread.prio) ||
            !take_thread(keys, "comm", "pid", e.thread))
            return WakeResult::broken;
        return failed ? WakeResult::no : WakeResult::yes;
    }
    const std::size_t at = arguments.rfind("CPU:");
    const std::size_t end = arguments.substr(0, at).rfind(']');
    if (at == std::string_view::npos || end == std::string_view::npos) return WakeResult::broken;
    if (!take_cpu(arguments.substr(at + 4), e.target) ||
        !take_comm_pid_prio(arguments.substr(0, end + 1), e.thread))
        return WakeResult::broken;
    return failed ? WakeResult::no : WakeResult::yes;
}

bool read_migration(std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    CpuId from = 0;
    if (!keys.take("dest_cpu", e.target) || !keys.take("orig_cpu", from)) return false;
    e.value = from;
    return keys.take("prio", e.thread.prio) && take_thread(keys, "comm", "pid", e.thread);
}

bool read_fork(std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    if (!take_thread(keys, "child_comm", "child_pid", e.thread)) return false;
    RightToLeftKeyReader raw = keys;
    ThreadFields parent;
    if (!take_thread(keys, "comm", "pid", parent) && !take_thread(raw, "parent_comm", "parent_pid", parent))
        return false;
    set_current(e, parent);
    return true;
}

// Linux names a thread after the last component of the program's path. In an export of this program, `path`
// is already the thread's name.
std::string_view name_of_program(std::string_view path, bool is_export) {
    constexpr std::size_t kLongestComm = 15;
    return is_export ? path : path.substr(path.rfind('/') + 1).substr(0, kLongestComm);
}

bool read_exec(std::string_view arguments, bool is_export, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    std::int32_t old_pid = 0;
    if (!keys.take("old_pid", old_pid)) return false;
    ThreadFields fields;
    if (!take_thread(keys, "filename", "pid", fields)) return false;
    fields.name = std::string(name_of_program(fields.name, is_export));
    set_current(e, fields);
    return true;
}

bool read_exit(std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    ThreadFields fields;
    if (!keys.take("prio", fields.prio) || !take_thread(keys, "comm", "pid", fields)) return false;
    set_current(e, fields);
    return true;
}

bool read_runtime(std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    e.is = LineEvent::Type::runtime;
    return keys.take("runtime", e.value) && e.value >= 0 && e.value <= kHorizon.count() &&
           take_thread(keys, "comm", "pid", e.thread);
}

bool read_rename(std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    std::string_view ignored, name;
    keys.take("oom_score_adj", ignored);
    if (!keys.take("newcomm", name) || !keys.take("oldcomm", ignored)) return false;
    e.thread.name = name;
    return keys.take("pid", e.thread.pid) && e.thread.pid >= 0;
}

// Reads a marker of an export (ftrace_writer.cpp).
LineClass read_marker(std::string_view text, LineEvent& e) {
    const std::string_view what = take_up_to(text, '|');
    const bool has_pid = !text.empty();
    take_up_to(text, '|');
    // Viewers treat all idle tasks as one task, so the kernel work of each CPU's idle task has a separate
    // track: "G|0|swapper/3|search|7".
    const bool is_of_idle = text.starts_with("swapper/");
    if ((what == "E" && has_pid) || (what == "H" && is_of_idle)) {
        e.kind = EventKind::work_end;
        return LineClass::event;
    }
    if (what == "B" || (what == "G" && is_of_idle)) {
        if (what == "G") {
            take_up_to(text, '|');
            text = take_up_to(text, '|');
        }
        e.kind = EventKind::work_begin;
        e.what = known_kernel_work(text);
        if (e.what == nullptr) e.what = "work";
        return LineClass::event;
    }
    constexpr std::string_view kLength = "nr_running|";
    if (what == "C" && text.starts_with(kLength)) {
        e.kind = EventKind::queue_length;
        return parse_number(text.substr(kLength.size()), e.value) ? LineClass::event
                                                                  : LineClass::broken_arguments;
    }
    if (what == "I" && text == "sched_yield") {
        e.kind = EventKind::yield;
        return LineClass::event;
    }
    // Earlier versions of this program wrote "refill of " instead of "recalculation of ".
    for (const std::string_view form : {"recalculation of ", "refill of "}) {
        if (what != "I" || !text.starts_with(form)) continue;
        text.remove_prefix(form.size());
        e.kind = EventKind::recalculation;
        return take_number(text, e.value) ? LineClass::event : LineClass::broken_arguments;
    }
    return LineClass::other;
}

// Reads an event of this program's own tracepoints, in the subsystem "switchyard" (tracepoint_records.cpp).
LineClass read_simulator_event(std::string_view event, std::string_view arguments, LineEvent& e) {
    RightToLeftKeyReader keys(arguments);
    const auto with_number = [&](EventKind kind, std::string_view key) {
        e.kind = kind;
        return keys.take(key, e.value) ? LineClass::event : LineClass::broken_arguments;
    };
    if (event == "work_begin") {
        e.kind = EventKind::work_begin;
        e.what = known_kernel_work(arguments);
        if (e.what == nullptr) e.what = "work";
        return LineClass::event;
    }
    if (event == "work_end" || event == "sched_yield") {
        e.kind = event == "work_end" ? EventKind::work_end : EventKind::yield;
        return LineClass::event;
    }
    if (event == "recalculation" || event == "refill")  // "refill": name in earlier versions
        return with_number(EventKind::recalculation, "counters");
    if (event == "nr_running") return with_number(EventKind::queue_length, "tasks");
    return LineClass::other;
}

// True if the arguments of sys_enter are those of sched_yield(): "NR 24 (...)" on x86-64, or raw "id=24
// args=...".
bool is_sched_yield(std::string_view arguments) {
    const std::string_view key = take_word(arguments);
    return key == "id=24" || (key == "NR" && take_word(arguments) == "24");
}

// True if `event`, the name without _entry or _exit, is part of interrupt handling. A wake-up between entry
// and exit is caused by the interrupt, not by the current task.
bool is_interrupt(std::string_view event) {
    for (const std::string_view kind :
         {"irq_handler", "softirq", "local_timer", "reschedule", "call_function", "call_function_single",
          "irq_work", "hrtimer_expire", "ipi"})
        if (event == kind) return true;
    return false;
}

}  // namespace

const char* known_kernel_work(std::string_view name) {
    for (const char* known : {"interrupt", "system_call", "schedule", "search", "recalculation", "switch",
                              "page_tables", "misses", "work"})
        if (name == known) return known;
    return name == "refill" ? "recalculation" : nullptr;  // "refill": name in earlier versions
}

PrevState prev_state_from_bits(std::uint64_t state, bool& is_before_4_14) {
    // Bits of prev_state in Linux since 4.14: one bit for each letter of "SDTtXZPI", and one bit for a
    // preempted task.
    constexpr std::uint64_t kSleeping = 1, kDisk = 2, kGone = 0x10 | 0x20, kPreempted = 0x100;
    // Bits of prev_state before 4.14: the bits of task->state (0x40 is TASK_DEAD), and a higher bit for a
    // preempted task: 0x800 up to 4.7, 0x1000 up to 4.13.
    constexpr std::uint64_t kOldPreempted = 0x800 | 0x1000, kOldDead = 0x40;
    if (state == 0) return PrevState::runnable;
    // From 4.14 on, no value is above 0x100, and 0x80 occurs alone.
    if (state > kPreempted || (state & 0x80 && state != 0x80)) is_before_4_14 = true;
    if (state & kOldPreempted) return PrevState::preempted;
    if (is_before_4_14) {
        if (state & (kGone | kOldDead)) return PrevState::dead;
        return state & kDisk ? PrevState::disk : PrevState::sleeping;
    }
    if (state & kPreempted) return PrevState::preempted;
    if (state & kSleeping) return PrevState::sleeping;
    if (state & kDisk) return PrevState::disk;
    return state & kGone ? PrevState::dead : PrevState::sleeping;
}

// Reads a prev_state: a number, or letters with or without '|' between them. A '+' means that the task was
// preempted; otherwise the first letter decides. All letters except R, D, X and Z mean a form of sleep.
PrevState EventArgumentParser::parse_state(std::string_view text) {
    std::uint64_t number = 0;
    if (parse_number(text, number)) return prev_state_from_bits(number, is_before_4_14_);
    if (text.find('+') != std::string_view::npos) return PrevState::preempted;
    switch (text.empty() ? '?' : text.front()) {
        case 'R':
            return PrevState::runnable;
        case 'D':
            return PrevState::disk;
        case 'X':
        case 'x':
        case 'Z':
            return PrevState::dead;
        case 'S':
        case 'T':
        case 't':
        case 'P':
        case 'I':
        case 'K':
        case 'W':
        case 'N':
            return PrevState::sleeping;
        default:
            has_unknown_state_ = true;
            return PrevState::sleeping;
    }
}

bool EventArgumentParser::read_switch(std::string_view arguments, LineEvent& e) {
    e.kind = EventKind::sched_switch;
    ThreadFields prev;
    RightToLeftKeyReader keys(arguments);
    if (keys.take("next_prio", e.thread.prio)) {
        if (!take_thread(keys, "next_comm", "next_pid", e.thread)) return false;
        std::string_view state_text;
        if (!keys.take("prev_state", state_text)) return false;
        e.state = parse_state(take_word(state_text));
        if (!keys.take("prev_prio", prev.prio) || !take_thread(keys, "prev_comm", "prev_pid", prev))
            return false;
    } else {
        const std::size_t arrow = arguments.rfind(" ==> ");
        if (arrow == std::string_view::npos || !take_comm_pid_prio(arguments.substr(arrow + 5), e.thread))
            return false;
        const std::string_view before = without_trailing_spaces(arguments.substr(0, arrow));
        const std::size_t blank = before.rfind(' ');
        if (blank == std::string_view::npos || !take_comm_pid_prio(before.substr(0, blank), prev))
            return false;
        e.state = parse_state(before.substr(blank + 1));
        hides_preemption_ = e.state == PrevState::runnable && prev.pid != 0;
    }
    set_current(e, prev);
    return true;
}

LineClass EventArgumentParser::read(std::string_view event, std::string_view arguments, LineEvent& e) {
    hides_preemption_ = has_unknown_state_ = false;
    const auto done = [](bool is_read) { return is_read ? LineClass::event : LineClass::broken_arguments; };
    const auto wake = [&](EventKind kind) {
        e.kind = kind;
        const WakeResult is = read_wake_up(arguments, e);
        return is == WakeResult::no ? LineClass::other : done(is == WakeResult::yes);
    };
    if (event == "sched_switch") return done(read_switch(arguments, e));
    if (event == "sched_wakeup") return wake(EventKind::wakeup);
    if (event == "sched_waking") return wake(EventKind::waking);
    if (event == "tracing_mark_write" || event == "print" || event == "0")
        return is_export_ ? read_marker(arguments, e) : LineClass::other;
    if (is_export_) {
        if (const LineClass is = read_simulator_event(event, arguments, e); is != LineClass::other) return is;
        // Exports contain this event only for perf. It is skipped here, like a header line, because the
        // switches of an export contain the same information.
        if (event == "sched_stat_runtime") return LineClass::header;
    }
    if (event == "sched_stat_runtime") return done(read_runtime(arguments, e));
    if (event == "sched_wakeup_new") return wake(EventKind::wakeup_new);
    if (event == "sched_migrate_task") {
        e.kind = EventKind::migrate;
        return done(read_migration(arguments, e));
    }
    if (event == "sched_process_fork") {
        e.kind = EventKind::fork;
        return done(read_fork(arguments, e));
    }
    if (event == "sched_process_exec") {
        e.kind = EventKind::exec;
        return done(read_exec(arguments, is_export_, e));
    }
    if (event == "sched_process_exit") {
        e.kind = EventKind::exit;
        return done(read_exit(arguments, e));
    }
    if (event == "task_rename") {
        e.is = LineEvent::Type::rename;
        return done(read_rename(arguments, e));
    }
    if (event == "sys_enter_sched_yield" || event == "sys_sched_yield()" ||
        (event == "sys_enter" && is_sched_yield(arguments))) {
        e.kind = EventKind::yield;
        return LineClass::event;
    }
    if (e.interrupt == LineEvent::Interrupt::unknown) {
        constexpr std::string_view kEntry = "_entry", kExit = "_exit";
        e.is = event.ends_with(kEntry) ? LineEvent::Type::interrupt_begin : LineEvent::Type::interrupt_end;
        if (event.ends_with(kEntry) && is_interrupt(event.substr(0, event.size() - kEntry.size())))
            return LineClass::event;
        if (event.ends_with(kExit) && is_interrupt(event.substr(0, event.size() - kExit.size())))
            return LineClass::event;
    }
    return LineClass::other;
}

}  // namespace sim::trace_io
