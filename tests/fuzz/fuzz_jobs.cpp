// Fuzz target of job tables. The reader reports an error or returns jobs whose scenario can be loaded and
// contains exactly these jobs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/job_list.h"
#include "sim/scenario/scenario_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)sim::looks_like_jobs(text);
    std::vector<sim::ListedJob> jobs;
    try {
        jobs = sim::read_jobs("t", text);
    } catch (const sim::ScenarioError&) {
        return 0;
    }
    const sim::Scenario scenario = sim::parse_scenario("t.json", sim::scenario_of_jobs(jobs));
    if (scenario.groups.size() != jobs.size()) std::abort();
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (scenario.groups[i].name != jobs[i].name || scenario.groups[i].start != jobs[i].arrival ||
            scenario.groups[i].length != jobs[i].burst)
            std::abort();
    return 0;
}
