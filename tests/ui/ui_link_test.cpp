// Tests of links: a link leads back to its position, also in another window. The names in links equal those
// in the window.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/rng.h"
#include "sim/base/text.h"
#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/app/window_link.h"
#include "ui/platform/backend.h"
#include "ui/view/tabs.h"

namespace ui {
namespace ui_link_test {

// A window opened by a link.
struct Window {
    explicit Window(const std::string& link) {
        app.control().set_wait_without_limit(true);
        went = apply_link(app, parse_link(link));
    }
    std::string copied() {
        app.commands().find("link")->run(app);
        return backend.clipboard();
    }

    Backend backend = Backend::headless({1280, 800});
    App app{backend};
    bool went = false;
};

// A small scenario that is not built in.
constexpr const char* kOwn = R"({
    "format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "until": "100ms",
    "tasks": [{"name": "a", "count": 2, "program": [{"loop": "forever", "steps": [{"run": "1ms"}, "yield"]}]}]
})";

std::string link_to_own(const std::string& rest = {}) {
    sim::Link link = parse_link(rest);
    link.scenario = "own";
    link.text = kOwn;
    return format_link(link);
}

TEST(Link, NamesMatchWindowPanesAndThemes) {
    std::vector<std::string> names;
    for (const Panel& panel : panels()) names.emplace_back(panel.id);
    EXPECT_EQ(names, std::vector<std::string>(std::begin(sim::kLinkPanels), std::end(sim::kLinkPanels)));
    names.clear();
    for (const TabInfo& tab : kTabs) names.emplace_back(tab.name);
    EXPECT_EQ(names, std::vector<std::string>(std::begin(sim::kLinkTabs), std::end(sim::kLinkTabs)));
    names.clear();
    for (const Theme& theme : themes()) names.push_back(theme.name);
    EXPECT_EQ(names, std::vector<std::string>(std::begin(sim::kLinkThemes), std::end(sim::kLinkThemes)));
    EXPECT_EQ(100 * kSmallestScale, static_cast<float>(sim::kSmallestLinkScale));
    EXPECT_EQ(100 * kLargestScale, static_cast<float>(sim::kLargestLinkScale));
}

// The link leads to the same run at the same event, in another window.
TEST(Link, RoundTripsPosition) {
    struct Stand {
        std::uint64_t hash = 0;
        std::string compared, link;
        bool operator==(const Stand&) const = default;
    };
    const auto stand_at = [](const std::string& link) {
        Window window(link);
        const Model& model = window.app.model();
        EXPECT_TRUE(window.went) << model.error << model.message;
        return Stand{model.a->session().machine().hash(),
                     model.b == nullptr ? "" : model.b->history().policy().spec(), window.copied()};
    };
    for (const std::string& link :
         {std::string("#scenario=two-hogs&set=/machine/hz=1000&compare=linux-2.2&switch=5&tab=costs"),
          std::string("#scenario=web-server&policy=sorted-queue&at=2s&theme=light&scale=150"),
          std::string("#scenario=yield-processes&at=0s&panel=decision"),
          std::string("#scenario=two-hogs&at=200ms&show=150ms..300ms"),
          std::string("#scenario=recalc-storm&policy=sorted-queue&at=20ms&present"),
          link_to_own("#set=/tasks/0/count=3&at=5ms")}) {
        const Stand here = stand_at(link);
        EXPECT_EQ(stand_at(here.link), here) << here.link;
        EXPECT_NE(stand_at("#scenario=idle-machine"), here);
    }
}

TEST(Link, OmitsDefaultSettings) {
    const std::string link = Window("#scenario=two-hogs&switch=2").copied();
    EXPECT_EQ(link.rfind("#v=1&scenario=two-hogs&at=event", 0), 0u) << link;
    EXPECT_EQ(std::count(link.begin(), link.end(), '&'), 2) << link;
}

TEST(Link, DistinguishesTimeFromEvent) {
    Window window("#scenario=two-hogs&at=10ms");
    EXPECT_NE(window.copied().find("&at=10ms"), std::string::npos) << window.copied();
    window.app.control().navigator().step(sim::StepEventKind::tick, 1);
    EXPECT_NE(window.copied().find("&at=event%20"), std::string::npos) << window.copied();
    window.app.control().navigator().seek_beginning();
    EXPECT_NE(window.copied().find("&at=0ns"), std::string::npos) << window.copied();
}

TEST(Link, RestoresShownRange) {
    Window window("#scenario=two-hogs&at=200ms&show=150ms..300ms");
    const TimeRange asked{sim::Nanos{150'000'000}, sim::Nanos{300'000'000}};
    EXPECT_EQ(window.app.view().shown, asked);
    EXPECT_NE(window.copied().find("&show=150ms..300ms"), std::string::npos) << window.copied();
    window.app.control().history().pan(100);
    window.app.control().history().back();
    EXPECT_EQ(window.app.view().shown, asked) << "that is what one comes back to";
}

