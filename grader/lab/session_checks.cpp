// Session's part about the sanitizers: every correctness test runs under all of them, and what is an error there is the
// verdict, also where the result came out right. Warnings are shown.
//
// Two builds. The optimised one is what is graded, and each of its cases is checked. The optimiser can hide a fault from
// the checks (a value kept in a register that the source hands on through shared memory without __syncwarp; a variable
// that nobody sets), so that two cases a kernel, a small one and the smallest, are checked in NVRTC's -G build as well. That build
// compiles in 0.1 to 0.3 seconds and runs ten times the instructions, which is why it is no more; its results are never judged.
//
// A graded launch is too large to be watched as a whole. Some of its blocks are, which the seed draws: a kernel that leaves a
// barrier out at the graded size alone is found. And a small one of its kind is watched before it: the same block and the same
// whole tiles, two blocks a dimension. So a kernel that is right by luck (a race, a value that nobody wrote) gets no points
// for its speed either, in a test that is run alone as well, while one that goes wrong only at odd edges keeps what it
// earns on whole tiles.
#include <fmt/format.h>

#include <algorithm>

#include "device/source_findings.h"
#include "lab/session.h"
#include "observe/causes.h"
#include "observe/checks.h"

namespace labkit::lab {
namespace {

/// Of arrays, in the large case that is run unoptimised.
constexpr std::uint64_t kMostUnoptimisedBytes = 98304;

/// The largest of each kernel that is small enough, else the smallest.
std::vector<const Case*> one_a_kernel(const std::vector<Case>& cases) {
  std::vector<const Case*> chosen;
  for (const Case& one : cases) {
    const auto have = std::find_if(chosen.begin(), chosen.end(),
                                   [&](const Case* other) { return other->kernel == one.kernel; });
    if (have == chosen.end()) {
      chosen.push_back(&one);
      continue;
    }
    const std::uint64_t old = (*have)->array_bytes(), bytes = one.array_bytes();
    if (old > kMostUnoptimisedBytes ? bytes < old : bytes > old && bytes <= kMostUnoptimisedBytes)
      *have = &one;
  }
  return chosen;
}

/// Of each kernel the smallest that has any element, and then the large one: with hardly an element for hardly a thread
/// other ways through the kernel are taken.
std::vector<const Case*> to_run_unoptimised(const std::vector<Case>& cases) {
  std::vector<const Case*> chosen;
  for (const Case* large : one_a_kernel(cases)) {
    const Case* small = large;
    for (const Case& one : cases)
      if (one.kernel == large->kernel && one.array_bytes() != 0 &&
          one.array_bytes() < small->array_bytes())
        small = &one;
    if (small != large) chosen.push_back(small);
    chosen.push_back(large);
  }
  return chosen;
}

/// A size is halved no further: a warp, and an edge of the largest square block.
constexpr int kLeastSize = 32;
constexpr const char* kFoundBefore =
    "Found on a small launch of the graded kind, which is checked before the graded one is run.";

/// Each size halved as long as it stays whole and no less than kLeastSize.
Sizes least_sizes(const Sizes& full) {
  Sizes sizes = full;
  for (auto& [name, value] : sizes)
    while (value % 2 == 0 && value / 2 >= kLeastSize) value /= 2;
  return sizes;
}

/// Along each dimension that has several blocks in the graded grid, this one has too.
bool is_of_its_kind(const launch::Dim3& grid, const launch::Dim3& graded) {
  return grid.x >= std::min(2u, graded.x) && grid.y >= std::min(2u, graded.y) &&
         grid.z >= std::min(2u, graded.z);
}

/// What says something of the source, not of the build.
bool is_of_source(const launch::Finding& finding) {
  using enum launch::FindingKind;
  return finding.kind == race || finding.kind == uninitialized || finding.kind == barrier ||
         finding.kind == out_of_bounds || finding.kind == misaligned;
}

/// The optimiser makes one instruction of several lines' (both stores of an if and its else), which then has none.
bool lacks_a_line(const launch::Finding& finding) {
  return is_of_source(finding) &&
         (finding.where.line == 0 ||
          (finding.kind == launch::FindingKind::race && finding.other.line == 0));
}

}  // namespace

/// The first case that is not right ends it, and nothing is run after that.
bool Session::judge_on_simulator(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const device::Outcome outcome = devices_.simulator->run(make_plan({one}, Purpose::check)).at(0);
    if (judge(one, outcome, false)) continue;
    // a wrong element says nothing of its cause, the unoptimised build may
    if (current_->verdict.kind == "wrong_result")
      check_unoptimised(one);
    else if (std::any_of(current_->findings.begin(), current_->findings.end(), lacks_a_line))
      learn_lines(one);
    keep_detail(one, &outcome);
    return false;
  }
  const std::vector<const Case*> chosen = to_run_unoptimised(cases);
  return std::all_of(chosen.begin(), chosen.end(), [&](const Case* one) {
    // a fault that only that build shows does not hang on the sizes: once is enough where it is not graded itself
    if (watching_small_ && clean_unoptimised_.contains(one->kernel) &&
        !faulty_unoptimised_.contains(one->kernel))
      return true;
    if (check_unoptimised(*one)) return true;
    keep_detail(*one, nullptr);
    return false;
  });
}

