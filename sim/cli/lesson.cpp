// `switchyard lesson`: the lessons built into the program, as text or as a page to print.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/lesson_page.h"
#include "sim/cli/output.h"
#include "sim/os/streams.h"

namespace sim::cli {
namespace {

struct LessonOptions {
    std::string number, output;
    bool teacher = false, html = false, pdf = false;
};

std::string list_of_lessons() {
    std::string text;
    for (const Lesson& lesson : lessons()) text += fmt::format("{}  {}\n", lesson.number, lesson.title);
    return text;
}

int execute_lesson(const LessonOptions& o) {
    if (o.number.empty()) {
        if (o.teacher || o.html || o.pdf)
            throw UsageError("LESSON is missing; `switchyard lesson` lists the lessons");
        write_output_text(list_of_lessons(), o.output);
        return kDone;
    }
    if (o.pdf && o.output.empty() && os::is_terminal(os::kStandardOutput))
        throw UsageError("a PDF file cannot be written to a terminal; use --output FILE.pdf");
    const auto lesson = std::find_if(lessons().begin(), lessons().end(),
                                     [&](const Lesson& l) { return l.number == o.number; });
    const std::string_view page = o.teacher ? lesson->teachers : lesson->text;
    if (o.pdf)
        write_output_bytes(handout_pdf(page), o.output);
    else
        write_output_text(o.html ? handout_html(page) : std::string(page), o.output);
    return kDone;
}

}  // namespace

void add_lesson_command(Command& program) {
    auto o = std::make_shared<LessonOptions>();
    std::vector<std::string> numbers;
    for (const Lesson& lesson : lessons()) numbers.push_back(lesson.number);
    Command& command = program.add_command("lesson", "print a lesson; without LESSON, list all lessons");
    command.add_option("LESSON", o->number, "number of the lesson").type_name("").check(one_of(numbers));
    command.add_flag("--teacher", o->teacher, "print the teacher's page instead");
    Option& html = command.add_flag(
        "--html", o->html, "print one HTML page with the figures, and the answers at the end; needs pandoc");
    command.add_flag("--pdf", o->pdf, "like --html, but print the page as PDF; needs pandoc and weasyprint")
        .excludes(html);
    add_output_option(command, o->output);
    command.set_examples({"switchyard lesson", "switchyard lesson 4 --teacher",
                          "switchyard lesson 4 --pdf --output lesson-4.pdf"});
    command.set_action([o] { return execute_lesson(*o); });
}

}  // namespace sim::cli
