// Replays exercises made by the homework programs of OSTEP: scheduler.py, lottery.py, mlfq.py and multi.py.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/join.h"
#include "sim/check/book_case.h"
#include "sim/check/warm_caches.h"

namespace sim {
namespace {

constexpr Nanos kOstepUnit = 1ms;
constexpr std::int64_t kLongestJob = 10'000, kMostJobs = 100;

// Reads the value of ValueIntervals at successive times. REQUIRES: the times do not decrease.
class IntervalReader {
  public:
    // REQUIRES: `intervals` outlives this.
    explicit IntervalReader(const ValueIntervals& intervals) : intervals_(&intervals) {}
    int at(Nanos time) {
        while (next_ < intervals_->size() && end_ <= time) end_ += (*intervals_)[next_++].length;
        return end_ > time ? (*intervals_)[next_ - 1].value : -1;
    }

  private:
    const ValueIntervals* intervals_;
    std::size_t next_ = 0;
    Nanos end_{};
};

class OstepCase final : public BookCase {
  public:
    using BookCase::BookCase;

    void replay() {
        root_ = text_.root().plain();
        need(root_.is_object(), "", "expected an object");
        const std::string policy = word(member(root_, "", "policy"), "/policy");
        static const std::vector<std::string> kKeys{
            "id",   "policy", "from", "params", "jobs",  "schedule", "level", "response", "turnaround",
            "wait", "marks",  "warm", "cpus",   "draws", "tickets",  "peeks", "finished", "cpu_order"};
        refuse_unknown(root_, "", kKeys);
        params_ = &member(root_, "", "params");
        need(params_->is_object(), "/params", "expected an object");
        const std::string name = word(member(root_, "", "id"), "/id");
        if (!is_wanted(policy)) return;
        begin_case(shown(name), policy);
        read_jobs(policy);
        if (policy == "fifo")
            compare_one_cpu("fcfs", {});
        else if (policy == "sjf")
            compare_one_cpu("sjf", {});
        else if (policy == "rr")
            compare_one_cpu("rr", {{"quantum", whole("quantum")}});
        else if (policy == "lottery")
            lottery();
        else if (policy == "mlfq")
            mlfq();
        else
            multi();
        end_case();
    }

  private:
    std::int64_t parameter(const char* key, std::int64_t most, std::int64_t least = 0) const {
        return number(member(*params_, "/params", key), std::string("/params/") + key, most, least);
    }
    std::string whole(const char* key, std::int64_t least = 1) const {
        return fmt::format("{}", parameter(key, 1'000'000, least));
    }
    bool flag(const char* key) const {
        const Json& value = member(*params_, "/params", key);
        need(value.is_boolean(), std::string("/params/") + key, "expected true or false");
        return value.get<bool>();
    }
    std::string list(const Json& values, const std::string& pointer, std::int64_t least) const {
        array(values, pointer);
        need(!values.empty(), pointer, "expected a list that is not empty");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < values.size(); ++i)
            numbers.push_back(number(values[i], fmt::format("{}/{}", pointer, i), 1'000'000, least));
        return join(numbers, "/");
    }

    // Reads one property of all jobs: a whole number per job.
    std::vector<std::int64_t> column(const char* key, std::int64_t most, std::int64_t least = 0) const {
        const Json& jobs = root_.at("jobs");
        const std::string pointer = std::string("/jobs/") + key;
        const Json& values = array(member(jobs, "/jobs", key), pointer);
        const std::size_t jobs_there = array(member(jobs, "/jobs", "length"), "/jobs/length").size();
        need(values.size() == jobs_there, pointer, "expected one value for each length");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < values.size(); ++i)
            numbers.push_back(number(values[i], fmt::format("{}/{}", pointer, i), most, least));
        return numbers;
    }

    void read_jobs(const std::string& policy) {
        static const std::vector<std::string> kPolicies{"fifo", "sjf", "rr", "lottery", "mlfq", "multi"};
        if (std::find(kPolicies.begin(), kPolicies.end(), policy) == kPolicies.end())
            fail("/policy", fmt::format("'{}' is not one of {}", shown(policy), join(kPolicies, ", ")));
        const Json& jobs = member(root_, "", "jobs");
        need(jobs.is_object(), "/jobs", "expected an object");
        refuse_unknown(jobs, "/jobs",
                       {"arrival", "length", "io_every", "tickets", "working_set", "affinity"});
        const std::vector<std::int64_t> length = column("length", kLongestJob, policy == "multi" ? 0 : 1),
                                        arrival = column("arrival", kLongestJob);
        need(!length.empty() && length.size() <= kMostJobs, "/jobs/length", "expected 1 to 100 jobs");
        for (std::size_t i = 0; i < length.size(); ++i) {
            exercise_.jobs.push_back({.arrival = arrival[i] * kOstepUnit, .length = length[i] * kOstepUnit});
            exercise_.end += exercise_.jobs.back().length + exercise_.jobs.back().arrival;
        }
        exercise_.end += kOstepUnit;
    }

