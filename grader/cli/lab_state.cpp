#include "cli/lab_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/sha256.h"
#include "cli/history.h"
#include "cli/prove_labs.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

/// Of a verdict that was reached before any test; no test is called so, they have a point in their names.
using words::Id;

constexpr const char* kWhole = "whole";

std::string key_of(const grade::Manifest& lab, const std::string& source) {
  return sha256_hex(sha256_hex(source) + sha256_hex(read_file(lab.directory / "lab.toml")));
}

fs::path place(const fs::path& cache, const grade::Manifest& lab, const std::string& test) {
  return cache / "state" / lab.id / (test + ".json");
}

void record(const fs::path& file, const std::string& key, const grade::Verdict& verdict,
            double points) {
  try {
    const nlohmann::json json = {{"of", key}, {"verdict", verdict.text()}, {"points", points}};
    write_file_atomically(file, json.dump() + "\n");
  } catch (const std::exception&) {  // a full disk, another's folder: no list then
  }
}

struct Kept {
  std::string of;
  grade::Verdict verdict;
  double points = 0;
};

std::optional<Kept> kept(const fs::path& file) {
  try {
    const auto json = nlohmann::json::parse(read_file(file));
    const Kept one{json.at("of"), grade::verdict_from_text(json.at("verdict").get<std::string>()),
                   json.at("points")};
    if (!one.verdict.kind.empty()) return one;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

}  // namespace

void record_state(const fs::path& cache, const grade::Manifest& lab, const std::string& source,
                  const grade::LabResult& result) {
  const std::string key = key_of(lab, source);
  bool any = false;
  for (const grade::TestResult& test : result.tests) {
    if (test.verdict.kind == "not_run") continue;
    any = true;
    record(place(cache, lab, test.name), key, test.verdict, test.points);
  }
  if (!any && !result.verdict.passed() && !result.verdict.neutral())
    record(place(cache, lab, kWhole), key, result.verdict, 0);
}

Progress progress_of(const fs::path& cache, const grade::Manifest& lab) {
  Progress progress;
  grade::LabResult& result = progress.result;
  result.lab = lab.id;
  result.title = lab.title;
  if (const auto history = read_history(cache, lab.id); const Attempt* best = best_of(history, lab))
    progress.best = best->total();
  const fs::path file = lab.directory / "kernel.cu";
  if (!fs::exists(file)) return progress;
  progress.kind = Progress::Kind::untouched;
  if (is_stub(lab)) return progress;
  const std::string key = key_of(lab, read_file(file));
  bool of_this = false, of_another = false;
  const auto last_of = [&](const std::string& test) {
    std::optional<Kept> last = kept(place(cache, lab, test));
    if (last) (last->of == key ? of_this : of_another) = true;
    if (last && last->of != key) last.reset();
    return last;
  };
  for (const grade::Test& test : lab.tests) {
    grade::TestResult one;
    one.name = test.name;
    one.max_points = test.points;
    one.bonus = test.bonus;
    if (const auto last = last_of(test.name)) {
      one.verdict = last->verdict;
      one.points = last->points;
      for (const grade::Gate& gate : test.gates)  // which verdict_words() asks for
        if (gate.name == last->verdict.gate) {
          grade::GateResult& missed = one.gates.emplace_back();
          missed.name = gate.name;
          missed.figure = gate.figure;
        }
    }
    progress.not_run += one.verdict.kind == "not_run";
    result.tests.push_back(one);
  }
  grade::sum_up(result);
  if (!of_this)
    if (const auto whole = last_of(kWhole)) result.verdict = whole->verdict;
  progress.kind = of_this      ? Progress::Kind::graded
                  : of_another ? Progress::Kind::changed
                               : Progress::Kind::ungraded;
  return progress;
}

std::string progress_text(const Progress& progress) {
  // In the order of Progress::Kind.
  static constexpr Id kNotGraded[] = {Id::state_no_kernel, Id::state_not_begun,
                                      Id::state_not_graded, Id::state_changed};
  if (progress.kind != Progress::Kind::graded)
    return words::text(kNotGraded[static_cast<std::size_t>(progress.kind)]);
  std::string verdict = explain::verdict_words(progress.result);
  // Before any test none can have run, and the verdict says it all.
  if (progress.not_run == 0 || progress.not_run == progress.result.tests.size()) return verdict;
  return words::text(Id::state_not_run, {{"state", verdict},
                                         {"count", std::to_string(progress.not_run)},
                                         {"all", std::to_string(progress.result.tests.size())}});
}

std::string points_text(const grade::Manifest& lab, const Progress& progress) {
  using explain::number;
  std::string text = fmt::format("{}/{}", number(progress.result.points), number(lab.max_points()));
  if (lab.bonus_points() > 0)
    text += fmt::format(" +{}/{}", number(progress.result.bonus), number(lab.bonus_points()));
  if (progress.best > progress.result.points + progress.result.bonus)
    text = words::text(Id::points_best, {{"points", text}, {"best", number(progress.best)}});
  return text;
}

}  // namespace labkit::cli
