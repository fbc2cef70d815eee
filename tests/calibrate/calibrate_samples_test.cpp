// Tests of sample files: round trip, and rejection of invalid files.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/base/problem.h"
#include "sim/calibrate/benchmarks.h"
#include "sim/calibrate/samples.h"

namespace calibrate_samples_test {

using namespace sim::calibrate;
using nlohmann::json;

std::string shipped_text() {
    std::ifstream file(SWITCHYARD_SOURCE_DIR "/tests/calibrate/xeon-linux-6.18.json");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(CalibrateSamples, FileRoundTrips) {
    const std::string text = shipped_text();
    const CalibrationSamples samples = parse_samples("samples", text);
    EXPECT_EQ(samples.benchmarks.size(), benchmarks().size());
    EXPECT_EQ(samples.facts.hz, 250u);
    EXPECT_EQ(samples_text(samples), text);
}

// Applies a change to the shipped file and returns the problems that the reader reports.
std::string problems_after_change(const std::function<void(json&)>& change) {
    json file = json::parse(shipped_text());
    change(file);
    try {
        parse_samples("s.json", file.dump());
    } catch (const sim::ScenarioError& error) {
        std::string all;
        for (const sim::Problem& problem : error.problems()) all += problem.text() + "\n";
        return all;
    }
    return "nothing";
}

TEST(CalibrateSamples, InvalidFileReportsPosition) {
    const auto lacks = [](const std::string& message, const std::function<void(json&)>& change) {
        const std::string problems = problems_after_change(change);
        EXPECT_NE(problems.find(message), std::string::npos) << message << "\n" << problems;
        EXPECT_TRUE(problems.starts_with("s.json:1:")) << problems;
    };
    lacks("expected \"switchyard-samples/1\"", [](json& f) { f["format"] = "switchyard-samples/2"; });
    lacks("\"format\": \"switchyard-samples/1\" is missing", [](json& f) { f.erase("format"); });
    lacks("/cells: \"yield-threads-8\" is missing", [](json& f) { f["cells"].erase("yield-threads-8"); });
    lacks("did you mean 'futex'", [](json& f) { f["cells"]["futx"] = f["cells"]["futex"]; });
    lacks("/cells/thread/ns/0: 0 is not between 0.1", [](json& f) { f["cells"]["thread"]["ns"][0] = 0; });
    lacks("/cells/thread/ns/1: ", [](json& f) { f["cells"]["thread"]["ns"][1] = "fast"; });
    lacks("/cells/thread/others/0: 2 is not", [](json& f) { f["cells"]["thread"]["others"][0] = 2; });
    lacks("expected an array of numbers", [](json& f) { f["cells"]["syscall"]["ns"] = 5; });
    lacks("must have one number for each batch", [](json& f) { f["cells"]["syscall"]["ns"].push_back(100); });
    lacks("batches, got 0", [](json& f) {
        f["cells"]["fork-0K"] = {
            {"ns", json::array()}, {"switches", json::array()}, {"others", json::array()}};
    });
    lacks("/machine/hz", [](json& f) { f["machine"]["hz"] = 0; });
    lacks("/machine: \"kernel\" is missing", [](json& f) { f["machine"].erase("kernel"); });
    lacks("an object", [](json& f) { f = json::array(); });
}

}  // namespace calibrate_samples_test
