#include "tests/faults/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace faults {
namespace {

// Returns the first line of a source file, with its newline.
std::string first_line(const std::string& path) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/" + path);
    std::string line;
    std::getline(in, line);
    return line + "\n";
}

std::string whole(const std::string& path) {
    std::ifstream in(SWITCHYARD_SOURCE_DIR "/" + path);
    return {std::istreambuf_iterator<char>(in), {}};
}

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Words switchyard(const Words& words) { return with({SWITCHYARD_FAULTY}, words); }

const Words kSweep = switchyard({"sweep", "two-hogs", "--vary", "/machine/hz=100,200", "--seeds", "2",
                                 "--until", "50ms", "--results", "r.jsonl"});
const std::string kRoster = "id,name\ns1,Ann\ns2,Ben\n";

// Runs a command and returns the files that exist afterwards. REQUIRES: the command succeeds.
Files files_after_command(Workspace& workspace, const Words& words, const Files& files = {},
                          const std::string& input = {}) {
    const Finished done = workspace.run({"", words, input, files}, files, {});
    if (done.exit_code != 0) throw std::runtime_error(fmt::format("{}: {}", fmt::join(words, " "), done.err));
    return done.files;
}

// Returns the results file of a sweep that was killed while it was writing the third row.
Files truncate_third_row(Files results) {
    std::string& bytes = results.at("r.jsonl");
    std::size_t end = 0;
    for (int lines = 0; lines < 3; ++lines) end = bytes.find('\n', end) + 1;
    bytes.resize(end + 40);
    return results;
}

std::vector<Command> sweeps(Workspace& workspace) {
    const Files whole = files_after_command(workspace, kSweep);
    Files shards;
    for (const char* shard : {"1/2", "2/2"}) {
        Words words = with(kSweep, {"--shard", shard});
        *std::find(words.begin(), words.end(), "r.jsonl") = fmt::format("{}.jsonl", shard[0]);
        shards.merge(files_after_command(workspace, words));
    }
    return {
        {"sweep --results", with(kSweep, {"--jobs", "2", "--output", "table.txt"}), "", {}, {}, {"r.jsonl"}},
        {"sweep --results, again",
         with(kSweep, {"--jobs", "1"}),
         "",
         truncate_third_row(whole),
         {},
         {"r.jsonl"}},
        {"sweep, two policies",
         switchyard({"sweep", "two-hogs", "--vary", "/tasks/0/count=2,3", "--policy", "linux-2.0", "--policy",
                     "sorted-queue", "--until", "50ms", "--refine", "--format", "json", "--jobs", "2"})},
        {"sweep --results-from",
         switchyard({"sweep", "--results-from", "r.jsonl", "--format", "csv", "--output", "r.csv"}), "",
         whole},
        {"sweep --merge", switchyard({"sweep", "--merge", "1.jsonl", "2.jsonl", "--results", "all.jsonl"}),
         "", shards},
        {"sweep --slurm", with(kSweep, {"--slurm", "job.sh", "--shards", "2"}), "", {}},
        {"figure sweep", switchyard({"figure", "sweep", "r.jsonl", "--output", "r.svg"}), "", whole},
    };
}

std::vector<Command> quizzes(Workspace& workspace) {
    const Files folder = files_after_command(
        workspace, switchyard({"quiz", "--class", "roster.csv", "--output", "monday", "--count", "2"}),
        {{"roster.csv", kRoster}});
    const Files kept{{"kept.json", "{}\n"}};
    const Words asked = switchyard({"quiz", "who-runs-next", "--count", "2"});
    const Words saved = with(asked, {"--save-answers", "kept.json"});
    // Each answer is saved as soon as it is entered.
    std::vector<Files> stages;
    for (const char* answers : {"", "a\n"})
        stages.push_back(files_after_command(workspace, saved, kept, answers));
    return {
        {"quiz --class",
         switchyard({"quiz", "--class", "roster.csv", "--output", "monday", "--count", "2"}),
         "",
         {{"roster.csv", kRoster}}},
        {"quiz --grade, a class", switchyard({"quiz", "--grade", "monday", "--output", "marks.txt"}), "",
         folder},
        {"quiz --grade", switchyard({"quiz", "--grade", "-"}), folder.at("monday/answers/s1.json")},
        {"quiz --save-answers", saved, "a\nx\nb\n", kept, stages},
        {"quiz --format moodle", with(asked, {"--format", "moodle", "--output", "quiz.xml"}), "", {}},
    };
}

