#include "sim/core/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/suggest.h"
#include "sim/core/run_queue.h"

namespace sim {
namespace {

bool is_number(const OptionInfo& option) { return option.values.size() == 2 && option.values[1] == "N"; }

void check_value(const PolicyInfo& info, const OptionInfo& option, const std::string& value) {
    if (is_number(option)) {
        int number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error == std::errc{} && end == value.data() + value.size() && number >= 1 && number <= 1'000'000)
            return;
        throw PolicyError(
            fmt::format("policy '{}': option '{}' takes a whole number from 1 to 1000000, not '{}'",
                        info.name, option.name, value));
    }
    if (std::find(option.values.begin(), option.values.end(), value) != option.values.end()) return;
    throw PolicyError(fmt::format("policy '{}': option '{}' takes {}, not '{}'{}", info.name, option.name,
                                  fmt::join(option.values, " or "), value,
                                  did_you_mean(value, option.values)));
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

MachineShape with_room_for(const Policy& policy, MachineShape shape) {
    const Policy::Keeps keeps = policy.keeps();
    shape.task_bytes = keeps.task_bytes;
    shape.cpu_bytes = keeps.cpu_bytes;
    return shape;
}

Woken Policy::wake(Machine& m, TaskId p, const WakeUp& how) const {
    const std::uint32_t steps = enqueue(m, p);
    if (m.shape().cpus > 1) return {steps, reschedule(m, p, how.here)};
    return {steps, preempts(m, p, m.cpu(0).current) ? 1U : 0U};
}

Policy::Known Policy::known_by(const Machine& m, TaskId p) const {
    return {"counter", fmt::format("{}", m.counter[p]), m.counter[p]};
}

std::string Policy::numbers(const Machine& m, TaskId p) const {
    return fmt::format("counter {}", m.counter[p]);
}

void Policy::set_current(Machine& m, CpuId cpu, TaskId p) const {
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

NamedPolicy make_policy(std::string_view spec, std::uint32_t cpus) {
    const std::string name(spec.substr(0, spec.find(':')));
    const std::span<const PolicyInfo> list = policies();
    const auto info = std::find_if(list.begin(), list.end(),
                                   [&](const PolicyInfo& candidate) { return candidate.name == name; });
    if (info == list.end()) {
        std::vector<std::string> names;
        names.reserve(list.size());
        for (const PolicyInfo& candidate : list) names.push_back(candidate.name);
        throw PolicyError(fmt::format("unknown policy '{}'{} (there are {})", name, did_you_mean(name, names),
                                      fmt::join(names, ", ")));
    }

    NamedPolicy result{.name = name,
                       .options = {},
                       .policy = nullptr,
                       .criterion = info->criterion,
                       .pseudo_code = {},
                       .recorded_kernel = info->recorded_kernel,
                       .system = info->system,
                       .why = info->why};
    std::string_view rest = spec.size() > name.size() ? spec.substr(name.size() + 1) : std::string_view{};
    if (rest.empty() && spec.size() > name.size())
        throw PolicyError(fmt::format("policy '{}': options expected after ':'", spec));
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find(','));
        rest = pair.size() < rest.size() ? rest.substr(pair.size() + 1) : std::string_view{};
        const std::size_t equals = pair.find('=');
        const std::string key(pair.substr(0, equals));
        const auto option = std::find_if(info->options.begin(), info->options.end(),
                                         [&](const OptionInfo& candidate) { return candidate.name == key; });
        if (option == info->options.end()) {
            std::vector<std::string> names;
            for (const OptionInfo& candidate : info->options) names.push_back(candidate.name);
            throw PolicyError(fmt::format(
                "policy '{}' has no option '{}'{} (it has {})", name, key, did_you_mean(key, names),
                names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
        }
        if (equals == std::string_view::npos)
            throw PolicyError(fmt::format("policy '{}': option '{}' needs a value: {}={}", name, key, key,
                                          option->values.front()));
        std::string value(pair.substr(equals + 1));
        check_value(*info, *option, value);
        if (!result.options.emplace(key, std::move(value)).second)
            throw PolicyError(fmt::format("policy '{}': option '{}' is given twice", name, key));
    }
    for (const OptionInfo& option : info->options) result.options.emplace(option.name, option.values.front());
    result.policy = info->make(result.options);
    result.pseudo_code = info->pseudo_code(result.options);
    if (result.policy->most_cpus() < cpus)
        throw PolicyError(fmt::format("policy '{}' cannot schedule {} CPUs: at most {}", name, cpus,
                                      result.policy->most_cpus()));
    return result;
}

std::string NamedPolicy::spec() const {
    std::string text = name;
    char separator = ':';
    for (const PolicyInfo& info : policies()) {
        if (info.name != name) continue;
        for (const OptionInfo& option : info.options) {
            const std::string& value = options.at(option.name);
            if (value == option.values.front()) continue;
            text += separator + option.name + '=' + value;
            separator = ',';
        }
    }
    return text;
}

}  // namespace sim
