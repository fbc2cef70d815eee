// The JSON values of a scenario or machine file, in which old names of keys are replaced by the current ones.
#pragma once

#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/renamed_keys.h"

namespace sim {

class ScenarioTree : public JsonTree {
  public:
    enum class Kind : std::uint8_t { scenario, machine };

    // Parses the text like the constructor of JsonTree. An object that contains both the old and the current
    // name of a key is reported as a problem, like a duplicate key.
    ScenarioTree(std::string file, std::string text, std::vector<Problem>* noted = nullptr,
                 Kind kind = Kind::scenario);

    // Applies a change like JsonTree::set(), but also accepts old names of keys. Throws ScenarioError.
    void set(const std::string& assignment);

    // One notice for each old name of a key that has been used, with the position of its first use.
    const std::vector<Problem>& notices() const { return notices_; }

  private:
    std::vector<Problem> rename_old_keys();
    void add_notice(Problem place, const RenamedKey& key);

    Kind kind_;
    std::vector<Problem> notices_;
};

}  // namespace sim
