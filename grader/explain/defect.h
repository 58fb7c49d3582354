// Which defect a result shows first: the cause of a finding (launch/causes.def), refined by the whole result; the pattern of a
// wrong result; the gate that was missed. Hints and the declarations of wrong solutions (`// defect: ...`) use these ids:
//
//   untouched, not_attempted, compile_error, compile_limit, missing_kernel, signature, launch_shape, static_shared, input_changed
//                              as the verdict says
//   the ids of launch/causes.def
//   compile_error.no_source    no source at all: an empty file, or one that is no text
//   compile_error.meaning      what the compiler could read, and what means nothing there: the wrong type, a missing index
//   no_effect                  a statement or a condition that does nothing, or not what it seems to, where anything is wrong
//                              (device/idle_statement.h)
//   wrong_result.constant      one value everywhere
//   wrong_result.first_block   only block (0,0) did its part
//   wrong_result.square, .multiples     right only for such sizes
//   wrong_result.square_missing         right only for square sizes; else some elements are never written
//   wrong_result.digits        right in its first digits
//   wrong_result.other_element an element of the output in another's place
//   wrong_result.blocks_exchanged  right inside each block, but whole blocks are in one another's place
//   wrong_result.threads_not_adjacent  element 0 was written and element 1 was not: thread 1 is not next to it
//   wrong_result.loop_step     a loop over a vector steps further than there are threads
//   wrong_result.guard         the last elements were never written, though each has a thread
//   wrong_result.tail          the last elements were never written
//   wrong_result.other_block_dimension  blocks are as far apart in one dimension as they are long in the other
//   wrong_result.row_ends      of every row the elements from one column on were never written
//   wrong_result.last_rows     whole rows, from one on, were never written
//   wrong_result.never_written others were not
//   wrong_result.input_written what should be in the output is, or was, written to an input
//   wrong_result.value         none of these
//   gate.barriers, .atomics    over a limit of time, most of which goes there
//   gate.moved_again           over a limit of sectors, though each request uses all that it moves: the same bytes again
//   gate.NAME                  over the limit NAME of lab.toml
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/result.h"
#include "words/message.h"

namespace labkit::explain {

/// For each kernel, the parameters that say how far x and y of its grid go; "" for none. Who knows them can
/// tell a thread without an element from one that reaches for another's.
struct Extents {
  std::string x, y;
};
using ExtentsOf = std::map<std::string, Extents>;

/// Points into the result it was found in.
struct Defect {
  std::string id;
  std::string figure_id;  ///< of a gate: "gate.excess_global_sectors", after its figure; else ""
  const grade::TestResult* test = nullptr;  ///< null: before any test
  const launch::Finding* finding = nullptr;
  const grade::GateResult* gate = nullptr;
  const grade::Mismatch* mismatch = nullptr;
  const device::IdleStatement* idle = nullptr;
};

/// The defect behind the lab's verdict, of the test that is told first (grade::first_to_tell). nullopt where there is none (passed and nothing optional left
/// empty), or nothing is decided.
std::optional<Defect> first_defect(const grade::LabResult& result, const ExtentsOf& extents = {});

/// The compiler was given nothing that it could begin with: no error has a line, nor is there a log.
bool is_no_source(const grade::LabResult& result);

/// The name above of a wrong result, by its first wrong element alone; "wrong_result" where there is none.
std::string wrong_result_id(const grade::TestResult& test);

/// The name above of what a finding of that test is.
std::string finding_id(const launch::Finding& finding, const grade::TestResult& test,
                       const ExtentsOf& extents = {});

/// Why a test was not passed, by id: of its first error, of its wrong result, of what makes it slow, else its verdict. "" if it
/// passed or decided nothing.
std::string cause_id(const grade::TestResult& test, const ExtentsOf& extents = {});

/// The warning that says why elements of a wrong result were never written: threads that write the same values to the same
/// places. Null if there is none.
const launch::Finding* doubled_elements(const grade::TestResult& test);

/// The warning that is likely to be why a result is wrong: what may well do no harm elsewhere seems to have done it here.
/// Null where there is none, or an error says it.
const launch::Finding* likely_cause(const grade::TestResult& test);

/// Whether a gate of sectors is missed by nothing but bytes that are moved more than once.
bool is_moved_again(const grade::GateResult& gate, const grade::TestResult& test);

/// "gate.barriers" or "gate.atomics" where a limit of time is missed, predicted or measured, and that is what most of the
/// predicted time goes to; else "".
std::string_view bound_id(const grade::GateResult& gate, const grade::TestResult& test);

/// Whether it is one of the names above, or a verdict's kind alone; any "gate.NAME" is.
bool is_defect_id(std::string_view id);

/// At most three, in the order of the source, rows compile_* of words/english/compile.def; without those that only follow
/// from an earlier one. Empty where no error is one that beginners make, or there is none.
std::vector<words::Message> compile_slips(const grade::LabResult& result);
/// The first error is about what a line means, and neither a missing symbol nor a name that is not known.
bool is_slip_of_meaning(const grade::LabResult& result);

}  // namespace labkit::explain
