#include "sim/check/warm_caches.h"

namespace sim {

bool WarmCache::run_one_tick(std::size_t job) {
    JobState& of = of_[job];
    if (!of.has_been_here) {
        of.has_been_here = true;
        of.cold_left = rules_.warmup;
        // With a warm-up of 0, a job is warm from its first tick on this CPU on. If it is evicted later, its
        // next tick is cold, and the tick after that is warm.
        if (rules_.warmup == 0) make_warm(job);
    }
    if (of.is_warm) return true;
    if (--of.cold_left <= 0) make_warm(job);
    return false;
}

void WarmCache::make_warm(std::size_t job) {
    of_[job].is_warm = true;
    warm_.push_back(job);
    used_ += rules_.sets[job];
    while (used_ > rules_.size) {
        const std::size_t gone = warm_.front();
        warm_.erase(warm_.begin());
        used_ -= rules_.sets[gone];
        of_[gone].is_warm = false;
        of_[gone].cold_left = rules_.warmup;
    }
}

}  // namespace sim
