// A sweep as a Slurm job script: a job array with one task per shard, then a merge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::cli {

// The number of shards is limited, because the merge opens one file per shard.
inline constexpr std::uint64_t kMostSlurmShards = 10'000;
inline constexpr std::uint64_t kUsualSlurmShards = 100;

struct SlurmJob {
    std::string script;               // path of the script, for the commands that the script prints
    std::string results;              // file that the merge writes
    std::uint64_t runs = 0;           // number of runs in the whole sweep
    std::uint64_t shards = 0;         // at least 1
    unsigned cpus = 1;                // per task
    std::vector<std::string> sweep;   // arguments of `switchyard sweep` that define the runs
    std::vector<std::string> tables;  // options of the sweep for the tables, such as --measure
};

// A bash script. Its relative paths start in the directory where the job is submitted.
std::string slurm_script(const SlurmJob& job);

// The path in a form that no program interprets as an option.
std::string non_option_path(const std::string& path);

}  // namespace sim::cli
