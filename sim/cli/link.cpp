// `switchyard link`: makes and reads links to a position in a run, for the window and its web page.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "sim/base/seek_target.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/scenario_input.h"
#include "sim/lab/measure.h"
#include "sim/lab/sweep_spec.h"
#include "sim/lab/values.h"
#include "sim/link/link.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_parser.h"

namespace sim::cli {
namespace {

struct LinkOptions {
    Link link;
    std::string range, base_url, size, decoded, output;
    bool inline_scenario = false, embed = false;
};

// --- making a link ---

// Parses "800x600", which is also the default.
std::pair<int, int> parse_frame_size(const std::string& text) {
    std::pair<int, int> size{800, 600};
    if (text.empty()) return size;
    const char* const end = text.data() + text.size();
    const auto [x, bad_width] = std::from_chars(text.data(), end, size.first);
    const bool crossed = bad_width == std::errc{} && x != end && *x == 'x';
    const auto [rest, bad_height] = std::from_chars(crossed ? x + 1 : end, end, size.second);
    const auto fits = [](int pixels) { return 100 <= pixels && pixels <= 10'000; };
    if (bad_height != std::errc{} || rest != end || !fits(size.first) || !fits(size.second))
        throw UsageError(fmt::format(
            "--embed {}: expected a size such as 800x600, each from 100 to 10000; put the scenario "
            "before --embed",
            shorten(text)));
    return size;
}

// Checks position and address without running the scenario.
void check_link_options(const LinkOptions& o) {
    std::string why;
    if (!o.link.at.empty() && !parse_seek_target(o.link.at, why))
        throw UsageError(fmt::format("--at {}: {}", shorten(o.link.at), why));
    if (o.base_url.find('#') != std::string::npos)
        throw UsageError("--base-url: expected the page's address without '#' and the part after it");
    if (!is_safe_to_show(o.base_url) || o.base_url.find(' ') != std::string::npos)
        throw UsageError("--base-url: an address must not contain spaces or control characters");
    if (o.embed && o.base_url.empty())
        throw UsageError("--embed needs the page's address: --base-url https://example.org/switchyard/");
}

// Checks the options for the laboratory (the window's pane for sweeps): the time, the measure, and the values
// of --vary.
void check_laboratory(const Link& link, const ScenarioText& scenario) {
    if (link.vary.empty()) return;
    lab::SweepRequest request{link.sets, {link.vary}, link.with, {}};
    if (!link.until.empty()) request.sets.push_back("/until=" + link.until);
    std::string why;
    if (!link.until.empty() && !parse_time(link.until, why))
        throw UsageError(fmt::format("--until {}: {}", shorten(link.until), why));
    try {
        if (!link.measure.empty()) lab::find_measure(link.measure);
    } catch (const lab::LabError& error) {
        throw UsageError(fmt::format("--measure {}: {}", shorten(link.measure), error.what()));
    }
    const lab::Sweep sweep(scenario, request);
    if (!lab::numbers_of(sweep.spec().axes.front().values))
        throw UsageError(
            fmt::format("--vary {}: curves need numeric values of the same kind", shorten(link.vary)));
}

// Checks everything that the link refers to, then returns the link.
std::string create_link(const LinkOptions& o) {
    check_link_options(o);
    Link link = o.link;
    std::string why;
    if (!o.range.empty() && !(link.show = parse_link_time_range(o.range, why)))
        throw UsageError(fmt::format("--range {}: {}", shorten(o.range), why));
    const ScenarioText source = read_scenario(link.scenario);
    std::vector<Problem> notices;
    const Scenario scenario = parse_scenario(source, link.sets, &notices);
    CommonOptions{}.print_notices(notices);
    if (!link.vary.empty()) CommonOptions{}.print_vary_notices({link.vary});
    for (const std::string& policy : {link.policy, link.compare})
        if (!policy.empty()) make_policy(policy, scenario.cpus);
    for (const std::string& policy : link.with) make_policy(policy, scenario.cpus);
    check_laboratory(link, source);
    const bool is_builtin = source.folder.empty() && find_builtin_file(source.file) != nullptr;
    if (o.inline_scenario || !is_builtin) {
        if (!can_embed_text()) throw UsageError(fmt::format("{}: {}", source.file, no_embedding_reason()));
        embed_scenario(link, source);
    }
    std::string words = format_link(link);
    if (words.size() > kLongestLink)
        throw UsageError(
            fmt::format("{}: its link would be longer than {} KiB", source.file, kLongestLink >> 10));
    if (words.size() > kLongestSafeLink)
        print_diagnostic(fmt::format(
            "switchyard: the link has {} characters; some programs truncate links of more than {}",
            words.size(), kLongestSafeLink));
    return words;
}

int make(const LinkOptions& o) {
    const auto [width, height] = parse_frame_size(o.size);
    const std::string address = o.base_url + create_link(o);
    write_output_text(o.embed
                          ? fmt::format("<iframe src=\"{}\" width=\"{}\" height=\"{}\" title=\"Switchyard\" "
                                        "allow=\"fullscreen; clipboard-write\"></iframe>\n",
                                        escape_for_markup(address), width, height)
                          : address + "\n",
                      o.output);
    return kDone;
}

// --- reading a link ---

int read(const LinkOptions& o) {
    Link link;
    try {
        link = parse_link(o.decoded);
    } catch (const std::invalid_argument& problem) {
        throw UsageError(problem.what());
    }
    if (!o.output.empty()) {
        if (link.text.empty())
            throw UsageError(fmt::format("--output {}: the link contains no scenario; it only names {}",
                                         o.output, printable(link.scenario)));
        check_size_and_characters(o.output, link.text);
        write_output_bytes(link.text, o.output);
        return kDone;
    }
    std::string lines;
    for (const LinkParameter& word : link_parameters(link))
        lines += word.value.empty() ? word.name + "\n"
                                    : fmt::format("{:<9} {}\n", word.name, printable(word.value));
    if (!link.text.empty())
        lines += fmt::format("{:<9} {} bytes; write them with --output FILE\n", "text",
                             group_digits(link.text.size()));
    write_output_text(lines, {});
    return kDone;
}

void add_position_options(Command& command, LinkOptions& o) {
    Link& link = o.link;
    command.add_option("SCENARIO", link.scenario, "a file, '-', or a name from `switchyard list scenarios`")
        .type_name("")
        .show_default();
    command.add_repeatable(
        "--set", link.sets, "POINTER=VALUE",
        "change a value of the scenario; repeatable (POINTER is a JSON pointer: /tasks/0/count)");
    command.add_option("--policy", link.policy, "use this policy instead of the scenario's")
        .type_name("POLICY");
    command.add_option("--compare", link.compare, "show a second run under this policy").type_name("POLICY");
    Option& at =
        command.add_option("--at", link.at, "position: a time (12.5ms), or a decision (`decision 37`)")
            .type_name("TIME");
    command.add_option("--switch", link.switch_number, "position right after this switch, counted from 1")
        .type_name("N")
        .check(positive_integer())
        .excludes(at);
    command.add_option("--range", o.range, "time range that the timeline shows, such as 0ms..1.1ms")
        .type_name("TIME..TIME");
    const auto all = [](const auto& names) {
        return one_of(std::vector<std::string>(std::begin(names), std::end(names)));
    };
    command.add_option("--pane", link.panel, "show only this pane").check(all(kLinkPanels));
    command.add_option("--tab", link.tab, "select this pane among the tabs").check(all(kLinkTabs));
    command.add_option("--theme", link.theme, "colours").check(all(kLinkThemes)).show_default();
    command.add_option("--scale", link.scale, "size of all parts of the window, in percent")
        .check(in_range(kSmallestLinkScale, kLargestLinkScale))
        .show_default();
    command.add_flag("--presenter", link.present, "show the presenter's view");
    command.add_flag("--no-controls", link.bare,
                     "show only the pane, without controls, to embed it in a page");
    Option& vary =
        command
            .add_option("--vary", link.vary,
                        "laboratory: vary a value of the scenario, in the syntax of `switchyard sweep`")
            .type_name("POINTER=VALUES");
    command.add_repeatable(
        "--lab-policy", link.with, "POLICY",
        "laboratory: run this policy; repeatable (default: the policies that the laboratory proposes)");
    command.add_option("--until", link.until, "laboratory: end of each run").type_name("TIME");
    command
        .add_option("--measure", link.measure,
                    "laboratory: measure to show (default: one that fits the workload)")
        .type_name("MEASURE");
    command
        .add_option("--seeds", link.seeds,
                    "laboratory: number of runs for each point, each with another seed")
        .type_name("N")
        .check(in_range(1u, kMostLinkSeeds));
    for (const char* of_laboratory : {"--lab-policy", "--until", "--measure", "--seeds"})
        command.option(of_laboratory).needs(vary);
}

}  // namespace

void add_link_command(Command& program) {
    auto o = std::make_shared<LinkOptions>();
    Command& command = program.add_command(
        "link", "make a link to a position in a run, for the window and its web page; or decode a link");
    add_position_options(command, *o);
    command.add_flag("--inline-scenario", o->inline_scenario,
                     "put the text of the scenario into the link; always done for a file");
    command.add_option("--base-url", o->base_url, "address of the page, put before the link")
        .type_name("URL");
    Option& embed =
        command
            .add_option("--embed", o->size,
                        "print an <iframe> of the page at --base-url, for your own page (default 800x600)")
            .type_name("WxH")
            .optional_value();
    std::vector<const Option*> making;
    for (const Option& option : command.options()) making.push_back(&option);
    Option& decode =
        command.add_option("--decode", o->decoded, "decode this link, which may be a complete address")
            .type_name("LINK");
    command
        .add_option("-o,--output", o->output,
                    "write to this file atomically; with --decode, write the scenario that the link contains")
        .type_name("FILE");
    command.set_examples(
        {"switchyard link two-hogs --switch 2 --pane decision",
         "switchyard link scenarios/two-hogs.json --at 12.5ms --base-url https://example.org/switchyard/",
         "switchyard link --decode '#v=1&scenario=two-hogs&switch=2'"});
    command.set_action([o, &embed, making, &decode] {
        o->embed = embed.is_given();
        if (!decode.is_given()) return make(*o);
        for (const Option* option : making)
            if (option->is_given())
                throw UsageError(fmt::format("--decode only decodes the link; leave out {}", option->name()));
        return read(*o);
    });
}

}  // namespace sim::cli
