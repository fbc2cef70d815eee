#include "sim/trace_io/import/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/temp_file_stream.h"
#include "sim/base/text.h"
#include "sim/trace_io/import/json_split.h"
#include "sim/trace_io/import/slice_to_switch_converter.h"
#include "sim/trace_io/import/trace_normalizer.h"
#include "sim/trace_io/import/trace_source.h"

namespace sim::trace_io {
namespace {

// Reads one file of a trace. A text file has one event per line. A JSON file has events as
// rows, and may contain a text with further events.
class InputFileReader {
  public:
    InputFileReader(const TraceInputFile& part, std::size_t most) : part_(part) {
        if (!is_json_list(part.in.beginning())) {
            add(part.in, most, TraceSource::LineNumberOrigin::counted);
            return;
        }
        beginning_ = part.in.beginning().substr(0, 4096);
        json_.emplace(split_json_into_lines(part.in, part.file, part.notes));
        if (json_->text)
            add(streams_.emplace_back(stream(*json_->text)), most, TraceSource::LineNumberOrigin::none);
        if (json_->rows)
            add(streams_.emplace_back(stream(*json_->rows)), most, TraceSource::LineNumberOrigin::written);
        if (json_->text && json_->rows && sources_[0]->peek_event() != nullptr && sources_[0]->run_info())
            sources_[1]->treat_as_export();
    }

    const std::vector<std::unique_ptr<TraceSource>>& sources() const { return sources_; }
    const TraceInputFile& part() const { return part_; }
    bool is_json() const { return json_.has_value(); }
    // Human-readable name of the format.
    const char* kind() const {
        return is_json() ? to_string(ImportFormat::rows) : to_string(sources_.front()->format());
    }
    const std::optional<RunInfo>& run_info() const {
        static const std::optional<RunInfo> none;
        return sources_.empty() ? none : sources_.front()->run_info();
    }
    std::array<bool, kMaxCpus> has_had{};  // by CPU: whether an event of this CPU has been read

    std::string_view beginning() const { return is_json() ? beginning_ : sources_.front()->beginning(); }

  private:
    using Stream = std::unique_ptr<TempFileStream>;
    static Stream stream(TempFile& file) { return std::make_unique<TempFileStream>(file); }
    void add(const Stream& of, std::size_t most, TraceSource::LineNumberOrigin numbers) {
        add(*of, most, numbers);
    }
    void add(std::istream& in, std::size_t most, TraceSource::LineNumberOrigin numbers) {
        sources_.push_back(std::make_unique<TraceSource>(in, part_.file, part_.notes, most, numbers));
    }

    const TraceInputFile& part_;
    std::string beginning_;
    std::optional<JsonRowsAndText> json_;
    std::vector<Stream> streams_;
    std::vector<std::unique_ptr<TraceSource>> sources_;
};

class TraceReader {
  public:
    TraceReader(const std::vector<TraceInputFile>& parts, EventSink& sink)
        : sink_(sink), joiner_([this](const LineEvent& e) { normalizer_->normalize(e, *notes_); }) {
        constexpr std::size_t kFewest = 1024;
        const std::size_t most =
            std::max(kFewest, ReorderBuffer::kMost / std::max<std::size_t>(parts.size(), 1));
        for (const TraceInputFile& part : parts)
            parts_.push_back(std::make_unique<InputFileReader>(part, most));
        for (const auto& part : parts_)
            for (const auto& source : part->sources()) {
                sources_.push_back({source.get(), part.get()});
                source->share_newest_time(newest_);
            }
    }

    void read() {
        // At equal times, events of the file that begins earlier come first.
        const auto begins = [](const OpenSource& open) {
            const LineEvent* const first = open.source->peek_event();
            return first == nullptr ? std::numeric_limits<std::int64_t>::max() : first->time;
        };
        std::stable_sort(sources_.begin(), sources_.end(),
                         [&](const OpenSource& a, const OpenSource& b) { return begins(a) < begins(b); });
        check_formats_match();
        for (OpenSource* next = earliest_source(); next != nullptr; next = earliest_source()) {
            notes_ = &next->source->notes();
            next->source->take(event_);
            ++next->events;
            note_cpu_overlap(*next);
            if (!normalizer_) begin();
            joiner_.add_event(event_);
        }
        joiner_.finish();
        refuse_if_unusable();
        for (const OpenSource& open : sources_)
            if (open.events == 0 && sources_.size() > 1 && !open.part->is_json())
                open.source->notes().add({"file without an event", "files without an event"});
        normalizer_->finish();
    }

  private:
    struct OpenSource {
        TraceSource* source;
        InputFileReader* part;
        std::uint64_t events = 0;
    };

