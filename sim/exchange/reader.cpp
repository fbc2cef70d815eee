#include "sim/exchange/reader.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "sim/base/problem.h"
#include "sim/exchange/bpftrace_lines.h"
#include "sim/exchange/recording_format.h"
#include "sim/exchange/recording_teller.h"
#include "sim/exchange/reorder_buffer.h"
#include "sim/exchange/table_lines.h"
#include "sim/exchange/text_lines.h"
#include "sim/exchange/tracer_lines.h"

namespace sim::exchange {
namespace {

// Some editors put a byte order mark before a text.
std::string_view without_mark(std::string_view text) {
    return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

class RecordingReader {
  public:
    RecordingReader(std::istream& in, const std::string& file, EventSink& sink, Notes& notes)
        : lines_(in), file_(file), sink_(sink), notes_(notes) {}

    void read() {
        // What it begins with, for a message when nothing comes of it.
        constexpr std::size_t kEnough = 4096;
        const std::string beginning(lines_.beginning().substr(0, kEnough));
        format_ = format_of(without_mark(lines_.beginning()));
        for (std::string_view line; lines_.next(line);) {
            if (lines_.number() == 1) line = without_mark(line);
            if (lines_.was_too_long())
                notes_.add({"line longer than 64 KiB", "lines longer than 64 KiB"}, lines_.number());
            else
                take(line);
        }
        while (!waiting_.is_empty()) tell_next();
        if (others_ > 0)
            notes_.add(
                {"event of another kind, which is not read", "events of other kinds, which are not read"}, 0,
                others_);
        if (teller_ && teller_->switches() == 0 && teller_->switches_elsewhere() > 0)
            throw ScenarioError(Problem{
                file_,
                static_cast<int>(teller_->switches_elsewhere()),
                1,
                {},
                fmt::format("its switches are on CPUs that there cannot be: there are at most {}, from 0 on",
                            tracer_.run() && tracer_.run()->cpus > 0 ? tracer_.run()->cpus : kMaxCpus)});
        if (!teller_ || teller_->switches() == 0) {
            NoRecording no = why_no_recording(beginning);
            throw ScenarioError(Problem{file_, no.line, no.column, {}, std::move(no.why)});
        }
        if (!teller_->has_threads())
            throw ScenarioError(Problem{
                file_, 0, 0, {}, "nobody but the idle task has a CPU in it: there is nothing to schedule"});
        teller_->finish();
    }

  private:
    LineIs read_line(std::string_view line) {
        switch (format_) {
            case RecordingFormat::table:
                return table_.read(line, event_);
            case RecordingFormat::bpftrace:
                return bpftrace_.read(line, event_);
            case RecordingFormat::tracer:
                break;
        }
        const LineIs is = tracer_.read(line, event_);
        if (tracer_.lost() > 0)
            notes_.add({"event that the tracer says it has lost", "events that the tracer says it has lost"},
                       lines_.number(), tracer_.lost());
        if (is == LineIs::event && tracer_.arguments().last_hides_preemption())
            notes_.add({"switch that does not tell who was preempted from who has called sched_yield()",
                        "switches that do not tell who was preempted from who has called sched_yield()"},
                       lines_.number());
        if (is == LineIs::event && tracer_.arguments().last_has_unknown_state())
            notes_.add({"switch whose prev_state is no state, taken for sleep",
                        "switches whose prev_state is no state, taken for sleep"},
                       lines_.number());
        return is;
    }

    void take(std::string_view line) {
        event_.clear();
        switch (read_line(line)) {
            case LineIs::event:
                break;
            case LineIs::other:
                ++others_;
                return;
            case LineIs::header:
                return;
            case LineIs::broken:
                notes_.add({"line that is no event", "lines that are no event"}, lines_.number());
                return;
            case LineIs::broken_arguments:
                notes_.add({"event that says less than it has to", "events that say less than they have to"},
                           lines_.number());
                return;
        }
        event_.line = lines_.number();
        look_at_the_order();
        if (waiting_.is_full()) tell_next();
        if (!waiting_.put(std::move(event_)))
            notes_.add(
                {"event too far behind its time, left out", "events too far behind their time, left out"},
                lines_.number());
    }

    // A tracer has the events of one CPU in their order, whatever it does with those of several.
    void look_at_the_order() {
        if (event_.is == LineEvent::Is::rename || event_.cpu >= kMaxCpus) return;
        std::int64_t& previous = previous_[event_.cpu];
        if (event_.time < previous)
            notes_.add({"time that goes back on a CPU, set in order (pieces of several recordings?)",
                        "times that go back on a CPU, set in order (pieces of several recordings?)"},
                       lines_.number());
        previous = event_.time;
    }

    void tell_next() {
        waiting_.take(next_);
        if (!teller_) {
            const bool is_export = format_ == RecordingFormat::table || tracer_.run().has_value();
            // What is not known of a recording is said to be so.
            RunInfo info{.cpus = 0};
            if (tracer_.run()) info = *tracer_.run();
            if (format_ == RecordingFormat::table) info.begin = Nanos{next_.time};
            teller_.emplace(std::move(info), is_export, sink_, notes_);
        }
        teller_->tell(next_);
    }

    TextLines lines_;
    const std::string& file_;
    EventSink& sink_;
    Notes& notes_;
    RecordingFormat format_ = RecordingFormat::tracer;
    TracerLines tracer_;
    TableLines table_;
    BpftraceLines bpftrace_;
    ReorderBuffer waiting_;
    std::optional<RecordingTeller> teller_;
    LineEvent event_, next_;
    std::array<std::int64_t, kMaxCpus> previous_{};  // times, by CPU
    std::uint64_t others_ = 0;                       // events
};

}  // namespace

void read_recording(std::istream& in, const std::string& file, EventSink& sink, Notes& notes) {
    RecordingReader(in, file, sink, notes).read();
}

}  // namespace sim::exchange
