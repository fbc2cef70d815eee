#include "sim/scenario/scenario_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "sim/base/suggest.h"
#include "sim/core/action.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/program_reader.h"

namespace sim {
namespace {

using nlohmann::json;

__extension__ typedef unsigned __int128 Wide;

constexpr std::size_t kMostProblems = 50;
constexpr std::size_t kMaxClaims = 1'000;
constexpr std::size_t kMaxStops = 200;
constexpr std::size_t kLongestCaption = 1'000;
constexpr std::uint32_t kMaxLoopDepth = 16;
constexpr std::uint32_t kForkRoom = 1'000;  // rows for forked tasks, when the scenario does not say how many
constexpr const char* kLongestTime = "78h of simulated time";
constexpr const char* kTimeForms = "; one looks like \"200ms\", with ns, us, ms, s, min or h";

struct Unit {
    std::string_view name;
    std::int64_t nanos;
};
constexpr Unit kUnits[] = {{"ns", 1},
                           {"us", 1'000},
                           {"\xc2\xb5s", 1'000},  // micro sign
                           {"\xce\xbcs", 1'000},  // Greek mu
                           {"ms", 1'000'000},
                           {"s", 1'000'000'000},
                           {"min", 60'000'000'000},
                           {"h", 3'600'000'000'000}};

// How people also write the units, and what they should write.
constexpr std::pair<std::string_view, const char*> kOtherUnits[] = {
    {"m", "'min' or 'ms'"}, {"sec", "'s'"},      {"secs", "'s'"},      {"second", "'s'"}, {"seconds", "'s'"},
    {"msec", "'ms'"},       {"msecs", "'ms'"},   {"usec", "'us'"},     {"usecs", "'us'"}, {"nsec", "'ns'"},
    {"mins", "'min'"},      {"minute", "'min'"}, {"minutes", "'min'"}, {"hr", "'h'"},     {"hour", "'h'"},
    {"hours", "'h'"},       {"S", "'s'"},        {"H", "'h'"}};

constexpr const char* kSizeForms = "; one looks like \"64KiB\", with B, KiB, MiB or GiB";
constexpr std::uint32_t kLargestSize = 1u << 30;
constexpr std::uint32_t kPipeCapacity = 4096;  // one page, as in Linux until 2.6.10

constexpr std::pair<std::string_view, std::uint64_t> kSizeUnits[] = {
    {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

std::string format_size(std::uint64_t bytes) {
    std::string text;
    for (const auto& [name, unit] : kSizeUnits)
        if (bytes % unit == 0 && (bytes > 0 || unit == 1)) text = fmt::format("{}{}", bytes / unit, name);
    return text;
}

// What a bare number can mean: bytes, as format_size() writes them, or so many KiB.
std::string meant_size(std::string_view digits) {
    std::uint64_t bytes = 0;
    for (const char c : digits)
        bytes = std::min<std::uint64_t>(bytes * 10 + static_cast<std::uint64_t>(c - '0'), kLargestSize);
    const std::string plain = format_size(bytes);
    if (bytes == 0 || bytes >= 1024) return fmt::format("; did you mean \"{}\"?", plain);
    return fmt::format("; did you mean \"{}\" or \"{}KiB\"?", plain, bytes);
}

// None, and `why`, when it is no size.
std::optional<std::uint64_t> parse_size(std::string_view text, std::string& why) {
    const std::string written = shorten(text, 40);
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    std::uint64_t number = 0;
    for (const char c : text.substr(0, end))
        number =
            std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), kLargestSize + 1ull);
    std::string_view unit = text.substr(end);
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    if (end == 0) {
        why = fmt::format("'{}' is no size{}", written, kSizeForms);
        return std::nullopt;
    }
    if (unit.empty()) {
        why = fmt::format("'{}' needs its unit{}", written, meant_size(text.substr(0, end)));
        return std::nullopt;
    }
    if (unit.starts_with('.') || unit.starts_with(',')) {
        why = fmt::format("'{}' is no whole number; write it in a smaller unit, like \"1536B\"", written);
        return std::nullopt;
    }
    for (const auto& [name, factor] : kSizeUnits)
        if (name == unit) return number * factor;
    std::vector<std::string> names;
    for (const auto& [name, factor] : kSizeUnits) names.emplace_back(name);
    std::string hint = did_you_mean(unit, names);
    for (const auto& [other, meant] : {std::pair{"KB", "KiB"},
                                       {"kB", "KiB"},
                                       {"K", "KiB"},
                                       {"k", "KiB"},
                                       {"MB", "MiB"},
                                       {"M", "MiB"},
                                       {"GB", "GiB"},
                                       {"G", "GiB"}})
        if (unit == other) hint = fmt::format("; did you mean '{}'?", meant);
    if (hint.empty()) hint = "; units are B, KiB, MiB, GiB";
    why = fmt::format("'{}' has the unknown unit '{}'{}", written, shorten(unit, 16), hint);
    return std::nullopt;
}

// Collects problems and, at the end, throws them: the first of them, ordered by place, and the number of the
// others.
class Problems {
  public:
    explicit Problems(const JsonText& source) : source_(source) {}

    void add(const std::string& pointer, std::string message, bool at_key = false) {
        ++count_;
        if (list_.size() >= kMostProblems) return;
        list_.push_back({source_.file(), 0, 0, pointer, std::move(message)});
        at_key_.push_back(at_key);
    }

    // Those of another file, or with a place of their own.
    void add(std::vector<Problem> placed) {
        count_ += placed.size();
        for (Problem& problem : placed) {
            if (placed_.size() >= kMostProblems) return;
            placed_.push_back(std::move(problem));
        }
    }

    // How many there are so far: whether something was wrong with a part is whether it has grown.
    std::size_t count() const { return count_; }
    // Whether a message is not worth writing any more.
    bool full() const { return list_.size() >= kMostProblems; }

    void throw_if_any() {
        if (count_ == 0) return;
        source_.place(list_, at_key_);
        list_.insert(list_.end(), std::make_move_iterator(placed_.begin()),
                     std::make_move_iterator(placed_.end()));
        const auto order = [&](const Problem& problem) {
            const bool set = problem.file.starts_with("--set ");
            return std::tuple(set ? 0 : problem.file == source_.file() ? 1 : 2, problem.line, problem.column);
        };
        std::stable_sort(list_.begin(), list_.end(),
                         [&](const Problem& a, const Problem& b) { return order(a) < order(b); });
        if (list_.size() > kMostProblems) list_.resize(kMostProblems);
        if (const std::size_t more = count_ - list_.size(); more > 0)
            list_.push_back(
                {source_.file(), 0, 0, {}, fmt::format("and {} more problem{}", more, more == 1 ? "" : "s")});
        throw ScenarioError(std::move(list_));
    }

  private:
    const JsonText& source_;
    std::vector<Problem> list_, placed_;
    std::vector<bool> at_key_;  // of those on the list
    std::size_t count_ = 0;
};

// A value for a message: itself when it is short, or else what it is.
std::string shown(const json& value) {
    if (value.is_string())
        return fmt::format("the string \"{}\"", shorten(value.get_ref<const std::string&>(), 40));
    return value.is_primitive() ? value.dump() : kind_of(value);
}

std::string negative_time(std::string_view text) {
    return fmt::format("'{}' is negative; a time is 0 or more", shorten(text, 40));
}

// Reads values of expected kinds, noting what is otherwise.
class Values {
  public:
    explicit Values(Problems& problems) : problems_(problems) {}

    // Refuses keys that are not in the list.
    bool object(const json& value, const std::string& pointer, const std::vector<std::string>& known) {
        if (!value.is_object()) {
            problems_.add(pointer, "an object in { } is expected, not " + shown(value));
            return false;
        }
        for (const auto& [key, member] : value.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            unknown_key(key, pointer, known);
        }
        return true;
    }

    void unknown_key(const std::string& key, const std::string& pointer,
                     const std::vector<std::string>& known) {
        if (problems_.full()) return problems_.add({}, {});
        std::string hint = did_you_mean(key, known);
        if (hint.empty() && known.size() == 1) hint = fmt::format("; the only key here is {}", known.front());
        if (hint.empty()) hint = fmt::format("; the keys here are {}", fmt::join(known, ", "));
        problems_.add(pointer + "/" + pointer_piece(key),
                      fmt::format("unknown key '{}'{}", shorten(key), hint), true);
    }

    std::string string(const json& value, const std::string& pointer, std::size_t most = 4096) {
        if (!value.is_string()) {
            problems_.add(pointer, "a string in double quotes is expected, not " + shown(value));
            return {};
        }
        auto text = value.get<std::string>();
        if (text.size() > most) {
            problems_.add(pointer, fmt::format("longer than {} bytes", most));
            text.clear();
        }
        return text;
    }

    // A word that can be typed, printed and looked for: no blanks, no control characters. Empty when it is
    // none.
    std::string name(const json& value, const std::string& pointer) {
        const std::size_t before = problems_.count();
        std::string text = string(value, pointer, 64);
        if (problems_.count() > before) return {};
        bool bad = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto c = static_cast<unsigned char>(text[i]);
            const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
            bad = bad || c <= 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next <= 0xa0);
        }
        if (text.empty())
            problems_.add(pointer, "a name may not be empty");
        else if (bad)
            problems_.add(pointer, "a name may not have blanks or control characters");
        return bad ? std::string{} : text;
    }

    std::int64_t integer(const json& value, const std::string& pointer, std::int64_t least,
                         std::int64_t most) {
        constexpr double kExact = 9007199254740992.0;  // 2^53
        if (value.is_number_integer()) {
            const bool huge =
                value.is_number_unsigned() &&
                value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
            if (!huge && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most)
                return value.get<std::int64_t>();
            problems_.add(pointer,
                          fmt::format("{} is out of range: from {} to {}", value.dump(), least, most));
        } else if (value.is_number() && std::abs(value.get<double>()) >= kExact) {
            problems_.add(pointer,
                          fmt::format("{} is out of range: from {} to {}", value.dump(), least, most));
        } else if (value.is_number() && value.get<double>() == std::trunc(value.get<double>())) {
            problems_.add(pointer, fmt::format("a whole number is written without a point or an exponent: {}",
                                               static_cast<std::int64_t>(value.get<double>())));
        } else if (value.is_number()) {
            problems_.add(pointer, fmt::format("a whole number is expected, not {}", value.dump()));
        } else {
            problems_.add(pointer, "a whole number is expected, not " + shown(value));
        }
        return least;
    }

    Nanos time(const json& value, const std::string& pointer, Nanos least = {}, Nanos most = kHorizon - 1ns) {
        if (value.is_number()) {
            const std::string digits = value.dump();
            if (digits.starts_with('-'))
                problems_.add(pointer, negative_time(digits));
            else if (digits.find('e') != std::string::npos)
                problems_.add(pointer, "a time needs its unit, like \"2ms\"");
            else
                problems_.add(pointer, fmt::format("a time needs its unit; did you mean \"{}ms\"?", digits));
            return least;
        }
        if (!value.is_string()) {
            problems_.add(pointer, fmt::format("a time is expected, not {}{}", shown(value), kTimeForms));
            return least;
        }
        std::string why;
        const auto& text = value.get_ref<const std::string&>();
        const std::optional<Nanos> time = parse_time(text, why);
        if (!time) {
            problems_.add(pointer, why);
            return least;
        }
        if (*time > most) {
            problems_.add(pointer, fmt::format("'{}' is too long: at most {}", shorten(text, 40),
                                               most == kHorizon - 1ns ? kLongestTime : format_time(most)));
            return least;
        }
        if (*time < least) {
            problems_.add(pointer, "a time above 0 is expected");
            return least;
        }
        return *time;
    }

    // "64KiB" in bytes.
    std::uint32_t size(const json& value, const std::string& pointer, std::uint32_t least,
                       std::uint32_t most) {
        if (value.is_number()) {
            const std::string digits = value.dump();
            const bool whole = digits.find_first_not_of("0123456789") == std::string::npos;
            problems_.add(pointer, "a size needs its unit" +
                                       (whole ? meant_size(digits) : std::string(", like \"64KiB\"")));
            return least;
        }
        if (!value.is_string()) {
            problems_.add(pointer, fmt::format("a size is expected, not {}{}", shown(value), kSizeForms));
            return least;
        }
        std::string why;
        const std::optional<std::uint64_t> bytes = parse_size(value.get_ref<const std::string&>(), why);
        if (!bytes) {
            problems_.add(pointer, why);
            return least;
        }
        if (*bytes < least || *bytes > most) {
            problems_.add(pointer, fmt::format("{} is out of range: from {} to {}", value.dump(),
                                               format_size(least), format_size(most)));
            return least;
        }
        return static_cast<std::uint32_t>(*bytes);
    }

    bool boolean(const json& value, const std::string& pointer) {
        if (!value.is_boolean()) problems_.add(pointer, "true or false is expected, not " + shown(value));
        return value.is_boolean() && value.get<bool>();
    }

    double number(const json& value, const std::string& pointer) {
        if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
        problems_.add(pointer, "a number is expected, not " + shown(value));
        return 0;
    }

    template <class T>
    T choice(const json& value, const std::string& pointer,
             const std::vector<std::pair<std::string, T>>& choices) {
        std::vector<std::string> words;
        words.reserve(choices.size());
        for (const auto& [word, meaning] : choices) words.push_back(word);
        for (const auto& [word, meaning] : choices)
            if (value.is_string() && value.get_ref<const std::string&>() == word) return meaning;
        const std::string list = fmt::format("{}", fmt::join(words, ", "));
        if (value.is_string()) {
            const auto& text = value.get_ref<const std::string&>();
            problems_.add(pointer, words.size() == 1 ? fmt::format("\"{}\" is expected, not '{}'{}", list,
                                                                   shorten(text), did_you_mean(text, words))
                                                     : fmt::format("'{}' is not one of {}{}", shorten(text),
                                                                   list, did_you_mean(text, words)));
        } else {
            problems_.add(pointer, fmt::format("one of {} is expected, not {}", list, shown(value)));
        }
        return choices.front().second;
    }

  private:
    Problems& problems_;
};

void read_price(Values& values, Problems& problems, const json& costs, const char* key,
                const std::string& pointer, Price& price) {
    if (!costs.contains(key)) return;
    const json& value = costs.at(key);
    const std::string here = pointer + "/" + key;
    if (value.is_object()) {
        if (!values.object(value, here, {"time", "source"})) return;
        if (value.contains("time"))
            price.time = values.time(value.at("time"), here + "/time", {}, 1s);
        else
            problems.add(here, "\"time\" is missing");
        if (value.contains("source")) price.source = values.string(value.at("source"), here + "/source");
    } else {
        price = {values.time(value, here, {}, 1s), "set in the scenario"};
    }
}

const std::vector<std::string> kMachineKeys{"title", "base", "hz", "lazy_tlb", "costs", "tlb", "cache"};

// A number or a size, bare or as an object {key: value, "source": "..."}. Calls read(value, pointer).
template <class Read>
void read_sourced(Values& values, Problems& problems, const json& value, const std::string& pointer,
                  const char* key, std::string& source, Read read) {
    if (!value.is_object()) {
        read(value, pointer);
        source = "set in the scenario";
        return;
    }
    if (!values.object(value, pointer, {key, "source"})) return;
    if (value.contains("source")) source = values.string(value.at("source"), pointer + "/source");
    if (value.contains(key))
        read(value.at(key), pointer + "/" + key);
    else
        problems.add(pointer, fmt::format("\"{}\" is missing", key));
}

void read_tlb(Values& values, Problems& problems, const json& tlb, const std::string& here, TlbModel& model) {
    if (!values.object(tlb, here, {"entries", "tagged", "source", "footprint", "refill"})) return;
    constexpr std::int64_t kMost = 1 << 20;
    if (tlb.contains("entries"))
        model.entries =
            static_cast<std::uint32_t>(values.integer(tlb.at("entries"), here + "/entries", 0, kMost));
    if (tlb.contains("tagged")) model.tagged = values.boolean(tlb.at("tagged"), here + "/tagged");
    if (tlb.contains("source")) model.source = values.string(tlb.at("source"), here + "/source");
    if (tlb.contains("footprint"))
        read_sourced(values, problems, tlb.at("footprint"), here + "/footprint", "pages",
                     model.footprint_source, [&](const json& value, const std::string& pointer) {
                         model.footprint =
                             static_cast<std::uint32_t>(values.integer(value, pointer, 0, kMost));
                     });
    read_price(values, problems, tlb, "refill", here, model.refill);
}

void read_cache(Values& values, Problems& problems, const json& cache, const std::string& here,
                CacheModel& model) {
    if (!values.object(cache, here, {"size", "line", "source", "footprint", "refill", "stream"})) return;
    const std::size_t before = problems.count();
    if (cache.contains("size")) model.size = values.size(cache.at("size"), here + "/size", 0, kLargestSize);
    if (cache.contains("line")) model.line = values.size(cache.at("line"), here + "/line", 8, 4096);
    if (cache.contains("source")) model.source = values.string(cache.at("source"), here + "/source");
    if (cache.contains("footprint"))
        read_sourced(values, problems, cache.at("footprint"), here + "/footprint", "size",
                     model.footprint_source, [&](const json& value, const std::string& pointer) {
                         model.footprint = values.size(value, pointer, 0, kLargestSize);
                     });
    read_price(values, problems, cache, "refill", here, model.refill);
    read_price(values, problems, cache, "stream", here, model.stream);
    if (problems.count() > before || model.size == 0) return;
    if (model.line == 0)
        problems.add(here, "\"line\" is missing, like \"64B\": how much is brought in at once");
    else if (model.size % model.line != 0)
        problems.add(here, fmt::format("size ({}) is no multiple of line ({})", format_size(model.size),
                                       format_size(model.line)));
}

// The members of a machine, over what its base already set. `known_base` says that nothing was wrong with
// that.
void read_machine_members(Values& values, Problems& problems, const json& value, const std::string& pointer,
                          MachineModel& machine, bool known_base) {
    const std::size_t before = problems.count();
    if (value.contains("title")) machine.title = values.string(value.at("title"), pointer + "/title");
    if (value.contains("hz"))
        machine.hz = static_cast<std::uint32_t>(values.integer(value.at("hz"), pointer + "/hz", 1, 10'000));
    if (value.contains("lazy_tlb"))
        machine.lazy_tlb = values.boolean(value.at("lazy_tlb"), pointer + "/lazy_tlb");
    CostModel& c = machine.costs;
    if (value.contains("tlb")) read_tlb(values, problems, value.at("tlb"), pointer + "/tlb", c.tlb);
    if (value.contains("cache")) read_cache(values, problems, value.at("cache"), pointer + "/cache", c.cache);
    if (!value.contains("costs")) return;
    const json& costs = value.at("costs");
    const std::string here = pointer + "/costs";
    std::vector<std::pair<std::string, Price*>> prices{{"syscall", &c.syscall},
                                                       {"schedule", &c.schedule},
                                                       {"considered", &c.considered},
                                                       {"recalculated", &c.recalculated},
                                                       {"queue_step", &c.queue_step},
                                                       {"switch_same_mm", &c.switch_same_mm},
                                                       {"switch_other_mm", &c.switch_other_mm},
                                                       {"reschedule_ipi", &c.reschedule_ipi}};
    for (std::size_t kind = 0; kind < kKernelWorks; ++kind)
        prices.emplace_back(to_string(static_cast<KernelWork>(kind)), &c.work[kind]);
    std::vector<std::string> keys;
    for (const auto& [key, price] : prices) keys.push_back(key);
    if (!values.object(costs, here, keys)) return;
    for (const auto& [key, price] : prices) read_price(values, problems, costs, key.c_str(), here, *price);
    if (known_base && problems.count() == before && c.switch_other_mm.time < c.switch_same_mm.time)
        problems.add(here,
                     fmt::format("switch_other_mm ({}) is less than switch_same_mm ({}), which it includes",
                                 format_time(c.switch_other_mm.time), format_time(c.switch_same_mm.time)));
}

// The machine of that name, with its bases. `asked` holds the names on the way here, to notice a cycle.
MachineModel load_machine(const std::string& name, const std::string& folder, std::vector<std::string>& asked,
                          const std::function<void(std::string)>& refuse) {
    if (std::find(asked.begin(), asked.end(), name) != asked.end()) {
        refuse(
            fmt::format("the machine's base leads back to itself: {} -> {}", fmt::join(asked, " -> "), name));
        return {};
    }
    asked.push_back(name);
    const bool plain = !name.empty() && name.find_first_of("/\\") == std::string::npos && name.front() != '.';
    const std::filesystem::path path = std::filesystem::path(folder) / "machines" / (name + ".json");
    std::optional<JsonText> source;
    std::vector<Problem> given_twice;
    std::error_code error;
    if (plain && !folder.empty() && std::filesystem::exists(path, error)) {
        source.emplace(path.string(), read_text_file(path.string()), &given_twice);
    } else if (const BuiltinFile* file = plain ? find_builtin("machines/" + name + ".json") : nullptr) {
        source.emplace("builtin:machines/" + name + ".json", std::string(file->text), &given_twice);
    } else {
        const auto names = builtin_names("machines/");
        std::string hint = did_you_mean(name, names);
        if (hint.empty()) hint = "; `switchyard list machines` names those there are";
        refuse(fmt::format("unknown machine '{}'{}", shorten(name), hint));
        return {};
    }

    Problems problems(*source);
    problems.add(std::move(given_twice));
    Values values(problems);
    MachineModel machine;
    const json& value = source->value();
    std::vector<std::string> keys = kMachineKeys;
    keys.insert(keys.begin(), "format");
    if (values.object(value, "", keys)) {
        if (!value.contains("format") || value.at("format") != "switchyard-machine/1")
            problems.add(value.contains("format") ? "/format" : "",
                         value.contains("format")
                             ? "\"switchyard-machine/1\" is expected, not " + shown(value.at("format"))
                             : "\"format\": \"switchyard-machine/1\" is missing");
        const std::size_t before = problems.count();
        if (value.contains("base")) {
            const std::string base = values.name(value.at("base"), "/base");
            if (!base.empty())
                machine = load_machine(base, folder, asked, [&](std::string message) {
                    problems.add("/base", std::move(message));
                });
        }
        read_machine_members(values, problems, value, "", machine, problems.count() == before);
    }
    problems.throw_if_any();
    machine.name = name;
    return machine;
}

}  // namespace

// Reads the scenario's members in the order in which they build on each other.
class ScenarioReader {
  public:
    ScenarioReader(const JsonText& source, std::string folder)
        : problems(source), values(problems), folder_(std::move(folder)), root_(source.value()) {}

    Scenario read(std::string name) {
        scenario.name = std::move(name);
        if (values.object(root_, "",
                          {"format", "title", "question", "watch", "machine", "cpus", "policy", "seed",
                           "until", "max_tasks", "locks", "pipes", "devices", "tasks", "expect", "tour"})) {
            read_frame();
            read_machine();
            read_channels();
            read_tasks();
            read_expectations();
            read_tour();
            check_end();
        }
        problems.throw_if_any();
        return std::move(scenario);
    }

    // A time that is given or drawn; `zero` says that it is always 0.
    Duration duration(const json& value, const std::string& here, bool& zero) {
        Duration d;
        if (!value.is_object()) {
            d.a = values.time(value, here);
            zero = d.a == Nanos{};
            return d;
        }
        const std::size_t before = problems.count();
        values.object(value, here, {"exponential", "uniform"});
        if (problems.count() > before) return d;
        if (value.size() != 1) {
            problems.add(here, "a drawn time is {\"exponential\": mean} or {\"uniform\": [least, most]}");
        } else if (value.contains("exponential")) {
            d.kind = Duration::Kind::exponential;
            d.a = values.time(value.at("exponential"), here + "/exponential", 1ns);
        } else if (const json& range = value.at("uniform"); !range.is_array() || range.size() != 2) {
            problems.add(here + "/uniform", "[least, most] is expected, like [\"1ms\", \"4ms\"]");
        } else {
            d.kind = Duration::Kind::uniform;
            d.a = values.time(range[0], here + "/uniform/0");
            d.b = values.time(range[1], here + "/uniform/1");
            if (d.a > d.b && problems.count() == before)
                problems.add(here + "/uniform", "the least is above the most");
        }
        return d;
    }

    Scenario scenario;
    Problems problems;
    Values values;
    // What tasks wait on, by kind and name: each exists from its first mention, unless the scenario lists
    // those of its kind.
    using Kind = ChannelSpec::Kind;
    std::map<std::pair<Kind, std::string>, ChannelId> channels;
    bool lists_locks = false, lists_pipes = false;

    ChannelId add_channel(ChannelSpec spec) {
        const auto id = static_cast<ChannelId>(scenario.channels.size());
        channels.emplace(std::pair(spec.kind, spec.name), id);
        scenario.channels.push_back(std::move(spec));
        return id;
    }
    ChannelId add_pipe(const std::string& name, std::uint32_t capacity) {
        const ChannelId id = add_channel({.kind = Kind::pipe_readers, .name = name});
        add_channel({.kind = Kind::pipe_writers, .name = name, .capacity = capacity});
        return id;
    }
    // The one of that name. When the scenario lists those of its kind, only these exist; `word` is what it
    // calls them.
    ChannelId find_channel(Kind kind, const std::string& name, const std::string& pointer, bool listed,
                           const char* word) {
        const auto place = channels.find({kind, name});
        if (place != channels.end()) return place->second;
        if (listed && !name.empty()) {
            std::vector<std::string> names;
            for (const ChannelSpec& spec : scenario.channels)
                if (spec.kind == kind) names.push_back(spec.name);
            std::string hint = did_you_mean(name, names);
            if (hint.empty())
                hint = names.empty() ? fmt::format("; \"{}s\" describes them", word)
                                     : fmt::format("; there are {}", fmt::join(names, ", "));
            problems.add(pointer, fmt::format("there is no {} '{}'{}", word, name, hint));
        }
        return kind == Kind::pipe_readers
                   ? add_pipe(name, kPipeCapacity)
                   : add_channel({.kind = kind, .name = name, .capacity = kind == Kind::device});
    }
    std::map<std::string, std::uint32_t> groups;
    bool forks = false;
    bool endless = false;
    std::uint32_t loop_depth = 0;

  private:
    const json* find(const char* key) const { return root_.contains(key) ? &root_.at(key) : nullptr; }

    void read_frame() {
        const json* format = find("format");
        if (format == nullptr)
            problems.add("", "\"format\": \"switchyard-scenario/1\" is missing");
        else if (*format != "switchyard-scenario/1")
            problems.add("/format",
                         fmt::format("\"switchyard-scenario/1\" is expected, not {}", shown(*format)));
        if (const json* v = find("title")) scenario.title = values.string(*v, "/title");
        if (const json* v = find("question")) scenario.question = values.string(*v, "/question");
        if (const json* v = find("watch")) scenario.watch = values.string(*v, "/watch");
        if (const json* v = find("cpus")) {
            scenario.cpus = static_cast<std::uint32_t>(values.integer(*v, "/cpus", 1, kMaxCpus));
        }
        if (const json* v = find("seed"))
            scenario.seed = static_cast<std::uint64_t>(
                values.integer(*v, "/seed", 0, std::numeric_limits<std::int64_t>::max()));
        if (const json* v = find("until")) {
            scenario.until = values.time(*v, "/until", 1ns);
        }
        if (const json* v = find("policy")) {
            scenario.policy = policy(*v, "/policy");
        }
    }

    std::string policy(const json& value, const std::string& pointer) {
        const std::size_t before = problems.count();
        std::string spec = values.string(value, pointer, 256);
        if (problems.count() > before) return spec;
        try {
            make_policy(spec, scenario.cpus);
        } catch (const PolicyError& error) {
            problems.add(pointer, error.what());
        }
        return spec;
    }

    void read_machine() {
        const json* machine = find("machine");
        if (machine == nullptr) {
            problems.add("", "\"machine\" is missing: a name, like \"pentium-mmx-200\", or an object");
            return;
        }
        if (!machine->is_string() && !machine->is_object()) {
            problems.add("/machine", "a name, like \"pentium-mmx-200\", or an object is expected, not " +
                                         shown(*machine));
            return;
        }
        const std::size_t before = problems.count();
        if (machine->is_string()) {
            read_base(*machine, "/machine");
        } else {
            if (machine->contains("base")) read_base(machine->at("base"), "/machine/base");
            const bool known_base = problems.count() == before;
            values.object(*machine, "/machine", kMachineKeys);
            read_machine_members(values, problems, *machine, "/machine", scenario.machine, known_base);
        }
    }

    void read_channels() {
        const std::size_t kMost = kMaxTasks;
        if (const json* list = find("locks")) {
            lists_locks = true;
            if (!list->is_array())
                problems.add("/locks", "a list of names in [ ] is expected, not " + shown(*list));
            for (std::size_t i = 0; list->is_array() && i < std::min(list->size(), kMost); ++i) {
                const std::string name = values.name((*list)[i], fmt::format("/locks/{}", i));
                if (channels.contains({Kind::lock, name}))
                    problems.add(fmt::format("/locks/{}", i), fmt::format("'{}' is there twice", name));
                else if (!name.empty())
                    add_channel({.kind = Kind::lock, .name = name});
            }
        }
        for_each_described(
            "pipes", kMost, [&](const std::string& name, const json& pipe, const std::string& here) {
                lists_pipes = true;
                std::uint32_t capacity = kPipeCapacity;
                if (values.object(pipe, here, {"capacity"}) && pipe.contains("capacity"))
                    capacity = values.size(pipe.at("capacity"), here + "/capacity", 1, kLargestSize);
                add_pipe(name, capacity);
            });
        for_each_described(
            "devices", kMost, [&](const std::string& name, const json& device, const std::string& here) {
                ChannelSpec spec{.kind = Kind::device, .name = name, .capacity = 1};
                if (values.object(device, here, {"service", "at_once"})) {
                    if (device.contains("service")) {
                        bool always_zero = false;
                        scenario.durations.push_back(
                            duration(device.at("service"), here + "/service", always_zero));
                        spec.service = static_cast<std::uint32_t>(scenario.durations.size() - 1);
                    } else {
                        problems.add(here, "\"service\" is missing: how long it takes to serve a request");
                    }
                    if (device.contains("at_once"))
                        spec.capacity = static_cast<std::uint32_t>(
                            values.integer(device.at("at_once"), here + "/at_once", 1, kMaxTasks));
                }
                add_channel(std::move(spec));
            });
    }

    template <class Read>
    void for_each_described(const char* key, std::size_t most, Read read) {
        const json* list = find(key);
        if (list == nullptr) return;
        const std::string pointer = fmt::format("/{}", key);
        if (!list->is_object())
            return problems.add(
                pointer, "an object in { } is expected, each name with what it is, not " + shown(*list));
        if (list->size() > most) return problems.add(pointer, fmt::format("more than {}", most));
        for (const auto& [key_here, value] : list->items()) {
            const std::string here = pointer + "/" + pointer_piece(key_here);
            const std::string name = values.name(key_here, here);
            if (!name.empty()) read(name, value, here);
        }
    }

    void read_base(const json& value, const std::string& pointer) {
        const std::string base = values.name(value, pointer);
        if (base.empty()) return;
        std::vector<std::string> asked;
        try {
            scenario.machine = load_machine(base, folder_, asked, [&](std::string message) {
                problems.add(pointer, std::move(message));
            });
        } catch (const ScenarioError& error) {
            problems.add(error.problems());
        }
    }

    void read_tasks() {
        const json* tasks = find("tasks");
        if (tasks == nullptr) {
            problems.add("", "\"tasks\" is missing: a list of tasks and what they do");
            return;
        }
        if (!tasks->is_array()) {
            problems.add("/tasks", "a list of tasks in [ ] is expected, not " + kind_of(*tasks));
            return;
        }
        if (tasks->size() > kMaxTasks) {
            problems.add("/tasks", fmt::format("{} entries; at most {} fit", tasks->size(), kMaxTasks));
            return;
        }
        // Names first, so that a program may fork an entry that comes later.
        std::map<std::string, MmId> mms;
        for (std::size_t i = 0; i < tasks->size(); ++i)
            read_group((*tasks)[i], "/tasks/" + std::to_string(i), mms);
        scenario.shared_mms = static_cast<MmId>(mms.size());
        for (std::size_t i = 0; i < tasks->size(); ++i) {
            const json& task = (*tasks)[i];
            const std::string pointer = "/tasks/" + std::to_string(i);
            if (!task.is_object()) continue;
            scenario.groups[i].program = static_cast<StepId>(scenario.steps.size());
            if (!task.contains("program")) {
                problems.add(pointer, "\"program\" is missing: the list of steps of the task");
                continue;
            }
            ProgramReader reader(*this, static_cast<std::uint32_t>(i));
            reader.program(task.at("program"), pointer + "/program");
            reader.end(pointer + "/program");
            scenario.steps.push_back({.action = action_index("exit")});
        }
        if (problems.count() == 0) skip_endless_ends();
        endless = endless || (problems.count() == 0 && programs_lead_in_a_circle());

        std::uint64_t total = 0;
        for (const TaskGroup& group : scenario.groups) total += group.count;
        if (total > kMaxTasks)
            problems.add("/tasks",
                         fmt::format("{} tasks in all at the start; at most {} fit", total, kMaxTasks));
        std::uint64_t rows = forks ? std::min<std::uint64_t>(total + kForkRoom, kMaxTasks) : total;
        if (const json* v = find("max_tasks")) {
            const std::size_t before = problems.count();
            rows = static_cast<std::uint64_t>(values.integer(*v, "/max_tasks", 0, kMaxTasks));
            if (rows < total && problems.count() == before)
                problems.add("/max_tasks",
                             fmt::format("{} is less than the {} tasks at the start", rows, total));
        }
        scenario.shape = {.cpus = scenario.cpus,
                          .tasks = static_cast<std::uint32_t>(std::min<std::uint64_t>(rows, kMaxTasks)),
                          .channels = static_cast<std::uint32_t>(scenario.channels.size()),
                          .loop_depth = loop_depth};
        const CostModel& costs = scenario.machine.costs;
        scenario.shape.shared_mms = scenario.shared_mms;
        scenario.shape.mms = 1 + scenario.shared_mms + scenario.shape.tasks + scenario.cpus;
        scenario.shape.recent = costs.tlb.entries > 0 || costs.cache.size > 0 ? Residency::kRemembered : 0;
    }

    // Links whatever leads to the end of an endless loop to the beginning of its body.
    void skip_endless_ends() {
        const std::uint8_t end = action_index("end of loop");
        auto& steps = scenario.steps;
        const auto skip = [&](StepId& link) {
            // The loader has refused empty endless loops, so this comes to an end.
            while (steps[link].action == end && steps[link].count == kForever) link = steps[link].target;
        };
        for (Step& step : steps) {
            skip(step.next);
            if (step.action == end || step.action == action_index("loop")) skip(step.target);
        }
    }

    // Whether a task may begin one program after the other without ever coming to an end. Programs that lead
    // to none that is left are taken away, until all are gone or every one leads on.
    bool programs_lead_in_a_circle() const {
        const std::size_t entries = scenario.groups.size();
        std::vector<std::vector<std::uint32_t>> leads_here(entries);
        std::vector<std::uint32_t> leads_on(entries, 0);
        const std::uint8_t exec = action_index("exec");
        for (std::uint32_t i = 0; i < entries; ++i) {
            const StepId end =
                i + 1 < entries ? scenario.groups[i + 1].program : static_cast<StepId>(scenario.steps.size());
            for (StepId step = scenario.groups[i].program; step < end; ++step) {
                if (scenario.steps[step].action != exec) continue;
                leads_here[scenario.steps[step].target].push_back(i);
                ++leads_on[i];
            }
        }
        std::vector<std::uint32_t> gone;
        for (std::uint32_t i = 0; i < entries; ++i)
            if (leads_on[i] == 0) gone.push_back(i);
        for (std::size_t n = 0; n < gone.size(); ++n)
            for (const std::uint32_t i : leads_here[gone[n]])
                if (--leads_on[i] == 0) gone.push_back(i);
        return gone.size() < entries;
    }

    void read_group(const json& task, const std::string& pointer, std::map<std::string, MmId>& mms) {
        scenario.groups.emplace_back();
        TaskGroup& group = scenario.groups.back();
        if (!values.object(task, pointer,
                           {"name", "count", "start", "mm", "priority", "nice", "class", "rt_priority",
                            "affinity", "working_set", "program"}))
            return;
        const auto member = [&](const char* key) { return task.contains(key) ? &task.at(key) : nullptr; };
        if (const json* v = member("name")) {
            group.name = values.name(*v, pointer + "/name");
            const auto index = static_cast<std::uint32_t>(scenario.groups.size() - 1);
            if (!group.name.empty() && !groups.emplace(group.name, index).second)
                problems.add(pointer + "/name", fmt::format("there is a task '{}' already", group.name));
            if (group.name == "idle") problems.add(pointer + "/name", "'idle' is the idle task's name");
        } else {
            problems.add(pointer, "\"name\" is missing: what the task is called");
        }
        if (const json* v = member("count"))
            group.count = static_cast<std::uint32_t>(values.integer(*v, pointer + "/count", 0, kMaxTasks));
        if (const json* v = member("start")) group.start = values.time(*v, pointer + "/start");

        if (const json* v = member("mm")) {
            if (v->is_null()) {
                group.mm = TaskGroup::Mm::kernel;
            } else if (v->is_string()) {
                group.mm = TaskGroup::Mm::shared;
                const std::string mm = values.name(*v, pointer + "/mm");
                group.shared_mm = mms.emplace(mm, static_cast<MmId>(mms.size() + 1)).first->second;
            } else {
                problems.add(
                    pointer + "/mm",
                    "a name shared by threads, or null for a kernel thread, is expected, not " + kind_of(*v));
            }
        }

        if (const json* v = member("affinity")) read_affinity(*v, pointer + "/affinity", group);
        if (const json* v = member("working_set"))
            group.working_set = values.size(*v, pointer + "/working_set", 0, kLargestSize);

        if (const json* v = member("priority")) {
            group.priority = static_cast<std::int32_t>(values.integer(*v, pointer + "/priority", 1, 40));
            group.has_priority = true;
        }
        if (const json* v = member("nice")) {
            if (group.has_priority)
                problems.add(pointer + "/nice", "give \"nice\" or \"priority\", not both", true);
            // 2.0's setpriority(): priority = 20 - nice, at least 1.
            const auto nice = static_cast<std::int32_t>(values.integer(*v, pointer + "/nice", -20, 20));
            group.priority = std::max(20 - nice, 1);
            group.has_priority = group.has_nice = true;
        }
        const std::size_t before = problems.count();
        if (const json* v = member("class")) {
            group.sched_class = values.choice<SchedClass>(
                *v, pointer + "/class",
                {{"other", SchedClass::other}, {"fifo", SchedClass::fifo}, {"rr", SchedClass::rr}});
            group.has_class = true;
        }
        if (problems.count() > before) return;  // what rt_priority may be is not known then
        const bool real_time = group.sched_class != SchedClass::other;
        if (const json* v = member("rt_priority")) {
            if (!real_time)
                problems.add(pointer + "/rt_priority",
                             "only a task of class \"fifo\" or \"rr\" has an rt_priority", true);
            else
                group.rt_priority =
                    static_cast<std::int32_t>(values.integer(*v, pointer + "/rt_priority", 1, 99));
        } else if (real_time) {
            problems.add(pointer,
                         "\"rt_priority\" (1 to 99) is missing, which class \"fifo\" and \"rr\" need");
        }
    }

    void read_affinity(const json& list, const std::string& pointer, TaskGroup& group) {
        if (!list.is_array() || list.empty()) {
            problems.add(pointer, "a list of CPUs is expected, like [0, 1], not " +
                                      (list.is_array() ? std::string("an empty one") : shown(list)));
            return;
        }
        group.affinity = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), kMaxCpus); ++i) {
            const std::string here = fmt::format("{}/{}", pointer, i);
            const std::int64_t cpu = values.integer(list[i], here, 0, kMaxCpus - 1);
            if (cpu < scenario.cpus)
                group.affinity |= std::uint64_t{1} << cpu;
            else
                problems.add(here, fmt::format("there is no CPU {}: \"cpus\" is {}, and the first is 0", cpu,
                                               scenario.cpus));
        }
        if (list.size() > kMaxCpus) problems.add(pointer, fmt::format("more than {} CPUs", kMaxCpus));
    }

    void read_expectations() {
        const json* list = find("expect");
        if (list == nullptr) return;
        if (!list->is_array()) {
            problems.add("/expect", "a list of claims in [ ] is expected, not " + kind_of(*list));
            return;
        }
        if (list->size() > kMaxClaims) {
            problems.add("/expect", fmt::format("{} claims; at most {} fit", list->size(), kMaxClaims));
            return;
        }
        for (std::size_t i = 0; i < list->size(); ++i) {
            const json& claim = (*list)[i];
            const std::string pointer = "/expect/" + std::to_string(i);
            if (!values.object(claim, pointer, {"pointer", "per", "between", "equals", "policy"})) continue;
            Expectation e;
            const auto json_pointer = [&](const char* key) {
                const std::size_t before = problems.count();
                std::string text = values.string(claim.at(key), pointer + "/" + key, kLongestPointer);
                if (problems.count() > before) return text;
                try {
                    (void)json::json_pointer(text);
                    if (text.empty())
                        problems.add(pointer + "/" + key,
                                     "a JSON pointer is expected, like \"/yields/calls\"");
                } catch (const json::exception&) {
                    const bool no_slash = !text.starts_with('/') && text.find('~') == std::string::npos;
                    problems.add(pointer + "/" + key,
                                 no_slash ? fmt::format("a JSON pointer begins with '/'; did you mean '/{}'?",
                                                        shorten(text))
                                          : "this is no JSON pointer; one looks like \"/yields/calls\"");
                }
                return text;
            };
            if (claim.contains("pointer"))
                e.pointer = json_pointer("pointer");
            else
                problems.add(pointer,
                             "\"pointer\" is missing: the figure that is claimed, like \"/yields/calls\"");
            if (claim.contains("per")) e.per = json_pointer("per");
            if (claim.contains("policy")) {
                e.policy = policy(claim.at("policy"), pointer + "/policy");
            }
            if (claim.contains("between") == claim.contains("equals")) {
                problems.add(pointer, claim.contains("equals")
                                          ? "give \"between\" or \"equals\", not both"
                                          : "\"between\": [least, most] or \"equals\": value is missing");
            } else if (claim.contains("equals")) {
                e.least = e.most = values.number(claim.at("equals"), pointer + "/equals");
            } else if (const json& between = claim.at("between");
                       !between.is_array() || between.size() != 2) {
                problems.add(pointer + "/between", "[least, most] is expected");
            } else {
                const std::size_t before = problems.count();
                e.least = values.number(between[0], pointer + "/between/0");
                e.most = values.number(between[1], pointer + "/between/1");
                if (e.least > e.most && problems.count() == before)
                    problems.add(pointer + "/between", "the least is above the most");
            }
            scenario.expectations.push_back(std::move(e));
        }
    }

    void read_tour() {
        const json* list = find("tour");
        if (list == nullptr) return;
        if (!list->is_array()) {
            problems.add("/tour", "a list of stops in [ ] is expected, not " + shown(*list));
            return;
        }
        if (list->size() > kMaxStops) {
            problems.add("/tour", fmt::format("{} stops; at most {} fit", list->size(), kMaxStops));
            return;
        }
        for (std::size_t i = 0; i < list->size(); ++i) read_stop((*list)[i], "/tour/" + std::to_string(i));
    }

    void read_stop(const json& value, const std::string& here) {
        if (!values.object(value, here,
                           {"at", "title", "caption", "policy", "compare", "pane", "look", "span"}))
            return;
        TourStop stop;
        if (!value.contains("at")) {
            problems.add(here, "\"at\" is missing: the place, like \"12.5ms\" or \"switch 37\"");
        } else {
            const std::size_t before = problems.count();
            const std::string text = values.string(value.at("at"), here + "/at", 64);
            std::string why;
            // Where the run ends is no matter here: `--until` may make it shorter than the tour.
            if (const std::optional<Place> place = parse_place(text, why))
                stop.at = *place;
            else if (problems.count() == before)
                problems.add(here + "/at", why);
        }
        if (!value.contains("caption"))
            problems.add(here, "\"caption\" is missing: what there is to say here");
        else
            stop.caption = values.string(value.at("caption"), here + "/caption", kLongestCaption);
        if (value.contains("title")) stop.title = values.string(value.at("title"), here + "/title", 80);
        if (value.contains("policy")) stop.policy = policy(value.at("policy"), here + "/policy");
        if (value.contains("compare")) stop.compare = policy(value.at("compare"), here + "/compare");
        if (value.contains("pane")) {
            std::vector<std::pair<std::string, std::string>> panes;
            for (const char* pane : kTourPanes) panes.emplace_back(pane, pane);
            stop.pane = values.choice(value.at("pane"), here + "/pane", panes);
        }
        using Look = TourStop::Look;
        if (value.contains("look"))
            stop.look = values.choice<Look>(
                value.at("look"), here + "/look",
                {{"time", Look::time}, {"switch", Look::context_switch}, {"inside", Look::inside}});
        if (value.contains("span")) stop.span = values.time(value.at("span"), here + "/span", 1ns);
        scenario.tour.push_back(std::move(stop));
    }

    void check_end() {
        if (endless && !scenario.until && find("until") == nullptr)
            problems.add("",
                         "\"until\" is missing, like \"until\": \"10s\": a program here repeats for ever");
    }

    std::string folder_;
    const json& root_;
};

// --- ProgramReader ---

bool ProgramReader::program(const json& steps, const std::string& pointer) {
    const bool outer = takes_time_;
    takes_time_ = false;
    if (!steps.is_array()) {
        scenario_.problems.add(pointer, "a list of steps in [ ] is expected, not " + shown(steps));
        takes_time_ = true;  // no second complaint
    } else {
        for (std::size_t i = 0; i < steps.size(); ++i) step(steps[i], pointer + "/" + std::to_string(i));
    }
    const bool inner = takes_time_;
    takes_time_ = outer || inner;
    return inner;
}

// The action of that name, if scenario files may use it.
static const ActionInfo* find_action(std::string_view word) {
    for (const ActionInfo& info : actions())
        if (info.name == word && info.name.find(' ') == std::string::npos) return &info;
    return nullptr;
}

static std::string unknown_action(std::string_view word) {
    std::vector<std::string> words;
    for (const ActionInfo& info : actions())
        if (info.name.find(' ') == std::string::npos) words.push_back(info.name);
    std::string hint = did_you_mean(word, words);
    if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(words, ", "));
    return fmt::format("unknown action '{}'{}", shorten(word), hint);
}

static bool allows_key(const ActionInfo& action, const std::string& key) {
    return std::find(action.keys.begin(), action.keys.end(), key) != action.keys.end();
}

static std::vector<std::string> known_keys(const ActionInfo& action) {
    std::vector<std::string> keys{action.name};
    keys.insert(keys.end(), action.keys.begin(), action.keys.end());
    return keys;
}

void ProgramReader::step(const json& value, const std::string& pointer) {
    static const json null;
    Problems& problems = scenario_.problems;
    const auto refuse_step = [&](const std::string& where, auto message, bool at_key = false) {
        problems.add(where, problems.full() ? std::string{} : message(), at_key);
        takes_time_ = true;  // no second complaint about the loop around it
    };

    const ActionInfo* action = nullptr;
    const json* argument = &null;
    std::string argument_pointer = pointer;
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        action = find_action(word);
        if (action == nullptr) return refuse_step(pointer, [&] { return unknown_action(word); });
        if (word == "loop")
            return refuse_step(pointer,
                               [] { return "a loop is written {\"loop\": \"forever\", \"steps\": [...]}"; });
        if (!action->argument.empty())
            return refuse_step(pointer, [&] {
                return fmt::format("'{}' needs {}: {{\"{}\": ...}}", word, action->argument, word);
            });
    } else if (value.is_object()) {
        for (const auto& [key, member] : value.items()) {
            const ActionInfo* candidate = find_action(key);
            if (candidate == nullptr) continue;
            if (action != nullptr)
                return refuse_step(pointer, [&, &name = key] {
                    return fmt::format("one action a step, not '{}' and '{}'", action->name, name);
                });
            action = candidate;
            argument = &member;
            argument_pointer = fmt::format("{}/{}", pointer, key);
        }
        for (const auto& [key, member] : value.items()) {
            if (find_action(key) != nullptr) continue;
            if (key == "steps" || (action != nullptr && allows_key(*action, key))) continue;
            const std::string where = pointer + "/" + pointer_piece(key);
            if (action == nullptr)
                return refuse_step(
                    where, [&, &name = key] { return unknown_action(name); }, true);
            takes_time_ = true;
            return scenario_.values.unknown_key(key, pointer, known_keys(*action));
        }
        if (action == nullptr && value.contains("steps"))
            return refuse_step(pointer, [] {
                return "\"loop\" is missing: how often to repeat the steps, a number or \"forever\"";
            });
        if (action == nullptr)
            return refuse_step(
                pointer, [] { return "a step names its action, like {\"run\": \"2ms\"} or \"yield\""; });
        if (value.contains("steps") && action->name != "loop")
            return refuse_step(
                pointer + "/steps", [] { return "only a loop has steps"; }, true);
        if (action->argument.empty())
            return refuse_step(
                argument_pointer,
                [&] { return fmt::format("'{}' takes nothing: write \"{}\"", action->name, action->name); },
                true);
    } else {
        return refuse_step(pointer, [&] {
            return "a step is expected, like {\"run\": \"2ms\"} or \"yield\", not " + shown(value);
        });
    }

