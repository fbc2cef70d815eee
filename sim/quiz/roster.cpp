#include "sim/quiz/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/csv.h"
#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/rng.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/scenario/json_parser.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::quiz {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLongestId = 64, kLongestName = 200;  // in bytes
// Seeds are less than this; the ids of questions contain the seed.
constexpr std::uint64_t kSeeds = 1'000'000'000;
constexpr const char* kClassFormat = "switchyard-class/1";

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    for (char& c : small)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return small;
}

std::string without_blanks_around(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool has_outside_quotes(std::string_view line, char wanted) {
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == wanted && !quoted) return true;
    }
    return false;
}

// Reads the rows of students, after the row of column names, and collects their problems.
class RosterReader {
  public:
    RosterReader(const std::string& file, std::uint64_t seed) : file_(file), seed_(seed) {}

    std::vector<Student> read(const std::vector<CsvRow>& rows) {
        if (rows.empty())
            throw ScenarioError(
                Problem{file_,
                        0,
                        0,
                        {},
                        "the file is empty; expected a line 'id,name', then one line for each student"});
        find_columns(rows.front());
        for (std::size_t i = 1; i < rows.size(); ++i) read_student(rows[i]);
        if (students_.size() > kMostStudents)
            refuse(rows.back().front(), fmt::format("expected at most {} students", kMostStudents));
        if (students_.empty() && problems_.empty())
            refuse(rows.front().front(), "no students: expected a line for each student below this line");
        if (!problems_.empty()) throw ScenarioError(std::move(problems_));
        return std::move(students_);
    }

  private:
    void refuse(const CsvCell& cell, std::string message) {
        problems_.push_back({file_, cell.line, cell.column, {}, std::move(message)});
    }

    void find_columns(const CsvRow& head) {
        std::vector<std::string> names;
        for (const CsvCell& cell : head) names.push_back(in_small_letters(without_blanks_around(cell.text)));
        const auto place_of = [&](const char* name) {
            return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        };
        id_ = place_of("id");
        name_ = place_of("name");
        if (id_ < names.size()) return;
        refuse(head.front(), fmt::format("there is no column 'id'; the columns here are {}",
                                         shorten(join(names, ", "), 200)));
        throw ScenarioError(std::move(problems_));
    }

    void read_student(const CsvRow& row) {
        const auto cell = [&](std::size_t column) {
            return column < row.size() ? without_blanks_around(row[column].text) : std::string{};
        };
        const CsvCell& place = row[std::min(id_, row.size() - 1)];
        Student student{.id = cell(id_), .name = cell(name_)};
        if (student.name.empty()) student.name = student.id;
        if (student.id.empty()) return refuse(place, "this student has no id");
        if (!is_student_id(student.id))
            return refuse(place,
                          fmt::format("'{}' is not a valid id: it names files, so it must have at most {} "
                                      "letters, digits and . _ @ + -, and start with a letter or a digit",
                                      shorten(student.id), kLongestId));
        if (const auto [other, is_new] = lines_.emplace(in_small_letters(student.id), place.line); !is_new)
            return refuse(place,
                          fmt::format("duplicate id '{}': it is also in line {}", student.id, other->second));
        if (student.name.size() > kLongestName || !is_safe_to_show(student.name))
            return refuse(row[name_],
                          fmt::format("expected a name of at most {} bytes in one line", kLongestName));
        student.seed = named_random_stream(seed_, "class/" + student.id) % kSeeds;
        while (!seeds_.insert(student.seed).second) student.seed = (student.seed + 1) % kSeeds;
        students_.push_back(std::move(student));
    }

    const std::string& file_;
    std::uint64_t seed_;
    // Indices of the columns `id` and `name`. The index of a missing column is the number of columns.
    std::size_t id_ = 0, name_ = 0;
    // The line of each id. Ids are in lower case, because some file systems ignore case.
    std::map<std::string, int> lines_;
    std::set<std::uint64_t> seeds_;
    std::vector<Student> students_;
    std::vector<Problem> problems_;
};

// Reads a whole number. Refuses fractions and negative numbers, which nlohmann/json would convert to whole
// numbers.
std::uint64_t whole_number(const nlohmann::json& object, const char* key) {
    const nlohmann::json& value = object.at(key);
    if (!value.is_number_unsigned()) throw QuizError(fmt::format("'{}' must be a whole number", key));
    return value;
}

