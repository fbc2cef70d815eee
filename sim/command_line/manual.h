// Manual pages, made from the tree of commands and options that --help is also made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/command_line/arguments.h"

namespace sim::cli {

// Terms and their descriptions: {"0", "Done."}.
using Entries = std::vector<std::pair<std::string, std::string>>;

// The text of manual pages that is not in the tree of commands.
struct ManualText {
    std::string summary;  // short description of the program, for the NAME section
    std::string more;     // hints for further reading; a paragraph of every page
    Entries exit_status, files;
    std::vector<std::pair<std::string, Entries>> lists;  // sections of the program's page, by title
    std::vector<std::string> see_also;                   // pages of other programs: "perf-sched(1)"
};

struct ManualPage {
    std::string file;  // "switchyard-run.1"
    std::string text;  // roff, for the macros of man(7)
};

// The program's page and one per command. Identical for every build of a commit.
std::vector<ManualPage> manual_pages(const Command& program, const ManualText& text);

}  // namespace sim::cli
