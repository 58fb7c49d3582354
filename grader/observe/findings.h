// From what was seen to findings: the cause, the evidence, the fix; and which finding comes first. One rule a file: races
// (race_finding.cpp), values that nobody wrote (undefined_finding.cpp), indices (index_finding.cpp), steps from one element to the
// next (step_finding.cpp), what stops a launch (fixes.cpp), the order (causes.cpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "launch/launch.h"
#include "observe/places.h"
#include "observe/races.h"
#include "simt/machine.h"

namespace labkit::observe {

// A race as a finding: its cause, what was seen with an order of the threads that shows it, and the fix.

launch::Finding race_finding(const Race& race, const Places& places);

/// Races that one barrier fixes become one finding, that of the most distant threads, with that barrier.
void merge_races(std::vector<launch::Finding>& findings);

// A use of what nobody wrote as a finding.

/// `where`: the line that read it; `other`: the line where it decided something.
launch::Finding undefined_finding(const simt::UndefinedUse& use, const Places& places);

// What an index should have been: from the threads, the launch's whole numbers and the sizes of its arrays. Where an access is
// outside, or two threads store to one element, the finding then has the cause:
//   one too far (`<=` for `<`), a missing comparison, a row or a column that does not exist, rows of another array's length,
//   swapped arrays, a wrong formula, a tile's index that counts blocks, an index that wraps around.
// What fits none of them, or several, is left as it is.

/// What the program says of the access that a finding is about.
struct IndexFacts {
  bool in_loop = true;
  bool from_memory = false;    ///< the index was computed from what the kernel has read
  launch::SourceLine barrier;  ///< one that follows the access; line 0: none
  int bits = 0;  ///< of a race: the thread's number was cut to so few, 8 or 16; 0: to none
};

/// The cause and the fix of a finding out of bounds that has no fix yet, and of a race between two stores of one line to
/// rows that overlap. `arrays`: those of the launch.
void describe_index(launch::Finding& finding, const launch::Launch& launch,
                    const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts = {});

/// Takes the evidence out that describe_index put in.
void forget_index(launch::Finding& finding);

/// The launch's whole numbers from `least` on, each once.
std::vector<std::uint64_t> numbers_of(const launch::Launch& launch, std::uint64_t least);

inline words::Parameter with(const char* name, words::Value value) {
  return {name, std::move(value)};
}
inline words::Parameter with(const char* name, std::uint64_t number) {
  return {name, words::count(number)};
}
inline words::Parameter with(const char* name, const launch::Dim3& at) {
  return {name, triple(at)};
}

/// Gives the finding that cause and fix, and more evidence; true.
bool diagnose(launch::Finding& finding, launch::Cause cause, words::Message fix,
              std::vector<words::Message> evidence = {});

/// The evidence that two places of a matrix are one.
words::Message rows_overlap(std::uint64_t row, std::uint64_t column, std::uint64_t other_row,
                            std::uint64_t other_column, std::uint64_t length);

// The fix in a line for what the simulator itself stops a launch for; what the sanitizers find brings its own.

/// Sets the finding's fix, unless it has one. Refused instructions have none: their evidence says what to do.
void add_fix(launch::Finding& finding, const simt::Program& program);

/// Of an index past dynamic shared memory: how long its rows are, where the launch's size is so many rows of a block.
void name_rows_of_dynamic(launch::Finding& finding, const launch::Launch& launch);

/// All of this for the findings of one run: what they are about, the fix, the order.
void finish_findings(std::vector<launch::Finding>& findings, const simt::Program& program,
                     const launch::Launch& launch, const simt::Memory& memory);

/// Puts another fix in place of the one that a value which nobody wrote was told with, where the program knows better: of a
/// variable in shared memory that is no array, and of an array that each thread fills by itself.
void refit_unwritten(launch::Finding& finding, const simt::Program& program);
/// Of a finding out of bounds.
IndexFacts index_facts(const launch::Finding& finding, const simt::Program& program);

// How far it is from one element of a thread to its next, at one line, and from one block to the next: where that is a fixed
// distance and should be the number of threads, what a block covers, or the length of a part of the array, the finding says so,
// with the figures; and where threads side by side have run over the end of a row, that. What a finding knows is one access
// or two; here the launch is run once more, and the accesses of a few threads at that line are followed.

/// An array of the launch that is known to lie in rows.
struct KnownRows {
  std::uint64_t begin = 0;         ///< device address
  std::uint64_t row_elements = 0;  ///< not 0
};

/// Puts the fix in place of the one that a finding has: of an access out of bounds in global memory, and of stores of one
/// line to one place. `memory` as it was before the launch; it is of no use afterwards.
void describe_steps(std::vector<launch::Finding>& findings, const simt::Program& program,
                    const launch::Launch& launch, std::span<const std::byte> parameter_block,
                    simt::Memory& memory, const simt::RunOptions& options,
                    const std::vector<KnownRows>& rows);

/// Whether there is such a finding, so that it is worth the run.
bool wants_steps(const std::vector<launch::Finding>& findings);

// Which of several findings of one kernel comes first: what causes another comes before it.

/// Errors stay before warnings, and otherwise what was found first stays first, but
///   - a variable that nothing sets comes first of all. What only the compiler says of it (a warning: nobody knows whether
///     the line was executed) is an error where the launch went wrong, or where its result did (`result_is_wrong`);
///   - a value that nobody wrote comes before the access out of bounds, or the loop without end, that it decides;
///   - so it does before the lost updates of that line, whose fix is to begin with a value, and before the races with
///     another iteration of the loop, which did not write it either;
///   - what nobody wrote to shared memory is explained by the threads that had left before the barrier;
///   - an access out of bounds comes before the races of that line: it touches what belongs to another thread;
///   - a launch over its budget whose threads write the same values over and over has that cause.
void order_by_cause(std::vector<launch::Finding>& findings, bool result_is_wrong = false);

}  // namespace labkit::observe
