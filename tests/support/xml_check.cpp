#include "tests/support/xml_check.h"

#include <regex>
#include <vector>

std::string xml_fault(const std::string& text) {
    static const std::regex tag(R"re(<(/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<&]*")*)(/?)>)re");
    std::vector<std::string> open;
    bool any = false;
    std::size_t at = 0;
    for (;;) {
        const std::size_t bracket = text.find('<', at);
        const std::string between = text.substr(at, bracket == std::string::npos ? bracket : bracket - at);
        if (between.find_first_of(">&") != std::string::npos) return "a bare > or & in: " + between;
        if (open.empty() && between.find_first_not_of(" \n") != std::string::npos)
            return "text outside: " + between;
        if (bracket == std::string::npos) break;
        std::smatch match;
        const std::string rest = text.substr(bracket);
        if (!std::regex_search(rest, match, tag, std::regex_constants::match_continuous))
            return "no tag: " + rest.substr(0, 80);
        if (match[1].length() > 0) {
            if (open.empty() || open.back() != match[2]) return "not open: " + match[2].str();
            open.pop_back();
        } else {
            if (open.empty() && any) return "a second root: " + match[2].str();
            any = true;
            if (match[4].length() == 0) open.push_back(match[2]);
        }
        at = bracket + static_cast<std::size_t>(match[0].length());
    }
    if (!any) return "no element";
    return open.empty() ? "" : "not closed: " + open.back();
}
