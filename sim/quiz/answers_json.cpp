#include "sim/quiz/answers_json.h"

#include <fmt/format.h>

#include "sim/scenario/json_tree.h"

namespace sim::quiz {

std::vector<Answer> read_answers(std::string file, std::string text) {
    const JsonTree json(std::move(file), std::move(text));
    const JsonValue& root = json.root();
    if (!root.is_object())
        throw ScenarioError(json.problem_at(
            root, fmt::format("an object from questions to answers is expected, not {}", kind_of(root))));
    if (root.size() > kMostAnswers)
        throw ScenarioError(json.problem_at(root, fmt::format("more than {} answers", kMostAnswers)));

    std::vector<Answer> answers;
    std::vector<Problem> problems;
    for (const JsonValue* value : root.children()) {
        try {
            const QuestionId id = parse_id(std::string(value->key()));
            if (!value->is_string()) {
                problems.push_back(json.problem_at(
                    *value, fmt::format("the key of a choice is expected, not {}", kind_of(*value))));
                continue;
            }
            Question question = make_question(id);
            const std::string said(value->text());
            const std::optional<std::size_t> choice = choice_of(question, said);
            if (!choice) {
                problems.push_back(
                    json.problem_at(*value, fmt::format("'{}' is no choice of this question: a to {} are",
                                                        shorten(said), key_of(question.choices.size() - 1))));
                continue;
            }
            answers.push_back({std::move(question), *choice});
        } catch (const QuizError& error) {
            problems.push_back(json.problem_at(*value, error.what(), /*at_key=*/true));
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    return answers;
}

}  // namespace sim::quiz
