// A question about a scheduler, made from chance and answered by the engine.
//
// A question is a function of its topic, level, seed and number, the same on every platform and for ever;
// these four are its id, from which it can be made again, so that whoever marks answers needs the answers
// alone. Each wrong choice is what somebody would say who has got one thing wrong (misconceptions.h).
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
    Misconception misconception = Misconception::none;  // none: the right one

    bool correct() const { return misconception == Misconception::none; }
};

// Which question it is.
struct QuestionId {
    std::string topic;
    Level level = Level::easy;
    std::uint64_t seed = 1, number = 1;

    bool operator==(const QuestionId&) const = default;
};
// "who-runs-next/easy/7/3".
std::string to_string(const QuestionId& id);
// The id in a text that somebody wrote; throws QuizError with what is wrong.
QuestionId parse_id(std::string_view text);

struct Question {
    QuestionId id;
    std::string situation;        // several lines, all that has to be known
    std::string text;             // what is asked
    std::vector<Choice> choices;  // two to four; their keys are a, b, c, d; one of them is right
    std::string explanation;      // several lines

    std::size_t answer() const;  // into choices
};
inline char key_of(std::size_t choice) { return static_cast<char>('a' + choice); }

// A topic: what it is about, and how one of its questions is made; `id` is filled in by make_question().
struct Topic {
    const char* name;
    const char* summary;
    Question (*make)(Draw& draw, Level level);
    // Asked when no topic is named. Topics that are added are not: question 8 of a seed stays what it was.
    bool takes_turns = true;
};

// All topics, in the order in which one learns them.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// REQUIRES: there is such a topic, number > 0.
Question make_question(const QuestionId& id);

// Which question is number k of this seed. Without a topic those that take turns do; without a level the
// question's own chance decides.
QuestionId question_number(std::uint64_t seed, std::uint64_t k, std::string_view topic = {},
                           const Level* level = nullptr);

// A problem with what somebody asked for or answered.
class QuizError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The choice that an answer means: its key, or its text. Nothing when it means none.
std::optional<std::size_t> choice_of(const Question& question, std::string_view answer);

// The question as it is asked, and what is said afterwards, in lines.
std::string question_text(const Question& question);
std::string answer_text(const Question& question);

// How many were right, and which mistakes were made.
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
    // The mistakes that were made, the most frequent first.
    std::vector<Misconception> made() const;
};
// "7 of 10 right." and a line for each mistake, the most frequent first.
std::string score_text(const Score& score);

// What topics share.

// Puts the choices in the order of chance. REQUIRES: the first is the right one.
void finish_choices(Question& question, Draw& draw);
// Adds a wrong choice, unless there is one of that text or there are four already.
void add_choice(Question& question, std::string text, Misconception misconception);

}  // namespace sim::quiz
