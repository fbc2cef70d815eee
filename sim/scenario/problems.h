// Collects the problems of one file while it is read, so that all are reported together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// The problems of one source. The error that reports these problems lists the first of them, ordered by
// position, and states how many others there are.
class Problems {
  public:
    explicit Problems(const JsonTree& source) : source_(source) {}

    // Adds a problem that concerns a value of the source or, if `at_key`, the key of this value.
    void add(const JsonValue& at, std::string message, bool at_key = false);
    // Adds problems that already have positions, such as those of another file.
    void add(std::vector<Problem> placed);

    // Adds remarks that do not make the file invalid; each text is kept once.
    void add_notices(const std::vector<Problem>& notices);
    void add_notice(const JsonValue& at_key_of, std::string message);
    const std::vector<Problem>& notices() const { return notices_; }

    // The number of problems so far. If this number increased while a part of the file was read, that part
    // has a problem.
    std::size_t count() const { return count_; }
    // Whether the list of problems is full, so that further messages would not be shown.
    bool is_full() const { return found_.size() >= kMost; }

    // Throws ScenarioError if there are problems.
    void throw_if_any() const;

  private:
    static constexpr std::size_t kMost = 50;

    struct ProblemAtValue {
        const JsonValue* at;
        std::string message;
        bool at_key;
    };

    const JsonTree& source_;
    std::vector<ProblemAtValue> found_;
    std::vector<Problem> placed_, notices_;
    std::size_t count_ = 0;
};

}  // namespace sim
