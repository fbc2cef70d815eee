// Runs a program and captures its output.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

struct Finished {
    int exit_code = -1;  // 128 + signal number if a signal ended it, as in the shell
    std::string out, err;
};

std::ostream& operator<<(std::ostream& stream, const Finished& f);

struct ProgramSetup {
    std::filesystem::path folder;          // working directory
    std::string input;                     // standard input
    std::vector<std::string> environment;  // "NAME=value"; overrides the inherited variable
};

// Runs the program until it ends. The first word is a path, or a name that is searched in PATH.
Finished run_program(const std::vector<std::string>& words, const ProgramSetup& start);

// Contents of a file. REQUIRES: the file exists.
std::string content_of(const std::filesystem::path& path);
