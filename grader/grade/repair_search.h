// Edits of a kernel compiled side by side and tried: the search of repair.cpp, and a source that prints what an edit changes
// (change_example.cpp).
//
// Forty-eight edits are compiled at once, each in a namespace of its own and unoptimised, which takes 2 ms an edit where a
// compilation of its own takes 100 (NVRTC 13.0, 2 cores).
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <future>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "compile/diagnostics.h"
#include "compile/outline.h"
#include "compile/small_edits.h"
#include "grade/change.h"
#include "grade/repair_rank.h"
#include "grade/steps.h"

namespace labkit::grade::repairs {

inline constexpr std::size_t kMostEdits = 960, kMostFasterEdits = 480;
/// Compiled at once: the first ones, where most searches end, and then twice as many each time. To begin a compilation takes as
/// long as twenty edits.
inline constexpr std::size_t kEditsAtOnce = 48, kMostEditsAtOnce = 192;
/// Where no edit is enough by itself: of the edits that repair a part, so many are taken further by so many more each.
inline constexpr std::size_t kMostParts = 2, kMostSecondEdits = 384;
inline constexpr std::size_t kMostRepairBytes = 16384;  ///< of a source: every edit compiles a copy
/// Compilations, with those of what is left when some copies did not compile.
inline constexpr int kMostCompilations = 48;
/// Of a compilation of kEditsAtOnce. Those of the largest solution take 0.5 s.
inline constexpr double kRepairCpuSeconds = 4;
/// Of the launch that failed, in issue slots, of which an unoptimised build takes many; most edits end there, and some of them
/// in a loop without end. Lab 5's smallest takes 67 million once it is right. The other launches may take more.
inline constexpr std::uint64_t kRepairFloor = 40'000'000, kRepairPerByte = 64, kRepairOthers = 30;
/// Or so many times what the launch takes as it is.
inline constexpr std::uint64_t kRepairTimes = 3;
/// Of all launches together.
inline constexpr std::uint64_t kRepairBudget = 40'000'000'000;
/// Edits that help, of which the best is taken, so many at a time, and so many in all.
inline constexpr std::size_t kMostChoices = 3, kMostTried = 6;
/// Edits that are tried after the batch with the first of these: one of them may help better.
inline constexpr std::size_t kMoreEdits = 5 * kEditsAtOnce, kAllEdits = kMostEdits;

/// Costs that differ by less than one part in so many are the same.
inline constexpr double kFineness = 25;
/// Of changes that make a kernel right: what moves about as much is as good, and the order of likelihood decides.
inline constexpr double kCoarseness = 2;
/// Of what a launch moves, or of its cost, at least a tenth less.
inline constexpr double kLess = 0.9;

inline std::string namespace_of(std::size_t copy) { return fmt::format("labkit_edit_{}", copy); }

inline bool is_include(std::string_view line) {
  line = trim(line);
  return line.starts_with("#") && trim(line.substr(1)).starts_with("include");
}

/// A source whose other kernels are only declared: an edit of one is never run in another.
inline std::string with_kernels_only(const std::string& source,
                                     const std::set<std::string>& kernels) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::string kept;
  std::size_t at = 0;
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    const std::size_t close = tokens.close_of(function.body);
    if (!function.is_kernel || close == tokens.size() || tokens[function.body].begin < at ||
        kernels.contains(std::string(function.name)))
      continue;
    const std::string_view body = std::string_view(source).substr(
        tokens[function.body].begin, tokens[close].end() - tokens[function.body].begin);
    if (body.find('#') != body.npos) continue;  // a directive holds for what follows, too
    kept.append(source, at, tokens[function.body].begin - at).append(";");
    kept.append(static_cast<std::size_t>(std::ranges::count(body, '\n')), '\n');
    at = tokens[close].end();
  }
  return kept.append(source, at);
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

