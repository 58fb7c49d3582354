// One small change that makes a kernel right, found by trying. No rule can know what a beginner meant, but a launch can tell
// whether `i <= n` for `i < n` helps: each of the edits that beginners need most (compile/small_edits.h) is compiled and run on
// the launches of the test that failed, until all come out right, and then on those of the other tests of the kernel: an edit
// that holds in all, in the optimised build and under all checks, with which the graded launch gets the most points, is the one
// that is reported. Where there is none, one may be that repairs its test and breaks no other. It changes no verdict or point.
#include <map>
#include <tuple>

#include "grade/change.h"
#include "grade/change_example.h"
#include "grade/change_in_kernel.h"
#include "grade/change_reason.h"
#include "grade/own_elements.h"
#include "grade/repair_cache.h"
#include "grade/repair_search.h"

namespace labkit::grade {
namespace {

using namespace repairs;

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

/// Its name without template arguments.
std::string kernel_of(const KeptTest& kept) {
  return compile::base_name(kept.graded ? kept.graded->kernel : kept.cases.front().kernel);
}

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
  judge_gates(grading, graded, outcome, tried);
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
      if (&kept == &repaired || kernel_of(kept) != compile::base_name(kernel)) continue;
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
  /// Launches of those that failed.
  void add_failed(Attempts& attempts) const {
    for (const Correctness& other : correctness)
      if (!other.kept.result->verdict.passed())
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

/// In bytes: of changes up to here, the more likely one comes first.
constexpr std::size_t kSmallChange = 20;
/// So many times the cost of another change that helps: the threads repeat each other's work.
constexpr std::uint64_t kDearer = 4;
/// An edit repairs a part if so much of what was wrong is wrong still, or less.
constexpr double kPart = 0.8;
/// Fewer come out right by coincidence, where other tests of the kernel stay wrong.
constexpr std::size_t kLaunchesThatTell = 8;

/// Other tests of the kernel that failed have the same repair: those of correctness where it `mends_all`, graded ones where it
/// `loses_none` of their points.
void share(Grading& grading, const KeptTest& repaired, const Repair& repair, bool mends_all,
           bool loses_none) {
  for (const KeptTest& kept : grading.kept) {
    TestResult& other = *kept.result;
    if (&kept == &repaired || kernel_of(kept) != kernel_of(repaired) || other.verdict.passed() ||
        other.repair)
      continue;
    if (kept.graded ? !loses_none : !mends_all || is_out_of_reach(other)) continue;
    other.repair = repair;
    other.repair->launches = other.verdict.kind == "gate" ? 0 : kept.graded ? 1 : kept.cases.size();
  }
}

/// The test with what it launches in the shape that an edited source has; nullopt: that is refused.
std::optional<KeptTest> in_shape_of(Grading& grading, const Edited& made, const KeptTest& kept) {
  TestResult refused;
  KeptTest asked{.test = kept.test, .result = &refused, .shape = kept.shape};
  const Running running(grading, asked);
  Submission own = std::exchange(grading.submission, made.submission);
  grading.asked = &asked;
  grading.run_function(kept.test->name);
  grading.asked = nullptr;
  grading.submission = std::move(own);
  asked.result = kept.result;
  return asked.graded || !asked.cases.empty() ? std::optional(std::move(asked)) : std::nullopt;
}

/// Points that a graded test loses with another shape, 0 of one of correctness; nullopt if it is not right.
std::optional<double> lost_in_shape(Grading& grading, const Edited& made, const KeptTest& kept) {
  const std::optional<KeptTest> tried = in_shape_of(grading, made, kept);
  if (!tried) return std::nullopt;
  if (tried->graded) return points_lost(grading, made, *tried, Misses::any);
  const Running running(grading, kept);
  std::vector<Attempt> attempts;
  for (const Case& one : tried->cases) attempts.push_back(attempt_of(grading, one));
  Attempts launches;
  for (const Attempt& attempt : attempts) launches.push_back(&attempt);
  return warnings_of(grading, made, launches, launches.size()) ? std::optional(0.0) : std::nullopt;
}

/// A launch shape that is data in kernel.cu, with two numbers exchanged, or one twice or half as large: the tests of the kernel
/// launch another grid then, so that no edit of the kernel is tried so.
std::optional<Repair> find_shape(Grading& grading, const KeptTest& failed) {
  if (failed.shape.empty() || !may_search(grading, kernel_of(failed), " shape"))
    return std::nullopt;
  const std::string& source = grading.submission.source;
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::optional<std::pair<double, Repair>> best;
  for (const compile::Edit& edit : compile::initialiser_edits(tokens, failed.shape)) {
    const std::string changed = compile::apply_edit(source, edit);
    const std::optional<Edited> made = edited(grading, changed);
    if (!made || !lost_in_shape(grading, *made, failed)) continue;
    double lost = 0;
    const bool holds = std::ranges::all_of(grading.kept, [&](const KeptTest& kept) {
      if (&kept == &failed || kernel_of(kept) != kernel_of(failed)) return true;
      const std::optional<double> more = lost_in_shape(grading, *made, kept);
      lost += more.value_or(0);
      return more.has_value();
    });
    if (!holds || (best && best->first <= lost)) continue;
    best.emplace(lost, repair_of(source, changed));
    if (lost <= 0) break;
  }
  if (!best) return std::nullopt;
  Repair& repair = best->second;
  repair.why = describe_change(repair.lines, source);
  repair.launches = failed.cases.size();
  share(grading, failed, repair, true, best->first <= 0);
  return repair;
}

/// What a change changes, and why; where no rule knows that, what it is in one thread of a launch.
std::vector<words::Message> explained(Grading& grading, const Repair& repair,
                                      const Attempt& attempt) {
  std::vector<words::Message> why = described(grading, repair);
  if (names_only_places(why))
    if (words::Message example = example_of(grading, repair, attempt))
      why.push_back(std::move(example));
  return why;
}

std::optional<Repair> find_repair(Grading& grading, const KeptTest& repaired) {
  const TestResult& result = *repaired.result;
  if (auto shape = find_shape(grading, repaired)) return shape;
  if (is_out_of_reach(result) || result.launch.empty() ||
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
  const std::string& kernel = result.launch.front().kernel;
  // what a launch without checks may get right by luck
  const launch::Finding* const error = first_error(result.findings);
  const bool check = error && (error->kind == launch::FindingKind::race ||
                               error->kind == launch::FindingKind::barrier ||
                               error->kind == launch::FindingKind::uninitialized);
  Search search(grading, grading.submission.source, kernel, expressions, kMostEdits);
  // the smallest launch that fails rejects most edits at the least cost
  Attempts failing = ordered;
  if (attempts.size() < kLaunchesThatTell) others.add_failed(failing);
  std::ranges::stable_sort(failing.begin() + 1, failing.end(), {}, &Attempt::useful_bytes);
  std::erase_if(failing, [&](const Attempt* one) {
    return one != ordered.front() && one->useful_bytes >= ordered.front()->useful_bytes;
  });
  std::rotate(failing.begin(), failing.begin() + 1, failing.end());
  std::uint64_t first_budget = 0;
  double wrong_before = 0;
  const Batch unchanged = search.unchanged();
  for (const Attempt* attempt : failing) {
    const std::uint64_t floor = kRepairFloor + kRepairPerByte * attempt->useful_bytes;
    first_budget = kRepairTimes * floor;  // it may have ended early
    wrong_before = 2;
    if (!unchanged.sources.empty()) {
      const device::Outcome before =
          search.run(unchanged, 0, *attempt, kRepairOthers * floor, false, check);
      wrong_before = wrongness(*attempt, before);
      if (before.completed && before.simulation)
        first_budget = kRepairTimes * std::max(floor, before.simulation->cost);
    }
    if (wrong_before <= 0) continue;
    std::erase(ordered, attempt);
    ordered.insert(ordered.begin(), attempt);
    break;
  }
  const Attempt& first = *ordered.front();
  /// Edits that repair a part: what is still wrong, and the source.
  std::vector<std::pair<double, std::string>> parts;
  /// Of the launches of the test, by source: slots, and what they move (of the first one only where it is alone).
  std::map<std::string, std::uint64_t> costs;
  std::map<std::string, double> traffics;
  const auto rated = [&](Search& search, bool keeps_parts) {
    const auto rate = [&](const Batch& batch, std::size_t copy) -> std::optional<long> {
      double still_wrong = 0;
      std::uint64_t& cost = costs[batch.sources[copy]];
      const auto is_right = [&](const Attempt& attempt) {
        if (search.is_spent()) return false;
        const std::uint64_t budget =
            &attempt == &first
                ? first_budget
                : kRepairOthers * (kRepairFloor + kRepairPerByte * attempt.useful_bytes);
        const bool counts = &attempt != &first || ordered.size() == 1;
        const device::Outcome outcome =
            search.run(batch, copy, attempt, budget, counts, check && &attempt == &first);
        if (outcome.simulation) cost += outcome.simulation->cost;
        if (counts) traffics[batch.sources[copy]] += traffic_in(outcome);
        const double wrong = wrongness(attempt, outcome);
        still_wrong += wrong > 0 ? wrong : -1;  // the more launches before were right, the better
        return wrong <= 0;
      };
      const bool here =
          std::ranges::all_of(ordered, [&](const Attempt* attempt) { return is_right(*attempt); });
      if (!here && keeps_parts && still_wrong < kPart * wrong_before)
        parts.emplace_back(still_wrong, batch.sources[copy]);
      const Holds holds = here ? others.holds(is_right) : Holds::nowhere;
      return holds == Holds::nowhere ? std::nullopt : std::optional(holds == Holds::here ? 1L : 0L);
    };
    return search.rated(rate, kMoreEdits);
  };
  const auto coarse = [](double traffic) {
    return std::round(kCoarseness * std::log(1 + traffic));
  };
  const auto moved = [&](const Edited& made) { return coarse(traffic(grading, made, largest)); };
  std::vector<std::pair<long, std::string>> all = rated(search, true);
  bool loses_none = false;
  const std::string& given = grading.submission.source;
  const auto best = [&](Holds holds) {
    std::vector<std::string> sources;
    const bool everywhere = holds == Holds::everywhere;  // else the others may need what goes
    for (const auto& [rating, source] : all)
      if ((rating == 0) == everywhere && (everywhere || !only_deletes(given, source)))
        sources.push_back(source);
    // a race that goes since nothing passes from thread to thread is the last choice
    const std::size_t own = reads_of_own_elements(given);
    struct Doubts {
      bool reads_its_own = false, is_unlike_store = false;
      std::size_t signs = 0;
    };
    std::map<std::string, Doubts> doubts;
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::string& source : sources) {
      doubts[source] = {reads_of_own_elements(source) > own,
                        !reads_as_stored(repair_of(given, source).lines, given),
                        signs_of_a_trick(given, source)};
      least = std::min(least, costs[source]);
    }
    const auto group = [&](const std::string& source) {
      return std::pair(doubts[source].reads_its_own, doubts[source].signs > 0);
    };
    std::ranges::stable_sort(sources, {}, [&](const std::string& source) {
      return std::tuple(group(source), costs[source] / kDearer > least, doubts[source].signs,
                        doubts[source].is_unlike_store, misnamed(source),
                        change_size(given, source) / kSmallChange, coarse(traffics[source]));
    });
    Attempts launches = ordered;
    others.add_attempts(holds, launches);
    const auto lost = [&](const Edited& made) -> std::optional<double> {
      const Misses misses = everywhere ? Misses::any : Misses::none_new;
      double sum = 0;
      for (const KeptTest* graded : others.graded) {
        const auto points = points_lost(grading, made, *graded, misses);
        if (!points) return std::nullopt;
        sum += *points;
      }
      return sum;
    };
    std::optional<Repair> found;
    for (auto first = sources.begin(); first != sources.end() && !found;) {
      const auto last = std::find_if(first, sources.end(), [&](const std::string& one) {
        return group(one) != group(*first);
      });
      found = search.best({first, last}, launches, ordered.size(), ~std::size_t{0}, moved, lost);
      first = last;
    }
    loses_none = search.loses_none();
    return found;
  };
  auto repair = best(Holds::everywhere);
  std::ranges::stable_sort(parts, {}, &std::pair<double, std::string>::first);
  for (std::size_t k = 0; k < std::min(kMostParts, parts.size()) && !repair && all.empty(); ++k) {
    Search second(grading, parts[k].second, kernel, expressions, kMostSecondEdits);
    all = rated(second, false);
    repair = best(Holds::everywhere);
  }
  const bool mends_all = repair.has_value();
  // of the launch that the test is shown with
  if (repair) repair->why = explained(grading, *repair, attempts[static_cast<std::size_t>(failed)]);
  if (!repair && attempts.size() >= kLaunchesThatTell) repair = best(Holds::here);
  if (!repair) return std::nullopt;
  repair->launches = attempts.size();
  share(grading, repaired, *repair, mends_all, mends_all && loses_none);
  return repair;
}

/// Of a kernel that is right and misses a limit, or comes to no end in its graded launch: a change with which the limit holds.
std::optional<Repair> find_faster(Grading& grading, const KeptTest& slow) {
  if (!may_search(grading, slow.small->kernel, " faster")) return std::nullopt;
  const Attempt small = attempt_of(grading, *slow.small, true);
  const Others others(grading, slow, small.one.kernel);
  std::set<std::string> expressions = {small.one.kernel};
  others.add_expressions(expressions);
  Search search(grading, grading.submission.source, small.one.kernel, std::move(expressions),
                kMostFasterEdits);
  const Batch unchanged = search.unchanged();
  if (unchanged.sources.empty()) return std::nullopt;
  const device::Outcome before =
      search.run(unchanged, 0, small,
                 kRepairOthers * (kRepairFloor + kRepairPerByte * small.useful_bytes), true);
  if (!before.completed || !before.simulation) return std::nullopt;
  const launch::Cause why = why_slow(*slow.result);
  const double moved = std::max(1.0, traffic_in(before, why)),
               cost = static_cast<double>(before.simulation->cost);
  const std::uint64_t most_cost = before.simulation->cost + before.simulation->cost / 8;
  const auto rate = [&](const Batch& batch, std::size_t copy) -> std::optional<long> {
    const device::Outcome now = search.run(batch, copy, small, most_cost, true);
    if (!came_out_right(small, now) || !now.simulation) return std::nullopt;
    const double less = traffic_in(now, why) / moved,
                 cheaper = static_cast<double>(now.simulation->cost) / cost;
    if (less >= kLess && cheaper >= kLess) return std::nullopt;
    return std::lround(kFineness * std::log(less + cheaper));
  };
  const auto lost = [&](const Edited& made) -> std::optional<double> {
    const double lost_before = slow.result->max_points - slow.result->points;
    auto sum = points_lost(grading, made, slow, Misses::not_the_first);
    if (!sum || *sum >= lost_before) return std::nullopt;
    for (const KeptTest* graded : others.graded) {
      const auto more = points_lost(grading, made, *graded, Misses::none_new);
      if (!more) return std::nullopt;
      *sum += *more;
    }
    return sum;
  };
  Attempts launches = {&small};
  others.add_attempts(Holds::everywhere, launches);
  std::vector<std::string> sources;
  auto all = search.rated(rate, kAllEdits);
  std::ranges::stable_sort(all, {}, [&](const auto& one) {  // of the same cost, the smaller change
    const std::string& source = grading.submission.source;
    return std::tuple(signs_of_a_trick(source, one.second), one.first, misnamed(one.second),
                      lines_changed(source, one.second),
                      change_size(source, one.second) / kSmallChange);
  });
  for (auto& [rating, source] : all) sources.push_back(source);
  auto repair = search.best(
      sources, launches, 1, 0, [](const Edited&) { return 0.0; }, lost);
  if (!repair) return std::nullopt;
  repair->why = described(grading, *repair);
  using enum words::Id;
  constexpr words::Id kOfIndex[] = {change_other,  change_index,     change_value,
                                    change_stored, change_exchanged, change_swapped_lines};
  const bool is_of_index =
      repair->why.size() == 1 && std::ranges::count(kOfIndex, repair->why.front().id) != 0;
  if (is_of_index && !repair->lines.front().before.starts_with("for (") &&
      (why == launch::Cause::performance_uncoalesced_load ||
       why == launch::Cause::performance_uncoalesced_store))
    repair->why = described(
        grading, {.lines = repair->lines, .launches = 0, .why = {{words::Id::change_neighbours}}});
  share(grading, slow, *repair, false, search.loses_none());
  return repair;
}

}  // namespace

bool waits_for_repairs(const Grading& grading) {
  return std::ranges::any_of(grading.kept, &KeptTest::wants_repair);
}

bool must_look_for_repairs(const Grading& grading) {
  return waits_for_repairs(grading) && !read_repairs(repairs_file(grading));
}

void find_repairs(Grading& grading) {
  if (!waits_for_repairs(grading)) return grading.kept.clear();
  const std::filesystem::path file = repairs_file(grading);
  const std::optional<Repairs> known = read_repairs(file);
  Repairs found;
  for (const KeptTest& kept : grading.kept) {
    std::optional<Repair>& repair = kept.result->repair;
    if (known) {
      if (const auto one = known->find(kept.test->name); one != known->end()) repair = one->second;
      continue;
    }
    if (kept.wants_repair && !repair) {
      const Running running(grading, kept);
      repair = kept.graded ? find_faster(grading, kept) : find_repair(grading, kept);
    }
  }
  for (const KeptTest& kept : grading.kept)
    if (kept.result->repair) found.emplace(kept.test->name, *kept.result->repair);
  if (!known) write_repairs(file, found);
  for (const KeptTest& kept : grading.kept) {
    TestResult& result = *kept.result;
    if (!kept.wants_repair || result.repair || result.mismatches.empty() || result.launches == 0 ||
        result.launches > kept.cases.size() || !result.mismatches.front().never_written)
      continue;
    const Running running(grading, kept);
    const Attempt failed = attempt_of(grading, kept.cases[result.launches - 1]);
    result.example = example_of_quotient(grading, failed);
  }
  grading.kept.clear();
}

}  // namespace labkit::grade
