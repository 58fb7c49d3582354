// One small change that makes a kernel right, found by trying. No rule can know what a beginner meant, but a launch can tell
// whether `i <= n` for `i < n` helps: each of the edits that beginners need most (compile/small_edits.h) is compiled and run on
// the launches of the test that failed, until all of them come out right, and then on those of the other tests of
// the kernel: an edit that holds in all of them, with which the graded launch gets the most points, is the one that is
// reported, in the optimised build and under all checks. Where there is none, one may be that repairs its test and breaks no
// other. It never changes a verdict or a point.
//
// Forty-eight edits are compiled at once, each in a namespace of its own and unoptimised, which takes 2 ms an edit where a
// compilation of its own takes 100 (NVRTC 13.0, 2 cores).
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "compile/diagnostics.h"
#include "compile/outline.h"
#include "compile/small_edits.h"
#include "grade/steps.h"

namespace labkit::grade {
namespace {

constexpr std::size_t kMostEdits = 480, kMostFasterEdits = 288, kEditsAtOnce = 48;
constexpr std::size_t kMostRepairBytes = 16384;  ///< of a source: every edit compiles a copy
/// Compilations, with those of what is left when some copies did not compile.
constexpr int kMostCompilations = 32;
/// Of one compilation. Forty-eight copies of the largest solution take 0.5 s.
constexpr double kRepairCpuSeconds = 4;
/// Of the launch that failed, in issue slots, of which an unoptimised build takes many; most edits end there, and some of them
/// in a loop without end. The other launches may take more.
constexpr std::uint64_t kRepairFloor = 12'000'000, kRepairPerByte = 64, kRepairOthers = 20;
/// Of all launches together.
constexpr std::uint64_t kRepairBudget = 4'000'000'000;
/// Edits that help, of which the best is taken; rounds of so many, where none of the first gets all points.
constexpr std::size_t kMostChoices = 4;
constexpr int kMostRounds = 3;
/// Batches after the one with the first of these: those compiled later may help better.
constexpr int kMoreBatches = 3;

/// Of what a launch moves, or of its cost, at least a tenth less.
constexpr double kLess = 0.9;

std::string namespace_of(std::size_t copy) { return fmt::format("labkit_edit_{}", copy); }

bool is_include(std::string_view line) {
  line = trim(line);
  return line.starts_with("#") && trim(line.substr(1)).starts_with("include");
}

/// Copies of a source side by side.
struct Copies {
  std::string source;
  std::size_t head = 0, each = 0;  ///< lines before the first copy, and of each

  /// `sources[k]`: the source of copy k.
  Copies(const std::string& original, const std::vector<std::string>& sources) {
    for (const std::string_view line : split_lines(original)) {
      if (!is_include(line)) continue;
      source += std::string(line) + "\n";
      ++head;
    }
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto lines = split_lines(sources[k]);
      each = lines.size() + 2;
      source += "namespace " + namespace_of(k) + " {\n";
      for (const std::string_view line : lines)
        source += (is_include(line) ? "" : std::string(line)) + "\n";
      source += "}\n";
    }
  }
  /// The copy that a line (from 1) belongs to.
  std::size_t copy_at(std::uint32_t line) const {
    return line <= head || each == 0 ? ~std::size_t{0} : (line - head - 1) / each;
  }
};

/// An edited source in both builds.
struct Edited {
  Submission submission;
  Unoptimised unoptimised;
};
std::optional<Edited> edited(const Grading& grading, const std::string& source) {
  Edited made{.submission = grading.submission, .unoptimised = {}};
  made.submission.source = source;
  compile::Request request;
  request.registers = true;
  for (const auto& [expression, entry] : grading.submission.build.entries)
    request.kernels.push_back(expression);
  if (!compile_source(made.submission, request, {}) || !parse_ptx(made.submission))
    return std::nullopt;
  made.unoptimised = prepare_unoptimised(made.submission, {});
  return made;
}

using Attempts = std::vector<const Attempt*>;

/// As it is graded, under all checks, and the first `own` in both builds: how many warnings those have; nullopt if anything
/// is wrong.
std::optional<std::size_t> warnings_of(const Grading& grading, const Edited& made,
                                       const Attempts& attempts, std::size_t own) {
  std::size_t warnings = 0;
  const auto is_right_in = [&](const Build& build, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const device::Plan plan = checked_plan(grading, build, *attempts[i], 0);
      const device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
      if (i < own) warnings += outcome.findings.size();
      if (!came_out_right(*attempts[i], outcome)) return false;
    }
    return true;
  };
  const Build& unoptimised = made.unoptimised.build;
  if (!is_right_in(made.submission.build, attempts.size()) ||
      (!unoptimised.entries.empty() && !is_right_in(unoptimised, own)))
    return std::nullopt;
  return warnings;
}

