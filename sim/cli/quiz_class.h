// A whole class: a folder with a sheet for each student, and the marks when it comes back.
#pragma once

#include <string>

#include "sim/quiz/roster.h"

namespace sim::cli {

// Makes the folder, whole or not at all: class.json, and for each student sheets/ID.txt to hand out,
// answers/ID.json to fill in and solutions/ID.txt to hand back. Throws FileError when it cannot be made.
void write_class_folder(const quiz::ClassPlan& plan, const std::string& folder);

// The marks of such a folder, as "text", "csv" or "json": each student with what was right, and the mistakes
// of all. Throws ScenarioError with every problem of every file.
std::string class_marks(const std::string& folder, const std::string& format);

}  // namespace sim::cli
