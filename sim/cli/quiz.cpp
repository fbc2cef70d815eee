// `switchyard quiz`: questions from the engine itself, asked, printed, handed to an autograder, and marked.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/suggest.h"
#include "sim/base/whole_file.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/quiz/answers_json.h"
#include "sim/quiz/question.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;
using namespace sim::quiz;

constexpr std::uint64_t kMostQuestions = 1000;
constexpr std::uint64_t kLastQuestion = 1'000'000'000;
constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();

struct QuizOptions : CommonOptions {
    std::string topic, level, grade;
    std::uint64_t count = 0, from = 1;  // no count: 10, or without end where somebody answers
    bool answers = false, sheet = false;
};

// The questions that the options ask for, one after the other.
class Series {
  public:
    explicit Series(const QuizOptions& o) : o_(o), seed_(o.seed.value_or(1)), k_(o.from) {
        for (const Level level : {Level::easy, Level::medium, Level::hard})
            if (o.level == to_string(level)) level_ = level;
        has_level_ = !o.level.empty();
    }

    Question next() {
        return make_question(question_number(seed_, k_++, o_.topic, has_level_ ? &level_ : nullptr));
    }

  private:
    const QuizOptions& o_;
    std::uint64_t seed_, k_;
    Level level_ = Level::easy;
    bool has_level_ = false;
};

std::string heading(const Question& q, std::uint64_t place) {
    return fmt::format("Question {}  ({})\n\n", place, to_string(q.id));
}

std::string indented(const std::string& text, const std::string& indent) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) result += indent + text.substr(begin, end - begin);
        result += "\n";
        begin = end + 1;
    }
    return result;
}

// --- printed ---

std::string with_answers(const QuizOptions& o) {
    Series series(o);
    std::string text;
    for (std::uint64_t i = 1; i <= o.count; ++i) {
        const Question q = series.next();
        text += (i > 1 ? "\n" : "") + heading(q, i) + question_text(q) + "\nAnswer: " + answer_text(q);
        for (std::size_t c = 0; c < q.choices.size(); ++c)
            if (!q.choices[c].correct())
                text += fmt::format("Not {}: {}\n", key_of(c), sentence_of(q.choices[c].misconception));
    }
    return text;
}

std::string sheet(const QuizOptions& o) {
    Series series(o);
    std::string questions, answers;
    for (std::uint64_t i = 1; i <= o.count; ++i) {
        const Question q = series.next();
        questions += (i > 1 ? "\n" : "") + heading(q, i) + question_text(q);
        answers += fmt::format("{:>3}  {}", i, indented(answer_text(q), "     ").substr(5));
    }
    return questions + "\f\nAnswers\n\n" + answers;
}

std::string as_json(const QuizOptions& o) {
    Series series(o);
    ordered_json list = ordered_json::array();
    for (std::uint64_t i = 1; i <= o.count; ++i) {
        const Question q = series.next();
        ordered_json choices = ordered_json::array();
        for (std::size_t c = 0; c < q.choices.size(); ++c) {
            ordered_json choice{{"key", std::string(1, key_of(c))}, {"text", q.choices[c].text}};
            if (o.answers) {
                choice["correct"] = q.choices[c].correct();
                choice["misconception"] = q.choices[c].correct()
                                              ? ordered_json()
                                              : ordered_json(name_of(q.choices[c].misconception));
            }
            choices.push_back(std::move(choice));
        }
        ordered_json entry{
            {"id", to_string(q.id)}, {"topic", q.id.topic},          {"level", to_string(q.id.level)},
            {"seed", q.id.seed},     {"number", q.id.number},        {"situation", q.situation},
            {"text", q.text},        {"choices", std::move(choices)}};
        if (o.answers) {
            entry["answer"] = std::string(1, key_of(q.answer()));
            entry["explanation"] = q.explanation;
        }
        list.push_back(std::move(entry));
    }
    return list.dump(2) + "\n";
}

// --- marked ---

int grade(const QuizOptions& o) {
    const std::vector<Answer> answers =
        read_answers(o.grade == "-" ? "standard input" : o.grade, read_text_file(o.grade, kMaxJsonBytes));
    Score score;
    std::string text;
    ordered_json list = ordered_json::array();
    for (const Answer& answer : answers) {
        const Question& q = answer.question;
        const Misconception mistake = q.choices[answer.choice].misconception;
        score.add(mistake);
        const bool right = mistake == Misconception::none;
        text += fmt::format(
            "{}  {}: {}) {}{}\n", right ? "right" : "wrong", to_string(q.id), key_of(answer.choice),
            q.choices[answer.choice].text,
            right ? "" : fmt::format(", but it is {}) {}", key_of(q.answer()), q.choices[q.answer()].text));
        if (!right) text += fmt::format("       {}\n", sentence_of(mistake));
        list.push_back({{"id", to_string(q.id)},
                        {"said", std::string(1, key_of(answer.choice))},
                        {"answer", std::string(1, key_of(q.answer()))},
                        {"right", right},
                        {"misconception", right ? ordered_json() : ordered_json(name_of(mistake))}});
    }
    ordered_json made = ordered_json::object();
    for (std::size_t i = 0; i < kMisconceptions; ++i)
        if (score.mistakes[i] > 0)
            made[std::string(name_of(static_cast<Misconception>(i)))] = score.mistakes[i];
    const ordered_json marks{
        {"asked", score.asked}, {"right", score.right}, {"misconceptions", made}, {"questions", list}};
    deliver(o.json() ? marks.dump(2) + "\n" : text + "\n" + score_text(score), o.output);
    return score.right == score.asked ? kDone : kFailed;
}

