#include "tests/support/xml_check.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace {

bool one_of(char c, std::string_view more) {
    return (c >= 'a' && c <= 'z') || more.find(c) != std::string_view::npos;
}

// Checks the text between two tags, or an attribute value.
std::string fault_of_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (static_cast<unsigned char>(text[at]) < 0x20 && text[at] != '\n') return "a control character";
        if (text[at] == '<' || text[at] == '>') return "a bare < or > in: " + std::string(text);
        const std::string_view rest = text.substr(at);
        if (text[at] == '&' && !rest.starts_with("&amp;") && !rest.starts_with("&lt;") &&
            !rest.starts_with("&gt;") && !rest.starts_with("&quot;"))
            return "a bare & in: " + std::string(text);
    }
    return "";
}

struct Tag {
    std::string_view name;
    bool begins = false, ends = false;  // both true: empty element
};

// Removes the tag at the start of `text` and returns it; none if it is incomplete.
std::optional<Tag> take_tag(std::string_view& text) {
    const auto skip = [&](std::string_view more) {
        const auto end = std::find_if(text.begin(), text.end(), [&](char c) { return !one_of(c, more); });
        const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(word.size());
        return word;
    };
    const auto take = [&](std::string_view word) {
        const bool there = text.starts_with(word);
        if (there) text.remove_prefix(word.size());
        return there;
    };
    Tag tag;
    if (!take("<")) return {};
    tag.begins = !take("/");
    tag.name = skip("");
    if (tag.name.empty()) return {};
    while (tag.begins && take(" ")) {
        if (skip("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-").empty() || !take("=\"")) return {};
        const std::size_t end = text.find('"');
        if (end == std::string_view::npos || !fault_of_text(text.substr(0, end)).empty()) return {};
        text.remove_prefix(end + 1);
    }
    tag.ends = !tag.begins || take("/");
    if (!take(">")) return {};
    return tag;
}

}  // namespace

std::string xml_fault(std::string_view text) {
    std::vector<std::string_view> open;
    bool any = false;
    for (;;) {
        const std::string_view between = text.substr(0, text.find('<'));
        if (const std::string fault = fault_of_text(between); !fault.empty()) return fault;
        if (open.empty() && between.find_first_not_of(" \n") != std::string_view::npos)
            return "text outside: " + std::string(between);
        text.remove_prefix(between.size());
        if (text.empty()) break;
        const std::string beginning(text.substr(0, 80));
        const std::optional<Tag> tag = take_tag(text);
        if (!tag) return "no tag: " + beginning;
        if (tag->begins) {
            if (open.empty() && any) return "a second root: " + beginning;
            any = true;
            open.push_back(tag->name);
        }
        if (tag->ends) {
            if (open.empty() || open.back() != tag->name) return "not open: " + beginning;
            open.pop_back();
        }
    }
    if (!any) return "no element";
    return open.empty() ? "" : "not closed: " + std::string(open.back());
}
