// What the sanitizers are to look at.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "observe/watching.h"

namespace labkit::observe {

/// What a quick look found odd (suspicion.h): which sanitizers have something to look at, and where.
struct Suspects {
  enum Reason : std::uint8_t {
    shared_order = 1,  ///< accesses of several threads to the same shared memory
    global_order = 2,  ///< the same in global memory
    undefined = 4,     ///< reads of what was not written, or not by the thread itself
    bounds = 8,        ///< accesses outside the shared array they were meant for
    barriers = 16,     ///< barriers that not all threads come to at once; divergent exchanges
  };
  static constexpr unsigned kAll = 31;
  unsigned reasons = 0;  ///< Reason, or'ed together
  /// global_order: bytes, [begin, end) addresses, that hold all suspicious places; ascending.
  std::vector<Span> ranges;
  /// shared_order: a block in which accesses to shared memory are looked at, and how many do alike, itself among them.
  struct Standing {
    std::uint64_t block = 0, blocks = 0;
  };
  std::optional<std::vector<Standing>> standing;  ///< ascending; nullopt: every block for itself

  static Suspects all() {
    Suspects suspects;
    suspects.reasons = kAll;
    suspects.ranges = {{0, ~0ull}};
    return suspects;
  }
};

}  // namespace labkit::observe
