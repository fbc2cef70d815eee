#include "ui/view/cost_report.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/core/summary.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::CostModel;
using sim::CpuActivity;
using sim::Nanos;
using sim::TimeParts;

constexpr std::array<CostPart, kCostParts> kParts{{
    {"user", "the tasks' own work", CpuActivity::user, [](const TimeParts& t) { return t.user; }},
    {"system call", "entering and leaving the kernel", CpuActivity::system,
     [](const TimeParts& t) { return t.overhead.system; }},
    {"search", "schedule(): finding the next task, and updating the queue", CpuActivity::select,
     [](const TimeParts& t) { return t.overhead.select; }},
    {"recalc", "schedule(): recalculating the counters of all tasks", CpuActivity::recalculation,
     [](const TimeParts& t) { return t.overhead.recalculation; }},
    {"switch", "saving the state of one task, and restoring that of another", CpuActivity::context_switch,
     [](const TimeParts& t) { return t.overhead.context_switch; }},
    {"address space", "additional cost of switching to another address space: page tables, TLB",
     CpuActivity::address_space, [](const TimeParts& t) { return t.overhead.address_space; }},
    {"cache refill", "reloading what TLB and cache lost while other tasks ran", CpuActivity::cache_refill,
     [](const TimeParts& t) { return t.overhead.cache_refill; }},
    {"stolen", "a halted virtual CPU waited until its host ran it", CpuActivity::stolen,
     [](const TimeParts& t) { return t.overhead.stolen; }},
    {"interrupts", "interrupt handlers", CpuActivity::interrupt,
     [](const TimeParts& t) { return t.overhead.interrupts; }},
    {"idle", "the CPU had no task to run", CpuActivity::idle, [](const TimeParts& t) { return t.idle; }},
}};

Nanos divide_time(Nanos time, std::uint64_t count) {
    return count == 0 ? Nanos{}
                      : Nanos{std::llround(static_cast<double>(time.count()) / static_cast<double>(count))};
}

}  // namespace

const std::array<CostPart, kCostParts>& cost_parts() { return kParts; }

double CostReport::share(std::size_t part) const { return share(kParts[part].of(parts)); }

double CostReport::share(Nanos time) const {
    const Nanos all = parts.total();
    return all == Nanos{} ? 0.0 : static_cast<double>(time.count()) / static_cast<double>(all.count());
}

Nanos CostReport::time_per_yield() const { return divide_time(parts.total(), yields); }
Nanos CostReport::kernel_time_per_switch() const { return divide_time(kernel_time(), switches); }

std::optional<CostReport> costs_of(const Run& run, CostScope scope, const ViewState& view) {
    switch (scope) {
        case CostScope::until_now:
            return CostReport{run.time_parts(), run.session().statistics().switches.total(),
                              run.session().statistics().yields};
        case CostScope::selection: {
            if (!view.selection) return std::nullopt;
            const sim::RangeStatistics* const range = run.range_statistics(*view.selection);
            if (range == nullptr) return CostReport{};
            if (!range->is_complete()) return std::nullopt;
            return CostReport{range->after().parts - range->before().parts,
                              range->after().switches - range->before().switches,
                              range->after().yields - range->before().yields};
        }
        case CostScope::whole: {
            const sim::Moment& simulated_end = run.history().simulated_end();
            return CostReport{
                sim::elapsed_time_parts(run.scenario(), simulated_end.statistics, simulated_end.machine),
                simulated_end.statistics.switches.total(), simulated_end.statistics.yields};
        }
    }
    return std::nullopt;
}

std::string scope_title(const Run& run, CostScope scope, const ViewState& view) {
    switch (scope) {
        case CostScope::until_now:
            return "until " + instant_text(run.now());
        case CostScope::selection:
            return view.selection ? "selection, " + span(view.selection->length()) : "selection";
        case CostScope::whole:
            return (run.history().is_complete() ? "whole run, " : "simulated so far, ") + span(run.end());
    }
    return {};
}

