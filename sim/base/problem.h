// Errors in a user's file, reported all at once, each with its location.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct Problem {
    std::string file;     // name as typed by the user; for command-line values, the option ("--set ...")
    int line = 0;         // line number, counted from 1; 0: unknown
    int column = 0;       // counted from 1, in characters; in CSV files, in bytes
    std::string pointer;  // JSON pointer of the wrong value; empty if the problem concerns the whole file
    std::string message;

    // One line: "FILE:LINE:COLUMN: /json/pointer: message". Unsafe characters are escaped (printable()), and
    // a long pointer is cut.
    std::string text() const;
};

inline constexpr std::size_t kLongestPointer = 200;  // in bytes, before escaping

// Shortens a text for a message: returns at most `max_bytes` bytes of it, cut at a character boundary, and
// "..." for the rest.
std::string shorten(std::string_view text, std::size_t max_bytes = 64);

class ScenarioError : public std::runtime_error {
  public:
    explicit ScenarioError(std::vector<Problem> problems);
    explicit ScenarioError(Problem problem) : ScenarioError(std::vector{std::move(problem)}) {}

    const std::vector<Problem>& problems() const { return problems_; }

  private:
    std::vector<Problem> problems_;
};

}  // namespace sim
