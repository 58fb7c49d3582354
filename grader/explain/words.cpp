// A test in words: its headline, its few lines on a terminal, and all of it. What it is told by, told_cause.h chooses.
#include "explain/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "explain/defect.h"
#include "explain/finding_picture.h"
#include "explain/told_cause.h"
#include "grade/profile.h"
#include "grade/slowness.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

constexpr std::size_t kMaxLogLines = 12;

std::string missed_text(const std::string& result) {
  return words::text(Id::lead_missed, {{"result", result}});
}
std::string next_text(std::string_view next) {
  return words::text(Id::lead_next, {{"next", next}});
}
std::string launch_line(const grade::TestResult& test) {
  return words::text(Id::launch_line, {{"launch", tell_launch(test.launch.front())}});
}

/// The sentence of lab.toml that stands for all advice of a failed test; "" where it has none.
std::string own_next(const grade::TestResult& test) {
  return test.next.empty() ? "" : next_text(words::translated(test.next));
}

/// But for what the first line says already.
void append_new(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  for (const std::string& line : more)
    if (lines.empty() || line != lines.front()) lines.push_back(line);
}

/// Null where the texts of lab.toml say more than the figures do.
const launch::Diagnosis* known_slowness(const grade::TestResult& test) {
  return test.slow && grade::is_specific(*test.slow) ? &*test.slow : nullptr;
}

/// The gate with the reason that it was missed for, where that is another than lab.toml has in mind.
grade::GateResult as_missed(grade::GateResult gate, const grade::TestResult& test) {
  gate.reason = words::translated(gate.reason);
  gate.next = words::translated(gate.next);
  const std::string_view id = missed_gate_id(gate, test);
  if (id.empty()) return gate;
  gate.next = next_step(id);
  gate.reason =
      id == "gate.moved_again"
          ? words::text(Id::gate_moved_again)
          : words::text(id == "gate.barriers" ? Id::gate_barriers_take : Id::gate_atomics_take,
                        {{"percent", fmt::format("{:.0f}", 100 * test.time_bound_part)}});
  return gate;
}

/// Why the kernel misses its limits, what to do, and then which limits: all with their points and lines, or the first alone.
std::vector<std::string> describe_missed_gates(const grade::TestResult& test, bool all) {
  std::vector<std::string> lines;
  bool first = true;
  for (const grade::GateResult& each : test.gates) {
    if (each.passed || each.undecided) continue;
    grade::GateResult gate = as_missed(each, test);
    const launch::Diagnosis* slow = known_slowness(test);
    if (first && slow && tells_why(test)) {
      lines.push_back(words::render(test.repair->why));
      append(lines, tell_repair(test));
      lines.push_back(words::text(Id::lead_happened, {{"result", words::render(slow->evidence)}}));
    } else if (first && slow) {
      lines.push_back(words::render(slow->evidence));
      append(lines, test.repair ? tell_repair(test) : fix_lines(slow->fix));
    } else if (first) {  // of a later gate the author's words suppose that those before it hold
      if (tells_why(test))
        lines.push_back(words::render(test.repair->why));
      else if (!gate.reason.empty())
        lines.push_back(gate.reason);
      append(lines, tell_repair(test));
      if (!gate.next.empty() && !test.repair) lines.push_back(next_text(gate.next));
    }
    first = false;
    if (!all) {
      lines.push_back(missed_text(short_reason(test)));
      break;
    }
    gate.reason = gate.next = {};
    std::vector<std::string> limit = tell_gate(gate);
    limit.front() = missed_text(limit.front());
    append(lines, std::move(limit));
  }
  return lines;
}

/// What the fix of an index is worked out from, and what does not order two accesses though it seems to.
void append_reasons(std::vector<std::string>& lines, const launch::Finding& finding) {
  const auto is_of_index = [](Id id) {
    return id != Id::index_rows_overlap &&  // the headline says it
           (id == Id::bounds_wrapped_below || id == Id::budget_local_memory ||
            (id >= Id::index_row_multiplied && id <= Id::index_wraps_around) ||
            (id >= Id::step_rows_passed && id <= Id::step_past_row));
  };
  const auto orders_nothing = [](Id id) {
    return id == Id::race_syncwarp_orders_one_warp || id == Id::race_shuffle_orders_nothing ||
           id == Id::race_fence_makes_nobody_wait || id == Id::race_group_orders_its_own;
  };
  for (const words::Message& message : finding.evidence)
    if (is_of_index(message.id) || orders_nothing(message.id))
      lines.push_back(words::render(message));
}

