// `switchyard list`: lists the names that other commands accept.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/units.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/core/action.h"
#include "sim/core/cost_model.h"
#include "sim/lab/measure.h"
#include "sim/quiz/question.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"
#include "sim/scenario/scenario_json.h"
#include "sim/tables/tables.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json list_policies(std::span<const PolicyInfo> policies) {
    ordered_json list = ordered_json::array();
    for (const PolicyInfo& p : policies) {
        ordered_json options = ordered_json::array();
        for (const OptionInfo& o : p.options)
            options.push_back({{"name", o.name}, {"values", o.values}, {"summary", o.summary}});
        list.push_back(
            {{"name", p.name}, {"summary", p.summary}, {"source", p.source}, {"options", options}});
    }
    return list;
}

ordered_json list_files(const std::string& folder) {
    ordered_json list = ordered_json::array();
    for (const std::string& name : builtin_file_names(folder)) {
        const BuiltinFile& file = *find_builtin_file(folder + name + ".json");
        const JsonTree json{std::string(file.name), std::string(file.text)};
        const auto said = [&](const char* key) {
            const JsonValue* const value = json.root().find(key);
            return value == nullptr ? std::string{} : std::string(value->text());
        };
        ordered_json entry{{"name", name}, {"summary", said("title")}};
        if (folder.empty()) entry["question"] = said("question");
        list.push_back(std::move(entry));
    }
    return list;
}

ordered_json list_actions() {
    ordered_json list = ordered_json::array();
    for (const ActionInfo& a : actions()) {
        if (a.summary.empty()) continue;
        list.push_back({{"name", a.name}, {"summary", a.summary}, {"argument", a.argument}});
    }
    return list;
}

ordered_json list_topics() {
    ordered_json list = ordered_json::array();
    for (const quiz::Topic& t : quiz::topics()) list.push_back({{"name", t.name}, {"summary", t.summary}});
    return list;
}

ordered_json list_tables() {
    ordered_json list = ordered_json::array();
    for (const tables::Table& t : tables::all_tables())
        list.push_back({{"name", t.name}, {"summary", t.summary}, {"source", t.source}});
    return list;
}

// One line per cost in the machine files.
ordered_json list_costs() {
    ordered_json list = ordered_json::array();
    for (const std::string& machine : builtin_file_names("machines/")) {
        const CostModel costs =
            parse_scenario(machine, fmt::format(R"({{"format": "switchyard-scenario/1", "machine": "{}",
                "tasks": [{{"name": "any", "program": [{{"run": "1ms"}}]}}]}})",
                                                machine))
                .machine.costs;
        const auto add = [&](const std::string& cost, const std::string& value, const std::string& source) {
            if (source.empty()) return;  // the machine does not have this cost
            const char* basis = source.starts_with("fitted")     ? "fitted"
                                : source.starts_with("measured") ? "measured"
                                : source.starts_with("tuned")    ? "tuned"
                                : source.starts_with("assumed")  ? "assumed"
                                                                 : "cited";
            list.push_back({{"name", machine + " " + cost},
                            {"summary", fmt::format("{:>8}  {}", value, source)},
                            {"machine", machine},
                            {"cost", cost},
                            {"value", value},
                            {"basis", basis},
                            {"source", source}});
        };
        const auto add_time = [&](const std::string& cost, const Cost& p) {
            add(cost, format_time(p.time), p.source);
        };
        add_time("syscall", costs.syscall);
        add_time("schedule", costs.schedule);
        add_time("considered", costs.considered);
        add_time("recalculated", costs.recalculated);
        add_time("queue_step", costs.queue_step);
        add_time("switch_same_mm", costs.switch_same_mm);
        add_time("switch_other_mm", costs.switch_other_mm);
        for (std::size_t i = 0; i < kKernelWorks; ++i)
            add_time(to_string(static_cast<KernelWork>(i)), costs.work[i]);
        add_time("reschedule_ipi", costs.reschedule_ipi);
        for (std::size_t i = 0; i < kInterrupts; ++i)
            add_time(to_string(static_cast<Interrupt>(i)), costs.interrupt[i]);
        add_time("steal_time", costs.steal);
        add("tlb", fmt::format("{}", costs.tlb.entries), costs.tlb.source);
        add("tlb/footprint", fmt::format("{}", costs.tlb.footprint), costs.tlb.footprint_source);
        add_time("tlb/refill", costs.tlb.refill);
        add("cache", format_size(costs.cache.size), costs.cache.source);
        add("cache/footprint", format_size(costs.cache.footprint), costs.cache.footprint_source);
        add_time("cache/refill", costs.cache.refill);
        add_time("cache/prefetched_refill", costs.cache.stream);
    }
    return list;
}

