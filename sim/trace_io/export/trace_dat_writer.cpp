// Writes trace-cmd's file format, version 6 (trace-cmd.dat.v6(5)): a description of the records, then for
// each CPU the pages of a ring buffer as in Linux (kernel/trace/ring_buffer.c).
//
// Events that the kernel cannot see have records of their own, not texts in ftrace/print: KernelShark and
// trace-cmd filter by event and field, KernelShark plots nr_running, and neither interprets atrace's markers.
// Both show names longer than the kernel's.
//
// The header has the position and length of each CPU's pages, so the pages are in temporary files until the
// end.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/spill_buffer.h"
#include "sim/trace_io/export/tracepoint_records.h"

namespace sim::trace_io {
namespace {

constexpr std::size_t kDatPage = TracepointRecords::kPage;
constexpr std::size_t kDatPageHeader = TracepointRecords::kPageHeader;

// The ring buffer pages of one CPU. A page contains the time of its first record. Each later record
// contains the time since the previous record in 27 bits, or in 59 bits with an additional record of 8
// bytes before it.
class RingBuffer {
  public:
    // REQUIRES: `time` is at or after the time of the previous record; `record` has 1 to 28 words of 4
    // bytes.
    void add(Nanos time, std::string_view record) {
        constexpr unsigned kDeltaBits = 27, kTimeExtend = 30, kWordBits = 5;
        constexpr std::uint64_t kLongDelta = std::uint64_t{1} << kDeltaBits;
        constexpr std::uint64_t kBeyondExtend = std::uint64_t{1} << (kDeltaBits + 32);
        constexpr std::size_t kRecordHeader = 4, kExtend = 8;
        auto delta = static_cast<std::uint64_t>((time - last_).count());
        const std::size_t room = (delta < kLongDelta ? 0 : kExtend) + kRecordHeader + record.size();
        if (page_.size() + room > kDatPage || delta >= kBeyondExtend) finish_page();
        if (page_.empty()) {
            append_number(page_, time.count());
            append_number(page_, std::uint64_t{0});  // number of bytes, set by finish_page()
            delta = 0;
        }
        if (delta >= kLongDelta) {
            append_number(page_,
                          static_cast<std::uint32_t>((delta & (kLongDelta - 1)) << kWordBits | kTimeExtend));
            append_number(page_, static_cast<std::uint32_t>(delta >> kDeltaBits));
            delta = 0;
        }
        append_number(page_, static_cast<std::uint32_t>(delta << kWordBits | record.size() / 4));
        page_ += record;
        last_ = time;
    }

    // The pages that are full. After finish_page(), the last page is among them even if it is not full.
    SpillBuffer& pages() { return pages_; }

    void finish_page() {
        if (page_.empty()) return;
        std::string length;
        append_number(length, std::uint64_t{page_.size() - kDatPageHeader});
        page_.replace(kDatPageHeader - length.size(), length.size(), length);
        page_.resize(kDatPage);
        pages_.add(page_);
        page_.clear();
    }

  private:
    std::string page_;  // page that is being filled
    SpillBuffer pages_;
    Nanos last_{};
};

class TraceDatWriter final : public EventSink {
  public:
    explicit TraceDatWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        run_ = to_json(info);
        of_.resize(info.cpus);
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        update_pending_name(e.current, threads);
        update_pending_name(e.thread, threads);
        if (e.cpu >= of_.size()) of_.resize(e.cpu + 1);
        of_[e.cpu].add(std::max(e.time, TracepointRecords::kFirstTime), records_.event_record(e, threads));
    }

    void end(Nanos) override {
        for (const PendingName& pending : pending_) write_name(pending);
        std::string header = TracepointRecords::header("tracing6", TracepointRecords::Reader::trace_cmd);
        append_number(header, names_.size());
        output_(header);
        names_.write_to(output_);
        const std::string rest = sections_after_names();
        std::uint64_t offset = header.size() + names_.size() + rest.size() + 2 * 8 * of_.size();
        const std::uint64_t gap = (kDatPage - offset % kDatPage) % kDatPage;
        offset += gap;
        std::string places;
        for (RingBuffer& of : of_) {
            of.finish_page();
            append_number(places, offset);
            append_number(places, of.pages().size());
            offset += of.pages().size();
        }
        output_(rest + places + std::string(gap, '\0'));
        for (RingBuffer& of : of_) of.pages().write_to(output_);
    }

  private:
    struct PendingName {
        std::int32_t pid = 0;  // 0: unused, or the idle task, which needs no name
        std::string name;
    };

    // The file can store only one name per pid: the thread's most recent name. The name is written when the
    // row of `threads` gets another pid, or at the end.
    void update_pending_name(ThreadId id, const Threads& threads) {
        if (id >= pending_.size()) pending_.resize(threads.size());
        PendingName& pending = pending_[id];
        const Thread& thread = threads[id];
        if (pending.pid != thread.pid) {
            write_name(pending);
            pending.pid = thread.pid;
        }
        if (pending.name != thread.name) pending.name = thread.name;
    }
    void write_name(const PendingName& pending) {
        if (pending.pid != 0) names_.add(fmt::format("{} {}\n", pending.pid, printable(pending.name)));
    }

    std::string sections_after_names() const {
        using namespace std::string_literals;
        constexpr std::uint16_t kUname = 5, kNoMore = 0;
        std::string text;
        append_number(text, static_cast<std::uint32_t>(of_.size()));
        text += "options  \0"s;
        append_number(text, kUname);
        append_number(text, static_cast<std::uint32_t>(run_.size() + 1));
        text.append(run_).append(1, '\0');
        append_number(text, kNoMore);
        return text + "flyrecord\0"s;
    }

    Output output_;
    std::string run_;  // the RunInfo, as JSON
    TracepointRecords records_{TracepointRecords::Reader::trace_cmd};
    std::vector<RingBuffer> of_;        // by CPU
    std::vector<PendingName> pending_;  // by ThreadId
    SpillBuffer names_;
};

}  // namespace

ExportFormat trace_dat_format() {
    return {.name = "trace.dat",
            .ending = "dat",
            .summary = "trace-cmd's binary file, for KernelShark and trace-cmd",
            .make = make_writer<TraceDatWriter>};
}

}  // namespace sim::trace_io
