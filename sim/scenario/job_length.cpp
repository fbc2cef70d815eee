#include "sim/scenario/job_length.h"

namespace sim {

void JobLength::append_computation(const TimeDistribution& duration) {
    if (ends_) return;
    if (duration.kind != TimeDistribution::Kind::fixed) known_ = false;
    Nanos& part = has_timer_ ? tail_ : head_;
    part += duration.a;
    if (part > kHorizon) known_ = false, part = {};  // the sum is longer than any run
}

void JobLength::append_end_of_job() {
    if (ends_) return;
    if (has_timer_) add_whole_job(tail_);
    has_timer_ = true;
    tail_ = {};
}

void JobLength::append_end_of_task() { ends_ = true; }

void JobLength::add_whole_job(Nanos length) {
    if (has_whole_job_ && whole_ != length) known_ = false;
    has_whole_job_ = true;
    whole_ = length;
}

JobLength JobLength::followed_by(const JobLength& next) const {
    if (ends_) return *this;
    JobLength all = *this;
    all.known_ = known_ && next.known_;
    all.append_computation({.a = next.head_});
    if (next.has_timer_) {
        all.append_end_of_job();
        if (next.has_whole_job_) all.add_whole_job(next.whole_);
        all.tail_ = next.tail_;
    }
    all.ends_ = next.ends_;
    all.loops_forever_ = next.loops_forever_;
    return all;
}

JobLength JobLength::repeated(std::uint32_t count) const {
    if (count == 0) return {};
    if (ends_ || count == 1) return *this;
    JobLength all = *this;
    if (has_timer_) {
        all = followed_by(*this);  // two repetitions already contain every length of a job
    } else if (count != kForever) {
        const bool too_long = head_ > Nanos{} && count > kHorizon / head_;
        all.known_ = known_ && !too_long;
        all.head_ = too_long ? Nanos{} : head_ * std::int64_t{count};
    }
    if (count == kForever) all.ends_ = all.loops_forever_ = true;
    return all;
}

Nanos JobLength::fixed_length_or_zero() const {
    if (!known_ || (loops_forever_ && !has_timer_)) return {};
    if (!has_timer_) return head_;
    const bool one_whole = !has_whole_job_ || whole_ == head_;
    const bool one_tail = loops_forever_ || tail_ == Nanos{} || tail_ == head_;
    return one_whole && one_tail ? head_ : Nanos{};
}

}  // namespace sim
