#include "sim/quiz/answers_json.h"

#include <fmt/format.h>

#include "sim/scenario/json_text.h"

namespace sim::quiz {

std::vector<Answer> read_answers(std::string file, std::string text) {
    const JsonText json(std::move(file), std::move(text));
    if (!json.value().is_object())
        throw ScenarioError(json.problem_at(
            "",
            fmt::format("an object from questions to answers is expected, not {}", kind_of(json.value()))));
    if (json.value().size() > kMostAnswers)
        throw ScenarioError(json.problem_at("", fmt::format("more than {} answers", kMostAnswers)));

    std::vector<Answer> answers;
    std::vector<Problem> problems;
    std::vector<bool> at_key;
    const auto add_problem = [&](const std::string& key, std::string message, bool key_is_wrong) {
        problems.push_back({json.file(), 0, 0, "/" + pointer_piece(key), std::move(message)});
        at_key.push_back(key_is_wrong);
    };
    for (const auto& [key, value] : json.value().items()) {
        try {
            const QuestionId id = parse_id(key);
            if (!value.is_string()) {
                add_problem(key, fmt::format("the key of a choice is expected, not {}", kind_of(value)),
                            false);
                continue;
            }
            Question question = make_question(id);
            const auto& said = value.get_ref<const std::string&>();
            const std::optional<std::size_t> choice = choice_of(question, said);
            if (!choice) {
                add_problem(key,
                            fmt::format("'{}' is no choice of this question: a to {} are", shorten(said),
                                        key_of(question.choices.size() - 1)),
                            false);
                continue;
            }
            answers.push_back({std::move(question), *choice});
        } catch (const QuizError& error) {
            add_problem(key, error.what(), true);
        }
    }
    json.place(problems, at_key);
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    return answers;
}

}  // namespace sim::quiz
