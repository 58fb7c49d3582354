#include "grade/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "compile/diagnostics.h"
#include "compile/outline.h"
#include "compile/small_edits.h"

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
/// Edits that help, of which the one that moves least is taken.
constexpr std::size_t kMostChoices = 4;
/// Batches after the one with the first of these.
constexpr int kMoreBatches = 3;

/// Edits that move less, which are then held against the limits of the graded launch.
constexpr std::size_t kMostFaster = 4;
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

  /// `source_of(k)`: the source of copy k.
  Copies(const std::string& original, const std::vector<std::string>& sources) {
    for (const std::string_view line : split_lines(original)) {
      if (!is_include(line)) continue;
      source += std::string(line) + "\n";
      ++head;
    }
    for (std::size_t k = 0; k < sources.size(); ++k) {
      source += "namespace " + namespace_of(k) + " {\n";
      each = 2;
      for (const std::string_view line : split_lines(sources[k])) {
        source += is_include(line) ? "" : std::string(line);
        source += "\n";
        ++each;
      }
      source += "}\n";
    }
  }
  /// The copy that a line (from 1) belongs to.
  std::size_t copy_at(std::uint32_t line) const {
    return line <= head || each == 0 ? ~std::size_t{0} : (line - head - 1) / each;
  }
};

/// What is left of the search.
struct Means {
  int compilations = kMostCompilations;
  std::uint64_t slots = kRepairBudget;
  bool are_spent() const { return compilations == 0 || slots == 0; }
  void end() { compilations = 0; }
};

/// Compiles the sources side by side; those that do not compile are taken out. No entries: none is left.
Build compile_side_by_side(const std::string& original, std::vector<std::string>& sources,
                           const std::set<std::string>& expressions, Means& means) {
  while (!sources.empty() && !means.are_spent()) {
    means.compilations -= 1;
    const Copies copies(original, sources);
    compile::Request request{.source = copies.source, .name = "kernel.cu", .kernels = {}};
    request.device_debug = true;
    request.tries_each = false;
    for (std::size_t k = 0; k < sources.size(); ++k)
      for (const std::string& expression : expressions)
        request.kernels.push_back(namespace_of(k) + "::" + expression);
    compile::Result result = compile::compile(request, {.cpu_seconds = kRepairCpuSeconds});
    if (result.status == compile::Status::ok) {
      ptx::ParseResult parsed = ptx::parse(result.ptx);
      if (!parsed.module) break;
      Build build;
      build.module = {.name = request.name, .ptx = std::move(result.ptx)};
      build.module.parsed = std::make_shared<const ptx::Module>(std::move(*parsed.module));
      build.entries = std::move(result.entries);
      return build;
    }
    if (result.status == compile::Status::limit) means.end();
    std::set<std::size_t> bad;
    for (const compile::Diagnostic& error : compile::errors_in_source_order(result.log))
      bad.insert(copies.copy_at(error.line));
    if (result.status == compile::Status::missing_kernel)
      for (std::size_t k = 0; k < sources.size(); ++k)
        for (const std::string& expression : expressions)
          if (!result.entries.contains(namespace_of(k) + "::" + expression)) bad.insert(k);
    std::vector<std::string> good;
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (!bad.contains(k)) good.push_back(std::move(sources[k]));
    const bool fewer = good.size() < sources.size();
    sources = std::move(good);
    if (!fewer) break;
  }
  sources.clear();
  return {};
}

/// One launch of copy `copy` of a build.
device::Outcome run_copy(Grading& grading, const Build& build, std::size_t copy,
                         const Attempt& attempt, std::uint64_t budget, Means& means,
                         bool want_counters = false) {
  Build own{.module = build.module, .entries = {}};
  own.entries[attempt.one.kernel] =
      build.entries.at(namespace_of(copy) + "::" + attempt.one.kernel);
  device::Plan plan = plan_of(own, attempt.setup);
  plan.seed = grading.options.seed;
  plan.launches[0].thread_instruction_budget = budget;
  plan.launches[0].want_counters = want_counters;
  device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
  if (outcome.simulation) means.slots -= std::min(means.slots, outcome.simulation->cost);
  return outcome;
}

/// Whether it comes out right in all launches, the one that failed first.
bool is_right(Grading& grading, const Build& build, std::size_t copy,
              const std::vector<const Attempt*>& attempts, Means& means) {
  return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt* attempt) {
    if (means.are_spent()) return false;
    const std::uint64_t budget = (attempt == attempts.front() ? 1 : kRepairOthers) *
                                 (kRepairFloor + kRepairPerByte * attempt->useful_bytes);
    return came_out_right(*attempt, run_copy(grading, build, copy, *attempt, budget, means));
  });
}