TEST(Link, RestoresLaboratoryRequest) {
    const std::string request =
        "&vary=/tasks/0/count%3D2..8%2A2&with=linux-2.0&with=nt4&until=20ms&measure=kernel-share&seeds=3";
    Window window("#scenario=yield-processes&panel=laboratory" + request);
    for (int run_frame = 0; run_frame < 4; ++run_frame) window.app.run_frame(1.0 / 60);
    const Laboratory& laboratory = *window.app.model().laboratory;
    EXPECT_EQ(laboratory.error(), "");
    ASSERT_TRUE(laboratory.has_sweep());
    EXPECT_EQ(laboratory.spec().runs(), 3u * 2 * 3);
    EXPECT_EQ(laboratory.axis().values, (std::vector<std::string>{"2", "4", "8"}));
    EXPECT_NE(window.copied().find("&panel=laboratory" + request), std::string::npos) << window.copied();
    window.app.show_pane_alone("");
    EXPECT_EQ(window.copied().find("&vary"), std::string::npos) << "of what is not seen nothing is said";

    Window bare("#scenario=yield-processes&vary=/tasks/0/count=2,4");
    EXPECT_EQ(bare.app.view().tab, Tab::laboratory);
    bare.app.run_frame(1.0 / 60);
    EXPECT_FALSE(bare.app.view().laboratory.policies.empty()) << "those that the laboratory proposes";
}

TEST(Link, ReplacesEarlierWindowLayout) {
    Window window("#scenario=two-hogs&switch=2&panel=decision&present&tab=costs");
    for (int times = 0; times < 2; ++times) {
        apply_link(window.app, parse_link("#scenario=two-hogs&switch=2&panel=decision&present&tab=costs"));
        EXPECT_EQ(window.app.view().alone, "decision");
        EXPECT_EQ(window.app.view().tab, Tab::costs);
        EXPECT_TRUE(window.app.view().presenting);
    }
    apply_link(window.app, parse_link("#scenario=two-hogs"));
    EXPECT_EQ(window.app.view().alone, "");
    EXPECT_EQ(window.app.view().tab, ViewState{}.tab);
    EXPECT_FALSE(window.app.view().presenting);
}

// The scenario of the link works like a built-in one, except where its file is needed.
TEST(Link, CarriesScenarioWithoutFile) {
    Window window(link_to_own());
    Control& control = window.app.control();
    const Model& model = window.app.model();
    ASSERT_TRUE(window.went) << model.error;
    EXPECT_EQ(model.scenario_name, "own");
    EXPECT_EQ(control.file(), "");
    EXPECT_EQ(proposed_file(control.source_text()), "own-mine.json");
    control.set_value("/tasks/0/count", "4");
    EXPECT_EQ(model.error, "");
    EXPECT_EQ(model.a->scenario().groups.front().count, 4u);
    control.undo();
    EXPECT_EQ(model.a->scenario().groups.front().count, 2u);
    control.reload();
    EXPECT_EQ(model.message.rfind("own came from a link: there is no file to reload.", 0), 0u)
        << model.message;
    show_tab(window.app.view(), Tab::laboratory);
    for (int run_frame = 0; run_frame < 4; ++run_frame) window.app.run_frame(1.0 / 60);
    EXPECT_EQ(model.laboratory->error(), "");
    EXPECT_TRUE(model.laboratory->has_sweep());
    control.set_value("/tasks/0/cuont", "4");
    EXPECT_NE(model.error.find("'cuont'"), std::string::npos) << model.error;
}

TEST(Link, ErrorInCarriedTextHasLocation) {
    sim::Link link;
    link.text = "{\n \"machine\": \"mine\"}";
    Window window(format_link(link));
    EXPECT_FALSE(window.went);
    EXPECT_NE(window.app.model().error.find("the link:2:13: /machine: unknown machine 'mine'"),
              std::string::npos)
        << window.app.model().error;
}

// Valid links with a few bytes changed, removed, inserted, duplicated or mixed with another link.
class LinkMutator {
  public:
    std::string damaged() {
        std::string link = kGood[draw(std::size(kGood))];
        if (draw(3) == 0) link = link_to_own(link);
        for (std::uint64_t n = 1 + draw(4); n > 0; --n) {
            const std::size_t at = draw(link.size() + 1);
            switch (draw(6)) {
                case 0:
                    if (at < link.size()) link[at] = static_cast<char>(draw(256));
                    break;
                case 1:
                    link.erase(at, draw(6));
                    break;
                case 2:
                    link.insert(at, kWords[draw(std::size(kWords))]);
                    break;
                case 3:
                    link.insert(at, link.substr(at, draw(20)));
                    break;
                case 4:
                    link.resize(at);
                    break;
                default:
                    link += "&" + std::string(kGood[draw(std::size(kGood))]).substr(1);
            }
        }
        return link;
    }

