#include "sim/exchange/recording_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/exchange/peeked_stream.h"
#include "sim/exchange/recording_file.h"
#include "sim/exchange/recording_format.h"
#include "sim/exchange/rt_app.h"
#include "sim/scenario/json_tree.h"

namespace sim::exchange {

std::vector<std::string> sentences(const std::string& file, const Notes& notes) {
    std::vector<std::string> list;
    for (const Notes::Note& note : notes.notes()) {
        std::string text = fmt::format("{}: {} {}", printable(file), grouped(note.count), note.what());
        if (!note.lines.empty())
            text += fmt::format(" (line{} {}{})", note.lines.size() > 1 ? "s" : "", join(note.lines, ", "),
                                note.count > note.lines.size() ? ", ..." : "");
        list.push_back(std::move(text));
    }
    return list;
}

// What is known of each of them.
struct RecordingFiles::Open {
    Open(const std::string& path, std::string called)
        : name(std::move(called)), file(path), text(file.text()) {}

    std::string name;
    RecordingFile file;
    PeekedStream text;
    Notes notes;
    std::string complaint;  // of the program that reads it
};

RecordingFiles::RecordingFiles(const std::vector<std::string>& paths, const std::string& called) {
    for (const std::string& path : paths)
        open_.push_back(std::make_unique<Open>(path, !called.empty() ? called
                                                     : path == "-"   ? "standard input"
                                                                     : path));
}

RecordingFiles::~RecordingFiles() = default;

std::string RecordingFiles::name() const { return open_.size() == 1 ? open_.front()->name : "the recording"; }

const std::string* RecordingFiles::workload() const {
    for (const auto& one : open_)
        if (is_rt_app(one->text.beginning())) return &one->name;
    return nullptr;
}

std::string RecordingFiles::take_text() {
    std::string text(kMaxJsonBytes + 1, '\0');
    PeekedStream& in = open_.front()->text;
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

void RecordingFiles::read(EventSink& sink) {
    if (const std::string* const file = workload())
        throw ScenarioError(
            Problem{*file,
                    1,
                    1,
                    {},
                    "a workload of rt-app, of which nothing was recorded: 'switchyard import' "
                    "makes a scenario of it alone"});
    std::vector<RecordingPart> parts;
    for (const auto& one : open_) parts.push_back({one->text, one->name, one->notes});
    const auto finish = [&] {
        for (const auto& one : open_) one->complaint = one->file.finish();
    };
    try {
        read_recordings(parts, sink);
        finish();
    } catch (const ScenarioError&) {
        // Nothing in it: then the program that was to read it knows best why.
        if (open_.size() > 1) throw;
        finish();
        if (open_.front()->complaint.empty()) throw;
        throw ScenarioError(Problem{open_.front()->name, 0, 0, {}, open_.front()->complaint});
    }
}

std::vector<std::string> RecordingFiles::remarks() const {
    std::vector<std::string> list;
    for (const auto& one : open_) {
        if (!one->complaint.empty())
            list.push_back(fmt::format("{}: {}", printable(one->name), one->complaint));
        for (std::string& sentence : sentences(one->name, one->notes)) list.push_back(std::move(sentence));
    }
    return list;
}

bool is_recording(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    std::ifstream in(path, std::ios::binary);
    std::string beginning(std::size_t{1} << 16, '\0');
    in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(in.gcount()));
    return begins_like_a_recording(beginning);
}

}  // namespace sim::exchange
