#include "sim/cli/quiz_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/atomic_file.h"
#include "sim/base/csv.h"
#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/quiz_marks.h"
#include "sim/cli/quiz_text.h"
#include "sim/quiz/answers_json.h"
#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kPlanFile = "class.json";

std::string answers_file(const quiz::Student& student) { return "answers/" + student.id + ".json"; }

// --- the directory ---

void write_student(const quiz::ClassPlan& plan, const quiz::Student& student, AtomicDirectory& folder) {
    std::vector<quiz::Question> questions;
    std::vector<std::pair<quiz::QuestionId, std::string>> open;
    for (const quiz::QuestionId& id : questions_of(plan, student)) {
        questions.push_back(make_question(id));
        open.emplace_back(id, "");
    }
    const std::string heading = fmt::format("{}  ({})\n\n", student.name, student.id);
    folder.write(
        fmt::format("sheets/{}.txt", student.id),
        fmt::format(
            "{}In {}.json, put the letter of a choice between the quotes that follow each question's name."
            "\n\n{}",
            heading, student.id, questions_text(questions)));
    folder.write(fmt::format("solutions/{}.txt", student.id), heading + questions_with_answers(questions));
    folder.write(answers_file(student), quiz::answers_json(open));
}

// --- the scores ---

struct StudentMarks {
    quiz::Student student;
    bool handed_in = false;
    Marks marks;
};

struct ClassMarks {
    std::vector<StudentMarks> students;
    quiz::Score all;
    std::array<std::uint64_t, quiz::kMisconceptions> by{};  // number of students with each mistake
};

// Adds a problem for each answer file with an unknown id. Such a file was probably renamed, and its student
// would get no score.
void find_unknown_answer_files(const std::string& folder, const quiz::ClassPlan& plan,
                               std::vector<Problem>& problems) {
    constexpr std::size_t kMostStrangers = 20;
    std::vector<std::string> known, strangers;
    for (const quiz::Student& student : plan.students) known.push_back(student.id + ".json");
    const std::set<std::string> ours(known.begin(), known.end());
    std::error_code error;
    for (fs::directory_iterator entry(fs::path(folder) / "answers", error), end; !error && entry != end;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (!name.starts_with('.') && !ours.contains(name)) strangers.push_back(std::move(name));
    }
    if (error) problems.push_back({folder + "/answers", 0, 0, {}, error.message()});
    std::sort(strangers.begin(), strangers.end());
    for (std::size_t i = 0; i < strangers.size() && i < kMostStrangers; ++i)
        problems.push_back({folder + "/answers/" + strangers[i],
                            0,
                            0,
                            {},
                            fmt::format("answers of an unknown student: {} contains no such id{}", kPlanFile,
                                        did_you_mean(strangers[i], known))});
    if (strangers.size() > kMostStrangers)
        problems.push_back(
            {folder + "/answers",
             0,
             0,
             {},
             fmt::format("and {} more files of unknown students", strangers.size() - kMostStrangers)});
}