/// An edited source in both builds. None of one that the grading would refuse.
struct Edited {
  Submission submission;
  Unoptimised unoptimised;
};
inline std::optional<Edited> edited(const Grading& grading, const std::string& source) {
  Edited made{.submission = grading.submission, .unoptimised = {}};
  made.submission.source = source;
  compile::Request request;
  request.registers = true;
  for (const auto& [expression, entry] : grading.submission.build.entries)
    request.kernels.push_back(expression);
  if (!compile_source(made.submission, request, jailed_compiler({})) || !parse_ptx(made.submission))
    return std::nullopt;
  for (const Kernel& kernel : grading.manifest.kernels)
    if (kernel.dynamic_shared && static_shared_bytes(made.submission, kernel) != 0)
      return std::nullopt;
  made.unoptimised = prepare_unoptimised(made.submission, jailed_compiler({}));
  return made;
}

using Attempts = std::vector<const Attempt*>;

/// As it is graded, under all checks, and of the first `own` some in the unoptimised build: how many warnings those have; nullopt if anything
/// is wrong, or warned of that nobody was warned of before.
inline std::optional<std::size_t> warnings_of(const Grading& grading, const Edited& made,
                                              const Attempts& attempts, std::size_t own) {
  const auto is_new = [&](const launch::Finding& finding) {
    return std::ranges::none_of(grading.kept, [&](const KeptTest& kept) {
      return std::ranges::any_of(kept.result->findings, [&](const launch::Finding& before) {
        return before.kind == finding.kind;
      });
    });
  };
  std::size_t warnings = 0;
  const auto is_right_in = [&](const Build& build, const Attempt& attempt, bool is_own) {
    const device::Plan plan = checked_plan(grading, build, attempt, 0);
    const device::Outcome outcome = grading.devices.simulator->run(plan).at(0);
    if (is_own) warnings += outcome.findings.size();
    return std::ranges::none_of(outcome.findings, is_new) && came_out_right(attempt, outcome);
  };
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (!is_right_in(made.submission.build, *attempts[i], i < own)) return std::nullopt;
  const Build& unoptimised = made.unoptimised.build;
  const Attempts chosen =
      to_run_unoptimised({attempts.begin(), attempts.begin() + static_cast<std::ptrdiff_t>(own)});
  for (const Attempt* attempt : chosen)
    if (unoptimised.entries.contains(attempt->one.kernel) &&
        !is_right_in(unoptimised, *attempt, true))
      return std::nullopt;
  return warnings;
}

inline launch::Cause why_slow(const TestResult& slow) {
  if (slow.slow) return slow.slow->cause;
  const bool has_atomics = std::ranges::any_of(slow.gates, [](const GateResult& gate) {
    return !gate.passed && gate.figure == "global_atomics";
  });
  return has_atomics ? launch::Cause::performance_atomics : launch::Cause::none;
}

/// What a launch moves: sectors of global memory and wavefronts of shared memory; or what is slow of it alone, atomics too.
inline double traffic_in(const device::Outcome& outcome, launch::Cause slow = launch::Cause::none) {
  using enum launch::Cause;
  const bool loads = slow == performance_uncoalesced_load,
             stores = slow == performance_uncoalesced_store,
             shared = slow == performance_bank_conflict, atomics = slow == performance_atomics;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; outcome.counters && i < outcome.counters->instructions.size(); ++i) {
    const observe::InstructionCounters& one = outcome.counters->instructions[i];
    const observe::AccessKind access = outcome.counters->info[i].access;
    if (atomics) {
      if (access == observe::AccessKind::atomic)
        sum += one.global_bytes / std::max(1u, outcome.counters->info[i].bytes_per_lane);
      continue;
    }
    const bool is_store = access == observe::AccessKind::store;
    if (!shared && !(is_store ? loads : stores)) sum += one.global_sectors;
    if (!loads && !stores) sum += one.shared_wavefronts;
  }
  return static_cast<double>(sum);
}
inline double traffic(const Grading& grading, const Edited& made, const Attempt& attempt) {
  device::Plan plan = plan_of(made.submission.build, attempt.setup);
  plan.launches[0].want_counters = true;
  plan.launches[0].thread_instruction_budget = attempt.budget;
  return traffic_in(grading.devices.simulator->run(plan).at(0));
}

