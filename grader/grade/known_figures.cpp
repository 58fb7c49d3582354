#include "grade/known_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "grade/toml_reader.h"

namespace labkit::grade {
namespace {

constexpr std::size_t kMaxFiguresBytes = 1 << 20;

/// Beside those of the gates: what a picture of the accesses shows.
constexpr std::string_view kAlways[] = {
    "load_sectors_per_request", "store_sectors_per_request", "excess_global_sectors",
    "shared_load_wavefronts_per_request", "shared_store_wavefronts_per_request"};

Figures read_figures(TomlReader& reader, const char* key) {
  Figures figures;
  const toml::table* table = reader.table(key, "a table of figures");
  if (!table) return figures;
  for (const auto& [name, value] : *table) {
    const std::string figure(name.str());
    const auto number = value.value<double>();
    if (!number || !value.is_number() || !is_figure(figure))
      reader.fail(fmt::format("`{}`: {} is no figure with a number", key, figure), &value);
    figures[figure] = *number;
  }
  return figures;
}

KnownAnswer parse_answer(const toml::table& table, const std::string& file) {
  TomlReader reader(table, file, "[[test.answer]]");
  KnownAnswer answer;
  answer.name = reader.text("name");
  answer.file = reader.text("file");
  answer.counted = read_figures(reader, "counted");
  answer.predicted = read_figures(reader, "predicted");
  reader.no_other_keys();
  return answer;
}

}  // namespace

std::optional<double> KnownAnswer::find(const std::string& figure) const {
  for (const Figures* figures : {&counted, &predicted})
    if (const auto at = figures->find(figure); at != figures->end()) return at->second;
  return std::nullopt;
}

const std::vector<KnownAnswer>& KnownFigures::of(std::string_view test) const {
  static const std::vector<KnownAnswer> none;
  const auto at = std::ranges::find(tests, test, &KnownTest::name);
  return at == tests.end() ? none : at->answers;
}

std::filesystem::path known_figures_file(const Manifest& lab) {
  return lab.directory / "figures.toml";
}

KnownFigures load_known_figures(const Manifest& lab) {
  const std::filesystem::path file = known_figures_file(lab);
  if (!std::filesystem::exists(file)) return {};
  return parse_known_figures(read_file(file, kMaxFiguresBytes), lab, file.string());
}

KnownFigures parse_known_figures(std::string_view text, const Manifest& lab,
                                 const std::string& name) {
  const toml::table table =
      parse_toml(text, name, command_name() + " lab figures --write writes it anew");
  TomlReader reader(table, name, "figures");
  KnownFigures known;
  known.gpu = reader.text("gpu");
  for (const toml::table* each : reader.tables("test")) {
    TomlReader inner(*each, name, "[[test]]");
    KnownTest& made = known.tests.emplace_back();
    made.name = inner.text("name");
    const Test* test = lab.find_test(made.name);
    if (!test || !test->is_graded)
      inner.fail(fmt::format("lab.toml grades no test `{}`", made.name));
    for (const toml::table* answer : inner.tables("answer"))
      made.answers.push_back(parse_answer(*answer, name));
    inner.no_other_keys();
  }
  reader.no_other_keys();
  return known;
}

std::string to_toml(const KnownFigures& known) {
  std::string text = fmt::format(
      "# Figures of answers that everybody may know of. Filled in by `labkit lab figures "
      "--write`,\n"
      "# compared by `labkit lab check`; grader/grade/known_figures.h explains the keys.\n"
      "gpu = \"{}\"\n",
      known.gpu);
  for (const KnownTest& test : known.tests) {
    text += fmt::format("\n[[test]]\nname = \"{}\"\n", test.name);
    for (const KnownAnswer& answer : test.answers)
      text += fmt::format(
          "\n  [[test.answer]]\n  name = \"{}\"\n  file = \"{}\"\n  counted = {}\n  predicted = "
          "{}\n",
          answer.name, answer.file, inline_table(answer.counted), inline_table(answer.predicted));
  }
  return text;
}

void record_figures(const Test& test, const Figures& figures, KnownAnswer& answer) {
  answer.counted.clear();
  answer.predicted.clear();
  for (const std::string_view name : kAlways)
    if (const auto at = figures.find(std::string(name));
        at != figures.end() && (at->second != 0 || !name.ends_with("_per_request")))
      answer.counted[at->first] = at->second;  // 0 a request: there are none
  for (const Gate& gate : test.gates) {
    const auto at = figures.find(gate.figure);
    if (at == figures.end()) continue;
    if (is_counted(gate.figure))
      answer.counted[at->first] = at->second;
    else
      answer.predicted[at->first] = std::round(at->second * 1000) / 1000;
  }
}

}  // namespace labkit::grade
