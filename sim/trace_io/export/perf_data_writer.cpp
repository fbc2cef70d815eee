// Writes perf's file format (tools/perf/Documentation/perf.data-file-format.txt,
// include/uapi/linux/perf_event.h), as `perf record -a -R -c 1` does for tracepoints: one sample per event.
// The header contains the length of the samples, so samples are in a temporary file until the end. Samples
// are in order of time. A FINISHED_ROUND record follows each group of samples. A reader that reaches this
// record processes all groups except the latest (ordered-events.c). perf needs records for threads (COMM,
// FORK). `perf sched latency` adds up run times from sched_stat_runtime. The text of `perf script` does not
// show whether a line is from an interrupt. So records mark begin and end of interrupts.
#include <algorithm>
#include <initializer_list>
#include <optional>

#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/spill_buffer.h"
#include "sim/trace_io/export/thread_name_tracker.h"
#include "sim/trace_io/export/tracepoint_records.h"

namespace sim::trace_io {
namespace {

// PERF_RECORD_...
constexpr std::uint32_t kRecordComm = 3, kRecordFork = 7, kRecordSample = 9, kRecordFinishedRound = 68;
// PERF_RECORD_MISC_...
constexpr std::uint16_t kMiscKernel = 1, kMiscUser = 2, kMiscCommExec = 1 << 13;
// PERF_SAMPLE_...: the fields of each sample, and of the trailer of all other records.
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
        if (e.kind == EventKind::fork) add_fork_record(threads[e.thread], current, e.cpu);
        names_in_output_.introduce_threads(e, threads, [&](ThreadId t) {
            add_comm_record(threads[t], e.kind == EventKind::exec && t == e.current ? kMiscCommExec : 0,
                            e.cpu);
        });
        if (e.in_interrupt && !interrupt_) {
            interrupt_ = {e.cpu, time_, current};
            add_sample(records_.interrupt_entry(current), time_, e.cpu, current);
        }
        if (e.kind == EventKind::sched_switch) {
            const Nanos ran = e.time - since_[e.cpu];
            if (current.pid != 0 && ran > Nanos{})
                add_sample(records_.run_time_record(current, ran), time_, e.cpu, current);
            since_[e.cpu] = e.time;
        }
        add_sample(records_.event_record(e, threads), time_, e.cpu, current);
        constexpr unsigned kRound = 10'000;
        if (++in_round_ < kRound) return;
        in_round_ = 0;
        add_record(kRecordFinishedRound, 0, "");
    }

    void end(Nanos) override {
        if (interrupt_) end_interrupt();
        const std::string header = header_before_samples();
        output_(header);
        samples_.write_to(output_);
        output_(features_after_samples(header.size() + samples_.size()));
    }

  private:
    using Reader = TracepointRecords::Reader;

    struct Interrupt {
        CpuId cpu;
        Nanos time;
        Thread current;
    };

    // Id by which a sample refers to its tracepoint.
    static std::uint64_t sample_id(std::uint16_t tracepoint_id) { return tracepoint_id; }

    void add_record(std::uint32_t type, std::uint16_t misc, std::string_view body) {
        constexpr std::size_t kHeader = 8;
        head_.clear();
        append_number(head_, type);
        append_number(head_, misc);
        append_number(head_, static_cast<std::uint16_t>(kHeader + body.size()));
        samples_.add(head_);
        samples_.add(body);
    }

    void add_sample(const std::string& raw, Nanos time, CpuId cpu, const Thread& current) {
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
        add_record(kRecordSample, kMiscKernel, body_);
    }

    // Appends the trailer of a record that is not a sample: process, thread, time, CPU and id.
    void append_record_trailer(const Thread& thread, CpuId cpu) {
        append_number(body_, thread.tgid);
        append_number(body_, thread.pid);
        append_number(body_, time_.count());
        append_number(body_, std::uint64_t{cpu});
        append_number(body_, sample_id(ids_.front()));
    }

    void add_comm_record(const Thread& thread, std::uint16_t misc, CpuId cpu) {
        constexpr std::size_t kAlign = 8;
        body_.clear();
        append_number(body_, thread.tgid);
        append_number(body_, thread.pid);
        body_.append(thread.name).append(kAlign - thread.name.size() % kAlign, '\0');
        append_record_trailer(thread, cpu);
        add_record(kRecordComm, kMiscUser | misc, body_);
    }

