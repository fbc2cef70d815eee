// Fuzz target of policy scripts. A script is rejected with an error message, or it schedules without breaking
// an invariant. Resuming from a copy of the machine gives the same result and the same error. All
// instructions are counted only in the second run (call_bound.h).
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/check/invariants.h"
#include "sim/core/engine.h"
#include "sim/scenario/scenario_json.h"
#include "sim/script/script_policy.h"

namespace {

constexpr int kMostEvents = 600, kCopyAt = 60;
constexpr auto kMostTime =
    // Limit on slow scripts, so that the fuzzer makes progress.
    std::chrono::milliseconds(1500);

// Workloads that exercise all callbacks: tasks of all classes that yield, sleep, fork and exit; jobs with
// deadlines; two CPUs with affinity.
const char* const kScenarios[] = {
    R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "300ms", "tasks": [
        {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "7ms"}, "yield"]}]},
        {"name": "B", "priority": 9, "program": [{"loop": "forever", "steps": [{"run": {"exponential": "5ms"}}, {"sleep": "3ms"}]}]},
        {"name": "C", "class": "rr", "rt_priority": 5, "program": [{"loop": 9, "steps": [{"run": "1ms"}, {"sleep": "9ms"}]}]},
        {"name": "D", "class": "fifo", "rt_priority": 5, "program": [{"loop": 9, "steps": [{"run": "1ms"}, {"sleep": "9ms"}]}]},
        {"name": "E", "tickets": 7, "program": [{"loop": "forever", "steps": [{"run": "1ms"}, {"fork": "F"}, {"sleep": "20ms"}]}]},
        {"name": "F", "count": 0, "program": [{"run": "4ms"}]}]})",
    R"({"format": "switchyard-scenario/1", "machine": "ideal", "until": "100ms", "tasks": [
        {"name": "A", "program": [{"loop": "forever", "steps": [{"run": "2ms"}, {"timer": "5ms"}]}]},
        {"name": "B", "program": [{"loop": "forever", "steps": [{"run": "3ms"}, {"timer": {"period": "7ms", "late": "drop"}}]}]},
        {"name": "C", "start": "4ms", "deadline": "30ms", "program": [{"run": "9ms"}]},
        {"name": "D", "start": "4ms", "program": [{"run": "2500us"}, {"exec": "G"}]},
        {"name": "G", "count": 0, "program": [{"run": "2ms"}]}]})",
    R"({"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "cpus": 2, "until": "300ms", "tasks": [
        {"name": "A", "count": 3, "program": [{"loop": "forever", "steps": [{"run": "2ms"}, {"sleep": "1ms"}]}]},
        {"name": "B", "affinity": [1], "program": [{"loop": "forever", "steps": [{"run": "3ms"}, "yield"]}]},
        {"name": "C", "affinity": [0], "program": [{"loop": 7, "steps": [{"run": "1ms"}, {"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]}]},
        {"name": "D", "program": [{"loop": 7, "steps": [{"run": "1ms"}, {"lock": "l"}, {"run": "1ms"}, {"unlock": "l"}]}]}]})"};

const sim::Scenario& scenario(std::size_t number) {
    static const std::vector<sim::Scenario> list = [] {
        std::vector<sim::Scenario> made;
        for (const char* text : kScenarios) made.push_back(sim::parse_scenario("fuzz.json", text));
        return made;
    }();
    return list[number % list.size()];
}

void must(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

// Error messages are not empty and contain no control characters.
void check_sentence(const std::string& text) {
    must(!text.empty(), "an empty sentence");
    for (const char c : text)
        must(static_cast<unsigned char>(c) >= ' ' && c != 0x7f, "a control character in: " + text);
}

struct Outcome {
    std::uint64_t hash = 0;
    int events = 0;
    std::string failure;
    bool operator==(const Outcome&) const = default;
};

// Runs up to `most` further events. nullopt: it took longer than kMostTime.
std::optional<Outcome> go_on(const sim::Scenario& s, const sim::Policy& policy, sim::Machine& m, int most,
                             sim::Statistics* statistics) {
    const auto begin = std::chrono::steady_clock::now();
    const sim::Engine engine(s, policy);
    Outcome outcome;
    while (outcome.events < most && engine.step(m, *s.until, {.statistics = statistics})) {
        ++outcome.events;
        if (m.globals().is_stopped) break;
        if (outcome.events % 10 == 0) {
            const std::string broken = sim::check_invariants(m, s, policy, nullptr);
            must(broken.empty(), "broken invariant: " + broken);
        }
        if (std::chrono::steady_clock::now() - begin > kMostTime) return std::nullopt;
    }
    outcome.hash = m.hash();
    if (const sim::PolicyFailure* failure = policy.failure(); failure != nullptr && m.globals().is_stopped) {
        outcome.failure = describe(*failure, [&](sim::TaskId p) { return s.task_name(m, p); });
        check_sentence(outcome.failure);
    }
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const sim::Scenario& s = scenario(*data);
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::unique_ptr<const sim::Policy> policy;
    try {
        const sim::PolicyInfo info = sim::script::script_policy("fuzz.lua", text);
        sim::PolicyOptions options;
        for (const sim::OptionInfo& option : info.options)
            options.emplace(option.name, option.values.front());
        policy = info.make(options);
    } catch (const sim::PolicyError& error) {
        check_sentence(error.what());
        return 0;
    }
    const sim::Engine engine(s, *policy);
    sim::Machine m = engine.initial_state();
    sim::Statistics statistics(s.shape);
    if (!go_on(s, *policy, m, kCopyAt, &statistics)) return 0;
    sim::Machine copy = m;
    const auto first = go_on(s, *policy, m, kMostEvents, &statistics);
    std::int64_t instructions = std::int64_t{1} << 60;
    policy->set_instruction_budget(&instructions);
    const auto again = go_on(s, *policy, copy, kMostEvents, nullptr);
    policy->set_instruction_budget(nullptr);
    // Endless scripts are not compared: they are stopped earlier if instructions are counted from the
    // start.
    const auto has_no_end = [](const Outcome& o) {
        return o.failure.find("did not finish within") != std::string::npos;
    };
    if (first && again && !has_no_end(*first) && !has_no_end(*again))
        must(*first == *again,
             "the same run has come out otherwise: " + first->failure + " / " + again->failure);
    return 0;
}
