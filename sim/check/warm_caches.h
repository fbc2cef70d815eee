// The caches of OSTEP's multi.py, which change how fast a job computes: cold, it gets 1 done in a tick, and
// warm `rate`. Where this simulator has caches, they cost time to fill instead (docs/model.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sim {

struct CacheRules {
    std::int64_t warmup = 0;  // cold ticks of a job on a CPU, in all, until it is warm from the next one on
    std::int64_t rate = 1;    // what a warm one gets done in a tick
    std::int64_t size = 0;    // of each CPU's cache
    std::vector<std::int64_t> sets;  // of each job, what it needs of that
};

// The cache of one CPU. Who is warm last throws out those who were it first, until all fit, and itself when
// it does not fit alone; whoever is thrown out begins anew. A job that is over keeps its place.
class WarmCache {
  public:
    // REQUIRES: `rules` outlives this.
    explicit WarmCache(const CacheRules& rules) : rules_(rules), of_(rules.sets.size()) {}

    // The job computes here for a tick. Returns whether it was warm then.
    bool tick(std::size_t job);

  private:
    struct OfJob {
        bool has_been_here = false, is_warm = false;
        std::int64_t cold_left = 0;
    };
    void becomes_warm(std::size_t job);

    const CacheRules& rules_;
    std::vector<OfJob> of_;
    std::vector<std::size_t> warm_;  // the first to leave is the first
    std::int64_t used_ = 0;
};

}  // namespace sim
