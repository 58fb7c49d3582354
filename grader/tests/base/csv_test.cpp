#include "base/csv.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace labkit {
namespace {

using Rows = std::vector<CsvRow>;

TEST(Csv, ReadsQuotesLineEndsAndEmptyCells) {
  EXPECT_EQ(read_csv("a,b,c\r\n1,\"x, \"\"y\"\"\r\nz\",\n,,\r\n", "t").rows,
            (Rows{{"a", "b", "c"}, {"1", "x, \"y\"\r\nz", ""}, {"", "", ""}}));
  EXPECT_EQ(read_csv("a\rb\r", "t").rows, (Rows{{"a"}, {"b"}}));
  EXPECT_EQ(read_csv("a,", "t").rows, (Rows{{"a", ""}}));
  EXPECT_EQ(read_csv("", "t").rows, Rows{});
  EXPECT_EQ(read_csv("a\n\n\nb", "t").rows, (Rows{{"a"}, {"b"}}));
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
  EXPECT_EQ(read_csv("\xef\xbb\xbfName;Punkte\nM\xc3\xbcller;1,5\n", "t").rows,
            (Rows{{"Name", "Punkte"}, {"Müller", "1,5"}}));
}

TEST(Csv, RefusesBrokenQuotesWithTheLine) {
  const auto message = [](const char* text) -> std::string {
    try {
      read_csv(text, "roster.csv");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("a\n\"b\nc"), "roster.csv:2: a quote that is never closed");
  EXPECT_EQ(message("a\n\"b\"c\n"), "roster.csv:2: text after a closing quote");
}

TEST(Csv, WritesWhatItReads) {
  const Rows rows = {{"plain", "comma,", "quote\"", "two\nlines"}, {"", " blank ", "é", "last"}};
  const std::string text = write_csv(rows);
  EXPECT_EQ(read_csv(text, "t").rows, rows);
  EXPECT_TRUE(text.ends_with("\r\n"));
  EXPECT_EQ(text.find("plain,\"comma,\",\"quote\"\"\",\"two\nlines\"\r\n"), 0u);
}

TEST(Csv, FindsColumnsByHeader) {
  const Csv csv = read_csv(" Student ,ID\nAna , 7\nBo\n", "t");
  EXPECT_EQ(csv.column({"nothing", "student"}), 0u);
  EXPECT_EQ(csv.column({"grade"}), std::nullopt);
  EXPECT_EQ(csv.cell(1, csv.column({"id"})), "7");
  EXPECT_EQ(csv.cell(2, csv.column({"id"})), "");
}

TEST(Csv, GuardsFormulas) {
  for (const char* cell :
       {"=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =cmd|'/c calc'!A0"})
    EXPECT_EQ(guard_formula(cell), "'" + std::string(cell));
  for (const char* cell : {"", "Ana", "-1.5", "3", "a=b", "  Bo"})
    EXPECT_EQ(guard_formula(cell), cell);
}

}  // namespace
}  // namespace labkit
