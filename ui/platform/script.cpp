// The parser of input scripts.
#include "ui/platform/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>

namespace ui {
namespace {

using Verb = Statement::Verb;

constexpr int kLargestNumber = 100'000;  // largest number in a script, in pixels or frames

struct VerbInfo {
    std::string_view name;
    Verb verb;
    std::string_view usage;
};
constexpr VerbInfo kVerbs[] = {
    {"key", Verb::key, "key CHORD"},
    {"hold", Verb::hold, "hold CHORD FRAMES"},
    {"text", Verb::text, "text \"words\""},
    {"move", Verb::move, "move X Y"},
    {"click", Verb::click, "click X Y [left|right|middle] [double] [MODIFIERS]"},
    {"down", Verb::down, "down X Y [left|right|middle]"},
    {"up", Verb::up, "up X Y [left|right|middle]"},
    {"drag", Verb::drag, "drag X1 Y1 X2 Y2 [left|right|middle] [MODIFIERS]"},
    {"wheel", Verb::wheel, "wheel X Y DX DY [MODIFIERS]"},
    {"wait", Verb::wait, "wait FRAMES"},
    {"settle", Verb::settle, "settle"},
    {"resize", Verb::resize, "resize W H"},
    {"drop", Verb::drop, "drop PATH"},
    {"shot", Verb::shot, "shot PATH"},
    {"expect", Verb::expect, "expect \"text\""},
    {"reject", Verb::reject, "reject \"text\""},
    {"print", Verb::print, "print"},
    {"command", Verb::command, "command ID"},
};

// The exception for an invalid statement. parse_input_script() reports its message with line and column.
struct InvalidStatement : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The column at which the statement of the line starts, from 1.
int column_of(std::string_view line) {
    const std::size_t at = line.find_first_not_of(" \t");
    return at == std::string_view::npos ? 1 : static_cast<int>(at) + 1;
}

std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> words;
    std::size_t i = 0;
    while (i < line.size()) {
        if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
            ++i;
            continue;
        }
        if (line[i] == '#') break;
        std::string word;
        if (line[i] == '"') {
            for (++i;; ++i) {
                if (i == line.size()) throw InvalidStatement("missing closing quotation mark");
                if (line[i] == '"') break;
                if (line[i] != '\\') {
                    word += line[i];
                    continue;
                }
                if (++i == line.size()) throw InvalidStatement("missing closing quotation mark");
                switch (line[i]) {
                    case 'n':
                        word += '\n';
                        break;
                    case 't':
                        word += '\t';
                        break;
                    case '"':
                        word += '"';
                        break;
                    case '\\':
                        word += '\\';
                        break;
                    default:
                        throw InvalidStatement(fmt::format("unknown escape \\{}", line[i]));
                }
            }
            ++i;
        } else {
            while (i < line.size() && line[i] != ' ' && line[i] != '\t' && line[i] != '\r') word += line[i++];
        }
        words.push_back(std::move(word));
    }
    return words;
}

// Reads the words of a statement after its verb, in order.
class ArgumentReader {
  public:
    ArgumentReader(std::span<const std::string> words, std::string_view usage)
        : words_(words), usage_(usage) {}

