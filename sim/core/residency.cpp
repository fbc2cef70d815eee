#include "sim/core/residency.h"

#include <algorithm>

namespace sim {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 32;

}  // namespace

Residency::SurvivalModel::SurvivalModel(std::uint64_t places) {
    if (places == 0) return;
    powers_[0] = kOne * (places - 1) / places;
    for (std::size_t i = 1; i < powers_.size(); ++i) powers_[i] = powers_[i - 1] * powers_[i - 1] >> 32;
}

std::uint32_t Residency::SurvivalModel::surviving_entries(std::uint64_t count, std::uint64_t others) const {
    std::uint64_t share = kOne;
    for (std::size_t i = 0; others != 0 && share != 0; ++i, others >>= 1)
        if ((others & 1) != 0) share = i < powers_.size() ? share * powers_[i] >> 32 : 0;
    return static_cast<std::uint32_t>((count * share + kOne / 2) >> 32);
}

Residency::Residency(const Scenario& scenario)
    : modelled_(scenario.shape.recent > 0),
      tagged_(scenario.machine.costs.tlb.tagged),
      slots_(scenario.machine.costs.tlb.slots),
      tlb_(scenario.machine.costs.tlb.entries),
      cache_(scenario.machine.costs.cache.line == 0
                 ? 0
                 : scenario.machine.costs.cache.size / scenario.machine.costs.cache.line),
      costs_(&scenario.machine.costs) {
    const TlbModel& tlb = costs_->tlb;
    const CacheModel& cache = costs_->cache;
    for (const TaskGroup& group : scenario.groups) {
        TaskFootprint need;
        // If a task needs more entries than the capacity, it displaces some of its own entries.
        if (tlb.entries > 0)
            need.pages = std::min<std::uint64_t>(std::uint64_t{tlb.footprint} + pages_of(group.working_set),
                                                 tlb.entries);
        if (cache.size > 0) {
            const std::uint64_t places = cache.size / cache.line;
            need.lines = std::min(ceil_div(cache.footprint, cache.line), places);
            need.streamed = std::min(ceil_div(group.working_set, cache.line), places - need.lines);
        }
        needs_.push_back(need);
    }
}

// Whether the TLB id (ASID, PCID) of the task's address space has been reassigned since the task ran.
bool Residency::has_lost_tlb_id(const Machine& m, CpuId c, std::uint32_t recent_index) const {
    const RecentTask* const list = m.recent(c);
    const MmId own = m.task[list[recent_index].task].mm;
    // Examines the runs on this CPU from the task's latest run to now. `others`: number of different address
    // spaces that have run since `own`, the task's address space, ran last. If `others` reaches `slots_`, the
    // number of TLB ids, the id of `own` has been reassigned.
    std::uint32_t others = 0;
    const RecentTask* last_own = list + recent_index;
    for (const RecentTask* entry = last_own; entry != list;) {
        --entry;
        const MmId mm = m.task[entry->task].mm;
        if (mm == own) {
            others = 0;
            last_own = entry;
            continue;
        }
        if (mm == kKernelMm) continue;  // kernel threads have no address space of their own
        const RecentTask* const same = std::find_if(
            entry + 1, last_own, [&](const RecentTask& other) { return m.task[other.task].mm == mm; });
        others += same == last_own;
        if (others >= slots_) return true;
    }
    return false;
}

ResidentEntries Residency::remaining_entries(const Machine& m, CpuId c, std::uint32_t recent_index,
                                             const TaskFootprint& others) const {
    const RecentTask& entry = m.recent(c)[recent_index];
    const TaskFootprint& own = footprint_of(m, entry.task);
    const bool flushed = is_flushed(m, c, recent_index);
    const std::uint64_t all_lines = own.lines + own.streamed;
    return {.task = entry.task,
            .tlb_entries = flushed ? 0 : tlb_.surviving_entries(own.pages, others.pages),
            .tlb_needed = static_cast<std::uint32_t>(own.pages),
            .lines = cache_.surviving_entries(all_lines, others.lines + others.streamed),
            .lines_needed = static_cast<std::uint32_t>(all_lines)};
}

RefillWork Residency::refill_entries(Machine& m, CpuId c, TaskId p) const {
    Cpu& cpu = m.cpu(c);
    if (m.resident_on[p] != c) remove_entries(m, p);
    RecentTask* const list = m.recent(c);
    TaskFootprint others;
    std::uint32_t recent_index = 0;
    for (; recent_index < cpu.recent && list[recent_index].task != p; ++recent_index) {
        const TaskFootprint& other = footprint_of(m, list[recent_index].task);
        others.pages += other.pages;
        others.lines += other.lines;
        others.streamed += other.streamed;
    }
    const TaskFootprint& own = footprint_of(m, p);
    RefillWork result{.tlb_entries = static_cast<std::uint32_t>(own.pages),
                      .lines = static_cast<std::uint32_t>(own.lines),
                      .streamed = static_cast<std::uint32_t>(own.streamed)};
    if (recent_index < cpu.recent) {
        const std::uint64_t lines = others.lines + others.streamed;
        if (!is_flushed(m, c, recent_index))
            result.tlb_entries -= tlb_.surviving_entries(own.pages, others.pages);
        result.lines -= cache_.surviving_entries(own.lines, lines);
        result.streamed -= cache_.surviving_entries(own.streamed, lines);
    } else {
        if (cpu.recent == kRecentTasks)
            // The last task is displaced from the list.
            m.resident_on[list[kRecentTasks - 1].task] = Task::kNoProcessor;
        else
            ++cpu.recent;
        recent_index = cpu.recent - 1;
    }
    std::move_backward(list, list + recent_index, list + recent_index + 1);
    list[0] = {p, cpu.tlb_flushes};
    m.resident_on[p] = static_cast<std::uint16_t>(c);
    result.time = costs_->tlb.refill.time * result.tlb_entries + costs_->cache.refill.time * result.lines +
                  costs_->cache.stream.time * result.streamed;
    return result;
}

void Residency::remove_entries(Machine& m, TaskId p) const {
    const std::uint16_t where = m.resident_on[p];
    if (where == Task::kNoProcessor) return;
    Cpu& cpu = m.cpu(where);
    RecentTask* const list = m.recent(where);
    RecentTask* const end = list + cpu.recent;
    RecentTask* const entry = std::find_if(list, end, [&](const RecentTask& r) { return r.task == p; });
    std::move(entry + 1, end, entry);
    --cpu.recent;
    m.resident_on[p] = Task::kNoProcessor;
}

std::vector<ResidentEntries> Residency::contents(const Machine& m, CpuId c) const {
    std::vector<ResidentEntries> result;
    TaskFootprint others;
    for (std::uint32_t i = 0; i < m.cpu(c).recent; ++i) {
        result.push_back(remaining_entries(m, c, i, others));
        const TaskFootprint& own = footprint_of(m, m.recent(c)[i].task);
        others.pages += own.pages;
        others.lines += own.lines;
        others.streamed += own.streamed;
    }
    return result;
}

}  // namespace sim
