#include "class/publish/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// Of the first line, outside of quotes, the most frequent; the comma of two.
char guess_delimiter(std::string_view text) {
  std::map<char, std::size_t> count;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '\n' || c == '\r')) break;
    if (!quoted) ++count[c];
  }
  return std::ranges::max({',', ';', '\t'}, {}, [&](char c) { return count[c]; });
}

bool is_number(std::string_view text) {
  double value = 0;
  if (text.starts_with('+')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string name, char delimiter)
      : text_(text), name_(std::move(name)), delimiter_(delimiter) {}

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      CsvRow row = read_row();
      const bool blank = row.size() == 1 && row.front().empty();
      if (!blank) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool ends_cell() const {
    return at_ >= text_.size() || text_[at_] == delimiter_ || text_[at_] == '\n' ||
           text_[at_] == '\r';
  }

  CsvRow read_row() {
    CsvRow row;
    while (true) {
      row.push_back(text_.substr(at_).starts_with('"') ? quoted_cell() : plain_cell());
      if (at_ >= text_.size()) return row;
      const char end = text_[at_++];
      if (end == delimiter_) {
        if (at_ < text_.size()) continue;
        row.emplace_back();  // a delimiter is the last of the file: an empty cell follows it
        return row;
      }
      if (end == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
      ++line_;
      return row;
    }
  }

  std::string plain_cell() {
    const std::size_t begin = at_;
    while (!ends_cell()) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted_cell() {
    const std::size_t opened = line_;
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c != '"') {
        cell += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        cell += '"';
        ++at_;
      } else {
        ++at_;
        if (!ends_cell()) fail(line_, "text after a closing quote");
        return cell;
      }
    }
    fail(opened, "a quote that is never closed");
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", name_, line, what),
                "Save it again as CSV; a quote inside of a cell is written twice.");
  }

  std::string_view text_;
  std::string name_;
  char delimiter_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

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

Csv read_csv(std::string_view bytes, const std::string& name) {
  const std::string text = decode_text(bytes);
  Csv csv;
  csv.delimiter = guess_delimiter(text);
  csv.rows = CsvReader(text, name, csv.delimiter).rows();
  return csv;
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

std::string write_sheet(const std::vector<CsvRow>& rows) {
  const std::string text = write_csv(rows);
  const bool is_ascii =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii ? text : std::string(kByteOrderMark) + text;
}

std::string guard_formula(std::string cell) {
  const std::size_t first = cell.find_first_not_of(" \n\v\f");
  if (first == std::string::npos || is_number(cell)) return cell;
  const std::string_view dangerous = "=+-@\t\r";
  return dangerous.find(cell[first]) == std::string_view::npos ? cell : "'" + cell;
}

}  // namespace labkit::course
