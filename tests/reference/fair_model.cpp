#include "tests/reference/fair_model.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace reference_fair {
namespace {

using Unsigned = unsigned long long;

constexpr long long kMs = 1000000;
constexpr long long kTick = kMs;  // HZ=1000
constexpr long long kNice0 = 1024;
constexpr int kTurn = 100;  // ticks: DEF_TIMESLICE, RR_TIMESLICE

// prio_to_weight[] and prio_to_wmult[], from nice -20.
constexpr long long kWeights[40] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
                                    9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
                                    1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
                                    110,   87,    70,    56,    45,    36,    29,    23,    18,    15};
constexpr Unsigned kInverses[40] = {
    48388,    59856,    76040,    92818,    118348,   147320,    184698,    229616,    287308,    360437,
    449829,   563644,   704093,   875809,   1099582,  1376151,   1717300,   2157191,   2708050,   3363326,
    4194304,  5237765,  6557202,  8165337,  10153587, 12820798,  15790321,  19976592,  24970740,  31350126,
    39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153};

Unsigned u64(long long x) { return static_cast<Unsigned>(x); }

// Arithmetic modulo 2^64, as for the kernel's counters.
long long sum(long long a, long long b) { return static_cast<long long>(u64(a) + u64(b)); }
long long difference(long long a, long long b) { return static_cast<long long>(u64(a) - u64(b)); }

// calc_delta_mine() of 2.6: time * weight / w, where `inv` is the inverse of w. Rounds half up; if the
// first product is large, in two steps. All products are modulo 2^64.
long long mul(long long time, long long weight, Unsigned inv) {
    const Unsigned p = u64(time) * u64(weight);
    Unsigned result = 0;
    if (p > (1ULL << 32))
        result = (((p + (1ULL << 15)) >> 16) * inv + (1ULL << 15)) >> 16;
    else
        result = (p * inv + (1ULL << 31)) >> 32;
    return static_cast<long long>(std::min(result, ~0ULL >> 1));
}

Wide floor_div(Wide a, Wide b) {  // b > 0
    const Wide q = a / b;
    return a % b < 0 ? q - 1 : q;
}

}  // namespace

// Rotates the subtree of `id`; `id` moves down on `side`.
void RedBlackTree::rotate(int id, int side) {
    const int up = nodes_[id].child[1 - side];
    const int between = nodes_[up].child[side];
    transplant(id, up);
    nodes_[id].child[1 - side] = between;
    if (between != kNil) nodes_[between].parent = id;
    nodes_[up].child[side] = id;
    nodes_[id].parent = up;
}

// Replaces `old` by `fresh` as a child of old's parent.
void RedBlackTree::transplant(int old, int fresh) {
    const int parent = nodes_[old].parent;
    if (parent == kNil)
        root_ = fresh;
    else
        nodes_[parent].child[side_of(old)] = fresh;
    nodes_[fresh].parent = parent;
}

void RedBlackTree::insert(int id, long long key) {
    int parent = kNil;
    int side = 0;
    for (int x = root_; x != kNil; x = nodes_[x].child[side]) {
        parent = x;
        side = key < nodes_[x].key ? 0 : 1;
    }
    Node node;
    node.key = key;
    node.parent = parent;
    node.red = true;
    nodes_[id] = node;
    if (parent == kNil)
        root_ = id;
    else
        nodes_[parent].child[side] = id;

    int z = id;
    while (nodes_[nodes_[z].parent].red) {
        int p = nodes_[z].parent;
        const int g = nodes_[p].parent;
        const int s = side_of(p);
        const int uncle = nodes_[g].child[1 - s];
        if (nodes_[uncle].red) {
            nodes_[p].red = false;
            nodes_[uncle].red = false;
            nodes_[g].red = true;
            z = g;
            continue;
        }
        if (side_of(z) != s) {
            rotate(p, s);
            std::swap(z, p);
        }
        nodes_[p].red = false;
        nodes_[g].red = true;
        rotate(g, 1 - s);
    }
    nodes_[root_].red = false;
}

