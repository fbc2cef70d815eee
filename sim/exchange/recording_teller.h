// What a recording says, as events that can have happened: whoever has a CPU is known at every instant, and
// nobody has two. A recording need not be like that: it begins in the middle, and tracers lose events.
//
// Of a CPU nothing is known before the first line that says who has it: it is idle until then, and is given
// to that thread at that instant. Where a later line speaks of another thread than the one that has the CPU,
// the file is believed, and a switch to that thread is told first, at the same instant (R+: when the CPU was
// taken away nobody knows). A switch is not believed, as to who had the CPU, of a thread that has another one
// by now: clocks of CPUs differ a little. Who gets a second CPU loses the first one to the idle task.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exchange/line_event.h"
#include "sim/exchange/reader.h"
#include "sim/exchange/threads_by_pid.h"

namespace sim::exchange {

class RecordingTeller {
  public:
    // An export's times are those of its run, and begin at `info.begin` or before; those of a recording are
    // told relative to its first event. `sink` outlives this.
    RecordingTeller(RunInfo info, bool is_export, EventSink& sink);

    // In the order of time. What there is to say of the line goes to `notes`.
    void tell(const LineEvent& e, Notes& notes);
    // Nothing follows: nobody has a CPU any more. REQUIRES: tell() has been called.
    void finish();

    // How many the file has, of which something could be told.
    std::uint64_t switches() const { return switches_; }
    // The first line of a switch on a CPU beyond those that there can be; 0: none.
    std::uint64_t switches_elsewhere() const { return switches_elsewhere_; }
    // Whether there is anybody besides the idle task.
    bool has_threads() const { return threads_.all().size() > 1; }

  private:
    struct OfCpu {
        ThreadId current = kIdleThread;
        bool is_known = false;         // who has it
        std::uint64_t interrupts = 0;  // of those that have begun, how many are not over
        std::uint64_t work = 0;        // the same for stays in the kernel
    };

    void begin(std::int64_t time);
    bool is_cpu(CpuId cpu) const { return cpu < (info_.cpus > 0 ? info_.cpus : kMaxCpus); }
    void send(EventKind kind, CpuId cpu, ThreadId thread, PrevState state = PrevState::runnable);
    void switch_to(CpuId cpu, ThreadId next, PrevState state);
    void take_from_elsewhere(CpuId cpu, ThreadId thread);
    void give(CpuId cpu, ThreadId thread, const Remark& otherwise);
    void tell_switch(const LineEvent& e);
    void tell_other(const LineEvent& e);
    void tell_about_another(const LineEvent& e);

    RunInfo info_;
    EventSink& sink_;
    Notes* notes_ = nullptr;  // of the line
    ThreadsByPid threads_;
    std::array<OfCpu, kMaxCpus> cpus_;
    bool is_export_, has_begun_ = false;
    std::int64_t base_ = 0;  // the tracer's time at which ours is 0
    Nanos now_{};
    std::uint64_t line_ = 0;
    std::uint64_t switches_ = 0, switches_elsewhere_ = 0;
};

}  // namespace sim::exchange
