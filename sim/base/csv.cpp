#include "sim/base/csv.h"

#include <charconv>

#include <utility>

#include "sim/base/problem.h"

namespace sim {
namespace {

class CsvReader {
  public:
    CsvReader(const std::string& file, std::string_view text, char separator)
        : file_(file), text_(text), separator_(separator) {
        if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    }

    std::vector<CsvRow> read() {
        std::vector<CsvRow> rows;
        while (at_ < text_.size()) {
            CsvRow row = read_row();
            if (row.size() > 1 || !row.front().text.empty()) rows.push_back(std::move(row));
        }
        if (!problems_.empty()) throw ScenarioError(std::move(problems_));
        return rows;
    }

  private:
    char current_character() const { return at_ < text_.size() ? text_[at_] : '\n'; }
    // True if the current position is at LF, at CRLF, or at a CR that ends the text.
    bool at_end_of_line() const {
        return current_character() == '\n' ||
               (current_character() == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n'));
    }
    int column() const { return static_cast<int>(at_ - line_begin_) + 1; }
    void refuse(const CsvCell& cell, std::string message) {
        problems_.push_back({file_, cell.line, cell.column, {}, std::move(message)});
    }

    CsvRow read_row() {
        CsvRow row;
        for (;;) {
            row.push_back(read_cell());
            if (at_end_of_line()) break;
            ++at_;  // the separator
        }
        if (current_character() == '\r') ++at_;
        skip_line_end();
        return row;
    }

    // Skips the line end at the current position.
    void skip_line_end() {
        ++at_;
        ++line_;
        line_begin_ = at_;
    }

    CsvCell read_cell() {
        CsvCell cell{{}, line_, column()};
        const bool quoted = current_character() == '"';
        if (quoted) read_quoted_text(cell);
        bool stray = false;
        for (; !at_end_of_line() && current_character() != separator_; ++at_) {
            stray = stray || quoted || current_character() == '"';
            cell.text += current_character();
        }
        if (stray)
            refuse(cell,
                   "this cell contains a quote; put the whole cell in quotes and double each quote in "
                   "it");
        return cell;
    }

    void read_quoted_text(CsvCell& cell) {
        for (++at_; at_ < text_.size(); ++at_) {
            if (current_character() == '"') {
                ++at_;
                if (at_ == text_.size() || current_character() != '"') return;
            }
            cell.text += current_character();
            if (current_character() == '\n') {
                ++line_;
                line_begin_ = at_ + 1;
            }
        }
        refuse(cell, "the closing quote of this cell is missing");
    }

    const std::string& file_;
    std::string_view text_;
    char separator_;
    std::size_t at_ = 0, line_begin_ = 0;
    int line_ = 1;
    std::vector<Problem> problems_;
};

}  // namespace

std::vector<CsvRow> read_csv(const std::string& file, std::string_view text, char separator) {
    return CsvReader(file, text, separator).read();
}

std::string quote_csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string quote_untrusted_csv_cell(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) return quote_csv_cell(text);
    std::string safe;
    for (std::size_t at = 0; at < text.size(); ++at) {
        // A sign (such as =, + or @) at the start of a cell begins a formula. Some spreadsheets also end a
        // cell at ';' and accept full-width signs.
        const bool begins = at == 0 || text[at - 1] == ';';
        const std::string_view wide = text.substr(at, 3);
        const bool is_sign = std::string_view("=+-@\t\r").find(text[at]) != std::string_view::npos ||
                             wide == "\uff1d" || wide == "\uff0b" || wide == "\uff0d" || wide == "\uff20";
        if (begins && is_sign) safe += '\'';
        safe += text[at];
    }
    return quote_csv_cell(safe);
}

}  // namespace sim