void RedBlackTree::erase(int id) {
    const Node gone = nodes_.at(id);
    bool lost_red = gone.red;
    int x = kNil;  // the node that moved up, or the sentinel, whose parent is set
    if (gone.child[0] == kNil || gone.child[1] == kNil) {
        x = gone.child[0] == kNil ? gone.child[1] : gone.child[0];
        transplant(id, x);
    } else {
        int next = gone.child[1];  // the successor
        while (nodes_[next].child[0] != kNil) next = nodes_[next].child[0];
        lost_red = nodes_[next].red;
        x = nodes_[next].child[1];
        if (nodes_[next].parent == id) {
            nodes_[x].parent = next;
        } else {
            transplant(next, x);
            nodes_[next].child[1] = gone.child[1];
            nodes_[gone.child[1]].parent = next;
        }
        transplant(id, next);
        nodes_[next].child[0] = gone.child[0];
        nodes_[gone.child[0]].parent = next;
        nodes_[next].red = gone.red;
    }
    nodes_.erase(id);
    if (lost_red) return;

    while (x != root_ && !nodes_[x].red) {  // the paths through x lack a black node
        const int p = nodes_[x].parent;
        const int s = nodes_[p].child[0] == x ? 0 : 1;
        int w = nodes_[p].child[1 - s];
        if (nodes_[w].red) {
            nodes_[w].red = false;
            nodes_[p].red = true;
            rotate(p, s);
            w = nodes_[p].child[1 - s];
        }
        if (!nodes_[nodes_[w].child[0]].red && !nodes_[nodes_[w].child[1]].red) {
            nodes_[w].red = true;
            x = p;
            continue;
        }
        if (!nodes_[nodes_[w].child[1 - s]].red) {
            nodes_[nodes_[w].child[s]].red = false;
            nodes_[w].red = true;
            rotate(w, 1 - s);
            w = nodes_[p].child[1 - s];
        }
        nodes_[w].red = nodes_[p].red;
        nodes_[p].red = false;
        nodes_[nodes_[w].child[1 - s]].red = false;
        rotate(p, s);
        x = root_;
    }
    nodes_[x].red = false;
}

void RedBlackTree::visit(int id, std::vector<int>& out) const {
    if (id == kNil) return;
    visit(child(id, 0), out);
    out.push_back(id);
    visit(child(id, 1), out);
}

std::vector<int> RedBlackTree::in_order() const {
    std::vector<int> out;
    visit(root_, out);
    return out;
}

// set_load_weight(). SCHED_IDLE has a fixed weight for all nice values. In 6.6 real-time tasks do not count
// in the load by which fair tasks are balanced.
long long FairModel::weight(const Task& t) const {
    if (is_real_time(t)) return is_6_6() ? 0 : 2 * kWeights[0];
    if (t.cls == Class::idle) return is_2_6_24() ? 2 : 3;
    return kWeights[t.nice + 20];
}

// WMULT_IDLEPRIO of 2.6.24 is 1 << 31, a negative int, which is sign-extended to 64 bits.
unsigned long long FairModel::inverse(const Task& t) const {
    if (t.cls == Class::idle) return is_2_6_24() ? 0ULL - (1ULL << 31) : 1431655765ULL;
    return kInverses[t.nice + 20];
}

long long FairModel::load() const {
    long long all = 0;
    for (const auto& [id, t] : tasks_)
        if (t.on_rq && !is_real_time(t)) all += weight(t);
    return all;
}

long long FairModel::nr_running() const {
    return std::count_if(tasks_.begin(), tasks_.end(),
                         [](const auto& item) { return item.second.on_rq && !is_real_time(item.second); });
}

long long FairModel::load_of_all() const {
    long long all = load();
    for (int id : real_time_) all += weight(id);
    return all;
}

int FairModel::nr_of_all() const {
    return static_cast<int>(nr_running()) + static_cast<int>(real_time_.size());
}

// calc_delta_fair(): converts time on the CPU to virtual time.
long long FairModel::scale(long long time, const Task& t) const {
    if (weight(t) == kNice0) return time;
    if (is_6_6()) return static_cast<long long>((static_cast<Wide>(time) * inverse(t)) >> 22);
    return mul(time, kNice0, inverse(t));
}

// sched_init_granularity(), get_update_sysctl_factor(): 1 + log2 of the number of CPUs.
long long FairModel::factor() const {
    const int counted = is_2_6_24() ? cpus_ : std::min(cpus_, 8);
    long long factor = 1;
    for (int n = counted; n > 1; n /= 2) ++factor;
    return factor;
}

// sysctl_sched_latency of 2.6.
long long FairModel::latency() const {
    if (is_2_6_24()) return std::min(20 * kMs * factor(), 200 * kMs);
    return 5 * kMs * factor();
}