    OpenSource* earliest_source() {
        OpenSource* best = nullptr;
        const LineEvent* of_best = nullptr;
        for (OpenSource& open : sources_) {
            const LineEvent* const first = open.source->peek_event();
            if (first == nullptr) continue;
            if (best == nullptr || first->time < of_best->time ||
                (first->time == of_best->time && first->rank < of_best->rank)) {
                best = &open;
                of_best = first;
            }
        }
        return best;
    }

    void check_formats_match() const {
        const InputFileReader& first = *parts_.front();
        for (const auto& part : parts_) {
            const auto refuse = [&](const std::string& why) {
                throw ScenarioError(Problem{part->part().file, 0, 0, {}, why});
            };
            const std::string other = printable(first.part().file);
            if (std::string_view(part->kind()) != first.kind())
                refuse(fmt::format("{}, but {} is {}: all files must be parts of one trace", part->kind(),
                                   other, first.kind()));
            if (part->run_info() && !first.run_info())
                refuse(fmt::format("an export of a run, but {} is not: all files must be parts of one trace",
                                   other));
            if (!part->run_info() && first.run_info())
                refuse(fmt::format(
                    "not an export of a run, but {} is one: all files must be parts of one trace", other));
            const auto& a = first.run_info();
            const auto& b = part->run_info();
            if (a && (a->title != b->title || a->machine != b->machine || a->policy != b->policy ||
                      a->cpus != b->cpus))
                refuse(
                    fmt::format("an export of a different run than {}: all files must be parts of one "
                                "trace",
                                other));
        }
    }

    // Adds a note if a file has events of a CPU both before and after events of the same CPU in another file.
    void note_cpu_overlap(OpenSource& open) {
        if (parts_.size() == 1 || event_.is == LineEvent::Type::rename || event_.cpu >= kMaxCpus) return;
        InputFileReader*& last = latest_[event_.cpu];
        bool& has_had = open.part->has_had[event_.cpu];
        if (last != nullptr && last != open.part && has_had)
            notes_->add({"overlap of files: events of a CPU continue in this file after events of the same "
                         "CPU in another file",
                         "overlaps of files: events of a CPU continue in this file after events of the same "
                         "CPU in another file"},
                        event_.line);
        last = open.part;
        has_had = true;
    }

    void begin() {
        bool is_export = false;
        for (const OpenSource& open : sources_) is_export |= open.source->is_export();
        // The number of CPUs is 0 (unknown) unless a header states it.
        RunInfo info{.cpus = 0};
        if (const auto& run = parts_.front()->run_info()) {
            info = *run;
            for (const auto& part : parts_)
                if (part->run_info()->begin < info.begin) info = *part->run_info();
        } else if (is_export) {
            info.begin = Nanos{event_.time};
        }
        most_cpus_ = info.cpus > 0 ? info.cpus : kMaxCpus;
        normalizer_.emplace(std::move(info), is_export, sink_);
    }

    void refuse_if_unusable() const {
        const TraceInputFile& first = parts_.front()->part();
        if (!normalizer_ || normalizer_->switches() == 0) {
            if (normalizer_ && normalizer_->line_of_impossible_switch() > 0)
                throw ScenarioError(Problem{
                    first.file,
                    static_cast<int>(normalizer_->line_of_impossible_switch()),
                    1,
                    {},
                    fmt::format(
                        "the switches of the trace are on CPUs that cannot exist: at most {} CPUs are "
                        "supported, numbered from 0",
                        most_cpus_)});
            FormatDiagnosis no = explain_not_a_trace(parts_.front()->beginning());
            throw ScenarioError(Problem{first.file, no.line, no.column, {}, std::move(no.why)});
        }
        if (!normalizer_->has_threads())
            throw ScenarioError(Problem{
                first.file, 0, 0, {}, "only the idle task runs in the trace: there is nothing to schedule"});
    }

    EventSink& sink_;
    SliceToSwitchConverter joiner_;
    std::vector<std::unique_ptr<InputFileReader>> parts_;
    std::vector<OpenSource> sources_;
    std::array<InputFileReader*, kMaxCpus> latest_{};  // by CPU: the file that contained the CPU's last event
    std::optional<TraceNormalizer> normalizer_;
    std::uint32_t most_cpus_ = kMaxCpus;
    std::int64_t newest_ = 0;  // latest time read from any file
    Notes* notes_ = nullptr;   // notes on the current event's file
    LineEvent event_;
};

}  // namespace

void read_traces(const std::vector<TraceInputFile>& parts, EventSink& sink) {
    TraceReader(parts, sink).read();
}

void read_trace(std::istream& in, const std::string& file, EventSink& sink, Notes& notes) {
    PeekedStream peeked(in);
    read_traces({{peeked, file, notes}}, sink);
}

}  // namespace sim::trace_io
