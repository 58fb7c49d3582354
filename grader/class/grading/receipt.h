// What a grade can be defended with: hashes of all that decided it, and what came out, as JSON. Everything on the simulator
// follows from kit, lab, source and seed, so the same kit grades the same source to the same bytes again
// (`labkit class replay`, which finds source and seed in the gradebook).
//
// A receipt does not name the seed of the class: whoever knows it can write a kernel for just these inputs.
#pragma once
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
  std::string scoring;       ///< SHA-256 of lab.toml
  std::string clock;         ///< that the compiler sees (__TIME__)
  friend bool operator==(const GradingEnvironment&, const GradingEnvironment&) = default;
};

/// `result` is the LabResult that was reached (format of report/json.h). The same for the same
/// arguments, byte for byte. Throws labkit::Error if `result` is none.
std::string make_receipt(const Job& job, const GradingEnvironment& means,
                         const std::string& result);

/// What ptxas counted for the receipt's predicted times: {"test": {"per_thread": 32, ...}}; "" if it did for none.
std::string recorded_registers(const std::string& receipt);

/// Where two JSON texts differ, a line each ("tests/2/figures/sectors: 4096 -> 8192"), by place.
std::vector<std::string> differences(const std::string& before, const std::string& now);

}  // namespace labkit::course