// sysctl_sched_wakeup_granularity of 2.6. In 2.6.32, sysctl_sched_min_granularity has the same value.
long long FairModel::wakeup_granularity() const { return (is_2_6_24() ? 10 * kMs : kMs) * factor(); }

// sysctl_sched_base_slice.
long long FairModel::slice_6_6() const { return 750000 * factor(); }

// __sched_period() of 2.6: the time in which each task runs once.
long long FairModel::period(long long nr) const {
    if (is_2_6_24()) return nr <= 5 ? latency() : latency() * nr / 5;
    return nr <= 5 ? latency() : nr * wakeup_granularity();
}

// sched_slice() of 2.6.32. The inverse of the total load is computed, because no table contains it.
long long FairModel::slice_2_6_32(long long nr, const Task& t, long long total_load) const {
    const Unsigned inv = 1 + ((1ULL << 32) - u64(total_load) / 2) / (u64(total_load) + 1);
    return mul(period(nr), weight(t), inv);
}

// __enqueue_entity(): inserts the task after tasks with the same vruntime.
void FairModel::enqueue(int id) {
    if (is_6_6()) {
        timeline_.insert(id, task(id).v);
        return;
    }
    auto place = waiting_.begin();
    while (place != waiting_.end() && task(*place).v <= task(id).v) ++place;
    waiting_.insert(place, id);
}

// __dequeue_entity().
void FairModel::dequeue(int id) {
    if (is_6_6()) {
        timeline_.erase(id);
        return;
    }
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), id));
}

// enqueue_task_rt(): inserts the task after tasks with the same rt_priority.
void FairModel::enqueue_real_time(int id) {
    auto place = real_time_.begin();
    while (place != real_time_.end() && rt_priority(*place) >= rt_priority(id)) ++place;
    real_time_.insert(place, id);
}

// dequeue_task_rt()
void FairModel::dequeue_real_time(int id) {
    real_time_.erase(std::find(real_time_.begin(), real_time_.end(), id));
}

std::vector<int> FairModel::real_time_waiting() const {
    std::vector<int> waiting = real_time_;
    waiting.erase(std::remove(waiting.begin(), waiting.end(), real_time_current_), waiting.end());
    return waiting;
}

std::vector<int> FairModel::tree() const { return is_6_6() ? timeline_.in_order() : waiting_; }

// update_min_vruntime(); in 2.6.24 the end of __update_curr(). min_vruntime never decreases.
void FairModel::raise_min_vruntime() {
    std::vector<int> candidates = tree();
    if (candidates.size() > 1) candidates.resize(1);
    if (current_ != kIdle) candidates.push_back(current_);
    if (candidates.empty()) return;
    long long lowest = task(candidates.front()).v;
    for (int id : candidates) lowest = std::min(lowest, task(id).v);
    minv_ = std::max(minv_, lowest);
}

// update_curr().
void FairModel::account() {
    if (current_ == kIdle) return;
    Task& c = task(current_);
    const long long d = now_ - c.exec_start;
    if (d == 0 && !is_2_6_24()) return;  // 2.6.24 continues and may raise min_vruntime
    c.exec_start = now_;
    c.ran += d;
    c.total += d;
    c.v = sum(c.v, scale(d, c));
    if (is_6_6() && c.v >= c.deadline) {  // update_deadline()
        c.deadline = c.v + scale(slice_6_6(), c);
        if (nr_running() > 1) need_resched_ = true;
    }
    raise_min_vruntime();
}

// avg_vruntime_add() and related functions, without an offset and without cached sums.
Wide FairModel::weighted_sum() const {
    Wide all = 0;
    for (const auto& [id, t] : tasks_)
        if (t.on_rq && !is_real_time(t)) all += static_cast<Wide>(weight(t)) * t.v;
    return all;
}

long long FairModel::avg_vruntime() const {
    if (nr_running() == 0) return minv_;
    return static_cast<long long>(floor_div(weighted_sum(), load()));
}

// entity_eligible().
bool FairModel::eligible(int id) const { return weighted_sum() >= static_cast<Wide>(task(id).v) * load(); }

// update_entity_lag(), called while load() still includes the task.
void FairModel::save_lag(int id) {
    Task& t = task(id);
    const long long limit = scale(std::max(2 * slice_6_6(), kTick), t);
    t.lag = std::clamp(avg_vruntime() - t.v, -limit, limit);
}

