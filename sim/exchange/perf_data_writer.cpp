// perf's file (tools/perf/Documentation/perf.data-file-format.txt, include/uapi/linux/perf_event.h): what
// `perf record -a -R -c 1` writes of tracepoints, one sample for each.
//
// The header says how long the samples are, so they wait in a file without a name for the end. They are told
// in the order of time, and a record says so now and then: then readers let go of what came before the last
// such record but one (ordered-events.c).
//
// perf knows threads by records of their own (COMM, FORK), `perf sched latency` sums up run times from
// sched_stat_runtime, and the text of `perf script` leaves the flags out: so interrupts begin and end.
#include <algorithm>
#include <initializer_list>
#include <optional>

#include "sim/exchange/formats.h"
#include "sim/exchange/introductions.h"
#include "sim/exchange/tracepoint_records.h"
#include "sim/exchange/waiting_bytes.h"

namespace sim::exchange {
namespace {

// PERF_RECORD_...
constexpr std::uint32_t kRecordComm = 3, kRecordFork = 7, kRecordSample = 9, kRecordFinishedRound = 68;
// PERF_RECORD_MISC_...
constexpr std::uint16_t kMiscKernel = 1, kMiscUser = 2, kMiscCommExec = 1 << 13;
// PERF_SAMPLE_...: what each of them has, and what stands behind the other records.
constexpr std::uint64_t kSampleTid = 1 << 1, kSampleTime = 1 << 2, kSampleCpu = 1 << 7,
                        kSamplePeriod = 1 << 8, kSampleRaw = 1 << 10, kSampleIdentifier = 1 << 16;

class PerfDataWriter final : public EventSink {
  public:
    explicit PerfDataWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        run_ = to_json(info);
        since_.assign(info.cpus, info.begin);
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        if (e.cpu >= since_.size()) since_.resize(e.cpu + 1);
        time_ = std::max(e.time, TracepointRecords::kFirstTime);
        if (interrupt_ && !(e.in_interrupt && e.cpu == interrupt_->cpu && time_ == interrupt_->time))
            end_interrupt();
        const Thread& current = threads[e.current];
        if (e.kind == EventKind::fork) fork(threads[e.thread], current, e.cpu);
        introductions_.before(e, threads, [&](ThreadId t) {
            name(threads[t], e.kind == EventKind::exec && t == e.current ? kMiscCommExec : 0, e.cpu);
        });
        if (e.in_interrupt && !interrupt_) {
            interrupt_ = {e.cpu, time_, current};
            sample(records_.interrupt_entry(current), time_, e.cpu, current);
        }
        if (e.kind == EventKind::sched_switch) {
            const Nanos ran = e.time - since_[e.cpu];
            if (current.pid != 0 && ran > Nanos{})
                sample(records_.ran_for(current, ran), time_, e.cpu, current);
            since_[e.cpu] = e.time;
        }
        sample(records_.of(e, threads), time_, e.cpu, current);
        constexpr unsigned kRound = 10'000;
        if (++in_round_ < kRound) return;
        in_round_ = 0;
        record(kRecordFinishedRound, 0, "");
    }

    void end(Nanos) override {
        if (interrupt_) end_interrupt();
        const std::string header = before_the_samples();
        output_(header);
        samples_.hand_over(output_);
        output_(after_the_samples(header.size() + samples_.size()));
    }

  private:
    using Reader = TracepointRecords::Reader;

    struct Interrupt {
        CpuId cpu;
        Nanos time;
        Thread current;
    };

    // Of a tracepoint, by which a sample says what it is.
    static std::uint64_t sample_id(std::uint16_t id) { return id; }

    void record(std::uint32_t type, std::uint16_t misc, std::string_view body) {
        constexpr std::size_t kHeader = 8;
        head_.clear();
        append_number(head_, type);
        append_number(head_, misc);
        append_number(head_, static_cast<std::uint16_t>(kHeader + body.size()));
        samples_.add(head_);
        samples_.add(body);
    }

    void sample(const std::string& raw, Nanos time, CpuId cpu, const Thread& current) {
        const auto id = static_cast<std::uint16_t>(static_cast<unsigned char>(raw[0]) |
                                                   static_cast<unsigned char>(raw[1]) << 8);
        constexpr std::size_t kAlign = 8, kSize = sizeof(std::uint32_t);
        const std::size_t padded = (raw.size() + kSize + kAlign - 1) / kAlign * kAlign - kSize;
        body_.clear();
        append_number(body_, sample_id(id));
        append_number(body_, current.tgid);
        append_number(body_, current.pid);
        append_number(body_, time.count());
        append_number(body_, std::uint64_t{cpu});
        append_number(body_, std::uint64_t{1});  // the period
        append_number(body_, static_cast<std::uint32_t>(padded));
        body_.append(raw).append(padded - raw.size(), '\0');
        record(kRecordSample, kMiscKernel, body_);
    }