/// What a launch moves: sectors of global memory and wavefronts of shared memory.
double traffic_in(const device::Outcome& outcome) {
  std::uint64_t sum = 0;
  if (outcome.counters)
    for (const observe::InstructionCounters& one : outcome.counters->instructions)
      sum += one.global_sectors + one.shared_wavefronts;
  return static_cast<double>(sum);
}
double traffic(const Grading& grading, const Edited& made, const Attempt& attempt) {
  device::Plan plan = plan_of(made.submission.build, attempt.setup);
  plan.launches[0].want_counters = true;
  plan.launches[0].thread_instruction_budget = attempt.budget;
  return traffic_in(grading.devices.simulator->run(plan).at(0));
}

Repair repair_of(const std::string& before, const std::string& after) {
  Repair repair;
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  for (std::size_t i = 0; i < old_lines.size() && i < new_lines.size(); ++i)
    if (old_lines[i] != new_lines[i])
      repair.lines.push_back({static_cast<std::uint32_t>(i + 1), std::string(trim(old_lines[i])),
                              std::string(trim(new_lines[i]))});
  return repair;
}

/// Findings that say what to do themselves, and that no edit of an expression mends.
bool has_known_fix(const TestResult& result) {
  using enum launch::FindingKind;
  if (!result.idle.empty()) return true;
  const launch::Finding* const error = first_error(result.findings);
  if (!error) return result.mismatches.empty();
  if (error->fix.id == words::Id::undefined_fix_early_exit) return true;
  return error->kind != out_of_bounds && error->kind != uninitialized &&
         error->kind != misaligned && error->kind != budget &&
         !(error->kind == race && (error->space == "global" || error->hazard == "WAW"));
}

/// Lines where it went wrong, or is slow.
std::set<std::uint32_t> suspects_of(const TestResult& result) {
  std::set<std::uint32_t> lines;
  for (const launch::Finding& finding : result.findings)
    if (finding.severity == launch::Severity::error)
      lines.insert({finding.where.line, finding.other.line, finding.where_inside.line,
                    finding.other_inside.line});
  for (const Mismatch& mismatch : result.mismatches)
    if (mismatch.stored)
      lines.insert({mismatch.stored->where.line, mismatch.stored->where_inside.line});
  if (result.slow) lines.insert(result.slow->where.line);
  lines.erase(0);
  return lines;
}

/// A search is made once a kernel, and only where it can come to something.
bool may_search(Grading& grading, const std::string& expression, const char* why) {
  return grading.submission.source.size() <= kMostRepairBytes &&
         grading.repaired.insert(compile::base_name(expression) + why).second;
}

/// Where an edit holds: in its own test and in all others of the kernel, or in those alone that passed before.
enum class Holds : std::uint8_t { nowhere, here, everywhere };

/// Edited sources that compile side by side; no entries: there is none.
struct Batch {
  Build build;
  std::vector<std::string> sources;
};

/// The edits of a kernel, compiled batch after batch and tried.
class Search {
 public:
  Search(Grading& grading, const std::string& expression, std::set<std::string> expressions,
         std::size_t most)
      : grading_(grading),
        expressions_(std::move(expressions)),
        edits_(compile::small_edits(
            compile::Tokens(grading.submission.source, compile::Tokens::Keep::code),
            compile::base_name(expression), most, suspects_of(*grading.running->result))) {}

  /// The source as it is, in one copy.
  Batch unchanged() { return compile_side_by_side({grading_.submission.source}); }

