// The caches of OSTEP's multi.py. They change how fast a job computes: 1 unit per tick with a cold cache,
// `rate` units with a warm cache. In the simulator, caches cost time to fill instead
// (docs/explanation/address_spaces.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

struct CacheRules {
    std::int64_t warmup = 0;         // number of ticks until a job that starts on a CPU is warm
    std::int64_t rate = 1;           // work of a warm job per tick
    std::int64_t size = 0;           // capacity of each CPU's cache
    std::vector<std::int64_t> sets;  // cache footprint of each job
};

// The cache of one CPU. When a job becomes warm, other jobs are evicted until the remaining jobs fit into
// the cache; the job that became warm first is evicted first. A job that is too large for the cache is
// evicted itself. An evicted job is cold again. A finished job keeps its space.
class WarmCache {
  public:
    // REQUIRES: `rules` outlives this object.
    explicit WarmCache(const CacheRules& rules) : rules_(rules), of_(rules.sets.size()) {}

    // Runs the job on this CPU for one tick. Returns true if the job was warm.
    bool run_one_tick(std::size_t job);

  private:
    struct JobState {
        bool has_been_here = false, is_warm = false;
        std::int64_t cold_left = 0;
    };
    void make_warm(std::size_t job);

    const CacheRules& rules_;
    std::vector<JobState> of_;
    std::vector<std::size_t> warm_;  // jobs with a warm cache, in the order in which they will be evicted
    std::int64_t used_ = 0;
};

}  // namespace sim
