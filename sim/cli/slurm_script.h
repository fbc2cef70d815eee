// A sweep as a job script for Slurm: one task of a job array for each shard, and a merge behind them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::cli {

inline constexpr std::uint64_t kMostSlurmShards = 10'000;  // their files are all open while they are merged
inline constexpr std::uint64_t kUsualSlurmShards = 100;

struct SlurmJob {
    std::string script;               // where it will stand, for the commands that it names
    std::string results;              // the file that the merge leaves
    std::uint64_t runs = 0;           // of the whole sweep
    std::uint64_t shards = 0;         // one or more
    unsigned cpus = 1;                // for each task
    std::vector<std::string> sweep;   // what defines the runs: words behind `switchyard sweep`
    std::vector<std::string> tables;  // what is shown of them at the end
};

// The script, for bash. Paths in it are those that were given: relative ones begin in the folder in which the
// job is submitted.
std::string slurm_script(const SlurmJob& job);

// A path that no program takes for an option.
std::string as_argument(const std::string& path);

}  // namespace sim::cli
