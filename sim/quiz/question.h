// A question about a scheduler, generated at random and answered by the engine.
//
// A question depends only on its topic, level, seed and number, on every platform and in every version. These
// four form its id, from which it can be generated again, so grading needs only the answers. Each wrong
// choice follows from one misconception (misconceptions.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quiz/misconceptions.h"
#include "sim/quiz/random_draw.h"

namespace sim::quiz {

enum class Level : std::uint8_t { easy, medium, hard };
const char* to_string(Level level);

struct Choice {
    std::string text;
    Misconception misconception = Misconception::none;  // none: this choice is right

    bool correct() const { return misconception == Misconception::none; }
};

struct QuestionId {
    std::string topic;
    Level level = Level::easy;
    std::uint64_t seed = 1, number = 1;

    bool operator==(const QuestionId&) const = default;
};
// The id as text: "who-runs-next/easy/7/3".
std::string to_string(const QuestionId& id);
// Reads an id from untrusted text. Throws QuizError if the text is not an id.
QuestionId parse_id(std::string_view text);

struct Question {
    QuestionId id;
    std::string situation;        // text of several lines with all necessary facts
    std::string text;             // the question, without situation and choices
    std::vector<Choice> choices;  // two to four choices with the keys a to d; exactly one choice is right
    std::string explanation;      // several lines

    std::size_t answer_index() const;  // index of the right choice
};
inline char key_of(std::size_t choice) { return static_cast<char>('a' + choice); }

// A topic of questions. `make` does not set the id of the question; make_question() sets it.
struct Topic {
    const char* name;
    const char* summary;
    Question (*make)(RandomDraw& draw, Level level);
    // True if the topic is one of the topics that alternate when no topic is specified. False for topics that
    // were added in later versions, so that the topic of question 8, for example, is the same in all
    // versions.
    bool takes_turns = true;
};

// All topics, in the order in which a student learns them.
std::span<const Topic> topics();
const Topic* find_topic(std::string_view name);

// REQUIRES: the topic exists, number > 0.
Question make_question(const QuestionId& id);

// The id of question number n of this seed. If `topic` is empty, the topics with takes_turns alternate. If
// `level` is null, the question's own random numbers determine the level.
QuestionId nth_question_id(std::uint64_t seed, std::uint64_t n, std::string_view topic = {},
                           const Level* level = nullptr);

// An error in a request for a question, or in an answer.
class QuizError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The index of the choice whose key or text is `answer`; nullopt if there is none.
std::optional<std::size_t> choice_of(const Question& question, std::string_view answer);

// Texts of several lines: the question, and the feedback after an answer.
std::string question_text(const Question& question);
std::string solution_text(const Question& question);

// The number of right answers and, for each mistake, the number of wrong answers.
struct Score {
    std::uint64_t asked = 0, right = 0;
    std::uint64_t skipped = 0;  // number of questions that were not answered
    std::array<std::uint64_t, kMisconceptions> mistakes{};

    void add_answer(Misconception m) {
        ++asked;
        if (m == Misconception::none)
            ++right;
        else
            ++mistakes[static_cast<std::size_t>(m)];
    }
    void add_skipped() {
        ++asked;
        ++skipped;
    }
    // The mistakes with a count above 0, the most frequent first.
    std::vector<Misconception> mistakes_made() const;
};
// "7 of 10 right." and a line for each mistake, the most frequent first.
std::string score_text(const Score& score);

// --- functions that the topics share ---

// Shuffles the choices. REQUIRES: the first choice is the right one.
void shuffle_choices(Question& question, RandomDraw& draw);
// Adds a wrong choice, unless a choice has the same text or there are already four choices.
void add_wrong_choice(Question& question, std::string text, Misconception misconception);

}  // namespace sim::quiz
