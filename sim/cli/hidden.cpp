#include "sim/cli/hidden.h"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "sim/base/program.h"
#include "sim/base/text.h"
#include "sim/base/whole_file.h"

namespace sim::cli {
namespace {

// Names of files and keys are chosen by strangers, and what completion puts into a line is run with it: what
// follows a blank may be a word of its own, and is no option, and a ~ is a folder, but for those inside of a
// JSON pointer and the ~/ that somebody has typed.
bool obeyed_by_no_shell(std::string_view text) {
    return is_shown(text) && text.find_first_of("\"'\\$`&|;<>(){}[]*?!#^") == std::string_view::npos &&
           (!text.starts_with('~') || text.starts_with("~/")) && text.find("=~") == text.npos &&
           text.find(":~") == text.npos && text.find(" -") == text.npos;
}

void print_candidates(const Command& program, const std::vector<std::string>& words,
                      const NamedValues& named) {
    try {
        std::string lines;
        for (const Candidate& candidate : complete(program, words, named))
            if (obeyed_by_no_shell(candidate.text))
                lines += fmt::format("{}\t{}\n", candidate.text, printable(candidate.help));
        print(lines);
    } catch (const std::exception&) {
        // Somebody is typing: what is wrong with the line is said when it is run.
    }
}

}  // namespace

std::optional<int> run_hidden(const Command& program, int argc, const char* const* argv,
                              NamedValues (*names)(), ManualText (*manual)()) {
    const std::vector<std::string> words(argv, argv + argc);
    if (words.size() > 3 && words[1] == "complete" && words[2] == "--") {
        print_candidates(program, {words.begin() + 3, words.end()}, names());
        return 0;
    }
    if (words.size() != 3 || words[1] != "manual") return {};
    for (const ManualPage& page : manual_pages(program, manual()))
        write_whole_file(words[2] + "/" + page.file, page.text);
    return 0;
}

}  // namespace sim::cli
