#include "sim/command_line/completion_and_manual.h"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/base/text.h"

namespace sim::cli {
namespace {

// True if the text may be a candidate. File names and keys are untrusted, and the shell will run the
// completed line. So the text must not contain a character that a shell interprets, an option after a space,
// or a '~' that a shell expands. A leading "~/" is allowed, because the user typed it.
bool is_safe_in_shells(std::string_view text) {
    return is_safe_to_show(text) && text.find_first_of("\"'\\$`&|;<>(){}[]*?!#^") == std::string_view::npos &&
           (!text.starts_with('~') || text.starts_with("~/")) && text.find("=~") == text.npos &&
           text.find(":~") == text.npos && text.find(" -") == text.npos;
}

void print_candidates(const Command& program, const std::vector<std::string>& words,
                      const CandidatesByValueName& by_value_name) {
    try {
        std::string lines;
        for (const CompletionCandidate& candidate : complete_last_word(program, words, by_value_name))
            if (is_safe_in_shells(candidate.text))
                lines += fmt::format("{}\t{}\n", candidate.text, printable(candidate.help));
        print(lines);
    } catch (const std::exception&) {
        // Errors are ignored because the user is still typing; running the line reports them.
    }
}

}  // namespace

std::optional<int> run_hidden_command(const Command& program, int argc, const char* const* argv,
                                      CandidatesByValueName (*names)(), ManualText (*manual)()) {
    const std::vector<std::string> words(argv, argv + argc);
    if (words.size() > 3 && words[1] == "complete" && words[2] == "--") {
        print_candidates(program, {words.begin() + 3, words.end()}, names());
        return 0;
    }
    if (words.size() != 3 || words[1] != "manual") return {};
    for (const ManualPage& page : manual_pages(program, manual()))
        write_atomically(words[2] + "/" + page.file, page.text);
    return 0;
}

}  // namespace sim::cli
