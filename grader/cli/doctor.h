// `labkit doctor`: what this machine has and lacks for grading, and how to mend what it lacks.
#pragma once
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace labkit::cli {

/// One thing looked at.
struct Check {
  enum class State : std::uint8_t {
    good,
    note,     ///< grading works without it
    missing,  ///< grading does not work without it
  };
  State state = State::good;
  std::string name;   ///< "NVRTC"
  std::string found;  ///< what there is, or that there is none
  std::string mend;   ///< for note and missing: what to do; may be empty for a note
};

/// Looks at the machine; takes well under a second.
std::vector<Check> examine();

/// One line a check, the mend below it, and a last line that sums up.
void print_checks(const std::vector<Check>& checks, std::ostream& out);

/// Both; kExitOk if grading on the simulator works here, kExitOurError if not.
int run_doctor(std::ostream& out = std::cout);

}  // namespace labkit::cli
