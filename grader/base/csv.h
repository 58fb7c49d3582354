// Comma-separated values as RFC 4180 has them, and as spreadsheets really write them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

using CsvRow = std::vector<std::string>;

struct Csv {
  std::vector<CsvRow>
      rows;  ///< the header is row 0; rows may differ in length; empty lines are left out
  char delimiter = ',';  ///< ',', ';' or tab, whichever the first line has most of

  /// The column whose header is one of `names` (case and blanks around it do not matter), the earlier name first.
  std::optional<std::size_t> column(const std::vector<std::string_view>& names) const;
  /// The cell without blanks at both sides; "" where the row is too short or there is no such column.
  std::string cell(std::size_t row, std::optional<std::size_t> column) const;
};

/// UTF-8, also after a byte order mark. Line ends are CRLF, LF or CR. Throws labkit::Error naming `name` and the line for a quote that is never closed or text right after a closing quote.
Csv read_csv(std::string_view text, const std::string& name);

/// Lines end in CRLF; cells are quoted where they must be.
std::string write_csv(const std::vector<CsvRow>& rows, char delimiter = ',');

/// Text from students in a sheet that somebody opens: a cell that a spreadsheet would take for a formula (it begins with = +
/// - @, tab or carriage return, also after blanks) is led by an apostrophe. Numbers, also negative ones, stay.
std::string guard_formula(std::string cell);

/// A positive number, with a point or a decimal comma; 0 if it is none.
double csv_number(std::string cell);

/// So that spreadsheets read UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace labkit
