#include "explain/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/command_name.h"
#include "base/text.h"
#include "explain/compile_words.h"
#include "explain/defect.h"
#include "explain/finding_picture.h"

namespace labkit::explain {
namespace {

constexpr std::size_t kMaxLogLines = 12;

constexpr struct {
  std::string_view kind, text;
} kNext[] = {
    {"untouched", "Read README.md beside kernel.cu, then fill in the first TODO."},
    {"compile_error", "Mend the first error; the others often go with it."},
    {"compile_error.file", "Put your kernel into that file again, and save it as plain text."},
    {"compile_limit", "Look for a template, an unrolled loop or a table that grows without end."},
    {"missing_kernel",
     "Keep the kernel's name, its template parameter and its parameters as they were given."},
    {"signature", "Put the parameter list back as it was given; the launch depends on it."},
    {"unsupported",
     "Write that line in plain CUDA C++; the simulator refuses what it does not know rather than "
     "guess."},
    {"launch",
     "See that the kernel asks for no more threads, shared memory or registers than a block may "
     "have."},
    {"out_of_bounds",
     "Compare the indices in that line with the sizes the kernel was given, before touching "
     "memory."},
    {"out_of_bounds.pointer",
     "Follow the pointer of that line back to where it gets its value: no array lies at address "
     "0."},
    {"misaligned",
     "A vector access needs an address that is a multiple of its size, also at odd offsets and in "
     "the tail."},
    {"race", "Two threads meet at one address with no barrier between them."},
    {"race.warp",
     "Lanes of a warp are not in lockstep: what one hands to another needs __syncwarp() between "
     "the "
     "store and the load."},
    {"race.warp_again",
     "Lanes of a warp are not in lockstep: in a loop they have to meet twice a turn, before what "
     "was "
     "stored is read and before it is stored again."},
    {"race.update",
     "Several threads change one element: give it to one of them, or use an atomic operation."},
    {"race.one_line",
     "One statement reads and stores, and what it reads another thread stores in the same one: "
     "read "
     "first, let the threads meet, then store."},
    {"race.same_element", "See that no two threads work out the same index for a store."},
    {"race.rows",
     "See by what the row is multiplied, and what its column is compared with: rows have run into "
     "one another."},
    {"race.blocks",
     "Blocks run in any order, and no barrier orders them: let the block that writes an element be "
     "the one that uses it."},
    {"race.copy",
     "An asynchronous copy is over when its thread has waited for it; a barrier does not wait for "
     "copies."},
    {"race.fence",
     "A lock makes threads wait, a fence makes what they wrote arrive: it takes both, before the "
     "lock "
     "is given back and after it is taken."},
    {"race.atomic", "An atomic operation protects only against other atomic ones."},
    {"uninitialized.shuffle",
     "Let every lane that is read from come to the shuffle, outside of conditions, and name it in "
     "the mask."},
    {"uninitialized",
     "Something is read that nobody wrote: see that every element is stored before it is loaded."},
    {"barrier.mask",
     "The mask must name each lane of the warp that comes by, and no other: 0xffffffff where the "
     "whole warp does."},
    {"barrier",
     "Every thread of the block must reach the same __syncthreads(): keep it out of branches and "
     "after no early return."},
    {"budget",
     "See that every loop moves on towards its end (step, condition); if all do, the kernel takes "
     "many times the instructions it needs, or leaves the work to a few of its threads."},
    {"budget.repeated",
     "Share the work out: each element belongs to one thread, and each thread steps over what "
     "belongs to all the others."},
    {"assert", "The assertion is yours: see what it compares."},
    {"trap",
     "The compiler puts a trap where code can only go wrong, such as an access through a null "
     "pointer; `__trap()` is one "
     "too. Look at what the line above uses."},
    {"trap.stack",
     "A thread has little room for calls within calls: see that the recursion comes to its end, or "
     "write it as a loop."},
    {"static_shared",
     "Declare the tile as `extern __shared__ float tile[];` and compute the element's place in it "
     "from blockDim.x."},
    {"launch_shape",
     "The shape is read from your file before the launch; see the comment above it in kernel.cu."},
    {"wrong_result",
     "Work the first wrong element out by hand: which thread should write it, and from where?"},
    {"wrong_result.constant",
     "Follow the stored value back to the input: what in it depends on the thread?"},
    {"wrong_result.first_block",
     "See that the index of the store has a part that comes from blockIdx, and that no condition "
     "asks for block 0."},
    {"wrong_result.square", "See where one size is used though the other one is meant."},
    {"wrong_result.multiples",
     "See what becomes of the rest that fills no whole block, tile or step."},
    {"wrong_result.digits",
     "See the type of every variable and array between the load and the store."},
    {"wrong_result.elsewhere",
     "Work out the index of the load and that of the store for this one element: they do not mean "
     "the same."},
    {"wrong_result.block_turn",
     "Inside the blocks it is right; see which of blockIdx.x and blockIdx.y the store uses for "
     "what."},
    {"wrong_result.tail",
     "Compare the number of threads with that of the elements: who is to do the rest?"},
    {"wrong_result.guard",
     "Each of these elements has a thread: see what the condition before the store asks it."},
    {"wrong_result.neighbour",
     "See what thread 1 of the first block does: which index has it, and is it sent away?"},
    {"wrong_result.step", "Compare how far your loop steps with how many threads this launch has."},
    {"wrong_result.never_written",
     "See which thread should write that element, and what it does instead."},
    {"input_changed", "The kernel writes to an array that it must only read."},
    {"inconclusive",
     "Your points are neither won nor lost: grade it again while nothing else uses the GPU."},
};

constexpr struct {
  std::string_view figure, title;
} kTitles[] = {
    {"ratio", "bandwidth, as a part of the copy's"},
    {"best_ratio", "bandwidth, as a part of the best copy's"},
    {"time_us", "time in microseconds"},
    {"bandwidth_gbps", "GB/s"},
    {"load_sectors_per_request", "sectors per global load request"},
    {"store_sectors_per_request", "sectors per global store request"},
    {"shared_load_wavefronts_per_request", "wavefronts per shared load request"},
    {"shared_store_wavefronts_per_request", "wavefronts per shared store request"},
    {"excess_global_sectors", "excess global sectors"},
    {"excess_global_load_sectors", "excess global load sectors"},
    {"excess_global_store_sectors", "excess global store sectors"},
    {"global_load_sectors", "global load sectors"},
    {"global_store_sectors", "global store sectors"},
    {"excess_shared_wavefronts", "excess shared wavefronts"},
    {"excess_shared_load_wavefronts", "excess shared load wavefronts"},
    {"excess_shared_store_wavefronts", "excess shared store wavefronts"},
    {"thread_instructions", "PTX thread instructions"},
};

/// The simulator takes warps in turn, a GPU as it likes: what differs between the two hangs on the
/// order.
constexpr std::string_view kGpuAlone =
    "Such a difference is typically a race: threads that depend on one another's memory without a "
    "barrier between them, so that the result hangs on which comes first.";

std::string with_commas(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string place(const launch::SourceLine& where) {
  return where.line ? fmt::format("{}:{}", where.file, where.line) : std::string{};
}

std::string element_name(const lab::Mismatch& m) {
  return m.is_vector ? fmt::format("{}[{}]", m.array, m.col)
                     : fmt::format("{}[{}][{}]", m.array, m.row, m.col);
}

std::string shape(const lab::Mismatch& m) {
  return m.is_vector ? fmt::format("{} element{}", with_commas(std::to_string(m.cols)),
                                   m.cols == 1 ? "" : "s")
                     : fmt::format("{} x {}", m.rows, m.cols);
}

void append_lines(std::vector<std::string>& lines, std::string_view text) {
  for (const std::string_view line : split_lines(text)) lines.emplace_back(line);
}

const launch::Finding* first_error(const lab::TestResult& test) {
  return explain::first_error(test.findings);
}

/// The gate with the reason that it was missed for, where that is another than lab.toml has in mind.
lab::GateResult as_missed(const lab::GateResult& gate, const lab::TestResult& test) {
  lab::GateResult missed = gate;
  if (is_moved_again(gate, test)) {
    missed.reason = "Each request uses all that it moves, but the same bytes are moved again.";
    missed.next =
        "Load what a thread needs more than once into a variable, before the loop; store what it "
        "changes more than once when it is done.";
  }
  return missed;
}

std::string fix_of(const launch::Finding& finding) {
  for (const std::string_view line : split_lines(finding.text))
    if (line.starts_with("Fix: ")) return std::string(line);
  return {};
}

/// What is no error by itself, and yet likely to be why a result is wrong.
std::vector<std::string> tell_cause(const lab::TestResult& test) {
  const launch::Finding* cause = likely_cause(test);
  if (cause == nullptr) return {};
  const std::string plain = finding_in_words(*cause, block_size_of(test)), fix = fix_of(*cause);
  if (plain.empty()) return {};
  std::vector<std::string> lines = {(cause == doubled_elements(test)
                                         ? "Others were written more than once: "
                                         : "That may be why: ") +
                                    plain};
  if (!fix.empty()) lines.push_back(fix);
  return lines;
}

/// What went wrong with a budget, beyond where: how much was too much.
std::string tell_budget(const lab::TestResult& test) {
  const launch::Finding* finding = first_error(test);
  if (!finding || finding->kind != launch::FindingKind::budget || test.verdict.kind != "budget" ||
      !test.message.empty() || !test.on_gpu.empty())
    return {};
  // lab check holds every right solution to half of a budget
  return "It was stopped when it had done twice the work that any right solution of ours needs "
         "here.";
}

/// Whose words follow.
std::string sanitizers_words(const launch::Finding& finding) {
  using enum launch::FindingKind;
  switch (finding.kind) {
    case race:
    case out_of_bounds:
    case misaligned:
    case uninitialized:
    case barrier:
      return "In compute-sanitizer's words: ";
    default:
      return {};
  }
}

std::string right_where_text(const lab::TestResult& test) {
  return test.right_where == "square"
             ? "What came out right before it was square, each time."
             : fmt::format("The sizes that came out right before it were {}.", test.right_where);
}

}  // namespace

const launch::Finding* first_error(const std::vector<launch::Finding>& findings) {
  for (const launch::Finding& finding : findings)
    if (finding.severity == launch::Severity::error) return &finding;
  return nullptr;
}

launch::Dim3 block_size_of(const lab::TestResult& test) {
  if (test.launch.empty()) return {};
  return launch::parse_dim3(test.launch.front().block).value_or(launch::Dim3{});
}

std::vector<std::string> tell_finding(const launch::Finding& finding, const launch::Dim3& block) {
  std::vector<std::string> lines;
  if (std::string plain = finding_in_words(finding, block); !plain.empty())
    lines.push_back(std::move(plain));
  append_lines(lines, finding.text);
  // what the plain words took from the others is told once
  if (lines.size() > 1) {
    const auto again = std::find(lines.begin() + 1, lines.end(), lines.front());
    if (again != lines.end()) lines.erase(again);
  }
  return lines;
}

std::string_view next_step(std::string_view verdict_kind) {
  for (const auto& [kind, text] : kNext)
    if (kind == verdict_kind) return text;
  const std::size_t dot = verdict_kind.find('.');
  return dot == std::string_view::npos ? std::string_view{}
                                       : next_step(verdict_kind.substr(0, dot));
}

std::string_view title_of(std::string_view figure) {
  for (const auto& [name, title] : kTitles)
    if (name == figure) return title;
  return figure;
}

std::string number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (std::fabs(value) >= 1000 || value == std::floor(value)) {
    const std::string digits = fmt::format("{:.0f}", std::fabs(value));
    return (value < 0 ? "-" : "") + with_commas(digits);
  }
  if (std::fabs(value) >= 100) return fmt::format("{:.1f}", value);
  if (std::fabs(value) >= 0.01) return fmt::format("{:.2f}", value);
  return fmt::format("{:.2g}", value);
}

std::string interval_text(const measure::Interval& interval) {
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", interval.value, interval.low, interval.high);
}

std::vector<std::string> tell_measured(const lab::Measurement& m) {
  const auto figure = [&](const char* name) {
    const auto at = m.figures.find(name);
    return at == m.figures.end() ? 0 : at->second;
  };
  std::string line = fmt::format("measured on {}: {} GB/s in {:.1f} us", m.gpu,
                                 number(std::round(figure("bandwidth_gbps"))), figure("time_us"));
  if (figure("share_of_peak") > 0)
    line += fmt::format(", {:.0f}% of the memory's peak", 100 * figure("share_of_peak"));
  if (m.ratio) line += fmt::format("; {} of the copy", interval_text(*m.ratio));
  if (m.best_ratio) line += fmt::format("; {} of the best copy", interval_text(*m.best_ratio));
  std::string size;
  for (const auto& [name, value] : m.size)
    size += fmt::format("{}{} = {}", size.empty() ? "" : ", ", name, value);
  line += fmt::format("; {} samples at {}", m.samples, size);
  std::vector<std::string> lines = {line};
  if (m.conditions.disturbed > 0 || m.conditions.waited_seconds >= 1)
    lines.push_back(fmt::format("  {} disturbed rounds were left out, after {:.0f} s of waiting",
                                m.conditions.disturbed, m.conditions.waited_seconds));
  if (!m.undecided.empty()) lines.push_back("  it decides nothing: " + m.undecided);
  if (!m.information.empty()) lines.push_back("  " + m.information);
  return lines;
}

std::string gate_figures(const lab::GateResult& gate) {
  if (!gate.missing.empty()) return gate.missing;
  if (gate.measured)
    return fmt::format("measured {}, {} {}", interval_text(gate.interval),
                       gate.is_minimum ? "at least" : "at most", number(gate.threshold));
  std::string value = number(gate.value), limit = number(gate.threshold);
  if (!gate.passed && value == limit) {  // 0.698 against 0.70 must not read as 0.70 against 0.70
    value = fmt::format("{:.6g}", gate.value);
    limit = fmt::format("{:.6g}", gate.threshold);
  }
  return fmt::format("yours {}, {} {}", value, gate.is_minimum ? "at least" : "at most", limit);
}

std::vector<std::string> tell_gate(const lab::GateResult& gate) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: {}", title_of(gate.figure), gate_figures(gate)));
  if (gate.passed) return lines;
  if (!gate.undecided.empty()) {
    lines.push_back("  Not decided: " + gate.undecided);
    return lines;
  }
  const std::string where = place(gate.culprit.where);
  if (!where.empty())
    lines.push_back(fmt::format("  at {} ({}): {}", where, gate.culprit.instruction,
                                number(gate.culprit.value)));
  lines.push_back("  Why: " + gate.reason);
  lines.push_back("  Next: " + gate.next);
  return lines;
}

