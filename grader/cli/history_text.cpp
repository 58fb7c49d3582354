// `labkit list --history`.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/paths.h"
#include "explain/words.h"
#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

using words::Id;

/// What `text` says of each graded test, in the order of lab.toml: "32/4 8/8".
template <typename Text>
std::string figures_cell(const grade::Manifest& lab, const Attempt& attempt, const Text& text) {
  std::vector<std::string> cells;
  for (const grade::Test& test : lab.tests)
    if (const auto found = attempt.figures.find(test.name); found != attempt.figures.end())
      if (std::string cell = text(found->second); !cell.empty()) cells.push_back(std::move(cell));
  return joined(cells, " ");
}

std::string verdict_text(const grade::Manifest& lab, const grade::Verdict& verdict) {
  for (const grade::Test& test : lab.tests)
    for (const grade::Gate& gate : test.gates)
      if (gate.name == verdict.gate) return std::string(explain::missed_words(gate.figure));
  grade::LabResult result;
  result.verdict = verdict;
  return explain::verdict_words(result);
}

/// The last attempts at a lab, the newest last, and the best.
std::string history_text(const grade::Manifest& lab, const std::vector<Attempt>& history,
                         const report::Style& style) {
  constexpr std::size_t kMostShown = 20;
  const std::size_t begin = history.size() - std::min(history.size(), kMostShown);
  std::vector<std::vector<std::string>> rows(1);
  for (const Id id : {Id::column_when, Id::column_points, Id::column_sectors, Id::column_wavefronts,
                      Id::column_of_copy, Id::column_verdict})
    rows[0].push_back(words::text(id));
  for (const Attempt& one : history | std::views::drop(begin)) {
    const std::string verdict = verdict_text(lab, one.verdict);
    rows.push_back({short_time(one.time), explain::number(one.total()),
                    figures_cell(lab, one, explain::sectors_text),
                    figures_cell(lab, one, explain::wavefronts_text),
                    figures_cell(lab, one, explain::ratio_text),
                    one.verdict.passed() ? style.good(verdict) : verdict});
  }
  std::string text = style.bold(fmt::format("{}  {}", lab.id, words::translated(lab.title))) + "\n";
  if (begin > 0)
    text += words::text(Id::history_last, {{"count", std::to_string(kMostShown)},
                                           {"all", std::to_string(history.size())}}) +
            "\n";
  text += report::table(rows, {false, true, true, true, true, false}, style.columns);
  if (const Attempt* best = best_of(history, lab))
    text += words::text(Id::history_best,
                        {{"points", explain::number(best->total())},
                         {"most", explain::number(lab.max_points() + lab.bonus_points())},
                         {"time", short_time(best->time)}}) +
            "\n";
  return text;
}

}  // namespace

std::string histories_text(const std::vector<grade::Manifest>& labs, const report::Style& style) {
  std::string text;
  for (const grade::Manifest& lab : labs)
    if (const auto history = read_history(cache_directory(), lab.id); !history.empty())
      text += history_text(lab, history, style) + "\n";
  if (text.empty()) return words::text(Id::history_none) + "\n";
  return text + report::lines_text({words::text(Id::history_columns)}, style, "");
}

}  // namespace labkit::cli
