// Who is in a class, from a list that somebody keeps in a spreadsheet, and which questions each is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/quiz/question.h"

namespace sim::quiz {

struct Student {
    std::string id;          // names their files: letters, digits and . _ @ + -, and a letter or digit first
    std::string name;        // the id if the list has none
    std::uint64_t seed = 0;  // of their questions

    bool operator==(const Student&) const = default;
};

inline constexpr std::size_t kMostStudents = 1000;

// Whether an id may name a file, on any system.
bool is_student_id(std::string_view id);

// Reads a list of students as CSV: the first line names the columns, of which `id` has to be there, `name`
// may be, and others are passed over; between them are commas, or semicolons if the first line has no comma.
// A student's seed is made from the class's seed and the id, so that it depends neither on the order nor on
// who else is there (but for the one case in a million that two would have the same). `file` is named in
// messages. Throws ScenarioError with every problem and its place.
std::vector<Student> read_roster(const std::string& file, const std::string& text, std::uint64_t seed);

// What each of a class is asked: `count` questions from number `from` on, of the student's own seed. The
// topic and the level of each are those of the class's seed, so that all have equally hard ones.
struct ClassPlan {
    std::string topic;           // empty: those that take turns
    std::optional<Level> level;  // none: each question has one of its own
    std::uint64_t seed = 1, from = 1, count = 0;
    std::vector<Student> students;

    bool operator==(const ClassPlan&) const = default;
};

// How many questions there are on a sheet, and what the last number of one can be.
inline constexpr std::uint64_t kMostQuestions = 1000, kLastQuestion = 1'000'000'000;

// How many a class may be asked in all: to make that many takes seconds.
inline constexpr std::uint64_t kMostOfAClass = 50'000;

// Throws QuizError, with the reason, when a class would be asked more than that.
void check_size(const ClassPlan& plan);

// The questions of one student, in the order of the sheet.
std::vector<QuestionId> questions_of(const ClassPlan& plan, const Student& student);

// A plan as the file that whoever marks the answers needs, and back. Reading throws ScenarioError for what
// class_json() has not written.
std::string class_json(const ClassPlan& plan);
ClassPlan read_class(const std::string& file, const std::string& text);

}  // namespace sim::quiz