std::vector<Command> others(Workspace& workspace) {
    const Files mine =
        files_after_command(workspace, switchyard({"save", "two-hogs", "--output", "mine.json"}));
    const Files recorded{{"one.jsonl", first_line("tests/decisions/linux-2.0.jsonl")}};
    const Files homework{
        {"rr.lua", "function enqueue(p) ready:add_last(p) end\nfunction tick(p) return true end\n"},
        {"tests.json",
         R"({"format": "switchyard-grade/1",
             "scenarios": {"two": {"format": "switchyard-scenario/1", "machine": "ideal", "tasks": [
                 {"name": "A", "count": 2, "program": [{"run": "3ms"}]}]}},
             "tests": [{"name": "one", "agrees_with": "rr:quantum=1", "scenarios": ["two"]}]})"}};
    const std::string events = "task A\ntask B\nstart\nyield\ntick 3\nshow\n";
    return {
        {"run", switchyard({"run", "mine.json", "--until", "500ms", "--output", "run.txt"}), "", mine},
        {"run --view",
         switchyard({"run", "-", "--until", "500ms", "--view", "vmstat", "--interval", "100ms"}),
         mine.at("mine.json")},
        {"compare",
         switchyard({"compare", "mine.json", "--policy", "linux-2.0", "--policy", "round-robin", "--until",
                     "300ms", "--output", "two.txt"}),
         "", mine},
        {"step", switchyard({"step", "--output", "steps.txt"}), events},
        {"verify", switchyard({"verify", "one.jsonl", "--output", "verified.txt"}), "", recorded},
        {"new", switchyard({"new", "policy", "mine"}), "", {}},
        {"grade", switchyard({"grade", "rr.lua", "--tests", "tests.json", "--output", "graded.txt"}), "",
         homework},
        {"grade, two scripts",
         switchyard({"grade", "rr.lua", "rr.lua", "--tests", "tests.json", "--jobs", "2", "--format", "csv"}),
         "", homework},
        {"reproduce --picture",
         switchyard({"reproduce", "gooch-1998", "--picture", "table.svg", "--output", "table.txt"}),
         "",
         {}},
        {"figure costs",
         switchyard({"figure", "costs", "mine.json", "--until", "500ms", "--output", "costs.svg"}), "", mine},
        {"figure histogram, PNG",
         switchyard({"figure", "histogram", "mine.json", "--until", "300ms", "--size", "480x300", "--output",
                     "histogram.png"}),
         "", mine},
        {"check", switchyard({"check", "mine.json", "--output", "checked.txt"}), "", mine},
        {"save", switchyard({"save", "mine.json", "--seed", "7", "--output", "mine.json"}), "", mine},
        {"export, trace.dat",
         switchyard(
             {"export", "token-pipe", "--until", "500us", "--format", "trace.dat", "--output", "run.dat"}),
         "",
         {}},
        {"export, perf.data",
         switchyard(
             {"export", "token-pipe", "--until", "500us", "--format", "perf.data", "--output", "run.data"}),
         "",
         {}},
        {"link", switchyard({"link", "mine.json", "--output", "link.txt"}), "", mine},
        {"lesson", switchyard({"lesson", "1", "--output", "lesson.md"}), "", {}},
        {"list", switchyard({"list", "scenarios", "--format", "json", "--output", "list.json"}), "", {}},
        {"tour", switchyard({"tour", "yield-processes", "--output", "tour.txt"}), "", {}},
        {"explain", switchyard({"explain", "lazy-tlb", "--switch", "3", "--output", "switch.txt"}), "", {}},
        {"--help", switchyard({"sweep", "--help"}), "", {}},
    };
}

// Commands that read traces or measurements of real machines.
std::vector<Command> recordings(Workspace& workspace) {
    const Files run = files_after_command(
        workspace, switchyard({"export", "two-hogs", "--until", "500ms", "--output", "run.txt", "--quiet"}));
    const Files compressed = files_after_command(workspace, {"/bin/gzip", "run.txt"}, run);
    const Files samples{{"samples.json", whole("tests/calibrate/xeon-linux-6.18.json")}};
    return {
        {"import", switchyard({"import", "run.txt", "--output", "mine.json"}), "", run},
        {"import, compressed", switchyard({"import", "run.txt.gz", "--output", "mine.json"}), "", compressed},
        {"compare, a recording",
         switchyard({"compare", "run.txt", "--policy", "linux-6.6", "--output", "two.txt"}), "", run},
        {.name = "calibrate --samples",
         .words = switchyard({"calibrate", "--samples", "samples.json", "--save-machine", "mine.json",
                              "--output", "table.txt"}),
         .files = samples,
         .is_long = true},
    };
}

#ifdef SWITCHYARD_UI_BINARY
std::vector<Command> windows() {
    const Words window{SWITCHYARD_UI_BINARY, "--headless", "two-hogs", "--size", "320x200"};
    const auto command = [&](const char* name, const Words& words, const Files& files) {
        return Command{.name = name, .words = with(window, words), .files = files, .draws = true};
    };
    return {
        command("switchyard-ui --screenshot", {"--screenshot", "window.png"}, {}),
        command("switchyard-ui --script", {"--script", "window.script"},
                {{"window.script", "wait 2\nkey Right\nprint\n"}}),
        command("switchyard-ui --film",
                {"--quiet", "--film", "film/", "--from", "0ms", "--to", "20ms", "--speed", "100ms", "--fps",
                 "10"},
                {}),
    };
}
#endif

}  // namespace

std::vector<Command> commands(Workspace& workspace) {
    std::vector<Command> all = others(workspace);
    for (const std::vector<Command>& more : {recordings(workspace), sweeps(workspace), quizzes(workspace)})
        all.insert(all.end(), more.begin(), more.end());
#ifdef SWITCHYARD_UI_BINARY
    for (const Command& more : windows()) all.push_back(more);
#endif
    return all;
}

}  // namespace faults
