// Quiz for a class: a directory with a sheet per student, and the grading of the returned answers.
#pragma once

#include <string>

#include "sim/quiz/roster.h"

namespace sim::cli {

// Creates the directory atomically: class.json, and for each student sheets/ID.txt to hand out,
// answers/ID.json to fill in and solutions/ID.txt to hand back. Throws FileError.
void write_class_folder(const quiz::ClassPlan& plan, const std::string& folder);

// Grades a directory that write_class_folder() has created. `format`: "text", "csv" or "json". Reports the
// right answers of each student and the mistakes of the class. Throws ScenarioError with every problem of
// every file.
std::string class_marks(const std::string& folder, const std::string& format);

}  // namespace sim::cli
