// Reads a program that is written as words, in "program" instead of a list of steps. Scenarios made from
// traces use this form, because a list of a million steps would take gigabytes to read.
//
// The words and the steps that they denote (N: a time in ns):
// - N: run; sN: syscall; kN: in_kernel; aN: arrival after N ns of waiting; @N: arrival_at time N of the run
// - w: wait on the channel that has the name of the task group; w:NAME: wait on the channel NAME
// - u:NAME: wake; f:NAME: fork; x:NAME: exec; y: yield; e: exit
// - 5[ ... ]: repeat the words in the brackets 5 times
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

// Removes the next word from the text and returns it. Returns an empty string at the end of the text.
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

// Returns the value of a word that is a whole number, and a negative value for any other word.
std::int64_t number_in(std::string_view word) {
    std::int64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [last, error] = std::from_chars(word.data(), end, number);
    return error == std::errc{} && last == end && !word.empty() ? number : -1;
}

// Reads the words of one program.
class ProgramWordsReader {
  public:
    // `group` is the index of the task group that has the program.
    ProgramWordsReader(ProgramReader& program, ScenarioBuilder& draft, std::uint32_t group,
                       const JsonValue& value)
        : program_(program), draft_(draft), group_(group), value_(value) {}

    void read() {
        std::string_view rest = value_.text();
        for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
            word_ = word;
            ++count_;
            if (!read_word() || draft_.problems.is_full()) return;
        }
        if (!loops_.empty()) draft_.problems.add(value_, "a ']' is missing at the end");
    }

  private:
    struct OpenLoop {
        StepId begin;
        std::uint8_t depth;
        std::uint32_t count;
    };

    // Reads one word. Returns false if a problem with a loop prevents further reading.
    bool read_word() {
        const char first = word_.front();
        if (word_.back() == '[') return begin_loop();
        if (word_ == "]") return end_loop();
        const bool is_digit = first >= '0' && first <= '9';
        if (word_.size() > 1 && word_.find_first_of("[]") != std::string_view::npos &&
            (first == ']' || is_digit)) {
            refuse("expected spaces after '[' and before ']', as in 5[ 10 ]");
            return false;
        }
        const std::string_view digits = word_.substr(1);
        if (is_digit)
            add_timed_step("run", word_);
        else if (first == 'a')
            add_timed_step("arrival", digits);
        else if (first == '@')
            add_timed_step("arrival_at", digits);
        else if (first == 's')
            add_timed_step("syscall", digits);
        else if (first == 'k')
            add_timed_step("in_kernel", digits);
        else
            read_letter();
        return true;
    }

    // Reads a word without a number.
    void read_letter() {
        const char first = word_.front();
        const std::string name(word_.size() > 2 && word_[1] == ':' ? word_.substr(2) : std::string_view());
        if (word_ == "w")
            add_channel_step("wait", draft_.scenario.groups[group_].name);
        else if (first == 'w' && !name.empty())
            add_channel_step("wait", name);
        else if (first == 'u' && !name.empty())
            add_channel_step("wake", name);
        else if (first == 'f' && !name.empty())
            add_group_step("fork", name);
        else if (first == 'x' && !name.empty())
            add_group_step("exec", name);
        else if (word_ == "y")
            program_.emit({}, "yield");
        else if (word_ == "e")
            program_.emit({}, "exit");
        else
            refuse("a program cannot contain this word (write a list of steps in [ ])");
    }

    bool begin_loop() {
        const std::int64_t times = number_in(word_.substr(0, word_.size() - 1));
        if (times < 1 || times >= kForever) {
            refuse(times == 0 ? "expected at least one repetition, as in 1["
                              : "expected a number of repetitions, as in 5[");
            return false;
        }
        const auto count = static_cast<std::uint32_t>(times);
        const std::uint8_t depth = program_.enter_loop();
        loops_.push_back({program_.emit({.depth = depth, .count = count}, "loop"), depth, count});
        return true;
    }

    bool end_loop() {
        if (loops_.empty()) {
            refuse("this ']' closes no loop");
            return false;
        }
        const OpenLoop loop = loops_.back();
        loops_.pop_back();
        const StepId end = program_.emit({.depth = loop.depth, .target = loop.begin + 1, .count = loop.count},
                                         "end of loop");
        program_.at(loop.begin).target = end + 1;
        program_.leave_loop();
        return true;
    }

    void add_timed_step(const char* action, std::string_view digits) {
        const std::int64_t ns = number_in(digits);
        if (ns < 0 || ns >= kHorizon.count()) return refuse("expected a time in ns, below 78 hours");
        auto& durations = draft_.scenario.durations;
        const auto [place, is_new] = durations_.emplace(ns, static_cast<std::uint32_t>(durations.size()));
        if (is_new) durations.push_back({TimeDistribution::Kind::fixed, Nanos{ns}, {}});
        program_.emit({.target = place->second}, action);
    }

    void add_channel_step(const char* action, const std::string& name) {
        program_.emit({.target = draft_.find_channel(ChannelSpec::Kind::channel, name, value_)}, action);
    }

    void add_group_step(const char* action, const std::string& name) {
        const auto place = draft_.groups.find(name);
        if (place == draft_.groups.end()) return refuse("there is no task of that name");
        if (word_.front() == 'f') draft_.forks = true;
        program_.emit({.target = place->second}, action);
    }

    void refuse(const char* why) {
        draft_.problems.add(value_,
                            fmt::format("word {}, '{}': {}", count_, printable(shorten(word_, 40)), why));
    }

    ProgramReader& program_;
    ScenarioBuilder& draft_;
    std::uint32_t group_;
    const JsonValue& value_;
    // For each duration of this program, in ns: its index in Scenario::durations.
    std::map<std::int64_t, std::uint32_t> durations_;
    std::vector<OpenLoop> loops_;  // loops whose ']' has not been read yet
    std::string_view word_;        // the word being read
    std::size_t count_ = 0;        // number of the word `word_` in the program; the first word is 1
};

}  // namespace

void ProgramReader::read_words(const JsonValue& value) {
    current_.whole = current_.argument = &value;
    length_.append_unknown();
    // only endless loops must take time; a loop of words has a count, so it is not checked
    takes_time_ = true;
    ProgramWordsReader(*this, draft_, group_, value).read();
}

}  // namespace sim
