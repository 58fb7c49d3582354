// Findings and figures into words, in the language of this process. Short, kind, exact; the next thing to do at the end. Plain
// text, no layout: that is report/'s business.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/result.h"

namespace labkit::grade {
struct Profile;
}

namespace labkit::explain {

/// Behind those that are there.
inline void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// What to look at after a verdict of this kind, or a defect of this name (defect.h), one sentence (words/english/next_steps.def);
/// empty where the verdict says it all.
std::string_view next_step(std::string_view verdict_kind);

/// `otherwise` where it is not there.
double figure_of(const grade::Figures& figures, const std::string& name, double otherwise = 0);

/// Of a graded launch in a few signs, for a table: sectors per global load/store request ("4/32"), wavefronts per shared
/// load/store request, part of the copy's speed. "" where there is none.
std::string sectors_text(const grade::Figures& figures);
std::string wavefronts_text(const grade::Figures& figures);
std::string ratio_text(const grade::Figures& figures);

/// A figure's name for people: "sectors per load request", "of the copy's bandwidth". Unknown names
/// come back as they are.
std::string_view title_of(std::string_view figure);

/// What a result was graded on, which it keeps in English. `gpu`: whose times are predicted.
std::string device_words(const std::string& device, const std::string& gpu);

/// What came of each prediction in kernel.cu; one line names those that are open, until the launch was counted.
std::vector<std::string> tell_predictions(const grade::LabResult& result);

/// "kernel.cu:12"; "" where the line is not known.
std::string file_and_line(const launch::SourceLine& where);

/// 458752 -> "458,752", 0.534 -> "0.53", 3.96e6 -> "3,960,000"; what is nearly a limit gets the
/// digits that tell it apart.
std::string number(double value);

/// `value` with as many digits as tell the gate's value and its limit apart, where it was missed.
std::string number_beside(double value, const grade::GateResult& gate);

/// What a kernel is that misses a limit of this figure: "too slow", "bank conflicts".
std::string_view missed_words(std::string_view figure);
/// "0.44 of the copy's speed, 0.69 needed", "32 sectors per global load request, at most 4.50 allowed"
std::string limit_text(const grade::GateResult& gate);

/// "0.912 (0.905 to 0.918)": a measured figure with its 95% interval.
std::string interval_text(const grade::Interval& interval);
/// "rows = 2048, cols = 4096"
std::string sizes_text(const grade::Sizes& sizes);
/// What a GPU measured, one line: GB/s, share of the memory's peak, ratios with their intervals,
/// samples. Under it, if so, why it decides nothing.
std::vector<std::string> tell_measured(const grade::Measurement& measured);

/// One failing or passing gate: what, where, why, what next. First line first.
std::vector<std::string> tell_gate(const grade::GateResult& gate);
std::vector<std::string> tell_mismatch(const grade::Mismatch& mismatch);
/// Nobody wrote any element, and what is said of it.
bool has_no_stores(const grade::Mismatch& mismatch);
std::string tell_no_stores(const grade::Mismatch& mismatch);
/// Of an array that must come back as it went.
std::string tell_changed_input(const grade::Mismatch& mismatch);
/// The first wrong element: "out[5][32]".
std::string element_text(const grade::Mismatch& mismatch);
/// "out[5][32]: expected 0.5, got 0.25"
std::string tell_element(const grade::Mismatch& mismatch);
/// "offset[7] = 33, stride[7] = 2": what the inputs hold where the first wrong element is; "" if that is not known.
std::string tell_inputs(const grade::Mismatch& mismatch);
/// Who stored it, as far as the simulator knows: "thread (3,4,0) of block (0,1,0) at line 21"; "" where it does not, or
/// where nobody did.
std::string tell_who_stored(const grade::Mismatch& mismatch);
/// What nobody read is the best that is known of a wrong result; and at which line it was stored, line 0: not known.
bool knows_unread(const grade::TestResult& test);
launch::SourceLine line_left_unread(const grade::TestResult& test);
/// The element that is said of, where it is not the wrong one: the one before, of one that nobody wrote; else "".
std::string tell_element_before(const grade::Mismatch& mismatch);
/// "corner_turn<float>, rows = 31, cols = 33, grid 2x1, block 32x32"
std::string tell_launch(const grade::LaunchText& launch);

/// A line each; a message of the compiler may be several.
std::vector<std::string> message_lines(const std::vector<words::Message>& messages);

/// The first that is an error; null if there is none.
const launch::Finding* first_error(const std::vector<launch::Finding>& findings);
const launch::Finding* first_error(const grade::TestResult& test);
/// The size of a test's blocks; {} if it came to no launch.
launch::Dim3 block_size_of(const grade::TestResult& test);
/// A finding in compute-sanitizer's wording, for those who compare the two: what, where, by whom.
std::vector<std::string> sanitizer_lines(const launch::Finding& finding);
/// Its first line alone, or what kind of finding it is.
std::string first_words(const launch::Finding& finding);
/// The slip says more than the change of the same line, of which only the line is known.
bool says_more(const grade::TestResult& test);
/// What a line does in vain, as a likely cause.
std::string tell_slip(const device::IdleStatement& idle);
/// The change that was seen to help a test, if there is one, after what it mends.
std::vector<std::string> tell_repair(const grade::TestResult& test);
/// "Fix: Put __syncthreads() between line 8 and line 12."; none of a message that is none.
std::vector<std::string> fix_lines(const words::Message& fix);
/// The sanitizer's, the evidence, a line a sentence, and the fix.
std::vector<std::string> finding_lines(const launch::Finding& finding);
/// One finding: what went wrong in plain words, then all of those.
std::vector<std::string> tell_finding(const launch::Finding& finding, const launch::Dim3& block);

/// Everything a student needs about a test that did not pass, most important first; empty if it
/// passed.
std::vector<std::string> tell_test(const grade::TestResult& test);
/// The same in one line for tables: "out[5][32]: expected 0.5, got 0.25", "ratio 0.53, at least
/// 0.70".
std::string short_reason(const grade::TestResult& test);

/// What went wrong first, in one line of plain words where there are any, else as short_reason().
std::string headline(const grade::TestResult& test);
/// What to do about what was found: the statement that does nothing and its fix, else the finding's fix. Empty: nothing is known.
std::vector<std::string> describe_fix(const grade::TestResult& test);
/// The same in few lines, for a terminal: the headline; the fix, or launch and next step; the sanitizer's own words.
std::vector<std::string> tell_test_in_short(const grade::TestResult& test);

/// A verdict for people: "wrong result", "too slow"; of a lab "unfinished" where only some kernels are still empty.
std::string verdict_words(const grade::TestResult& test);
std::string verdict_words(const grade::LabResult& result);

/// A line of the student's source that the words are about, and the array there that they name ("": none).
struct LineAtFault {
  std::uint32_t line = 0;
  std::string array;
};
/// Those to show beside the words, in the order of the source: of a race two. Empty: no line in particular.
std::vector<LineAtFault> lines_at_fault(const grade::TestResult& test);

/// "multiples of 32": the sizes that came out right, where they are not the square ones.
std::string right_sizes_text(const grade::TestResult& test);

/// What `labkit profile` says beside findings: a line each.
std::vector<std::string> profile_notes(const grade::Profile& profile);

// A figure beside the ideal, the reference's, a slow kernel's and its gate.

/// What the launch's own requests would give without any waste; nullopt where that says nothing (times, plain sums).
std::optional<double> ideal_of(std::string_view figure, const observe::LaunchCounters& counters);

/// "sectors per global store request: naive 32.0, yours 8.0, ideal 4.0, reference 4.0, at most 4.5": of each gate that the
/// test misses, and with it what its accesses cost a request. Costs of requests that move more bytes than the reference's,
/// or fewer, stand without those of other answers. Empty without figures to compare with.
std::vector<std::string> tell_comparison(const grade::TestResult& test);

// What sets a launch's time: the shares of a prediction, and the registers that it counts with.

/// What a share or bound of timing::Prediction stands for: "latency" -> "waiting for memory while too few bytes are in
/// flight"; empty for a name that is not known.
std::string_view words_of_share(std::string_view name);

/// "latency 46%, launch 21%, DRAM 14%": the shares from 5% on, at most four.
std::string shares_text(const timing::Prediction& prediction);

/// The same of what its warps wait for: "long_scoreboard 46%, barrier 32%".
std::string stalls_text(const timing::Prediction& prediction);

/// The one idea behind the largest share, a sentence with what helps: "Bytes in flight limit this kernel, not coalescing:
/// ..."; empty where nothing is to be gained.
std::string_view advice_of(const timing::Prediction& prediction);

/// "32 registers a thread (NVRTC 13.0's ptxas for sm_90)", "about 32 registers a thread, estimated: ...": how many were
/// counted with, and who says so.
std::string registers_text(const device::Registers& registers);

/// For verdicts reached before any test (untouched, compile_error, ...).
std::vector<std::string> tell_lab(const grade::LabResult& result);

}  // namespace labkit::explain