/// A statement that does nothing, as the likely cause of what went wrong.
std::vector<std::string> tell_idle(const grade::TestResult& test) {
  if (test.idle.empty()) return {};
  std::vector<std::string> lines = {tell_slip(test.idle.front())};
  append(lines, fix_lines(test.idle.front().fix));
  return lines;
}

/// What is no error by itself, and yet likely to be why a result is wrong.
std::vector<std::string> tell_cause(const grade::TestResult& test) {
  if (!test.idle.empty()) return tell_idle(test);
  const launch::Finding* cause = likely_cause(test);
  if (cause == nullptr && misses_some(test))
    return {words::text(Id::lead_likely_cause,
                        {{"cause", words::render(test.mismatches.front().unreached)}})};
  if (cause == nullptr) return {};
  const std::string plain = finding_in_words(*cause, block_size_of(test));
  if (plain.empty()) return {};
  std::vector<std::string> lines = {words::text(
      cause == doubled_elements(test) ? Id::written_more_than_once : Id::lead_likely_cause,
      {{"cause", plain}})};
  append_reasons(lines, *cause);
  append(lines, fix_lines(cause->fix));
  return lines;
}

/// A change that makes threads wait, or gives them a place each. A race that another change ends was a wrong index or condition:
/// "race" would send its author after a barrier.
bool is_about_order(const grade::Repair& repair) {
  constexpr Id kOrder[] = {Id::change_order, Id::change_swapped_lines, Id::change_moved_before,
                           Id::change_moved_behind, Id::change_tile_for_each_warp};
  const auto has = [](const std::string& line) {
    return line.find("__sync") != line.npos || line.find("atomic") != line.npos ||
           line.find("__pipeline") != line.npos;
  };
  const auto orders = [&](const auto& line) { return has(line.before) != has(line.after); };
  return std::ranges::count(kOrder, repair.why.front().id) != 0 ||
         std::ranges::any_of(repair.lines, orders);
}

/// The tool of compute-sanitizer that would find it: its racecheck knows shared memory alone, its initcheck global memory.
bool is_sanitizers(const launch::Finding& finding) {
  using enum launch::FindingKind;
  if (finding.kind == race) return finding.space == "shared";
  if (finding.kind == uninitialized) return finding.space == "global";
  return finding.kind == out_of_bounds || finding.kind == misaligned || finding.kind == barrier;
}
/// `own`, with whose words they are; "": the plain words before it say the same.
std::string sanitizers_words(const launch::Finding& finding, const std::string& own) {
  using enum launch::FindingKind;
  if (is_sanitizers(finding)) return words::text(Id::in_sanitizers_words, {{"words", own}});
  return finding.kind == race || finding.kind == uninitialized ? "" : own;
}

void append_next(std::vector<std::string>& lines, std::string_view kind) {
  if (const std::string_view next = next_step(kind); !next.empty())
    lines.push_back(next_text(next));
}

/// The id of the next step after a wrong result.
std::string next_of_result(const grade::TestResult& test) {
  return !test.mismatches.empty() && has_no_stores(test.mismatches.front())
             ? "wrong_result.nothing_stored"
             : wrong_result_id(test);
}

std::string right_where_text(const grade::TestResult& test) {
  return test.right_where == "square"
             ? words::text(Id::right_for_square)
             : words::text(Id::right_for_some, {{"which", right_sizes_text(test)}});
}

}  // namespace

std::string right_sizes_text(const grade::TestResult& test) {
  constexpr std::string_view kMultiples = "multiples of ";
  const std::string_view where = test.right_where;
  return where.starts_with(kMultiples)
             ? words::text(Id::multiples_of, {{"number", where.substr(kMultiples.size())}})
             : std::string(where);
}

std::string_view next_step(std::string_view kind) {
  const std::string_view next = words::row_of("next_" + replace_all(std::string(kind), ".", "_"));
  const std::size_t dot = kind.find('.');
  return !next.empty() || dot == kind.npos ? next : next_step(kind.substr(0, dot));
}

std::vector<std::string> message_lines(const std::vector<words::Message>& messages) {
  std::vector<std::string> lines;
  for (const words::Message& message : messages) {
    const std::string text = words::render(message);
    for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
  }
  return lines;
}

