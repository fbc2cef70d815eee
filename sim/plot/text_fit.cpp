#include "sim/plot/text_fit.h"

#include <algorithm>

#include "sim/plot/text_width.h"

namespace sim::plot {
namespace {

constexpr std::string_view kEllipsis = "\u2026";

// In hundredths of the font's size: height of a line; half of a digit's height.
constexpr int kLineHeight = 130, kHalfADigit = 36;

// The number of bytes of a paragraph that fit on one line: whole words, at least one.
std::size_t bytes_that_fit(std::string_view paragraph, Font font, int width) {
    if (text_width(paragraph, font) <= width) return paragraph.size();
    std::size_t end = 0;
    for (std::size_t blank = paragraph.find(' '); blank != std::string_view::npos;
         blank = paragraph.find(' ', blank + 1)) {
        if (text_width(paragraph.substr(0, blank), font) > width) break;
        end = blank;
    }
    return end != 0 ? end : std::min(paragraph.find(' '), paragraph.size());
}

}  // namespace

int text_width(std::string_view text, Font font) { return text_width(text, font.size, font.bold); }

int text_width(const std::vector<std::string>& lines, Font font) {
    int widest = 0;
    for (const std::string& line : lines) widest = std::max(widest, text_width(line, font));
    return widest;
}

int line_height(Font font) { return font.size * kLineHeight / 100; }
int baseline_below(int top, Font font) { return top + font.size; }
int baseline_around(int middle, Font font) { return middle + font.size * kHalfADigit / 100; }

std::string shortened(std::string_view text, Font font, int width) {
    if (text_width(text, font) <= width) return std::string(text);
    const int room = width - text_width(kEllipsis, font);
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size(); end = at) {
        next_character(text, at);
        if (text_width(text.substr(0, at), font) > room) break;
    }
    while (end > 0 && text[end - 1] == ' ') --end;
    return end == 0 ? "" : std::string(text.substr(0, end)).append(kEllipsis);
}

std::vector<std::string> wrapped(std::string_view text, Font font, int width, std::size_t max_lines) {
    std::vector<std::string> lines;
    while (!text.empty() && lines.size() < max_lines) {
        const std::size_t newline = std::min(text.find('\n'), text.size());
        std::string_view paragraph = text.substr(0, newline);
        text = newline < text.size() ? text.substr(newline + 1) : std::string_view{};
        do {
            const std::size_t end = bytes_that_fit(paragraph, font, width);
            const bool last = lines.size() + 1 == max_lines;
            lines.push_back(shortened(last ? paragraph : paragraph.substr(0, end), font, width));
            paragraph = end < paragraph.size() && !last ? paragraph.substr(end + 1) : std::string_view{};
        } while (!paragraph.empty());
    }
    return lines;
}

}  // namespace sim::plot