    void add_fork_record(const Thread& child, const Thread& parent, CpuId cpu) {
        body_.clear();
        for (const std::int32_t id : {child.tgid, parent.tgid, child.pid, parent.pid})
            append_number(body_, id);
        append_number(body_, time_.count());
        append_record_trailer(parent, cpu);
        add_record(kRecordFork, kMiscUser, body_);
    }

    void end_interrupt() {
        add_sample(records_.interrupt_exit(interrupt_->current), interrupt_->time, interrupt_->cpu,
                   interrupt_->current);
        interrupt_.reset();
    }

    static constexpr std::uint64_t kFileHeader = 104, kAttribute = 64, kPlace = 16;

    // The part of the file before the samples: struct perf_file_header, the sample ids, and one attribute
    // per tracepoint.
    std::string header_before_samples() const {
        constexpr std::uint64_t kTracingData = 1 << 1, kOsRelease = 1 << 4, kCpus = 1 << 7;
        const std::uint64_t attributes = kFileHeader + ids_.size() * sizeof(std::uint64_t);
        const std::uint64_t attributes_size = ids_.size() * (kAttribute + kPlace);
        std::string text = "PERFILE2";
        for (const std::uint64_t number :
             {kFileHeader, kAttribute + kPlace, attributes, attributes_size, attributes + attributes_size,
              samples_.size(), std::uint64_t{0}, std::uint64_t{0},  // 0, 0: no list of event types
              kTracingData | kOsRelease | kCpus, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}})
            append_number(text, number);
        for (const std::uint16_t id : ids_) append_number(text, sample_id(id));
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            constexpr std::uint32_t kTracepoint = 2;  // PERF_TYPE_TRACEPOINT
            constexpr std::uint64_t kSampleIdAll = 1 << 18, kComm = 1 << 9, kTask = 1 << 13;
            append_number(text, kTracepoint);
            append_number(text, std::uint32_t{kAttribute});
            for (const std::uint64_t number :
                 {std::uint64_t{ids_[i]}, std::uint64_t{1},  // one sample per event
                  kSampleTid | kSampleTime | kSampleCpu | kSamplePeriod | kSampleRaw | kSampleIdentifier,
                  std::uint64_t{0}, kSampleIdAll | (i == 0 ? kComm | kTask : std::uint64_t{0}),
                  std::uint64_t{0}, std::uint64_t{0}})
                append_number(text, number);
            append_number(text, kFileHeader + i * sizeof(std::uint64_t));
            append_number(text, std::uint64_t{sizeof(std::uint64_t)});
        }
        return text;
    }

    // The part of the file after the samples: the positions of all feature sections, then the feature
    // sections, both in the order of their flag bits.
    std::string features_after_samples(std::uint64_t offset) const {
        std::string tracing = TracepointRecords::header("tracing0.6", Reader::perf);
        append_number(tracing, std::uint64_t{0});  // no thread names; readers use the names in the records
        std::string os_release;
        append_number(os_release, static_cast<std::uint32_t>(run_.size() + 1));
        os_release.append(run_).append(1, '\0');
        std::string cpus;
        for (int available = 0; available < 2; ++available)  // number of available CPUs, then of online CPUs
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
    std::string run_;  // the RunInfo, as JSON
    TracepointRecords records_{Reader::perf};
    const std::vector<std::uint16_t> ids_ = TracepointRecords::ids(Reader::perf);
    ThreadNameTracker names_in_output_;
    std::optional<Interrupt> interrupt_;  // interrupt in progress
    std::vector<Nanos> since_;            // by CPU: time of the last switch
    SpillBuffer samples_;
    std::string head_, body_;  // head and body of the current record
    Nanos time_{};
    unsigned in_round_ = 0;
};

}  // namespace

ExportFormat perf_data_format() {
    return {.name = "perf.data",
            .ending = "data",
            .summary = "perf's binary file, for perf script, perf sched and perf report",
            .make = make_writer<PerfDataWriter>};
}

}  // namespace sim::trace_io
