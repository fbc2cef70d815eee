#include "sim/base/human_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sim {

namespace {

// Adds `offset` to the code of each character whose code is between `first` and `last`. Does not depend on
// the locale.
std::string shift_letters(std::string_view text, char first, char last, int offset) {
    std::string result(text);
    for (char& c : result)
        if (c >= first && c <= last) c = static_cast<char>(c + offset);
    return result;
}

}  // namespace

std::string upper_case(std::string_view text) { return shift_letters(text, 'a', 'z', 'A' - 'a'); }

std::string lower_case(std::string_view text) { return shift_letters(text, 'A', 'Z', 'a' - 'A'); }

std::string capitalized(std::string_view text) {
    return upper_case(text.substr(0, 1)) + std::string(text.substr(std::min<std::size_t>(text.size(), 1)));
}

std::string percent(double share) {
    const double p = share * 100;
    if (p == 0) return "0 %";
    if (p < 0.1) return fmt::format("{:.3f} %", p);
    if (p < 10) return fmt::format("{:.2f} %", p);
    return fmt::format("{:.1f} %", p);
}

std::string pluralize(std::uint64_t number, const char* stem, const char* plural_suffix,
                      const char* singular_suffix) {
    return fmt::format("{} {}{}", group_digits(number), stem, number == 1 ? singular_suffix : plural_suffix);
}

std::string text_bar(double share, int width) {
    const auto full = static_cast<std::size_t>(std::clamp<long>(std::lround(share * width), 0, width));
    return std::string(full, '#') + std::string(static_cast<std::size_t>(width) - full, '.');
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
    std::string all;
    std::istringstream paragraphs(text);
    paragraphs.exceptions(std::ios::badbit);  // otherwise a failed allocation looks like the end of the text
    for (std::string paragraph; std::getline(paragraphs, paragraph);) {
        std::istringstream words(paragraph);
        words.exceptions(std::ios::badbit);
        std::string line = indent;
        for (std::string word; words >> word;) {
            if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
                all += line + "\n";
                line = indent;
            }
            if (line.size() > indent.size()) line += ' ';
            line += word;
        }
        all += line + "\n";
    }
    return all;
}

std::string human_time(Nanos time) {
    const auto n = static_cast<double>(time.count());
    if (time < 1us) return fmt::format("{} ns", time.count());
    if (time < 1ms) return fmt::format("{:.4g} us", n / 1e3);
    if (time < 1s) return fmt::format("{:.4g} ms", n / 1e6);
    if (time < 120s) return fmt::format("{:.4g} s", n / 1e9);
    const std::int64_t minutes = time / std::chrono::minutes(1);
    if (minutes < 60) return fmt::format("{} min {} s", minutes, (time % std::chrono::minutes(1)) / 1s);
    return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string human_instant(Nanos time) {
    const auto n = static_cast<double>(time.count());
    if (time < 1us) return fmt::format("{} ns", time.count());
    if (time < 1ms) return fmt::format("{:.6g} us", n / 1e3);
    if (time < 1s) return fmt::format("{:.6g} ms", n / 1e6);
    std::string seconds = fmt::format("{:.6f}", n / 1e9);
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.back() == '.') seconds.pop_back();
    return seconds + " s";
}

}  // namespace sim
