// Quiz for a class: a directory with a sheet per student, and the grading of the returned answers.
#pragma once

#include <string>

#include "sim/quiz/roster.h"

namespace sim::cli {

// Creates the directory atomically: class.json, and for each student sheets/ID.txt to hand out,
// answers/ID.json to fill in and solutions/ID.txt to hand back. Throws FileError.
void write_class_folder(const quiz::ClassPlan& plan, const std::string& folder);

// Grades a directory of write_class_folder(); `format`: "text", "csv" or "json". Reports each student's
// right answers, and the mistakes of the class. Throws ScenarioError with every problem of every file.
std::string class_marks(const std::string& folder, const std::string& format);

}  // namespace sim::cli
