// Old names of keys: each old name is read like the new name, with one notice; the schema lists both names.
#include "sim/scenario/renamed_keys.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/scenario.h"
#include "sim/scenario/scenario_edit.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/command_line.h"
#include "tests/support/scratch_folder.h"

namespace sim {
namespace renamed_keys_test {

using nlohmann::json;

// A scenario with every key that has been renamed. It has two tour stops, so that their keys occur twice.
const std::string kCurrent = R"({
    "format": "switchyard-scenario/1", "until": "10ms", "hint": "here",
    "machine": {"costs": {"steal_time": "3us"}, "tlb": {"entries": 64, "tagged": true, "asids": 6},
                "cache": {"size": "16KiB", "line": "32B", "prefetched_refill": "9ns"}},
    "devices": {"disk": {"service_time": "1ms", "servers": 2}},
    "tasks": [{"name": "a", "program": [{"io": "disk"}]}],
    "provenance": {"/devices/disk/service_time": "assumed: x"},
    "tour": [{"at": "1ms", "caption": "one", "depth": "inside", "time_range": "2ms"},
             {"at": "2ms", "caption": "two", "depth": "switch", "time_range": "3ms"}]})";

std::string quoted(std::string_view key) { return fmt::format("\"{}\":", key); }

// Returns the text with the old name of this key.
std::string with_old_name(std::string text, const RenamedKey& key) {
    const std::string now = quoted(key.now), old = quoted(key.old);
    for (std::size_t at = text.find(now); at != std::string::npos; at = text.find(now, at + old.size()))
        text.replace(at, now.size(), old);
    return text;
}

std::string with_old_names(std::string text) {
    for (const RenamedKey& key : kRenamedKeys) text = with_old_name(std::move(text), key);
    return text;
}

// Returns the position of the first occurrence of this key, as "t.json:LINE:COLUMN".
std::string place_of(const std::string& text, std::string_view key) {
    const auto at = static_cast<std::ptrdiff_t>(text.find(quoted(key)));
    const std::string before(text.begin(), text.begin() + at);
    const std::size_t line_start = before.rfind('\n') + 1;
    return fmt::format("t.json:{}:{}", 1 + std::count(before.begin(), before.end(), '\n'),
                       before.size() - line_start + 1);
}

// Formats the values that are set by the renamed keys and their neighbours.
std::string described(const Scenario& s) {
    const CostModel& costs = s.machine.costs;
    std::string text =
        fmt::format("{}; steal {}, ASIDs {}, prefetched {} {}\n", s.hint, costs.steal.time.count(),
                    costs.tlb.slots, costs.cache.stream.time.count(), costs.cache.stream.source);
    for (const ChannelSpec& c : s.channels) text += fmt::format("{}: {}\n", c.name, c.capacity);
    for (const TimeDistribution& d : s.durations) text += fmt::format("duration {}\n", d.a.count());
    for (const ProvenanceEntry& n : s.provenance)
        text += fmt::format("{}: {} {}\n", n.pointer, n.basis, n.reason);
    for (const TourStop& stop : s.tour)
        text += fmt::format("{}: {} {}\n", stop.caption, static_cast<int>(stop.depth), stop.span.count());
    return text;
}

struct Read {
    std::string scenario;
    MachineSpec machine;
    Words notices;
};

Read read(const std::string& text, const Words& sets = {}, const std::string& folder = {}) {
    std::vector<Problem> notices;
    const Scenario scenario = parse_scenario("t.json", text, sets, folder, &notices);
    Read result{described(scenario), scenario.machine, {}};
    for (const Problem& notice : notices) result.notices.push_back(notice.text());
    return result;
}

Words problems_of(const std::string& text) {
    try {
        (void)read(text);
    } catch (const ScenarioError& error) {
        Words lines;
        for (const Problem& problem : error.problems()) lines.push_back(problem.text());
        return lines;
    }
    return {};
}

TEST(RenamedKeys, CurrentNamesGiveNoNotice) { EXPECT_EQ(read(kCurrent).notices, Words{}); }