std::string mean_time_text(Nanos time, std::uint64_t count, Nanos whole_time) {
    if (count == 0) return "-";
    if (const Nanos all{whole_time.count() / static_cast<std::int64_t>(count)}; all >= Nanos{1'000})
        return span(Nanos{std::llround(static_cast<double>(time.count()) / static_cast<double>(count))}, all);
    const double ns = static_cast<double>(time.count()) / static_cast<double>(count);
    if (ns == 0) return "0 ns";
    if (ns < 0.05) return "<0.1 ns";
    if (ns < 99.95) return fmt::format("{:.1f} ns", ns);
    return span(Nanos{std::llround(ns)});
}

std::vector<NamedCost> named_costs(const CostModel& costs) {
    const bool modelled = costs.tlb.entries > 0 || costs.cache.size > 0;
    std::vector<NamedCost> all{
        {"system call", "entering and leaving the kernel", &costs.syscall},
        {"schedule()", "the call of schedule(), without the search for a task", &costs.schedule},
        {"search, per task", "one task that the search looks at", &costs.considered},
        {"recalc, per task", "recalculating the counter of one task", &costs.recalculated},
        {"queue, per step", "one comparison on the way to a position in an ordered queue", &costs.queue_step},
        {"switch, same mm", "changing the running context within one address space", &costs.switch_same_mm},
        {"switch, other mm",
         modelled ? "switching to another address space, without TLB and cache losses"
                  : "switching to another address space, TLB and cache losses included",
         &costs.switch_other_mm},
    };
    const auto add = [&](const char* name, const char* meaning, const sim::Cost& cost) {
        if (cost.time != Nanos{}) all.push_back({name, meaning, &cost});
    };
    struct Work {
        sim::KernelWork kind;
        const char* name;
        const char* meaning;
    };
    using enum sim::KernelWork;
    static constexpr std::array<Work, sim::kKernelWorks> kWorks{{
        {wake_up, "wake-up", "making a sleeping task runnable"},
        {pipe, "pipe", "one read or write of a pipe"},
        {futex, "futex", "one wait or wake of a lock, one park or unpark"},
        {io, "I/O", "one request to a device, without the interrupt"},
        {fork_process, "fork, process", "a new task with an address space of its own"},
        {fork_thread, "fork, thread", "a new task in its parent's address space, or a kernel thread"},
        {copied_page, "fork, per page", "one page of its parent's working set that a new process takes over"},
        {exec, "exec", "a new program in a new address space"},
        {loaded_page, "exec, per page", "one page of the new program's working set"},
        {exit, "exit", "the end of a task"},
        {munmap, "munmap", "changing an address space, without flushing the TLBs of other CPUs"},
        {idle_exit, "idle exit", "leaving the halt in which an idle CPU waits"},
        {balance, "balance", "reading the load of one CPU's run queue"},
        {migrate, "migrate", "moving a task to another CPU's run queue"},
        {migration_thread, "migration thread",
         "the two switches, to this thread and back, that move a running task"},
    }};
    for (const Work& work : kWorks)
        add(work.name, work.meaning, costs.work[static_cast<std::size_t>(work.kind)]);
    add("reschedule IPI", "delay until another CPU notices that it must reschedule; charged to no task",
        costs.reschedule_ipi);
    using enum sim::Interrupt;
    add("timer interrupt", "a tick on one CPU", costs.interrupt[static_cast<std::size_t>(timer)]);
    add("device interrupt", "an interrupt that wakes a task",
        costs.interrupt[static_cast<std::size_t>(device)]);
    add("IPI",
        "the handler of an IPI, on the interrupted "
        "CPU",
        costs.interrupt[static_cast<std::size_t>(ipi)]);
    add("steal", "wait of a halted virtual CPU for its host, when an interrupt arrives", costs.steal);
    add("TLB, per entry", "one translation that a TLB has lost", costs.tlb.refill);
    add("cache, per line", "one line of code or kernel data that a cache has lost", costs.cache.refill);
    add("cache, in order", "one prefetched line of a working set", costs.cache.stream);
    return all;
}

}  // namespace ui