const launch::Finding* first_error(const std::vector<launch::Finding>& findings) {
  for (const launch::Finding& finding : findings)
    if (finding.severity == launch::Severity::error) return &finding;
  return nullptr;
}
const launch::Finding* first_error(const grade::TestResult& test) {
  return first_error(test.findings);
}

launch::Dim3 block_size_of(const grade::TestResult& test) {
  if (test.launch.empty()) return {};
  return launch::parse_dim3(test.launch.front().block).value_or(launch::Dim3{});
}

std::string file_and_line(const launch::SourceLine& where) {
  return where.line ? fmt::format("{}:{}", where.file, where.line) : std::string{};
}

std::vector<std::string> tell_finding(const launch::Finding& finding, const launch::Dim3& block) {
  std::vector<std::string> lines;
  if (std::string plain = finding_in_words(finding, block); !plain.empty())
    lines.push_back(std::move(plain));
  append(lines, finding_lines(finding));
  // what the plain words took from the others is told once
  if (lines.size() > 1) {
    const auto again = std::find(lines.begin() + 1, lines.end(), lines.front());
    if (again != lines.end()) lines.erase(again);
  }
  return lines;
}

std::string tell_launch(const grade::LaunchText& launch) {
  std::string text = launch.kernel;
  for (const auto& [name, value] : launch.scalars) text += fmt::format(", {} = {}", name, value);
  text = words::text(Id::launch_in_words,
                     {{"launch", text}, {"grid", launch.grid}, {"block", launch.block}});
  if (launch.dynamic_shared_bytes)
    text =
        words::text(Id::launch_in_words_shared,
                    {{"launch", text},
                     {"bytes", words::with_commas(std::to_string(launch.dynamic_shared_bytes))}});
  return text;
}

std::vector<std::string> tell_test(const grade::TestResult& test) {
  std::vector<std::string> lines;
  const std::string& kind = test.verdict.kind;
  if (test.verdict.passed()) return lines;
  const ToldBy by = told_cause(test).by;
  if (by != ToldBy::mismatch && by != ToldBy::verdict && by != ToldBy::nothing &&
      by != ToldBy::gate)
    lines.push_back(headline(test));
  if (kind == "gate") append_new(lines, describe_missed_gates(test, true));
  if (!test.on_gpu.empty()) lines.push_back(words::text(Id::on_gpu_alone, {{"gpu", test.on_gpu}}));
  append_new(lines, message_lines(test.message));
  if (test.verdict.inconclusive())
    for (const grade::GateResult& gate : test.gates)
      if (!gate.passed) append(lines, tell_gate(as_missed(gate, test)));
  const launch::Finding* error = first_error(test);
  if (error != nullptr) {
    launch::Finding shown = *error;
    if (!test.idle.empty() || test.repair) shown.fix = {};  // theirs is another one
    append_new(lines, tell_finding(shown, block_size_of(test)));
  }
  const std::vector<std::string> cause = kind == "gate" ? std::vector<std::string>{}
                                         : test.repair  ? tell_repair(test)
                                                        : tell_cause(test);
  append_new(lines, cause);
  for (const grade::Mismatch& mismatch : test.mismatches)
    append_new(lines, kind == "input_changed" ? std::vector{tell_changed_input(mismatch)}
                                              : tell_mismatch(mismatch));
  if (!test.right_where.empty()) lines.push_back(right_where_text(test));
  if (kind != "gate" && !test.verdict.inconclusive() && !test.launch.empty())
    lines.push_back(launch_line(test));
  // The simulator takes warps in turn, a GPU as it likes: what differs between the two hangs on the order.
  if (!test.on_gpu.empty()) lines.push_back(words::text(Id::why_on_gpu_alone));
  // Why a result is wrong, if the sanitizers know it, says better what to do than that it is wrong.
  const bool is_cause = error && (kind == "wrong_result" || kind == name_of(error->kind));
  if (!test.next.empty() && !test.repair)
    lines.push_back(own_next(test));
  else if (!test.repair && (cause.empty() || is_cause))
    append_next(lines, is_cause                 ? finding_id(*error, test)
                       : kind == "wrong_result" ? next_of_result(test)
                                                : kind);
  return lines;
}