/// What stands on a line instead, without the comment on the code that was there; nothing, if only that would be left.
inline std::string after_of(std::string_view before, std::string_view after) {
  const std::string_view code = without_comment(before);
  const std::string_view comment = trim(before.substr(code.size()));
  const bool is_of_code =
      !code.empty() && code != before && after.ends_with(comment) && !after.starts_with(code);
  if (is_of_code) after = trim(after.substr(0, after.size() - comment.size()));
  return replace_all(std::string(after), "\v", "\n");
}

inline Repair repair_of(const std::string& before, const std::string& after) {
  Repair repair;
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  for (std::size_t i = 0; i < old_lines.size() && i < new_lines.size(); ++i)
    if (old_lines[i] != new_lines[i])
      repair.lines.push_back({static_cast<std::uint32_t>(i + 1), std::string(trim(old_lines[i])),
                              after_of(trim(old_lines[i]), trim(new_lines[i]))});
  return repair;
}

/// What no edit of a kernel can change.
inline bool is_out_of_reach(const TestResult& result) {
  const launch::Finding* const error = first_error(result.findings);
  if (!error) return result.mismatches.empty();
  using enum launch::FindingKind;
  return error->kind == unsupported ||
         (error->kind == launch &&  // too many registers may follow from another mistake
          error->cause != launch::Cause::launch_too_many_registers);
}

/// Lines where it went wrong, or is slow.
inline std::set<std::uint32_t> suspects_of(const TestResult& result) {
  std::set<std::uint32_t> lines;
  for (const launch::Finding& finding : result.findings)
    lines.insert({finding.where.line, finding.other.line, finding.where_inside.line,
                  finding.other_inside.line});
  for (const device::IdleStatement& idle : result.idle) lines.insert(idle.line);
  for (const Mismatch& mismatch : result.mismatches)
    if (mismatch.stored)
      lines.insert({mismatch.stored->where.line, mismatch.stored->where_inside.line});
  if (result.slow) lines.insert(result.slow->where.line);
  lines.erase(0);
  return lines;
}

/// A search is made once a kernel, and only where it can come to something.
inline bool may_search(Grading& grading, const std::string& expression, const char* why) {
  return grading.submission.source.size() <= kMostRepairBytes &&
         grading.repaired.insert(compile::base_name(expression) + why).second;
}

/// Where an edit holds: in its own test and in all others of the kernel, or in those alone that passed before.
/// What it changes, and why; `repair.why` is what the edit told.
inline std::vector<words::Message> described(const Grading& grading, const Repair& repair) {
  return describe_change(repair.lines, grading.submission.source,
                         repair.why.empty() ? words::Message{} : repair.why.front());
}

enum class Holds : std::uint8_t { nowhere, here, everywhere };

/// Edited sources that compile side by side; no entries: there is none.
struct Batch {
  Build build;
  std::vector<std::string> sources;
};

/// How wrong a launch came out: 0 right, up to 1 the part of its elements that are wrong, 2 an error.
inline double wrongness(const Attempt& attempt, const device::Outcome& outcome) {
  if (!outcome.completed || first_error(outcome.findings)) return 2;
  double wrong = 0, total = 1;
  for (const Mismatch& mismatch : compare_all(attempt.one, outcome.outputs, true)) {
    wrong += static_cast<double>(mismatch.wrong);
    total = std::max(total, static_cast<double>(mismatch.total));
  }
  return std::min(1.0, wrong / total);
}

