// Places: what a link names is what the options of switchyard-ui name, and a wrong link says all that is
// wrong.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ui/app/app.h"
#include "ui/app/place.h"
#include "ui/platform/backend.h"

namespace ui {
namespace ui_place_test {

std::string wrong_with(const std::string& link) {
    try {
        parse_link(link);
    } catch (const std::invalid_argument& problem) {
        return problem.what();
    }
    return {};
}

TEST(Links, NameWhatTheOptionsName) {
    const Place place = parse_link(
        "#scenario=two-hogs&set=/machine/hz%3D250&set=/tasks/0/nice=5&policy=sorted-queue:insert%3Dhead"
        "&compare=linux-2.0&switch=37&panel=decision&tab=costs&theme=light&scale=150&present");
    EXPECT_EQ(place.scenario, "two-hogs");
    EXPECT_EQ(place.sets, (std::vector<std::string>{"/machine/hz=250", "/tasks/0/nice=5"}));
    EXPECT_EQ(place.policy, "sorted-queue:insert=head");
    EXPECT_EQ(place.compare, "linux-2.0");
    EXPECT_EQ(place.switch_number, 37u);
    EXPECT_EQ(place.panel, "decision");
    EXPECT_EQ(place.tab, "costs");
    EXPECT_EQ(place.theme, "light");
    EXPECT_EQ(place.scale, 150);
    EXPECT_TRUE(place.present);
    EXPECT_EQ(parse_link("at=decision%2037").at, "decision 37");
}

TEST(Links, AnEmptyOneIsThePlaceOfNoOptions) {
    for (const char* link : {"", "#", "#&&"}) {
        const Place place = parse_link(link);
        EXPECT_EQ(place.scenario, Place{}.scenario) << link;
        EXPECT_EQ(place.theme, Place{}.theme) << link;
        EXPECT_FALSE(place.switch_number) << link;
    }
}

TEST(Links, AreReadBackAsTheyWereMade) {
    Place place;
    EXPECT_EQ(to_link(place), "#scenario=yield-processes") << "nothing that is so anyway";
    place.scenario = "a b/ü&x=1.json";
    place.sets = {"/tasks/0/count=4", R"(/policy="nt4:quantum=6")", "/title=50 % #1 + \"2\""};
    place.policy = "linux-2.0:yield=one_tick";
    place.compare = "nt4";
    place.at = "event 7";
    place.panel = "decision";
    place.tab = "costs";
    place.theme = "light";
    place.scale = 125;
    place.present = true;
    const std::string link = to_link(place);
    EXPECT_EQ(link.find_first_of(" \"+<>\xc3"), std::string::npos) << link;
    EXPECT_EQ(link.find('#', 1), std::string::npos) << link;
    for (const std::string& address : {link, "https://example.org/x.html?a=b" + link}) {
        const Place again = parse_link(address);
        EXPECT_EQ(again.scenario, place.scenario);
        EXPECT_EQ(again.sets, place.sets);
        EXPECT_EQ(to_link(again), link);
    }
}

// The same run at the same event, in another window.
TEST(Links, ToWhereOneStandsGoThere) {
    struct Stand {
        std::uint64_t hash = 0;
        std::string compared, link;
        bool operator==(const Stand&) const = default;
    };
    const auto stand_at = [](const std::string& link) {
        Backend backend = Backend::headless({1280, 800});
        App app(backend);
        app.control().set_patient(true);
        EXPECT_TRUE(go_to_place(app, parse_link(link))) << app.model().error << app.model().message;
        app.commands().find("link")->run(app);
        return Stand{app.model().a->session().machine().hash(),
                     app.model().b == nullptr ? "" : app.model().b->recording().policy().spec(),
                     backend.clipboard()};
    };
    for (const char* link : {"#scenario=two-hogs&set=/machine/hz=1000&compare=linux-2.2&switch=5&tab=costs",
                             "#scenario=web-server&policy=sorted-queue&at=2s&theme=light&scale=150",
                             "#scenario=yield-processes&at=0s&panel=decision"}) {
        const Stand here = stand_at(link);
        EXPECT_EQ(stand_at(here.link), here) << here.link;
        EXPECT_NE(stand_at("#scenario=idle-machine"), here);
    }
}

TEST(Links, SayAllThatIsWrongInLinesThatAreSafeToShow) {
    EXPECT_EQ(wrong_with("#senario=two-hogs&theme=dork&switch=-1&scale=400&at=1ms"),
              "the link: nothing is called 'senario'; did you mean 'scenario'?\n"
              "the link: theme=dork: expected one of dark, light, projector; did you mean 'dark'?\n"
              "the link: switch=-1: a number is expected\n"
              "the link: scale=400: a number from 75 to 300 is expected\n"
              "the link: 'at' and 'switch' are two places: which one is meant?");
    const std::string hostile = wrong_with("#%1b[31m%0a<script>=%00%ff%");
    EXPECT_EQ(hostile.find_first_of("\x1b\n"), std::string::npos) << hostile;
    EXPECT_NE(hostile.find("nothing is called '"), std::string::npos) << hostile;
    EXPECT_EQ(wrong_with(std::string(70'000, 'x')), "the link is longer than 64 KiB");
}

TEST(Places, AreWhereTheWindowGoes) {
    Backend backend = Backend::headless({800, 600});
    App app(backend);
    app.control().set_patient(true);
    ASSERT_TRUE(go_to_place(app, parse_link("#scenario=two-hogs&switch=2&theme=light&panel=decision")));
    app.frame(1.0 / 60);
    EXPECT_EQ(app.text().rfind("two-hogs ", 0), 0u) << app.text();
    EXPECT_NE(app.text().find("switch 2 /"), std::string::npos) << app.text();
    EXPECT_EQ(app.theme().name, "light");
    EXPECT_EQ(app.view().alone, "decision");
    EXPECT_FALSE(go_to_place(app, parse_link("#scenario=nowhere")));
    EXPECT_NE(app.model().error.find("nowhere"), std::string::npos);
    EXPECT_FALSE(go_to_place(app, parse_link("#set=nothing")));
    EXPECT_EQ(app.model().error, "--set nothing: expected POINTER=VALUE");
}

}  // namespace ui_place_test
}  // namespace ui
