#include "sim/cli/quiz_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::cli {

std::string question_heading(const quiz::Question& question, std::size_t place) {
    return fmt::format("Question {}  ({})\n\n", place, to_string(question.id));
}

std::string indented(const std::string& text, const std::string& indent) {
    std::string result;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) result += indent + text.substr(begin, end - begin);
        result += "\n";
        begin = end + 1;
    }
    return result;
}

std::string questions_text(std::span<const quiz::Question> questions) {
    std::string text;
    for (std::size_t i = 0; i < questions.size(); ++i)
        text += (i > 0 ? "\n" : "") + question_heading(questions[i], i + 1) + question_text(questions[i]);
    return text;
}

std::string answers_list(std::span<const quiz::Question> questions) {
    std::string text;
    for (std::size_t i = 0; i < questions.size(); ++i)
        text += fmt::format("{:>3}  {}", i + 1, indented(solution_text(questions[i]), "     ").substr(5));
    return text;
}

std::string questions_with_answers(std::span<const quiz::Question> questions) {
    std::string text;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const quiz::Question& q = questions[i];
        text += (i > 0 ? "\n" : "") + question_heading(q, i + 1) + question_text(q) +
                "\nAnswer: " + solution_text(q);
        for (std::size_t c = 0; c < q.choices.size(); ++c)
            if (!q.choices[c].correct())
                text += fmt::format("Not {}: {}\n", quiz::key_of(c), sentence_of(q.choices[c].misconception));
    }
    return text;
}

}  // namespace sim::cli
