#include "base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace labkit {
namespace {

/// Of the first line the most frequent; the comma of two.
char guess_delimiter(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return std::ranges::max({',', ';', '\t'}, {},
                          [&](char c) { return std::ranges::count(line, c); });
}

bool is_number(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<CsvRow> rows_of(std::string_view text, const std::string& name, char delimiter) {
  const auto fail = [&](std::size_t line, const char* what) {
    throw Error(fmt::format("{}:{}: {}", name, line, what),
                "Save it again as CSV; a quote inside of a cell is written twice.");
  };
  std::vector<CsvRow> rows;
  CsvRow row;
  std::string cell;
  std::size_t line = 1, opened = 0;
  bool quoted = false, closed = false;  // in quotes; behind them
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      line += c == '\n';
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = false;
        closed = true;
      }
    } else if (c == delimiter || c == '\n' || c == '\r') {
      row.push_back(std::exchange(cell, {}));
      closed = false;
      if (c == delimiter) continue;
      if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
      ++line;
      if (row != CsvRow{""}) rows.push_back(row);
      row.clear();
    } else if (closed) {
      fail(line, "text after a closing quote");
    } else if (c == '"' && cell.empty()) {
      quoted = true;
      opened = line;
    } else {
      cell += c;
    }
  }
  if (quoted) fail(opened, "a quote that is never closed");
  if (!row.empty() || !cell.empty()) {
    row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

std::optional<std::size_t> Csv::column(const std::vector<std::string_view>& names) const {
  if (rows.empty()) return std::nullopt;
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < rows.front().size(); ++i)
      if (to_lower(trim(rows.front()[i])) == to_lower(trim(name))) return i;
  return std::nullopt;
}

std::string Csv::cell(std::size_t row, std::optional<std::size_t> column) const {
  if (!column || row >= rows.size() || *column >= rows[row].size()) return {};
  return std::string(trim(rows[row][*column]));
}

Csv read_csv(std::string_view text, const std::string& name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const char delimiter = guess_delimiter(text);
  return {rows_of(text, name, delimiter), delimiter};
}

std::string write_csv(const std::vector<CsvRow>& rows, char delimiter) {
  std::string text;
  for (const CsvRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string& cell = row[i];
      if (i) text += delimiter;
      const bool quote = cell.find_first_of("\"\r\n") != std::string::npos ||
                         cell.find(delimiter) != std::string::npos || cell.starts_with(' ') ||
                         cell.ends_with(' ');
      text += quote ? '"' + replace_all(cell, "\"", "\"\"") + '"' : cell;
    }
    text += "\r\n";
  }
  return text;
}

std::string guard_formula(std::string cell) {
  const std::size_t first = cell.find_first_not_of(" \n\v\f");
  if (first == std::string::npos || is_number(cell)) return cell;
  const std::string_view dangerous = "=+-@\t\r";
  return dangerous.find(cell[first]) == std::string_view::npos ? cell : "'" + cell;
}

double csv_number(std::string cell) {
  std::ranges::replace(cell, ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && value > 0 ? value : 0;
}

}  // namespace labkit
