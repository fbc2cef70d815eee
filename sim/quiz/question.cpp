#include "sim/quiz/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <iterator>

#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

constexpr std::size_t kMostChoices = 4;

constexpr Topic kTopics[] = {
    {"who-runs-next", "which task schedule() chooses", make_who_runs_next},
    {"recalculation", "whether the counters are recalculated, and their values afterwards",
     make_recalculation},
    {"considered", "how many tasks schedule() examines, and how many counters it recalculates",
     make_considered},
    {"which-yield", "which sched_yield() a trace comes from", make_which_yield},
    {"voluntary", "voluntary or involuntary, and what caused the switch", make_voluntary},
    {"switch-cost", "which switches load page tables: threads, processes, lazy TLB", make_switch_cost},
    {"vmstat", "the line that vmstat shows for a workload", make_vmstat},
    {"o1-next", "Linux 2.6.20: which task runs next, and whether the two arrays are swapped", make_o1_next,
     false},
    {"fair-next", "CFS and EEVDF: which task has the least vruntime or the earliest deadline", make_fair_next,
     false},
};

// Number of topics that take turns (Topic::takes_turns). These topics are the first elements of kTopics.
constexpr auto kTakeTurns = static_cast<std::size_t>(
    std::count_if(std::begin(kTopics), std::end(kTopics), [](const Topic& t) { return t.takes_turns; }));

constexpr Level kLevels[] = {Level::easy, Level::medium, Level::hard};

std::vector<std::string> topic_names() {
    std::vector<std::string> names;
    for (const Topic& topic : kTopics) names.emplace_back(topic.name);
    return names;
}

std::uint64_t parse_id_number(std::string_view text, const char* part_name) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || (text.size() > 1 && text[0] == '0'))
        throw QuizError(
            fmt::format("'{}' is not a valid {} of a question: expected a whole number below 2^64, without "
                        "leading zeros",
                        shorten(text), part_name));
    return value;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

const char* to_string(Level level) {
    switch (level) {
        case Level::easy:
            return "easy";
        case Level::medium:
            return "medium";
        case Level::hard:
            return "hard";
    }
    return "?";
}

std::string to_string(const QuestionId& id) {
    return fmt::format("{}/{}/{}/{}", id.topic, to_string(id.level), id.seed, id.number);
}

QuestionId parse_id(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; parts.size() < 6;) {
        const std::size_t slash = text.find('/', begin);
        parts.push_back(text.substr(begin, slash - begin));
        if (slash == std::string_view::npos) break;
        begin = slash + 1;
    }
    if (parts.size() != 4)
        throw QuizError(
            fmt::format("'{}' is not a question: expected TOPIC/LEVEL/SEED/NUMBER", shorten(text)));
    QuestionId id;
    id.topic = parts[0];
    if (find_topic(id.topic) == nullptr)
        throw QuizError(
            fmt::format("unknown topic '{}'{}", shorten(id.topic), did_you_mean(id.topic, topic_names())));
    const auto level = std::find_if(std::begin(kLevels), std::end(kLevels),
                                    [&](Level l) { return parts[1] == to_string(l); });
    if (level == std::end(kLevels))
        throw QuizError(fmt::format("'{}' is not a level: expected easy, medium or hard", shorten(parts[1])));
    id.level = *level;
    id.seed = parse_id_number(parts[2], "seed");
    id.number = parse_id_number(parts[3], "number");
    if (id.number == 0) throw QuizError("questions are numbered from 1");
    return id;
}

std::size_t Question::answer_index() const {
    const auto place =
        std::find_if(choices.begin(), choices.end(), [](const Choice& c) { return c.correct(); });
    assert(place != choices.end());
    return static_cast<std::size_t>(place - choices.begin());
}

std::span<const Topic> topics() { return kTopics; }

const Topic* find_topic(std::string_view name) {
    const auto place =
        std::find_if(std::begin(kTopics), std::end(kTopics), [&](const Topic& t) { return name == t.name; });
    return place == std::end(kTopics) ? nullptr : place;
}

Question make_question(const QuestionId& id) {
    const Topic* const topic = find_topic(id.topic);
    assert(topic != nullptr && id.number > 0);
    RandomDraw draw(
        named_random_stream(id.seed, fmt::format("{}/{}/{}", id.topic, to_string(id.level), id.number)));
    Question question = topic->make(draw, id.level);
    question.id = id;
    return question;
}

QuestionId nth_question_id(std::uint64_t seed, std::uint64_t n, std::string_view topic, const Level* level) {
    assert(n > 0);
    QuestionId id{.topic = std::string(topic), .seed = seed, .number = n};
    if (topic.empty()) id.topic = kTopics[(n - 1) % kTakeTurns].name;
    if (level != nullptr) {
        id.level = *level;
    } else {
        RandomDraw draw(named_random_stream(seed, fmt::format("level/{}/{}", id.topic, n)));
        id.level = kLevels[draw.below(3)];
    }
    return id;
}

std::optional<std::size_t> choice_of(const Question& question, std::string_view answer) {
    const std::string_view text = trimmed(answer);
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        if (equal_ignoring_case(text, std::string(1, key_of(i)))) return i;
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        if (!text.empty() && equal_ignoring_case(text, question.choices[i].text)) return i;
    return std::nullopt;
}

std::string question_text(const Question& question) {
    std::string text = question.situation + "\n" + question.text + "\n";
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        text += fmt::format("  {}) {}\n", key_of(i), question.choices[i].text);
    return text;
}

std::string solution_text(const Question& question) {
    const std::size_t answer_index = question.answer_index();
    return fmt::format("{}) {}\n{}", key_of(answer_index), question.choices[answer_index].text,
                       question.explanation);
}

std::vector<Misconception> Score::mistakes_made() const {
    std::vector<Misconception> mistakes_made;
    for (std::size_t i = 0; i < kMisconceptions; ++i)
        if (mistakes[i] > 0) mistakes_made.push_back(static_cast<Misconception>(i));
    std::stable_sort(mistakes_made.begin(), mistakes_made.end(), [&](Misconception a, Misconception b) {
        return mistakes[static_cast<std::size_t>(a)] > mistakes[static_cast<std::size_t>(b)];
    });
    return mistakes_made;
}

std::string score_text(const Score& score) {
    std::string text = fmt::format("{} of {} right", score.right, score.asked);
    text += score.skipped > 0 ? fmt::format(", {} not answered.\n", score.skipped) : ".\n";
    for (const Misconception m : score.mistakes_made())
        text += fmt::format("  {} x {}\n", score.mistakes[static_cast<std::size_t>(m)], title_of(m));
    return text;
}

void shuffle_choices(Question& question, RandomDraw& draw) {
    assert(question.choices.size() >= 2 && question.choices.front().correct());
    draw.shuffle(question.choices);
}

void add_wrong_choice(Question& question, std::string text, Misconception misconception) {
    if (question.choices.size() == kMostChoices) return;
    for (const Choice& choice : question.choices)
        if (choice.text == text) return;
    question.choices.push_back({std::move(text), misconception});
}

}  // namespace sim::quiz
