// Base class of the readers that replay exercises with known results for `verify`.
//
// OSTEP files have one case per line (ostep_case.cpp); the textbook tables are one JSON file
// (textbook_tables.cpp, book_real_time.cpp, book_shares.cpp). Both formats are described in
// docs/reference/textbooks.md.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/check/case_reader.h"
#include "sim/check/exercise.h"
#include "sim/check/recorded_results.h"

namespace sim {

struct VerifyOptions;

class TextbookCase : public CaseReader {
  public:
    // `line`: line number in the file; 0: use the line of the JSON value. REQUIRES: the other arguments
    // outlive this object.
    TextbookCase(const JsonTree& text, int line, VerifyResult& result, const VerifyOptions& options)
        : CaseReader(text), result_(result), options_(options), line_(line) {}

  protected:
    using Options = std::vector<std::pair<std::string, std::string>>;

    // Starts a case, which belongs to the group of exercises that the book solves with `policy`.
    void begin_case(const std::string& name, const std::string& policy);
    // True if the user selected the exercises that the book solves with this policy.
    bool is_policy_selected(const std::string& policy) const;
    // Creates the policy for the replay. If the user specified a policy, this policy gets those of
    // `options` that it has. Otherwise, the policy `name` gets all of `options`.
    NamedPolicy make_policy_for(const std::string& name, const Options& options) const;
    // Solves the exercise. If the policy fails, counts a difference and returns no jobs.
    ExerciseSolution solve_exercise(const Exercise& exercise, const NamedPolicy& policy);
    // Counts the case as a case that cannot be replayed, for the reason `why`.
    void leave_case_out(const std::string& why);

    // These functions compare a replayed result with the recorded one. Only the first difference of a case
    // counts, and only the first difference of the file is described.
    void compare(const std::string& pointer, const ValueIntervals& recorded, const ValueIntervals& replayed);
    void compare(const std::string& pointer, Nanos recorded, Nanos replayed);
    void compare_number(const std::string& pointer, double recorded, double replayed, double tolerance);
    void count_difference(const std::string& pointer, const std::string& description);
    void end_case();

    // Reads a time in units of the file (1 unit = 1 ms), possibly with a fraction.
    Nanos read_time(const Json& value, const std::string& pointer, double max_units = 1'000'000) const;
    std::vector<Nanos> read_times(const Json& list, const std::string& pointer) const;
    ValueIntervals read_intervals(const Json& list, const std::string& pointer, int max_value) const;

    bool is_policy_replaced() const;
    const std::string& policy_spec() const { return spec_; }

    VerifyResult& result_;
    const VerifyOptions& options_;

  private:
    VerifyResult::ExerciseGroup* group_ = nullptr;
    std::string name_, spec_;
    int line_;
    bool differs_ = false, left_out_ = false;
};

void replay_ostep_case(const JsonTree& text, int line, VerifyResult& result, const VerifyOptions& options);
void replay_textbook_tables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options);

}  // namespace sim