    // What stands behind a record that is no sample.
    void append_place(const Thread& of, CpuId cpu) {
        append_number(body_, of.tgid);
        append_number(body_, of.pid);
        append_number(body_, time_.count());
        append_number(body_, std::uint64_t{cpu});
        append_number(body_, sample_id(ids_.front()));
    }

    void name(const Thread& thread, std::uint16_t misc, CpuId cpu) {
        constexpr std::size_t kAlign = 8;
        body_.clear();
        append_number(body_, thread.tgid);
        append_number(body_, thread.pid);
        body_.append(thread.name).append(kAlign - thread.name.size() % kAlign, '\0');
        append_place(thread, cpu);
        record(kRecordComm, kMiscUser | misc, body_);
    }

    void fork(const Thread& child, const Thread& parent, CpuId cpu) {
        body_.clear();
        for (const std::int32_t id : {child.tgid, parent.tgid, child.pid, parent.pid})
            append_number(body_, id);
        append_number(body_, time_.count());
        append_place(parent, cpu);
        record(kRecordFork, kMiscUser, body_);
    }

    void end_interrupt() {
        sample(records_.interrupt_exit(interrupt_->current), interrupt_->time, interrupt_->cpu,
               interrupt_->current);
        interrupt_.reset();
    }

    static constexpr std::uint64_t kFileHeader = 104, kAttribute = 64, kPlace = 16;

    // struct perf_file_header, the ids of samples, an attribute for each tracepoint.
    std::string before_the_samples() const {
        constexpr std::uint64_t kTracingData = 1 << 1, kOsRelease = 1 << 4, kCpus = 1 << 7;
        const std::uint64_t attributes = kFileHeader + ids_.size() * sizeof(std::uint64_t);
        const std::uint64_t attributes_size = ids_.size() * (kAttribute + kPlace);
        std::string text = "PERFILE2";
        for (const std::uint64_t number :
             {kFileHeader, kAttribute + kPlace, attributes, attributes_size, attributes + attributes_size,
              samples_.size(), std::uint64_t{0}, std::uint64_t{0},  // types of events: nobody reads them
              kTracingData | kOsRelease | kCpus, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}})
            append_number(text, number);
        for (const std::uint16_t id : ids_) append_number(text, sample_id(id));
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            constexpr std::uint32_t kTracepoint = 2;  // PERF_TYPE_TRACEPOINT
            constexpr std::uint64_t kSampleIdAll = 1 << 18, kComm = 1 << 9, kTask = 1 << 13;
            append_number(text, kTracepoint);
            append_number(text, std::uint32_t{kAttribute});
            for (const std::uint64_t number :
                 {std::uint64_t{ids_[i]}, std::uint64_t{1},  // a sample each time
                  kSampleTid | kSampleTime | kSampleCpu | kSamplePeriod | kSampleRaw | kSampleIdentifier,
                  std::uint64_t{0}, kSampleIdAll | (i == 0 ? kComm | kTask : std::uint64_t{0}),
                  std::uint64_t{0}, std::uint64_t{0}})
                append_number(text, number);
            append_number(text, kFileHeader + i * sizeof(std::uint64_t));
            append_number(text, std::uint64_t{sizeof(std::uint64_t)});
        }
        return text;
    }

    // Features, in the order of their bits: first where each of them is.
    std::string after_the_samples(std::uint64_t offset) const {
        std::string tracing = TracepointRecords::header("tracing0.6", Reader::perf);
        append_number(tracing, std::uint64_t{0});  // names: those of the records count
        std::string os_release;
        append_number(os_release, static_cast<std::uint32_t>(run_.size() + 1));
        os_release.append(run_).append(1, '\0');
        std::string cpus;
        for (int available = 0; available < 2; ++available)  // and online
            append_number(cpus, static_cast<std::uint32_t>(since_.size()));
        std::string places, all;
        offset += 3 * kPlace;
        for (const std::string* feature : {&tracing, &os_release, &cpus}) {
            append_number(places, offset + all.size());
            append_number(places, std::uint64_t{feature->size()});
            all += *feature;
        }
        return places + all;
    }

    Output output_;
    std::string run_;  // what it is, as JSON
    TracepointRecords records_{Reader::perf};
    const std::vector<std::uint16_t> ids_ = TracepointRecords::ids(Reader::perf);
    Introductions introductions_;
    std::optional<Interrupt> interrupt_;  // that has begun
    std::vector<Nanos> since_;            // by CPU: when the last switch was
    WaitingBytes samples_;
    std::string head_, body_;  // of the record that is being made
    Nanos time_{};
    unsigned in_round_ = 0;
};

}  // namespace

Format perf_data_format() {
    return {.name = "perf.data",
            .ending = "data",
            .summary = "perf's binary file: perf script, perf sched, perf report",
            .make = make_writer<PerfDataWriter>};
}

}  // namespace sim::exchange
