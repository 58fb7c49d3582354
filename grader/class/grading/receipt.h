// What a grade can be defended with: hashes of all that decided it, and what came out, as JSON. Everything on the simulator
// follows from kit, lab, source and seed, so the same kit grades the same source to the same bytes again
// (`labkit class replay`, which finds source and seed in the gradebook); of a GPU's figures it keeps the intervals.
//
// A receipt does not name the seed of the class: whoever knows it can write a kernel for just these inputs.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// What a grading depends on besides source, lab and seed.
struct GradingEnvironment {
  std::string kit;           ///< version
  std::string check_sha256;  ///< of the lab's check program
  std::string device;        ///< "sim", or the name of a GPU
  std::string profile;       ///< whose times the simulator predicts ("h200")
  std::string measurement;   ///< measurement_hash() of the lab
  std::string scoring;       ///< scoring_hash() of the lab
  std::string clock;         ///< that the compiler sees (__TIME__)
  friend bool operator==(const GradingEnvironment&, const GradingEnvironment&) = default;
};

/// `result` is the LabResult that was reached (format of report/json.h). The same for the same
/// arguments, byte for byte. Throws labkit::Error if `result` is none.
std::string make_receipt(const Job& job, const GradingEnvironment& means,
                         const std::string& result);

/// A result without what says where it was graded, not what came out: the file's place, the jail, who counted registers. Two
/// gradings on the simulator that are the same have the same text. Its hash must not betray the seed, which it lacks too.
std::string comparable(const std::string& result);

/// What ptxas counted for the receipt's predicted times: {"test": {"per_thread": 32, ...}}; "" if it did for none.
std::string recorded_registers(const std::string& receipt);

/// Where two JSON texts differ, a line each ("tests[2] WholeTiles, figures, sectors: 4096 -> 8192"),
/// no more than `most`; the last then says how many more. Empty if nowhere.
std::vector<std::string> differences(const std::string& before, const std::string& now,
                                     std::size_t most = 20);

/// Two receipts of one source, then and now, as lines of differences().
struct Replayed {
  std::string verdict_then, verdict_now;
  bool same_result = false;           ///< bit for bit, see comparable()
  std::vector<std::string> means;     ///< kit, lab's files, compiler, device, ...
  std::vector<std::string> outcome;   ///< what must be the same; not what hangs on a GPU's times
  std::vector<std::string> measured;  ///< by a GPU: whether the intervals of each ratio meet
};
Replayed compare_receipts(const std::string& before, const std::string& now);

/// The receipt that a gradebook keeps.
struct KeptReceipt {
  Job job;
  std::string text;
  std::vector<std::string> edits;  ///< "student: ana -> bo", a line each, kept -> asked for
};

/// Throws labkit::Error naming `name` if `text` is none.
void require_receipt(const std::string& text, const std::string& name);

/// The nearest to this one among those of all results, also of earlier submissions; nullopt if none is for that student and
/// lab, nor of that source or result.
std::optional<KeptReceipt> find_receipt(const Gradebook& book, const std::string& receipt);

}  // namespace labkit::course