/// An edited source in both builds.
struct Edited {
  std::string source;
  Submission submission;
  Unoptimised unoptimised;
};
std::optional<Edited> edited(const Grading& grading, const std::string& source) {
  Edited made{.source = source, .submission = grading.submission, .unoptimised = {}};
  made.submission.source = source;
  compile::Request request;
  request.registers = true;
  for (const auto& [expression, entry] : grading.submission.build.entries)
    request.kernels.push_back(expression);
  if (!compile_source(made.submission, request, {}, made.submission.build) ||
      !parse_ptx(made.submission))
    return std::nullopt;
  made.unoptimised = prepare_unoptimised(made.submission, {});
  return made;
}

/// As it is graded, both builds under all checks: how many warnings there are; nullopt if anything is wrong.
std::optional<std::size_t> warnings_of(Grading& grading, const Edited& made,
                                       const std::vector<const Attempt*>& attempts) {
  std::size_t warnings = 0;
  const auto is_right_in = [&](const Build& build) {
    return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt* attempt) {
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
std::uint64_t traffic_in(const device::Outcome& outcome) {
  std::uint64_t sum = 0;
  if (outcome.counters)
    for (const observe::InstructionCounters& one : outcome.counters->instructions)
      sum += one.global_sectors + one.shared_wavefronts;
  return sum;
}
std::uint64_t traffic(Grading& grading, const Edited& made, const Attempt& attempt) {
  device::Plan plan = plan_of(made.submission.build, attempt.setup);
  plan.launches[0].want_counters = true;
  plan.launches[0].thread_instruction_budget = attempt.budget;
  return traffic_in(grading.devices.simulator->run(plan).at(0));
}

Repair repair_of(const std::string& before, const std::string& after, std::size_t launches) {
  Repair repair{.lines = {}, .launches = launches};
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
  const auto error = std::find_if(
      result.findings.begin(), result.findings.end(),
      [](const launch::Finding& finding) { return finding.severity == launch::Severity::error; });
  if (error == result.findings.end()) return result.mismatches.empty();
  return error->kind != out_of_bounds && error->kind != uninitialized &&
         error->kind != misaligned && error->kind != budget &&
         !(error->kind == race && (error->space == "global" || error->hazard == "WAW"));
}

/// Lines where it went wrong, or is slow.
std::set<std::uint32_t> suspects_of(const TestResult& result) {
  std::set<std::uint32_t> lines;
  const auto add = [&](const launch::SourceLine& where) {
    if (where.line > 0) lines.insert(where.line);
  };
  for (const launch::Finding& finding : result.findings) {
    if (finding.severity != launch::Severity::error) continue;
    for (const auto& where :
         {finding.where, finding.other, finding.where_inside, finding.other_inside})
      add(where);
  }
  for (const Mismatch& mismatch : result.mismatches)
    if (mismatch.stored)
      for (const auto& where : {mismatch.stored->where, mismatch.stored->where_inside}) add(where);
  if (result.slow) add(result.slow->where);
  return lines;
}

/// A search is made once a kernel, and only where it can come to something.
bool may_search(Grading& grading, const std::string& expression, const char* why) {
  return grading.submission.source.size() <= kMostRepairBytes &&
         grading.repaired.insert(compile::base_name(expression) + why).second;
}

/// The edits of a kernel, compiled batch after batch.
class Batches {
 public:
  Batches(const Grading& grading, const std::string& expression, std::set<std::string> expressions,
          std::size_t most)
      : source_(grading.submission.source),
        expressions_(std::move(expressions)),
        edits_(compile::small_edits(compile::Tokens(source_, compile::Tokens::Keep::code),
                                    compile::base_name(expression), most,
                                    suspects_of(*grading.running->result))) {}

  Means means;

  struct Batch {
    Build build;
    std::vector<std::string> sources;  ///< of its copies
  };
  /// The next; nullopt after the last.
  std::optional<Batch> next() {
    if (at_ >= edits_.size() || means.are_spent()) return std::nullopt;
    Batch batch;
    for (const std::size_t end = std::min(edits_.size(), at_ + kEditsAtOnce); at_ < end; ++at_)
      batch.sources.push_back(compile::apply_edit(source_, edits_[at_]));
    batch.build = compile_side_by_side(source_, batch.sources, expressions_, means);
    return batch;
  }
  /// The source as it is, in one copy.
  Batch unchanged() {
    Batch batch{.build = {}, .sources = {source_}};
    batch.build = compile_side_by_side(source_, batch.sources, expressions_, means);
    return batch;
  }

 private:
  const std::string& source_;
  std::set<std::string> expressions_;
  std::vector<compile::Edit> edits_;
  std::size_t at_ = 0;
};

/// How many points the graded launch of an edited source gets for its limits; nullopt if it does not end or misses the first
/// limit that the submission misses.
std::optional<double> points_of(Grading& grading, const Edited& made, const Attempt& graded) {
  TestResult& result = *grading.running->result;
  TestResult tried = result;
  tried.gates.clear();
  tried.points = 0;
  tried.verdict.kind = "pass";
  std::swap(result, tried);
  Submission submission = made.submission;
  std::swap(grading.submission, submission);
  const auto back = [&] {
    std::swap(grading.submission, submission);
    std::swap(result, tried);
  };
  try {
    const device::Outcome outcome =
        grading.devices.simulator->run(graded_plan(grading, graded)).at(0);
    if (outcome.completed && outcome.counters) {
      record_prediction(grading, graded, outcome);
      apply_gates(grading, graded, outcome);
    }
  } catch (...) {
    back();
    throw;
  }
  back();  // `tried` holds what came out
  const auto missed =
      std::find_if(result.gates.begin(), result.gates.end(),
                   [](const GateResult& gate) { return !gate.passed && !gate.undecided; });
  const std::string first = missed == result.gates.end() ? "" : missed->name;
  if (tried.gates.empty()) return std::nullopt;
  for (const GateResult& gate : tried.gates)
    if (!gate.passed && (gate.name == first || first.empty())) return std::nullopt;
  return tried.points;
}

}  // namespace

std::optional<Repair> find_repair(Grading& grading, const std::vector<Attempt>& attempts) {
  const TestResult& result = *grading.running->result;
  if (has_known_fix(result) || result.launch.empty() ||
      !may_search(grading, result.launch.front().kernel, ""))
    return std::nullopt;
  std::set<std::string> expressions;
  std::vector<const Attempt*> ordered;
  for (const Attempt& attempt : attempts) {
    expressions.insert(attempt.one.kernel);
    ordered.push_back(&attempt);
  }
  // launches before the one that failed have come out right: most edits fail at that one
  const auto failed = static_cast<std::ptrdiff_t>(
      std::min<std::size_t>(result.launches == 0 ? 0 : result.launches - 1, ordered.size() - 1));
  std::rotate(ordered.begin(), ordered.begin() + failed, ordered.begin() + failed + 1);
  const Attempt& largest = *std::max_element(
      attempts.begin(), attempts.end(),
      [](const Attempt& a, const Attempt& b) { return a.useful_bytes < b.useful_bytes; });
  Batches batches(grading, result.launch.front().kernel, std::move(expressions), kMostEdits);
  std::optional<std::string> best;
  std::pair<std::size_t, std::uint64_t> least;  // warnings, then what it moves
  std::size_t choices = 0;
  // once an edit has helped, those compiled after it may help better
  for (int more = kMoreBatches; more > 0;) {
    if (best) --more;
    const auto batch = batches.next();
    if (!batch) break;
    for (std::size_t copy = 0; copy < batch->sources.size() && choices < kMostChoices; ++copy) {
      if (!is_right(grading, batch->build, copy, ordered, batches.means)) continue;
      const auto made = edited(grading, batch->sources[copy]);
      const auto warnings =
          made ? warnings_of(grading, *made, ordered) : std::optional<std::size_t>();
      if (!warnings) continue;
      ++choices;
      const std::pair cost(*warnings, traffic(grading, *made, largest));
      if (best && cost >= least) continue;
      best = made->source;
      least = cost;
    }
  }
  if (!best) return std::nullopt;
  return repair_of(grading.submission.source, *best, attempts.size());
}

std::optional<Repair> find_faster(Grading& grading, const Attempt& small, const Attempt& graded) {
  if (!may_search(grading, small.one.kernel, " faster")) return std::nullopt;
  Batches batches(grading, small.one.kernel, {small.one.kernel}, kMostFasterEdits);
  const std::uint64_t budget = kRepairFloor + kRepairPerByte * small.useful_bytes;
  const auto run = [&](const Batches::Batch& batch, std::size_t copy) {
    return run_copy(grading, batch.build, copy, small, budget, batches.means, true);
  };
  const Batches::Batch unchanged = batches.unchanged();
  if (unchanged.sources.empty()) return std::nullopt;
  const device::Outcome before = run(unchanged, 0);
  if (!before.completed || !before.simulation) return std::nullopt;
  std::optional<std::string> best;
  double most = 0;
  std::size_t choices = 0;
  while (!best && choices < kMostFaster) {
    const auto batch = batches.next();
    if (!batch) break;
    for (std::size_t copy = 0; copy < batch->sources.size() && choices < kMostFaster; ++copy) {
      if (batches.means.are_spent()) break;
      const device::Outcome now = run(*batch, copy);
      const auto less = [](auto a, auto b) {
        return static_cast<double>(a) < kLess * static_cast<double>(b);
      };
      if (!came_out_right(small, now) || !now.simulation ||
          !(less(traffic_in(now), traffic_in(before)) ||
            less(now.simulation->cost, before.simulation->cost)))
        continue;
      const auto made = edited(grading, batch->sources[copy]);
      if (!made || warnings_of(grading, *made, {&small}) != std::size_t{0}) continue;
      ++choices;
      const std::optional<double> points = points_of(grading, *made, graded);
      if (!points || (best && *points <= most)) continue;
      best = made->source;
      most = *points;
    }
  }
  if (!best) return std::nullopt;
  Repair repair = repair_of(grading.submission.source, *best, 0);
  return repair;
}

}  // namespace labkit::grade
