#include "sim/cli/quiz_marks.h"

#include <fmt/format.h>

namespace sim::cli {

using nlohmann::ordered_json;

Marks marks_of(std::span<const quiz::Answer> answers) {
    Marks marks{.score = {}, .text = {}, .questions = ordered_json::array()};
    for (const quiz::Answer& answer : answers) {
        const quiz::Question& q = answer.question;
        const std::string id = to_string(q.id);
        const std::string solution = fmt::format("the answer is {}) {}", quiz::key_of(q.answer_index()),
                                                 q.choices[q.answer_index()].text);
        ordered_json entry{{"id", id},
                           {"said", {}},
                           {"answer", std::string(1, quiz::key_of(q.answer_index()))},
                           {"right", false},
                           {"misconception", {}}};
        if (!answer.choice) {
            marks.score.add_skipped();
            marks.text += fmt::format("none   {}: not answered; {}\n", id, solution);
        } else {
            const bool right = q.choices[*answer.choice].correct();
            marks.score.add_answer(answer.mistake());
            marks.text +=
                fmt::format("{}  {}: {}) {}{}\n", right ? "right" : "wrong", id, quiz::key_of(*answer.choice),
                            q.choices[*answer.choice].text, right ? "" : "; " + solution);
            if (!right) marks.text += fmt::format("       {}\n", sentence_of(answer.mistake()));
            entry["said"] = std::string(1, quiz::key_of(*answer.choice));
            entry["right"] = right;
            if (!right) entry["misconception"] = name_of(answer.mistake());
        }
        marks.questions.push_back(std::move(entry));
    }
    return marks;
}

ordered_json mistakes_json(const quiz::Score& score) {
    ordered_json mistakes_made = ordered_json::object();
    for (std::size_t i = 0; i < quiz::kMisconceptions; ++i)
        if (score.mistakes[i] > 0)
            mistakes_made[std::string(name_of(static_cast<quiz::Misconception>(i)))] = score.mistakes[i];
    return mistakes_made;
}

ordered_json Marks::json() const {
    return {{"asked", score.asked},
            {"right", score.right},
            {"misconceptions", mistakes_json(score)},
            {"questions", questions}};
}

}  // namespace sim::cli
