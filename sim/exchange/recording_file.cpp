#include "sim/exchange/recording_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/base/child_stream.h"
#include "sim/base/input_file.h"
#include "sim/base/text.h"
#include "sim/exchange/recording_format.h"

namespace sim::exchange {
struct RecordingFile::Reader {
    explicit Reader(const std::string& path) : file(path) {
        if (path == "-") return;  // no program can read it by its name
        const Signature* const signature = signature_of(beginning());
        if (signature == nullptr || signature->words.empty()) return;
        std::vector<std::string> words = signature->words;
        words.push_back(path.starts_with('-') ? "./" + path : path);
        child.emplace(words);
        called = words[0];
    }

    // What it begins with, which is still to be read.
    std::string beginning() {
        constexpr std::size_t kEnough = 32;
        std::string bytes(kEnough, '\0');
        if (file.peek() == std::istream::traits_type::eof()) {
            file.clear();
            return "";
        }
        bytes.resize(static_cast<std::size_t>(file.readsome(bytes.data(), kEnough)));
        for (std::size_t i = 0; i < bytes.size(); ++i) file.unget();
        return bytes;
    }

    InputFile file;
    std::string called;  // the program
    std::optional<ChildStream> child;
};

RecordingFile::RecordingFile(const std::string& path) : reader_(std::make_unique<Reader>(path)) {}
RecordingFile::~RecordingFile() = default;

std::istream& RecordingFile::text() {
    if (reader_->child) return *reader_->child;
    return reader_->file;
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