std::string short_reason(const grade::TestResult& test) {
  if (test.verdict.passed()) return {};
  for (const grade::GateResult& gate : test.gates)
    if (!gate.passed && static_cast<bool>(gate.undecided) == test.verdict.inconclusive()) {
      std::string text = limit_text(gate);
      if (gate.undecided) return text + "; " + words::render(gate.undecided);
      const std::string where =
          gate.culprit.instruction.empty() ? "" : file_and_line(gate.culprit.where);
      return where.empty() ? text : fmt::format("{} ({})", text, where);
    }
  if (const launch::Finding* finding = first_error(test)) {
    // a refused launch says why in what follows
    const std::string first(trim(finding->kind == launch::FindingKind::launch
                                     ? words::render(finding->evidence)
                                     : first_words(*finding)));
    const std::string where = file_and_line(finding->where);
    return where.empty() ? first : fmt::format("{} ({})", first, where);
  }
  if (!test.mismatches.empty() && test.message.empty())
    return tell_element(test.mismatches.front());
  return test.message.empty() ? test.verdict.text() : message_lines(test.message).front();
}

std::string headline(const grade::TestResult& test) {
  using enum ToldBy;
  const ToldCause told = told_cause(test);
  std::vector<std::string> lines;
  switch (told.by) {
    case change:
      return says_more(test) ? tell_slip(test.idle.front()) : words::render(test.repair->why);
    case example:
      return words::render(test.example);
    case gate:
      lines = describe_missed_gates(test, false);
      break;
    case slip:
    case warning:
    case unreached:
      lines = tell_cause(test);
      break;
    case finding:
      lines = {finding_in_words(*told.finding, block_size_of(test))};
      break;
    case unread:
      lines = {words::render(test.mismatches.front().unread)};
      break;
    case mismatch:
      if (test.message.empty() && has_no_stores(test.mismatches.front()))
        lines = {tell_no_stores(test.mismatches.front())};
      break;
    case nothing:
    case verdict:
      break;
  }
  // of a gate the last says which limit: no cause
  const std::size_t least = told.by == gate ? 2 : 1;
  return lines.size() < least || lines.front().empty() ? short_reason(test) : lines.front();
}

std::vector<std::string> describe_fix(const grade::TestResult& test) {
  if (test.repair) return tell_repair(test);
  if (!test.idle.empty()) return tell_idle(test);
  const launch::Finding* finding = first_error(test);
  return finding ? fix_lines(finding->fix) : std::vector<std::string>{};
}

std::vector<std::string> tell_test_in_short(const grade::TestResult& test) {
  using enum ToldBy;
  std::vector<std::string> lines = {headline(test)};
  if (test.verdict.passed() || test.verdict.inconclusive()) return lines;
  if (test.verdict.kind == "gate") return describe_missed_gates(test, false);
  const ToldBy by = told_cause(test).by;
  if (const launch::Finding* error = first_error(test)) {
    if (by == change || by == slip) append_new(lines, describe_fix(test));
    if (by != finding)
      if (std::string plain = finding_in_words(*error, block_size_of(test)); !plain.empty())
        lines.push_back(words::text(Id::lead_happened, {{"result", plain}}));
    if (by != slip) append_reasons(lines, *error);
    if (by == finding) append_new(lines, describe_fix(test));
    if (!test.next.empty() && !test.repair) lines.push_back(own_next(test));
    if (error->kind != launch::FindingKind::launch && !test.launch.empty())
      lines.push_back(launch_line(test));
    if (const std::string own = short_reason(test); !own.starts_with(lines.front()))
      if (std::string said = sanitizers_words(*error, own); !said.empty())
        lines.push_back(std::move(said));
    return lines;
  }
  const std::vector<std::string> cause =
      test.repair ? std::vector<std::string>{} : tell_cause(test);
  append_new(lines, test.repair ? tell_repair(test) : cause);
  if (by == slip && !test.message.empty()) lines.push_back(message_lines(test.message).front());
  for (const grade::Mismatch& each : test.mismatches) {
    const std::vector<std::string> told = tell_mismatch(each);
    // The second is the first wrong element, which the headline is about where nothing else is known.
    const bool is_told = each.total > 1 && test.message.empty() && by == mismatch;
    for (std::size_t i = 0; i < told.size(); ++i)
      if (i != 1 || !is_told) append_new(lines, {std::string(trim(told[i]))});
  }
  if (!test.right_where.empty()) lines.push_back(right_where_text(test));
  if (!test.mismatches.empty() && !test.launch.empty()) lines.push_back(launch_line(test));
  if (!test.next.empty() && !test.repair)
    lines.push_back(own_next(test));
  else if (cause.empty() && !test.repair && !test.mismatches.empty())
    append_next(lines,
                test.verdict.kind == "wrong_result" ? next_of_result(test) : test.verdict.kind);
  return lines;
}

