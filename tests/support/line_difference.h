// The difference between the lines of two texts as sets, independent of the positions of the lines.
#pragma once

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

// Lines that are only in `before` (`gone`) and only in `after` (`come`); both sorted.
struct LineDifference {
    std::vector<std::string> gone, come;

    LineDifference(const std::string& before, const std::string& after) {
        const std::vector<std::string> a = sorted_lines(before), b = sorted_lines(after);
        std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(gone));
        std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(come));
    }

  private:
    static std::vector<std::string> sorted_lines(const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        std::sort(lines.begin(), lines.end());
        return lines;
    }
};
