#include "sim/lab/sweep_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "sim/base/input_file.h"
#include "sim/base/join.h"
#include "sim/lab/row_shape.h"
#include "sim/lab/summary_json.h"
#include "sim/lab/values.h"
#include "sim/os/files.h"
#include "sim/scenario/json_in_order.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::lab {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLongestRow = 256 << 10;  // in bytes
constexpr int kDeepestRow = 16;

[[noreturn]] void refuse_file(const std::string& file, int line, std::string message) {
    throw ScenarioError(
        Problem{line > 0 ? fmt::format("{}:{}", file, line) : file, 0, 0, {}, std::move(message)});
}

// Nesting depth of arrays and objects in a line, which need not be valid JSON.
int json_depth_of(std::string_view line) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return deepest;
}

}  // namespace

std::string Shard::text() const { return fmt::format("{}/{}", index + 1, count); }

std::string header_line(const SweepSpec& spec, const Shard& shard) {
    ordered_json header{{"format", kSweepFormat}};
    header.update(to_json(spec));
    if (shard.count > 1) header["shard"] = {shard.index + 1, shard.count};
    return json_text(header) + "\n";
}

std::string row_line(const SweepSpec& spec, const Row& row) {
    const RunCoordinates coordinates = spec.coordinates(row.run);
    ordered_json values = ordered_json::array();
    for (std::size_t axis = 0; axis < spec.axes.size(); ++axis)
        values.push_back(spec.axes[axis].values[coordinates.at[axis]]);
    const ordered_json line{{"run", row.run},
                            {"values", std::move(values)},
                            {"policy", spec.policies[coordinates.policy]},
                            {"seed", coordinates.seed},
                            {"summary", *row.summary}};
    return json_text(line) + "\n";
}

SweepReader::SweepReader(std::istream& in, std::string file) : in_(in), file_(std::move(file)) {
    if (!read_line())
        refuse_file(file_, 0,
                    line_.empty() ? "the file is empty; expected the results of a sweep"
                                  : "this file does not contain the results of a sweep: no line is complete");
    ordered_json header;
    try {
        JsonTree(file_, line_);  // throws if size or depth is too large, or for duplicate keys
        header = parse_json_in_order(line_);
    } catch (const ScenarioError&) {
        refuse("this file does not contain the results of a sweep: the first line must describe the sweep");
    }
    if (!header.is_object() || !header.contains("format") || !header["format"].is_string())
        refuse("this file does not contain the results of a sweep: the first line must describe the sweep");
    const std::string& format = header["format"].get_ref<const std::string&>();
    if (format != kSweepFormat)
        refuse(fmt::format("the results have the format '{}'; expected {}", shorten(format), kSweepFormat));
    try {
        spec_ = spec_from_json(header);
    } catch (const LabError& error) {
        refuse(error.what());
    }
    if (header.contains("shard")) {
        const ordered_json& shard = header["shard"];
        if (!shard.is_array() || shard.size() != 2 || !shard[0].is_number_unsigned() ||
            !shard[1].is_number_unsigned() || shard[0] < 1u || shard[0] > shard[1] || shard[1] > kMaxShards)
            refuse("expected \"shard\": [number of the shard, number of shards]");
        shard_ = {shard[0].get<std::uint64_t>() - 1, shard[1].get<std::uint64_t>()};
    }
    if (header_line(spec_, shard_) != line_)
        refuse("this line is damaged: a sweep does not write such a line");
}

bool SweepReader::next(Row& row) {
    if (!read_line()) return false;
    if (is_complete()) refuse("the file has more rows than the sweep has runs");
    if (json_depth_of(line_) > kDeepestRow) refuse("this row is damaged");
    ordered_json parsed = parse_json_in_order(line_);
    if (!parsed.is_object() || !parsed.contains("summary") || !parsed["summary"].is_object())
        refuse("this row is damaged");
    if (const std::optional<SummaryShapeProblem> problem = find_summary_shape_problem(parsed["summary"]))
        refuse_at("/summary" + problem->pointer, problem->message);
    row.run = shard_.run_number(rows_);
    row.summary = std::make_shared<const ordered_json>(std::move(parsed["summary"]));
    // The position of the row in the file determines run, values, policy and seed. So the whole line can be
    // compared with the expected line.
    if (row_line(spec_, row) != line_) refuse(fmt::format("this is not the row of run {}", row.run));
    if (has_old_keys(*row.summary))
        row.summary = std::make_shared<const ordered_json>(with_current_keys(*row.summary));
    ++rows_;
    return true;
}

bool SweepReader::read_line() {
    line_.clear();
    std::streambuf* const buffer = in_.rdbuf();  // this buffer throws on errors, see InputFile
    const std::size_t most = line_number_ == 0 ? kMaxJsonBytes : kLongestRow;
    for (;;) {
        const int c = buffer->sbumpc();
        if (c == std::char_traits<char>::eof()) return false;  // a line without a line end is ignored
        line_ += static_cast<char>(c);
        if (c == '\n') break;
        if (line_.size() > most) {
            ++line_number_;
            refuse(fmt::format("the line is longer than {} KiB", most >> 10));
        }
    }
    ++line_number_;
    bytes_ += line_.size();
    return true;
}

void SweepReader::refuse(std::string message) const { refuse_file(file_, line_number_, std::move(message)); }

