// The examples to choose from: their groups and their pictures.
#include "ui/view/examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/scenario/builtin_files.h"
#include "ui/view/thumbnails.h"

namespace ui_examples_test {

using namespace ui;

TEST(Examples, EveryBuiltInScenarioIsInOneGroup) {
    std::multiset<std::string> names;
    for (const ExampleGroup& group : example_groups()) {
        EXPECT_FALSE(group.names.empty()) << group.title;
        names.insert(group.names.begin(), group.names.end());
    }
    for (const std::string& name : sim::builtin_file_names("")) EXPECT_EQ(names.count(name), 1u) << name;
    EXPECT_EQ(names.size(), sim::builtin_file_names("").size());
    EXPECT_STREQ(example_groups().front().title, "First steps");
}

TEST(Examples, EachHasAPicture) {
    Thumbnails all;
    for (const std::string& name : sim::builtin_file_names("")) EXPECT_EQ(all.find(name), nullptr) << name;
    EXPECT_FALSE(all.work(Deadline::max()));
    for (const std::string& name : sim::builtin_file_names("")) {
        const Thumbnail* const picture = all.find(name);
        ASSERT_NE(picture, nullptr) << name;
        EXPECT_FALSE(picture->boxes.empty()) << name;
        for (const Thumbnail::Box& box : picture->boxes) {
            EXPECT_LE(0, box.begin) << name;
            EXPECT_LE(box.begin, box.end) << name;
            EXPECT_LE(box.end, 1) << name;
            EXPECT_LT(box.cpu, picture->cpus) << name;
        }
    }
    const Thumbnail& hogs = *all.find("two-hogs");
    EXPECT_EQ(hogs.boxes.size(), 24u);
    EXPECT_NE(hogs.boxes[0].task, hogs.boxes[1].task) << "the two take turns";
}

TEST(Examples, APictureDoesNotDependOnTheTimeToMakeIt) {
    Thumbnails at_once, in_pieces;
    at_once.find("php-fpm");
    in_pieces.find("php-fpm");
    at_once.work(Deadline::max());
    while (in_pieces.work(Deadline::clock::now() + std::chrono::microseconds(1))) continue;
    const Thumbnail &a = *at_once.find("php-fpm"), &b = *in_pieces.find("php-fpm");
    ASSERT_EQ(a.boxes.size(), b.boxes.size());
    EXPECT_TRUE(std::equal(a.boxes.begin(), a.boxes.end(), b.boxes.begin(),
                           [](const Thumbnail::Box& x, const Thumbnail::Box& y) {
                               return x.begin == y.begin && x.end == y.end && x.cpu == y.cpu &&
                                      x.task == y.task;
                           }));
}

}  // namespace ui_examples_test
