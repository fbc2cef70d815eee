// Reads a program written as words, in "program" instead of a list of steps. Scenarios made from traces use
// this form, because a list of a million steps would take gigabytes to read.
//
//     1500        run, ns                      a2000   arrival after, @2000 arrival_at, ns
//     w           wait on the channel named like the task group; w:NAME on another one
//     u:NAME      wake                         y       yield
//     f:NAME      fork                         x:NAME  exec
//     s300 k200   syscall, in_kernel, ns       e       exit
//     5[ ... ]    repeat 5 times
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>
#include <vector>

#include "sim/base/text.h"
#include "sim/scenario/program_reader.h"
#include "sim/scenario/scenario_builder.h"

namespace sim {
namespace {

constexpr std::string_view kBetweenWords = " \n\t\r";

// Removes the next word from the text and returns it; empty at the end.
std::string_view next_word(std::string_view& text) {
    const std::size_t begin = text.find_first_not_of(kBetweenWords);
    if (begin == std::string_view::npos) {
        text = {};
        return {};
    }
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kBetweenWords));
    text.remove_prefix(word.size());
    return word;
}

// The value of a word that is a whole number; negative for any other word.
std::int64_t number_in(std::string_view word) {
    std::int64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data(), end, number);
    return error == std::errc{} && last == end && !word.empty() ? number : -1;
}

}  // namespace

void ProgramReader::words(const JsonValue& value) {
    std::string_view rest = value.text();
    std::map<std::int64_t, std::uint32_t> durations;  // indices of this program's durations, by length in ns
    struct Loop {
        StepId begin;
        std::uint8_t depth;
        std::uint32_t count;
    };
    std::vector<Loop> loops;
    current_.whole = current_.argument = &value;
    length_.is_unknown();
    takes_time_ = true;  // programs of words always end, because their loops have counts
    const auto duration_of = [&](std::int64_t ns) {
        const auto [place, is_new] =
            durations.emplace(ns, static_cast<std::uint32_t>(draft_.scenario.durations.size()));
        if (is_new) draft_.scenario.durations.push_back({Duration::Kind::fixed, Nanos{ns}, {}});
        return place->second;
    };
    std::size_t count = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        ++count;
        const auto refuse = [&](const char* why) {
            draft_.problems.add(value,
                                fmt::format("word {}, '{}': {}", count, printable(shorten(word, 40)), why));
        };
        const char first = word.front();
        const std::string name(word.size() > 2 && word[1] == ':' ? word.substr(2) : std::string_view());
        const auto channel = [&](const std::string& called) {
            return draft_.find_channel(ChannelSpec::Kind::channel, called, value);
        };
        const auto entry = [&](const char* action) {
            const auto place = draft_.groups.find(name);
            if (place == draft_.groups.end()) return refuse("there is no task of that name");
            if (first == 'f') draft_.forks = true;
            emit({.target = place->second}, action);
        };
        const auto timed = [&](const char* action, std::string_view digits) {
            const std::int64_t ns = number_in(digits);
            if (ns < 0 || ns >= kHorizon.count()) return refuse("expected a time in ns, below 78 hours");
            emit({.target = duration_of(ns)}, action);
        };
        if (word.back() == '[') {
            const std::int64_t times = number_in(word.substr(0, word.size() - 1));
            if (times < 1 || times >= kForever) {
                refuse(times == 0 ? "expected at least one repetition: 1["
                                  : "expected a number of repetitions, as in 5[");
                return;
            }
            const std::uint8_t depth = enter_loop();
            loops.push_back({emit({.depth = depth, .count = static_cast<std::uint32_t>(times)}, "loop"),
                             depth, static_cast<std::uint32_t>(times)});
        } else if (word == "]") {
            if (loops.empty()) {
                refuse("no loop is open");
                return;
            }
            const Loop loop = loops.back();
            loops.pop_back();
            const StepId end =
                emit({.depth = loop.depth, .target = loop.begin + 1, .count = loop.count}, "end of loop");
            at(loop.begin).target = end + 1;
            leave_loop();
        } else if (word.size() > 1 && word.find_first_of("[]") != std::string_view::npos &&
                   (first == ']' || (first >= '0' && first <= '9'))) {
            refuse("expected spaces after '[' and before ']', as in 5[ 10 ]");
            return;
        } else if (first >= '0' && first <= '9') {
            timed("run", word);
        } else if (first == 'a') {
            timed("arrival", word.substr(1));
        } else if (first == '@') {
            timed("arrival_at", word.substr(1));
        } else if (first == 's') {
            timed("syscall", word.substr(1));
        } else if (first == 'k') {
            timed("in_kernel", word.substr(1));
        } else if (word == "w") {
            emit({.target = channel(draft_.scenario.groups[group_].name)}, "wait");
        } else if (first == 'w' && !name.empty()) {
            emit({.target = channel(name)}, "wait");
        } else if (first == 'u' && !name.empty()) {
            emit({.target = channel(name)}, "wake");
        } else if (first == 'f' && !name.empty()) {
            entry("fork");
        } else if (first == 'x' && !name.empty()) {
            entry("exec");
        } else if (word == "y") {
            emit({}, "yield");
        } else if (word == "e") {
            emit({}, "exit");
        } else {
            refuse("not a word of a program (write a list of steps in [ ])");
        }
        if (draft_.problems.full()) return;
    }
    if (!loops.empty()) draft_.problems.add(value, "a ']' is missing at the end");
}

}  // namespace sim