// place_entity() of 6.6, called before load() includes the task. The insertion of the task itself moves V
// and thereby reduces the lag, so the lag is scaled up before.
void FairModel::place_6_6(int id) {
    Task& t = task(id);
    assert(!t.on_rq);
    long long lag = 0;
    if (nr_running() != 0)
        lag = static_cast<long long>(static_cast<Wide>(t.lag) * (load() + weight(t)) / load());
    t.v = avg_vruntime() - lag;
    t.deadline = t.v + scale(slice_6_6(), t);
}

// place_entity() of a woken task.
void FairModel::place_woken(int id) {
    if (is_6_6()) {
        place_6_6(id);
        return;
    }
    // NEW_FAIR_SLEEPERS; GENTLE_FAIR_SLEEPERS halves the bonus.
    const long long bonus = is_2_6_24() ? latency() : latency() / 2;
    task(id).v = std::max(task(id).v, minv_ - bonus);
}

// __clear_buddies().
void FairModel::drop_buddy(int id) {
    if (buddy_ == id) buddy_ = kIdle;
}

// wakeup_preempt_entity() of 2.6.32. Returns 1 if b leads a by more than the granularity, 0 if b leads by
// less, -1 if b does not lead.
int FairModel::lead(int a, int b) const {
    const long long diff = difference(task(a).v, task(b).v);
    if (diff <= 0) return -1;
    long long granularity = wakeup_granularity();
    if (current_ != kIdle) {  // adaptive_gran()
        const long long expected = 2 * task(b).avg_wakeup * nr_running() - task(a).ran;
        granularity = std::min(granularity, std::max(0LL, expected));
    }
    return diff > scale(granularity, task(b)) ? 1 : 0;  // wakeup_gran(), ASYM_GRAN
}

// The augmented min_deadline of a node: the earliest deadline in its subtree.
long long FairModel::earliest_deadline(int node) const {
    long long earliest = task(node).deadline;
    for (int side : {0, 1})
        if (timeline_.child(node, side) != RedBlackTree::kNil)
            earliest = std::min(earliest, earliest_deadline(timeline_.child(node, side)));
    return earliest;
}

// pick_eevdf() and __pick_eevdf(): the eligible task with the earliest deadline. If deadlines are equal,
// the order of the search decides.
int FairModel::pick_eevdf() const {
    constexpr int nil = RedBlackTree::kNil;
    int best = kIdle;
    if (current_ != kIdle && task(current_).on_rq && eligible(current_)) {
        if (has_picked_deadline(current_)) return current_;  // RUN_TO_PARITY
        best = current_;
    }
    int side = nil;  // best subtree of only eligible tasks
    int node = timeline_.root();
    while (node != nil) {
        const int left = timeline_.child(node, 0);
        if (!eligible(node)) {
            node = left;
            continue;
        }
        if (best == kIdle || task(node).deadline < task(best).deadline) best = node;
        if (left != nil) {
            if (side == nil || earliest_deadline(left) < earliest_deadline(side)) side = left;
            if (earliest_deadline(left) == earliest_deadline(node)) break;
        }
        if (task(node).deadline == earliest_deadline(node)) break;
        node = timeline_.child(node, 1);
    }
    if (side == nil || earliest_deadline(side) > task(best).deadline) return best;
    node = side;
    while (task(node).deadline != earliest_deadline(node)) {
        const int left = timeline_.child(node, 0);
        const bool there = left != nil && earliest_deadline(left) == earliest_deadline(node);
        node = there ? left : timeline_.child(node, 1);
    }
    return node;
}

// pick_next_entity().
int FairModel::pick() const {
    if (is_6_6()) return pick_eevdf();
    if (waiting_.empty()) return kIdle;
    const int left = waiting_.front();
    if (buddy_ != kIdle && lead(buddy_, left) < 1) return buddy_;
    return left;
}

// set_next_entity().
void FairModel::take(int id) {
    dequeue(id);
    drop_buddy(id);
    current_ = id;
    Task& t = task(id);
    t.exec_start = now_;
    t.ran = 0;
    t.picked_deadline = t.deadline;
}

// schedule(). A blocking task has been dequeued before.
void FairModel::schedule() {
    put_prev(false);
    choose();
}