ClassPlan parse_class_plan(const nlohmann::json& json) {
    ClassPlan plan{.topic = json.at("topic"),
                   .level = {},
                   .seed = whole_number(json, "seed"),
                   .from = whole_number(json, "from"),
                   .count = whole_number(json, "count"),
                   .students = {}};
    if (!plan.topic.empty() && find_topic(plan.topic) == nullptr)
        throw QuizError(fmt::format("unknown topic '{}'", shorten(plan.topic)));
    const std::string level = json.at("level");
    for (const Level l : {Level::easy, Level::medium, Level::hard})
        if (level == to_string(l)) plan.level = l;
    if (!level.empty() && !plan.level)
        throw QuizError(
            fmt::format("'{}' is not a level: expected easy, "
                        "medium or hard",
                        shorten(level)));
    if (plan.from == 0 || plan.from > kLastQuestion || plan.count == 0 || plan.count > kMostQuestions)
        throw QuizError(fmt::format("'from' must be from 1 to {}, and 'count' from 1 to {}", kLastQuestion,
                                    kMostQuestions));
    std::set<std::string> ids;
    for (const nlohmann::json& s : json.at("students")) {
        plan.students.push_back({s.at("id"), s.at("name"), whole_number(s, "seed")});
        const std::string& id = plan.students.back().id;
        if (!is_safe_to_show(plan.students.back().name))
            throw QuizError(fmt::format("the name of '{}' has characters that cannot be shown", shorten(id)));
        if (!is_student_id(id))
            throw QuizError(fmt::format("'{}' is not a valid id of a student", shorten(id)));
        if (!ids.insert(in_small_letters(id)).second)
            throw QuizError(fmt::format("the id '{}' occurs twice", id));
        if (plan.students.size() > kMostStudents)
            throw QuizError(fmt::format("expected at most {} students", kMostStudents));
    }
    check_question_count(plan);
    return plan;
}

}  // namespace

void check_question_count(const ClassPlan& plan) {
    if (plan.students.size() * plan.count > kMostOfAClass)
        throw QuizError(fmt::format("{} students x {} questions are more than the limit of {}",
                                    plan.students.size(), plan.count, kMostOfAClass));
}

bool is_student_id(std::string_view id) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    return !id.empty() && id.size() <= kLongestId && plain(id.front()) &&
           std::all_of(id.begin(), id.end(), [&](char c) {
               return plain(c) || std::string_view("._@+-").find(c) != std::string_view::npos;
           });
}

std::vector<Student> read_roster(const std::string& file, const std::string& text, std::uint64_t seed) {
    check_size_and_characters(file, text);
    const std::string_view head = std::string_view(text).substr(0, text.find('\n'));
    const bool semicolons = !has_outside_quotes(head, ',') && has_outside_quotes(head, ';');
    return RosterReader(file, seed).read(read_csv(file, text, semicolons ? ';' : ','));
}

std::vector<QuestionId> questions_of(const ClassPlan& plan, const Student& student) {
    std::vector<QuestionId> questions;
    for (std::uint64_t k = plan.from; k < plan.from + plan.count; ++k) {
        QuestionId id = nth_question_id(plan.seed, k, plan.topic, plan.level ? &*plan.level : nullptr);
        id.seed = student.seed;
        questions.push_back(std::move(id));
    }
    return questions;
}

std::string class_json(const ClassPlan& plan) {
    ordered_json students = ordered_json::array();
    for (const Student& s : plan.students)
        students.push_back({{"id", s.id}, {"name", s.name}, {"seed", s.seed}});
    const ordered_json json{
        {"format", kClassFormat}, {"topic", plan.topic}, {"level", plan.level ? to_string(*plan.level) : ""},
        {"seed", plan.seed},      {"from", plan.from},   {"count", plan.count},
        {"students", students}};
    return json_text(json, 2) + "\n";
}

ClassPlan read_class(const std::string& file, const std::string& text) {
    const JsonTree json(file, text);
    const auto refuse = [&](const std::string& why) {
        throw ScenarioError(Problem{file, 0, 0, {}, "not a file of `switchyard quiz --class`: " + why});
    };
    const nlohmann::json plain = json.root().to_nlohmann_json();
    if (!plain.is_object() || plain.value("format", nlohmann::json()) != kClassFormat)
        refuse(fmt::format("its format is not {}", kClassFormat));
    try {
        return parse_class_plan(plain);
    } catch (const nlohmann::json::exception&) {
        refuse("a value is missing or has the wrong type");
    } catch (const QuizError& error) {
        refuse(error.what());
    }
    return {};
}

}  // namespace sim::quiz