  device::Outcome run(const Batch& batch, std::size_t copy, const Attempt& attempt,
                      std::uint64_t budget, bool want_counters = false) {
    Build own{.module = batch.build.module, .entries = {}};
    own.entries[attempt.one.kernel] =
        batch.build.entries.at(namespace_of(copy) + "::" + attempt.one.kernel);
    device::Plan plan = plan_of(own, attempt.setup);
    plan.seed = grading_.options.seed;
    plan.launches[0].thread_instruction_budget = budget;
    plan.launches[0].want_counters = want_counters;
    device::Outcome outcome = grading_.devices.simulator->run(plan).at(0);
    if (outcome.simulation) slots_ -= std::min(slots_, outcome.simulation->cost);
    return outcome;
  }

  bool is_spent() const { return compilations_ == 0 || slots_ == 0; }

  /// Of the edits that hold where `helps(batch, copy)` says, and with which all launches of `attempts_for()` are right, with
  /// `most_warnings` at most in the first `own`: the one that loses the fewest points by `lost(edited, holds)`, then the one with the fewest warnings,
  /// then the least `cost_of(edited)`. nullopt as a loss: it does not help after all.
  template <typename Helps, typename AttemptsFor, typename CostOf, typename Lost>
  std::optional<Repair> best(const Helps& helps, const AttemptsFor& attempts_for, std::size_t own,
                             std::size_t most_warnings, const CostOf& cost_of, const Lost& lost,
                             int more_batches) {
    std::vector<std::string> partial;
    std::optional<Choice> best;
    double least = 0;
    const auto choice_of = [&](const std::string& source, Holds holds) {
      auto made = choice(source, attempts_for(holds), own, most_warnings, cost_of);
      if (made) made->holds = holds;
      return made;
    };
    const auto judge = [&](std::vector<Choice>& choices) {
      std::ranges::stable_sort(choices, {}, &Choice::key);
      for (Choice& one : choices) {
        const std::optional<double> points = lost(one.made, one.holds);
        if (!points || (best && *points >= least)) continue;
        best = std::move(one);
        least = *points;
        if (least <= 0) break;
      }
      choices.clear();
    };
    std::vector<Choice> choices;
    Batch batch;
    std::size_t copy = 0;
    for (int round = 0; round < kMostRounds && (!best || least > 0); ++round) {
      int left = more_batches;
      bool ended = false;
      while (choices.size() < kMostChoices) {
        if (copy == batch.sources.size()) {
          if (!choices.empty() && left-- == 0) break;
          std::optional<Batch> more = next();
          if ((ended = !more)) break;
          batch = std::move(*more);
          copy = 0;
          continue;
        }
        const std::size_t at = copy++;
        const Holds holds = is_spent() ? Holds::nowhere : helps(batch, at);
        if (holds == Holds::here && partial.size() < kMostChoices)
          partial.push_back(batch.sources[at]);
        if (holds != Holds::everywhere) continue;
        if (auto one = choice_of(batch.sources[at], holds)) choices.push_back(std::move(*one));
      }
      judge(choices);
      if (ended) break;
    }
    if (!best) {
      for (const std::string& source : partial)
        if (auto one = choice_of(source, Holds::here)) choices.push_back(std::move(*one));
      judge(choices);
    }
    if (!best) return std::nullopt;
    return repair_of(grading_.submission.source, best->source);
  }

 private:
  struct Choice {
    std::string source;
    Edited made;
    std::pair<std::size_t, double> key;  ///< warnings, cost
    Holds holds = Holds::nowhere;
  };
  template <typename CostOf>
  std::optional<Choice> choice(const std::string& source, const Attempts& attempts, std::size_t own,
                               std::size_t most_warnings, const CostOf& cost_of) {
    auto made = edited(grading_, source);
    const auto warnings = made ? warnings_of(grading_, *made, attempts, own) : std::nullopt;
    if (!warnings || *warnings > most_warnings) return std::nullopt;
    const std::optional<double> cost = cost_of(*made);
    if (!cost) return std::nullopt;
    return Choice{.source = source, .made = std::move(*made), .key = {*warnings, *cost}};
  }