std::string tell_element(const lab::Mismatch& m) {
  return fmt::format("{}: expected {}, {}", element_name(m), m.expected,
                     m.never_written ? "never written" : "got " + m.got);
}

std::string tell_inputs(const lab::Mismatch& m) {
  std::string text;
  for (const auto& [name, value] : m.inputs)
    text += fmt::format("{}{}[{}] = {}", text.empty() ? "" : ", ", name, m.col, value);
  return text;
}

std::vector<std::string> tell_mismatch(const lab::Mismatch& m) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("`{}` ({}): {} of {} element{} {} wrong", m.array, shape(m),
                              with_commas(std::to_string(m.wrong)),
                              with_commas(std::to_string(m.total)), m.total == 1 ? "" : "s",
                              m.wrong == 1 ? "is" : "are"));
  std::string first = fmt::format("  the first is {}: expected {}", element_name(m), m.expected);
  if (!m.bound.empty()) first += fmt::format(" (within {})", m.bound);
  first += m.never_written ? ", but it was never written" : fmt::format(", got {}", m.got);
  lines.push_back(first);
  if (m.constant)
    lines.emplace_back("  all of its elements came back the same");
  else if (!m.belongs_to.empty())
    lines.push_back(fmt::format("  that is what belongs to {}", m.belongs_to));
  else if (const int digits = right_digits(m); digits != 0)
    lines.push_back(fmt::format(
        "  its first {} digits are right: see the types on its way, and how it is worked out",
        digits));
  if (!m.inputs.empty() && !m.never_written) lines.push_back("  there " + tell_inputs(m));
  const std::uint64_t unwritten = m.never_written_count;
  if (unwritten > 1 || (unwritten == 1 && !m.never_written))
    lines.push_back(fmt::format("  {} of the wrong ones {} never written",
                                with_commas(std::to_string(unwritten)),
                                unwritten == 1 ? "was" : "were"));
  return lines;
}

