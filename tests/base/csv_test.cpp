// CSV according to RFC 4180, and rejected input.
#include "sim/base/csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/base/problem.h"

namespace csv_test {

using namespace sim;
using Texts = std::vector<std::vector<std::string>>;

Texts texts(const std::string& text, char separator = ',') {
    Texts rows;
    for (const CsvRow& row : read_csv("t.csv", text, separator)) {
        rows.emplace_back();
        for (const CsvCell& cell : row) rows.back().push_back(cell.text);
    }
    return rows;
}

std::string problem(const std::string& text) {
    try {
        read_csv("t.csv", text);
    } catch (const ScenarioError& error) {
        return error.problems().front().text();
    }
    return "";
}

TEST(Csv, SplitsCellsAndRows) {
    EXPECT_EQ(texts("a,b\n1,2\n"), (Texts{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(texts("a,b\r\n1,\r\n,"), (Texts{{"a", "b"}, {"1", ""}, {"", ""}}));
    EXPECT_EQ(texts("\xef\xbb\xbfid\n\n\r\nx"), (Texts{{"id"}, {"x"}}));
    EXPECT_EQ(texts("a;b,c", ';'), (Texts{{"a", "b,c"}}));
    EXPECT_EQ(texts(""), Texts{});
}

TEST(Csv, QuotedCellKeepsSpecialCharacters) {
    EXPECT_EQ(texts("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\"\nx,\"\",y"),
              (Texts{{"a,b", "say \"hi\"", "two\r\nlines"}, {"x", "", "y"}}));
    EXPECT_EQ(texts("\"\"\"\""), Texts{{"\""}});
}

TEST(Csv, CellHasLineAndColumn) {
    const std::vector<CsvRow> rows = read_csv("t.csv", "a,\"b\nc\"\n\nd,e\n");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0][1].line, 1);
    EXPECT_EQ(rows[0][1].column, 3);
    EXPECT_EQ(rows[1][1].line, 4);
    EXPECT_EQ(rows[1][1].column, 3);
}

TEST(Csv, MisplacedQuoteIsRejectedWithPosition) {
    EXPECT_EQ(problem("a\nb,\"c"), "t.csv:2:3: the closing quote of this cell is missing");
    EXPECT_TRUE(problem("a,b\"c\n").starts_with("t.csv:1:3: this cell contains a quote"))
        << problem("a,b\"c\n");
    EXPECT_TRUE(problem("\"a\"b\n").starts_with("t.csv:1:1: this cell contains a quote"));
}

TEST(Csv, WrittenCellReadsBack) {
    for (const std::string text : {"", "plain", "a,b", "\"", "two\nlines", "\r", "a \"b\", c"})
        EXPECT_EQ(texts("x," + quote_csv_cell(text) + "\n"), (Texts{{"x", text}})) << text;
}

TEST(Csv, UntrustedCellCannotHoldFormula) {
    for (const std::string text : {"=1+1", "+1", "-x", "@x", "\tx"})
        EXPECT_EQ(texts(quote_untrusted_csv_cell(text)), Texts{{"'" + text}});
    EXPECT_EQ(quote_untrusted_csv_cell("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
    EXPECT_EQ(quote_untrusted_csv_cell("Ann-Marie"), "Ann-Marie");
    EXPECT_EQ(quote_untrusted_csv_cell("Ann;=1+1"), "Ann;'=1+1");
    EXPECT_EQ(quote_untrusted_csv_cell("\uff1d1+1"), "'\uff1d1+1");
    EXPECT_EQ(quote_untrusted_csv_cell("-20"), "-20");
    EXPECT_EQ(quote_untrusted_csv_cell("-20ms"), "'-20ms");
}

}  // namespace csv_test