  std::optional<Batch> next() {
    if (at_ >= edits_.size() || is_spent()) return std::nullopt;
    std::vector<std::string> sources;
    for (const std::size_t end = std::min(edits_.size(), at_ + kEditsAtOnce); at_ < end; ++at_)
      sources.push_back(compile::apply_edit(grading_.submission.source, edits_[at_]));
    return compile_side_by_side(std::move(sources));
  }

  /// Those that do not compile are taken out.
  Batch compile_side_by_side(std::vector<std::string> sources) {
    while (!sources.empty() && !is_spent()) {
      compilations_ -= 1;
      const Copies copies(grading_.submission.source, sources);
      compile::Request request{.source = copies.source, .name = "kernel.cu", .kernels = {}};
      request.device_debug = true;
      request.tries_each = false;
      for (std::size_t k = 0; k < sources.size(); ++k)
        for (const std::string& expression : expressions_)
          request.kernels.push_back(namespace_of(k) + "::" + expression);
      compile::Result result = compile::compile(request, {.cpu_seconds = kRepairCpuSeconds});
      if (result.status == compile::Status::ok) {
        ptx::ParseResult parsed = ptx::parse(result.ptx);
        if (!parsed.module) break;
        Batch batch{.build = build_of(request, std::move(result)), .sources = std::move(sources)};
        batch.build.module.parsed = std::make_shared<const ptx::Module>(std::move(*parsed.module));
        return batch;
      }
      if (result.status == compile::Status::limit) compilations_ = 0;
      std::set<std::size_t> bad;
      for (const compile::Diagnostic& error : compile::errors_in_source_order(result.log))
        bad.insert(copies.copy_at(error.line));
      if (result.status == compile::Status::missing_kernel)
        for (std::size_t k = 0; k < sources.size(); ++k)
          for (const std::string& expression : expressions_)
            if (!result.entries.contains(namespace_of(k) + "::" + expression)) bad.insert(k);
      std::vector<std::string> good;
      for (std::size_t k = 0; k < sources.size(); ++k)
        if (!bad.contains(k)) good.push_back(std::move(sources[k]));
      if (good.size() == sources.size()) break;
      sources = std::move(good);
    }
    return {};
  }

  Grading& grading_;
  std::set<std::string> expressions_;
  std::vector<compile::Edit> edits_;
  std::size_t at_ = 0;
  int compilations_ = kMostCompilations;
  std::uint64_t slots_ = kRepairBudget;
};

/// The running test, until the end of a scope.
class Running {
 public:
  Running(Grading& grading, const KeptTest& kept) : grading_(grading), before_(grading.running) {
    grading.running = {.test = kept.test, .result = kept.result, .sizes = &kept.test->size};
  }
  ~Running() { grading_.running = before_; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Grading& grading_;
  std::optional<RunningTest> before_;
};

/// Limits that an edited source may miss: those alone that the submission misses too, or any but the first of these.
enum class Misses : std::uint8_t { any, none_new, not_the_first };

/// What the graded launch of an edited source comes to: the points it loses; nullopt if it fails for a new reason, or misses
/// a limit that it must not.
std::optional<double> points_lost(Grading& grading, const Edited& made, const KeptTest& kept,
                                  Misses misses) {
  const Running running(grading, kept);
  const TestResult& result = *kept.result;
  const double most = result.max_points;
  const auto failed = [&](const device::Outcome& outcome) -> std::optional<double> {
    const launch::Finding* const error = first_error(outcome.findings);
    const std::string_view kind = error ? name_of(error->kind) : "wrong_result";
    return kind == result.verdict.kind ? std::optional(most) : std::nullopt;
  };
  const Build& build = made.submission.build;
  const Attempt small = attempt_of(grading, *kept.small, true);
  const device::Outcome checked =
      grading.devices.simulator->run(checked_plan(grading, build, small, 0)).at(0);
  if (!came_out_right(small, checked)) return failed(checked);
  const Attempt graded = attempt_of(grading, *kept.graded);
  const device::Outcome outcome =
      grading.devices.simulator->run(graded_plan(grading, build, graded)).at(0);
  if (!came_out_right(graded, outcome) || !outcome.counters) return failed(outcome);
  TestResult tried = result;
  tried.verdict.kind = "pass";
  tried.gates.clear();
  record_prediction(grading, graded, outcome, tried);
  apply_gates(grading, graded, outcome, tried);
  const auto first = std::ranges::find_if(result.gates, &GateResult::missed);
  for (const GateResult& gate : tried.gates) {
    if (gate.passed) continue;
    const auto before = std::ranges::find(result.gates, gate.name, &GateResult::name);
    const bool is_new = before == result.gates.end() || !before->missed();
    if (misses == Misses::none_new && is_new) return std::nullopt;
    if (misses == Misses::not_the_first && (first == result.gates.end() || before == first))
      return std::nullopt;
    if (result.verdict.passed()) return std::nullopt;
  }
  return most - tried.points;
}

/// The tests of correctness of a kernel besides the one that is repaired, and its graded ones.
struct Others {
  struct Correctness {
    const KeptTest& kept;
    std::vector<Attempt> attempts;
  };
  std::vector<Correctness> correctness;
  std::vector<const KeptTest*> graded;