std::string tell_launch(const lab::LaunchText& launch) {
  std::string text = launch.kernel;
  for (const auto& [name, value] : launch.scalars) text += fmt::format(", {} = {}", name, value);
  text += fmt::format(", grid {}, block {}", launch.grid, launch.block);
  if (launch.dynamic_shared_bytes)
    text += fmt::format(", {} bytes of dynamic shared memory", launch.dynamic_shared_bytes);
  return text;
}

std::vector<std::string> tell_test(const lab::TestResult& test) {
  std::vector<std::string> lines;
  const std::string& kind = test.verdict.kind;
  if (test.verdict.passed()) return lines;
  if (!test.on_gpu.empty())
    lines.push_back(
        fmt::format("On the GPU ({}); the simulator found nothing wrong.", test.on_gpu));
  if (!test.message.empty()) append_lines(lines, test.message);
  if (kind == "gate" || test.verdict.inconclusive()) {
    for (const lab::GateResult& gate : test.gates)
      if (!gate.passed)
        for (std::string& line : tell_gate(as_missed(gate, test))) lines.push_back(std::move(line));
  }
  if (const launch::Finding* finding = first_error(test))
    for (std::string& line : tell_finding(*finding, block_size_of(test)))
      lines.push_back(std::move(line));
  for (const lab::Mismatch& mismatch : test.mismatches) {
    if (kind == "input_changed")
      lines.push_back(fmt::format("`{}` is an input, but came back changed: {} was {}, is {}",
                                  mismatch.array, element_name(mismatch), mismatch.expected,
                                  mismatch.got));
    else
      for (std::string& line : tell_mismatch(mismatch)) lines.push_back(std::move(line));
  }
  if (!test.right_where.empty()) lines.push_back(right_where_text(test));
  for (std::string& line : tell_cause(test)) lines.push_back(std::move(line));
  if (kind != "gate" && !test.verdict.inconclusive() && !test.launch.empty())
    lines.push_back("Launch: " + tell_launch(test.launch.front()));
  if (!test.on_gpu.empty()) lines.emplace_back(kGpuAlone);
  // Why a result is wrong, if the sanitizers know it, says better what to do than that it is wrong.
  const launch::Finding* error = first_error(test);
  const bool is_cause = error && (kind == "wrong_result" || kind == name_of(error->kind));
  const std::string_view next = next_step(is_cause                 ? finding_id(*error, test)
                                          : kind == "wrong_result" ? wrong_result_id(test)
                                                                   : kind);
  if (!next.empty()) lines.push_back(fmt::format("Next: {}", next));
  return lines;
}

