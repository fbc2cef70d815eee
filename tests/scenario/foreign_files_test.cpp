// Files that are no scenarios are identified.
#include "sim/scenario/foreign_files.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_json.h"

namespace sim {
namespace foreign_files_test {

TEST(ForeignFiles, AreIdentified) {
    EXPECT_EQ(describe_foreign_file("a.json", std::string("\x89PNG\r\n\x1a\n") + "..."),
              "this is a picture (PNG), not a scenario");
    EXPECT_EQ(describe_foreign_file("a", "%PDF-1.7").substr(0, 22), "this is a PDF document");
    EXPECT_EQ(describe_foreign_file("a", " \n<svg width=\"3\">").substr(0, 17), "this is a page or");
    EXPECT_EQ(describe_foreign_file("rr.lua", "-- Round robin").substr(0, 23), "this is a policy script");
    EXPECT_EQ(describe_foreign_file("README.md", "# Switchyard").substr(0, 14), "this is a text");
    EXPECT_EQ(describe_foreign_file("a.json", "  \n"), "") << "the reader says that it is empty";
}

TEST(ForeignFiles, ScenariosAndTablesAreNone) {
    for (const BuiltinFile& file : builtin_files())
        if (file.name.ends_with(".json")) {
            EXPECT_EQ(describe_foreign_file(file.name, file.text), "") << file.name;
        }
    EXPECT_EQ(describe_foreign_file("t.md", "| name | arrival | burst |"), "");
    EXPECT_EQ(describe_foreign_file("t.csv", "A,0,8"), "");
}

TEST(ForeignFiles, TheMessageNamesTheFile) {
    try {
        find_scenario(SWITCHYARD_SOURCE_DIR "/docs/pictures/start.png");
        ADD_FAILURE();
    } catch (const ScenarioError& error) {
        EXPECT_EQ(error.problems().front().text(),
                  SWITCHYARD_SOURCE_DIR "/docs/pictures/start.png: this is a picture (PNG), not a scenario");
    }
}

}  // namespace foreign_files_test
}  // namespace sim
