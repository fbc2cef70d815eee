#include "sim/core/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/base/units.h"
#include "sim/core/policy_names.h"
#include "sim/core/run_queue.h"

namespace sim {
namespace {

constexpr std::string_view kEndOfScripts = ".lua";

// The type of an option's value. word: one of the listed values. number: a whole number from 1. number_or_0:
// a whole number from 0. list: whole numbers separated by "/".
enum class OptionValueKind : std::uint8_t { word, number, number_or_0, list };

OptionValueKind kind_of(const OptionInfo& option) {
    if (option.values.size() != 2) return OptionValueKind::word;
    const std::string& stands_for = option.values[1];
    return stands_for == "N"        ? OptionValueKind::number
           : stands_for == "N0"     ? OptionValueKind::number_or_0
           : stands_for == "N/N/.." ? OptionValueKind::list
                                    : OptionValueKind::word;
}

bool is_number(std::string_view text, int least) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() && number >= least && number <= 1'000'000;
}

bool is_list(std::string_view text) {
    for (;;) {
        const std::string_view number = text.substr(0, text.find('/'));
        if (!is_number(number, 0)) return false;
        if (number.size() == text.size()) return true;
        text.remove_prefix(number.size() + 1);
    }
}

void check_value(const PolicyInfo& info, const OptionInfo& option, const std::string& value) {
    const OptionValueKind kind = kind_of(option);
    if (kind == OptionValueKind::number || kind == OptionValueKind::number_or_0) {
        const int least = kind == OptionValueKind::number ? 1 : 0;
        if (is_number(value, least)) return;
        throw PolicyError(
            fmt::format("policy '{}': option '{}': expected a whole number from {} to 1000000, got '{}'",
                        info.name, option.name, least, value));
    }
    if (kind == OptionValueKind::list) {
        if (is_list(value)) return;
        throw PolicyError(fmt::format(
            "policy '{}': option '{}': expected whole numbers from 0 to 1000000, like 10/20/40, got '{}'",
            info.name, option.name, value));
    }
    if (std::find(option.values.begin(), option.values.end(), value) != option.values.end()) return;
    throw PolicyError(fmt::format("policy '{}': option '{}': expected {}, got '{}'{}", info.name, option.name,
                                  join(option.values, " or "), value, did_you_mean(value, option.values)));
}

// The policy of this name; nullptr if there is none.
const PolicyInfo* find_policy(std::span<const PolicyInfo> list, std::string_view name) {
    const auto its = std::find_if(list.begin(), list.end(),
                                  [&](const PolicyInfo& candidate) { return candidate.name == name; });
    return its != list.end() ? &*its : nullptr;
}

[[noreturn]] void throw_unknown_policy(const std::string& name) {
    std::vector<std::string> names;
    names.reserve(policies().size());
    for (const PolicyInfo& candidate : policies()) names.push_back(candidate.name);
    std::vector<std::string> similar, textbook;
    for (const PolicyName& row : policy_names()) {
        if (row.kind == PolicyName::Kind::textbook) textbook.emplace_back(row.policy);
        similar.emplace_back(row.policy);
        similar.insert(similar.end(), row.aliases.begin(), row.aliases.end());
    }
    throw PolicyError(fmt::format(
        "unknown policy '{}'{} (policies are {}; those of textbooks are {}; "
        "`switchyard list scripts` lists more, and a file that ends in {} is a "
        "policy script)",
        name, did_you_mean(name, similar), join(names, ", "), join(textbook, ", "), kEndOfScripts));
}

const OptionInfo& find_option(const PolicyInfo& info, const std::string& name, const std::string& key) {
    const auto option = std::find_if(info.options.begin(), info.options.end(),
                                     [&](const OptionInfo& candidate) { return candidate.name == key; });
    if (option != info.options.end()) return *option;
    std::vector<std::string> names;
    for (const OptionInfo& candidate : info.options) names.push_back(candidate.name);
    throw PolicyError(fmt::format("policy '{}' has no option '{}'{} (options: {})", name, key,
                                  did_you_mean(key, names), names.empty() ? "none" : join(names, ", ")));
}

// All options of the policy `name`, with the values in the spec or their defaults.
PolicyOptions options_in_spec(std::string_view spec, const std::string& name, const PolicyInfo& info) {
    PolicyOptions options;
    std::string_view rest = spec.size() > name.size() ? spec.substr(name.size() + 1) : std::string_view{};
    if (rest.empty() && spec.size() > name.size())
        throw PolicyError(fmt::format("policy '{}': expected options after ':'", spec));
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find(','));
        rest = pair.size() < rest.size() ? rest.substr(pair.size() + 1) : std::string_view{};
        const std::size_t equals = pair.find('=');
        const std::string key(pair.substr(0, equals));
        const OptionInfo& option = find_option(info, name, key);
        if (equals == std::string_view::npos)
            throw PolicyError(fmt::format("policy '{}': option '{}' needs a value: {}={}", name, key, key,
                                          option.values.front()));
        std::string value(pair.substr(equals + 1));
        check_value(info, option, value);
        if (!options.emplace(key, std::move(value)).second)
            throw PolicyError(fmt::format("policy '{}': option '{}' is specified twice", name, key));
    }
    for (const OptionInfo& option : info.options) options.emplace(option.name, option.values.front());
    return options;
}

}  // namespace