std::string short_reason(const lab::TestResult& test) {
  if (test.verdict.passed()) return {};
  for (const lab::GateResult& gate : test.gates)
    if (!gate.passed && gate.undecided.empty() == !test.verdict.inconclusive()) {
      std::string text = fmt::format("{}: {}", title_of(gate.figure), gate_figures(gate));
      if (!gate.undecided.empty()) return text + "; " + gate.undecided;
      const std::string where = place(gate.culprit.where);
      return where.empty() ? text : fmt::format("{} ({})", text, where);
    }
  if (const launch::Finding* finding = first_error(test)) {
    const auto lines = split_lines(finding->text);
    const std::string first =
        lines.empty() ? std::string(launch::name_of(finding->kind)) : std::string(trim(lines[0]));
    const std::string where = place(finding->where);
    return where.empty() ? first : fmt::format("{} ({})", first, where);
  }
  if (!test.mismatches.empty() && test.message.empty()) {
    return tell_element(test.mismatches.front());
  }
  return test.message.empty() ? test.verdict.text()
                              : test.message.substr(0, test.message.find('\n'));
}

std::string headline(const lab::TestResult& test) {
  if (!test.verdict.passed() && test.verdict.kind != "gate" && !test.verdict.inconclusive())
    if (const launch::Finding* finding = first_error(test))
      if (std::string plain = finding_in_words(*finding, block_size_of(test)); !plain.empty())
        return plain;
  return short_reason(test);
}