TEST(RenamedKeys, OldNameIsReadWithOneNotice) {
    const Read current = read(kCurrent);
    for (const RenamedKey& key : kRenamedKeys) {
        const std::string text = with_old_name(kCurrent, key);
        ASSERT_NE(text, kCurrent) << key.now;
        const Read old = read(text);
        EXPECT_EQ(old.scenario, current.scenario);
        EXPECT_EQ(old.machine, current.machine);
        EXPECT_EQ(old.notices,
                  Words{fmt::format("{}: \"{}\" is now \"{}\"", place_of(text, key.old), key.old, key.now)});
    }
    const Read all = read(with_old_names(kCurrent));
    EXPECT_EQ(all.scenario, current.scenario);
    EXPECT_EQ(all.machine, current.machine);
    EXPECT_EQ(all.notices.size(), kRenamedKeys.size());
}

TEST(RenamedKeys, ObjectWithBothNamesIsRefused) {
    for (const RenamedKey& key : kRenamedKeys) {
        std::string text = kCurrent;
        text.insert(text.find(quoted(key.now)), fmt::format("\"{}\": 1, ", key.old));
        const Words problems = problems_of(text);
        ASSERT_EQ(problems.size(), 1u) << key.old;
        EXPECT_TRUE(problems[0].starts_with(place_of(text, key.old) + ": /")) << problems[0];
        EXPECT_TRUE(problems[0].ends_with(
            fmt::format("/{}: specify \"{}\" or its old name \"{}\", not both", key.old, key.now, key.old)))
            << problems[0];
    }
}

TEST(RenamedKeys, ProblemNamesTheKeyOfTheFile) {
    std::string text = with_old_names(kCurrent);
    text.replace(text.find("\"slots\": 6"), 10, "\"slots\": -6");
    const Words problems = problems_of(text);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_NE(problems[0].find(": /machine/tlb/slots: -6 is out of range"), std::string::npos) << problems[0];
}

TEST(RenamedKeys, SetAcceptsBothNames) {
    const std::vector<std::pair<std::string, std::string>> sets{
        {"/watch=there", "/hint=there"},
        {"/numbers/~1until=chosen: y", "/provenance/~1until=chosen: y"},
        {"/tour/1/look=time", "/tour/1/depth=time"},
        {"/tour/0/span=7ms", "/tour/0/time_range=7ms"},
        {"/devices/disk/service=7ms", "/devices/disk/service_time=7ms"},
        {"devices/disk/at_once=7", "devices/disk/servers=7"},
        {"/machine/costs/steal=7us", "/machine/costs/steal_time=7us"},
        {"/machine/tlb/slots=7", "/machine/tlb/asids=7"},
        {"/machine/cache/stream=7ns", "/machine/cache/prefetched_refill=7ns"}};
    ASSERT_EQ(sets.size(), kRenamedKeys.size());
    const std::string old_text = with_old_names(kCurrent);
    for (const auto& [old, now] : sets) {
        const Read expected = read(kCurrent, {now});
        EXPECT_NE(expected.scenario, read(kCurrent).scenario) << now;
        EXPECT_EQ(expected.notices, Words{});
        const Read of_old_name = read(kCurrent, {old});
        EXPECT_EQ(of_old_name.scenario, expected.scenario) << old;
        ASSERT_EQ(of_old_name.notices.size(), 1u) << old;
        EXPECT_TRUE(of_old_name.notices[0].starts_with("--set " + old + ": \"")) << of_old_name.notices[0];
        for (const std::string& set : {old, now}) {
            const Read of_old_file = read(old_text, {set});
            EXPECT_EQ(of_old_file.scenario, expected.scenario) << set;
            EXPECT_EQ(of_old_file.notices.size(), kRenamedKeys.size()) << set;
        }
    }
    EXPECT_EQ(read(kCurrent, {R"(/devices/disk={"service": "7ms"})"}).scenario,
              read(kCurrent, {R"(/devices/disk={"service_time": "7ms"})"}).scenario);
}

TEST(RenamedKeys, ProvenancePointerAcceptsOldName) {
    std::string text = kCurrent;
    const std::string pointer = "/devices/disk/service_time";
    text.replace(text.find(pointer), pointer.size(), "/devices/disk/service");
    const Read old = read(text);
    EXPECT_EQ(old.scenario, read(kCurrent).scenario);
    ASSERT_EQ(old.notices.size(), 1u);
    EXPECT_TRUE(old.notices[0].ends_with("\"service\" is now \"service_time\"")) << old.notices[0];
}