    // The reader serves the steps nested in this one, too: what it knows of this one comes back after them.
    const bool took_time = takes_time_;
    const std::size_t before = problems.count();
    Current outer = std::exchange(current_, {&value, argument, pointer, argument_pointer, action->name});
    action->parse(*this);
    const Current read = std::exchange(current_, std::move(outer));

    const CostModel& costs = scenario_.scenario.machine.costs;
    const Nanos in_kernel = costs.syscall.time + (action->name == "yield" ? costs.schedule.time : Nanos{});
    if (read.never_runs) takes_time_ = took_time;
    if ((action->takes_time && !read.zero_duration) || (action->is_syscall && in_kernel > Nanos{}))
        takes_time_ = true;
    if (problems.count() > before) takes_time_ = true;  // no second complaint about the loop around it
}

StepId ProgramReader::emit(Step step, std::string_view action) {
    auto& steps = scenario_.scenario.steps;
    step.action = action_index(action.empty() ? std::string_view(current_.action) : action);
    step.next = static_cast<StepId>(steps.size() + 1);
    steps.push_back(step);
    return step.next - 1;
}

Step& ProgramReader::at(StepId id) { return scenario_.scenario.steps[id]; }

std::uint32_t ProgramReader::duration(const json& value) {
    const Duration d = scenario_.duration(value, current_.argument_pointer, current_.zero_duration);
    auto& durations = scenario_.scenario.durations;
    durations.push_back(d);
    return static_cast<std::uint32_t>(durations.size() - 1);
}

ChannelId ProgramReader::channel(const json& value) {
    const std::string name = scenario_.values.name(value, current_.argument_pointer);
    return scenario_.find_channel(ChannelSpec::Kind::channel, name, current_.argument_pointer, false,
                                  "channel");
}

ChannelId ProgramReader::own_parking() {
    const TaskGroup& group = scenario_.scenario.groups[group_];
    if (group.count != 1)
        scenario_.problems.add(current_.pointer,
                               fmt::format("only a task of which there is 1 can park: '{}' has the count {}",
                                           group.name, group.count));
    return scenario_.find_channel(ChannelSpec::Kind::parking, group.name, {}, false, "park");
}

ChannelId ProgramReader::parking(const json& value) {
    const std::size_t before = scenario_.problems.count();
    const TaskGroup& group = scenario_.scenario.groups[this->group(value, false)];
    if (group.count != 1 && scenario_.problems.count() == before)
        scenario_.problems.add(
            current_.argument_pointer,
            fmt::format("only a task of which there is 1 can be unparked: '{}' has the count {}", group.name,
                        group.count));
    return scenario_.find_channel(ChannelSpec::Kind::parking, group.name, {}, false, "park");
}

ChannelId ProgramReader::take_lock(const json& value) {
    const std::string& here = current_.argument_pointer;
    const std::string name = scenario_.values.name(value, here);
    const ChannelId lock =
        scenario_.find_channel(ChannelSpec::Kind::lock, name, here, scenario_.lists_locks, "lock");
    if (std::find(held_.begin(), held_.end(), lock) != held_.end())
        scenario_.problems.add(here,
                               fmt::format("'{}' is locked already: the task would wait for itself", name));
    else if (!name.empty())
        held_.push_back(lock);
    return lock;
}

ChannelId ProgramReader::release_lock(const json& value) {
    const std::string& here = current_.argument_pointer;
    const std::string name = scenario_.values.name(value, here);
    const ChannelId lock =
        scenario_.find_channel(ChannelSpec::Kind::lock, name, here, scenario_.lists_locks, "lock");
    const auto place = std::find(held_.begin(), held_.end(), lock);
    if (place == held_.end())
        scenario_.problems.add(here, fmt::format("'{}' is not locked here", name));
    else
        held_.erase(place);
    return lock;
}

void ProgramReader::end(const std::string& pointer) {
    for (const ChannelId lock : held_)
        scenario_.problems.add(pointer, fmt::format("the task ends while it holds the lock '{}'",
                                                    scenario_.scenario.channels[lock].name));
    held_.clear();
}

ChannelId ProgramReader::pipe(const json& value) {
    const std::string name = scenario_.values.name(value, current_.argument_pointer);
    return scenario_.find_channel(ChannelSpec::Kind::pipe_readers, name, current_.argument_pointer,
                                  scenario_.lists_pipes, "pipe");
}

std::uint32_t ProgramReader::bytes() {
    if (!current_.whole->is_object() || !current_.whole->contains("bytes")) return 1;
    return scenario_.values.size(current_.whole->at("bytes"), current_.pointer + "/bytes", 1, kLargestSize);
}

std::uint32_t ProgramReader::bytes_to_write(ChannelId pipe) {
    const std::uint32_t count = bytes();
    const ChannelSpec& room = scenario_.scenario.channels[pipe + 1];
    if (count > room.capacity)
        scenario_.problems.add(current_.pointer + "/bytes",
                               fmt::format("{} never fit into the pipe '{}', which holds {}",
                                           format_size(count), room.name, format_size(room.capacity)));
    return count;
}

ChannelId ProgramReader::device(const json& value) {
    const std::string name = scenario_.values.name(value, current_.argument_pointer);
    return scenario_.find_channel(ChannelSpec::Kind::device, name, current_.argument_pointer, true, "device");
}

std::uint32_t ProgramReader::group(const json& value, bool makes_tasks) {
    if (makes_tasks) scenario_.forks = true;
    const std::string name = scenario_.values.name(value, current_.argument_pointer);
    if (name.empty()) return 0;
    const auto place = scenario_.groups.find(name);
    if (place != scenario_.groups.end()) return place->second;
    std::vector<std::string> names;
    constexpr std::size_t kFew = 12, kMany = 1'000;  // to list; to look through for one that is near
    if (!scenario_.problems.full() && scenario_.groups.size() <= kMany)
        for (const auto& [known, index] : scenario_.groups) names.push_back(known);
    std::string hint = did_you_mean(name, names);
    if (hint.empty() && !names.empty() && names.size() <= kFew)
        hint = fmt::format("; the tasks here are {}", fmt::join(names, ", "));
    scenario_.problems.add(current_.argument_pointer, fmt::format("there is no task '{}'{}", name, hint));
    return 0;
}

std::uint32_t ProgramReader::loop_count(const json& value) {
    Values& values = scenario_.values;
    if (value.is_string()) {
        values.choice<int>(value, current_.argument_pointer, {{"forever", 0}});
        return kForever;
    }
    if (!value.is_number()) {
        scenario_.problems.add(current_.argument_pointer,
                               "a number or \"forever\" is expected, not " + shown(value));
        return kForever;
    }
    const std::size_t before = scenario_.problems.count();
    const auto count =
        static_cast<std::uint32_t>(values.integer(value, current_.argument_pointer, 0, kForever - 1));
    current_.never_runs = count == 0 && scenario_.problems.count() == before;
    return count;
}

std::uint8_t ProgramReader::enter_loop() {
    if (depth_ == kMaxLoopDepth)
        scenario_.problems.add(current_.pointer,
                               fmt::format("loops nested more than {} deep", kMaxLoopDepth));
    scenario_.loop_depth = std::max<std::uint32_t>(scenario_.loop_depth, depth_ + 1u);
    return static_cast<std::uint8_t>(depth_++);
}

void ProgramReader::nested_program(const std::string& key, std::uint32_t count) {
    const bool forever = count == kForever;
    scenario_.endless = scenario_.endless || forever;
    if (!current_.whole->contains(key)) {
        scenario_.problems.add(current_.pointer,
                               fmt::format("\"{}\" is missing: the list of steps to repeat", key));
        return;
    }
    const std::string here = current_.pointer;
    const std::size_t problems_before = scenario_.problems.count();
    const bool before = takes_time_;
    const std::vector<ChannelId> held = held_;
    const bool takes_time = program(current_.whole->at(key), current_.pointer + "/" + key);
    // In whatever order they were taken.
    if (!std::is_permutation(held_.begin(), held_.end(), held.begin(), held.end()) &&
        scenario_.problems.count() == problems_before)
        scenario_.problems.add(here, "a round of this loop begins and ends with different locks held");
    if (count == 0) held_ = held;
    if (count == 0) takes_time_ = before;  // none of it ever happens
    if (!takes_time && forever)
        scenario_.problems.add(here, "no time passes in this endless loop: the simulation would stand still");
}

void ProgramReader::refuse() { scenario_.problems.add(current_.pointer, "this is not a step"); }

// --- the built-in files ---

const BuiltinFile* find_builtin(std::string_view name) {
    for (const BuiltinFile& file : builtin_files())
        if (file.name == name) return &file;
    return nullptr;
}

std::vector<std::string> builtin_names(std::string_view folder) {
    constexpr std::string_view kEnding = ".json";
    std::vector<std::string> names;
    for (const BuiltinFile& file : builtin_files()) {
        std::string_view name = file.name;
        if (!name.starts_with(folder) || name == "schema.json") continue;
        name.remove_prefix(folder.size());
        if (name.find('/') != std::string_view::npos || !name.ends_with(kEnding)) continue;
        name.remove_suffix(kEnding.size());
        names.emplace_back(name);
    }
    // The files are in order with their endings: "a-b.json" before "a.json".
    std::sort(names.begin(), names.end());
    return names;
}

// --- loading ---

Scenario parse_scenario(std::string file, std::string text, std::span<const std::string> sets,
                        const std::string& folder) {
    std::vector<Problem> given_twice;
    JsonText source(std::move(file), std::move(text), &given_twice);
    for (const std::string& assignment : sets) source.set(assignment);
    const std::string name = std::filesystem::path(source.file()).stem().string();
    ScenarioReader reader(source, folder);
    reader.problems.add(std::move(given_twice));
    return reader.read(name);
}

ScenarioText find_scenario(const std::string& path_or_name) {
    namespace fs = std::filesystem;
    std::error_code error;
    const bool looks_like_a_file = path_or_name == "-" || path_or_name.find('/') != std::string::npos ||
                                   path_or_name.ends_with(".json") || fs::exists(path_or_name, error);
    if (looks_like_a_file) {
        const std::string folder = path_or_name == "-" ? "" : fs::path(path_or_name).parent_path().string();
        return {path_or_name == "-" ? "standard input" : path_or_name, read_text_file(path_or_name),
                folder.empty() && path_or_name != "-" ? "." : folder};
    }
    if (const BuiltinFile* file = find_builtin(path_or_name + ".json"); file != nullptr)
        return {std::string(file->name), std::string(file->text), {}};
    const auto names = builtin_names("");
    throw ScenarioError(Problem{path_or_name,
                                0,
                                0,
                                {},
                                fmt::format("no such file, and no scenario of that name{} (`switchyard list "
                                            "scenarios` names them)",
                                            did_you_mean(path_or_name, names))});
}

Scenario load_scenario(const std::string& path_or_name, std::span<const std::string> sets) {
    ScenarioText found = find_scenario(path_or_name);
    return parse_scenario(std::move(found.file), std::move(found.text), sets, found.folder);
}

std::optional<Place> parse_place(std::string_view text, std::string& why) {
    const std::size_t blank = text.find_first_of(" \t");
    const std::string word(text.substr(0, blank));
    std::vector<std::string> words;
    for (const StepKind kind : kStepKinds) {
        words.emplace_back(to_string(kind));
        if (word != to_string(kind)) continue;
        std::string_view digits = blank == std::string_view::npos ? std::string_view{} : text.substr(blank);
        while (!digits.empty() && (digits.front() == ' ' || digits.front() == '\t')) digits.remove_prefix(1);
        Place place{.kind = kind};
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.n);
        if (error == std::errc{} && end == digits.data() + digits.size() && place.n > 0) return place;
        why = fmt::format("{} needs a number from 1 on: {} 37", word, word);
        return std::nullopt;
    }
    if (const std::optional<Nanos> time = parse_time(text, why)) return Place{.kind = {}, .time = *time};
    // A word and no time: the kinds are what somebody may have meant.
    if (!word.empty() && (word.front() < '0' || word.front() > '9') && word.front() != '-') {
        const std::string hint = did_you_mean(word, words);
        why = fmt::format("'{}' is no place in a run{}", shorten(text, 40),
                          hint.empty() ? "; one looks like \"12.5ms\" or \"switch 37\"" : hint);
    }
    return std::nullopt;
}