std::vector<std::string> tell_test_in_short(const lab::TestResult& test) {
  std::vector<std::string> lines = {headline(test)};
  if (test.verdict.passed() || test.verdict.inconclusive()) return lines;
  if (test.verdict.kind == "gate") {
    for (const lab::GateResult& one : test.gates)
      if (!one.passed && one.undecided.empty()) {
        const lab::GateResult gate = as_missed(one, test);
        if (!gate.reason.empty()) lines.push_back("Why: " + gate.reason);
        if (!gate.next.empty()) lines.push_back("Next: " + gate.next);
        break;
      }
    return lines;
  }
  if (const launch::Finding* finding = first_error(test)) {
    if (std::string much = tell_budget(test); !much.empty()) lines.push_back(std::move(much));
    if (std::string fix = fix_of(*finding); !fix.empty()) lines.push_back(std::move(fix));
    if (std::string own = short_reason(test); own != lines.front())
      lines.push_back(sanitizers_words(*finding) + own);
    return lines;
  }
  for (const lab::Mismatch& mismatch : test.mismatches) {
    const std::vector<std::string> told = tell_mismatch(mismatch);
    lines.push_back(told.front());
    // The second is the first wrong element, which the line above tells where it is not a message.
    for (std::size_t i = test.message.empty() ? 2 : 1; i < told.size(); ++i)
      lines.emplace_back(trim(told[i]));
  }
  if (!test.right_where.empty()) lines.push_back(right_where_text(test));
  const std::vector<std::string> cause = tell_cause(test);
  lines.insert(lines.end(), cause.begin(), cause.end());
  if (!test.mismatches.empty() && !test.launch.empty())
    lines.push_back("Launch: " + tell_launch(test.launch.front()));
  const std::string_view next =
      next_step(test.verdict.kind == "wrong_result" ? wrong_result_id(test) : test.verdict.kind);
  if (cause.empty() && !test.mismatches.empty() && !next.empty())
    lines.push_back(fmt::format("Next: {}", next));
  return lines;
}

