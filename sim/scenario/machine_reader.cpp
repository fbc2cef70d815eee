#include "sim/scenario/machine_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/core/policy.h"
#include "sim/os/files.h"
#include "sim/scenario/builtin_files.h"
#include "sim/scenario/scenario_tree.h"

namespace sim {
namespace {

constexpr std::size_t kMostBases = 16;
constexpr const char* kSetInScenario = "set in the scenario";  // stated source of a value without "source"

// Reads the parts of a machine. The values that it reads replace those of the base machine.
class MachinePartsReader {
    auto text(std::string& text) {
        return [this, &text](const JsonValue& value) { text = values_.single_line(value); };
    }

    // Returns a function that reads a number or size, written directly or as {key: value, "source": "..."}.
    template <class Read>
    auto reader_with_source(const char* key, std::string& source, const Read& read) {
        return [this, key, &source, &read](const JsonValue& value) {
            if (!value.is_object()) {
                read(value);
                source = kSetInScenario;
                return;
            }
            const std::string missing = fmt::format("\"{}\" is missing", key);
            values_.object(value, {{key, read, missing.c_str()}, {"source", text(source)}});
        };
    }

  public:
    explicit MachinePartsReader(Problems& problems) : problems_(problems), values_(problems) {}

    // Returns a function that reads a cost, which is a time: written directly or as an object with its
    // source.
    auto cost(Cost& cost, Nanos most = 1s) {
        return [this, &cost, most](const JsonValue& value) {
            if (!value.is_object()) {
                cost = {values_.time(value, {}, most), kSetInScenario};
                return;
            }
            values_.object(value,
                           {{"time", [&](const JsonValue& v) { cost.time = values_.time(v, {}, most); },
                             "\"time\" is missing"},
                            {"source", text(cost.source)}});
        };
    }

    void tlb(const JsonValue& value, TlbModel& model) {
        constexpr std::uint32_t kMost = 1 << 20;
        const auto pages = [&](const JsonValue& v) { model.footprint = values_.count(v, 0, kMost); };
        values_.object(value,
                       {{"entries", [&](const JsonValue& v) { model.entries = values_.count(v, 0, kMost); }},
                        {"tagged", [&](const JsonValue& v) { model.tagged = values_.boolean(v); }},
                        {"asids", [&](const JsonValue& v) { model.slots = values_.count(v, 0, 4096); }},
                        {"source", text(model.source)},
                        {"footprint", reader_with_source("pages", model.footprint_source, pages)},
                        {"refill", cost(model.refill)}});
        const JsonValue* const asids = value.find("asids");
        if (asids == nullptr || model.slots == 0) return;
        if (!model.tagged)
            problems_.add(*asids, "only a tagged TLB has ASIDs; add \"tagged\": true");
        else if (model.entries == 0)
            problems_.add(*asids, "\"entries\" is missing: the number of translations that the TLB holds");
    }

    void cache(const JsonValue& value, CacheModel& model) {
        const auto size = [&](const JsonValue& v) {
            model.footprint = values_.byte_size(v, 0, kLargestSize);
        };
        const ValueReader::ObjectReadResult read = values_.object(
            value, {{"size", [&](const JsonValue& v) { model.size = values_.byte_size(v, 0, kLargestSize); }},
                    {"line", [&](const JsonValue& v) { model.line = values_.byte_size(v, 8, 4096); }},
                    {"source", text(model.source)},
                    {"footprint", reader_with_source("size", model.footprint_source, size)},
                    {"refill", cost(model.refill)},
                    {"prefetched_refill", cost(model.stream)}});
        if (!read.members_good || model.size == 0) return;
        if (model.line == 0)
            problems_.add(value, "\"line\" is missing: the size of a cache line, like \"64B\"");
        else if (model.size % model.line != 0)
            problems_.add(value, fmt::format("size ({}) is not a multiple of line ({})",
                                             format_size(model.size), format_size(model.line)));
    }

    void costs(const JsonValue& value, CostModel& c) {
        std::vector<std::string> names{"syscall",         "schedule",       "considered",
                                       "recalculated",    "queue_step",     "switch_same_mm",
                                       "switch_other_mm", "reschedule_ipi", "steal_time"};
        std::vector costs{cost(c.syscall),         cost(c.schedule),       cost(c.considered),
                          cost(c.recalculated),    cost(c.queue_step),     cost(c.switch_same_mm),
                          cost(c.switch_other_mm), cost(c.reschedule_ipi), cost(c.steal, 1ms)};
        for (std::size_t kind = 0; kind < kInterrupts; ++kind) {
            names.emplace_back(to_string(static_cast<Interrupt>(kind)));
            costs.push_back(cost(c.interrupt[kind], 1ms));
        }
        for (std::size_t kind = 0; kind < kKernelWorks; ++kind) {
            names.emplace_back(to_string(static_cast<KernelWork>(kind)));
            costs.push_back(cost(c.work[kind]));
        }
        std::vector<Field> fields;
        for (std::size_t i = 0; i < names.size(); ++i) fields.emplace_back(names[i], costs[i]);
        values_.object(value, fields);
    }

