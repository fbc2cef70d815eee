// Measured data: every batch of every benchmark, and facts about the machine. A samples file can be fitted
// and printed without measuring again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::calibrate {

// The batches of one benchmark. A batch is a few milliseconds of the same operation.
struct BenchmarkSamples {
    std::vector<double> ns;        // time per operation in ns, for each batch
    std::vector<double> switches;  // context switches per operation, counted by the kernel, for each batch
    // For each batch: share of its time in which the CPU ran other programs or was idle, 0 to 1.
    std::vector<double> others;
};

struct MachineFacts {
    std::string kernel;                       // release without suffixes: "6.18.44"
    std::string architecture;                 // "x86_64"
    std::string processor;                    // name reported by the system
    std::uint32_t cpus = 1;                   // number of CPUs that are online
    std::uint32_t hz = 250;                   // timer interrupts per second
    std::uint32_t l1d = 0, l2 = 0, line = 0;  // in bytes: L1 data cache, L2 cache, cache line; 0: unknown
};

struct CalibrationSamples {
    MachineFacts facts;
    std::vector<BenchmarkSamples> benchmarks;  // in the order of benchmarks()
};

std::string samples_text(const CalibrationSamples& samples);
// `file`: the name of the text in messages. Throws ScenarioError unless the text is a valid samples file
// with all benchmarks.
CalibrationSamples parse_samples(const std::string& file, std::string text);

}  // namespace sim::calibrate