  Others(Grading& grading, const KeptTest& repaired, const std::string& kernel) {
    for (const KeptTest& kept : grading.kept) {
      const Case& one = kept.graded ? *kept.graded : kept.cases.front();
      if (&kept == &repaired || compile::base_name(one.kernel) != compile::base_name(kernel))
        continue;
      if (kept.graded) {
        graded.push_back(&kept);
        continue;
      }
      const Running running(grading, kept);
      Correctness& other = correctness.emplace_back(kept);
      for (const Case& each : kept.cases) other.attempts.push_back(attempt_of(grading, each));
    }
  }
  void add_expressions(std::set<std::string>& expressions) const {
    for (const Correctness& other : correctness)
      for (const Attempt& attempt : other.attempts) expressions.insert(attempt.one.kernel);
  }
  /// Launches of those tests that an edit must hold in.
  void add_attempts(Holds holds, Attempts& attempts) const {
    for (const Correctness& other : correctness)
      if (holds == Holds::everywhere || other.kept.result->verdict.passed())
        for (const Attempt& attempt : other.attempts) attempts.push_back(&attempt);
  }
  /// Where an edit holds that repairs its own test. `is_right` in a launch.
  template <typename IsRight>
  Holds holds(const IsRight& is_right) const {
    Holds holds = Holds::everywhere;
    for (const Correctness& other : correctness) {
      const bool passed = other.kept.result->verdict.passed();
      if (holds == Holds::here && !passed) continue;
      if (std::ranges::all_of(other.attempts, is_right)) continue;
      if (passed) return Holds::nowhere;
      holds = Holds::here;
    }
    return holds;
  }
};

std::optional<Repair> find_repair(Grading& grading, const KeptTest& repaired) {
  const TestResult& result = *repaired.result;
  if (has_known_fix(result) || result.launch.empty() ||
      !may_search(grading, result.launch.front().kernel, ""))
    return std::nullopt;
  std::vector<Attempt> attempts;
  std::set<std::string> expressions;
  for (const Case& one : repaired.cases) {
    attempts.push_back(attempt_of(grading, one));
    expressions.insert(one.kernel);
  }
  Attempts ordered;
  for (const Attempt& attempt : attempts) ordered.push_back(&attempt);
  const Others others(grading, repaired, result.launch.front().kernel);
  others.add_expressions(expressions);
  // launches before the one that failed have come out right: most edits fail at that one
  const auto failed = static_cast<std::ptrdiff_t>(
      std::min<std::size_t>(result.launches == 0 ? 0 : result.launches - 1, ordered.size() - 1));
  std::rotate(ordered.begin(), ordered.begin() + failed, ordered.begin() + failed + 1);
  const Attempt& largest = *std::ranges::max_element(attempts, {}, &Attempt::useful_bytes);
  Search search(grading, result.launch.front().kernel, std::move(expressions), kMostEdits);
  const auto helps = [&](const Batch& batch, std::size_t copy) {
    const auto is_right = [&](const Attempt& attempt) {
      if (search.is_spent()) return false;
      const std::uint64_t budget = (&attempt == ordered.front() ? 1 : kRepairOthers) *
                                   (kRepairFloor + kRepairPerByte * attempt.useful_bytes);
      return came_out_right(attempt, search.run(batch, copy, attempt, budget));
    };
    const bool here =
        std::ranges::all_of(ordered, [&](const Attempt* attempt) { return is_right(*attempt); });
    return here ? others.holds(is_right) : Holds::nowhere;
  };
  const auto moved = [&](const Edited& made) -> std::optional<double> {
    return traffic(grading, made, largest);
  };
  const auto lost = [&](const Edited& made, Holds holds) -> std::optional<double> {
    const Misses misses = holds == Holds::everywhere ? Misses::any : Misses::none_new;
    double sum = 0;
    for (const KeptTest* graded : others.graded) {
      const auto points = points_lost(grading, made, *graded, misses);
      if (!points) return std::nullopt;
      sum += *points;
    }
    return sum;
  };
  const auto attempts_for = [&](Holds holds) {
    Attempts all = ordered;
    others.add_attempts(holds, all);
    return all;
  };
  auto repair =
      search.best(helps, attempts_for, ordered.size(), ~std::size_t{0}, moved, lost, kMoreBatches);
  if (repair) repair->launches = attempts.size();
  return repair;
}

/// The same for a kernel that is right and misses a limit, or comes to no end in its graded launch: a change with which the
/// limit holds. Edits with which a small launch moves or costs no less are not tried further.
std::optional<Repair> find_faster(Grading& grading, const KeptTest& slow) {
  if (!may_search(grading, slow.small->kernel, " faster")) return std::nullopt;
  const Attempt small = attempt_of(grading, *slow.small, true);
  const Others others(grading, slow, small.one.kernel);
  std::set<std::string> expressions = {small.one.kernel};
  others.add_expressions(expressions);
  Search search(grading, small.one.kernel, std::move(expressions), kMostFasterEdits);
  const auto run = [&](const Batch& batch, std::size_t copy) {
    return search.run(batch, copy, small, kRepairFloor + kRepairPerByte * small.useful_bytes, true);
  };
  const Batch unchanged = search.unchanged();
  if (unchanged.sources.empty()) return std::nullopt;
  const device::Outcome before = run(unchanged, 0);
  if (!before.completed || !before.simulation) return std::nullopt;
  const auto helps = [&](const Batch& batch, std::size_t copy) {
    const device::Outcome now = run(batch, copy);
    const auto less = [](double a, double b) { return a < kLess * b; };
    const bool is_less = came_out_right(small, now) && now.simulation &&
                         (less(traffic_in(now), traffic_in(before)) ||
                          less(static_cast<double>(now.simulation->cost),
                               static_cast<double>(before.simulation->cost)));
    if (!is_less) return Holds::nowhere;
    return others.holds([&](const Attempt& attempt) {
      if (search.is_spent()) return false;
      return came_out_right(
          attempt,
          search.run(batch, copy, attempt,
                     kRepairOthers * (kRepairFloor + kRepairPerByte * attempt.useful_bytes)));
    });
  };
  const auto nothing = [](const Edited&) -> std::optional<double> { return 0; };
  const auto lost = [&](const Edited& made, Holds) {
    return points_lost(grading, made, slow, Misses::not_the_first);
  };
  const auto attempts_for = [&](Holds holds) {
    Attempts all = {&small};
    others.add_attempts(holds, all);
    return all;
  };
  return search.best(helps, attempts_for, 1, 0, nothing, lost, 0);
}

}  // namespace

bool waits_for_repairs(const Grading& grading) {
  return std::ranges::any_of(grading.kept, &KeptTest::wants_repair);
}

void find_repairs(Grading& grading) {
  for (const KeptTest& kept : grading.kept) {
    if (!kept.wants_repair) continue;
    const Running running(grading, kept);
    kept.result->repair = kept.graded ? find_faster(grading, kept) : find_repair(grading, kept);
  }
  grading.kept.clear();
}

}  // namespace labkit::grade
