#include "cli/history.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

/// Fewer are better. What a request costs comes first: of figures that fell alike, the first is shown.
constexpr std::array<std::string_view, 6> kCosts = {"load_sectors_per_request",
                                                    "store_sectors_per_request",
                                                    "shared_load_wavefronts_per_request",
                                                    "shared_store_wavefronts_per_request",
                                                    "global_load_sectors",
                                                    "global_store_sectors"};
constexpr std::array<std::string_view, 3> kTimes = {"time_us", "ratio", "best_ratio"};

/// Below this a difference of predicted times is none.
constexpr double kFaster = 1.05;

fs::path history_file(const fs::path& cache, const std::string& lab_id) {
  return cache / "state" / lab_id / "history.jsonl";
}

std::string hash_of_limits(const grade::Manifest& lab) {
  return sha256_hex(read_file(lab.directory / "lab.toml"));
}

bool gives_right_results(const grade::TestResult& test) {
  return test.verdict.passed() || test.verdict.kind == "gate" || test.verdict.inconclusive();
}

grade::Figures kept_figures(const grade::TestResult& test) {
  grade::Figures kept;
  const auto keep = [&](std::string_view name) {
    const auto found = test.figures.find(std::string(name));
    if (found != test.figures.end()) kept.insert(*found);
  };
  std::ranges::for_each(kCosts, keep);
  if (!test.time_unlike) std::ranges::for_each(kTimes, keep);
  return kept;
}

nlohmann::json json_of(const Attempt& attempt) {
  return {{"time", attempt.time},   {"source", attempt.source},          {"lab", attempt.lab},
          {"gpu", attempt.gpu},     {"verdict", attempt.verdict.text()}, {"points", attempt.points},
          {"bonus", attempt.bonus}, {"figures", attempt.figures}};
}

Attempt attempt_from(const nlohmann::json& json) {
  Attempt attempt;
  attempt.time = json.at("time");
  attempt.source = json.at("source");
  attempt.lab = json.at("lab");
  attempt.gpu = json.at("gpu");
  attempt.verdict = grade::verdict_from_text(json.at("verdict").get<std::string>());
  attempt.points = json.at("points");
  attempt.bonus = json.at("bonus");
  attempt.figures = json.at("figures");
  return attempt;
}

bool is_same_but_for_time(Attempt one, const Attempt& other) {
  one.time = other.time;
  return json_of(one) == json_of(other);
}

const Attempt* best_under(const std::vector<Attempt>& history, const std::string& limits) {
  const Attempt* best = nullptr;
  for (const Attempt& one : history)
    if (one.lab == limits && (!best || one.total() > best->total())) best = &one;
  return best;
}

/// Drops the oldest until few enough are left, but not those that later attempts are compared with.
void shorten(std::vector<Attempt>& history) {
  while (history.size() > kMostAttempts) {
    const std::string limits = history.back().lab;
    const Attempt* const best = best_under(history, limits);
    const auto first = std::ranges::find_if(
        history, [&](const Attempt& one) { return one.lab == limits && !one.figures.empty(); });
    auto oldest = history.begin();
    while (oldest == first || &*oldest == best) ++oldest;
    history.erase(oldest);
  }
}

double figure_in(const grade::Figures& figures, std::string_view name) {
  const auto found = figures.find(std::string(name));
  return found == figures.end() ? 0 : found->second;
}

/// How many times as fast as `then`; 0 where it is no faster.
double times_faster(const grade::Figures* then, const grade::Figures& now) {
  if (!then) return 0;
  const double before = figure_in(*then, "time_us"), time = figure_in(now, "time_us");
  return time > 0 && before >= kFaster * time ? before / time : 0;
}

/// Sets the figure that fell most.
void set_figure(const grade::Figures& then, const grade::Figures& now,
                explain::Reward::Gain& gain) {
  double most = kFaster;
  for (const std::string_view name : kCosts) {
    const double before = figure_in(then, name), cost = figure_in(now, name);
    if (cost <= 0 || before <= most * cost) continue;
    most = before / cost;
    gain.figure = name;
    gain.from = before;
    gain.to = cost;
  }
}

const grade::Figures* figures_of(const Attempt* attempt, const std::string& test) {
  if (!attempt) return nullptr;
  const auto found = attempt->figures.find(test);
  return found == attempt->figures.end() ? nullptr : &found->second;
}

}  // namespace

std::optional<Attempt> attempt_of(const grade::Manifest& lab, const std::string& source,
                                  const grade::LabResult& result, std::time_t now) {
  const auto was_run = [](const grade::TestResult& test) { return test.verdict.kind != "not_run"; };
  const bool is_before_tests = std::ranges::none_of(result.tests, was_run);
  const bool has_nothing = result.verdict.kind == "untouched" && result.points == 0;
  if (source.empty() || has_nothing ||
      (is_before_tests ? result.verdict.passed() || result.verdict.neutral()
                       : !std::ranges::all_of(result.tests, was_run)))
    return std::nullopt;
  Attempt attempt;
  attempt.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  attempt.source = sha256_hex(source);
  attempt.lab = hash_of_limits(lab);
  attempt.gpu = result.gpu;
  attempt.verdict = result.verdict;
  attempt.points = result.points;
  attempt.bonus = result.bonus;
  for (const grade::TestResult& test : result.tests)
    if (gives_right_results(test))
      if (grade::Figures figures = kept_figures(test); !figures.empty())
        attempt.figures[test.name] = std::move(figures);
  return attempt;
}

