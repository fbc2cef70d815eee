// Replays exercises made by the homework programs of OSTEP: scheduler.py, lottery.py, mlfq.py and multi.py.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/join.h"
#include "sim/check/textbook_case.h"
#include "sim/check/warm_caches.h"

namespace sim {
namespace {

constexpr Nanos kOstepUnit = 1ms;
constexpr std::int64_t kLongestJob = 10'000, kMostJobs = 100;

// Reads the value of ValueIntervals at successive times. REQUIRES: the times do not decrease.
class IntervalReader {
  public:
    // REQUIRES: `intervals` outlives this object.
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

class OstepCase final : public TextbookCase {
  public:
    using TextbookCase::TextbookCase;

    void replay() {
        root_ = text_.root().to_nlohmann_json();
        require(root_.is_object(), "", "expected an object");
        const std::string policy = read_string(member(root_, "", "policy"), "/policy");
        static const std::vector<std::string> kKeys{
            "id",   "policy", "from", "params", "jobs",  "schedule", "level", "response", "turnaround",
            "wait", "marks",  "warm", "cpus",   "draws", "tickets",  "peeks", "finished", "cpu_order"};
        refuse_unknown_keys(root_, "", kKeys);
        params_ = &member(root_, "", "params");
        require(params_->is_object(), "/params", "expected an object");
        const std::string name = read_string(member(root_, "", "id"), "/id");
        if (!is_policy_selected(policy)) return;
        begin_case(printable_excerpt(name), policy);
        read_jobs(policy);
        if (policy == "fifo")
            compare_one_cpu("fcfs", {});
        else if (policy == "sjf")
            compare_one_cpu("sjf", {});
        else if (policy == "rr")
            compare_one_cpu("rr", {{"quantum", whole("quantum")}});
        else if (policy == "lottery")
            replay_lottery();
        else if (policy == "mlfq")
            replay_mlfq();
        else
            replay_multi();
        end_case();
    }

  private:
    std::int64_t read_parameter(const char* key, std::int64_t maximum, std::int64_t minimum = 0) const {
        return read_integer(member(*params_, "/params", key), std::string("/params/") + key, maximum,
                            minimum);
    }
    std::string whole(const char* key, std::int64_t minimum = 1) const {
        return fmt::format("{}", read_parameter(key, 1'000'000, minimum));
    }
    bool read_flag(const char* key) const {
        const Json& value = member(*params_, "/params", key);
        require(value.is_boolean(), std::string("/params/") + key, "expected true or false");
        return value.get<bool>();
    }
    std::string join_list(const Json& values, const std::string& pointer, std::int64_t minimum) const {
        array(values, pointer);
        require(!values.empty(), pointer, "expected a list that is not empty");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < values.size(); ++i)
            numbers.push_back(read_integer(values[i], fmt::format("{}/{}", pointer, i), 1'000'000, minimum));
        return join(numbers, "/");
    }

    // Reads one property of all jobs: a whole number per job.
    std::vector<std::int64_t> read_job_column(const char* key, std::int64_t maximum,
                                              std::int64_t minimum = 0) const {
        const Json& jobs = root_.at("jobs");
        const std::string pointer = std::string("/jobs/") + key;
        const Json& values = array(member(jobs, "/jobs", key), pointer);
        const std::size_t jobs_there = array(member(jobs, "/jobs", "length"), "/jobs/length").size();
        require(values.size() == jobs_there, pointer, "expected one value for each element of \"length\"");
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < values.size(); ++i)
            numbers.push_back(read_integer(values[i], fmt::format("{}/{}", pointer, i), maximum, minimum));
        return numbers;
    }

    void read_jobs(const std::string& policy) {
        static const std::vector<std::string> kPolicies{"fifo", "sjf", "rr", "lottery", "mlfq", "multi"};
        if (std::find(kPolicies.begin(), kPolicies.end(), policy) == kPolicies.end())
            fail("/policy", fmt::format("unknown policy '{}'; expected one of {}", printable_excerpt(policy),
                                        join(kPolicies, ", ")));
        const Json& jobs = member(root_, "", "jobs");
        require(jobs.is_object(), "/jobs", "expected an object");
        refuse_unknown_keys(jobs, "/jobs",
                            {"arrival", "length", "io_every", "tickets", "working_set", "affinity"});
        const std::vector<std::int64_t> length =
                                            read_job_column("length", kLongestJob, policy == "multi" ? 0 : 1),
                                        arrival = read_job_column("arrival", kLongestJob);
        require(!length.empty() && length.size() <= kMostJobs, "/jobs/length", "expected 1 to 100 jobs");
        for (std::size_t i = 0; i < length.size(); ++i) {
            exercise_.jobs.push_back({.arrival = arrival[i] * kOstepUnit, .length = length[i] * kOstepUnit});
            exercise_.end += exercise_.jobs.back().length + exercise_.jobs.back().arrival;
        }
        exercise_.end += kOstepUnit;
    }