    void lottery() {
        const std::vector<std::int64_t> tickets = column("tickets", 1'000'000, 1);
        const Nanos slice = parameter("quantum", kLongestJob, 1) * kOstepUnit;
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            ExerciseJob& job = exercise_.jobs[i];
            job.tickets = tickets[i];
            // lottery.py advances its clock by a whole quantum even if a job needs less than a quantum to
            // finish.
            job.length = (job.length + slice - 1ns) / slice * slice;
            exercise_.end += slice;
        }
        std::string draws = list(member(root_, "", "draws"), "/draws", 0);
        if (root_.at("draws").size() == 1) draws += "/0";  // the policy script ignores a list of one draw
        compare_one_cpu("lottery", {{"quantum", whole("quantum")}, {"draws", draws}});
    }

    void mlfq() {
        const std::vector<std::int64_t> every = column("io_every", kLongestJob);
        const Nanos io = parameter("io_time", kLongestJob) * kOstepUnit;
        for (std::size_t i = 0; i < every.size(); ++i) {
            ExerciseJob& job = exercise_.jobs[i];
            job.io_every = every[i] * kOstepUnit;
            job.io_time = io;
            if (every[i] > 0) exercise_.end += job.length / job.io_every * io;
        }
        const std::string quantum = list(member(*params_, "/params", "quantum"), "/params/quantum", 1);
        const std::string allotment = list(member(*params_, "/params", "allotment"), "/params/allotment", 1);
        compare_one_cpu("mlfq", {{"quantum", quantum},
                                 {"allotment", allotment},
                                 {"boost", whole("boost", 0)},
                                 {"stay", flag("stay") ? "yes" : "no"},
                                 {"io_bump", flag("io_bump") ? "yes" : "no"}});
    }

    void multi() {
        const std::int64_t cpus = parameter("cpus", kMaxCpus, 1);
        const std::string queues = word(member(*params_, "/params", "queues"), "/params/queues");
        need(queues == "central" || queues == "per_cpu", "/params/queues", "expected central or per_cpu");
        const std::string quantum = whole("quantum");
        exercise_.cpus = static_cast<std::uint32_t>(cpus);
        deal(queues == "per_cpu");
        if (queues == "per_cpu" && parameter("peek", kLongestJob) > 0 && cpus > 1)
            return leave_out("CPUs that steal jobs from others: the selection is random");
        if (flag("random_order")) return leave_out("CPUs that choose in a random order");
        const NamedPolicy policy = policy_for("multi", {{"quantum", quantum}});
        std::vector<std::int64_t> warm;
        const Solution s = solved_with_caches(policy, warm);
        if (s.jobs.empty()) return;
        const Json& recorded = array(member(root_, "", "cpus"), "/cpus");
        need(recorded.size() == static_cast<std::size_t>(cpus), "/cpus", "expected one value for each CPU");
        for (std::size_t c = 0; c < recorded.size(); ++c) {
            const std::string at = fmt::format("/cpus/{}", c);
            need(recorded[c].is_object(), at, "expected an object");
            compare(at + "/schedule",
                    read_intervals(member(recorded[c], at, "schedule"), at + "/schedule", most_job()),
                    s.schedule[c]);
        }
        compare("/finished", time(member(root_, "", "finished"), "/finished"), s.end);
        compare_metrics(s);
        const std::vector<Nanos> recorded_warm = times(member(root_, "", "warm"), "/warm");
        need(recorded_warm.size() == warm.size(), "/warm", "expected one value for each job");
        for (std::size_t i = 0; i < warm.size(); ++i)
            compare(fmt::format("/warm/{}", i), recorded_warm[i], warm[i] * kOstepUnit);
    }

    // The length of a job depends on the state of the caches, which depends on the policy's schedule. So
    // the exercise is solved repeatedly, first with all jobs cold. After each solution, the first job that
    // would finish earlier because of warm caches is shortened. Later solutions have the same schedule up
    // to the new end of this job. `warm`: for each job, the number of its ticks with a warm cache.
    Solution solved_with_caches(const NamedPolicy& policy, std::vector<std::int64_t>& warm) {
        const CacheRules rules{.warmup = parameter("warmup", kLongestJob),
                               .rate = parameter("warm_rate", 1'000, 1),
                               .size = parameter("cache_size", 1'000'000),
                               .sets = column("working_set", 1'000'000)};
        const std::vector<std::int64_t> length = column("length", kLongestJob);
        for (ExerciseJob& job : exercise_.jobs)
            job.length = std::max(job.length, kOstepUnit);  // a job of length 0 runs for one tick
        for (;;) {
            Solution s = solved(exercise_, policy);
            if (s.jobs.empty() || !shorten_first(s, rules, length, warm)) return s;
        }
    }

    // Shortens the first job that would finish earlier because of its warm cache. Returns true if there was
    // such a job.
    bool shorten_first(const Solution& s, const CacheRules& rules, const std::vector<std::int64_t>& length,
                       std::vector<std::int64_t>& warm) {
        std::vector<WarmCache> caches(s.schedule.size(), WarmCache(rules));
        std::vector<std::int64_t> done(length.size(), 0);
        std::vector<Nanos> computed(length.size());
        warm.assign(length.size(), 0);
        std::vector<IntervalReader> readers;
        for (const ValueIntervals& intervals : s.schedule) readers.emplace_back(intervals);
        bool shortened = false;
        for (Nanos t{}; t < s.end && !shortened; t += kOstepUnit) {
            for (std::size_t c = 0; c < caches.size(); ++c) {
                const int job = readers[c].at(t);
                if (job < 0) continue;
                const auto i = static_cast<std::size_t>(job);
                const bool is_warm = caches[c].tick(i);
                done[i] += is_warm ? rules.rate : 1;
                warm[i] += is_warm ? 1 : 0;
                computed[i] += kOstepUnit;
                if (done[i] < length[i] || computed[i] >= exercise_.jobs[i].length) continue;
                exercise_.jobs[i].length = computed[i];
                shortened = true;
            }
        }
        return shortened;
    }

    // Sets the allowed CPUs of each job. `one_each` (there is one queue per CPU): each job gets a single
    // CPU. The CPUs are assigned in turn; a CPU that the job may not use is skipped.
    void deal(bool one_each) {
        const Json& affinity = array(member(root_.at("jobs"), "/jobs", "affinity"), "/jobs/affinity");
        need(affinity.size() == exercise_.jobs.size(), "/jobs/affinity",
             "expected one value for each length");
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < affinity.size(); ++i) {
            const std::string at = fmt::format("/jobs/affinity/{}", i);
            std::vector<std::uint32_t> allowed;
            for (std::size_t k = 0; k < array(affinity[i], at).size(); ++k)
                allowed.push_back(static_cast<std::uint32_t>(
                    number(affinity[i][k], fmt::format("{}/{}", at, k), exercise_.cpus - 1)));
            std::vector<std::uint32_t>& cpus = exercise_.jobs[i].cpus;
            if (exercise_.cpus == 1) continue;
            cpus = allowed;
            if (!one_each) continue;
            for (std::uint32_t tried = 0; tried < exercise_.cpus;
                 ++tried, next = (next + 1) % exercise_.cpus) {
                if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), next) == allowed.end())
                    continue;
                cpus = {next};
                next = (next + 1) % exercise_.cpus;
                break;
            }
        }
    }

    int most_job() const { return static_cast<int>(exercise_.jobs.size()) - 1; }

    void compare_one_cpu(const std::string& name, const Options& options) {
        const NamedPolicy policy = policy_for(name, options);
        const Solution s = solved(exercise_, policy);
        if (s.jobs.empty()) return;
        compare("/schedule", read_intervals(member(root_, "", "schedule"), "/schedule", most_job()),
                s.schedule[0]);
        if (root_.contains("level") && !is_policy_replaced())
            compare("/level", read_intervals(root_.at("level"), "/level", 1'000), s.level);
        compare_metrics(s);
    }

    void compare_metrics(const Solution& s) {
        if (s.jobs.empty()) return;
        const auto metric = [&](const char* key, Nanos Solution::JobTimes::*which) {
            const std::string pointer = std::string("/") + key;
            const std::vector<Nanos> recorded = times(member(root_, "", key), pointer);
            need(recorded.size() == s.jobs.size(), pointer, "expected one value for each job");
            for (std::size_t i = 0; i < recorded.size(); ++i)
                compare(fmt::format("{}/{}", pointer, i), recorded[i], s.jobs[i].*which);
        };
        metric("response", &Solution::JobTimes::response);
        metric("turnaround", &Solution::JobTimes::turnaround);
        metric("wait", &Solution::JobTimes::waiting);
    }

    Json root_;
    const Json* params_ = nullptr;
    Exercise exercise_;
};

}  // namespace

void replay_ostep_case(const JsonTree& text, int line, VerifyResult& result, const VerifyOptions& options) {
    OstepCase(text, line, result, options).replay();
}

}  // namespace sim
