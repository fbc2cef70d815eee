// Manual pages, from the same tree of commands and options that --help prints: the two cannot differ.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cli/arguments.h"

namespace sim::cli {

// Terms and what is to be said of them: {"0", "done"}.
using Entries = std::vector<std::pair<std::string, std::string>>;

// What the tree does not know.
struct ManualText {
    std::string summary;  // of the program, for its NAME line
    std::string more;     // where to read on: a paragraph of every page
    Entries exit_status, files;
    std::vector<std::pair<std::string, Entries>> lists;  // by title: sections of the program's own page
    std::vector<std::string> see_also;                   // pages of other programs: "perf-sched(1)"
};

struct ManualPage {
    std::string file;  // "switchyard-run.1"
    std::string text;  // roff, for the macros of man(7)
};

// The program's page, and one for each of its commands. The same for every build of a commit.
std::vector<ManualPage> manual_pages(const Command& program, const ManualText& text);

}  // namespace sim::cli
