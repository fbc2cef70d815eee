// `switchyard quiz`: asks, prints, exports and grades questions that the engine answers.
#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/atomic_file.h"
#include "sim/base/human_text.h"
#include "sim/base/input_file.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/quiz_class.h"
#include "sim/cli/quiz_marks.h"
#include "sim/cli/quiz_text.h"
#include "sim/os/streams.h"
#include "sim/quiz/exchange.h"
#include "sim/quiz/roster.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxRosterBytes = 1 << 20;

struct QuizOptions : CommonOptions {
    std::string topic, level, grade, roster, save_answers;
    // Number of questions. 0: no limit if the quiz asks the user, 10 if the quiz prints questions.
    std::uint64_t count = 0;
    std::uint64_t first = 1;  // number of the first question
    bool shows_answers = false, sheet = false;

    std::uint64_t seed_or_1() const { return seed.value_or(1); }
};

std::optional<quiz::Level> level_of(const QuizOptions& o) {
    for (const quiz::Level level : {quiz::Level::easy, quiz::Level::medium, quiz::Level::hard})
        if (o.level == to_string(level)) return level;
    return {};
}

// Question number k of the sequence that the options select.
quiz::Question question_at(const QuizOptions& o, std::uint64_t k) {
    const std::optional<quiz::Level> level = level_of(o);
    return make_question(quiz::nth_question_id(o.seed_or_1(), k, o.topic, level ? &*level : nullptr));
}

// REQUIRES: o.count > 0.
std::vector<quiz::Question> questions(const QuizOptions& o) {
    std::vector<quiz::Question> list;
    for (std::uint64_t i = 0; i < o.count; ++i) list.push_back(question_at(o, o.first + i));
    return list;
}

// --- printing ---

