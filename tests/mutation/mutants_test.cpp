// Checks equivalent.json, the list of mutants that no test can detect: each entry matches an existing source
// line and has a reason.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <string>

#include "tests/support/program.h"

namespace mutants_test {

// Returns the text without spaces and newlines, because the format of the code in the list differs from
// that in the source.
std::string squeezed(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\n') result += c;
    return result;
}

TEST(EquivalentMutants, MatchExistingCodeAndHaveReason) {
    const std::string root = SWITCHYARD_SOURCE_DIR;
    const nlohmann::json list = nlohmann::json::parse(content_of(root + "/tests/mutation/equivalent.json"));
    std::set<std::string> seen;
    for (const nlohmann::json& entry : list) {
        SCOPED_TRACE(entry.dump());
        const std::string file = entry.at("file"), original = entry.at("original"),
                          reason = entry.at("reason");
        EXPECT_NE(squeezed(content_of(root + "/" + file)).find(squeezed(original)), std::string::npos);
        EXPECT_GE(reason.size(), 20u);
        EXPECT_TRUE(reason.ends_with('.'));
        nlohmann::json key = entry;
        key.erase("reason");
        EXPECT_TRUE(seen.insert(key.dump()).second) << "twice";
        for (const char* member : {"function", "kind", "changed", "nth"})
            EXPECT_TRUE(key.contains(member)) << member;
    }
}

}  // namespace mutants_test
