#include "sim/trace_io/import/run_header.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/scenario/json_in_order.h"

namespace sim::trace_io {
namespace {

using Json = nlohmann::ordered_json;

std::string printable_text(const Json& json, const char* key) {
    constexpr std::size_t kLongest = 256;  // in bytes
    const auto at = json.find(key);
    return at == json.end() || !at->is_string()
               ? std::string{}
               : printable(shorten(at->get_ref<const std::string&>(), kLongest));
}

std::int64_t integer_or_default(const Json& json, const char* key, std::int64_t min_value,
                                std::int64_t max_value, std::int64_t default_value) {
    const auto at = json.find(key);
    if (at == json.end() || !at->is_number_integer()) return default_value;
    if (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(max_value))
        return default_value;
    const auto number = at->get<std::int64_t>();
    return number < min_value || number > max_value ? default_value : number;
}

// Reads [pid, tgid, prio, is_kernel, asleep, "affinity", "name"]; ignores any other value.
void add_thread(const Json& json, RunInfo& info) {
    constexpr std::size_t kFields = 7, kMost = 100'000;
    if (!json.is_array() || json.size() != kFields || info.threads.size() >= kMost) return;
    for (std::size_t i = 0; i < kFields; ++i)
        if (i < 5 ? !json[i].is_number_integer() : !json[i].is_string()) return;
    const auto number = [&](std::size_t i) { return json[i].get<std::int32_t>(); };
    const std::string& mask = json[5].get_ref<const std::string&>();
    RunInfo::InitialThread known{
        .thread = {.pid = number(0),
                   .tgid = number(1),
                   .name = printable(shorten(json[6].get_ref<const std::string&>(), 64)),
                   .prio = number(2),
                   .is_kernel = number(3) != 0},
        .asleep = number(4) != 0};
    const char* const end = mask.data() + mask.size();
    if (std::from_chars(mask.data(), end, known.thread.cpus, 16).ptr != end || known.thread.pid <= 0) return;
    info.threads.push_back(std::move(known));
}

}  // namespace

std::optional<RunInfo> run_info_of(std::string_view json) {
    // The maximum nesting depth; the JSON of a machine is never nested more deeply. There is a limit
    // because printing JSON needs one nested function call per level.
    constexpr int kDeepest = 64;
    const Json root = parse_json_in_order(json, /* allow_comments */ false, kDeepest);
    if (!root.is_object()) return std::nullopt;
    constexpr std::int64_t kMostHz = 10'000;
    RunInfo info{.title = printable_text(root, "title"),
                 .cpus = static_cast<std::uint32_t>(integer_or_default(root, "cpus", 1, kMaxCpus, 0)),
                 .hz = static_cast<std::uint32_t>(integer_or_default(root, "hz", 1, kMostHz, 100)),
                 .policy = printable_text(root, "policy"),
                 .begin = Nanos{integer_or_default(root, "begin_ns", 0, kHorizon.count(), 0)}};
    if (const auto machine = root.find("machine"); machine != root.end())
        info.machine = machine->dump(-1, ' ', false, Json::error_handler_t::replace);
    if (const auto threads = root.find("threads"); threads != root.end() && threads->is_array())
        for (const Json& thread : *threads) add_thread(thread, info);
    return info;
}

}  // namespace sim::trace_io
