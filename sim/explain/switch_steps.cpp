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

SwitchView switch_steps(const DecisionView& view, const NamedPolicy& policy, const Scenario& scenario,
                        const TaskNamer& name) {
    const std::unique_ptr<SwitchWriter> writer = scenario.machine.lazy_tlb.value_or(policy.policy->lazy_tlb())
                                                     ? software_switch(view, scenario, name)
                                                     : hardware_switch(view, scenario, name);
    return view.record.task == view.record.other ? writer->no_switch(policy, name) : writer->the_switch();
}

}  // namespace sim