std::vector<Attempt> read_history(const fs::path& cache, const std::string& lab_id) {
  std::vector<Attempt> history;
  std::string text;
  try {
    text = read_file(history_file(cache, lab_id));
  } catch (const std::exception&) {  // none yet
  }
  for (const std::string_view line : split_lines(text)) try {
      history.push_back(attempt_from(nlohmann::json::parse(line)));
    } catch (const std::exception&) {
    }
  return history;
}

void append_to_history(const fs::path& cache, const std::string& lab_id, const Attempt& attempt) {
  try {
    std::vector<Attempt> history = read_history(cache, lab_id);
    if (!history.empty() && is_same_but_for_time(history.back(), attempt)) return;
    history.push_back(attempt);
    shorten(history);
    std::string text;
    for (const Attempt& one : history) text += json_of(one).dump() + "\n";
    write_file_atomically(history_file(cache, lab_id), text);
  } catch (const std::exception&) {  // a full disk, another's folder: no history then
  }
}

void note_attempt(const fs::path& cache, const grade::Manifest& lab, const std::string& source,
                  const grade::LabResult& result) {
  const std::time_t now = std::time(nullptr);
  auto attempt = attempt_of(lab, source, result, now);
  if (!attempt) {
    Progress progress = progress_of(cache, lab);
    if (progress.kind != Progress::Kind::graded || progress.not_run > 0) return;
    progress.result.gpu = result.gpu;
    attempt = attempt_of(lab, source, progress.result, now);
    const std::vector<Attempt> history = read_history(cache, lab.id);
    if (!attempt || (!history.empty() && history.back().source == attempt->source)) return;
  }
  append_to_history(cache, lab.id, *attempt);
}

const Attempt* best_of(const std::vector<Attempt>& history, const grade::Manifest& lab) {
  return best_under(history, hash_of_limits(lab));
}

explain::Reward reward_of(const std::vector<Attempt>& history, const Attempt& now) {
  explain::Reward reward;
  reward.now = now.total();
  const Attempt *before = nullptr, *best = nullptr;
  const auto is_comparable = [&](const Attempt& one) {
    return one.lab == now.lab && one.gpu == now.gpu;
  };
  for (const Attempt& one : history) {
    if (!is_comparable(one) || one.source == now.source) continue;
    before = &one;
    if (!best || one.total() > best->total()) best = &one;
  }
  if (!before) return reward;
  reward.before = before->total();
  reward.best = best->total();
  reward.best_time = short_time(best->time);

  double most = 0;
  bool is_faster = false;
  for (const auto& [test, figures] : now.figures) {
    const auto first = std::ranges::find_if(history, [&, name = test](const Attempt& one) {
      return is_comparable(one) && one.figures.contains(name);
    });
    const bool is_first = first == history.end() || first->source == now.source;
    const grade::Figures* const of_first = is_first ? nullptr : &first->figures.at(test);
    const grade::Figures* const of_before = figures_of(before, test);
    const grade::Figures* const base = of_first ? of_first : of_before;
    if (!base) continue;
    explain::Reward::Gain gain = {.test = test, .figure = {}};
    set_figure(*base, figures, gain);
    gain.than_first = times_faster(of_first, figures);
    const bool is_one_version = of_first && first->source == before->source;
    gain.than_before = is_one_version ? 0 : times_faster(of_before, figures);
    is_faster |= times_faster(of_before, figures) > 0;
    const double gained = std::max(
        {gain.than_first, gain.than_before, gain.figure.empty() ? 0 : gain.from / gain.to});
    if (gained <= most) continue;
    most = gained;
    reward.gain = gain;
  }
  // Of a step back nothing is praised.
  if (!now.verdict.passed() && !is_faster && reward.now <= *reward.before) reward.gain.reset();
  return reward;
}

std::string short_time(const std::string& utc) {
  std::tm parts{};
  if (::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return utc;
  return fmt::format("{:%d %b %H:%M}", fmt::localtime(::timegm(&parts)));
}

std::string reward_text(const grade::Manifest& lab, const grade::LabResult& result,
                        const report::Style& style) {
  std::vector<std::string> lines = explain::tell_predictions(result);
  if (const auto now = attempt_of(lab, result.source, result, std::time(nullptr)))
    explain::append(lines,
                    explain::tell_reward(reward_of(read_history(cache_directory(), lab.id), *now)));
  if (result.verdict.passed())
    if (std::string bonus = explain::tell_open_bonus(result); !bonus.empty())
      lines.push_back(std::move(bonus));
  return report::lines_text(lines, style, "");
}

}  // namespace labkit::cli
