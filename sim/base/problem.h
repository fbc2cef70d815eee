// What is wrong with a file that somebody wrote, all of it at once, each with its place.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct Problem {
    std::string file;     // as the user named it; an option ("--set ...") for values from the command line
    int line = 0;         // from 1; 0 when there is no such place
    int column = 0;       // in characters, from 1
    std::string pointer;  // the JSON pointer of the value; empty for the file as a whole
    std::string message;

    // "FILE:LINE:COLUMN: /json/pointer: what is wrong", in one printable() line; a long pointer is cut.
    std::string text() const;
};

inline constexpr std::size_t kLongestPointer = 200;  // in bytes, as it is printed

// The beginning of a text that somebody wrote, for a message: cut between characters, with "..." for the
// rest.
std::string shorten(std::string_view text, std::size_t most = 64);

class ScenarioError : public std::runtime_error {
  public:
    explicit ScenarioError(std::vector<Problem> problems);
    explicit ScenarioError(Problem problem) : ScenarioError(std::vector{std::move(problem)}) {}

    const std::vector<Problem>& problems() const { return problems_; }

  private:
    std::vector<Problem> problems_;
};

}  // namespace sim
