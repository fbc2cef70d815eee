#include "sim/scenario/job_cells.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sim/base/text.h"
#include "sim/scenario/json_tree.h"

namespace sim {
namespace {

constexpr std::string_view kSpaces = " \t\r\v\f";
constexpr std::size_t kMostParts = 4'096;  // maximum number of parts of a line; further parts are dropped

// A part of a line, and its position in the line.
struct LinePart {
    std::string_view text;
    std::size_t offset = 0;  // start of the part in the line, in bytes
};

LinePart trimmed(LinePart part) {
    const std::size_t begin = part.text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return {{}, part.offset};
    const std::size_t end = part.text.find_last_not_of(kSpaces);
    return {part.text.substr(begin, end + 1 - begin), part.offset + begin};
}

// The parts between the separators, trimmed. A separator in double quotes does not count.
std::vector<LinePart> split_at(const LinePart& whole, char separator) {
    std::vector<LinePart> parts;
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t i = 0; i <= whole.text.size() && parts.size() < kMostParts; ++i) {
        if (i < whole.text.size() && whole.text[i] == '"') quoted = !quoted;
        if (i < whole.text.size() && (quoted || whole.text[i] != separator)) continue;
        parts.push_back(trimmed({whole.text.substr(begin, i - begin), whole.offset + begin}));
        begin = i + 1;
    }
    return parts;
}

std::vector<LinePart> split_at_spaces(const LinePart& whole) {
    std::vector<LinePart> parts;
    std::size_t at = 0;
    while (parts.size() < kMostParts &&
           (at = whole.text.find_first_not_of(kSpaces, at)) != std::string_view::npos) {
        const std::size_t end = std::min(whole.text.find_first_of(kSpaces, at), whole.text.size());
        parts.push_back({whole.text.substr(at, end - at), whole.offset + at});
        at = end;
    }
    return parts;
}

// Whether each part is a row of its own: it has several words, and a word after the first one contains a
// digit.
bool are_job_rows(const std::vector<LinePart>& parts) {
    bool any = false;
    for (const LinePart& part : parts) {
        if (part.text.empty()) continue;
        any = true;
        const std::vector<LinePart> words = split_at_spaces(part);
        const auto has_digit = [](const LinePart& word) {
            return word.text.find_first_of("0123456789") != std::string_view::npos;
        };
        if (words.size() < 2 || std::none_of(words.begin() + 1, words.end(), has_digit)) return false;
    }
    return any;
}

constexpr std::size_t kMostCells = 64;  // further cells of a row are dropped

class JobTableSplitter {
  public:
    explicit JobTableSplitter(std::size_t most) : most_(most) {}

    void line(std::string_view text, int number) {
        line_ = text;
        number_ = number;
        counted_ = characters_ = 0;
        const LinePart whole = trimmed({text, 0});
        if (whole.text.empty() || whole.text.front() == '#') return;
        // A horizontal line, drawn with dashes and similar characters.
        if (whole.text.find_first_not_of("|-:+= \t") == std::string_view::npos) return;
        if (whole.text.find('|') != std::string_view::npos)
            add_table_row(whole);
        else if (whole.text.find('\t') != std::string_view::npos)
            cells(split_at({text, 0}, '\t'));
        else
            split_rows(whole, ';');
    }

    std::vector<JobCells> rows;

  private:
    void add_table_row(const LinePart& whole) {
        std::vector<LinePart> parts = split_at(whole, '|');
        if (parts.front().text.empty()) parts.erase(parts.begin());
        if (!parts.empty() && parts.back().text.empty()) parts.pop_back();
        cells(parts);
    }

    // Splits a line at the separator into rows or, if the parts do not look like rows, into the cells of one
    // row. Each part that was found with ';' is then split at ',' in the same way.
    void split_rows(const LinePart& whole, char separator) {
        std::vector<LinePart> parts = split_at(whole, separator);
        if (parts.size() > 1 && !are_job_rows(parts)) return cells(parts);
        for (const LinePart& part : parts) {
            if (part.text.empty()) continue;
            if (separator == ';')
                split_rows(part, ',');
            else
                cells(split_at_spaces(part));
        }
    }

    void cells(const std::vector<LinePart>& parts) {
        std::size_t count = std::min(parts.size(), kMostCells);
        while (count > 0 && parts[count - 1].text.empty()) --count;
        if (rows.size() >= most_ || count == 0) return;
        JobCells row;
        for (const LinePart& part : std::span(parts).first(count)) {
            std::string_view text = part.text;
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
                text = text.substr(1, text.size() - 2);
            row.push_back({std::string(text), number_, column_at(part.offset)});
        }
        rows.push_back(std::move(row));
    }

    // The column of the byte at `offset` in the line; the first column is 1. A call continues counting at the
    // offset of the previous call. If that offset is greater than `offset`, the call counts from the start of
    // the line.
    int column_at(std::size_t offset) {
        if (offset < counted_) counted_ = 0, characters_ = 0;
        for (; counted_ < offset; counted_ += character_at(line_, counted_).bytes) ++characters_;
        return static_cast<int>(characters_) + 1;
    }

    std::size_t most_;
    std::string_view line_;
    int number_ = 0;
    // Number of bytes counted so far in the line, and number of their characters.
    std::size_t counted_ = 0, characters_ = 0;
};

}  // namespace

std::vector<JobCells> split_job_rows(std::string_view text, std::size_t most) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    JobTableSplitter splitter(most);
    for (int number = 1; !text.empty() && splitter.rows.size() < most; ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        splitter.line(text.substr(0, end), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(splitter.rows);
}

}  // namespace sim