// put_prev_entity(). 6.6 with group scheduling leaves prev current during the comparison, unless another task
// runs in between: the migration thread (`wholly`) or a real-time task. A real-time prev never leaves its
// list.
void FairModel::put_prev(bool wholly) {
    real_time_current_ = kIdle;
    account();
    if (current_ == kIdle) return;
    if (is_6_6() && group_sched_ && !wholly && real_time_.empty()) return;
    enqueue(current_);
    current_ = kIdle;
}

// pick_next_task_rt() and pick_next_task_fair(). If prev is still current and is picked again, its state does
// not change.
void FairModel::choose() {
    if (!real_time_.empty()) {
        real_time_current_ = real_time_.front();
        need_resched_ = false;
        return;
    }
    const int prev = current_;
    const int next = pick();
    if (prev != kIdle && next != prev) enqueue(prev);
    if (next != current_) take(next);
    need_resched_ = false;
}

bool FairModel::after_event() {
    if (several_ || !need_resched_) return false;
    schedule();
    return true;
}

// Completes an event after which schedule() always runs.
bool FairModel::reschedule() {
    need_resched_ = true;
    return after_event();
}

// A task added at time 0 starts at min_vruntime plus spec.v; a later task is placed like a new task.
void FairModel::add(const Spec& spec) {
    assert(spec.id >= 0 && !alive(spec.id));
    Task t;
    t.nice = spec.nice;
    t.cls = spec.cls;
    t.rt_priority = spec.rt_priority;
    t.turn = spec.turn;
    t.v = base_ + spec.v;
    t.lag = spec.lag;
    t.avg_wakeup = wakeup_granularity();
    if (now_ != 0 && !is_6_6() && !is_real_time(t)) {
        account();
        t.v = debit(t);
        if (is_2_6_32() && current_ != kIdle) t.v = std::max(t.v, task(current_).v);
    }
    tasks_[spec.id] = t;
    if (spec.sleeping) return;
    attach(spec.id);
    if (is_2_6_24() && !is_real_time(t)) need_resched_ = true;
}

// place_entity() of a new task in 2.6 (START_DEBIT), called before nr_running() and load() include the
// task.
long long FairModel::debit(const Task& fresh) const {
    const long long nr = nr_running() + 1;
    const long long all = load() + weight(fresh);
    if (is_2_6_24()) return sum(minv_, period(nr) * kNice0 / all);  // sched_vslice_add()
    return sum(minv_, scale(slice_2_6_32(nr, fresh, all), fresh));
}

bool FairModel::start() {
    schedule();
    return true;
}

// task_tick_rt(): a task whose turn is over moves after tasks with the same rt_priority, if there are any.
void FairModel::tick_real_time() {
    const int id = real_time_current_;
    Task& c = task(id);
    if (c.cls != Class::rr) return;
    c.turn -= 1;
    if (c.turn != 0) return;
    c.turn = kTurn;
    for (int other : real_time_) {
        if (other == id || rt_priority(other) != c.rt_priority) continue;
        dequeue_real_time(id);
        enqueue_real_time(id);
        need_resched_ = true;
        return;
    }
}

// task_tick_fair(): entity_tick() and check_preempt_tick().
bool FairModel::tick() {
    if (real_time_current_ != kIdle) {
        tick_real_time();
        return after_event();
    }
    if (current_ == kIdle) return false;
    account();
    const Task& c = task(current_);
    if (is_2_6_24() && nr_running() > 1) {
        const long long slice = period(nr_running()) * weight(c) / load();  // sched_slice()
        if (c.ran > slice) need_resched_ = true;
    }
    if (is_2_6_32() && nr_running() > 1) {
        const long long ideal = slice_2_6_32(nr_running(), c, load());
        if (c.ran > ideal) {
            need_resched_ = true;
            drop_buddy(current_);
        } else if (c.ran >= wakeup_granularity() && difference(c.v, task(waiting_.front()).v) > ideal) {
            need_resched_ = true;
        }
    }
    return after_event();
}

// sys_sched_yield(): yield_task_rt() or yield_task_fair(), and schedule().
bool FairModel::yield() {
    if (real_time_current_ != kIdle) {
        dequeue_real_time(real_time_current_);
        enqueue_real_time(real_time_current_);
        return reschedule();
    }
    assert(current_ != kIdle);
    Task& c = task(current_);
    if (nr_running() > 1) {
        if (is_2_6_32()) drop_buddy(current_);
        if (is_6_6()) {
            account();
            c.deadline += scale(slice_6_6(), c);
        } else if (!compat_yield_ && c.cls != Class::batch) {
            account();
            // compat_yield: the task moves after the last task in the tree. The time since the last
            // account() is added later.
        } else {
            const long long last = task(waiting_.back()).v;
            const bool behind = is_2_6_24() ? u64(last) < u64(c.v) : last < c.v;
            if (!behind) c.v = last + 1;
        }
    }
    return reschedule();
}

