// The lines and fenced blocks of a Markdown document.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
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

}  // namespace markdown
