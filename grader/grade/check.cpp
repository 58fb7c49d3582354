// Checks: every correctness test runs under all sanitizers, and what is an error there is the verdict, also where the result
// came out right. Warnings are shown.
//
// Two builds. The optimised one is what is graded, and each of its cases is checked. The optimiser can hide a fault from
// the checks (a value kept in a register that the source hands on through shared memory without __syncwarp; a variable
// that nobody sets), so that two cases of each instance of a kernel, the smallest with an element and the largest that is small
// enough, are checked in an unoptimised build as well. That build compiles in 0.1 to 0.3 seconds and runs ten times the
// instructions, which is why it is no more; what it stores is never compared, but an error that it shows is the verdict.
//
// A graded launch is too large to be watched as a whole. Some of its blocks are, which the seed draws: a kernel that leaves a
// barrier out at the graded size alone is found. And a small one of its kind is watched before it: the same block and the same
// whole tiles, two blocks a dimension. So a kernel that is right by luck (a race, a value that nobody wrote) gets no points
// for its speed either, in a test that is run alone as well, while one that goes wrong only at odd edges keeps what it
// earns on whole tiles.
#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/tokens.h"
#include "device/source_findings.h"
#include "grade/steps.h"
#include "observe/checks.h"
#include "observe/findings.h"
#include "simt/machine.h"

namespace labkit::grade {
namespace {

/// Of arrays, in the large case that is run unoptimised.
constexpr std::uint64_t kMostUnoptimisedBytes = 98304;

/// A size is halved no further: a warp, and an edge of the largest square block.
constexpr int kLeastSize = 32;

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

/// The optimiser takes a load to where its address is known, and with it goes the line of another statement: one that touches
/// no element.
bool has_moved(const launch::Finding& finding, const std::vector<std::string_view>& lines) {
  const std::uint32_t number = finding.where.line;
  if (finding.kind != launch::FindingKind::out_of_bounds || finding.where_inside.line != 0 ||
      number == 0 || number > lines.size())
    return false;
  const compile::Tokens line(lines[number - 1], compile::Tokens::Keep::code);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool has_left = i > 0 && (line.is_word(i - 1) || line.is(i - 1, ")") ||
                                    line[i - 1].kind == compile::Token::Kind::number);
    if (line.is(i, "[") || line.is(i, "->") || (line.is(i, "*") && !has_left) ||
        (line.is(i, "(") && has_left))
      return false;
  }
  return true;
}

/// Such findings as the unoptimised build has them, where it has them.
void put_back(std::vector<launch::Finding>& findings, const std::vector<launch::Finding>& others,
              const std::vector<std::string_view>& lines) {
  for (launch::Finding& finding : findings) {
    if (!has_moved(finding, lines)) continue;
    const auto same = std::ranges::find_if(others, [&](const launch::Finding& other) {
      return other.kind == finding.kind && other.space == finding.space &&
             other.array.name == finding.array.name;
    });
    if (same != others.end()) finding = *same;
  }
}

/// Unoptimised, clang keeps each variable in local memory: what it runs counts a fifth, which is about what NVRTC makes of it
/// (of the labs' solutions, the one that comes nearest to its budget takes 4.6 times as much, measured with clang 14 and 19).
constexpr std::uint64_t kPartsOfClang = 5;

/// Nothing, where that build has no such kernel.
std::optional<device::Outcome> run_unoptimised(Grading& grading, const Attempt& attempt) {
  Unoptimised* unoptimised = unoptimised_of(grading, attempt.one.kernel);
  if (!unoptimised) return std::nullopt;
  // a budget of its own: what it takes is taken from nothing that decides
  std::uint64_t& cost = grading.running->unoptimised_cost;
  device::Plan plan = checked_plan(grading, unoptimised->build, attempt, cost);
  const std::uint64_t parts = compile::find_compiler().is_clang ? kPartsOfClang : 1;
  plan.launches[0].thread_instruction_budget *= parts;
  device::Outcome outcome = check_unoptimised(*grading.devices.simulator, *unoptimised, plan);
  if (outcome.simulation) {
    outcome.simulation->cost /= parts;
    outcome.simulation->dearest_look /= parts;
  }
  note_cost(grading, attempt, outcome, cost);
  return outcome;
}

/// What the optimiser may have hidden; true if nothing is wrong.
bool is_right_unoptimised(Grading& grading, const Attempt& attempt) {
  const auto outcome = run_unoptimised(grading, attempt);
  if (!outcome) return true;
  TestResult& result = *grading.running->result;
  const launch::Finding* const error = first_error(outcome->findings);
  // a launch that fails is shown with what was found in it, and nothing of others
  if (error && (result.verdict.passed() || result.verdict.neutral())) {
    show_launch(result, attempt);
    result.findings.clear();
    device::add_compiler_findings(result.findings, grading.submission.compile_log,
                                  grading.submission.source, attempt.one.kernel);
  }
  observe::add_findings(result.findings, outcome->findings);
  (error ? grading.faulty_unoptimised : grading.clean_unoptimised).insert(attempt.one.kernel);
  if (!error) return true;
  fail(result, name_of(error->kind));
  if (result.mismatches.empty()) result.message = {{words::Id::right_by_luck}};
  return false;
}

}  // namespace

