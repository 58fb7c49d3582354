#include "class/policy/rescore.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/files.h"
#include "base/sha256.h"
#include "compile/compile.h"
#include "report/json.h"

namespace labkit::course {
namespace {

/// A gate of now held against what is stored of a test that was right; nullopt if that does not tell.
std::optional<grade::GateResult> hold(const grade::Gate& gate, const grade::TestResult& test) {
  const auto first = [&](const auto& fits) {
    const auto found = std::ranges::find_if(test.gates, fits);
    return found == test.gates.end() ? nullptr : &*found;
  };
  const auto has_figure = [&](const grade::GateResult& one) { return one.figure == gate.figure; };
  const grade::GateResult* before =
      first([&](const grade::GateResult& one) { return one.name == gate.name && has_figure(one); });
  const bool is_measured = before && before->measured;
  if (!before) before = first(has_figure);
  grade::GateResult now = before ? *before : grade::GateResult{};
  now.name = gate.name;
  now.figure = gate.figure;
  now.reason = gate.reason;
  now.next = gate.next;
  now.max_points = gate.points;
  if (is_measured) return now;
  const auto value = test.figures.find(gate.figure);
  // So much per request says nothing where there were no requests; only a gate on it tells.
  if (value == test.figures.end() || (!before && gate.figure.ends_with("_per_request")))
    return std::nullopt;
  now.value = value->second;
  now.is_minimum = gate.is_minimum;
  now.threshold = gate.threshold;
  now.measured = false;
  now.undecided = {};
  now.passed =
      !now.missing && (gate.is_minimum ? now.value >= gate.threshold : now.value <= gate.threshold);
  return now;
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

Rescored rescore(grade::LabResult stored, const grade::Manifest& lab) {
  Rescored rescored{std::move(stored), {}};
  grade::LabResult& result = rescored.result;
  std::vector<grade::TestResult> tests;
  for (const grade::Test& test : lab.tests) {
    const auto before = std::ranges::find(result.tests, test.name, &grade::TestResult::name);
    if (before == result.tests.end()) {
      rescored.note = fmt::format("{} is new", test.name);
      return rescored;
    }
    grade::TestResult now = *before;
    now.bonus = test.bonus;
    now.max_points = test.points;
    const std::string& kind = before->verdict.kind;
    const bool was_right = kind == "pass" || kind == "gate" || kind == "inconclusive";
    // A test that is not graded has neither gates nor figures.
    if (was_right && (test.is_graded || !before->gates.empty())) {
      now.gates.clear();
      for (const grade::Gate& gate : test.gates) {
        auto held = hold(gate, *before);
        if (!held) {
          rescored.note =
              fmt::format("{}: no {} is stored for gate {}", test.name, gate.figure, gate.name);
          return rescored;
        }
        now.gates.push_back(std::move(*held));
      }
      grade::award_gates(now);
      // What was said of the old verdict does not explain the new one.
      if (now.verdict != before->verdict) now.message.clear();
    }
    if (now.verdict.passed()) now.points = now.max_points;  // also where it has no gates any more
    tests.push_back(std::move(now));
  }
  result.tests = std::move(tests);
  // Before any test ran there was another verdict (compile_error), and no points change it.
  const bool none_ran = std::ranges::all_of(
      result.tests, [](const grade::TestResult& test) { return test.verdict.neutral(); });
  const grade::Verdict before = result.verdict;
  grade::sum_up(result);
  if (none_ran) result.verdict = before;
  return rescored;
}

std::vector<std::string> rescore_all(Gradebook& book, const std::vector<grade::Manifest>& labs) {
  std::vector<std::string> again;
  for (const Entry& entry : book.entries()) {
    const auto lab = std::ranges::find(labs, entry.lab, &grade::Manifest::id);
    if (!entry.graded || lab == labs.end()) continue;
    const std::string about = fmt::format("{}, {}", entry.student, entry.lab);
    const Rescored now =
        rescore(report::read_lab_json(book.outcome(entry.job->id)->json, about), *lab);
    if (now.note.empty()) {
      book.rescore(entry.job->id, report::lab_json(now.result));
    } else {
      book.grade_again(entry.student, entry.lab);
      again.push_back(fmt::format("{}: {}", about, now.note));
    }
  }
  return again;
}

}  // namespace labkit::course
