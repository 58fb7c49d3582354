// Two kinds of failure that must never be mixed up:
//  - a verdict: the submission is at fault. Verdicts are plain data (launch::Finding, lab results),
//  never exceptions.
//  - an Error: the kit, the machine or its set-up is at fault. It is thrown, names what failed and
//  how to mend it, ends
//    the program with kExitOurError and never becomes a zero for the student.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace labkit {

/// Our fault (a missing library, an unreadable file, a broken profile). `what()` says what failed,
/// `mend()` the command or action that mends it (may be empty).
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, std::string mend = {})
      : std::runtime_error(what), mend_(std::move(mend)) {}
  const std::string& mend() const { return mend_; }

 private:
  std::string mend_;
};

/// Exit codes of every program of the kit.
inline constexpr int kExitOk = 0;       ///< everything asked for passed
inline constexpr int kExitVerdict = 1;  ///< the submission (or profiled kernel) is at fault
inline constexpr int kExitUsage = 2;    ///< the command line is wrong
inline constexpr int kExitOurError =
    3;  ///< the kit or the machine is at fault: no verdict was reached
inline constexpr int kExitInconclusive =
    4;  ///< nothing failed, but a GPU was too noisy to decide: measure again
inline constexpr int kExitSkipped =
    77;  ///< nothing was to be decided: no GPU, or an optional kernel is empty

}  // namespace labkit