/// The edits of a kernel in a source, compiled batch after batch and tried.
class Search {
 public:
  Search(Grading& grading, std::string source, const std::string& expression,
         std::set<std::string> expressions, std::size_t most)
      : grading_(grading),
        source_(std::move(source)),
        expressions_(std::move(expressions)),
        edits_(most == 0
                   ? std::vector<compile::SmallEdit>{}
                   : compile::small_edits(compile::Tokens(source_, compile::Tokens::Keep::code),
                                          compile::base_name(expression), most,
                                          suspects_of(*grading.running->result))) {
    for (const std::string& one : expressions_) kernels_.insert(compile::base_name(one));
  }

  /// The source as it is, in one copy.
  Batch unchanged() { return take(compile_side_by_side({source_}, compilations_)); }

  /// `check`: under all checks, for what is right by luck without them.
  device::Outcome run(const Batch& batch, std::size_t copy, const Attempt& attempt,
                      std::uint64_t budget, bool want_counters = false, bool check = false) {
    Build own{.module = batch.build.module, .entries = {}};
    own.entries[attempt.one.kernel] =
        batch.build.entries.at(namespace_of(copy) + "::" + attempt.one.kernel);
    device::Plan plan = plan_of(own, attempt.setup);
    plan.seed = grading_.options.seed;
    plan.launches[0].thread_instruction_budget = budget;
    plan.launches[0].want_counters = want_counters;
    plan.launches[0].check = check;
    device::Outcome outcome = grading_.devices.simulator->run(plan).at(0);
    if (outcome.simulation) slots_ -= std::min(slots_, outcome.simulation->cost);
    return outcome;
  }

  bool is_spent() const { return compilations_ == 0 || slots_ == 0; }

  /// Sources of edits, those first for which `rate(batch, copy)` is least; of the same, in the order of likelihood. `more`
  /// edits after the batch with the first that is rated 0.
  template <typename Rate>
  std::vector<std::pair<long, std::string>> rated(const Rate& rate, std::size_t more) {
    std::vector<std::pair<long, std::string>> all;
    std::size_t last = edits_.size();
    std::future<Compiled> coming = begin_next(last);
    while (coming.valid()) {
      const std::size_t end = at_;
      const Batch batch = take(coming.get());
      coming = begin_next(last);
      for (std::size_t copy = 0; copy < batch.sources.size() && !is_spent(); ++copy)
        if (const std::optional<long> rating = rate(batch, copy)) {
          all.emplace_back(*rating, batch.sources[copy]);
          if (*rating == 0) last = std::min(last, end + more);
        }
      if (is_spent()) break;
    }
    std::ranges::stable_sort(all, {}, &std::pair<long, std::string>::first);
    return all;
  }

  /// Of those with which `attempts` are right, with `most_warnings` at most in the first `own`: the one that loses the fewest
  /// points by `lost(edited)`, then the one with the fewest warnings, then the least `cost_of(edited)`. nullopt as a loss: it
  /// does not help after all. A few at a time, until none loses any.
  template <typename CostOf, typename Lost>
  std::optional<Repair> best(const std::vector<std::string>& sources, const Attempts& attempts,
                             std::size_t own, std::size_t most_warnings, const CostOf& cost_of,
                             const Lost& lost) {
    struct Choice {
      const std::string* source;
      Edited made;
      std::pair<std::size_t, double> key;  // warnings, cost
    };
    struct Found {
      std::pair<double, std::size_t> loss;  // points, warnings
      const std::string* source;
    };
    std::vector<Choice> choices;
    std::optional<Found> best;
    std::size_t right = 0;
    std::vector<const std::string*> each;  // two edits may come to the same text
    std::set<std::string_view> known;
    for (const std::string& source : sources)
      if (known.insert(source).second) each.push_back(&source);
    for (const std::string* const source : each) {
      auto made = edited(grading_, *source);
      std::optional<std::size_t> warnings;
      if (made) warnings = warnings_of(grading_, *made, attempts, own);
      if (warnings && *warnings <= most_warnings) {
        const double cost = cost_of(*made);
        choices.push_back({source, std::move(*made), {*warnings, cost}});
        ++right;
      }
      if (choices.size() < kMostChoices && source != each.back()) continue;
      std::ranges::stable_sort(choices, {}, &Choice::key);
      for (const Choice& one : choices) {
        const std::optional<double> points = lost(one.made);
        if (!points) continue;
        const std::pair loss{std::max(0.0, *points), one.key.first};
        if (!best || loss < best->loss) best = {loss, one.source};
      }
      choices.clear();
      if ((best && best->loss == std::pair{0.0, std::size_t{0}}) || right >= kMostTried) break;
    }
    if (!best) return std::nullopt;
    lost_ = best->loss.first;
    Repair repair = repair_of(grading_.submission.source, *best->source);
    if (const auto why = whys_.find(*best->source); why != whys_.end()) repair.why = {why->second};
    return repair;
  }
  /// With what best() found no graded launch loses any points.
  bool loses_none() const { return lost_ <= 0; }