    const std::string& next_word() {
        if (next_ == words_.size())
            throw InvalidStatement(fmt::format("missing argument; usage: {}", usage_));
        return words_[next_++];
    }
    int next_number(int least) {
        const std::string& text = next_word();
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size())
            throw InvalidStatement(
                fmt::format("expected a whole number, got \"{}\"; usage: {}", sim::shorten(text), usage_));
        if (value < least || value > kLargestNumber)
            throw InvalidStatement(fmt::format("expected a number from {} to {}, got {}; usage: {}", least,
                                               kLargestNumber, text, usage_));
        return value;
    }
    Chord next_chord() {
        const std::string& text = next_word();
        const std::optional<Chord> chord = parse_chord(text);
        if (!chord) throw InvalidStatement(fmt::format("\"{}\" is not a key", sim::shorten(text)));
        return *chord;
    }
    // Skips the next word if it equals `expected`. Returns true if a word was skipped.
    bool skip_word(std::string_view expected) {
        if (next_ == words_.size() || words_[next_] != expected) return false;
        ++next_;
        return true;
    }
    std::uint8_t next_button() {
        if (skip_word("right")) return SDL_BUTTON_RIGHT;
        if (skip_word("middle")) return SDL_BUTTON_MIDDLE;
        skip_word("left");
        return SDL_BUTTON_LEFT;
    }
    // Reads modifiers such as "Ctrl+Shift", if the statement has any.
    Chord next_modifiers() {
        if (next_ == words_.size()) return {};
        const std::string& text = next_word();
        std::optional<Chord> chord = parse_chord(text + "+A");
        if (!chord)
            throw InvalidStatement(fmt::format("unexpected \"{}\"; usage: {}", sim::shorten(text), usage_));
        chord->key = SDL_SCANCODE_UNKNOWN;
        return *chord;
    }
    void require_end() const {
        if (next_ != words_.size())
            throw InvalidStatement(
                fmt::format("unexpected \"{}\"; usage: {}", sim::shorten(words_[next_]), usage_));
    }

  private:
    std::span<const std::string> words_;
    std::string_view usage_;
    std::size_t next_ = 0;
};

// Reads the words after the verb into the statement.
void read_arguments(Statement& statement, ArgumentReader& arguments, std::string_view usage) {
    const auto numbers = [&](std::size_t count, int least) {
        for (std::size_t i = 0; i < count; ++i) statement.numbers[i] = arguments.next_number(least);
    };
    switch (statement.verb) {
        case Verb::key:
            statement.chord = arguments.next_chord();
            break;
        case Verb::hold:
            statement.chord = arguments.next_chord();
            numbers(1, 1);
            break;
        case Verb::text:
        case Verb::drop:
        case Verb::shot:
        case Verb::expect:
        case Verb::reject:
        case Verb::command:
            statement.text = arguments.next_word();
            if (statement.text.empty())
                throw InvalidStatement(fmt::format("expected a text, got \"\"; usage: {}", usage));
            break;
        case Verb::move:
            numbers(2, -kLargestNumber);
            break;
        case Verb::click:
            numbers(2, -kLargestNumber);
            statement.button = arguments.next_button();
            statement.twice = arguments.skip_word("double");
            statement.chord = arguments.next_modifiers();
            break;
        case Verb::down:
        case Verb::up:
            numbers(2, -kLargestNumber);
            statement.button = arguments.next_button();
            break;
        case Verb::drag:
            numbers(4, -kLargestNumber);
            statement.button = arguments.next_button();
            statement.chord = arguments.next_modifiers();
            break;
        case Verb::wheel:
            numbers(4, -kLargestNumber);
            statement.chord = arguments.next_modifiers();
            break;
        case Verb::wait:
            numbers(1, 1);
            break;
        case Verb::resize:
            numbers(2, 1);
            break;
        case Verb::settle:
        case Verb::print:
            break;
    }
}

Statement parse_statement(std::span<const std::string> words) {
    const auto* entry = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                     [&](const VerbInfo& it) { return it.name == words[0]; });
    if (entry == std::end(kVerbs))
        throw InvalidStatement(fmt::format("unknown statement \"{}\"", sim::shorten(words[0])));
    ArgumentReader rest(words.subspan(1), entry->usage);
    Statement s;
    s.verb = entry->verb;
    read_arguments(s, rest, entry->usage);
    rest.require_end();
    return s;
}

}  // namespace

ParsedInputScript parse_input_script(std::string_view text, const std::string& file) {
    ParsedInputScript script{file, {}};
    std::vector<sim::Problem> problems;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        try {
            const std::vector<std::string> words = split(line);
            if (words.empty()) continue;
            script.statements.push_back(parse_statement(words));
            script.statements.back().line = number;
            script.statements.back().column = column_of(line);
        } catch (const InvalidStatement& bad) {
            problems.push_back({file, number, column_of(line), "", bad.what()});
        }
    }
    if (!problems.empty()) throw sim::ScenarioError(std::move(problems));
    return script;
}

}  // namespace ui
