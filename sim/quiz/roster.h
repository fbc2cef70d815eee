// The students of a class, read from a CSV file, and their questions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quiz/question.h"

namespace sim::quiz {

struct Student {
    std::string id;          // usable as file name: letters, digits and . _ @ + -
    std::string name;        // equal to the id if the list has no name
    std::uint64_t seed = 0;  // seed of the student's questions

    bool operator==(const Student&) const = default;
};

inline constexpr std::size_t kMostStudents = 1000;

// True if an id has only letters, digits and . _ @ + -, starts with a letter or digit, and has at most 64
// bytes. Such an id has only characters that file names may contain on any system.
bool is_student_id(std::string_view id);

// Reads a list of students as CSV. The first line names the columns: `id` is required, `name` is optional,
// other columns are ignored. The separator is the comma, or the semicolon if the first line has no comma. A
// student's seed depends on the class's seed and the student's id, but not on the order of the list. The
// order matters only if two students would have equal seeds (rare): then the later student in the list gets
// the next free seed. `file` is used in messages only. Throws ScenarioError with every problem and its
// position.
std::vector<Student> read_roster(const std::string& file, const std::string& text, std::uint64_t seed);

// A plan in which each student gets `count` questions, from number `from` on, made with the student's own
// seed. The class's seed determines topics and levels, so that the questions are equally hard for all
// students.
struct ClassPlan {
    std::string topic;           // empty: the topics with takes_turns alternate
    std::optional<Level> level;  // nullopt: each question has its own level
    std::uint64_t seed = 1, from = 1, count = 0;
    std::vector<Student> students;

    bool operator==(const ClassPlan&) const = default;
};

// Maximum number of questions on a sheet, and the highest number that a question can have.
inline constexpr std::uint64_t kMostQuestions = 1000, kLastQuestion = 1'000'000'000;

// Maximum number of questions of all students of a class together. Making so many questions takes seconds.
inline constexpr std::uint64_t kMostOfAClass = 50'000;

// Throws QuizError if the class has more than kMostOfAClass questions.
void check_question_count(const ClassPlan& plan);

// The questions of one student, in the order of the sheet.
std::vector<QuestionId> questions_of(const ClassPlan& plan, const Student& student);

// class_json() writes a plan as the text of a file for grading; read_class() reads this text. read_class()
// throws ScenarioError for a text that class_json() cannot have written.
std::string class_json(const ClassPlan& plan);
ClassPlan read_class(const std::string& file, const std::string& text);

}  // namespace sim::quiz