// deactivate_task() of the running task.
void FairModel::leave_cpu() {
    if (real_time_current_ != kIdle) {
        dequeue_real_time(real_time_current_);
        task(real_time_current_).on_rq = false;
        real_time_current_ = kIdle;
        return;
    }
    assert(current_ != kIdle);
    Task& c = task(current_);
    if (is_2_6_32()) {
        if (c.last_wakeup != 0)
            c.last_wakeup = 0;
        else
            learn_wakeup(c, wakeup_granularity());
    }
    account();
    if (is_6_6()) save_lag(current_);
    if (is_2_6_32()) {
        drop_buddy(current_);
        raise_min_vruntime();
    }
    c.on_rq = false;
    current_ = kIdle;
    if (is_6_6()) raise_min_vruntime();
}

bool FairModel::block() {
    leave_cpu();
    return reschedule();
}

bool FairModel::exit() {
    const int gone = current();
    leave_cpu();
    if (!several_) reap(gone);
    return reschedule();
}

// check_preempt_curr(): it calls check_preempt_curr_rt(), check_preempt_wakeup(), or the function of the
// idle class.
void FairModel::contest(int id) {
    if (real_time_current_ != kIdle) {
        if (is_real_time(id) && rt_priority(id) > rt_priority(real_time_current_)) need_resched_ = true;
        return;
    }
    if (is_real_time(id)) {
        if (!is_6_6()) account();
        need_resched_ = true;
        return;
    }
    if (current_ == kIdle) {
        need_resched_ = true;
        return;
    }
    const Task& c = task(current_);
    const Task& p = task(id);
    if (is_2_6_24()) {
        if (p.cls == Class::batch) return;
        if (u64(p.v) + u64(scale(wakeup_granularity(), c)) < u64(c.v)) need_resched_ = true;
        return;
    }
    if (need_resched_) return;
    if (is_2_6_32()) {
        if (p.cls != Class::other) return;
        if (c.cls == Class::idle) {
            need_resched_ = true;
        } else if (lead(current_, id) == 1) {
            need_resched_ = true;
            if (nr_running() >= 5) buddy_ = current_;  // LAST_BUDDY
        }
        return;
    }
    if (c.cls == Class::idle && p.cls != Class::idle) {
        need_resched_ = true;
        return;
    }
    if (p.cls != Class::other) return;
    if (pick_eevdf() == id) need_resched_ = true;
}

bool FairModel::try_to_wake_up(int id, bool in_interrupt) {
    activate(id);
    if (!in_interrupt) has_woken();
    contest(id);
    return after_event();
}

// activate_task() of a woken task.
void FairModel::activate(int id) {
    Task& p = task(id);
    assert(!p.on_rq);
    if (is_real_time(p)) {
        p.on_rq = true;
        enqueue_real_time(id);
        return;
    }
    p.start_runtime = p.total;
    account();
    place_woken(id);
    p.on_rq = true;
    enqueue(id);
}

// Updates the 2.6.32 wake-up statistics of the running task, which has woken another task. `total` of the
// running task does not include the time since this task was last charged.
void FairModel::has_woken() {
    if (!is_2_6_32() || current_ == kIdle) return;
    Task& c = task(current_);
    learn_wakeup(c, c.total - (c.last_wakeup != 0 ? c.last_wakeup : c.start_runtime));
    c.last_wakeup = c.total;
}

bool FairModel::fork(int child) {
    make_child(child);
    wake_up_new_task(child);
    return after_event();
}