bool Session::check_like_graded(const std::function<Case()>& make, const Case& graded) {
  Sizes sizes = least_sizes(test_->size);
  const auto build = [&] {
    sizes_ = &sizes;
    Case one = make();
    sizes_ = &test_->size;
    return one;
  };
  Case one = build();
  while (!is_of_its_kind(one.grid, graded.grid) && sizes != test_->size) {
    for (auto& [name, value] : sizes) value = std::min(2 * value, test_->size.at(name));
    one = build();
  }
  if (!usable(one)) return false;
  watching_small_ = true;
  const bool right = judge_on_simulator({one});
  watching_small_ = false;
  if (right) return true;
  current_->message += (current_->message.empty() ? "" : "\n") + std::string(kFoundBefore);
  return false;
}

void Session::tell_cause() {
  Verdict& verdict = current_->verdict;
  if (submission_) device::add_declarations(current_->findings, submission_->source);
  const bool wrong = verdict.kind == "wrong_result" || verdict.kind == "input_changed";
  if (verdict.passed() || verdict.neutral() || verdict.kind == "gate") return;
  observe::order_by_cause(current_->findings, wrong);
  const auto& findings = current_->findings;
  const bool by_finding = std::any_of(findings.begin(), findings.end(), [&](const auto& finding) {
    return verdict.kind == name_of(finding.kind);
  });
  if (!wrong && !by_finding) return;
  current_->idle =
      device::idle_statements(submission_->compile_log, submission_->source, current_->kernel);
  if (!findings.empty() && findings.front().severity == launch::Severity::error)
    verdict.kind = std::string(name_of(findings.front().kind));
}

bool Session::has_unoptimised(const Case& one) {
  if (!unoptimised_) unoptimised_ = prepare_unoptimised(*submission_, options_.cache_directory);
  return unoptimised_->entries.contains(one.kernel);
}

std::optional<device::Outcome> Session::run_unoptimised(const Case& one) {
  if (!has_unoptimised(one)) return std::nullopt;
  std::vector<device::Outcome> outcomes =
      devices_.simulator->run(make_plan({one}, Purpose::check_unoptimised));
  note_cost(one, outcomes.at(0), true);
  return std::move(outcomes.at(0));
}

void Session::learn_lines(const Case& one) {
  const auto outcome = run_unoptimised(one);
  if (!outcome) return;
  std::vector<launch::Finding> findings = outcome->findings;
  std::erase_if(findings, [](const launch::Finding& finding) { return !is_of_source(finding); });
  observe::add_findings(current_->findings, findings);
}

bool Session::check_unoptimised(const Case& one) {
  const auto outcome = run_unoptimised(one);
  if (!outcome) return true;
  std::vector<launch::Finding> findings = outcome->findings;
  if (!outcome->completed && !findings.empty() && !is_of_source(findings.front()))
    unoptimised_->stopped_by = findings.front();
  std::erase_if(findings, [](const launch::Finding& finding) { return !is_of_source(finding); });
  const auto error = std::find_if(
      findings.begin(), findings.end(),
      [](const launch::Finding& finding) { return finding.severity == launch::Severity::error; });
  // a launch that fails is shown with what was found in it, and nothing of others
  const bool right_so_far = current_->verdict.passed() || current_->verdict.neutral();
  if (error != findings.end() && right_so_far) {
    show_launch(one);
    current_->findings.clear();
    device::add_compiler_findings(current_->findings, submission_->compile_log, submission_->source,
                                  one.kernel);
  }
  const std::string kind = error == findings.end() ? "" : std::string(name_of(error->kind));
  observe::add_findings(current_->findings, findings);
  if (kind.empty()) {
    clean_unoptimised_.insert(one.kernel);
    return true;
  }
  faulty_unoptimised_.insert(one.kernel);
  const bool came_out_right = current_->mismatches.empty();
  fail(kind);
  if (came_out_right) current_->message = kRightByLuck;
  return false;
}

}  // namespace labkit::lab