CpuId idle_cpu_for(const Machine& m, TaskId p) {
    const auto is_free = [&](CpuId c) {
        return m.is_idle_task(m.cpu(c).current) && !m.cpu(c).need_resched && m.may_run(p, c);
    };
    const CpuId last = m.task[p].last_processor;
    if (last != Task::kNoProcessor && is_free(last)) return last;
    CpuId best = kNoCpu;
    for (CpuId c = 0; c < m.shape().cpus; ++c)
        if (is_free(c) && (best == kNoCpu || m.cpu(c).kernel_until < m.cpu(best).kernel_until)) best = c;
    return best;
}

MachineShape with_policy_state_size(const Policy& policy, MachineShape shape) {
    const Policy::StateSize state_size = policy.state_size();
    shape.task_bytes = state_size.task_bytes;
    shape.cpu_bytes = state_size.cpu_bytes;
    return shape;
}

WakeResult Policy::wake(Machine& m, TaskId p, const WakeUp& wake_up) const {
    const std::uint32_t steps = enqueue(m, p);
    if (m.shape().cpus > 1) return {steps, reschedule(m, p, wake_up.here)};
    return {steps, preempts(m, p, m.cpu(0).current) ? 1U : 0U};
}

Policy::SchedulingKey Policy::scheduling_key(const Machine& m, TaskId p) const {
    return {"counter", fmt::format("{}", m.counter[p]), m.counter[p]};
}

std::string Policy::scheduling_values(const Machine& m, TaskId p) const {
    return fmt::format("counter {}", m.counter[p]);
}

std::string describe(const PolicyFailure& failure, const std::function<std::string(TaskId)>& name) {
    std::string what = failure.what;
    if (const std::size_t place = what.find("{}"); place != std::string::npos && failure.task != kNoTask)
        what.replace(place, 2, name(failure.task));
    std::string text = fmt::format("{}: {}, in {}() at {}, after {} decisions", failure.place, what,
                                   failure.during, format_time(failure.at), failure.decisions);
    for (std::size_t i = 1; i < failure.stack.size(); ++i)
        text += fmt::format("; called by {}", failure.stack[i]);
    return text;
}

void Policy::adopt_running_task(Machine& m, CpuId cpu, TaskId p) const {
    if (!keeps_running_task_queued()) RunQueue(m, cpu).remove(p);
}