ClassMarks mark_class(const std::string& folder) {
    const std::string plan_file = folder + "/" + kPlanFile;
    const quiz::ClassPlan plan = quiz::read_class(plan_file, read_text_file(plan_file, kMaxJsonBytes));
    ClassMarks result;
    std::vector<Problem> problems;
    find_unknown_answer_files(folder, plan, problems);
    for (const quiz::Student& student : plan.students) {
        const std::string file = folder + "/" + answers_file(student);
        const std::vector<quiz::QuestionId> asked = questions_of(plan, student);
        try {
            std::error_code error;
            const bool handed_in = fs::symlink_status(file, error).type() != fs::file_type::not_found;
            result.students.push_back(
                {student, handed_in,
                 marks_of(quiz::read_answers(file, handed_in ? read_text_file(file, kMaxJsonBytes) : "{}",
                                             asked))});
        } catch (const ScenarioError& error) {
            problems.insert(problems.end(), error.problems().begin(), error.problems().end());
            continue;
        }
        const quiz::Score& score = result.students.back().marks.score;
        result.all.asked += score.asked;
        result.all.right += score.right;
        result.all.skipped += score.skipped;
        for (std::size_t i = 0; i < quiz::kMisconceptions; ++i) {
            result.all.mistakes[i] += score.mistakes[i];
            result.by[i] += score.mistakes[i] > 0 ? 1 : 0;
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    return result;
}

std::string class_marks_text(const ClassMarks& marks) {
    std::size_t width = 2;
    for (const StudentMarks& s : marks.students) width = std::max(width, s.student.id.size());
    std::string text = fmt::format("right  of  answered  {:<{}}  name\n", "id", width);
    for (const StudentMarks& s : marks.students) {
        const quiz::Score& score = s.marks.score;
        text += fmt::format("{:>5}{:>4}{:>10}  {:<{}}  {}\n", score.right, score.asked,
                            s.handed_in ? std::to_string(score.asked - score.skipped) : "no file",
                            s.student.id, width, s.student.name);
    }
    text += "\n" + fmt::format("{} student{}: {} of {} right, {} not answered.\n", marks.students.size(),
                               marks.students.size() == 1 ? "" : "s", marks.all.right, marks.all.asked,
                               marks.all.skipped);
    for (const quiz::Misconception m : marks.all.mistakes_made()) {
        const std::size_t i = static_cast<std::size_t>(m);
        text += fmt::format("  {} x {}, by {}\n", marks.all.mistakes[i], title_of(m), marks.by[i]);
    }
    return text;
}

// One row per student. After the scores comes one column for each mistake that was made.
std::string class_marks_csv(const ClassMarks& marks) {
    const std::vector<quiz::Misconception> mistakes_made = marks.all.mistakes_made();
    std::string text = "id,name,asked,answered,right";
    for (const quiz::Misconception m : mistakes_made) text += "," + quote_csv_cell(name_of(m));
    text += "\n";
    for (const StudentMarks& s : marks.students) {
        const quiz::Score& score = s.marks.score;
        text += fmt::format("{},{},{},{},{}", quote_untrusted_csv_cell(s.student.id),
                            quote_untrusted_csv_cell(s.student.name), score.asked,
                            score.asked - score.skipped, score.right);
        for (const quiz::Misconception m : mistakes_made)
            text += fmt::format(",{}", score.mistakes[static_cast<std::size_t>(m)]);
        text += "\n";
    }
    return text;
}

std::string class_marks_json(const ClassMarks& marks) {
    ordered_json students = ordered_json::array(), by = ordered_json::object();
    for (const StudentMarks& s : marks.students) {
        ordered_json entry{{"id", s.student.id},
                           {"name", s.student.name},
                           {"handed_in", s.handed_in},
                           {"answered", s.marks.score.asked - s.marks.score.skipped}};
        entry.update(s.marks.json());
        students.push_back(std::move(entry));
    }
    for (std::size_t i = 0; i < quiz::kMisconceptions; ++i)
        if (marks.by[i] > 0) by[std::string(name_of(static_cast<quiz::Misconception>(i)))] = marks.by[i];
    const ordered_json json{{"asked", marks.all.asked}, {"answered", marks.all.asked - marks.all.skipped},
                            {"right", marks.all.right}, {"misconceptions", mistakes_json(marks.all)},
                            {"students_with", by},      {"students", students}};
    return json_text(json, 2) + "\n";
}

}  // namespace

void write_class_folder(const quiz::ClassPlan& plan, const std::string& folder) {
    AtomicDirectory whole(folder);
    whole.write(kPlanFile, class_json(plan));
    for (const quiz::Student& student : plan.students) write_student(plan, student, whole);
    whole.finish();
}

std::string class_marks(const std::string& folder, const std::string& format) {
    const ClassMarks marks = mark_class(folder);
    return format == "csv"    ? class_marks_csv(marks)
           : format == "json" ? class_marks_json(marks)
                              : class_marks_text(marks);
}

}  // namespace sim::cli
