// Plain text in aligned columns, for the clipboard and `--dump-text`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ui {

// The number of characters of a UTF-8 text.
inline std::size_t count_characters(const std::string& text) {
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
}

class TextTable {
  public:
    // `alignment` has one letter per column: l or r.
    explicit TextTable(std::string alignment) : alignment_(std::move(alignment)) {}

    // Adds a row. Missing cells at its end are empty.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    // The table as text, with two spaces between columns and none at the ends of lines.
    std::string text() const {
        std::vector<std::size_t> widths(alignment_.size());
        for (const auto& row : rows_)
            for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c)
                widths[c] = std::max(widths[c], count_characters(row[c]));
        std::string all;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t c = 0; c < row.size() && c < widths.size(); ++c) {
                const std::string padding(widths[c] - count_characters(row[c]), ' ');
                if (c > 0) line += "  ";
                line += alignment_[c] == 'r' ? padding + row[c] : row[c] + padding;
            }
            line.erase(line.find_last_not_of(' ') + 1);
            all += line + "\n";
        }
        return all;
    }

  private:
    std::string alignment_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace ui
