#include "sim/cli/lesson_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/atomic_file.h"
#include "sim/base/child_program.h"
#include "sim/cli/command.h"
#include "sim/cli/lesson_files.h"

namespace sim::cli {
namespace {

// Style of the printed page: related parts stay together, and the answers start on a new page.
constexpr const char* kStyle = R"(
@page { size: A4; margin: 17mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font-size: 8pt; } }
body { font: 10pt/1.4 "DejaVu Serif", Georgia, serif; max-width: 178mm; margin: 0 auto; color: #111; }
h1, h2, h3 { font-family: "DejaVu Sans", Verdana, sans-serif; line-height: 1.2; break-after: avoid; }
h1 { font-size: 17pt; margin: 0 0 4mm; }
h2 { font-size: 12pt; margin: 7mm 0 2mm; }
h3 { font-size: 10pt; margin: 5mm 0 2mm; }
p, ul, ol { margin: 2mm 0; orphans: 3; widows: 3; }
li { margin: 1.5mm 0; break-inside: avoid; }
pre, code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; }
code { font-size: 0.88em; overflow-wrap: anywhere; }
pre { font-size: 8.5pt; line-height: 1.3; background: #f4f4f1; border-left: 1mm solid #c8c8c0; padding: 2mm 3mm;
      margin: 3mm 0; white-space: pre-wrap; overflow-wrap: anywhere; break-inside: avoid; }
pre code { font-size: inherit; }
table { border-collapse: collapse; margin: 3mm 0; font-size: 9pt; break-inside: avoid; }
th, td { border-bottom: 0.2mm solid #bbb; padding: 1mm 3mm 1mm 0; text-align: left; vertical-align: top; }
img { display: block; max-width: 100%; max-height: 120mm; margin: 3mm auto; break-inside: avoid; }
#answers { break-before: page; }
@media screen { body { padding: 6mm; } }
@media print { pre { font-size: 6.4pt; } }  /* the programs' widest tables have some 120 columns */
)";

constexpr std::string_view kDetails = "<details><summary>Answer</summary>", kDetailsEnd = "</details>";

std::string base64(std::string_view bytes) {
    constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63];
    }
    return out;
}

// The text of the built-in file to which a link in docs/tutorials/ refers; empty: there is no such file.
std::string_view linked_file_text(std::string_view link) {
    if (!link.starts_with("../")) return {};
    for (const LessonFile& file : lesson_files())
        if (file.name == link.substr(3)) return file.text;
    return {};
}

// Removes comments, embeds pictures, and replaces links into the documentation by their text.
// REQUIRES: `text` contains no code blocks.
std::string make_self_contained(std::string text) {
    for (std::size_t begin; (begin = text.find("<!--")) != std::string::npos;) {
        const std::size_t end = std::min(text.find("-->", begin), text.size() - 3);
        text.erase(begin, end + 3 - begin);
    }
    for (std::size_t middle = text.find("]("); middle != std::string::npos;
         middle = text.find("](", middle)) {
        const std::size_t begin = text.rfind('[', middle), end = text.find(')', middle);
        if (begin == std::string::npos || end == std::string::npos) break;
        const std::string target = text.substr(middle + 2, end - middle - 2);
        if (begin > 0 && text[begin - 1] == '!') {
            text.replace(middle + 2, target.size(),
                         "data:image/svg+xml;base64," + base64(linked_file_text(target)));
            middle = text.find(')', middle);
        } else if (target.find("://") == std::string::npos && !target.starts_with('#')) {
            text.erase(middle, end + 1 - middle);
            text.erase(begin, 1);
            --middle;
        } else {
            middle = end;
        }
    }
    return text;
}

// Runs the program words[0] with `input` on its standard input, and returns its standard output. `purpose`:
// the output that needs this program, for messages. Throws UsageError.
std::string program_output(const std::vector<std::string>& words, const std::string& input,
                           const std::string& purpose) {
    std::optional<ChildProgramResult> finished;
    try {
        finished = run_child_program(words, input);
    } catch (const FileError& error) {
        throw UsageError(error.what());
    }
    if (!finished)
        throw UsageError(
            fmt::format("{0} needs the program '{1}', which is not in the PATH; install it (on Debian: "
                        "apt-get install {1})",
                        purpose, words.front()));
    if (finished->exit_code != 0)
        throw UsageError(fmt::format("{} failed with exit code {}: {}", words.front(), finished->exit_code,
                                     finished->err.substr(0, finished->err.find('\n'))));
    return std::move(finished->out);
}

// The title without the number: "What a context switch is" for "# Lesson 1: What a context switch is".
std::string_view title_of_page(std::string_view page) {
    const std::string_view first = page.substr(0, page.find('\n'));
    return first.substr(first.find(": ") + 2);
}

}  // namespace

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> kLessons = [] {
        std::vector<Lesson> list;
        for (const LessonFile& file : lesson_files()) {
            constexpr std::string_view kFolder = "tutorials/", kTeachers = "-teacher.md";
            if (!file.name.starts_with(kFolder)) continue;
            const std::string number(file.name.substr(kFolder.size(), file.name.find('-') - kFolder.size()));
            if (list.empty() || list.back().number != number)
                list.push_back({.number = number, .title = {}, .text = {}, .teachers = {}});
            if (file.name.ends_with(kTeachers)) {
                list.back().teachers = file.text;
            } else {
                list.back().text = file.text;
                list.back().title = title_of_page(file.text);
            }
        }
        // The files are ordered by name, with 10 before 2.
        std::stable_sort(list.begin(), list.end(), [](const Lesson& a, const Lesson& b) {
            return std::pair(a.number.size(), a.number) < std::pair(b.number.size(), b.number);
        });
        return list;
    }();
    return kLessons;
}

std::string handout_markdown(std::string_view lesson) {
    std::string body, answers, prose;
    std::string* into = &body;  // &body or &answers: receives the current line
    std::string question;       // number of the latest question
    bool code = false;
    const auto end_prose = [&] { *into += make_self_contained(std::exchange(prose, {})); };
    while (!lesson.empty()) {
        const std::string line(lesson.substr(0, lesson.find('\n')));
        lesson.remove_prefix(std::min(line.size() + 1, lesson.size()));
        if (line.starts_with("```")) {
            end_prose();
            code = !code;
            *into += line + "\n";
        } else if (code) {
            *into += line + "\n";
        } else if (line == kDetails) {
            end_prose();
            into = &answers;
            answers += fmt::format("\n### Question {}\n", question);
        } else if (line == kDetailsEnd) {
            end_prose();
            into = &body;
        } else {
            const std::size_t digits = line.find_first_not_of("0123456789");
            if (digits != std::string::npos && digits > 0 && line.substr(digits).starts_with(". "))
                question = line.substr(0, digits);
            prose += line + "\n";
        }
    }
    end_prose();
    return answers.empty() ? body : body + "\n## Answers\n" + answers;
}

std::string handout_html(std::string_view lesson) {
    const std::string body =
        program_output({"pandoc", "--from", "gfm", "--to", "html5", "--no-highlight", "--wrap", "preserve"},
                       handout_markdown(lesson), "an HTML page");
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<title>{}</title>\n"
        "<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        title_of_page(lesson), kStyle, body);
}

std::string handout_pdf(std::string_view lesson) {
    return program_output({"weasyprint", "--quiet", "-", "-"}, handout_html(lesson), "a PDF file");
}

}  // namespace sim::cli
