#include "sim/trace_io/import/slice_to_switch_converter.h"

#include <algorithm>
#include <utility>

namespace sim::trace_io {
namespace {

bool is_interval_or_state(const LineEvent& e) {
    return e.is == LineEvent::Type::slice_begin || e.is == LineEvent::Type::slice_end ||
           e.is == LineEvent::Type::thread_state;
}

bool is_ready(PrevState state) { return state == PrevState::runnable || state == PrevState::preempted; }

}  // namespace

void SliceToSwitchConverter::add_event(const LineEvent& e) {
    constexpr std::size_t kMost = 4096;  // more than kMost events at one time are processed in batches
    if (!together_.empty() && (together_.front().time != e.time || together_.size() >= kMost)) finish();
    if (together_.empty() && !is_interval_or_state(e))
        emit_(e);
    else
        together_.push_back(e);
}

// In the rows of thread_state, the row after a CPU interval contains the state in which the thread left its
// CPU. Stores this state in the event that ends the interval, and removes the row. Also removes all other
// thread-state rows, except the rows of threads that become ready.
void SliceToSwitchConverter::set_prev_states() {
    // By pid: index in together_ of the thread's first state event.
    std::unordered_map<std::int32_t, std::size_t> next;
    std::vector<bool> is_over(together_.size(), false);
    for (std::size_t i = together_.size(); i-- > 0;) {
        LineEvent& e = together_[i];
        if (e.is == LineEvent::Type::thread_state) {
            is_over[i] = !is_ready(e.state);
            next[e.thread.pid] = i;
        }
    }
    for (LineEvent& e : together_) {
        if (e.is != LineEvent::Type::slice_end) continue;
        const auto state = next.find(e.thread.pid);
        if (state == next.end()) continue;
        e.state = together_[state->second].state;
        is_over[state->second] = true;
        next.erase(state);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < together_.size(); ++i)
        if (!is_over[i]) {
            if (kept != i) together_[kept] = std::move(together_[i]);
            ++kept;
        }
    together_.resize(kept);
}

void SliceToSwitchConverter::emit_wake_up(const LineEvent& e) {
    LineEvent waking;
    waking.time = e.time;
    waking.line = e.line;
    waking.kind = EventKind::waking;
    waking.thread = e.thread;
    const auto waker = cpu_of_.find(e.current.pid);
    // If the waker is unknown or has no CPU, the wake-up is treated as caused by an interrupt.
    waking.interrupt = LineEvent::Interrupt::yes;
    if (waker != cpu_of_.end()) {
        waking.cpu = waking.target = waker->second;
        waking.current.pid = e.current.pid;
        if (e.interrupt != LineEvent::Interrupt::yes) waking.interrupt = LineEvent::Interrupt::no;
    }
    emit_(waking);
}

// Emits a switch of the CPU from the thread that has left it to `next` (nullptr: the idle task).
void SliceToSwitchConverter::emit_switch(CpuId cpu, const LineEvent* next) {
    LineEvent e;
    e.time = together_.front().time;
    e.line = next != nullptr ? next->line : together_.front().line;
    e.cpu = cpu;
    if (const auto left = left_.find(cpu); left != left_.end()) {
        e.current = std::move(left->second.thread);
        e.state = left->second.state;
        left_.erase(left);
    }
    if (next != nullptr)
        e.thread = next->thread;
    else
        e.thread.pid = 0;
    emit_(e);
}

void SliceToSwitchConverter::finish() {
    if (together_.empty()) return;
    set_prev_states();
    if (together_.empty()) return;
    std::vector<const LineEvent*> later;
    for (const LineEvent& e : together_) {
        if (e.is != LineEvent::Type::thread_state) continue;
        const bool begins = std::any_of(together_.begin(), together_.end(), [&](const LineEvent& other) {
            return other.is == LineEvent::Type::slice_begin && other.thread.pid == e.thread.pid;
        });
        // A waker without a CPU may get a CPU at the same time as the wake-up. The wake-up is therefore
        // emitted after the switches of this time.
        if (begins || e.current.pid == kUnset || cpu_of_.contains(e.current.pid))
            emit_wake_up(e);
        else
            later.push_back(&e);
    }
    for (const LineEvent& e : together_) {
        if (e.is == LineEvent::Type::slice_end) {
            if (e.thread.pid == 0) continue;
            if (left_.contains(e.cpu)) emit_switch(e.cpu, nullptr);
            left_[e.cpu] = {e.thread, e.state};
            cpu_of_.erase(e.thread.pid);
        } else if (e.is == LineEvent::Type::slice_begin) {
            if (e.thread.pid == 0) continue;
            emit_switch(e.cpu, &e);
            cpu_of_[e.thread.pid] = e.cpu;
        } else if (e.is != LineEvent::Type::thread_state) {
            emit_(e);
        }
    }
    for (const LineEvent* e : later) emit_wake_up(*e);
    std::vector<CpuId> idle;
    for (const auto& [cpu, left] : left_) idle.push_back(cpu);
    std::sort(idle.begin(), idle.end());
    for (const CpuId cpu : idle) emit_switch(cpu, nullptr);
    together_.clear();
}

}  // namespace sim::trace_io
