#include "cli/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/command_name.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/grading.h"
#include "cli/lab_state.h"
#include "cli/paths.h"

namespace labkit::cli {
namespace {

/// `words` between backticks in bold; where there is no bold the backticks stay.
std::string with_code(std::string_view line, const report::Style& style) {
  if (!style.colour) return std::string(line);
  std::string text;
  while (true) {
    const std::size_t open = line.find('`');
    const std::size_t close = open == line.npos ? open : line.find('`', open + 1);
    if (close == line.npos) return text + std::string(line);
    text += std::string(line.substr(0, open)) + style.bold(line.substr(open + 1, close - open - 1));
    line.remove_prefix(close + 1);
  }
}

std::vector<std::string> cells_of(std::string_view row, const report::Style& style) {
  std::vector<std::string> cells;
  row = trim(row);
  row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  while (true) {
    const std::size_t end = row.find('|');
    cells.push_back(with_code(trim(row.substr(0, end)), style));
    if (end == row.npos) return cells;
    row.remove_prefix(end + 1);
  }
}

bool is_rule(std::string_view row) { return row.find_first_not_of("|-: ") == row.npos; }

}  // namespace

std::string terminal_text(std::string_view markdown, const report::Style& style) {
  std::string text;
  std::vector<std::vector<std::string>> rows;
  const auto end_table = [&] {
    if (rows.empty()) return;
    std::size_t columns = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    for (auto& row : rows) row.resize(columns);
    const std::string table = report::table(rows, std::vector<bool>(columns, false));
    for (const std::string_view line : split_lines(table)) text += fmt::format("  {}\n", line);
    rows.clear();
  };
  bool code = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.starts_with("```")) {
      code = !code;
      continue;
    }
    if (!code && line.starts_with('|')) {
      if (!is_rule(line)) rows.push_back(cells_of(line, style));
      continue;
    }
    end_table();
    if (code) {
      text += fmt::format("    {}\n", line);
    } else if (line.starts_with('#')) {
      const std::string_view title = trim(line.substr(line.find_first_not_of('#')));
      text += style.bold(title) + "\n";
      if (!style.colour)
        text += std::string(title.size(), line.starts_with("##") ? '-' : '=') + "\n";
    } else {
      text += with_code(line, style) + "\n";
    }
  }
  end_table();
  return text;
}

int run_show(const std::string& name) {
  const lab::Manifest lab = select_labs({name}).front();
  const report::Style style = report::style_for(stdout);
  const Progress progress = progress_of(cache_directory(), lab);
  const std::string text =
      terminal_text(read_file(lab.directory / "README.md"), style) +
      fmt::format("\nWrite here: {}\nSo far:     {} points, {}\nGrade:      {} grade {}\n",
                  report::printable((lab.directory / "kernel.cu").string()),
                  points_text(lab, progress), progress_text(progress), command_name(), lab.id);
  std::fputs(text.c_str(), stdout);
  return kExitOk;
}

}  // namespace labkit::cli