// The provenance of values in the built-in scenarios.
ordered_json list_provenance() {
    ordered_json list = ordered_json::array();
    for (const std::string& name : builtin_file_names("")) {
        for (const ProvenanceEntry& n : load_scenario(name).provenance)
            list.push_back({{"name", name + " " + n.pointer},
                            {"summary", fmt::format("{:<8} {}", n.basis + ",", n.reason)},
                            {"scenario", name},
                            {"pointer", n.pointer},
                            {"basis", n.basis},
                            {"reason", n.reason}});
    }
    return list;
}

ordered_json list_measures() {
    ordered_json list = ordered_json::array();
    for (const lab::Measure& m : lab::measures()) {
        std::string figures = join(m.of, " + ");
        if (!m.per.empty()) figures += fmt::format(" per {}", join(m.per, " + "));
        // A divisor `m.per` with several summands is the total time of all CPUs, and the summands are its
        // parts. A list of these parts would be too long for a summary.
        if (m.per.size() > 1)
            figures =
                m.of.size() > 1 ? "the kernel's share of all time" : m.of.front() + " as a share of all time";
        if (m.of.size() > 1 && m.per.size() == 1)
            figures = (m.is_cost ? "the kernel's time per " : "all interrupts per ") + m.per.front();
        list.push_back({{"name", m.name},
                        {"summary", fmt::format("{}: {}", m.label, figures)},
                        {"unit", m.unit},
                        {"of", m.of},
                        {"per", m.per}});
    }
    return list;
}

struct Listing {
    std::string name, old_name;  // the old name is accepted, with a notice
    ordered_json (*entries)();
};

const std::vector<Listing>& listings() {
    static const std::vector<Listing> all{
        {"policies", "", [] { return list_policies(policies()); }},
        {"scripts", "", [] { return list_policies(script_policies()); }},
        {"scenarios", "", [] { return list_files(""); }},
        {"machines", "", [] { return list_files("machines/"); }},
        {"costs", "prices", list_costs},
        {"provenance", "numbers", list_provenance},
        {"actions", "", list_actions},
        {"measures", "", list_measures},
        {"tables", "", list_tables},
        {"topics", "", list_topics},
        {"grades", "", [] { return list_files("grades/"); }},
    };
    return all;
}

// The listing with this name or old name; nullptr if there is none.
const Listing* find_listing(const std::string& name) {
    const auto found = std::find_if(listings().begin(), listings().end(), [&](const Listing& listing) {
        return name == listing.name || (!name.empty() && name == listing.old_name);
    });
    return found == listings().end() ? nullptr : &*found;
}

int execute_list(const CommonOptions& o, const std::string& what) {
    const Listing& listing = *find_listing(what);
    if (what != listing.name) print_diagnostic(fmt::format("list: {} is now {}", what, listing.name));
    const ordered_json list = listing.entries();
    std::string text;
    std::size_t width = 0;
    for (const ordered_json& entry : list) width = std::max(width, entry["name"].get<std::string>().size());
    for (const ordered_json& entry : list) {
        std::string summary = entry["summary"].get<std::string>();
        if (entry.contains("argument") && !entry["argument"].get<std::string>().empty())
            summary += fmt::format(" ({})", entry["argument"].get<std::string>());
        if (entry.contains("options")) {
            for (const ordered_json& option : entry["options"]) {
                const std::string about = option["summary"].get<std::string>();
                summary += fmt::format("\n{:{}}  {}={}{}{}", "", width, option["name"].get<std::string>(),
                                       join(option["values"].get<std::vector<std::string>>(), "|"),
                                       about.empty() ? "" : ": ", about);
            }
        }
        text += fmt::format("{:<{}}  {}\n", entry["name"].get<std::string>(), width, summary);
    }
    write_output_text(o.is_json() ? json_text(list, 2) + "\n" : text, o.output);
    return kDone;
}

}  // namespace

void add_list_command(Command& program) {
    auto o = std::make_shared<CommonOptions>();
    auto what = std::make_shared<std::string>();
    Command& command = program.add_command("list", "list policies, scenarios, tables and more, one per line");
    std::vector<std::string> names;
    for (const Listing& listing : listings()) names.push_back(listing.name);
    ValueCheck check = one_of(names);
    check.find_problem = [check](const std::string& word) {
        return find_listing(word) != nullptr ? std::string{} : check.find_problem(word);
    };
    command.add_option("WHAT", *what, join(names, ", ")).required().type_name("").check(check);
    add_output_options(command, *o);
    command.set_examples(
        {"switchyard list scenarios", "switchyard list policies", "switchyard list tables --format json"});
    command.set_action([o, what] { return execute_list(*o, *what); });
}

}  // namespace sim::cli
