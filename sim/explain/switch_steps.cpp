#include "sim/explain/switch_steps.h"

#include "sim/explain/switch_writer.h"

namespace sim {

const char* to_string(SwitchStep::Kept kept) {
    using Kept = SwitchStep::Kept;
    switch (kept) {
        case Kept::kept:
            return "kept";
        case Kept::flushed:
            return "flushed";
        case Kept::none:
            return "-";
    }
    return "?";
}

namespace {

bool has_lazy_tlb(const NamedPolicy& policy, const Scenario& scenario) {
    return scenario.machine.lazy_tlb.value_or(policy.policy->lazy_tlb());
}

std::unique_ptr<SwitchWriter> writer_for(const DecisionView& view, const NamedPolicy& policy,
                                         const Scenario& scenario, const TaskNamer& name,
                                         const std::optional<SwitchOut>& lost) {
    if (!has_lazy_tlb(policy, scenario)) return hardware_switch(view, scenario, name);
    if (std::unique_ptr<SwitchWriter> later = context_switch(policy.name, view, scenario, name, lost))
        return later;
    return software_switch(view, scenario, name);
}

}  // namespace

bool uses_switch_out(const NamedPolicy& policy, const Scenario& scenario) {
    return has_lazy_tlb(policy, scenario) && has_context_switch(policy.name);
}

SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name, const std::optional<SwitchOut>& lost) {
    const std::unique_ptr<SwitchWriter> writer = writer_for(view, policy, scenario, name, lost);
    return view.record.task == view.record.other ? writer->describe_no_switch(policy, name)
                                                 : writer->describe_switch(policy);
}

}  // namespace sim
