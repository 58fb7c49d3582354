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

constexpr std::size_t kMostEdits = 480, kEditsAtOnce = 48;
constexpr std::size_t kMostRepairBytes = 16384;  ///< of a source: every edit compiles a copy
/// Compilations, with those of what is left when some copies did not compile.
constexpr int kMostCompilations = 24;
/// Of one compilation. Forty-eight copies of the largest solution take 0.5 s.
constexpr double kRepairCpuSeconds = 4;
/// Of the launch that failed, in issue slots, of which an unoptimised build takes many; most edits end there, and some of them
/// in a loop without end. The other launches may take more.
constexpr std::uint64_t kRepairFloor = 12'000'000, kRepairPerByte = 64, kRepairOthers = 20;
/// Of all launches together.
constexpr std::uint64_t kRepairBudget = 4'000'000'000;
/// Edits that help, of which the one that moves least is taken.
constexpr std::size_t kMostChoices = 4;

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

/// Whether copy `copy` of a build comes out right in all launches, the one that failed first.
bool is_right(Grading& grading, const Build& build, std::size_t copy,
              const std::vector<const Attempt*>& attempts, Means& means) {
  return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt* attempt) {
    if (means.are_spent()) return false;
    Build own{.module = build.module, .entries = {}};
    own.entries[attempt->one.kernel] =
        build.entries.at(namespace_of(copy) + "::" + attempt->one.kernel);
    device::Plan plan = plan_of(own, attempt->setup);
    plan.seed = grading.options.seed;
    plan.launches[0].thread_instruction_budget =
        (attempt == attempts.front() ? 1 : kRepairOthers) *
        (kRepairFloor + kRepairPerByte * attempt->useful_bytes);
    const device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
    if (outcome.simulation) means.slots -= std::min(means.slots, outcome.simulation->cost);
    return came_out_right(*attempt, outcome);
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

/// As it is graded: both builds under all checks.
bool holds(Grading& grading, const Edited& made, const std::vector<const Attempt*>& attempts) {
  const auto is_right_in = [&](const Build& build) {
    return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt* attempt) {
      const device::Plan plan = checked_plan(grading, build, *attempt, 0);
      return came_out_right(*attempt, grading.devices.simulator->run(plan).at(0));
    });
  };
  const Build& unoptimised = made.unoptimised.build;
  return is_right_in(made.submission.build) &&
         (unoptimised.entries.empty() || is_right_in(unoptimised));
}

/// What a launch moves: sectors of global memory and wavefronts of shared memory.
std::uint64_t traffic(Grading& grading, const Edited& made, const Attempt& attempt) {
  device::Plan plan = plan_of(made.submission.build, attempt.setup);
  plan.launches[0].want_counters = true;
  plan.launches[0].thread_instruction_budget = attempt.budget;
  const device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
  std::uint64_t sum = 0;
  if (outcome.counters)
    for (const observe::InstructionCounters& one : outcome.counters->instructions)
      sum += one.global_sectors + one.shared_wavefronts;
  return sum;
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

}  // namespace

std::optional<Repair> find_repair(Grading& grading, const std::vector<Attempt>& attempts) {
  TestResult& result = *grading.running->result;
  const std::string& source = grading.submission.source;
  if (has_known_fix(result) || result.launch.empty() || source.size() > kMostRepairBytes)
    return std::nullopt;
  const std::string kernel = compile::base_name(result.launch.front().kernel);
  if (!grading.repaired.insert(kernel).second) return std::nullopt;
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
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  const auto edits = compile::small_edits(tokens, kernel, kMostEdits);
  Means means;
  std::optional<std::string> best;
  std::uint64_t least = 0;
  std::size_t choices = 0;
  // once an edit has helped, those compiled after it may help better
  bool is_last = false;
  for (std::size_t first = 0; first < edits.size() && !is_last && !means.are_spent();
       first += kEditsAtOnce) {
    is_last = best.has_value();
    std::vector<std::string> sources;
    for (std::size_t k = first; k < std::min(edits.size(), first + kEditsAtOnce); ++k)
      sources.push_back(compile::apply_edit(source, edits[k]));
    const Build build = compile_side_by_side(source, sources, expressions, means);
    for (std::size_t copy = 0; copy < sources.size() && choices < kMostChoices; ++copy) {
      if (!is_right(grading, build, copy, ordered, means)) continue;
      const auto made = edited(grading, sources[copy]);
      if (!made || !holds(grading, *made, ordered)) continue;
      ++choices;
      const std::uint64_t moved = traffic(grading, *made, largest);
      if (best && moved >= least) continue;
      best = made->source;
      least = moved;
    }
  }
  if (!best) return std::nullopt;
  return repair_of(source, *best, attempts.size());
}

}  // namespace labkit::grade