std::optional<Nanos> parse_time(std::string_view text, std::string& why) {
    const auto refuse = [&](std::string reason) -> std::optional<Nanos> {
        why = std::move(reason);
        return std::nullopt;
    };
    const std::string written = shorten(text, 40);
    const std::size_t end = text.find_first_not_of("0123456789.");
    const std::string_view digits = text.substr(0, end);
    std::string_view unit_name = end == std::string_view::npos ? std::string_view{} : text.substr(end);
    while (unit_name.starts_with(' ')) unit_name.remove_prefix(1);
    const auto no_time = [&] { return refuse(fmt::format("'{}' is no time{}", written, kTimeForms)); };
    if (text.starts_with('-')) return refuse(negative_time(text));
    if (digits.find_first_not_of('.') == std::string_view::npos ||
        std::count(digits.begin(), digits.end(), '.') > 1)
        return no_time();
    if (unit_name.starts_with(','))
        return refuse(fmt::format("'{}': a fraction is written with a point", written));
    if (unit_name.empty())
        return refuse(fmt::format("'{}' needs its unit; did you mean \"{}ms\"?", written, written));

    const auto unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                   [&](const Unit& candidate) { return candidate.name == unit_name; });
    if (unit == std::end(kUnits)) {
        std::vector<std::string> names;
        for (const Unit& known : kUnits) names.emplace_back(known.name);
        std::string hint = did_you_mean(unit_name, names);
        for (const auto& [other, meant] : kOtherUnits)
            if (unit_name == other) hint = fmt::format("; did you mean {}?", meant);
        if (hint.empty()) hint = "; units are ns, us, ms, s, min, h";
        return refuse(fmt::format("'{}' has the unknown unit '{}'{}", written, shorten(unit_name, 16), hint));
    }

    const std::size_t point = digits.find('.');
    const std::string_view whole = digits.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view{} : digits.substr(point + 1);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto too_long = [&] {
        return refuse(fmt::format("'{}' is too long: at most {}", written, kLongestTime));
    };
    std::int64_t nanos = 0;
    for (char c : whole) {
        const std::int64_t digit = (c - '0') * unit->nanos;
        if (nanos > (most - digit) / 10) return too_long();
        nanos = nanos * 10 + digit;
    }
    if (nanos > kHorizon.count()) return too_long();
    // unit * fraction / 10^digits must be a whole number. An hour is 2^13 * 3^2 * 5^11 ns, so more than 13
    // digits never are.
    std::string_view digits_left = fraction;
    while (digits_left.ends_with('0')) digits_left.remove_suffix(1);
    Wide parts = 0, scale = 1;
    for (char c : digits_left.substr(0, 16)) {
        parts = parts * 10 + static_cast<Wide>(c - '0');
        scale *= 10;
    }
    parts *= static_cast<Wide>(unit->nanos);
    if (digits_left.size() > 16 || parts % scale != 0)
        return refuse(fmt::format("'{}' is finer than a nanosecond, the smallest time there is", written));
    nanos += static_cast<std::int64_t>(parts / scale);
    if (nanos > kHorizon.count()) return too_long();
    return Nanos{nanos};
}

std::string format_time(Nanos time) {
    const std::int64_t n = time.count();
    const auto in = [&](std::int64_t unit, const char* name) {
        std::string text = fmt::format("{}", n / unit);
        if (n % unit != 0) {
            std::string digits = fmt::format("{}", unit + n % unit).substr(1);
            digits.erase(digits.find_last_not_of('0') + 1);
            text += "." + digits;
        }
        return text + name;
    };
    if (n < 1'000) return in(1, "ns");
    if (n < 1'000'000) return in(1'000, "us");
    if (n < 1'000'000'000) return in(1'000'000, "ms");
    return in(1'000'000'000, "s");
}

}  // namespace sim
