#include "tests/support/xml_tree.h"

#include <stdexcept>

namespace {

class XmlReader {
  public:
    explicit XmlReader(std::string_view rest) : rest_(rest) {}

    XmlElement document() {
        if (rest_.starts_with("<?xml ")) until("?>");
        between();
        XmlElement root = element();
        between();
        if (!rest_.empty()) fail("something behind the root");
        return root;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("XML: " + what + " at: " + std::string(rest_.substr(0, 60)));
    }
    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    void expect(std::string_view word) {
        if (!take(word)) fail(std::string(word) + " is expected");
    }
    // Consumes the input through `mark` and returns the text before `mark`.
    std::string until(std::string_view mark) {
        const std::size_t end = rest_.find(mark);
        if (end == std::string_view::npos) fail("no " + std::string(mark));
        const std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end + mark.size());
        return text;
    }
    void blanks() {
        while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
            rest_.remove_prefix(1);
    }
    // Skips spaces and comments.
    void between() {
        for (blanks(); take("<!--"); blanks()) until("-->");
    }
    std::string name() {
        const std::size_t end = rest_.find_first_of(" \t\r\n=/><\"'&");
        if (end == 0 || end == std::string_view::npos) fail("a name is expected");
        const std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return text;
    }

    // Returns the character that a reference denotes. The & has been consumed.
    std::string reference() {
        const std::string what = until(";");
        if (what == "amp") return "&";
        if (what == "lt") return "<";
        if (what == "gt") return ">";
        if (what == "quot") return "\"";
        if (what == "apos") return "'";
        if (what.size() > 1 && what.front() == '#' &&
            what.find_first_not_of("0123456789", 1) == std::string::npos && std::stoi(what.substr(1)) < 0x80)
            return std::string(1, static_cast<char>(std::stoi(what.substr(1))));
        fail("an unknown reference &" + what + ";");
    }

    std::string attribute() {
        const char quote = rest_.empty() ? '\0' : rest_.front();
        if (quote != '"' && quote != '\'') fail("a quote is expected");
        rest_.remove_prefix(1);
        std::string value;
        while (!rest_.empty() && rest_.front() != quote) {
            if (rest_.front() == '<') fail("< in an attribute");
            if (take("&")) {
                value += reference();
                continue;
            }
            value += rest_.front();
            rest_.remove_prefix(1);
        }
        rest_.remove_prefix(rest_.empty() ? 0 : 1);
        return value;
    }

    XmlElement element() {
        XmlElement e;
        expect("<");
        e.name = name();
        for (blanks(); !rest_.starts_with(">") && !rest_.starts_with("/>"); blanks()) {
            const std::string key = name();
            blanks();
            expect("=");
            blanks();
            if (!e.attributes.emplace(key, attribute()).second) fail(key + " is there twice");
        }
        if (take("/>")) return e;
        expect(">");
        while (!take("</")) {
            if (rest_.empty()) fail("the end of " + e.name + " is missing");
            if (take("<!--")) {
                until("-->");
            } else if (take("<![CDATA[")) {
                e.text += until("]]>");
            } else if (rest_.front() == '<') {
                e.children.push_back(element());
            } else if (take("&")) {
                e.text += reference();
            } else if (rest_.starts_with("]]>") ||
                       (static_cast<unsigned char>(rest_.front()) < 0x20 &&
                        std::string_view("\t\r\n").find(rest_.front()) == std::string_view::npos)) {
                fail("what text may not have");
            } else {
                e.text += rest_.front();
                rest_.remove_prefix(1);
            }
        }
        if (name() != e.name) fail("not the end of " + e.name);
        blanks();
        expect(">");
        return e;
    }

    std::string_view rest_;
};

}  // namespace

std::vector<const XmlElement*> XmlElement::all(std::string_view child) const {
    std::vector<const XmlElement*> list;
    for (const XmlElement& c : children)
        if (c.name == child) list.push_back(&c);
    return list;
}

const XmlElement& XmlElement::one(std::string_view child) const {
    const std::vector<const XmlElement*> list = all(child);
    if (list.size() != 1)
        throw std::runtime_error(name + " has " + std::to_string(list.size()) + " times " +
                                 std::string(child));
    return *list.front();
}

XmlElement read_xml(std::string_view document) { return XmlReader(document).document(); }