  private:
    std::size_t draw(std::size_t below) { return sim::random_below(random_, below); }

    static constexpr const char* kGood[] = {
        "#scenario=two-hogs&switch=5&panel=decision&theme=light",
        "#v=1&scenario=yield-processes&set=/tasks/0/count=7&compare=nt4&at=decision%2037&tab=costs",
        "#scenario=two-hogs&policy=sorted-queue:insert%3Dhead&at=12.5ms&show=0ms..20ms&present",
        "#scenario=pipe-alone&vary=/machine/hz%3D20,100&with=linux-2.0&until=20ms&seeds=2&tab=laboratory"};
    static constexpr const char* kWords[] = {"&",
                                             "=",
                                             "#",
                                             "%00",
                                             "%FF",
                                             "..",
                                             "9999999999999999999",
                                             "99999999",
                                             "-1",
                                             "/",
                                             "%2E%2E%2F",
                                             "1h",
                                             "set=",
                                             "&text=",
                                             "eF4",
                                             "linux-2.0:",
                                             "%1B[31m",
                                             "<b>",
                                             "switch 99999999",
                                             "/tasks=[]",
                                             "1e999"};

    std::uint64_t random_ = 2024;
};

TEST(Link, DamagedLinkKeepsWindowWorking) {
    Backend backend = Backend::headless({640, 480});
    App app(backend);
    const int links = kManyRounds ? 500 : 40;
    int went = 0;
    LinkMutator vandal;
    for (int i = 0; i < links; ++i) {
        const std::string link = vandal.damaged();
        SCOPED_TRACE(sim::printable(link));
        std::string words;
        try {
            if (apply_link(app, parse_link(link))) {
                ++went;
                if (i % 10 == 0) app.run_frame(1.0 / 60);
                continue;
            }
            words = app.model().error + app.model().message;
        } catch (const std::invalid_argument& problem) {
            words = problem.what();
        }
        EXPECT_FALSE(words.empty());
        EXPECT_EQ(words.find_first_of(std::string("\0\x1b\r\x7f", 4)), std::string::npos) << words;
        app.control().set_error({});
        app.control().say({});
    }
    EXPECT_GT(went, links / 20) << "some are as good as before";
    EXPECT_LT(went, links / 2);
    EXPECT_TRUE(apply_link(app, parse_link("#scenario=two-hogs&switch=2"))) << app.model().error;
}

// A link to a distant position does not block the window: the run, which is endless, is simulated between
// frames.
TEST(Link, DistantPositionDoesNotBlockWindow) {
    Backend backend = Backend::headless({640, 480});
    App app(backend);
    EXPECT_TRUE(
        apply_link(app, parse_link("#scenario=recalc-storm&set=/until=%2270h%22&switch=999999999999")));
    EXPECT_EQ(app.model().message.rfind("Simulating up to switch 999", 0), 0u) << app.model().message;
    EXPECT_FALSE(app.model().a->history().is_complete());
}

TEST(Link, OpensWindowAtPosition) {
    Backend backend = Backend::headless({800, 600});
    App app(backend);
    app.control().set_wait_without_limit(true);
    ASSERT_TRUE(apply_link(app, parse_link("#scenario=two-hogs&switch=2&theme=light&panel=decision")));
    app.run_frame(1.0 / 60);
    EXPECT_EQ(app.text().rfind("two-hogs ", 0), 0u) << app.text();
    EXPECT_NE(app.text().find("switch 2 /"), std::string::npos) << app.text();
    EXPECT_EQ(app.theme().name, "light");
    EXPECT_EQ(app.view().alone, "decision");
    EXPECT_FALSE(apply_link(app, parse_link("#scenario=nowhere")));
    EXPECT_NE(app.model().error.find("nowhere"), std::string::npos);
    EXPECT_FALSE(apply_link(app, parse_link("#set=nothing")));
    EXPECT_EQ(app.model().error, "--set nothing: expected POINTER=VALUE");
}

TEST(Link, UnknownMeasureIsReportedInLaboratory) {
    Window window("#scenario=two-hogs&panel=laboratory&vary=/machine/hz=10,100&measure=nonsense");
    for (int run_frame = 0; run_frame < 3; ++run_frame) window.app.run_frame(1.0 / 60);
    const std::string said = window.app.text();
    EXPECT_NE(said.find("unknown measure 'nonsense'"), std::string::npos) << said;
}

}  // namespace ui_link_test
}  // namespace ui
