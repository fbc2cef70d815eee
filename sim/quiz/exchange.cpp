#include "sim/quiz/exchange.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace sim::quiz {
namespace {

std::string preformatted_html(std::string_view text) { return "<pre>" + escape_for_markup(text) + "</pre>"; }

std::string html_of(const Question& q) {
    return preformatted_html(q.situation) + "<p>" + escape_for_markup(q.text) + "</p>";
}

// Escapes newlines, which would be lost, and the characters that are special in GIFT.
std::string gift_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\~=#{}:").find(c) != std::string_view::npos) out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

// The HTML is the text of an XML element, so its special characters are escaped a second time.
std::string html_element(std::string_view name, const std::string& html) {
    return fmt::format("<{0} format=\"html\"><text>{1}</text></{0}>\n", name, escape_for_markup(html));
}

}  // namespace

std::string moodle_gift(std::span<const Question> questions) {
    std::string out = "// Questions of Switchyard, with their answers.\n";
    for (const Question& q : questions) {
        out += fmt::format("\n::{}::[html]{}{{\n", gift_escaped(to_string(q.id)), gift_escaped(html_of(q)));
        for (const Choice& choice : q.choices)
            out += choice.correct()
                       ? fmt::format("={}\n", gift_escaped(escape_for_markup(choice.text)))
                       : fmt::format("~{}#{}\n", gift_escaped(escape_for_markup(choice.text)),
                                     gift_escaped(escape_for_markup(sentence_of(choice.misconception))));
        out += fmt::format("####{}\n}}\n", gift_escaped(preformatted_html(q.explanation)));
    }
    return out;
}

std::string moodle_xml(std::span<const Question> questions) {
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n";
    for (const Question& q : questions) {
        out += fmt::format("<question type=\"multichoice\">\n<name><text>{}</text></name>\n",
                           escape_for_markup(to_string(q.id)));
        out += html_element("questiontext", html_of(q));
        out += html_element("generalfeedback", preformatted_html(q.explanation));
        out +=
            "<defaultgrade>1</defaultgrade>\n<penalty>0</penalty>\n<single>true</single>\n"
            "<shuffleanswers>false</shuffleanswers>\n<answernumbering>abc</answernumbering>\n";
        for (const Choice& choice : q.choices) {
            out += fmt::format("<answer fraction=\"{}\" format=\"html\"><text>{}</text>\n",
                               choice.correct() ? 100 : 0, escape_for_markup(escape_for_markup(choice.text)));
            out += html_element("feedback",
                                choice.correct() ? "" : escape_for_markup(sentence_of(choice.misconception)));
            out += "</answer>\n";
        }
        out += "</question>\n";
    }
    return out + "</quiz>\n";
}

}  // namespace sim::quiz
