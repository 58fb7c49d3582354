// Why a launch is slow: what its predicted time is spent on, at which line, in which pattern. A missed gate only says that it is;
// this says why.
//
// For a limit of time the largest group of the predicted time's shares decides first: global memory, shared memory, barriers, atomics,
// instructions, idle SMs. Then the counters of that group say which pattern it is: sectors or wavefronts beyond the ideal (an
// uncoalesced access, a bank conflict), few lanes in each request, the same bytes again, few warps or loads in flight.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "launch/cause.h"
#include "observe/counters.h"
#include "timing/timing.h"

namespace labkit::grade {

struct Slow {
  const observe::LaunchCounters& counters;
  const timing::Prediction& prediction;
  /// What moves more than this many bytes in a limit's units moves some of them again: of sectors, those of all
  /// arrays; of time, those that the test counts as useful. 0: not known.
  std::uint64_t useful_bytes = 0;
  double limit = 0;                          ///< in the figure's units; 0: none, or a minimum
  std::uint32_t registers_per_thread = 0;    ///< 0: not known
  std::uint64_t shared_bytes_per_block = 0;  ///< 0: not known
  bool may_use_shared = true;                ///< the lab allows shared memory
};

bool counts_sectors(std::string_view figure);

/// Why a limit of `figure` was missed. A counter is explained by the accesses that it counts; a time, or a counter that no
/// pattern explains, by what costs most. nullopt where the prediction has no shares, and for a plain number of accesses
/// (shared_wavefronts, global_atomics): what makes too many of them, the texts of the limit say.
std::optional<launch::Diagnosis> diagnose_slowness(const Slow& launch, std::string_view figure);

/// What to do about bank conflicts of a kernel (its name without template arguments): an array that is swizzled or padded
/// already wants other words than one that is not.
words::Message fix_of_conflict(const std::string& source, const std::string& kernel,
                               const launch::Diagnosis& slow);

/// It names an access or an event, which the text of a lab cannot know. Of others (the memory is busy, too little is in
/// flight) the lab's author knows more.
bool is_specific(const launch::Diagnosis& slow);

}  // namespace labkit::grade