std::string verdict_words(const lab::LabResult& result) {
  const bool begun = std::any_of(result.tests.begin(), result.tests.end(), [](const auto& test) {
    return test.verdict.kind != "untouched" && !test.verdict.neutral();
  });
  return result.verdict.kind == "untouched" && begun ? "unfinished" : result.verdict.text();
}

std::vector<std::string> tell_lab(const lab::LabResult& result) {
  std::vector<std::string> lines;
  if (result.verdict.passed() || result.message.empty()) return lines;
  const std::string slip = compile_slip(result);
  if (!slip.empty()) lines.push_back(slip);
  append_lines(lines, result.message);
  const std::string& kind = result.verdict.kind;
  if (kind == "compile_error" || kind == "missing_kernel" || kind == "compile_limit") {
    std::size_t told = 0;
    bool in_note = false;  // which candidates did not fit, and what followed from the first error
    for (const std::string_view line : split_lines(result.compile_log)) {
      if (line.find("detected in the compilation of") != std::string_view::npos) break;
      if (line.find("): ") != std::string_view::npos)
        in_note = line.find("): note ") != std::string_view::npos;
      if (in_note || trim(line).empty()) continue;
      if (told++ == kMaxLogLines) {
        lines.push_back("  ...");
        break;
      }
      lines.push_back("  " + std::string(line));
    }
  }
  if (kind == "untouched") {
    lines.push_back(fmt::format("Start at {}:{}; README.md beside it says what the kernel must do.",
                                result.file, result.where.line));
    return lines;
  }
  const bool has_no_source = is_no_source(result);
  if (has_no_source)
    lines.push_back(
        fmt::format("`{} reset {}` brings the empty kernel back, and keeps what is there now.",
                    command_name(), result.lab));
  if (kind == "missing_kernel" && result.compiler.empty()) return lines;  // nothing was compiled
  if (kind != "compile_error" && result.where.line) lines.push_back("At " + place(result.where));
  if (!slip.empty()) return lines;
  const std::string_view next = next_step(has_no_source ? "compile_error.file" : kind);
  if (!next.empty()) lines.push_back(fmt::format("Next: {}", next));
  return lines;
}

}  // namespace labkit::explain
