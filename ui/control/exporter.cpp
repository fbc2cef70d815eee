#include "ui/control/exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/scenario/scenario_edit.h"
#include "sim/trace_io/export/export_formats.h"
#include "sim/trace_io/export/run_events.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;

constexpr std::uint64_t kExportedAtATime = 2'000;  // events per chunk; 1 to 2 ms including the output
constexpr const char* kEndsBefore = "The run ends before the selection starts.";

}  // namespace

// An export in progress, of the run with the id `run`. Before work() continues it, work() checks that this
// run is still run A.
struct Exporter::ExportJob {
    ExportJob(const Run& of, std::string to, const sim::trace_io::ExportFormat& as,
              const sim::trace_io::RunInfo& info, Nanos until)
        : run(of.id()),
          path(std::move(to)),
          format(as.name),
          from(info.begin),
          end(until),
          file(path),
          sink(as.make([this](std::string_view piece) {
              file.write(piece);
              bytes += piece.size();
          })),
          moment(of.history().beginning()),
          events(of.history().scenario(), moment.machine, info, *sink) {}

    std::uint64_t run;  // Run::id()
    std::string path;
    const char* format;
    Nanos from, end;
    std::uint64_t bytes = 0;
    sim::AtomicFile file;
    std::unique_ptr<sim::trace_io::EventSink> sink;
    sim::Moment moment;
    sim::trace_io::RunToEventConverter events;
    sim::Trace trace;
};

Exporter::Exporter(AppState& state) : state_(state) {}
Exporter::~Exporter() = default;

SaveResult Exporter::begin_export(const std::string& typed, bool replace) {
    std::string place = typed;
    try {
        place = export_path(typed);
        std::error_code error;
        if (!replace && std::filesystem::exists(place, error))
            return {SaveResult::Outcome::exists, place,
                    place + " already exists. Press Enter again to replace the file, or Esc to cancel."};
        const sim::trace_io::ExportFormat& format = export_format(place);
        const Run& a = state_.a();
        const std::optional<TimeRange>& selection = state_.view.selection;
        const sim::trace_io::RunInfo info{
            .title = a.scenario().title,
            .cpus = a.scenario().cpus,
            .hz = a.scenario().machine.hz,
            .policy = a.history().policy().spec(),
            .machine =
                sim::machine_json_in(changed_scenario_text(state_.text(), state_.model), state_.text().file),
            .begin = selection ? std::max(Nanos{}, selection->begin) : Nanos{}};
        if (info.begin >= a.history().latest_end() ||
            (a.history().is_complete() && info.begin >= std::max(Nanos{1}, a.end())))
            throw sim::FileError(kEndsBefore);
        // If the constructor of the job throws, an export in progress continues.
        auto job =
            std::make_unique<ExportJob>(a, place, format, info, selection ? selection->end : sim::kHorizon);
        job_ = std::move(job);
    } catch (const std::exception& problem) {
        return {SaveResult::Outcome::failed, place, words_of(problem)};
    }
    state_.model.exporting = fmt::format("exporting to {}", place);
    return {SaveResult::Outcome::saved, place, {}};
}

void Exporter::stop() {
    if (job_ == nullptr) return state_.say("Nothing is being exported.");
    state_.say(fmt::format("The export was cancelled: {} was not written.", job_->path));
    finish();
}

bool Exporter::work(Deadline deadline) {
    if (job_ == nullptr) return false;
    if (!state_.is_open() || job_->run != state_.a().id()) {
        state_.say(fmt::format("{} was not written: the run has changed.", job_->path));
        return finish(), false;
    }
    const sim::RunHistory& history = state_.a().history();
    try {
        while (Deadline::clock::now() < deadline) {
            const sim::Globals& g = job_->moment.machine.globals();
            const std::uint64_t last = history.simulated_end().machine.globals().events;
            job_->trace.records.clear();
            history.advance(job_->moment,
                            {.until = job_->end,
                             .events = std::min(
                                 last, g.events + state_.a().events_of_equal_replay_time(kExportedAtATime))},
                            &job_->trace);
            for (const sim::TraceRecord& record : job_->trace.records) job_->events.add_record(record);
            const bool is_over = g.events >= last && history.is_complete();
            if (is_over && job_->from > Nanos{} && job_->from >= state_.a().end()) {
                state_.say(fmt::format("{} was not written: {}", job_->path, kEndsBefore));
                return finish(), false;
            }
            if (is_over || g.now >= job_->end) {
                const Nanos end =
                    std::max(job_->from, std::min(job_->end, is_over ? state_.a().end() : g.now));
                job_->events.finish(end);
                job_->file.finish();
                state_.say(fmt::format(
                    "Exported to {} as {}: {} from {} to {}, "
                    "{}.",
                    job_->path, job_->format, pluralize(job_->events.switches(), "switch", "es"),
                    instant_text(job_->from), instant_text(end), pluralize(job_->bytes, "byte", "s")));
                return finish(), false;
            }
            if (g.events >= last) return true;  // waits until more of the run is simulated
            const Nanos whole =
                std::min(job_->end, history.is_complete() ? state_.a().end() : history.latest_end());
            state_.model.exporting = fmt::format("exporting to {}", job_->path);
            if (whole < sim::kHorizon)  // adds no percentage if the end of the run is unknown
                state_.model.exporting += fmt::format(
                    ": {} %", std::min<std::int64_t>(99, 100 * g.now / std::max(Nanos{1}, whole)));
        }
    } catch (const std::exception& problem) {
        state_.say(words_of(problem));
        return finish(), false;
    }
    return true;
}

void Exporter::finish() {
    job_.reset();
    state_.model.exporting.clear();
}

}  // namespace ui
