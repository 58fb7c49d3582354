// What a grade can be defended with: all that decided it, and what came out, as JSON. Everything on
// the simulator follows from it, so the same kit grades the same source to the same bytes again
// (`labkit class replay`); of a GPU's figures it keeps the intervals.
//
// A receipt names the seed of the class: whoever knows it can write a kernel for just these inputs,
// so receipts are for students only once nobody submits any more.
#pragma once
#include <cstdint>
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

struct Receipt {
  static constexpr int kFormat = 1;
  std::string student, lab, path;  ///< ids; where the source was in what was submitted
  std::string source_sha256;
  std::uint64_t seed = 0;
  GradingEnvironment means;
  std::string compiler;    ///< "NVRTC 13.0"
  std::string gpu_driver;  ///< "" on the simulator
  std::string ptx_sha256;  ///< "" if it did not compile
  std::string verdict;
  std::string result_sha256;  ///< of the whole result, see comparable()
  std::string text;           ///< the JSON
};

/// `result` is the LabResult that was reached (format of report/json.h). The same for the same
/// arguments, byte for byte. Throws labkit::Error if `result` is none.
std::string make_receipt(const Job& job, const std::string& path, const GradingEnvironment& means,
                         const std::string& result);
/// Throws labkit::Error naming `name` if `text` is no receipt, or one of another version of the kit.
Receipt read_receipt(const std::string& text, const std::string& name);

/// A result without what says where it was graded, not what came out: the file's place, the jail, who counted registers. Two
/// gradings on the simulator that are the same have the same text.
std::string comparable(const std::string& result);

/// What ptxas counted for the receipt's predicted times: {"test": {"per_thread": 32, ...}}; "" if it did for none.
std::string recorded_registers(const Receipt& receipt);

/// Where two JSON texts differ, a line each ("tests[2] WholeTiles, figures, sectors: 4096 -> 8192"),
/// no more than `most`; the last then says how many more. Empty if nowhere.
std::vector<std::string> differences(const std::string& before, const std::string& now,
                                     std::size_t most = 20);

/// What the receipt says of the outcome against another result, as differences(): verdict, points,
/// counters and predicted times, which must be the same. What a GPU measured is not compared.
std::vector<std::string> outcome_differences(const Receipt& receipt, const std::string& result);

/// Ratios that a GPU measured, then and now, a line each: whether their intervals meet.
std::vector<std::string> measured_differences(const Receipt& receipt, const std::string& result);

struct Vouched {
  enum class Kind : std::uint8_t {
    kept,     ///< the gradebook keeps it, field for field
    edited,   ///< it keeps one like it, in which something is otherwise
    unknown,  ///< it keeps none for that student and lab, nor of that source or result
  };
  Kind kind = Kind::unknown;
  Receipt receipt;     ///< that is kept, the nearest to the one asked for; of `unknown`: none
  std::string result;  ///< the result that it was made of; of `unknown`: ""
  std::vector<std::string>
      edits;  ///< of `edited`: "student: ana -> bo", a line each, kept -> asked for
};

/// Looks through all results, also those of earlier submissions. How the JSON is laid out does not matter.
Vouched vouch(const Gradebook& book, const Receipt& receipt);

}  // namespace labkit::course