// sched_fork(), and the placement of the child relative to its parent: task_new_fair() in 2.6.24,
// task_fork_fair() in later versions. The child is not queued yet. A child of class rr inherits the rest of
// its parent's turn; in 6.6 it gets a full turn (__sched_fork()).
void FairModel::make_child(int child) {
    assert(current() != kIdle && child >= 0 && !alive(child));
    if (real_time_current_ != kIdle) {
        Task fresh = task(real_time_current_);
        fresh.on_rq = false;
        if (is_6_6()) fresh.turn = kTurn;
        tasks_[child] = fresh;
        return;
    }
    account();
    Task& c = task(current_);
    Task fresh;
    fresh.nice = c.nice;
    fresh.cls = c.cls;
    fresh.avg_wakeup = wakeup_granularity();
    if (is_2_6_24()) {
        fresh.v = debit(fresh);
        if (u64(c.v) < u64(fresh.v)) std::swap(c.v, fresh.v);  // the child runs first
        raise_min_vruntime();
    } else if (is_2_6_32()) {
        fresh.v = std::max(c.v, debit(fresh));
    }
    tasks_[child] = fresh;
}

void FairModel::wake_up_new_task(int child) {
    if (!is_2_6_24() || is_real_time(child)) {
        attach(child);
        return;
    }
    task(child).on_rq = true;
    enqueue(child);
    need_resched_ = true;
}

// activate_task() of a task that was not woken, and check_preempt_curr().
void FairModel::attach(int id) {
    if (is_real_time(id)) {
        activate(id);
        contest(id);
        return;
    }
    account();
    if (is_6_6()) place_6_6(id);
    task(id).on_rq = true;
    enqueue(id);
    contest(id);
}

// set_task_cpu(): the difference between vruntime and min_vruntime is preserved; 6.6 preserves the lag
// instead. For real-time tasks, neither is used.
void FairModel::move_sleeper(int id, FairModel& to) {
    assert(asleep(id));
    Task t = task(id);
    tasks_.erase(id);
    if (!is_6_6()) t.v = sum(t.v, difference(to.minv_, minv_));
    to.tasks_[id] = t;
}

// pull_task(): deactivate_task() on this CPU, activate_task() on the other.
void FairModel::move_waiting(int id, FairModel& to) {
    assert(!asleep(id) && id != current());
    if (is_real_time(id)) {
        dequeue_real_time(id);
        task(id).on_rq = false;
        move_sleeper(id, to);
        to.attach(id);
        return;
    }
    account();
    if (is_6_6()) save_lag(id);
    drop_buddy(id);
    dequeue(id);
    task(id).on_rq = false;
    if (!is_2_6_24()) raise_min_vruntime();
    move_sleeper(id, to);
    to.attach(id);
}

// set_user_nice().
bool FairModel::set_nice(int id, int nice) {
    Task& t = task(id);
    if (t.nice == nice) return false;
    if (is_real_time(t))
        t.nice = nice;  // only inherited by children
    else if (is_6_6())
        set_nice_6_6(id, nice);
    else if (!t.on_rq)
        t.nice = nice;
    else
        set_nice_2_6(id, nice);
    return after_event();
}

// dequeue_task() and enqueue_task(). vruntime does not change.
void FairModel::set_nice_2_6(int id, int nice) {
    Task& t = task(id);
    const bool runs = id == current_;
    const int old = t.nice;
    account();
    if (is_2_6_32()) drop_buddy(id);
    if (!runs) dequeue(id);
    t.nice = nice;
    // At this point a waiting task is not in the tree. 2.6.24 raises min_vruntime in update_curr(), so
    // 2.6.24 raises it here only if a fair task is running.
    if (!is_2_6_24() || current_ != kIdle) raise_min_vruntime();
    if (!runs) enqueue(id);
    if (nice < old || (nice > old && runs)) need_resched_ = true;
}

// dequeue_task(), reweight_task(), enqueue_task() and prio_changed_fair(). The task gets a new placement,
// even while it runs.
void FairModel::set_nice_6_6(int id, int nice) {
    Task& t = task(id);
    const bool runs = id == current_;
    const bool queued = t.on_rq;
    const int old = t.nice;
    if (queued) {
        account();
        save_lag(id);
        if (runs)
            current_ = kIdle;  // put_prev_task()
        else
            dequeue(id);
        t.on_rq = false;
    }
    const long long old_weight = weight(t);
    t.nice = nice;
    t.lag = static_cast<long long>(static_cast<Wide>(t.lag) * old_weight / weight(t));  // reweight_entity()
    if (!queued) return;
    place_6_6(id);
    t.on_rq = true;
    enqueue(id);
    if (runs) take(id);
    if (nr_running() == 1) return;
    if (!runs)
        contest(id);
    else if (nice > old)
        need_resched_ = true;
}

}  // namespace reference_fair
