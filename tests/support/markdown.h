// The lines, fenced blocks and links of a Markdown document.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace markdown {

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

struct Fence {
    std::size_t begin, end;  // lines of the opening and closing fence, counted from 0
    std::string info;
};

// The fenced blocks of a document. An unterminated block ends after the last line.
inline std::vector<Fence> fences(const std::vector<std::string>& lines) {
    std::vector<Fence> list;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].starts_with("```")) continue;
        const std::size_t begin = i;
        for (++i; i < lines.size() && lines[i] != "```"; ++i) {
        }
        list.push_back({begin, i, lines[begin].substr(3)});
    }
    return list;
}

// The anchors of a document: the words of each heading in lower case, joined by hyphens, without punctuation.
inline std::set<std::string> anchors(std::vector<std::string> lines) {
    for (const Fence& fence : fences(lines))
        for (std::size_t i = fence.begin; i < std::min(fence.end + 1, lines.size()); ++i) lines[i].clear();
    std::set<std::string> names;
    for (const std::string& line : lines) {
        const std::size_t title = line.find_first_not_of('#');
        if (title == 0 || title == std::string::npos || line[title] != ' ') continue;
        std::string name;
        for (const char c : line.substr(title + 1)) {
            const auto u = static_cast<unsigned char>(c);
            if (c == ' ')
                name += '-';
            else if (c == '-' || c == '_' || u >= 0x80 || std::isalnum(u) != 0)
                name += static_cast<char>(std::tolower(u));
        }
        names.insert(name);
    }
    return names;
}

// Returns the targets of the links in a line, except those in code.
inline std::vector<std::string> link_targets(const std::string& line) {
    static const std::regex link(R"(\]\(([^()\s]+)\))"), code("`[^`]*`");
    const std::string prose = std::regex_replace(line, code, "code");
    std::vector<std::string> targets;
    for (std::sregex_iterator match(prose.begin(), prose.end(), link), end; match != end; ++match)
        targets.push_back((*match)[1]);
    return targets;
}

inline bool is_external(const std::string& target) {
    return target.find("://") != std::string::npos || target.starts_with("mailto:");
}

// True if a link in `document` leads to an existing file and, after '#', to an existing heading.
// REQUIRES: !is_external(target).
inline bool has_target(const std::filesystem::path& document, const std::string& target) {
    const std::size_t hash = target.find('#');
    const std::string path = target.substr(0, hash);
    const std::filesystem::path file = path.empty() ? document : document.parent_path() / path;
    if (!std::filesystem::exists(file)) return false;
    return hash == std::string::npos || anchors(lines_of(file)).contains(target.substr(hash + 1));
}

}  // namespace markdown
