#include "class/policy/rescore.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "compile/compile.h"
#include "grade/result.h"

namespace labkit::course {
namespace {

using nlohmann::json;

/// null stands for what is no number.
double number(const json& value) { return value.is_number() ? value.get<double>() : std::nan(""); }

enum class Held : std::uint8_t { yes, no, open, unknown };

/// `work` on a stored result.
template <typename Work>
auto with_stored(const std::string& text, const grade::Manifest& lab, const Work& work) {
  try {
    return work(json::parse(text));
  } catch (const json::exception& error) {
    throw Error(fmt::format("a stored result of {} cannot be read: {}", lab.id, error.what()),
                "Grade it again.");
  }
}

const json* find_named(const json& list, const std::string& key, const std::string& name) {
  for (const json& item : list)
    if (item.value(key, "") == name) return &item;
  return nullptr;
}

/// Whether a gate holds for a test's stored figures.
Held hold(const grade::Gate& gate, const json& test) {
  const json& gates = test.at("gates");
  const json* recorded = find_named(gates, "name", gate.name);
  if (recorded && recorded->value("figure", "") != gate.figure) recorded = nullptr;
  if (recorded && recorded->contains("interval")) {  // measured on a GPU
    if (recorded->contains("undecided")) return Held::open;
    return recorded->value("passed", false) ? Held::yes : Held::no;
  }
  const json* same_figure = recorded ? recorded : find_named(gates, "figure", gate.figure);
  const json& figures = test.at("figures");
  if (!figures.contains(gate.figure)) return Held::unknown;
  // So much per request says nothing where there were no requests; only a gate on it tells.
  if (!same_figure && gate.figure.ends_with("_per_request")) return Held::unknown;
  if (same_figure && same_figure->contains("missing")) return Held::no;
  const double value = number(figures.at(gate.figure));
  const bool holds = gate.is_minimum ? value >= gate.threshold : value <= gate.threshold;
  return holds ? Held::yes : Held::no;
}

/// A test that was right, under the gates of now: its gates, points and verdict.
void judge(const grade::Test& test, const json& recorded, grade::TestResult& result,
           std::string& note) {
  for (const grade::Gate& gate : test.gates) {
    const Held held = hold(gate, recorded);
    if (held == Held::unknown && note.empty())
      note = fmt::format("{}: no {} is stored for gate {}; grade it again", test.name, gate.figure,
                         gate.name);
    grade::GateResult now;
    now.name = gate.name;
    now.max_points = gate.points;
    now.passed = held == Held::yes || held == Held::unknown;
    if (held == Held::open)
      now.undecided = {words::Id::measured_disturbed, {{"trouble", "as it was measured"}}};
    result.gates.push_back(std::move(now));
  }
  grade::award_gates(result);
}

/// Every test of the lab, in its order, under the points and gates of now. `note`: why it must be
/// graded again; stays empty if it need not.
grade::LabResult judge_all(const json& stored, const grade::Manifest& lab, std::string& note) {
  const json& tests = stored.at("tests");
  grade::LabResult result;
  for (const grade::Test& test : lab.tests) {
    grade::TestResult one;
    one.name = test.name;
    one.bonus = test.bonus;
    one.max_points = test.points;
    const json* recorded = find_named(tests, "name", test.name);
    if (recorded) {
      one.verdict = grade::verdict_from_text(recorded->at("verdict").get<std::string>());
      const bool right = one.verdict.kind == "pass" || one.verdict.kind == "gate" ||
                         one.verdict.kind == "inconclusive";
      // A test that is not graded has neither gates nor figures.
      if (right && (test.is_graded || !recorded->at("gates").empty()))
        judge(test, *recorded, one, note);
    } else if (note.empty()) {
      note = fmt::format("{} is new; grade it again", test.name);
    }
    if (one.verdict.passed()) one.points = one.max_points;  // also where it has no gates any more
    result.tests.push_back(std::move(one));
  }
  grade::sum_up(result);
  return result;
}

/// Before any test ran there was another verdict (compile_error), and no points change it.
std::string verdict_of(const json& stored, const grade::LabResult& result) {
  const bool none_ran = std::ranges::all_of(
      result.tests, [](const grade::TestResult& test) { return test.verdict.neutral(); });
  return none_ran ? stored.at("verdict").get<std::string>() : result.verdict.text();
}

/// "" for NVRTC, and where none is there: that is an error when something is compiled.
std::string compiler_of_figures() {
  try {
    const compile::CompilerInfo compiler = compile::find_compiler();
    return compiler.is_clang ? fmt::format("clang {}", compiler.clang.major) : std::string{};
  } catch (const compile::NoCompiler&) {
    return {};
  }
}

}  // namespace

std::string measurement_hash(const grade::Manifest& lab) {
  toml::table manifest = toml::parse(read_file(lab.directory / "lab.toml"));
  for (const char* key : {"title", "idea", "reference"}) manifest.erase(key);
  if (toml::array* tests = manifest["test"].as_array())
    for (toml::node& node : *tests)
      if (toml::table* test = node.as_table())
        for (const char* key : {"points", "bonus", "about", "gate"}) test->erase(key);
  std::ostringstream text;
  text << manifest << '\0' << read_file(lab.directory / "check.cpp");
  // NVRTC's versions agree; clang's code is another, and its figures are not to be mixed with them.
  if (const auto compiler = compiler_of_figures(); !compiler.empty()) text << '\0' << compiler;
  return sha256_hex(text.str());
}

std::string scoring_hash(const grade::Manifest& lab) {
  std::string text;
  for (const grade::Test& test : lab.tests) {
    text += fmt::format("{}\n{} {}\n", test.name, test.points, test.bonus);
    for (const grade::Gate& gate : test.gates)
      text += fmt::format("{} {} {} {} {}\n", gate.name, gate.figure, gate.is_minimum,
                          gate.threshold, gate.points);
  }
  return sha256_hex(text);
}

Rescored rescore(const std::string& text, const grade::Manifest& lab) {
  return with_stored(text, lab, [&](const json& stored) {
    Rescored rescored;
    rescored.scoring_hash = scoring_hash(lab);
    const grade::LabResult result = judge_all(stored, lab, rescored.note);
    rescored.points = result.points;
    rescored.max_points = result.max_points;
    rescored.bonus = result.bonus;
    rescored.max_bonus = result.max_bonus;
    rescored.undecided = result.undecided + result.undecided_bonus;
    rescored.verdict = verdict_of(stored, result);
    return rescored;
  });
}

std::string rescored_json(const std::string& text, const grade::Manifest& lab) {
  return with_stored(text, lab, [&](const json& as_read) {
    auto stored = nlohmann::ordered_json::parse(text);
    std::string note;
    const grade::LabResult result = judge_all(as_read, lab, note);
    for (auto& test : stored.at("tests")) {
      const auto now =
          std::ranges::find(result.tests, test.value("name", ""), &grade::TestResult::name);
      if (now == result.tests.end()) continue;
      const std::string verdict = now->verdict.text();
      // What was said of the old verdict does not explain the new one.
      if (verdict != test.value("verdict", "")) test["message"] = json::array();
      test["verdict"] = verdict;
      test["points"] = now->points;
      test["max_points"] = now->max_points;
      test["bonus"] = now->bonus;
      for (auto& gate : test.at("gates")) {
        const auto held =
            std::ranges::find(now->gates, gate.value("name", ""), &grade::GateResult::name);
        if (held == now->gates.end()) continue;
        gate["passed"] = held->passed;
        gate["points"] = held->points;
        gate["max_points"] = held->max_points;
      }
    }
    stored["verdict"] = verdict_of(as_read, result);
    stored["points"] = result.points;
    stored["max_points"] = result.max_points;
    stored["bonus"] = result.bonus;
    stored["max_bonus"] = result.max_bonus;
    return stored.dump(2) + "\n";
  });
}

std::string result_that_counts(const Gradebook& book, const Entry& entry,
                               const std::vector<grade::Manifest>& labs) {
  const auto outcome = entry.graded ? book.outcome(entry.job->id) : std::nullopt;
  if (!outcome) return {};
  const auto lab = std::ranges::find(labs, entry.lab, &grade::Manifest::id);
  return entry.rescored && lab != labs.end() ? rescored_json(outcome->json, *lab) : outcome->json;
}

RescoredClass rescore_all(Gradebook& book, const std::vector<grade::Manifest>& labs) {
  RescoredClass all;
  for (const Entry& entry : book.entries()) {
    const auto lab = std::ranges::find(labs, entry.lab, &grade::Manifest::id);
    if (!entry.graded || lab == labs.end()) continue;
    const Rescored rescored = rescore(book.outcome(entry.job->id)->json, *lab);
    const Score& before = entry.rescored ? static_cast<const Score&>(*entry.rescored) : entry;
    const Score& now = rescored;
    const bool as_graded = now == static_cast<const Score&>(entry);
    if (!rescored.note.empty()) {
      all.grade_again.emplace_back(entry.student, entry.lab);
      book.put_rescored(entry.job->id, rescored);
      continue;
    }
    if (now != before)
      all.changed.push_back(fmt::format("{} {}: {:g} -> {:g}, {}", entry.student, entry.lab,
                                        before.points + before.bonus, now.points + now.bonus,
                                        now.verdict));
    if (!as_graded)
      book.put_rescored(entry.job->id, rescored);
    else if (entry.rescored)
      book.drop_rescored(entry.job->id);
  }
  return all;
}

}  // namespace labkit::course
