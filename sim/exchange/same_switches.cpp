#include "sim/exchange/same_switches.h"

#include <algorithm>
#include <utility>

namespace sim::exchange {
namespace {

constexpr std::size_t kLookAhead = 32, kAlike = 4;

// The switches to a task on one CPU.
std::vector<Had> switches_on(const Waits& waits, std::size_t cpu) {
    std::vector<Had> list;
    if (cpu >= waits.by_cpu().size()) return list;
    for (const Had& had : waits.by_cpu()[cpu])
        if (had.who >= 0 && !had.by_exec) list.push_back(had);
    return list;
}

// Two orders of the same tasks.
class Orders {
  public:
    Orders(const std::vector<Had>& recorded, const std::vector<Had>& made, const std::vector<int>& same_as)
        : recorded_(recorded), made_(made), same_as_(same_as) {}

    bool are_same(std::size_t r, std::size_t m) const {
        const auto who = static_cast<std::size_t>(made_[m].who);
        return who < same_as_.size() && same_as_[who] == recorded_[r].who;
    }
    // Whether both go on alike from there: for so many switches, or to the end of both.
    bool go_on_alike(std::size_t r, std::size_t m) const {
        const std::size_t left_r = recorded_.size() - r, left_m = made_.size() - m;
        if (std::min(left_r, left_m) < kAlike && left_r != left_m) return false;
        for (std::size_t i = 0; i < std::min(kAlike, left_r); ++i)
            if (!are_same(r + i, m + i)) return false;
        return true;
    }
    // The nearest place behind that one at which both go on alike, and of several as near that which leaves
    // out as much of either; or else the next one in both.
    void go_on(std::size_t& r, std::size_t& m) const {
        const auto is_there = [&](std::size_t of_r, std::size_t of_m) {
            if (of_r > kLookAhead || of_m > kLookAhead) return false;
            if (r + of_r >= recorded_.size() || m + of_m >= made_.size()) return false;
            if (!go_on_alike(r + of_r, m + of_m)) return false;
            r += of_r;
            m += of_m;
            return true;
        };
        for (std::size_t distance = 1; distance <= 2 * kLookAhead; ++distance)
            for (std::size_t less = distance / 2 + 1; less-- > 0;)
                if (is_there(less, distance - less) || is_there(distance - less, less)) return;
        ++r;
        ++m;
    }

  private:
    const std::vector<Had>& recorded_;
    const std::vector<Had>& made_;
    const std::vector<int>& same_as_;
};

Nanos instant_of(const Parting& parting) {
    return parting.recorded ? parting.recorded->since : parting.made->since;
}

}  // namespace

double SameSwitches::share() const {
    return recorded == 0 ? 1 : static_cast<double>(same) / static_cast<double>(recorded);
}

SameSwitches same_switches(const Waits& recording, const Waits& run, const std::vector<int>& same_as) {
    SwitchesSideBySide both(recording, run, same_as);
    while (both.advance(std::size_t{1} << 20)) {
    }
    return both.result();
}

SwitchesSideBySide::SwitchesSideBySide(const Waits& recording, const Waits& run, std::vector<int> same_as)
    : recording_(recording),
      run_(run),
      same_as_(std::move(same_as)),
      cpus_(std::max(recording.by_cpu().size(), run.by_cpu().size())) {
    begin_cpu();
}

void SwitchesSideBySide::begin_cpu() {
    recorded_ = switches_on(recording_, cpu_);
    made_ = switches_on(run_, cpu_);
    all_.recorded += recorded_.size();
    all_.made += made_.size();
    r_ = m_ = 0;
}

bool SwitchesSideBySide::advance(std::size_t steps) {
    for (; cpu_ < cpus_ && steps > 0; --steps) {
        const Orders orders(recorded_, made_, same_as_);
        if (r_ < recorded_.size() && m_ < made_.size()) {
            if (orders.are_same(r_, m_)) {
                ++all_.same;
                ++r_;
                ++m_;
            } else {
                all_.partings.push_back({cpu_, recorded_[r_], made_[m_], m_});
                orders.go_on(r_, m_);
            }
            continue;
        }
        if (r_ < recorded_.size()) all_.partings.push_back({cpu_, recorded_[r_], std::nullopt, made_.size()});
        if (m_ < made_.size()) all_.partings.push_back({cpu_, std::nullopt, made_[m_], m_});
        if (++cpu_ < cpus_) {
            begin_cpu();
            continue;
        }
        std::stable_sort(all_.partings.begin(), all_.partings.end(),
                         [](const Parting& a, const Parting& b) { return instant_of(a) < instant_of(b); });
    }
    return cpu_ < cpus_;
}

}  // namespace sim::exchange
