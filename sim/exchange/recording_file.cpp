#include "sim/exchange/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/child_stream.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"

namespace sim::exchange {
namespace {

// How files begin, and which program prints them: its words, to which the file's name is added.
struct Program {
    std::string_view magic;
    std::vector<std::string> words;
};

const std::array<Program, 6>& programs() {
    using namespace std::string_view_literals;
    static const std::array<Program, 6> list{{
        {"\x1f\x8b"sv, {"gzip", "-dc", "--"}},
        {"\xfd"
         "7zXZ\0"sv,
         {"xz", "-dc", "--"}},
        {"\x28\xb5\x2f\xfd"sv, {"zstd", "-dcq", "--"}},
        {"BZh"sv, {"bzip2", "-dc", "--"}},
        // The plugins of trace-cmd cut what events say; -N has it as the kernel wrote it, -t all digits.
        {"\x17\x08\x44tracing"sv, {"trace-cmd", "report", "-N", "-t", "-i"}},
        {"PERFILE2"sv, {"perf", "script", "--ns", "-F", "comm,pid,tid,cpu,time,event,trace", "-i"}},
    }};
    return list;
}

}  // namespace

struct RecordingFile::Reader {
    explicit Reader(const std::string& path) : file(path), name(file.name()) {
        if (path == "-") return;
        std::array<char, 16> first{};
        file.read(first.data(), first.size());
        const std::string_view begins(first.data(), static_cast<std::size_t>(file.gcount()));
        const auto program = std::find_if(programs().begin(), programs().end(),
                                          [&](const Program& p) { return begins.starts_with(p.magic); });
        if (program == programs().end()) {
            again.emplace(path);
            return;
        }
        std::vector<std::string> words = program->words;
        words.push_back(path.starts_with('-') ? "./" + path : path);
        child.emplace(words);
        called = words[0];
    }

    InputFile file;
    std::string name, called;
    std::optional<InputFile> again;
    std::optional<ChildStream> child;
};

RecordingFile::RecordingFile(const std::string& path) : reader_(std::make_unique<Reader>(path)) {}
RecordingFile::~RecordingFile() = default;

std::istream& RecordingFile::text() {
    if (reader_->child) return *reader_->child;
    return reader_->again ? *reader_->again : reader_->file;
}

std::string RecordingFile::finish() {
    if (!reader_->child || reader_->child->finish() == 0) return "";
    constexpr std::size_t kLongest = 300;
    std::string said = reader_->child->complaint();
    said.resize(std::min(said.size(), kLongest));
    while (!said.empty() && said.back() == '\n') said.pop_back();
    std::replace(said.begin(), said.end(), '\n', ' ');
    return fmt::format("{} could not read all of it: {}", reader_->called, printable(said));
}

}  // namespace sim::exchange
