// Speed of the engine and of the bare loop in the same process, in simulated switches per second.
//
// `./run bench` runs all benchmarks; docs/how-to/benchmarks.md lists and explains the results. The
// *Program* rows time a complete `switchyard run`: loading, simulation with full statistics, summary.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/atomic_file.h"
#include "sim/core/engine.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "tests/bench/bare_loop.h"

namespace {

using namespace sim;

constexpr int kDaemons = 70;  // number of sleepers in yield-processes

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Alternates between the engine and the bare loop, so that other load on the machine affects both equally.
// `ratio`: engine speed / loop speed.
void Yield(benchmark::State& state) {
    const auto n = static_cast<int>(state.range(0));
    const Scenario scenario = load_scenario(
        "yield-processes", std::vector<std::string>{"/tasks/0/count=" + std::to_string(n), "/until=70h"});
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    const std::uint64_t yields = n >= 1000 ? 200'000 : n >= 100 ? 1'000'000 : 2'000'000;
    double ours = 0, bare = 0;
    for (auto _ : state) {
        Machine m = engine.initial_state();
        Statistics statistics(scenario.shape);
        auto begin = std::chrono::steady_clock::now();
        engine.run(m, {.decisions = yields}, {.statistics = &statistics});
        const double span = seconds_since(begin);
        begin = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(bench::bare_yield_loop(n, kDaemons, yields));
        bare += seconds_since(begin);
        ours += span;
        state.SetIterationTime(span);
    }
    const double total = static_cast<double>(yields) * static_cast<double>(state.iterations());
    state.counters["switches/s"] = total / ours;
    state.counters["bare_loop/s"] = total / bare;
    state.counters["ratio"] = bare / ours;
}
BENCHMARK(Yield)->Arg(2)->Arg(10)->Arg(40)->Arg(200)->Arg(4000)->UseManualTime()->Unit(
    benchmark::kMillisecond);

void simulate(benchmark::State& state, const Scenario& scenario, const char* spec, bool statistics_on) {
    const NamedPolicy policy = make_policy(spec, scenario.cpus);
    const Engine engine(scenario, *policy.policy);
    std::uint64_t switches = 0, decisions = 0;
    for (auto _ : state) {
        Machine m = engine.initial_state();
        Statistics statistics(scenario.shape);
        engine.run(m, {.until = *scenario.until}, {.statistics = statistics_on ? &statistics : nullptr});
        switches += m.globals().switches;
        decisions += m.globals().decisions;
    }
    state.counters["switches/s"] =
        benchmark::Counter(static_cast<double>(switches), benchmark::Counter::kIsRate);
    state.counters["decisions/s"] =
        benchmark::Counter(static_cast<double>(decisions), benchmark::Counter::kIsRate);
}

// Measures any scenario under any policy, with or without statistics. Counts switches; if few decisions
// cause a switch, counts decisions.
void Run(benchmark::State& state, const char* name, const char* spec, const char* until, bool statistics_on) {
    simulate(state, load_scenario(name, std::vector<std::string>{std::string("/until=") + until}), spec,
             statistics_on);
}
BENCHMARK_CAPTURE(Run, web_server, "web-server", "linux-2.0", "2h", true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Run, web_server_no_statistics, "web-server", "linux-2.0", "2h", false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Run, web_server_sorted_queue, "web-server", "sorted-queue", "2h", true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Run, yield_one_tick, "yield-processes", "linux-2.0:yield=one_tick", "20s", true)
    ->Unit(benchmark::kMillisecond);

// Measures a queue of 200 tasks under each policy that picks a task without scanning the queue.
void LongQueue(benchmark::State& state, const char* spec) {
    const Scenario scenario =
        load_scenario("yield-processes", std::vector<std::string>{"/tasks/0/count=200", "/until=70h"});
    const NamedPolicy policy = make_policy(spec);
    const Engine engine(scenario, *policy.policy);
    std::uint64_t decisions = 0;
    for (auto _ : state) {
        Machine m = engine.initial_state();
        Statistics statistics(scenario.shape);
        engine.run(m, {.decisions = 1'000'000}, {.statistics = &statistics});
        decisions += m.globals().decisions;
    }
    state.counters["decisions/s"] =
        benchmark::Counter(static_cast<double>(decisions), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(LongQueue, linux_2_0, "linux-2.0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, linux_2_0_one_tick, "linux-2.0:yield=one_tick")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, linux_2_2, "linux-2.2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, linux_2_4_0, "linux-2.4.0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, linux_2_4_22, "linux-2.4.22")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, sorted_queue, "sorted-queue")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LongQueue, sorted_queue_from_head, "sorted-queue:insert=head")
    ->Unit(benchmark::kMillisecond);

// 1,000 tasks that sleep and compute, on eight CPUs at two thirds utilisation.
void EightCpus(benchmark::State& state, const char* spec) {
    const Scenario scenario = parse_scenario("eight-cpus.json", R"({
        "format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "cpus": 8, "until": "200s",
        "tasks": [{"name": "worker", "count": 1000, "program": [{"loop": "forever", "steps": [
            {"arrival": {"exponential": "200ms"}}, {"run": {"uniform": ["500us", "1500us"]}}]}]}]})");
    simulate(state, scenario, spec, true);
}
BENCHMARK_CAPTURE(EightCpus, linux_2_0, "linux-2.0")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(EightCpus, linux_2_2, "linux-2.2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(EightCpus, linux_2_4, "linux-2.4.22")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(EightCpus, nt4, "nt4")->Unit(benchmark::kMillisecond);

// 1,000 tasks on 64 CPUs that are never idle: every wake-up searches for an idle CPU in vain.
void SixtyFourCpus(benchmark::State& state, const char* spec) {
    const Scenario scenario = parse_scenario("sixty-four-cpus.json", R"({
        "format": "switchyard-scenario/1", "cpus": 64, "until": "1s",
        "machine": {"hz": 1000, "costs": {"schedule": "300ns", "switch_same_mm": "500ns", "switch_other_mm": "1us"}},
        "tasks": [{"name": "worker", "count": 1000, "program": [{"loop": "forever", "steps": [
            {"arrival": {"exponential": "1ms"}}, {"run": {"exponential": "100us"}}]}]}]})");
    simulate(state, scenario, spec, true);
}
// Measures N tasks that only yield.
void yields(benchmark::State& state, const char* spec, const char* until) {
    const std::string count = "/tasks/0/count=" + std::to_string(state.range(0));
    simulate(
        state,
        load_scenario("yield-processes", std::vector<std::string>{count, std::string("/until=") + until}),
        spec, true);
}
// Measures N yielding tasks under later kernels, where the depth of the tree depends on N.
void LaterYield(benchmark::State& state, const char* spec) { yields(state, spec, "100s"); }
void register_later_kernel_benchmarks(const char* name, void (*run)(benchmark::State&, const char*),
                                      bool by_number) {
    for (const char* spec : {"linux-2.6.20", "linux-2.6.24:yield=compat", "linux-2.6.32:yield=compat",
                             "linux-6.6", "linux-6.6:group_sched=yes"}) {
        auto* bench = benchmark::RegisterBenchmark((std::string(name) + '/' + spec).c_str(),
                                                   [=](benchmark::State& state) { run(state, spec); })
                          ->Unit(benchmark::kMillisecond);
        if (by_number) bench->Arg(2)->Arg(10)->Arg(200)->Arg(4000);
    }
}
// Registers benchmarks of policy scripts, and of C++ policies that behave like them.
bool register_script_benchmarks() {
    for (const char* spec : {"linux_2_0", "linux-2.0", "rr", "round-robin", "mlfq", "lottery", "stride"})
        benchmark::RegisterBenchmark((std::string("ScriptYield/") + spec).c_str(),
                                     [=](benchmark::State& state) { yields(state, spec, "10s"); })
            ->Unit(benchmark::kMillisecond)
            ->Arg(10);
    return true;
}
const bool kScriptsRegistered = register_script_benchmarks();

const bool kRegistered = (register_later_kernel_benchmarks("SixtyFourCpus", SixtyFourCpus, false),
                          register_later_kernel_benchmarks("LaterYield", LaterYield, true), true);

// Runs the complete program with these arguments. The number of switches is read from its summary.
void Program(benchmark::State& state, const char* arguments) {
    const std::string summary =
        (std::filesystem::temp_directory_path() / ("switchyard_bench." + std::to_string(getpid()) + ".json"))
            .string();
    const std::string command =
        std::string(SWITCHYARD_BINARY) + " run " + arguments + " --quiet --format json --output " + summary;
    double switches = 0;
    for (auto _ : state) {
        if (std::system(command.c_str()) != 0) {
            state.SkipWithError("the program failed");
            return;
        }
        const auto json = nlohmann::json::parse(read_text_file(summary, kMaxJsonBytes));
        switches += json["switches"]["total"].get<double>();
    }
    std::remove(summary.c_str());
    state.counters["switches/s"] = benchmark::Counter(switches, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(Program, web_server, "web-server")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(Program, yield_2, "yield-processes --set /tasks/0/count=2 --until 400s")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, yield_10, "yield-processes --set /tasks/0/count=10 --until 300s")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, yield_40, "yield-processes --set /tasks/0/count=40 --until 400s")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, yield_200, "yield-processes --set /tasks/0/count=200 --until 2000s")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(Program, yield_4000, "yield-processes --set /tasks/0/count=4000 --until 30000s")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Takes a snapshot and restores it, to measure the cost of a rewind.
void Snapshot(benchmark::State& state) {
    const Scenario scenario = load_scenario("web-server");
    const NamedPolicy policy = make_policy("linux-2.0");
    const Engine engine(scenario, *policy.policy);
    Machine m = engine.initial_state();
    engine.run(m, {.decisions = 100'000}, {});
    Machine copy = m;
    for (auto _ : state) {
        copy = m;
        benchmark::DoNotOptimize(copy);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(m.bytes()) *
                            static_cast<std::int64_t>(state.iterations()));
    state.counters["bytes"] = static_cast<double>(m.bytes());
}
BENCHMARK(Snapshot);

void Hash(benchmark::State& state) {
    const Scenario scenario = load_scenario("web-server");
    const NamedPolicy policy = make_policy("linux-2.0");
    const Machine m = Engine(scenario, *policy.policy).initial_state();
    for (auto _ : state) benchmark::DoNotOptimize(m.hash());
}
BENCHMARK(Hash);

}  // namespace

BENCHMARK_MAIN();