    // Returns nullopt after a problem.
    std::optional<TickPhases> tick_phases(const JsonValue& value) {
        TickPhases phases;
        if (value.is_array()) {
            phases.rule = TickPhases::Rule::listed;
            if (value.children().size() > kMaxCpus)
                problems_.add(value, fmt::format("expected at most {} times, one for each CPU, got {}",
                                                 kMaxCpus, value.children().size()));
            else
                for (const JsonValue* phase : value.children()) phases.phases.push_back(values_.time(*phase));
            return phases;
        }
        using enum TickPhases::Rule;
        std::vector<std::string> names;
        for (const TickPhases::Rule rule : {together, spread, half}) {
            names.emplace_back(to_string(rule));
            if (!value.equals(names.back())) continue;
            phases.rule = rule;
            return phases;
        }
        problems_.add(
            value,
            fmt::format("expected \"together\", \"spread\", \"half\", or a list with a time for each "
                        "CPU, got {}{}",
                        text_in_message(value), value.is_string() ? did_you_mean(value.text(), names) : ""));
        return std::nullopt;
    }

  private:
    Problems& problems_;
    ValueReader values_;
};

// Reports a problem if a tick phase is not less than a tick. `value`: the object of the machine. The position
// of the problem is the member "tick_phases" of this object; without this member, the member "hz"; without
// both members, the object.
void check_tick_phases(const JsonValue& value, const MachineSpec& machine, Problems& problems) {
    if (!machine.tick_phases) return;
    const Nanos tick{1'000'000'000 / machine.hz};
    const JsonValue* const phases = value.find("tick_phases");
    for (std::size_t c = 0; c < machine.tick_phases->phases.size(); ++c) {
        const Nanos phase = machine.tick_phases->phases[c];
        if (phase < tick) continue;
        const JsonValue* const hz = value.find("hz");
        problems.add(phases != nullptr ? *phases
                     : hz != nullptr   ? *hz
                                       : value,
                     fmt::format("the tick phase of cpu{} is {}; expected less than a tick ({})", c,
                                 format_time(phase), format_time(tick)));
        return;
    }
}

// Reads one machine and the machines that it is based on.
class MachineReader {
  public:
    explicit MachineReader(const std::string& folder) : folder_(folder) {}

    // Loads a machine. A wrong name is reported as a problem of the value `at`. Problems in the machine's
    // file are thrown as ScenarioError.
    MachineSpec load(const std::string& name, const JsonValue& at, Problems& problems);

    // Reads the members of a machine's object. Their values replace those of the base machine. `format` is
    // null for a scenario; for a machine file it receives the member "format".
    void members(const JsonValue& value, Problems& problems, MachineSpec& machine,
                 const JsonValue** format = nullptr);

    // Loads the base machine with this name. If a scenario refers to this machine, problems in the
    // machine's file are added to those of the scenario. If a machine file refers to it, these problems are
    // thrown as ScenarioError.
    void base(const JsonValue& value, Problems& problems, MachineSpec& machine) {
        const bool of_scenario = asked_.empty();
        const std::string name = ValueReader(problems).name(value);
        if (name.empty()) return;
        try {
            machine = load(name, value, problems);
        } catch (const ScenarioError& error) {
            if (!of_scenario) throw;
            problems.add(error.problems());
        }
    }

  private:
    const std::string& folder_;
    // Names of the machines being loaded, from the first to its bases, to detect cycles.
    std::vector<std::string> asked_;
};

MachineSpec MachineReader::load(const std::string& name, const JsonValue& at, Problems& problems) {
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) {
        problems.add(
            at, fmt::format("the bases of the machine form a cycle: {} -> {}", join(asked_, " -> "), name));
        return {};
    }
    if (asked_.size() > kMostBases) {
        problems.add(at, fmt::format("expected at most {} base machines in a chain", kMostBases));
        return {};
    }
    asked_.push_back(name);
    const bool plain = os::is_plain_name(name);
    const std::filesystem::path path = std::filesystem::path(folder_) / "machines" / (name + ".json");
    std::optional<ScenarioTree> source;
    constexpr auto kMachine = ScenarioTree::Kind::machine;
    std::vector<Problem> noted;
    if (plain && !folder_.empty() && os::exists(path.string())) {
        source.emplace(path.string(), read_text_file(path.string(), kMaxJsonBytes), &noted, kMachine);
    } else if (const BuiltinFile* file = plain ? find_builtin_file("machines/" + name + ".json") : nullptr) {
        source.emplace("builtin:machines/" + name + ".json", std::string(file->text), &noted, kMachine);
    } else {
        const auto names = builtin_file_names("machines/");
        std::string hint = did_you_mean(name, names);
        if (hint.empty()) hint = "; `switchyard list machines` lists the machines";
        problems.add(at, fmt::format("unknown machine '{}'{}", shorten(name), hint));
        return {};
    }

    Problems own(*source);
    own.add(std::move(noted));
    own.add_notices(source->notices());
    MachineSpec machine;
    const JsonValue* format = nullptr;
    members(source->root(), own, machine, &format);
    if (source->root().is_object()) {
        if (format == nullptr)
            own.add(source->root(), "\"format\": \"switchyard-machine/1\" is missing");
        else if (!format->equals("switchyard-machine/1"))
            own.add(*format, "expected \"switchyard-machine/1\", got " + text_in_message(*format));
    }
    own.throw_if_any();
    problems.add_notices(own.notices());
    machine.name = name;
    return machine;
}

void MachineReader::members(const JsonValue& value, Problems& problems, MachineSpec& machine,
                            const JsonValue** format) {
    ValueReader values(problems);
    MachinePartsReader parts(problems);
    const JsonValue *title = nullptr, *costs = nullptr;
    CostModel& c = machine.costs;
    std::vector<Field> fields;
    if (format != nullptr) fields.emplace_back("format", *format);
    const auto read_base = [&](const JsonValue& v) { base(v, problems, machine); };
    const auto read_system = [&](const JsonValue& v) {
        std::vector<std::pair<std::string, std::string>> words;
        for (const OperatingSystemInfo& system : kSystems) words.emplace_back(system.word, system.word);
        machine.system = values.choice(v, words);
    };
    const auto read_hz = [&](const JsonValue& v) { machine.hz = values.count(v, 1, 10'000); };
    const auto read_dynticks = [&](const JsonValue& v) { machine.dynticks = values.boolean(v); };
    const auto read_topology = [&](const JsonValue& v) {
        const auto read = [&](std::uint32_t& number) {
            return [&values, &number](const JsonValue& n) { number = values.count(n, 1, kMaxCpus); };
        };
        const auto siblings = read(machine.siblings), cores = read(machine.cores);
        values.object(v, {{"siblings", siblings}, {"cores", cores}});
    };
    const auto read_idle = [&](const JsonValue& v) {
        const std::string word = values.string(v);
        if (word == "mwait" || word == "hlt")
            machine.idle = word == "mwait" ? MachineSpec::IdleMode::mwait : MachineSpec::IdleMode::hlt;
        else if (v.is_string())
            problems.add(v, "expected \"hlt\" or \"mwait\", got " + text_in_message(v));
    };
    const auto read_hrtimers = [&](const JsonValue& v) { machine.hrtimers = values.boolean(v); };
    const auto read_lazy_tlb = [&](const JsonValue& v) { machine.lazy_tlb = values.boolean(v); };
    const auto read_tick_phases = [&](const JsonValue& v) { machine.tick_phases = parts.tick_phases(v); };
    const auto read_tlb = [&](const JsonValue& v) { parts.tlb(v, c.tlb); };
    const auto read_cache = [&](const JsonValue& v) { parts.cache(v, c.cache); };
    const Field common[] = {{"title", title},    {"base", read_base},         {"system", read_system},
                            {"hz", read_hz},     {"dynticks", read_dynticks}, {"topology", read_topology},
                            {"idle", read_idle}, {"lazy_tlb", read_lazy_tlb}, {"costs", costs},
                            {"tlb", read_tlb},   {"cache", read_cache}};
    fields.insert(fields.end(), std::begin(common), std::end(common));
    fields.emplace_back("hrtimers", read_hrtimers);
    fields.emplace_back("tick_phases", read_tick_phases);
    const ValueReader::ObjectReadResult read = values.object(value, fields);
    const std::size_t before = problems.count();
    if (title != nullptr) machine.title = values.single_line(*title);
    if (read.members_good && problems.count() == before) check_tick_phases(value, machine, problems);
    if (costs == nullptr) return;
    parts.costs(*costs, c);
    if (read.members_good && problems.count() == before && c.switch_other_mm.time < c.switch_same_mm.time)
        problems.add(*costs,
                     fmt::format("switch_other_mm ({}) must not be less than switch_same_mm ({}), because it "
                                 "includes this cost",
                                 format_time(c.switch_other_mm.time), format_time(c.switch_same_mm.time)));
}

}  // namespace

MachineSpec read_default_machine(const JsonValue& scenario, const std::string& folder, Problems& problems) {
    return MachineReader(folder).load(kDefaultMachine, scenario, problems);
}

MachineSpec read_machine(const JsonValue& value, const std::string& folder, Problems& problems) {
    MachineSpec machine;
    MachineReader reader(folder);
    if (value.is_string())
        reader.base(value, problems, machine);
    else if (value.is_object())
        reader.members(value, problems, machine);
    else
        problems.add(
            value, "expected a name, like \"pentium-mmx-200\", or an object, got " + text_in_message(value));
    return machine;
}

}  // namespace sim