std::string questions_json(const QuizOptions& o) {
    ordered_json list = ordered_json::array();
    for (const quiz::Question& q : questions(o)) {
        ordered_json choices = ordered_json::array();
        for (std::size_t c = 0; c < q.choices.size(); ++c) {
            ordered_json choice{{"key", std::string(1, quiz::key_of(c))}, {"text", q.choices[c].text}};
            if (o.shows_answers) {
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
        if (o.shows_answers) {
            entry["answer"] = std::string(1, quiz::key_of(q.answer_index()));
            entry["explanation"] = q.explanation;
        }
        list.push_back(std::move(entry));
    }
    return json_text(list, 2) + "\n";
}

std::string formatted_questions(const QuizOptions& o) {
    if (o.is_json()) return questions_json(o);
    const std::vector<quiz::Question> list = questions(o);
    if (o.format == "gift") return quiz::moodle_gift(list);
    if (o.format == "moodle") return quiz::moodle_xml(list);
    if (o.sheet) return questions_text(list) + "\f\nAnswers\n\n" + answers_list(list);
    return questions_with_answers(list);
}

int make_class_directory(const QuizOptions& o) {
    if (o.output.empty()) throw UsageError("--class needs --output DIRECTORY: the directory to make");
    quiz::ClassPlan plan{o.topic, level_of(o), o.seed_or_1(), o.first, o.count, {}};
    plan.students = quiz::read_roster(o.roster == "-" ? "standard input" : o.roster,
                                      read_text_file(o.roster, kMaxRosterBytes), o.seed_or_1());
    check_question_count(plan);
    write_class_folder(plan, o.output);
    if (!o.quiet)
        write_output_text(
            fmt::format("{0}: {1} of {2}. Hand out sheets/ and answers/. When the answers are filled in:\n"
                        "  switchyard quiz --grade {0}\n",
                        o.output, pluralize(plan.students.size(), "sheet"),
                        pluralize(plan.count, "question")),
            "");
    return kDone;
}

// --- grading ---

int grade(const QuizOptions& o) {
    if (o.format == "gift" || o.format == "moodle")
        throw UsageError("--grade prints marks; expected --format text, csv or json");
    std::error_code error;  // error ignored: reading the file reports it
    if (std::filesystem::is_directory(o.grade, error)) {
        write_output_text(class_marks(o.grade, o.format), o.output);
        return kDone;
    }
    if (o.format == "csv")
        throw UsageError(
            "--format csv is for the marks of a class: use --grade DIRECTORY with a directory made by "
            "--class");
    const std::vector<quiz::Answer> answers = quiz::read_answers(o.grade == "-" ? "standard input" : o.grade,
                                                                 read_text_file(o.grade, kMaxJsonBytes));
    const Marks marks = marks_of(answers);
    write_output_text(
        o.is_json() ? json_text(marks.json(), 2) + "\n" : marks.text + "\n" + score_text(marks.score),
        o.output);
    return marks.score.right == marks.score.asked ? kDone : kFailed;
}

// --- asking ---

class InteractiveQuiz {
  public:
    explicit InteractiveQuiz(const QuizOptions& o) : o_(o), by_hand_(os::is_terminal(os::kStandardInput)) {
        if (by_hand_ && !o.output.empty())
            throw UsageError(
                "--output needs --show-answers, --sheet, --class, --grade, another --format, or standard "
                "input from a file");
        if (!o.save_answers.empty()) save();  // reports an unwritable file before the first question
    }

    void run() {
        for (std::uint64_t i = 0; !over_ && (o_.count == 0 || i < o_.count); ++i) {
            const quiz::Question q = question_at(o_, o_.first + i);
            print_immediately((i > 0 ? "\n" : "") + question_heading(q, i + 1) + question_text(q));
            if (const std::optional<std::size_t> choice = ask_for_choice(q)) mark_answer(q, *choice);
        }
        print_immediately("\n" + score_text(score_));
        if (!by_hand_) write_output_text(out_, o_.output);
    }

  private:
    void print_immediately(const std::string& text) {
        if (by_hand_)
            cli::print_immediately(text);
        else
            out_ += text;
    }

    // Reads lines until a line is an answer. Returns nullopt if the quiz is over.
    std::optional<std::size_t> ask_for_choice(const quiz::Question& q) {
        for (;;) {
            print_immediately("> ");
            std::string line;
            over_ = !in_.read_interactive_line(line);
            if (over_)
                print_immediately("\n");
            else if (!by_hand_)
                print_immediately(shorten(line) + "\n");
            over_ = over_ || line == "q" || line == "quit";
            if (over_) return {};
            if (const std::optional<std::size_t> choice = choice_of(q, line)) return choice;
            print_immediately(fmt::format("Enter a letter from a to {}, or q to end.\n",
                                          quiz::key_of(q.choices.size() - 1)));
        }
    }

    void mark_answer(const quiz::Question& q, std::size_t choice) {
        said_.emplace_back(q.id, std::string(1, quiz::key_of(choice)));
        if (!o_.save_answers.empty()) save();
        const quiz::Misconception mistake = q.choices[choice].misconception;
        score_.add_answer(mistake);
        if (mistake == quiz::Misconception::none)
            print_immediately("Right.\n" + indented(q.explanation, "  "));
        else
            print_immediately(fmt::format("Wrong. {}\nAnswer: {}", sentence_of(mistake),
                                          indented(solution_text(q), "  ").substr(2)));
    }

    // Called after each answer, so that an interruption does not lose the earlier answers.
    void save() const { write_output_text(quiz::answers_json(said_), o_.save_answers); }

    const QuizOptions& o_;
    InputFile in_{"-"};
    bool by_hand_, over_ = false;
    std::string out_;  // collected output, if the user is not at a terminal
    quiz::Score score_;
    std::vector<std::pair<quiz::QuestionId, std::string>> said_;
};

int execute_quiz(QuizOptions o) {
    if (o.seed_or_1() > kLargestSeed)  // also true for negative numbers, which are read as large numbers
        throw UsageError(fmt::format("--seed: expected 0 to {}", kLargestSeed));
    if (o.first == 0 || o.first > quiz::kLastQuestion)
        throw UsageError(fmt::format("--first: expected 1 to {}", quiz::kLastQuestion));
    if (o.count > quiz::kMostQuestions)
        throw UsageError(fmt::format("--count: expected 1 to {}", quiz::kMostQuestions));
    if (!o.grade.empty()) return grade(o);
    const bool text = o.format == "text";
    if (o.format == "csv")
        throw UsageError("--format csv is for the marks of a class: use --grade DIRECTORY");
    if (o.sheet && !text)
        throw UsageError(fmt::format("--sheet prints text; it cannot be used with --format {}", o.format));
    if (!o.roster.empty() && !text)
        throw UsageError("--class makes text sheets; it cannot be used with --format");
    const bool asks = text && !o.shows_answers && !o.sheet && o.roster.empty();
    if (!o.save_answers.empty() && !asks)
        throw UsageError("--save-answers saves answers, but with these options no question is asked");
    if (o.count == 0 && !asks) o.count = 10;
    if (!o.roster.empty()) return make_class_directory(o);
    if (asks)
        InteractiveQuiz(o).run();
    else if (o.sheet)
        write_output_bytes(formatted_questions(o),
                           o.output);  // write_output_text() would escape the form feed before the answers
    else
        write_output_text(formatted_questions(o), o.output);
    return kDone;
}

// Adds the options that select the questions.
void add_question_options(Command& command, QuizOptions& o) {
    std::vector<std::string> names;
    for (const quiz::Topic& topic : quiz::topics()) names.emplace_back(topic.name);
    command
        .add_option("TOPIC", o.topic,
                    "topic from `switchyard list topics` (default: the topics of lessons 1 to 8 in turn)")
        .type_name("")
        .check(one_of(names));
    command.add_option("--seed", o.seed, "seed that selects the questions (default 1)").type_name("N");
    command.add_option("--first", o.first, "number of the first question").type_name("K");
    command
        .add_option("--count", o.count,
                    "number of questions (default: no limit in the interactive quiz, otherwise 10)")
        .type_name("K");
    command.add_option("--level", o.level, "easy, medium or hard (default: all)")
        .check(one_of({"easy", "medium", "hard"}));
}

// The options that choose between asking, printing and grading.
void add_mode_options(Command& command, QuizOptions& o) {
    Option& answers =
        command.add_flag("--show-answers", o.shows_answers, "print questions and answers without asking");
    Option& sheet = command.add_flag("--sheet", o.sheet,
                                     "print a sheet with all questions, then all "
                                     "answers");
    Option& roster =
        command
            .add_option(
                "--class", o.roster,
                "make a directory with a sheet for each student in FILE, a CSV list with the columns id "
                "and name")
            .type_name("FILE");
    Option& save = command
                       .add_option("--save-answers", o.save_answers,
                                   "save the answers to FILE, in the format of --grade")
                       .type_name("FILE");
    Option& grade =
        command
            .add_option(
                "--grade", o.grade,
                "mark the answers in FILE, a JSON object {\"id\": \"key\", ...}, or those of a class in a "
                "directory made by --class")
            .type_name("FILE")
            .check({[](const std::string& file) {
                return std::string(file.empty() ? "expected a file, a directory or '-'" : "");
            }});
    for (const char* other : {"TOPIC", "--seed", "--first", "--count", "--level"})
        grade.excludes(command.option(other));
    for (Option* other : {&answers, &sheet, &roster, &save}) grade.excludes(*other);
    answers.excludes(sheet);
    for (Option* other : {&answers, &sheet, &save}) roster.excludes(*other);
}

}  // namespace

void add_quiz_command(Command& program) {
    auto o = std::make_shared<QuizOptions>();
    Command& command =
        program.add_command("quiz", "ask questions made by the simulator and mark the answers");
    add_question_options(command, *o);
    add_mode_options(command, *o);
    command
        .add_option("--format", o->format,
                    "text, json, gift or moodle (XML); for the marks of a class, also csv")
        .check(one_of({"text", "json", "csv", "gift", "moodle"}))
        .show_default();
    command
        .add_option("-o,--output", o->output,
                    "write to this file atomically; with --class, make this directory")
        .type_name("FILE");
    command.add_flag("--quiet", o->quiet, "do not show progress or hints");
    command.set_examples(
        {"switchyard quiz who-runs-next --seed 7",
         "printf 'id,name\\ns1,Ann\\ns2,Ben\\n' | switchyard quiz --class - --output monday --count 5",
         "switchyard quiz vmstat --count 20 --format moodle"});
    command.set_action([o] { return execute_quiz(*o); });
}

}  // namespace sim::cli
