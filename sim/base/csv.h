// Tables as spreadsheets exchange them: CSV as RFC 4180 has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct CsvCell {
    std::string text;          // without the quotes around it
    int line = 0, column = 0;  // where it begins, from 1; the column in bytes
};
using CsvRow = std::vector<CsvCell>;

// The rows of a text, without those that are empty. Cells are separated by `separator`; a cell in double
// quotes may hold separators, ends of lines and, doubled, quotes. Lines may end with or without a carriage
// return, and a byte order mark is passed over. `file` is named in messages. Throws ScenarioError with every
// quote that is out of place.
std::vector<CsvRow> read_csv(const std::string& file, std::string_view text, char separator = ',');

// A text as a cell, in quotes if it needs them.
std::string csv_cell(std::string_view text);

// The same for a text that somebody else wrote: where it begins, at its begin or behind a ';', with = + - @,
// plain or wide, or a tab, which a spreadsheet would take for a formula and compute, an apostrophe makes it a
// text there. Numbers stay numbers.
std::string csv_cell_of_others(std::string_view text);

}  // namespace sim
