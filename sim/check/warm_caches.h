// The caches of OSTEP's multi.py, which change how fast a job computes: 1 unit per tick when cold, `rate`
// when warm. In the simulator, caches cost time to fill instead (docs/explanation/address_spaces.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

struct CacheRules {
    std::int64_t warmup = 0;         // cold ticks of a job on a CPU until it is warm
    std::int64_t rate = 1;           // work of a warm job per tick
    std::int64_t size = 0;           // capacity of each CPU's cache
    std::vector<std::int64_t> sets;  // by job: its cache footprint
};

// The cache of one CPU. When a job becomes warm, other jobs are evicted until the rest fits; the job that
// became warm first is evicted first. A job that does not fit alone is evicted itself. An evicted job
// starts cold. A finished job keeps its space.
class WarmCache {
  public:
    // REQUIRES: `rules` outlives this.
    explicit WarmCache(const CacheRules& rules) : rules_(rules), of_(rules.sets.size()) {}

    // Runs the job here for one tick. Returns true if it was warm.
    bool tick(std::size_t job);

  private:
    struct JobState {
        bool has_been_here = false, is_warm = false;
        std::int64_t cold_left = 0;
    };
    void becomes_warm(std::size_t job);

    const CacheRules& rules_;
    std::vector<JobState> of_;
    std::vector<std::size_t> warm_;  // in order of eviction
    std::int64_t used_ = 0;
};

}  // namespace sim
