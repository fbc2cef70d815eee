#include "sim/trace_io/import/threads_by_pid.h"

#include <string_view>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace sim::trace_io {
namespace {

// Returns the name, made printable and shortened to kLongest if necessary, because it is written to files and
// to the screen.
std::string printable_name(const std::string& name) {
    constexpr std::size_t kLongest = 96;  // in bytes; more than any name in a scenario
    return is_safe_to_show(name) && name.size() <= kLongest ? name : printable(shorten(name, kLongest));
}

// True if `shortened` is the beginning of `name`, cut as this program cuts long names in trace.dat files:
// records in these files have room for 28 to 31 bytes of a name.
bool is_shortened_from(std::string_view name, std::string_view shortened) {
    constexpr std::size_t kLeast = 28, kMost = 31;  // length of a shortened name, in bytes
    return shortened.size() >= kLeast && shortened.size() <= kMost && name.size() > kMost &&
           name.starts_with(shortened);
}

}  // namespace

ThreadsByPid::ThreadsByPid() : threads_(1), of_(1) {
    threads_[kIdleThread] = {.pid = 0, .tgid = 0, .name = "swapper", .prio = 120, .is_kernel = true};
    by_pid_.emplace(0, kIdleThread);
}

void ThreadsByPid::add_initial_threads(const std::vector<RunInfo::InitialThread>& threads) {
    for (const RunInfo::InitialThread& known : threads) {
        if (threads_.size() > kMostThreads) return;
        if (!by_pid_.emplace(known.thread.pid, static_cast<ThreadId>(threads_.size())).second) continue;
        threads_.push_back(known.thread);
        of_.push_back({.has_name = !known.thread.name.empty()});
    }
}

void ThreadsByPid::release_pid(ThreadId thread) {
    const auto place = by_pid_.find(threads_[thread].pid);
    if (thread != kIdleThread && place != by_pid_.end() && place->second == thread) by_pid_.erase(place);
}

void ThreadsByPid::prepare_pid_reuse(std::int32_t pid) {
    const auto place = by_pid_.find(pid);
    if (place != by_pid_.end() && place->second != kIdleThread && of_[place->second].exits &&
        of_[place->second].cpu == kNoCpu)
        by_pid_.erase(place);
}

ThreadId ThreadsByPid::find_or_add(const ThreadFields& fields) {
    if (fields.pid < 0) return kNoThread;
    if (fields.pid == 0) return kIdleThread;
    auto found = by_pid_.find(fields.pid);
    if (found == by_pid_.end()) {
        if (threads_.size() > kMostThreads) return kNoThread;
        found = by_pid_.emplace(fields.pid, static_cast<ThreadId>(threads_.size())).first;
        // Tracers print this name as long as the real name is unknown.
        threads_.push_back({.pid = fields.pid, .tgid = fields.pid, .name = "<...>"});
        of_.emplace_back();
    }
    Thread& t = threads_[found->second];
    ThreadState& of = of_[found->second];
    if (fields.tgid != kUnset) t.tgid = fields.tgid;
    if (fields.prio != kUnset) t.prio = fields.prio;
    if (!fields.name.empty() && fields.name != t.name && !is_shortened_from(t.name, fields.name) &&
        (!of.has_name || !fields.name_is_of_the_printer)) {
        t.name = printable_name(fields.name);
        of.has_name = true;
    }
    return found->second;
}

}  // namespace sim::trace_io
