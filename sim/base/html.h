// Text in HTML.
#pragma once

#include <string>
#include <string_view>

namespace sim {

// Text as it stands in HTML or XML, also between the quotes of an attribute. Control characters stay.
inline std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace sim
