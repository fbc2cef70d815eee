#include "sim/explain/switch_steps.h"

#include "sim/explain/switch_writer.h"

namespace sim {

const char* to_string(SwitchStep::OldContents kept) {
    using OldContents = SwitchStep::OldContents;
    switch (kept) {
        case OldContents::kept:
            return "kept";
        case OldContents::flushed:
            return "flushed";
        case OldContents::none:
            return "-";
    }
    return "?";
}

namespace {

bool has_lazy_tlb(const NamedPolicy& policy, const Scenario& scenario) {
    return scenario.machine.lazy_tlb.value_or(policy.policy->lazy_tlb());
}

std::unique_ptr<SwitchWriter> make_switch_writer(const DecisionView& view, const NamedPolicy& policy,
                                                 const Scenario& scenario, const TaskNamer& name,
                                                 const std::optional<SwitchOut>& switch_out) {
    if (!has_lazy_tlb(policy, scenario)) return make_hardware_switch_writer(view, scenario, name);
    if (std::unique_ptr<SwitchWriter> later =
            make_context_switch_writer(policy.name, view, scenario, name, switch_out))
        return later;
    return make_software_switch_writer(view, scenario, name);
}

}  // namespace

bool uses_switch_out(const NamedPolicy& policy, const Scenario& scenario) {
    return has_lazy_tlb(policy, scenario) && has_context_switch_writer(policy.name);
}

SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name, const std::optional<SwitchOut>& switch_out) {
    const std::unique_ptr<SwitchWriter> writer = make_switch_writer(view, policy, scenario, name, switch_out);
    return view.record.task == view.record.other ? writer->describe_no_switch(policy, name)
                                                 : writer->describe_switch(policy);
}

}  // namespace sim
