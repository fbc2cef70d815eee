// Splits a table of jobs into cells, however it is written: with spaces, CSV, Markdown, or copied from a
// spreadsheet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct JobCell {
    std::string text;          // without quotes and surrounding spaces
    int line = 0, column = 0;  // start of the cell, from 1; the column in characters
};
using JobCells = std::vector<JobCell>;  // one row

// Rows end at line ends; cells are separated by tabs, `|`, `,`, `;` or spaces. In "A 0 8; B 1 4" and "A 0 8,
// B 1 4" the `;` or `,` separates rows instead. Blank rows, lines that start with '#', and lines of dashes
// are dropped. At most `most` rows are read.
std::vector<JobCells> split_job_rows(std::string_view text, std::size_t most);

}  // namespace sim
