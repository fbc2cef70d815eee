#include "sim/trace_io/import/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <streambuf>
#include <utility>
#include <vector>

#include "sim/base/child_stream.h"
#include "sim/base/input_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/trace_io/import/import_formats.h"
#include "sim/trace_io/import/line_reader.h"
#include "sim/trace_io/import/run_header.h"
#include "sim/trace_io/import/tracer_line_parser.h"

namespace sim::trace_io {
namespace {

// Runs the command `command` on the file, and converts the RunInfo in its output to the header of a text
// export. Empty if the file is not an export.
std::string export_header_of(std::vector<std::string> command, const std::string& path) {
    if (command.empty()) return "";
    command.push_back(path);
    ChildStream child(command);
    LineReader lines(child);
    std::string header;
    for (std::string_view line; lines.next_line(line);) {
        line.remove_prefix(std::min(line.find('{'), line.size()));  // removes "# os release : "
        if (header.empty() && run_info_of(line))
            header = fmt::format("{}{}\n{}\n", LineReader::kHeader, line, TracerLineParser::kZeroIsOne);
    }
    child.finish();
    return header;
}

}  // namespace

struct TraceFile::Reader {
    // A text followed by the output of a program.
    struct TextAndStream final : std::streambuf {
        TextAndStream(std::string first, std::istream& next) : text(std::move(first)), rest(next) {
            setg(text.data(), text.data(), text.data() + text.size());
        }
        int_type underflow() override {
            text.resize(std::size_t{1} << 16);
            rest.read(text.data(), static_cast<std::streamsize>(text.size()));
            setg(text.data(), text.data(), text.data() + rest.gcount());
            return gptr() == egptr() ? traits_type::eof() : traits_type::to_int_type(*gptr());
        }
        std::string text;
        std::istream& rest;
    };

    explicit Reader(const std::string& path) : file(path) {
        const std::string start = beginning();
        if (const std::string why = unsupported_compression_message(start); !why.empty())
            throw ScenarioError(Problem{path, 1, 1, {}, why});
        if (path == "-") return;  // a program cannot open standard input by name
        const FileSignature* const signature = find_signature(start);
        if (signature == nullptr || signature->words.empty()) return;
        const std::string argument = path.starts_with('-') ? "./" + path : path;
        std::string header = export_header_of(signature->words_of_run, argument);
        std::vector<std::string> words = signature->words;
        words.push_back(argument);
        child.emplace(words);
        called = words[0];
        if (header.empty()) return;
        buffer.emplace(std::move(header), *child);
        with_header.emplace(&*buffer);
        with_header->exceptions(std::ios::badbit);
    }

    // The first bytes of the file. They can still be read from `file` afterwards.
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
    std::string called;  // name of the decoding program
    std::optional<ChildStream> child;
    std::optional<TextAndStream> buffer;
    std::optional<std::istream> with_header;
};

TraceFile::TraceFile(const std::string& path) : reader_(std::make_unique<Reader>(path)) {}
TraceFile::~TraceFile() = default;

bool TraceFile::needs_decoder() const { return reader_->child.has_value(); }

std::istream& TraceFile::text() {
    if (reader_->with_header) return *reader_->with_header;
    if (reader_->child) return *reader_->child;
    return reader_->file;
}

std::string TraceFile::decoder_error() {
    if (!reader_->child || reader_->child->finish() == 0) return "";
    constexpr std::size_t kLongest = 300;
    // perf's message begins with lines about requested fields that perf ignores; these lines are dropped.
    std::string said;
    std::istringstream lines(reader_->child->error_output());
    for (std::string line; std::getline(lines, line);)
        if (!line.ends_with("Ignoring.")) said += line + '\n';
    said.resize(std::min(said.size(), kLongest));
    while (!said.empty() && said.back() == '\n') said.pop_back();
    std::replace(said.begin(), said.end(), '\n', ' ');
    return fmt::format("{} could not read the whole file: {}", reader_->called, printable(said));
}

}  // namespace sim::trace_io
