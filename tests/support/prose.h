// A document as its reader sees it, apart from what its commands print: for tests that ask where the numbers
// in its sentences come from.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

struct Page {
    std::string prose;                  // what is read; a blank for each thing that was taken out
    std::string shown;                  // commands and what they print
    std::string given;                  // <!-- given: ... -->
    std::vector<std::string> commands;  // <!-- by: COMMAND -->
};

inline Page read_page(const std::filesystem::path& file) {
    Page page;
    std::ifstream in(file);
    bool fenced = false, console = false;
    std::string rest;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("```")) {
            console = !fenced && line == "```console";
            fenced = !fenced;
        } else if (fenced) {
            if (console) page.shown += line + "\n";
        } else {
            rest += std::regex_replace(line, std::regex(R"(^\s*(>\s*)*\d+[.)]\s)"), "") + "\n";
        }
    }
    for (std::size_t begin; (begin = rest.find("<!--")) != std::string::npos;) {
        const std::size_t end = rest.find("-->", begin);
        EXPECT_NE(end, std::string::npos) << file << ": a comment without its end";
        if (end == std::string::npos) return page;
        const std::string comment = rest.substr(begin, end + 3 - begin);
        if (comment.starts_with("<!-- given:")) page.given += comment + "\n";
        constexpr std::string_view kBy = "<!-- by: ";
        if (comment.starts_with(kBy))
            page.commands.push_back(comment.substr(kBy.size(), comment.size() - kBy.size() - 4));
        rest.replace(begin, comment.size(), " ");
    }
    for (const char* taken :
         {"`[^`]*`", R"(\]\([^()\s]+\))",
          "[Ll]essons? (1[0-2]|[1-9])((, [1-9])*( and|,| to) (1[0-2]|[1-9]))?", "<[^>]*>"})
        rest = std::regex_replace(rest, std::regex(taken), " ");
    page.prose = rest;
    return page;
}
