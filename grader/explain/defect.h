// Which defect a result shows first, more finely than its verdict says: a race with the barrier that
// is missing, an index out of bounds with the kind of slip, a wrong result with its pattern. Hints and
// the declarations of wrong solutions (`// defect: ...`) speak of defects by these names:
//
//   untouched, not_attempted, compile_error, compile_limit, missing_kernel, signature, unsupported,
//   launch, launch_shape, static_shared, misaligned, budget, assert, trap, input_changed
//                              as the verdict says
//   launch.registers           a block's threads have more registers than there are
//   budget.too_much            the loops seem to end, after far too many turns
//   budget.short_counter       a loop counts in a type that cannot hold its limit
//   budget.repeated            many threads do the same work: each does all of it, or steps by its block alone
//   race.first_barrier         a thread reads what another warp has yet to write
//   race.second_barrier        a thread writes again what another warp has yet to read
//   race.skipped_barrier       there is a barrier between the two, but not everybody comes by it
//   race.turns                 a loop in which nothing makes threads wait: one reads what another has yet to write in the turn before
//   race.warp                  the same between lanes of one warp
//   race.warp_again            the same once round a loop
//   race.update                += by several threads on one element
//   race.one_line              a thread reads what another changes in the same statement: s[t] += s[t + 16]
//   race.same_element          several threads write one element; also where each writes the same, and others get none
//   race.rows                  elements of two rows lie in one place: the rows are taken for shorter than they are
//   race.exchanged             two lines store to one tile, the one with the indices in the other order
//   race.blocks                between blocks, which no barrier orders
//   race.fence                 handed on through a lock or a flag, without a fence, or with one for the block alone
//   race.copy                  an asynchronous copy that nobody has waited for
//   race.atomic                a plain access beside atomic ones
//   out_of_bounds.tail         by a thread that has no element
//   out_of_bounds.one_past     the first element after the end
//   out_of_bounds.before       before the first element
//   out_of_bounds.index        by a thread that has an element: it reaches for another's; or where only
//                              square sizes came out right
//   out_of_bounds.pitch        the element exists, but its row is multiplied with the length of another array's rows
//   out_of_bounds.swapped      of the shorter of two arrays, where the longer one has such an element
//   out_of_bounds.for_others   the threads of a block work together, and who has no element of its own is not who must stop
//   out_of_bounds.block_part   the block begins further on than it has anything to do
//   out_of_bounds.rows         a thread goes through the rows of an array, and past the last of them
//   out_of_bounds.vector       several elements at once, some of which are not there
//   out_of_bounds.pointer      through a pointer that is null, or nearly
//   out_of_bounds.shared       of an array in shared memory
//   out_of_bounds.shared_block the same, with an index that counts blocks
//   uninitialized.shared, .output, .variable, .shuffle
//   barrier.branch             __syncthreads() that some threads do not come to
//   barrier.exited             __syncthreads() that some threads have left the kernel before
//   barrier.mask               __syncwarp(), shuffles: a mask that does not fit who comes
//   trap.stack                 calls that nest too deeply
//   compile_error.file         no source at all: an empty file, or one that is no text
//   compile_error.meaning      what the compiler could read, and what means nothing there: the wrong type, a missing index
//   no_effect                  a statement or a condition that does nothing, or not what it seems to, where anything is wrong
//                              (device/idle_statement.h)
//   wrong_result.constant      one value everywhere
//   wrong_result.first_block   only block (0,0) did its part
//   wrong_result.square, .multiples     right only for such sizes
//   wrong_result.square_missing         right only for square sizes; else some elements are never written
//   wrong_result.digits        right in its first digits
//   wrong_result.elsewhere     an element of the output in another's place
//   wrong_result.block_turn    right inside each block, but whole blocks are in one another's place
//   wrong_result.neighbour     element 0 was written and element 1 was not: thread 1 is not its neighbour
//   wrong_result.step          a loop over a vector steps further than there are threads
//   wrong_result.guard         the last elements were never written, though each has a thread
//   wrong_result.tail          the last elements were never written
//   wrong_result.row_ends      of every row the elements from one column on were never written
//   wrong_result.last_rows     whole rows, from one on, were never written
//   wrong_result.never_written others were not
//   wrong_result.input_written what should be in the output is, or was, written to an input
//   wrong_result.value         none of these
//   gate.barriers, .atomics    over a limit of time, most of which goes there
//   gate.again                 over a limit of sectors, though each request uses all that it moves: the same bytes again
//   gate.NAME                  over the limit NAME of lab.toml
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "lab/result.h"

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
  const lab::TestResult* test = nullptr;  ///< null: before any test
  const launch::Finding* finding = nullptr;
  const lab::GateResult* gate = nullptr;
  const lab::Mismatch* mismatch = nullptr;
  const device::IdleStatement* idle = nullptr;
};

/// The defect behind the lab's verdict, of the test that is told first (lab::first_to_tell). nullopt where there is none (passed and nothing optional left
/// empty), or nothing is decided.
std::optional<Defect> first_defect(const lab::LabResult& result, const ExtentsOf& extents = {});

/// The compiler was given nothing that it could begin with: no error has a line, nor is there a log.
bool is_no_source(const lab::LabResult& result);

/// The name above of a wrong result, by its first wrong element alone; "wrong_result" where there is none.
std::string wrong_result_id(const lab::TestResult& test);

/// The name above of what a finding of that test is.
std::string finding_id(const launch::Finding& finding, const lab::TestResult& test,
                       const ExtentsOf& extents = {});

/// The warning that says why elements of a wrong result were never written: threads that write the same values to the same
/// places. Null if there is none.
const launch::Finding* doubled_elements(const lab::TestResult& test);

/// The warning that is likely to be why a result is wrong: what may well do no harm elsewhere seems to have done it here.
/// Null where there is none, or an error says it.
const launch::Finding* likely_cause(const lab::TestResult& test);

/// Whether a gate of sectors is missed by nothing but bytes that are moved more than once.
bool is_moved_again(const lab::GateResult& gate, const lab::TestResult& test);

/// "gate.barriers" or "gate.atomics" where a limit of time is missed, predicted or measured, and that is what most of the
/// predicted time goes to; else "".
std::string_view bound_id(const lab::GateResult& gate, const lab::TestResult& test);

/// So many digits of the first wrong element are right, from 5 on; 0: fewer.
int right_digits(const lab::Mismatch& mismatch);

/// Whether it is one of the names above, or a verdict's kind alone; any "gate.NAME" is.
bool is_defect_id(std::string_view id);

}  // namespace labkit::explain