std::vector<const Attempt*> to_run_unoptimised(const std::vector<const Attempt*>& attempts) {
  std::vector<std::vector<const Attempt*>> kernels;
  for (const Attempt* attempt : attempts) {
    const auto same = std::ranges::find_if(kernels, [&](const auto& kernel) {
      return kernel.front()->one.kernel == attempt->one.kernel;
    });
    (same == kernels.end() ? kernels.emplace_back() : *same).push_back(attempt);
  }
  const auto bytes_of = [](const Attempt* attempt) { return attempt->one.array_bytes(); };
  std::vector<const Attempt*> chosen;
  for (auto& launches : kernels) {
    std::ranges::stable_sort(launches, {}, bytes_of);
    const auto small = std::ranges::find_if(launches, bytes_of);
    auto large = std::ranges::upper_bound(launches, kMostUnoptimisedBytes, {}, bytes_of);
    if (large != launches.begin())
      large = std::ranges::lower_bound(launches, bytes_of(*std::prev(large)), {}, bytes_of);
    if (small < large) chosen.push_back(*small);
    chosen.push_back(*large);
  }
  return chosen;
}

device::Outcome check_unoptimised(device::Device& simulator, Unoptimised& unoptimised,
                                  const device::Plan& plan) {
  device::Outcome outcome = std::move(simulator.run(plan).at(0));
  if (!outcome.completed && !outcome.findings.empty() && !is_of_source(outcome.findings.front())) {
    const launch::Finding& end = outcome.findings.front();
    if (end.kind == launch::FindingKind::budget) {
      const std::uint64_t budget = plan.launches[0].thread_instruction_budget;
      unoptimised.trouble = {{words::Id::budget_checked_in_part,
                              {{"instructions", simt::plain_instructions(budget)}}}};
    } else {
      unoptimised.trouble = {{words::Id::unoptimised_unchecked}};
      unoptimised.trouble.insert(unoptimised.trouble.end(), end.evidence.begin(),
                                 end.evidence.end());
    }
  }
  std::erase_if(outcome.findings,
                [](const launch::Finding& finding) { return !is_of_source(finding); });
  return outcome;
}

Unoptimised* unoptimised_of(Grading& grading, const std::string& expression) {
  if (!grading.unoptimised)
    grading.unoptimised =
        prepare_unoptimised(grading.submission, jailed_compiler(grading.options.cache_directory));
  return grading.unoptimised->build.entries.contains(expression) ? &*grading.unoptimised : nullptr;
}

bool check_on_simulator(Grading& grading, const std::vector<Attempt>& attempts) {
  TestResult& result = *grading.running->result;
  for (const Attempt& attempt : attempts) {
    const device::Outcome outcome =
        grading.devices.simulator
            ->run(checked_plan(grading, grading.submission.build, attempt, grading.running->cost))
            .at(0);
    if (compare(grading, attempt, outcome, Place::simulator)) continue;
    // a wrong element says nothing of its cause, the unoptimised build may
    if (result.verdict.kind == "wrong_result") {
      is_right_unoptimised(grading, attempt);
    } else if (const auto lines = split_lines(grading.submission.source);
               std::ranges::any_of(result.findings, [&](const launch::Finding& finding) {
                 return lacks_a_line(finding) || has_moved(finding, lines);
               })) {
      // they get it from the unoptimised build; the verdict stays
      if (const auto unoptimised = run_unoptimised(grading, attempt)) {
        put_back(result.findings, unoptimised->findings, lines);
        observe::add_findings(result.findings, unoptimised->findings);
      }
    }
    keep_detail(grading, attempt, &outcome);
    return false;
  }
  std::vector<const Attempt*> all;
  for (const Attempt& attempt : attempts) all.push_back(&attempt);
  for (const Attempt* attempt : to_run_unoptimised(all)) {
    // a fault that only that build shows does not hang on the sizes: once is enough where it is not graded itself
    if (attempt->is_small && grading.clean_unoptimised.contains(attempt->one.kernel) &&
        !grading.faulty_unoptimised.contains(attempt->one.kernel))
      continue;
    if (is_right_unoptimised(grading, *attempt)) continue;
    keep_detail(grading, *attempt, nullptr);
    return false;
  }
  return true;
}

Case small_case(Grading& grading, const std::function<Case()>& make, const Case& graded) {
  const Sizes& full = grading.running->test->size;
  Sizes sizes = full;
  for (auto& [name, value] : sizes)  // as long as it stays whole
    while (value % 2 == 0 && value / 2 >= kLeastSize) value /= 2;
  const auto build = [&] {
    grading.running->sizes = &sizes;
    Case one = make();
    grading.running->sizes = &full;
    return one;
  };
  Case one = build();
  while (!is_of_its_kind(one.grid, graded.grid) && sizes != full) {
    for (auto& [name, value] : sizes) value = std::min(2 * value, full.at(name));
    one = build();
  }
  return one;
}

bool check_small(Grading& grading, const Case& small) {
  if (!is_ready(grading, small)) return false;
  if (check_on_simulator(grading, {attempt_of(grading, small, true)})) return true;
  grading.running->result->message.push_back({words::Id::found_on_small_launch});
  return false;
}

}  // namespace labkit::grade