void SweepReader::refuse_at(const std::string& pointer, std::string message) const {
    Problem problem = JsonTree(file_, line_).problem_at(pointer, std::move(message));
    problem.line = line_number_;
    throw ScenarioError(std::move(problem));
}

SweepMerger::SweepMerger(std::vector<SweepReader*> shards) {
    const SweepReader& first = *shards.front();
    const std::uint64_t count = first.shard().count;
    std::vector<Problem> problems;
    const auto add = [&](const std::string& file, std::string message) {
        problems.push_back({file, 0, 0, {}, std::move(message)});
    };
    std::map<std::uint64_t, SweepReader*> by_index;
    for (SweepReader* shard : shards) {
        if (const std::string what = describe_difference(shard->spec(), first.spec()); !what.empty()) {
            add(shard->file(),
                fmt::format("the file is from a different sweep than {}: {}", first.file(), what));
        } else if (shard->shard().count != count) {
            add(shard->file(), fmt::format("the file is one of {} shards, but {} is one of {}",
                                           shard->shard().count, first.file(), count));
        } else if (const auto [place, added] = by_index.emplace(shard->shard().index, shard); !added) {
            add(shard->file(),
                fmt::format("shard {} is also in {}", shard->shard().text(), place->second->file()));
        }
    }
    std::vector<std::string> missing;
    constexpr std::size_t kShown = 20;
    for (std::uint64_t i = 0; i < count && missing.size() <= kShown && problems.empty(); ++i)
        if (!by_index.contains(i))
            missing.push_back(missing.size() == kShown ? "..." : Shard{i, count}.text());
    if (!missing.empty())
        add("sweep", fmt::format("shard{} {} {} missing", missing.size() == 1 ? "" : "s", join(missing, ", "),
                                 missing.size() == 1 ? "is" : "are"));
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    for (const auto& [index, shard] : by_index) shards_.push_back(shard);
}

bool SweepMerger::next(Row& row, std::string& line) {
    if (run_ == spec().runs()) {
        for (SweepReader* shard : shards_) shard->next(row);  // throws if the shard has further rows
        return false;
    }
    SweepReader& shard = *shards_[run_ % shards_.size()];
    if (!shard.next(row)) {
        // Reports all missing runs, not only the first.
        std::vector<Problem> problems;
        for (SweepReader* other : shards_) {
            for (Row rest; other->next(rest);) {
            }
            if (!other->is_complete())
                problems.push_back({other->file(),
                                    0,
                                    0,
                                    {},
                                    fmt::format("the sweep is not finished: the file contains {} of {} runs",
                                                other->rows(), other->shard().run_count(spec().runs()))});
        }
        throw ScenarioError(std::move(problems));
    }
    line = shard.line();
    ++run_;
    return true;
}

SweepWriter::SweepWriter(const std::string& path, const SweepSpec& spec, const Shard& shard,
                         const std::function<void(const Row&)>& take)
    : path_(path) {
    file_ = os::open_file(path_, os::OpenMode::read_append);
    if (!file_.is_open()) refuse(std::strerror(errno));
    os::FileStatus status;
    if (const int error = os::get_file_status(file_, status); error != 0) refuse(std::strerror(error));
    if (status.kind != os::FileKind::regular) refuse("not a regular file");
    if (const int error = os::lock_file(file_); error != 0)
        refuse(error == EWOULDBLOCK ? "another sweep is writing this file" : std::strerror(error));

    const std::string header = header_line(spec, shard);
    if (has_incomplete_header(header)) {
        truncate_file(0);
        write(header);
        return;
    }
    InputFile in(path_);
    SweepReader reader(in, path_);
    if (const std::string what = describe_difference(reader.spec(), spec); !what.empty())
        refuse(fmt::format("the file contains the results of a different sweep: {}", what));
    if (reader.shard() != shard)
        refuse(fmt::format("the file contains the results of shard {}, not {}", reader.shard().text(),
                           shard.text()));
    for (Row row; reader.next(row);) take(row);
    rows_ = reader.rows();
    bytes_ = reader.bytes();
    truncate_file(bytes_);
}

// True if the file is empty or contains only a part of the header.
bool SweepWriter::has_incomplete_header(const std::string& header) const {
    std::string bytes;
    if (const int error = os::read_up_to(file_.number(), header.size(), bytes); error != 0)
        refuse(std::strerror(error));
    return bytes.size() < header.size() && header.starts_with(bytes);
}

void SweepWriter::append(const std::string& line) {
    write(line);
    ++rows_;
}

void SweepWriter::truncate_file(std::uint64_t bytes) {
    if (const int error = os::set_size(file_, bytes); error != 0) refuse(std::strerror(error));
}

void SweepWriter::write(const std::string& line) {
    if (const int error = os::write_all(file_.number(), line); error != 0) {
        // If removing the partial line fails, too, the next sweep that writes to this file removes the line.
        static_cast<void>(os::set_size(file_, bytes_));
        refuse(std::strerror(error));
    }
    bytes_ += line.size();
}

void SweepWriter::close() {
    if (const int error = file_.close(); error != 0) refuse(std::strerror(error));
}

void SweepWriter::refuse(std::string message) const { refuse_file(path_, 0, std::move(message)); }

}  // namespace sim::lab