TEST(RenamedKeys, OldNamesAreReadInMachineFiles) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder / "machines");
    const std::string file = folder.write("machines/mine.json", R"({"format": "switchyard-machine/1",
  "costs": {"steal": "3us"}, "tlb": {"entries": 64, "tagged": true, "slots": 6}})");
    const Read result = read(R"({"format": "switchyard-scenario/1", "machine": "mine", "tasks": []})", {},
                             folder.path().string());
    EXPECT_EQ(result.machine.costs.steal.time, 3us);
    EXPECT_EQ(result.machine.costs.tlb.slots, 6u);
    EXPECT_EQ(result.notices, (Words{file + ":2:13: \"steal\" is now \"steal_time\"",
                                     file + ":2:69: \"slots\" is now \"asids\""}));
}

TEST(RenamedKeys, SavedTextKeepsTheNamesOfTheFile) {
    const std::string old_text = with_old_names(kCurrent);
    const auto saved = [&](const std::string& set) {
        return text_with_changes({"t.json", old_text, {}}, std::vector<std::string>{set});
    };
    for (const char* set : {"/machine/tlb/asids=4", "/machine/tlb/slots=4"}) {
        std::string expected = old_text;
        expected.replace(expected.find("\"slots\": 6"), 10, "\"slots\": 4");
        EXPECT_EQ(saved(set), expected) << set;
    }
    const std::string slower = saved("/devices/disk/service=2ms");
    EXPECT_EQ(slower, saved("/devices/disk/service_time=2ms"));
    EXPECT_NE(slower.find("\"service\": \"2ms\""), std::string::npos) << slower;
    EXPECT_NE(slower.find("\"/devices/disk/service_time\": \"chosen: the original value was 1ms\""),
              std::string::npos)
        << slower;
}

TEST(RenamedKeys, SchemaContainsBothNames) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/scenarios/schema.json");
    const json defs = json::parse(in).at("$defs");
    const std::map<std::string_view, const char*> of_object{
        {"", "scenario"},         {"/tour/*", "stop"},
        {"/devices/*", "device"}, {"/machine/costs", "costs"},
        {"/machine/tlb", "tlb"},  {"/machine/cache", "cache"}};
    std::size_t deprecated = 0;
    for (const json& def : defs) {
        const json properties = def.value("properties", json::object());
        for (const json& property : properties) deprecated += property.value("deprecated", false) ? 1 : 0;
    }
    EXPECT_EQ(deprecated, kRenamedKeys.size());
    for (const RenamedKey& key : kRenamedKeys) {
        const json& properties = defs.at(of_object.at(key.object)).at("properties");
        json old = properties.at(std::string(key.old)), now = properties.at(std::string(key.now));
        EXPECT_TRUE(old.value("deprecated", false)) << key.old;
        EXPECT_EQ(old.at("description"), fmt::format("The old name of {}.", key.now));
        for (const char* note : {"description", "deprecated"}) {
            old.erase(note);
            now.erase(note);
        }
        EXPECT_EQ(old, now) << "another value";
    }
}

class OldKeysCommand : public CommandLine {};

TEST_F(OldKeysCommand, PrintsNoticesOnStandardError) {
    write_file(folder() / "t.json", with_old_name(kCurrent, kRenamedKeys[0]));
    const std::string notice = "t.json:2:57: \"watch\" is now \"hint\"\n";
    for (const char* command : {"check", "run"}) {
        const Finished loud = switchyard({command, "t.json"}),
                       quiet = switchyard({command, "t.json", "--quiet"});
        EXPECT_EQ(loud.exit_code, 0) << loud;
        EXPECT_EQ(loud.err, notice);
        EXPECT_EQ(quiet.err, "");
    }
    EXPECT_EQ(switchyard({"compare", "t.json", "--policy", "linux-2.0", "--policy", "linux-2.2"}).err,
              notice);
}

}  // namespace renamed_keys_test
}  // namespace sim
