// What is wrong with one file, collected while it is read, so that one look at it finds everything.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"

namespace sim {

// Collects problems and, at the end, throws them: the first of them, ordered by place, and the number of the
// others.
class Problems {
  public:
    explicit Problems(const JsonTree& source) : source_(source) {}

    // A problem with a value of the source, or with the key of it.
    void add(const JsonValue& at, std::string message, bool at_key = false);
    // Those of another file, or with a place of their own.
    void add(std::vector<Problem> placed);

    // How many there are so far: whether something was wrong with a part is whether it has grown.
    std::size_t count() const { return count_; }
    // Whether a message is not worth writing any more.
    bool full() const { return found_.size() >= kMost; }

    // Throws ScenarioError.
    void throw_if_any() const;

  private:
    static constexpr std::size_t kMost = 50;

    struct Found {
        const JsonValue* at;
        std::string message;
        bool at_key;
    };

    const JsonTree& source_;
    std::vector<Found> found_;
    std::vector<Problem> placed_;
    std::size_t count_ = 0;
};

}  // namespace sim
