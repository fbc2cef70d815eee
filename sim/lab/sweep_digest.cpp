#include "sim/lab/sweep_digest.h"

#include <nlohmann/json.hpp>

#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/renamed_keys.h"

namespace sim::lab {

std::string digest_of(const MachineSpec& machine) {
    Digest digest;
    const CostModel& c = machine.costs;
    digest.add(std::int64_t{machine.hz});
    digest.add(std::int64_t{machine.lazy_tlb ? *machine.lazy_tlb : 2});
    if (machine.hrtimers) digest.add(std::int64_t{1});
    for (const Cost* cost :
         {&c.syscall, &c.schedule, &c.considered, &c.recalculated, &c.queue_step, &c.switch_same_mm,
          &c.switch_other_mm, &c.reschedule_ipi, &c.tlb.refill, &c.cache.refill, &c.cache.stream})
        digest.add(cost->time.count());
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind) {
        // KernelWork::balance and the kinds of work after it do not exist in earlier versions. The digest
        // includes such a kind only if its cost is not 0, so that digests in older results files stay valid.
        const bool is_later = kind >= static_cast<std::size_t>(KernelWork::balance);
        if (is_later && c.work[kind].time == Nanos{}) continue;
        if (is_later) digest.add(std::string_view(to_string(static_cast<KernelWork>(kind))));
        digest.add(c.work[kind].time.count());
    }
    for (const std::uint32_t number : {c.tlb.entries, std::uint32_t{c.tlb.tagged}, c.tlb.footprint,
                                       c.cache.size, c.cache.line, c.cache.footprint})
        digest.add(std::int64_t{number});
    if (machine.dynticks) digest.add(std::string_view("dynticks"));
    if (c.tlb.slots != 0) digest.add(std::int64_t{c.tlb.slots});
    if (machine.siblings != 1 || machine.cores != kMaxCpus) {
        digest.add(std::int64_t{machine.siblings});
        digest.add(std::int64_t{machine.cores});
    }
    if (machine.tick_phases) {
        digest.add(std::string_view("tick_phases"));
        digest.add(to_string(machine.tick_phases->rule));
        for (const Nanos phase : machine.tick_phases->phases) digest.add(phase.count());
    }
    if (machine.idle == MachineSpec::IdleMode::mwait) digest.add(std::string_view("mwait"));
    if (c.interrupts_take_time()) {
        digest.add(c.steal.time.count());
        for (const Cost& cost : c.interrupt) digest.add(cost.time.count());
    }
    return digest.text();
}

std::string scenario_text_for_digest(const ScenarioText& source) {
    nlohmann::json value = JsonTree(source.file, source.text).root().to_nlohmann_json();
    restore_old_keys(value);  // keeps digests in older results files valid
    if (value.is_object())
        for (const char* said : {"title", "question", "watch", "numbers", "expect", "tour"})
            value.erase(said);
    return json_text(value);
}

}  // namespace sim::lab
