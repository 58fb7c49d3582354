// What one warp access costs, as NVIDIA hardware counts it. Fitted to measurements on an NVIDIA H200 (tests/observe/data):
// every row there comes out equal.
//
// Global and local memory. A request is a warp instruction with at least one active lane. Its sectors are the distinct
// 32-byte blocks that it touches; the ideal is min(sectors, ceil(active lanes x bytes / 32)).
//
// Shared memory. An access of up to 4 bytes a lane goes in one pass, of 8 bytes in two (half warps), of 16 in four (quarter
// warps). A pass costs as many wavefronts as the largest number of distinct 4-byte words in one of the 32 banks; a pass
// without an active lane costs none. On loads, pairs of passes merge (8 bytes: both halves into one; 16 bytes: four
// quarters into two halves) when over the whole warp every active lane i reads the same address as lane i^1, or every one
// the same as lane i^2; a lane that is off agrees with any. The ideal is min(wavefronts, ceil(active lanes x bytes / 128)).
#pragma once
#include <cstdint>

namespace labkit::observe {

struct SectorCost {
  std::uint32_t sectors = 0;  ///< distinct 32-byte blocks
  std::uint32_t ideal = 0;
  std::uint32_t partial = 0;  ///< blocks of which fewer than 32 bytes are touched
};
/// `addresses`: 32 byte addresses, of which those in `active` (not 0) count; `bytes` per lane: 1 to 16, power of two or a
/// merged 8 or 16; addresses are aligned to it.
SectorCost sector_cost(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t bytes);

/// Into how many passes an access to shared memory is split, in the order of the lanes, equally many to each.
std::uint32_t shared_passes(const std::uint64_t* addresses, std::uint32_t active,
                            std::uint32_t bytes, bool is_load);

struct BankCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;
};
BankCost bank_cost(const std::uint64_t* addresses, std::uint32_t active, std::uint32_t bytes,
                   bool is_load);

}  // namespace labkit::observe
