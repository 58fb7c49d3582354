// Which defect a result shows first: the cause of a finding, refined by the whole result; the pattern of a wrong result; the
// gate that was missed. Hints and the declarations of wrong solutions (`// defect: ...`) use these ids:
//
//   a verdict's kind           untouched, not_attempted, compile_error, signature, input_changed, ...
//   the ids of launch/causes.def and of defects.def
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

/// The defect behind the lab's verdict, of the test that is told first (grade::first_to_tell). nullopt where there is none
/// (passed and nothing optional left empty), or nothing is decided.
std::optional<Defect> first_defect(const grade::LabResult& result, const ExtentsOf& extents = {});

/// The compiler was given nothing that it could begin with: no error has a line, nor is there a log.
bool is_no_source(const grade::LabResult& result);

/// Elements are missing, and the source shows why (Mismatch::unreached).
bool misses_some(const grade::TestResult& test);
/// The name above of a wrong result, by its first wrong element alone; "wrong_result" where there is none.
std::string wrong_result_id(const grade::TestResult& test);

/// The name above of what a finding of that test is.
std::string finding_id(const launch::Finding& finding, const grade::TestResult& test,
                       const ExtentsOf& extents = {});

/// Why a test was not passed, by id: of its first error, of its wrong result, of what makes it slow, else its verdict. "" if it
/// passed or decided nothing.
std::string cause_id(const grade::TestResult& test);

/// The warning that says why elements of a wrong result were never written: threads that write the same values to the same
/// places. Null if there is none.
const launch::Finding* doubled_elements(const grade::TestResult& test);

/// The warning that is likely to be why a result is wrong: what may well do no harm elsewhere seems to have done it here.
/// Null where there is none, or an error says it.
const launch::Finding* likely_cause(const grade::TestResult& test);

/// "gate.moved_again" where a gate of sectors is missed by nothing but bytes that are moved more than once; "gate.barriers" or
/// "gate.atomics" where a limit of time is missed, predicted or measured, and that is what most of the predicted time goes to;
/// else "".
std::string_view missed_gate_id(const grade::GateResult& gate, const grade::TestResult& test);

/// Whether it is one of the names above, or a verdict's kind alone; any "gate.NAME" is.
bool is_defect_id(std::string_view id);

/// At most three, in the order of the source, rows compile_* of words/english/compile.def; without those that only follow
/// from an earlier one. Empty where no error is one that beginners make, or there is none.
std::vector<words::Message> compile_slips(const grade::LabResult& result);
/// The cause, and its fix.
std::vector<std::string> slip_lines(const words::Message& slip);
/// The first error is about what a line means, and neither a missing symbol nor a name that is not known.
bool is_slip_of_meaning(const grade::LabResult& result);

}  // namespace labkit::explain
