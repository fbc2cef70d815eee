// The interventions of the scenario: tasks that are killed, reniced, woken or blocked at a given time.
#include "sim/core/engine.h"
#include "sim/core/intervene.h"

namespace sim {

const ScenarioIntervention* Engine::intervention_before(const Machine& m, Nanos until) const {
    const std::size_t next = m.globals().next_intervention;
    if (next == scenario_.interventions.size() || scenario_.interventions[next].at >= until) return nullptr;
    return &scenario_.interventions[next];
}

void Engine::execute_intervention(Machine& m, const Sinks& sinks) const {
    using Kind = ScenarioIntervention::Kind;
    Globals& g = m.globals();
    const std::uint32_t index = g.next_intervention++;
    ++g.events;
    const ScenarioIntervention& intervention = scenario_.interventions[index];
    const TaskId p = find_task(m, intervention.group, intervention.ordinal);
    const InterventionResult result = predict_intervention_result(intervention.kind, m, p);
    const ActionContext run = context(m, sinks);
    if (sinks.statistics != nullptr) sinks.statistics->interventions.push_back(result);
    if (sinks.trace != nullptr)
        sinks.trace->intervention(g.now, p != kNoTask ? run.waking_cpu(p, kNoTask) : 0, p, index, result);
    if (result == InterventionResult::done) {
        switch (intervention.kind) {
            case Kind::kill:
                kill_task(run, p);
                break;
            case Kind::renice:
                renice_task(run, p, intervention.priority);
                break;
            case Kind::wake:
                wake_task(run, p);
                break;
            case Kind::block:
                block_task(run, p, index);
                break;
        }
    }
    stop_if_over(m);
}

}  // namespace sim
