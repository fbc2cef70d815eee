// A question about a scheduler, generated at random and answered by the engine.
//
// A question depends only on its topic, level, seed and number, on every platform and in every version. These
// are its id, from which it can be regenerated, so grading needs only the answers. Each wrong choice follows
// from one misconception (misconceptions.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quiz/draw.h"
#include "sim/quiz/misconceptions.h"

namespace sim::quiz {

enum class Level : std::uint8_t { easy, medium, hard };
const char* to_string(Level level);

struct Choice {
    std::string text;
    Misconception misconception = Misconception::none;  // none: the right choice

    bool correct() const { return misconception == Misconception::none; }
};

struct QuestionId {
    std::string topic;
    Level level = Level::easy;
    std::uint64_t seed = 1, number = 1;

    bool operator==(const QuestionId&) const = default;
};
// "who-runs-next/easy/7/3".
std::string to_string(const QuestionId& id);
// The text is untrusted. Throws QuizError.
QuestionId parse_id(std::string_view text);

struct Question {
    QuestionId id;
    std::string situation;        // several lines with all necessary facts
    std::string text;             // the question itself
    std::vector<Choice> choices;  // two to four with keys a to d, one of them right
    std::string explanation;      // several lines

    std::size_t answer() const;  // index into choices
};
inline char key_of(std::size_t choice) { return static_cast<char>('a' + choice); }

// `make` does not fill in `id`; make_question() does.
struct Topic {
    const char* name;
    const char* summary;
    Question (*make)(Draw& draw, Level level);
    // Whether the topic is used if no topic is specified. False for new topics, so that question 8 of a
    // seed never changes.
    bool takes_turns = true;
};

// All topics, in the order in which a student learns them.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// REQUIRES: the topic exists, number > 0.
Question make_question(const QuestionId& id);

// The id of question k of this seed. Without a topic, the topics that take turns alternate. Without a
// level, the question's own random numbers choose it.
QuestionId question_number(std::uint64_t seed, std::uint64_t k, std::string_view topic = {},
                           const Level* level = nullptr);

// A wrong request or answer.
class QuizError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The choice that the answer names by its key or its text; none: the answer is not a choice.
std::optional<std::size_t> choice_of(const Question& question, std::string_view answer);

// Several lines: the question, and the feedback after an answer.
std::string question_text(const Question& question);
std::string answer_text(const Question& question);

// Counts of right answers and of each mistake.
struct Score {
    std::uint64_t asked = 0, right = 0;
    std::uint64_t skipped = 0;  // not answered
    std::array<std::uint64_t, kMisconceptions> mistakes{};

    void add(Misconception m) {
        ++asked;
        if (m == Misconception::none)
            ++right;
        else
            ++mistakes[static_cast<std::size_t>(m)];
    }
    void skip() {
        ++asked;
        ++skipped;
    }
    // The mistakes with a count above 0, the most frequent first.
    std::vector<Misconception> mistakes_made() const;
};
// "7 of 10 right." and a line for each mistake, the most frequent first.
std::string score_text(const Score& score);

// --- functions that the topics share ---

// Shuffles the choices. REQUIRES: the first is the right one.
void finish_choices(Question& question, Draw& draw);
// Adds a wrong choice unless its text is present or there are four choices.
void add_choice(Question& question, std::string text, Misconception misconception);

}  // namespace sim::quiz