// --- asked ---

int ask(const QuizOptions& o) {
    const bool by_hand = isatty(STDIN_FILENO) != 0;
    if (by_hand && !o.output.empty())
        throw UsageError(
            "--output goes with --answers, --sheet, --grade, --format json or answers from a file");
    std::string out;
    const auto say = [&](const std::string& text) {
        if (by_hand) {
            fmt::print("{}", text);
            std::fflush(stdout);
        } else {
            out += text;
        }
    };
    Series series(o);
    Score score;
    bool over = false;
    for (std::uint64_t i = 1; !over && (o.count == 0 || i <= o.count); ++i) {
        const Question q = series.next();
        say((i > 1 ? "\n" : "") + heading(q, i) + question_text(q));
        for (bool answered = false; !answered && !over;) {
            say("> ");
            std::string line;
            if (!std::getline(std::cin, line)) {
                say("\n");
                over = true;
                break;
            }
            if (!by_hand) say(shorten(line) + "\n");
            if (line == "q" || line == "quit") {
                over = true;
                break;
            }
            const std::optional<std::size_t> choice = choice_of(q, line);
            if (!choice) {
                say(fmt::format("One of a to {}, please; q ends.\n", key_of(q.choices.size() - 1)));
                continue;
            }
            const Misconception mistake = q.choices[*choice].misconception;
            score.add(mistake);
            answered = true;
            if (mistake == Misconception::none)
                say("Right.\n" + indented(q.explanation, "  "));
            else
                say(fmt::format("Wrong. {}\nIt is {}", sentence_of(mistake),
                                indented(answer_text(q), "  ").substr(2)));
        }
    }
    say("\n" + score_text(score));
    if (!by_hand) deliver(out, o.output);
    return kDone;
}

int execute_quiz(QuizOptions o) {
    if (o.seed.value_or(1) > kLargestSeed)  // a negative one is, too
        throw UsageError(fmt::format("--seed takes 0 to {}", kLargestSeed));
    if (o.from == 0 || o.from > kLastQuestion)
        throw UsageError(fmt::format("--from takes 1 to {}", kLastQuestion));
    if (o.count > kMostQuestions) throw UsageError(fmt::format("--count takes 1 to {}", kMostQuestions));
    if (!o.grade.empty()) return grade(o);
    if (o.sheet && o.json()) throw UsageError("--sheet is for people; --format json has no use for it");
    if (o.count == 0 && (o.answers || o.sheet || o.json())) o.count = 10;
    if (o.json())
        deliver(as_json(o), o.output);
    else if (o.sheet)
        deliver(sheet(o), o.output);
    else if (o.answers)
        deliver(with_answers(o), o.output);
    else
        return ask(o);
    return kDone;
}

}  // namespace

void add_quiz(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<QuizOptions>();
    std::vector<std::string> names;
    for (const Topic& topic : topics()) names.emplace_back(topic.name);
    CLI::App* command = app.add_subcommand("quiz", "questions from the engine itself, asked and marked");
    CLI::Option* topic =
        command->add_option("TOPIC", o->topic, "one of `switchyard list topics`; without it all in turn")
            ->type_name("")
            ->check(one_of(names));
    CLI::Option* seed =
        command->add_option("--seed", o->seed, "other questions; 1 if not given")->type_name("N");
    CLI::Option* from =
        command->add_option("--from", o->from, "the number of the first question")->type_name("K");
    CLI::Option* count =
        command->add_option("--count", o->count, "how many; without it 10, or without end when asking")
            ->type_name("K");
    CLI::Option* level =
        command->add_option("--level", o->level, "easy, medium or hard; without it all of them")
            ->check(one_of({"easy", "medium", "hard"}));
    CLI::Option* answers = command->add_flag("--answers", o->answers, "reveal the answers without asking");
    CLI::Option* sheet = command->add_flag("--sheet", o->sheet, "a sheet to print: questions, then answers");
    CLI::Option* grade = command
                             ->add_option("--grade", o->grade,
                                          "mark the answers in FILE, a JSON object {\"id\": \"key\", ...}")
                             ->type_name("FILE");
    for (CLI::Option* other : {topic, seed, from, count, level, answers, sheet}) grade->excludes(other);
    answers->excludes(sheet);
    add_output_options(*command, *o);
    set_examples(*command,
                 {"switchyard quiz who-runs-next --seed 7", "switchyard quiz --sheet --count 12 --level easy",
                  "switchyard quiz recalculation --count 3 --format json --answers"});
    command->callback([o, &exit_code] { exit_code = execute_quiz(*o); });
}

}  // namespace sim::cli