 private:
  struct Compiled {
    Batch batch;
    int compilations = 0;  ///< that it took
    bool over_limit = false;
  };

  /// The next edits before `last` compile while those before them are tried; nothing if there are none.
  std::future<Compiled> begin_next(std::size_t last) {
    if (at_ >= last || is_spent()) return {};
    std::vector<std::string> sources;
    for (const std::size_t end = std::min(edits_.size(), at_ + at_once_); at_ < end; ++at_) {
      sources.push_back(compile::apply_edit(source_, edits_[at_].edit));
      if (edits_[at_].why) whys_.emplace(sources.back(), edits_[at_].why);
    }
    at_once_ = std::min(kMostEditsAtOnce, 2 * at_once_);
    return std::async(std::launch::async,
                      [this, left = compilations_, sources = std::move(sources)]() mutable {
                        return compile_side_by_side(std::move(sources), left);
                      });
  }

  Batch take(Compiled compiled) {
    compilations_ = compiled.over_limit ? 0 : compilations_ - compiled.compilations;
    return std::move(compiled.batch);
  }

  /// Those that do not compile are taken out.
  Compiled compile_side_by_side(std::vector<std::string> sources, int most_compilations) const {
    Compiled done;
    while (!sources.empty() && done.compilations < most_compilations && !done.over_limit) {
      ++done.compilations;
      std::vector<std::string> shortened;
      for (const std::string& source : sources)
        shortened.push_back(with_kernels_only(source, kernels_));
      const Copies copies(source_, shortened);
      compile::Request request{.source = copies.source, .name = "kernel.cu", .kernels = {}};
      request.device_debug = true;
      request.tries_each = false;
      for (std::size_t k = 0; k < sources.size(); ++k)
        for (const std::string& expression : expressions_)
          request.kernels.push_back(namespace_of(k) + "::" + expression);
      compile::Result result = compile::compile(
          request, {.cpu_seconds = kRepairCpuSeconds *
                                   std::ceil(static_cast<double>(sources.size()) / kEditsAtOnce)});
      if (result.status == compile::Status::ok) {
        ptx::ParseResult parsed = ptx::parse(result.ptx);
        if (!parsed.module) break;
        done.batch = {.build = build_of(request, std::move(result)), .sources = std::move(sources)};
        done.batch.build.module.parsed =
            std::make_shared<const ptx::Module>(std::move(*parsed.module));
        return done;
      }
      done.over_limit = result.status == compile::Status::limit;
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
    return done;
  }

  Grading& grading_;
  std::string source_;
  std::set<std::string> expressions_, kernels_;
  std::vector<compile::SmallEdit> edits_;
  std::map<std::string, words::Message> whys_;  // of sources, where the edit tells
  std::size_t at_ = 0, at_once_ = kEditsAtOnce;
  double lost_ = 0;
  int compilations_ = kMostCompilations;
  std::uint64_t slots_ = kRepairBudget;
};

}  // namespace labkit::grade::repairs