    void replay_lottery() {
        const std::vector<std::int64_t> tickets = read_job_column("tickets", 1'000'000, 1);
        const Nanos slice = read_parameter("quantum", kLongestJob, 1) * kOstepUnit;
        for (std::size_t i = 0; i < tickets.size(); ++i) {
            ExerciseJob& job = exercise_.jobs[i];
            job.tickets = tickets[i];
            // lottery.py advances its clock by a whole quantum even if a job needs less than a quantum to
            // finish.
            job.length = (job.length + slice - 1ns) / slice * slice;
            exercise_.end += slice;
        }
        std::string draws = join_list(member(root_, "", "draws"), "/draws", 0);
        // The policy script ignores a list of draws with only one element, so a second draw is added.
        if (root_.at("draws").size() == 1) draws += "/0";
        compare_one_cpu("lottery", {{"quantum", whole("quantum")}, {"draws", draws}});
    }

    void replay_mlfq() {
        const std::vector<std::int64_t> every = read_job_column("io_every", kLongestJob);
        const Nanos io = read_parameter("io_time", kLongestJob) * kOstepUnit;
        for (std::size_t i = 0; i < every.size(); ++i) {
            ExerciseJob& job = exercise_.jobs[i];
            job.io_every = every[i] * kOstepUnit;
            job.io_time = io;
            if (every[i] > 0) exercise_.end += job.length / job.io_every * io;
        }
        const std::string quantum = join_list(member(*params_, "/params", "quantum"), "/params/quantum", 1);
        const std::string allotment =
            join_list(member(*params_, "/params", "allotment"), "/params/allotment", 1);
        compare_one_cpu("mlfq", {{"quantum", quantum},
                                 {"allotment", allotment},
                                 {"boost", whole("boost", 0)},
                                 {"stay", read_flag("stay") ? "yes" : "no"},
                                 {"io_bump", read_flag("io_bump") ? "yes" : "no"}});
    }

    void replay_multi() {
        const std::int64_t cpus = read_parameter("cpus", kMaxCpus, 1);
        const std::string queues = read_string(member(*params_, "/params", "queues"), "/params/queues");
        require(queues == "central" || queues == "per_cpu", "/params/queues",
                "expected \"central\" or \"per_cpu\"");
        const std::string quantum = whole("quantum");
        exercise_.cpus = static_cast<std::uint32_t>(cpus);
        assign_allowed_cpus(queues == "per_cpu");
        if (queues == "per_cpu" && read_parameter("peek", kLongestJob) > 0 && cpus > 1)
            return leave_case_out("the CPUs select stolen jobs at random");
        if (read_flag("random_order")) return leave_case_out("the CPUs choose jobs in a random order");
        const NamedPolicy policy = make_policy_for("multi", {{"quantum", quantum}});
        std::vector<std::int64_t> warm;
        const ExerciseSolution s = solve_with_caches(policy, warm);
        if (s.jobs.empty()) return;
        const Json& recorded = array(member(root_, "", "cpus"), "/cpus");
        require(recorded.size() == static_cast<std::size_t>(cpus), "/cpus",
                "expected one value for each CPU");
        for (std::size_t c = 0; c < recorded.size(); ++c) {
            const std::string at = fmt::format("/cpus/{}", c);
            require(recorded[c].is_object(), at, "expected an object");
            compare(at + "/schedule",
                    read_intervals(member(recorded[c], at, "schedule"), at + "/schedule", last_job_index()),
                    s.schedule[c]);
        }
        compare("/finished", read_time(member(root_, "", "finished"), "/finished"), s.end);
        compare_metrics(s);
        const std::vector<Nanos> recorded_warm = read_times(member(root_, "", "warm"), "/warm");
        require(recorded_warm.size() == warm.size(), "/warm", "expected one value for each job");
        for (std::size_t i = 0; i < warm.size(); ++i)
            compare(fmt::format("/warm/{}", i), recorded_warm[i], warm[i] * kOstepUnit);
    }

