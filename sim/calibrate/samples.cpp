#include "sim/calibrate/samples.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/base/units.h"
#include "sim/calibrate/benchmarks.h"
#include "sim/scenario/fields.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::calibrate {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "switchyard-samples/1";
constexpr std::size_t kFewest = 5, kMostBatches = 20'000;

// Reads an array with a number for each batch.
void read_numbers(const JsonValue& value, double minimum, double maximum, Problems& problems,
                  std::vector<double>& numbers) {
    if (!value.is_array()) {
        problems.add(value, "expected an array of numbers, got " + text_in_message(value));
        return;
    }
    ValueReader values(problems);
    for (const JsonValue* const element : value.children()) {
        const std::size_t before = problems.count();
        const double number = values.number(*element);
        if (problems.count() == before && !(number >= minimum && number <= maximum))
            problems.add(*element, fmt::format("{} is not between {} and {}", text_in_message(*element),
                                               minimum, maximum));
        numbers.push_back(number);
    }
}

void read_benchmark(const JsonValue& value, Problems& problems, BenchmarkSamples& benchmark) {
    const auto ns = [&](const JsonValue& v) { read_numbers(v, 0.1, 1e10, problems, benchmark.ns); };
    const auto switches = [&](const JsonValue& v) { read_numbers(v, 0, 1e6, problems, benchmark.switches); };
    const auto others = [&](const JsonValue& v) { read_numbers(v, 0, 1, problems, benchmark.others); };
    const ValueReader::ObjectReadResult read =
        ValueReader(problems).object(value, {{"ns", ns, "\"ns\" is missing"},
                                             {"switches", switches, "\"switches\" is missing"},
                                             {"others", others, "\"others\" is missing"}});
    if (!read.members_good) return;
    if (benchmark.ns.size() != benchmark.switches.size() || benchmark.ns.size() != benchmark.others.size())
        problems.add(
            value,
            fmt::format("ns, switches and others must have one number for each batch, but have {}, {} and {}",
                        benchmark.ns.size(), benchmark.switches.size(), benchmark.others.size()));
    else if (benchmark.ns.size() < kFewest || benchmark.ns.size() > kMostBatches)
        problems.add(value, fmt::format("expected {} to {} batches, got {}", kFewest, kMostBatches,
                                        benchmark.ns.size()));
}

void read_facts(const JsonValue& value, Problems& problems, MachineFacts& facts) {
    ValueReader values(problems);
    constexpr std::uint32_t kMostCache = 1 << 30;
    const auto kernel = [&](const JsonValue& v) { facts.kernel = values.single_line(v, 64); };
    const auto architecture = [&](const JsonValue& v) { facts.architecture = values.single_line(v, 64); };
    const auto processor = [&](const JsonValue& v) { facts.processor = values.single_line(v, 200); };
    const auto cpus = [&](const JsonValue& v) { facts.cpus = values.count(v, 1, 1 << 20); };
    const auto hz = [&](const JsonValue& v) { facts.hz = values.count(v, 1, 10'000); };
    const auto l1d = [&](const JsonValue& v) { facts.l1d = values.count(v, 0, kMostCache); };
    const auto l2 = [&](const JsonValue& v) { facts.l2 = values.count(v, 0, kMostCache); };
    const auto line = [&](const JsonValue& v) { facts.line = values.count(v, 0, 4096); };
    values.object(value, {{"kernel", kernel, "\"kernel\" is missing"},
                          {"architecture", architecture},
                          {"processor", processor},
                          {"cpus", cpus},
                          {"hz", hz},
                          {"l1d", l1d},
                          {"l2", l2},
                          {"line", line}});
}

}  // namespace

std::string samples_text(const CalibrationSamples& samples) {
    const MachineFacts& f = samples.facts;
    const ordered_json facts{{"kernel", f.kernel},
                             {"architecture", f.architecture},
                             {"processor", f.processor},
                             {"cpus", f.cpus},
                             {"hz", f.hz},
                             {"l1d", f.l1d},
                             {"l2", f.l2},
                             {"line", f.line}};
    std::string text = fmt::format("{{\n  \"format\": \"{}\",\n  \"machine\": {},\n  \"cells\": {{", kFormat,
                                   json_text(facts));
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
        const BenchmarkSamples& c = samples.benchmarks[i];
        text += fmt::format(
            "{}\n    \"{}\": {{\n      \"ns\": {},\n      \"switches\": {},\n      \"others\": {}\n    }}",
            i == 0 ? "" : ",", benchmarks()[i].name, json_text(ordered_json(c.ns)),
            json_text(ordered_json(c.switches)), json_text(ordered_json(c.others)));
    }
    return text + "\n  }\n}\n";
}

CalibrationSamples parse_samples(const std::string& file, std::string text) {
    const JsonTree tree(file, std::move(text));
    Problems problems(tree);
    CalibrationSamples samples;
    samples.benchmarks.resize(benchmarks().size());
    const JsonValue* format = nullptr;
    const auto machine = [&](const JsonValue& v) { read_facts(v, problems, samples.facts); };
    const auto read_benchmarks = [&](const JsonValue& v) {
        std::vector<std::string> missing;
        std::vector<std::function<void(const JsonValue&)>> readers;
        for (std::size_t i = 0; i < benchmarks().size(); ++i) {
            missing.push_back(fmt::format("\"{}\" is missing", benchmarks()[i].name));
            readers.emplace_back([&problems, &benchmark = samples.benchmarks[i]](const JsonValue& c) {
                read_benchmark(c, problems, benchmark);
            });
        }
        std::vector<Field> fields;
        for (std::size_t i = 0; i < benchmarks().size(); ++i)
            fields.emplace_back(benchmarks()[i].name, readers[i], missing[i].c_str());
        ValueReader(problems).object(v, fields);
    };
    const bool is_object = static_cast<bool>(
        ValueReader(problems).object(tree.root(), {{"format", format},
                                                   {"machine", machine, "\"machine\" is missing"},
                                                   {"cells", read_benchmarks, "\"cells\" is missing"}}));
    if (is_object && format == nullptr)
        problems.add(tree.root(), fmt::format("\"format\": \"{}\" is missing", kFormat));
    else if (is_object && !format->equals(kFormat))
        problems.add(*format, fmt::format("expected \"{}\", got {}", kFormat, text_in_message(*format)));
    problems.throw_if_any();
    return samples;
}

}  // namespace sim::calibrate
