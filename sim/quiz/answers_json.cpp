#include "sim/quiz/answers_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/scenario/json_text.h"
#include "sim/scenario/json_tree.h"

namespace sim::quiz {
namespace {

// The answers in the file. The key of an answer in the file is the id of its question. `asked`: the allowed
// questions; null: all questions are allowed.
std::vector<Answer> answers_in(const JsonTree& json, const std::span<const QuestionId>* asked) {
    const JsonValue& root = json.root();
    if (!root.is_object())
        throw ScenarioError(json.problem_at(
            root, fmt::format("expected an object that maps questions to answers, got {}", kind_of(root))));
    if (root.size() > kMostAnswers)
        throw ScenarioError(json.problem_at(root, fmt::format("expected at most {} answers", kMostAnswers)));

    std::vector<Answer> answers;
    std::vector<Problem> problems;
    for (const JsonValue* value : root.children()) {
        try {
            const QuestionId id = parse_id(std::string(value->key()));
            if (asked != nullptr && std::find(asked->begin(), asked->end(), id) == asked->end())
                throw QuizError(fmt::format("question '{}' is not on this sheet", to_string(id)));
            if (!value->is_string()) {
                problems.push_back(json.problem_at(
                    *value,
                    fmt::format("expected the letter or the text of a choice, got {}", kind_of(*value))));
                continue;
            }
            Question question = make_question(id);
            const std::string said(value->text());
            const std::optional<std::size_t> choice = choice_of(question, said);
            if (!choice && said.find_first_not_of(" \t") != std::string::npos) {
                problems.push_back(json.problem_at(
                    *value, fmt::format("'{}' is not a choice of this question: expected a letter from a to "
                                        "{}, or the text of a choice",
                                        shorten(said), key_of(question.choices.size() - 1))));
                continue;
            }
            answers.push_back({std::move(question), choice});
        } catch (const QuizError& error) {
            problems.push_back(json.problem_at(*value, error.what(), /*at_key=*/true));
        }
    }
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    return answers;
}

}  // namespace

std::vector<Answer> read_answers(std::string file, std::string text) {
    const JsonTree json(std::move(file), std::move(text));
    std::vector<Answer> answers = answers_in(json, nullptr);
    if (answers.empty())
        throw ScenarioError(json.problem_at(json.root(),
                                            "the file has no answers: "
                                            "expected at least one"));
    return answers;
}

std::vector<Answer> read_answers(std::string file, std::string text, std::span<const QuestionId> asked) {
    const JsonTree json(std::move(file), std::move(text));
    std::vector<Answer> there = answers_in(json, &asked), answers;
    for (const QuestionId& id : asked) {
        const auto place = std::find_if(there.begin(), there.end(),
                                        [&](const Answer& answer) { return answer.question.id == id; });
        if (place == there.end())
            answers.push_back({make_question(id), std::nullopt});
        else
            answers.push_back(std::move(*place));
    }
    return answers;
}

std::string answers_json(std::span<const std::pair<QuestionId, std::string>> answers) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [id, key] : answers) json[to_string(id)] = key;
    return json_text(json, 2) + "\n";
}

}  // namespace sim::quiz