    // Solves an exercise in which a warm cache shortens a job. The time of a job depends on the caches, which
    // depend on the schedule. So the exercise is first solved with cold caches. Then the first job that
    // would finish earlier because of a warm cache is shortened, and the exercise is solved again, until
    // no job has to be shortened. `warm` receives the number of ticks with a warm cache of each job.
    ExerciseSolution solve_with_caches(const NamedPolicy& policy, std::vector<std::int64_t>& warm) {
        const CacheRules rules{.warmup = read_parameter("warmup", kLongestJob),
                               .rate = read_parameter("warm_rate", 1'000, 1),
                               .size = read_parameter("cache_size", 1'000'000),
                               .sets = read_job_column("working_set", 1'000'000)};
        const std::vector<std::int64_t> length = read_job_column("length", kLongestJob);
        for (ExerciseJob& job : exercise_.jobs)
            job.length = std::max(job.length, kOstepUnit);  // a job of length 0 runs for one tick
        for (;;) {
            ExerciseSolution s = solve_exercise(exercise_, policy);
            if (s.jobs.empty() || !shorten_first_warm_job(s, rules, length, warm)) return s;
        }
    }

    // Shortens the first job that would finish earlier because of its warm cache. Returns true if there was
    // such a job.
    bool shorten_first_warm_job(const ExerciseSolution& s, const CacheRules& rules,
                                const std::vector<std::int64_t>& length, std::vector<std::int64_t>& warm) {
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
                const bool is_warm = caches[c].run_one_tick(i);
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

    // Sets the allowed CPUs of each job. If `one_cpu_each` is true (there is one queue per CPU), each job
    // gets a single CPU. The CPUs are assigned in turn; a CPU that the job may not use is skipped.
    void assign_allowed_cpus(bool one_cpu_each) {
        const Json& affinity = array(member(root_.at("jobs"), "/jobs", "affinity"), "/jobs/affinity");
        require(affinity.size() == exercise_.jobs.size(), "/jobs/affinity",
                "expected one value for each element of \"length\"");
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < affinity.size(); ++i) {
            const std::string at = fmt::format("/jobs/affinity/{}", i);
            std::vector<std::uint32_t> allowed;
            for (std::size_t k = 0; k < array(affinity[i], at).size(); ++k)
                allowed.push_back(static_cast<std::uint32_t>(
                    read_integer(affinity[i][k], fmt::format("{}/{}", at, k), exercise_.cpus - 1)));
            std::vector<std::uint32_t>& cpus = exercise_.jobs[i].cpus;
            if (exercise_.cpus == 1) continue;
            cpus = allowed;
            if (!one_cpu_each) continue;
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

    int last_job_index() const { return static_cast<int>(exercise_.jobs.size()) - 1; }

    void compare_one_cpu(const std::string& name, const Options& options) {
        const NamedPolicy policy = make_policy_for(name, options);
        const ExerciseSolution s = solve_exercise(exercise_, policy);
        if (s.jobs.empty()) return;
        compare("/schedule", read_intervals(member(root_, "", "schedule"), "/schedule", last_job_index()),
                s.schedule[0]);
        if (root_.contains("level") && !is_policy_replaced())
            compare("/level", read_intervals(root_.at("level"), "/level", 1'000), s.level);
        compare_metrics(s);
    }

    void compare_metrics(const ExerciseSolution& s) {
        if (s.jobs.empty()) return;
        const auto metric = [&](const char* key, Nanos ExerciseSolution::JobTimes::*which) {
            const std::string pointer = std::string("/") + key;
            const std::vector<Nanos> recorded = read_times(member(root_, "", key), pointer);
            require(recorded.size() == s.jobs.size(), pointer, "expected one value for each job");
            for (std::size_t i = 0; i < recorded.size(); ++i)
                compare(fmt::format("{}/{}", pointer, i), recorded[i], s.jobs[i].*which);
        };
        metric("response", &ExerciseSolution::JobTimes::response);
        metric("turnaround", &ExerciseSolution::JobTimes::turnaround);
        metric("wait", &ExerciseSolution::JobTimes::waiting);
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
