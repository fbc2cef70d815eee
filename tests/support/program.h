// Starts a program and reads what it prints.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

struct Finished {
    int exit_code = -1;  // 128 and the number of the signal that ended it, as the shell counts
    std::string out, err;
};

std::ostream& operator<<(std::ostream& stream, const Finished& f);

struct ProgramStart {
    std::filesystem::path folder;          // where it runs
    std::string input;                     // what it reads
    std::vector<std::string> environment;  // "NAME=value", in place of ours of that name
};

// Runs the program to its end. The first word is a path, or a name that is searched for in PATH.
Finished run_program(const std::vector<std::string>& words, const ProgramStart& start);

// All of a file, which has to be there.
std::string content_of(const std::filesystem::path& path);
