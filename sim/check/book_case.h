// Exercises with their results, as `verify` replays them: what the readers of both files share.
//
// OSTEP's programs have a case a line (ostep_case.cpp), the tables of textbooks stand in one file
// (book_tables.cpp). docs/textbooks.md describes both.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/check/case_reader.h"
#include "sim/check/exercise.h"
#include "sim/check/vectors.h"

namespace sim {

// What is asked of verify() besides the file.
struct VerifyOptions;

class BookCase : public CaseReader {
  public:
    // REQUIRES: all of them outlive this. `line` is that of the file.
    BookCase(const JsonTree& text, int line, VerifyResult& result, const VerifyOptions& options)
        : CaseReader(text), result_(result), options_(options), line_(line) {}

  protected:
    using Options = std::vector<std::pair<std::string, std::string>>;

    // Of the exercises that the book solves with this policy.
    void begin_case(const std::string& name, const std::string& policy);
    // Whether such exercises are wanted at all.
    bool is_wanted(const std::string& policy) const;
    // The one that solves it: the policy asked for, with those of these options that it has, or else `name`
    // with all of them. Its failures are told as differences.
    NamedPolicy policy_for(const std::string& name, const Options& options) const;
    // Solves it. Returns no jobs when the policy has failed, which is a difference.
    Solution solved(const Exercise& exercise, const NamedPolicy& policy);
    // This exercise is none that can be replayed here, for this reason.
    void leave_out(const std::string& why);

    // Hold a result against what was recorded; of a case, the first difference is told.
    void compare(const std::string& pointer, const Stretches& recorded, const Stretches& replayed);
    void compare(const std::string& pointer, Nanos recorded, Nanos replayed);
    void compare_number(const std::string& pointer, double recorded, double replayed, double within);
    void differs(const std::string& pointer, const std::string& how);
    void end_case();

    // A time in the file's units, of which there are whole ones or ones with a fraction.
    Nanos time(const Json& value, const std::string& pointer, double most = 1'000'000) const;
    std::vector<Nanos> times(const Json& list, const std::string& pointer) const;
    Stretches pieces(const Json& list, const std::string& pointer, int most) const;

    bool replaced() const;
    const std::string& policy_name() const { return spec_; }

    VerifyResult& result_;
    const VerifyOptions& options_;

  private:
    VerifyResult::Group* group_ = nullptr;
    std::string name_, spec_;
    int line_;
    bool differs_ = false, left_out_ = false;
};

// A line of OSTEP's programs; a file of tables.
void replay_ostep_case(const JsonTree& text, int line, VerifyResult& result, const VerifyOptions& options);
void replay_book_tables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options);

}  // namespace sim
