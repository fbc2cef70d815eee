// CSV tables (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct CsvCell {
    std::string text;          // without the enclosing quotes
    int line = 0, column = 0;  // position of the cell's start; both count from 1, the column in bytes
};
using CsvRow = std::vector<CsvCell>;

// Parses a text into rows; empty rows are dropped. A cell in double quotes may contain separators, line ends
// and doubled quotes. Lines end with LF or CRLF; a byte order mark is skipped. `file` is the file's name in
// messages. Throws a ScenarioError that lists every misplaced quote.
std::vector<CsvRow> read_csv(const std::string& file, std::string_view text, char separator = ',');

// Returns the text as a CSV cell, quoted if necessary.
std::string quote_csv_cell(std::string_view text);

// Like quote_csv_cell(), but for untrusted text that spreadsheets may run as formulas. If the text, or a part
// of it after a ';', begins with =, +, -, @ (ASCII or full-width), tab or CR, an apostrophe is put before
// this character. Numbers are unchanged.
std::string quote_untrusted_csv_cell(std::string_view text);

}  // namespace sim
