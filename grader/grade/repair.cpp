// One small change that makes a kernel right, found by trying. No rule can know what a beginner meant, but a launch can tell
// whether `i <= n` for `i < n` helps: each of the edits that beginners need most (compile/small_edits.h) is compiled and run on
// the launches of the test that failed, until all of them come out right. What is reported has been seen to work, in the
// optimised build and under all checks. It never changes a verdict or a point.
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
/// Edits that help, of which the best is taken.
constexpr std::size_t kMostChoices = 4;
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

/// As it is graded, both builds under all checks: how many warnings there are; nullopt if anything is wrong.
std::optional<std::size_t> warnings_of(const Grading& grading, const Edited& made,
                                       const Attempts& attempts) {
  std::size_t warnings = 0;
  const auto is_right_in = [&](const Build& build) {
    return std::ranges::all_of(attempts, [&](const Attempt* attempt) {
      const device::Plan plan = checked_plan(grading, build, *attempt, 0);
      const device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
      warnings += outcome.findings.size();
      return came_out_right(*attempt, outcome);
    });
  };
  const Build& unoptimised = made.unoptimised.build;
  if (!is_right_in(made.submission.build) ||
      (!unoptimised.entries.empty() && !is_right_in(unoptimised)))
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

  /// Of the edits that `helps(batch, copy)` lets through and with which all `attempts` are right, with `most_warnings` at
  /// most: the one with the fewest warnings, then the least `cost_of(edited)`. nullopt as a cost: it does not help after all.
  template <typename Helps, typename CostOf>
  std::optional<Repair> best(const Helps& helps, const Attempts& attempts,
                             std::size_t most_warnings, const CostOf& cost_of, int more_batches) {
    const std::string& source = grading_.submission.source;
    std::optional<Repair> best;
    std::pair<std::size_t, double> least;
    std::size_t choices = 0;
    while (choices < kMostChoices && (!best || more_batches-- > 0)) {
      const std::optional<Batch> batch = next();
      if (!batch) break;
      for (std::size_t copy = 0; copy < batch->sources.size() && choices < kMostChoices; ++copy) {
        if (is_spent() || !helps(*batch, copy)) continue;
        const auto made = edited(grading_, batch->sources[copy]);
        const auto warnings = made ? warnings_of(grading_, *made, attempts) : std::nullopt;
        if (!warnings || *warnings > most_warnings) continue;
        ++choices;
        const std::optional<double> cost = cost_of(*made);
        if (!cost || (best && std::pair(*warnings, *cost) >= least)) continue;
        best = repair_of(source, batch->sources[copy]);
        least = {*warnings, *cost};
      }
    }
    return best;
  }

 private:
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

/// How many points the graded launch of an edited source gets for its limits; nullopt if it does not end or misses the first
/// limit that the submission misses.
std::optional<double> points_of(const Grading& grading, const Edited& made, const Attempt& graded) {
  const TestResult& result = *grading.running->result;
  const device::Outcome outcome =
      grading.devices.simulator->run(graded_plan(grading, made.submission.build, graded)).at(0);
  if (!outcome.completed || !outcome.counters) return std::nullopt;
  TestResult tried = result;
  tried.gates.clear();
  record_prediction(grading, graded, outcome, tried);
  apply_gates(grading, graded, outcome, tried);
  if (tried.gates.empty()) return std::nullopt;
  const auto missed = std::ranges::find_if(result.gates, &GateResult::missed);
  for (const GateResult& gate : tried.gates)
    if (!gate.passed && (missed == result.gates.end() || gate.name == missed->name))
      return std::nullopt;
  return tried.points;
}

}  // namespace

std::optional<Repair> find_repair(Grading& grading, const std::vector<Attempt>& attempts) {
  const TestResult& result = *grading.running->result;
  if (has_known_fix(result) || result.launch.empty() ||
      !may_search(grading, result.launch.front().kernel, ""))
    return std::nullopt;
  std::set<std::string> expressions;
  Attempts ordered;
  for (const Attempt& attempt : attempts) {
    expressions.insert(attempt.one.kernel);
    ordered.push_back(&attempt);
  }
  // launches before the one that failed have come out right: most edits fail at that one
  const auto failed = static_cast<std::ptrdiff_t>(
      std::min<std::size_t>(result.launches == 0 ? 0 : result.launches - 1, ordered.size() - 1));
  std::rotate(ordered.begin(), ordered.begin() + failed, ordered.begin() + failed + 1);
  const Attempt& largest = *std::ranges::max_element(attempts, {}, &Attempt::useful_bytes);
  Search search(grading, result.launch.front().kernel, std::move(expressions), kMostEdits);
  const auto is_right = [&](const Batch& batch, std::size_t copy) {
    return std::ranges::all_of(ordered, [&](const Attempt* attempt) {
      if (search.is_spent()) return false;
      const std::uint64_t budget = (attempt == ordered.front() ? 1 : kRepairOthers) *
                                   (kRepairFloor + kRepairPerByte * attempt->useful_bytes);
      return came_out_right(*attempt, search.run(batch, copy, *attempt, budget));
    });
  };
  const auto moved = [&](const Edited& made) -> std::optional<double> {
    return traffic(grading, made, largest);
  };
  auto repair = search.best(is_right, ordered, ~std::size_t{0}, moved, kMoreBatches);
  if (repair) repair->launches = attempts.size();
  return repair;
}

std::optional<Repair> find_faster(Grading& grading, const Attempt& small, const Attempt& graded) {
  if (!may_search(grading, small.one.kernel, " faster")) return std::nullopt;
  Search search(grading, small.one.kernel, {small.one.kernel}, kMostFasterEdits);
  const auto run = [&](const Batch& batch, std::size_t copy) {
    return search.run(batch, copy, small, kRepairFloor + kRepairPerByte * small.useful_bytes, true);
  };
  const Batch unchanged = search.unchanged();
  if (unchanged.sources.empty()) return std::nullopt;
  const device::Outcome before = run(unchanged, 0);
  if (!before.completed || !before.simulation) return std::nullopt;
  const auto is_less = [&](const Batch& batch, std::size_t copy) {
    const device::Outcome now = run(batch, copy);
    const auto less = [](double a, double b) { return a < kLess * b; };
    return came_out_right(small, now) && now.simulation &&
           (less(traffic_in(now), traffic_in(before)) ||
            less(static_cast<double>(now.simulation->cost),
                 static_cast<double>(before.simulation->cost)));
  };
  const auto lost = [&](const Edited& made) -> std::optional<double> {
    const auto points = points_of(grading, made, graded);
    return points ? std::optional(-*points) : std::nullopt;
  };
  return search.best(is_less, {&small}, 0, lost, 0);
}

}  // namespace labkit::grade