std::uint64_t Policy::reschedule(const Machine& m, TaskId woken, CpuId here) const {
    if (const CpuId idle = idle_cpu_for(m, woken); idle != kNoCpu) return std::uint64_t{1} << idle;
    const CpuId last = m.task[woken].last_processor;
    const CpuId first = last != Task::kNoProcessor ? last : here;
    for (CpuId i = 0; i < m.shape().cpus; ++i) {
        const CpuId c = (first + i) % m.shape().cpus;
        const TaskId current = m.cpu(c).current;
        if (m.may_run(woken, c) && !m.is_idle_task(current) && !m.cpu(c).need_resched &&
            preempts(m, woken, current))
            return std::uint64_t{1} << c;
    }
    return 0;
}

std::uint64_t Policy::reschedule_prev(const Machine& m, TaskId prev, CpuId) const {
    const CpuId idle = idle_cpu_for(m, prev);
    return idle == kNoCpu ? 0 : std::uint64_t{1} << idle;
}

const PolicyInfo* find_policy_info(std::string_view name) {
    const PolicyInfo* const kernel = find_policy(policies(), name);
    return kernel != nullptr ? kernel : find_policy(script_policies(), name);
}

bool is_script_file(std::string_view name) { return name.ends_with(kEndOfScripts); }

// A script's name ends at ".lua", because its path may contain ':'. The names of other policies contain no
// ':'.
std::string_view name_in_spec(std::string_view spec) {
    const std::size_t ending = spec.find(kEndOfScripts);
    const std::size_t end = ending == std::string_view::npos ? ending : ending + kEndOfScripts.size();
    const bool is_file = end != std::string_view::npos && (end == spec.size() || spec[end] == ':');
    return spec.substr(0, is_file ? end : spec.find(':'));
}

std::string with_option(std::string_view spec, std::string_view name, std::string_view value) {
    const std::string_view options = spec.substr(name_in_spec(spec).size());
    const auto has = [&](char before) {
        return options.find(fmt::format("{}{}=", before, name)) != std::string_view::npos;
    };
    if (has(':') || has(',')) return std::string(spec);
    return fmt::format("{}{}{}={}", spec, options.empty() ? ':' : ',', name, value);
}

NamedPolicy make_policy(std::string_view asked, std::uint32_t cpus, const ScriptTexts& texts) {
    const std::string spec = resolve_policy_alias(asked);
    const std::string name(name_in_spec(spec));
    std::optional<PolicyInfo> of_file;
    if (is_script_file(name)) {
        const auto text = texts.find(name);
        of_file = text == texts.end() ? script_policy_of(name) : script_policy_of(name, text->second);
    }
    const PolicyInfo* const info = of_file ? &*of_file : find_policy_info(name);
    if (info == nullptr) throw_unknown_policy(name);

    NamedPolicy result{.name = name,
                       .options = options_in_spec(spec, name, *info),
                       .policy = nullptr,
                       .criterion = info->criterion,
                       .pseudo_code = {},
                       .recorded_kernel = info->recorded_kernel,
                       .system = info->system,
                       .why = info->why,
                       .known_options = info->options,
                       .source_lines = info->source_lines};
    result.policy = info->make(result.options);
    result.pseudo_code = info->pseudo_code(result.options);
    if (result.policy->max_cpus() < cpus)
        throw PolicyError(fmt::format("policy '{}' cannot schedule {} CPUs; its maximum is {}", name, cpus,
                                      result.policy->max_cpus()));
    return result;
}

std::string NamedPolicy::spec() const {
    std::string text = name;
    char separator = ':';
    for (const OptionInfo& option : known_options) {
        const std::string& value = options.at(option.name);
        if (value == option.values.front()) continue;
        text += separator + option.name + '=' + value;
        separator = ',';
    }
    return text;
}

std::string criterion_value_text(std::string_view criterion, std::int64_t key) {
    constexpr std::string_view kTimes[] = {"vruntime", "deadline", "burst", "time left", "period"};
    if (std::find(std::begin(kTimes), std::end(kTimes), criterion) == std::end(kTimes))
        return fmt::format("{}", key);
    if (Nanos{key} >= kHorizon) return "none";
    std::string text = format_time(Nanos{key < 0 ? -key : key});
    text.insert(text.find_first_not_of("0123456789."), " ");
    return key < 0 ? "-" + text : text;
}

}  // namespace sim