std::string verdict_words(const grade::TestResult& test) {
  if (test.verdict.kind == "gate") {
    for (const grade::GateResult& gate : test.gates)
      if (gate.name == test.verdict.gate) return std::string(missed_words(gate.figure));
    return std::string(missed_words(""));
  }
  if (test.verdict.kind == "race" && knows_change(test) && !is_about_order(*test.repair))
    return words::text(Id::verdict_wrong_result);
  return std::string(words::row_of("verdict_" + test.verdict.kind));
}

std::string verdict_words(const grade::LabResult& result) {
  const bool begun = std::ranges::any_of(result.tests, [](const auto& test) {
    return test.verdict.kind != "untouched" && !test.verdict.neutral();
  });
  if (result.verdict.kind == "untouched" && begun) return words::text(Id::verdict_unfinished);
  for (const grade::TestResult& test : result.tests)
    if (test.verdict == result.verdict) return verdict_words(test);
  grade::TestResult alone;
  alone.verdict = result.verdict;
  return verdict_words(alone);
}

std::vector<std::string> profile_notes(const grade::Profile& profile) {
  std::vector<std::string> notes = message_lines(profile.notes);
  if (!profile.device_note.empty()) notes.push_back(profile.device_note);
  for (const device::IdleStatement& idle : profile.idle)
    notes.push_back(words::text(Id::lead_note_at_line, {{"line", std::to_string(idle.line)},
                                                        {"what", words::render(idle.what)},
                                                        {"fix", fix_lines(idle.fix).front()}}));
  return notes;
}

std::vector<std::string> tell_lab(const grade::LabResult& result) {
  std::vector<std::string> lines;
  if (result.verdict.passed() || result.message.empty()) return lines;
  const std::vector<words::Message> slips = compile_slips(result);
  for (const words::Message& slip : slips) append(lines, slip_lines(slip));
  const auto is_of_host = [](const words::Message& one) {
    return one.id == Id::compile_host_functions || one.id == Id::compile_host_variables ||
           one.id == Id::compile_host_lines;
  };
  if (slips.empty() || !is_of_host(result.message.front()))
    append(lines, message_lines(result.message));
  const std::string& kind = result.verdict.kind;
  if (kind == "compile_error" || kind == "missing_kernel" || kind == "compile_limit") {
    std::size_t told = 0;
    // which candidates did not fit, what followed from the first error, the same error of a line once more
    bool in_note = false;
    std::set<std::string_view> known;
    for (const std::string_view line : split_lines(result.compile_log)) {
      if (line.find("detected in the compilation of") != std::string_view::npos) break;
      if (line.find("): ") != std::string_view::npos)
        in_note = line.find("): note ") != std::string_view::npos || !known.insert(line).second;
      if (in_note || trim(line).empty()) continue;
      if (told++ == kMaxLogLines) {
        lines.push_back("  ...");
        break;
      }
      lines.push_back("  " + std::string(line));
    }
  }
  if (kind == "untouched") {
    lines.push_back(words::text(Id::start_at,
                                {{"place", fmt::format("{}:{}", result.file, result.where.line)}}));
    return lines;
  }
  const bool has_no_source = is_no_source(result);
  if (has_no_source)
    lines.push_back(
        words::text(Id::reset_brings_back,
                    {{"command", fmt::format("{} reset {}", command_name(), result.lab)}}));
  if (kind == "missing_kernel" && result.compiler.empty()) return lines;  // nothing was compiled
  if (kind != "compile_error" && result.where.line)
    lines.push_back(words::text(Id::lead_at_place, {{"place", file_and_line(result.where)}}));
  if (!slips.empty()) return lines;
  if (kind == "compile_error" && !has_no_source &&
      compile::errors_in_source_order(result.compile_log).size() == 1)
    return lines;
  append_next(lines, has_no_source ? "compile_error.no_source" : kind);
  return lines;
}

}  // namespace labkit::explain
