// The results file of a sweep: a header line that describes the sweep, then a line of JSON per run.
//
// Lines are appended whole and in run order, whichever run finished first. So the bytes of a file are
// always a prefix of the complete file, regardless of the number of threads, and even if the sweep was
// killed. A last line without a line end was cut off when the sweep was killed, and is ignored. Anything
// else that differs from the form written by this program is refused, because files are untrusted. The
// values themselves are not checked.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "sim/lab/sweep_run.h"
#include "sim/lab/sweep_spec.h"
#include "sim/os/descriptor.h"

namespace sim::lab {

inline constexpr const char* kSweepFormat = "switchyard-sweep/1";
inline constexpr std::uint64_t kMaxShards = 100'000;

// The runs of a sweep that are in one of `count` files: those with run number % `count` == `index`.
// Neighbouring runs take about the same time, and later runs are often slower. So taking every `count`-th
// run divides the work more equally than contiguous ranges.
struct Shard {
    std::uint64_t index = 0, count = 1;

    bool operator==(const Shard&) const = default;
    std::uint64_t run_count(std::uint64_t total_runs) const {
        return total_runs / count + (index < total_runs % count ? 1 : 0);
    }
    // The number of the shard's run `index_in_shard`; its first run has `index_in_shard` = 0.
    std::uint64_t run_number(std::uint64_t index_in_shard) const { return index_in_shard * count + index; }
    std::string text() const;  // index + 1 and count: "2/3"
};

// The header line and a row line of the file, including line ends.
std::string header_line(const SweepSpec& spec, const Shard& shard);
std::string row_line(const SweepSpec& spec, const Row& row);

// Reads an untrusted results file line by line in bounded memory. Throws ScenarioError with file and line if
// the bytes differ from what a sweep writes.
class SweepReader {
  public:
    // Reads the header. REQUIRES: the stream outlives this object, and its buffer throws on read errors,
    // like the buffer of InputFile.
    SweepReader(std::istream& in, std::string file);

    const std::string& file() const { return file_; }
    const SweepSpec& spec() const { return spec_; }
    const Shard& shard() const { return shard_; }

    // Returns false at the end of the file.
    bool next(Row& row);
    const std::string& line() const { return line_; }  // text of the latest row, with line end
    std::uint64_t rows() const { return rows_; }       // number of rows read so far
    std::uint64_t bytes() const { return bytes_; }     // size of the complete lines read so far
    bool is_complete() const { return rows_ == shard_.run_count(spec_.runs()); }

  private:
    bool read_line();
    [[noreturn]] void refuse(std::string message) const;
    [[noreturn]] void refuse_at(const std::string& pointer,
                                std::string message) const;  // reports a problem in the current line

    std::istream& in_;
    std::string file_, line_;
    int line_number_ = 0;
    SweepSpec spec_;
    Shard shard_;
    std::uint64_t rows_ = 0, bytes_ = 0;
};

// Merges the shards of a sweep in run order. Throws ScenarioError if a shard is missing, duplicate or
// incomplete, or if the shards belong to different sweeps.
class SweepMerger {
  public:
    explicit SweepMerger(std::vector<SweepReader*> shards);

    const SweepSpec& spec() const { return shards_.front()->spec(); }
    // Returns false after the last row.
    bool next(Row& row, std::string& line);

  private:
    std::vector<SweepReader*> shards_;  // by Shard::index
    std::uint64_t run_ = 0;
};

// The results file being written. It is locked against other sweeps while this object exists.
class SweepWriter {
  public:
    // Creates the file, or continues an existing one: calls take(row) for the rows that it contains and
    // removes an incomplete last line. Throws ScenarioError if the file belongs to another sweep, is
    // damaged, or is being written by another process.
    SweepWriter(const std::string& path, const SweepSpec& spec, const Shard& shard,
                const std::function<void(const Row&)>& take);
    std::uint64_t rows() const { return rows_; }  // number of rows in the file
    // Appends a row with one write(). On failure, removes the partial row and throws ScenarioError.
    void append(const std::string& line);
    // Closes the file; must be called after the last row. Throws ScenarioError if the system failed to
    // store all rows.
    void close();

  private:
    bool has_incomplete_header(const std::string& header) const;
    void truncate_file(std::uint64_t bytes);
    void write(const std::string& line);
    [[noreturn]] void refuse(std::string message) const;

    std::string path_;
    os::Descriptor file_;
    std::uint64_t rows_ = 0, bytes_ = 0;
};

}  // namespace sim::lab
