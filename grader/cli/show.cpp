#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <ranges>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

using words::Id;

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
  for (const auto cell : std::views::split(row, '|'))
    cells.push_back(with_code(trim(std::string_view(cell.begin(), cell.end())), style));
  return cells;
}

bool is_rule(std::string_view row) { return row.find_first_not_of("|-: ") == row.npos; }

/// How long "- " or "12. " before an item of a list is; 0: it is none.
std::size_t item_mark(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != line.npos && line.substr(digits).starts_with(". ") ? digits + 2
                                                                                     : 0;
}

/// README.md, or "README.zh.md" where it is translated.
std::filesystem::path task_of(const grade::Manifest& lab) {
  const auto translated =
      lab.directory / fmt::format("README.{}.md", words::code_of(words::language()));
  std::error_code none;
  return std::filesystem::exists(translated, none) ? translated : lab.directory / "README.md";
}

/// Lines of a task that each begin a part of it, which `show` leaves out until its time has come: a beginner
/// reads the idea and the task first.
constexpr std::string_view kOnceGraded = "<!-- show: once graded -->";
constexpr std::string_view kOncePassed = "<!-- show: once it passes -->";

/// Without what comes too early.
std::string task_text(const grade::Manifest& lab, const Progress& progress) {
  const bool is_graded = progress.kind == Progress::Kind::graded ||
                         progress.kind == Progress::Kind::changed || progress.best > 0;
  const std::string task = read_file(task_of(lab));
  std::string text;
  bool is_shown = true;
  for (const std::string_view line : split_lines(task)) {
    if (line == kOnceGraded)
      is_shown = is_graded;
    else if (line == kOncePassed)
      is_shown = progress.best >= lab.max_points();
    else if (is_shown)
      text.append(line).append("\n");
  }
  return text;
}

/// A line each, the texts below each other.
std::string labelled(const std::vector<std::pair<Id, std::string>>& lines) {
  std::size_t most = 0;
  for (const auto& [label, text] : lines)
    most = std::max(most, report::width(words::row_of(label)));
  std::string all;
  for (const auto& [label, text] : lines)
    all += words::text(label) + std::string(most + 1 - report::width(words::row_of(label)), ' ') +
           text + "\n";
  return all;
}

}  // namespace

std::string terminal_text(std::string_view markdown, const report::Style& style) {
  std::string text;
  std::vector<std::vector<std::string>> rows;
  const auto end_table = [&] {
    if (rows.empty()) return;
    std::size_t columns = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    for (auto& row : rows) row.resize(columns);
    const std::string table = report::table(rows, std::vector<bool>(columns, false),
                                            style.columns == 0 ? 0 : style.columns - 2);
    for (const std::string_view line : split_lines(table)) text += fmt::format("  {}\n", line);
    rows.clear();
  };
  bool code = false;
  std::string
      paragraph;  // its lines belong together until an empty one, or the next item of a list
  const auto end_paragraph = [&] {
    const std::size_t mark = item_mark(paragraph);
    if (!paragraph.empty())
      text += paragraph.substr(0, mark) +
              report::wrapped(paragraph.substr(mark), style.columns, std::string(mark, ' '))
                  .substr(mark);
    paragraph.clear();
  };
  for (const std::string_view line : split_lines(markdown)) {
    const bool is_plain =
        !line.empty() && !code && line.find_first_of("|#") != 0 && !line.starts_with("```");
    if (!is_plain || item_mark(line) != 0) end_paragraph();
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
        text += std::string(report::width(title), line.starts_with("##") ? '-' : '=') + "\n";
    } else if (style.columns == 0 || line.empty()) {
      text += with_code(line, style) + "\n";
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + with_code(line, style);
    }
  }
  end_paragraph();
  end_table();
  return text;
}

void add_show(Command labkit) {
  const auto name = std::make_shared<std::string>();
  Command command = labkit.subcommand("show", "the task of a lab");
  add_lab(command, *name);
  add_language_option(command);
  command.run([name] {
    const grade::Manifest lab = select_labs({*name}).front();
    const Progress progress = progress_of(cache_directory(), lab);
    report::print(
        terminal_text(task_text(lab, progress), report::style_for(stdout)) + "\n" +
        labelled(
            {{Id::write_here, report::printable((lab.directory / "kernel.cu").string())},
             {Id::so_far, words::text(Id::so_far_points, {{"points", points_text(lab, progress)},
                                                          {"state", progress_text(progress)}})},
             {Id::grade_it, fmt::format("{} grade {}", command_name(), lab.id)}}));
    return kExitOk;
  });
}

const grade::Manifest* next_lab(const std::vector<grade::Manifest>& labs) {
  for (const grade::Manifest& lab : labs)
    if (!progress_of(cache_directory(), lab).complete()) return &lab;
  return nullptr;
}

std::string list_text(const std::vector<grade::Manifest>& labs, const report::Style& style) {
  std::vector<std::vector<std::string>> rows(1);
  for (const Id id : {Id::column_lab, Id::column_points, Id::column_state, Id::column_what})
    rows[0].push_back(words::text(id));
  for (const grade::Manifest& lab : labs) {
    const Progress progress = progress_of(cache_directory(), lab);
    const std::string state = progress_text(progress);
    rows.push_back({lab.id, points_text(lab, progress),
                    progress.complete()                       ? style.good(state)
                    : progress.kind == Progress::Kind::graded ? style.bad(state)
                                                              : style.dim(state),
                    words::translated(lab.title)});
  }
  std::string text = report::table(rows, {false, false, false, false}, style.columns) + "\n";
  if (const grade::Manifest* next = next_lab(labs))
    text += fmt::format(
        "{}\n{}\n{}\n", words::text(Id::next_lab_is, {{"lab", next->id}, {"folder", next->folder}}),
        words::text(Id::lab_task, {{"command", command_name() + " show " + next->id}}),
        words::text(Id::grade_at_each_save, {{"command", command_name() + " watch " + next->id}}));
  else
    text += words::text(Id::every_lab_passes) + "\n";
  return text;
}

std::string progress_line(const std::vector<grade::Manifest>& labs) {
  const auto done = std::ranges::count_if(labs, [](const grade::Manifest& lab) {
    return progress_of(cache_directory(), lab).complete();
  });
  const grade::Manifest* const next = next_lab(labs);
  const std::string count = std::to_string(labs.size());
  if (!next) return words::text(Id::all_labs_done, {{"count", count}}) + "\n";
  return words::text(Id::labs_done, {{"done", std::to_string(done)},
                                     {"count", count},
                                     {"command", command_name() + " show " + next->id}}) +
         "\n";
}

void add_list(Command labkit) {
  struct ListOptions {
    std::vector<std::string> labs;
    bool history = false;
  };
  const auto options = std::make_shared<ListOptions>();
  Command command = labkit.subcommand("list", "the labs: points, how far you are, what is next");
  add_labs(command, options->labs);
  add_language_option(command);
  command.flag("--history", options->history, "what each grading of your kernel.cu gave");
  command.run([options] {
    const auto labs = select_labs(options->labs);
    const report::Style style = report::style_for(stdout);
    report::print(options->history ? histories_text(labs, style) : list_text(labs, style));
    return kExitOk;
  });
}

}  // namespace labkit::cli
