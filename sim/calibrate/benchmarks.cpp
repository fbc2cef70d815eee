#include "sim/calibrate/benchmarks.h"

#include <fmt/format.h>

#include <vector>

namespace sim::calibrate {
namespace {

std::vector<BenchmarkSpec> list_benchmarks() {
    std::vector<BenchmarkSpec> list;
    list.push_back({"syscall", BenchmarkKind::syscall, false, 1, 0});
    for (const bool threads : {false, true})
        for (const int n : {1, 2, 4, 8, 10, 20, 40, kMostContexts})
            list.push_back({fmt::format("yield-{}-{}", threads ? "threads" : "processes", n),
                            BenchmarkKind::yield, threads, n, 0});
    for (const int kib : {0, 16, kMostArrayKib})
        list.push_back({fmt::format("pipe-alone-{}K", kib), BenchmarkKind::pipe_alone, false, 1, kib});
    // The columns of the table lat-ctx, which lmbench measured (docs/reference/published_tables.md).
    for (const auto& [n, kib] : {std::pair{2, 0}, {2, 16}, {2, 64}, {8, 16}, {8, 64}, {16, 16}, {16, 64}})
        list.push_back({fmt::format("ring-{}p-{}K", n, kib), BenchmarkKind::ring, false, n, kib});
    for (const int n : {2, kMostRing})
        list.push_back({fmt::format("ring-{}t-0K", n), BenchmarkKind::ring, true, n, 0});
    for (const int kib : {0, 4096})
        list.push_back({fmt::format("fork-{}K", kib), BenchmarkKind::fork, false, 1, kib});
    list.push_back({"thread", BenchmarkKind::thread, false, 1, 0});
    list.push_back({"futex", BenchmarkKind::futex, true, 2, 0});
    return list;
}

}  // namespace

std::span<const BenchmarkSpec> benchmarks() {
    static const std::vector<BenchmarkSpec> kBenchmarks = list_benchmarks();
    return kBenchmarks;
}

std::size_t benchmark_index(std::string_view name) {
    std::size_t i = 0;
    while (i < benchmarks().size() && benchmarks()[i].name != name) ++i;
    return i;
}

}  // namespace sim::calibrate
