#include "tests/support/gift_reader.h"

#include <sstream>
#include <stdexcept>

namespace {

[[noreturn]] void fail(const std::string& what, std::string_view where) {
    throw std::runtime_error("GIFT: " + what + " in: " + std::string(where.substr(0, 200)));
}

// As in Moodle, each escaped character is replaced by a control character that occurs nowhere else. The
// escaped character is restored after the markup has been parsed.
constexpr std::string_view kProtected = "~=#{}:n\\";
char hidden(std::size_t which) { return static_cast<char>(1 + which); }

std::string hide(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t which =
            text[i] == '\\' && i + 1 < text.size() ? kProtected.find(text[i + 1]) : std::string_view::npos;
        if (which == std::string_view::npos) {
            out += text[i];
        } else {
            out += hidden(which);
            ++i;
        }
    }
    return out;
}

std::string show(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto which = static_cast<std::size_t>(c) - 1;
        out += c < 1 || which >= kProtected.size() ? c : kProtected[which] == 'n' ? '\n' : kProtected[which];
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<GiftAnswer> answers_of(std::string_view body) {
    std::vector<GiftAnswer> answers;
    for (body = trimmed(body); !body.empty();) {
        if (body.front() != '=' && body.front() != '~') fail("an answer begins with = or ~", body);
        const std::size_t end = std::min(body.find_first_of("=~", 1), body.size());
        const std::string_view whole = body.substr(1, end - 1);
        const std::size_t hash = whole.find('#');
        answers.push_back({body.front() == '=', show(trimmed(whole.substr(0, hash))),
                           hash == std::string_view::npos ? "" : show(trimmed(whole.substr(hash + 1)))});
        body.remove_prefix(end);
    }
    return answers;
}

GiftQuestion question_of(const std::string& paragraph) {
    GiftQuestion q;
    const std::string text = hide(paragraph);
    std::string_view rest = trimmed(text);
    if (rest.starts_with("::")) {
        const std::size_t end = rest.find("::", 2);
        if (end == std::string_view::npos) fail("a title without its end", rest);
        q.title = show(rest.substr(2, end - 2));
        rest = trimmed(rest.substr(end + 2));
    }
    if (rest.starts_with("[")) {
        const std::size_t end = rest.find(']');
        q.format = std::string(rest.substr(1, end - 1));
        rest.remove_prefix(end + 1);
    }
    const std::size_t begin = rest.find('{'), end = rest.rfind('}');
    if (begin == std::string_view::npos || end != rest.size() - 1 ||
        rest.find('{', begin + 1) != std::string_view::npos)
        fail("one pair of { } at the end", rest);
    q.text = show(rest.substr(0, begin));
    std::string_view body = rest.substr(begin + 1, end - begin - 1);
    if (const std::size_t feedback = body.rfind("####"); feedback != std::string_view::npos) {
        q.general_feedback = show(trimmed(body.substr(feedback + 4)));
        body = body.substr(0, feedback);
    }
    q.answers = answers_of(body);
    return q;
}

}  // namespace

std::vector<GiftQuestion> read_gift(std::string_view file) {
    std::vector<GiftQuestion> questions;
    std::istringstream lines{std::string(file)};
    std::string paragraph;
    const auto end_paragraph = [&] {
        if (!trimmed(paragraph).empty()) questions.push_back(question_of(paragraph));
        paragraph.clear();
    };
    for (std::string line; std::getline(lines, line);) {
        const std::string_view text = trimmed(line);
        if (text.empty())
            end_paragraph();
        else if (!text.starts_with("//"))
            paragraph += std::string(text) + "\n";
    }
    end_paragraph();
    return questions;
}
