// docs/reference/script_interface.md lists everything that a script can define, declare, read and do, and
// fits on one screen.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "sim/script/library.h"
#include "sim/script/script.h"
#include "tests/support/program.h"

namespace sim {
namespace interface_page_test {

const std::string kSource = SWITCHYARD_SOURCE_DIR;

std::set<std::string> words_of(const std::string& text) {
    static const std::regex kWord("[A-Za-z_]+");
    return {std::sregex_token_iterator(text.begin(), text.end(), kWord), {}};
}

TEST(InterfacePage, ListsEveryName) {
    const std::set<std::string> page = words_of(content_of(kSource + "/docs/reference/script_interface.md"));
    for (std::size_t i = 0; i < script::kCallbacks; ++i)
        EXPECT_TRUE(page.contains(script::to_string(static_cast<script::Callback>(i))));
    // Functions, from the tables that register them in Lua, and names of attributes.
    std::size_t names = 0;
    for (const char* file : {"library_basics.cpp", "library_objects.cpp", "library_queues.cpp",
                             "library_scheduling.cpp", "declarations.cpp"}) {
        const std::string source = content_of(kSource + "/sim/script/" + file);
        static const std::regex kFunction("\\{\"([a-z]\\w*)\",\\s*call_guarded<\\w+>\\}");
        for (std::sregex_iterator at(source.begin(), source.end(), kFunction), end; at != end; ++at, ++names)
            EXPECT_TRUE(page.contains((*at)[1])) << (*at)[1];
    }
    EXPECT_GT(names, 30U);
    for (const std::string& word : words_of(content_of(kSource + "/sim/script/library_objects.cpp")))
        EXPECT_TRUE(page.contains(word) || !script::is_attribute_of_tasks(word)) << word;
}

TEST(InterfacePage, FitsOnAScreen) {
    std::istringstream page(content_of(kSource + "/docs/reference/script_interface.md"));
    int lines = 0;
    for (std::string line; std::getline(page, line); ++lines) EXPECT_LE(line.size(), 130U) << line;
    EXPECT_LE(lines, 50);
}

}  // namespace interface_page_test
}  // namespace sim
