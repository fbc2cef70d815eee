// The results file of a sweep: a line that says what the sweep is, then a line of JSON for each run.
//
// Lines are appended whole and in the order of the runs, whoever finished first, so a file is at every moment
// a beginning of the complete one, to the byte, however many threads there are and however often the sweep
// was killed. A line without its end is one that a kill tore off, and does not count. Everything else that
// has not the form in which this program writes it is refused: these files come from other machines. What the
// figures say is taken as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "sim/base/descriptor.h"
#include "sim/lab/sweep_run.h"
#include "sim/lab/sweep_spec.h"

namespace sim::lab {

inline constexpr const char* kSweepFormat = "switchyard-sweep/1";
inline constexpr std::uint64_t kMaxShards = 100'000;

// Which runs of a sweep are in a file: those whose number leaves `index` when divided by `count`.
// Neighbouring runs take about as long as each other, and a sweep often grows slower towards its end, so that
// taking them in turn divides the work more evenly than cutting it into blocks.
struct Shard {
    std::uint64_t index = 0, count = 1;

    bool operator==(const Shard&) const = default;
    std::uint64_t runs_of(std::uint64_t all) const { return all / count + (index < all % count ? 1 : 0); }
    std::uint64_t run(std::uint64_t k) const { return k * count + index; }  // the k-th of the shard
    std::string text() const;                                               // "2/3", counted from 1
};

// The lines as they stand in the file, with their ends.
std::string header_line(const SweepSpec& spec, const Shard& shard);
std::string row_line(const SweepSpec& spec, const Row& row);

// Reads a results file from anywhere: line after line, in bounded memory. All of it throws ScenarioError,
// with file and line, when the bytes are not those that a sweep writes.
class SweepReader {
  public:
    // Reads the header. REQUIRES: the stream outlives this, and its buffer throws when it cannot read on, as
    // that of an InputFile does.
    SweepReader(std::istream& in, std::string file);

    const std::string& file() const { return file_; }
    const SweepSpec& spec() const { return spec_; }
    const Shard& shard() const { return shard_; }

    // The next row; false at the end of the file.
    bool next(Row& row);
    const std::string& line() const { return line_; }  // of the latest row, with its end
    std::uint64_t rows() const { return rows_; }       // so far
    std::uint64_t bytes() const { return bytes_; }     // of whole lines so far
    bool is_complete() const { return rows_ == shard_.runs_of(spec_.runs()); }

  private:
    bool read_line();
    [[noreturn]] void refuse(std::string message) const;
    [[noreturn]] void refuse_at(const std::string& pointer, std::string message) const;  // in the line

    std::istream& in_;
    std::string file_, line_;
    int line_number_ = 0;
    SweepSpec spec_;
    Shard shard_;
    std::uint64_t rows_ = 0, bytes_ = 0;
};

// Reads all shards of a sweep in the order of the runs, and calls take(row, line) for each. Throws
// ScenarioError when shards are missing, given twice, of different sweeps or not complete.
class SweepMerger {
  public:
    explicit SweepMerger(std::vector<SweepReader*> shards);

    const SweepSpec& spec() const { return shards_.front()->spec(); }
    // The next row in the order of the runs; false at the end.
    bool next(Row& row, std::string& line);

  private:
    std::vector<SweepReader*> shards_;  // by Shard::index
    std::uint64_t run_ = 0;
};

// A results file that a sweep goes on with. It is locked against other sweeps as long as this lives.
class SweepWriter {
  public:
    // Makes the file, or goes on with the one that there is: calls take(row) for each row in it, and cuts off
    // what a kill left of a line. Throws ScenarioError when it belongs to another sweep, is damaged, or
    // somebody else is writing it.
    SweepWriter(const std::string& path, const SweepSpec& spec, const Shard& shard,
                const std::function<void(const Row&)>& take);
    std::uint64_t rows() const { return rows_; }  // that are in it
    // Appends a row with one write(). Throws ScenarioError when that fails; what was written of it is then
    // taken back.
    void append(const std::string& line);
    // There are no more. Throws ScenarioError when the system has not kept all of them.
    void close();

  private:
    bool is_torn_header(const std::string& header) const;
    void cut(std::uint64_t bytes);
    void write(const std::string& line);
    [[noreturn]] void refuse(std::string message) const;

    std::string path_;
    Descriptor file_;
    std::uint64_t rows_ = 0, bytes_ = 0;
};

}  // namespace sim::lab
