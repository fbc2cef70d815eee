#include "sim/trace_io/import/trace_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/json_tree.h"
#include "sim/trace_io/import/input_kind.h"
#include "sim/trace_io/import/json_split.h"
#include "sim/trace_io/import/peeked_stream.h"
#include "sim/trace_io/import/trace_file.h"
#include "sim/trace_io/rt_app/rt_app.h"

namespace sim::trace_io {

namespace {
constexpr const char* kStandardInput = "standard input";
}

std::vector<std::string> note_sentences(const std::string& file, const Notes& notes) {
    std::vector<std::string> list;
    for (const Notes::Note& note : notes.notes()) {
        std::string text = fmt::format("{}: {} {}", printable(file), group_digits(note.count), note.what());
        if (!note.lines.empty())
            text += fmt::format(" (line{} {}{})", note.lines.size() > 1 ? "s" : "", join(note.lines, ", "),
                                note.count > note.lines.size() ? ", ..." : "");
        list.push_back(std::move(text));
    }
    return list;
}

// One file and the remarks on it.
struct TraceFiles::OpenFile {
    OpenFile(const std::string& path, std::string name_in_messages)
        : name(std::move(name_in_messages)), file(path), text(file.text()) {}

    std::string name;
    TraceFile file;
    PeekedStream text;
    Notes notes;
    std::string complaint;  // error message of the program that decodes the file
};

TraceFiles::TraceFiles(const std::vector<std::string>& paths, const std::string& name_in_messages) {
    for (const std::string& path : paths)
        if (const std::string why = unsupported_directory_message(path); !why.empty())
            throw ScenarioError(Problem{path, 0, 0, {}, why});
    for (const std::string& path : paths)
        open_.push_back(std::make_unique<OpenFile>(path, !name_in_messages.empty() ? name_in_messages
                                                         : path == "-"             ? kStandardInput
                                                                                   : path));
}

TraceFiles::~TraceFiles() = default;

std::string TraceFiles::name() const { return open_.size() == 1 ? open_.front()->name : "the trace"; }

const std::string* TraceFiles::rt_app_file_name() const {
    for (const auto& one : open_)
        if (is_rt_app_workload(one->text.beginning())) return &one->name;
    return nullptr;
}

std::string TraceFiles::take_text_of_only_file() {
    std::string text(kMaxJsonBytes + 1, '\0');
    PeekedStream& in = open_.front()->text;
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

void TraceFiles::read(EventSink& sink) {
    if (const std::string* const file = rt_app_file_name())
        throw ScenarioError(Problem{*file,
                                    1,
                                    1,
                                    {},
                                    "an rt-app workload, not a trace: 'switchyard import' makes a scenario "
                                    "from it if it is the only file"});
    if (open_.size() == 1 && is_json_list(open_.front()->text.beginning()) &&
        is_scenario_text(open_.front()->text.beginning()))
        throw ScenarioError(
            Problem{name(),
                    1,
                    1,
                    {},
                    open_.front()->file.needs_decoder()
                        ? "a compressed scenario, not a trace: unpack it, and run it with 'switchyard run'"
                        : fmt::format("a scenario, not a trace: run it with 'switchyard run {0}', or compare "
                                      "schedulers with 'switchyard compare {0} --policy linux-2.0'",
                                      name() == kStandardInput ? "-" : printable(name()))});
    std::vector<TraceInputFile> parts;
    for (const auto& one : open_) parts.push_back({one->text, one->name, one->notes});
    const auto finish = [&] {
        for (const auto& one : open_) one->complaint = one->file.decoder_error();
    };
    try {
        read_traces(parts, sink);
        finish();
    } catch (const ScenarioError&) {
        // With one file, the error message of the program that decodes the file is the best explanation. With
        // several files, or without such a message, the exception is passed on.
        if (open_.size() > 1) throw;
        finish();
        if (open_.front()->complaint.empty()) throw;
        throw ScenarioError(Problem{open_.front()->name, 0, 0, {}, open_.front()->complaint});
    }
}

std::vector<std::string> TraceFiles::remarks() const {
    std::vector<std::string> list;
    for (const auto& one : open_) {
        if (!one->complaint.empty())
            list.push_back(fmt::format("{}: {}", printable(one->name), one->complaint));
        for (std::string& sentence : note_sentences(one->name, one->notes))
            list.push_back(std::move(sentence));
    }
    return list;
}

}  // namespace sim::trace_io
