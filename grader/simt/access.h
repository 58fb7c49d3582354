// What the memory fast path (lanes/memory.cpp, once per SIMD target) shares with the portable code. Plain data only.
//
// How a warp's access goes fast: lanes mostly keep their distances from one execution to the next. A *pattern* is those
// distances (with the active lanes and the bytes per lane), kept with all that follows from it: lowest and highest byte,
// alignment, shape. When an instruction's addresses fit the pattern it had last time, one range check replaces 32.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ptx/module.h"
#include "simt/op.h"

namespace labkit::simt {

// Where the address spaces lie. Global allocations have device addresses below kSharedWindow; generic addresses of the
// other spaces are their offsets plus one of these bases, far from any allocation.
inline constexpr std::uint64_t kSharedWindow = 1ull << 52;
inline constexpr std::uint64_t kLocalWindow = 1ull << 53;
inline constexpr std::uint64_t kParameterWindow = 1ull << 54;

/// What the toolkit keeps of a block's shared memory for itself (%reserved_smem_offset_0, _1; PTX ISA) lies here in its
/// window, behind all that a block may have. Its address can be had, which cooperative groups do; there is nothing there.
inline constexpr std::uint64_t kReservedShared = 1ull << 30, kReservedSharedBytes = 1024;

/// So far below a window an address is taken for one of that space with a negative index: no allocation lies there.
inline constexpr std::uint64_t kBelowWindow = 1ull << 40;

/// An offset in a window as a signed number: a negative index gives one before the window, in 32 bits or in 64.
inline constexpr std::int64_t signed_offset(std::uint64_t offset) {
  return offset >> 31 == 1 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(offset))
                           : static_cast<std::int64_t>(offset);
}

inline constexpr auto kSharedSpace = static_cast<std::uint8_t>(ptx::Space::shared);
inline constexpr auto kLocalSpace = static_cast<std::uint8_t>(ptx::Space::local);
inline constexpr auto kGlobalSpace = static_cast<std::uint8_t>(ptx::Space::global);
inline constexpr auto kGenericSpace = static_cast<std::uint8_t>(ptx::Space::generic);
inline constexpr auto kParameterSpace = static_cast<std::uint8_t>(ptx::Space::param);

/// halves: lanes 0 to 15 and 16 to 31 are each consecutive or uniform.
enum class Shape : std::uint8_t { scattered, consecutive, uniform, halves };

struct alignas(64) Pattern {
  std::uint64_t delta[kLanes];  ///< address minus the first active lane's; 0 for lanes that are off
  std::uint32_t mask = 0;
  std::uint32_t bytes = 0;           ///< per lane
  std::uint32_t first = 0;           ///< first active lane
  std::uint32_t id = 0;              ///< 0: a passing pattern, not remembered
  std::uint64_t hash = 0;            ///< of a remembered one
  std::int64_t low = 0;              ///< lowest delta
  std::int64_t high = 0;             ///< one past the last byte, as a delta
  std::uint64_t alignment_bits = 0;  ///< OR of all deltas
  Shape shape = Shape::scattered;
  Shape half[2] = {Shape::scattered, Shape::scattered};  ///< if the shape is halves
  bool wild = false;  ///< distances too large to reason about as one range
  bool even = false;  ///< all lanes are on, and `step` apart
  std::uint64_t step = 0;
};

/// Memory that is known to be valid: device addresses [begin, end) live at `host`.
struct Window {
  std::uint64_t begin = 0, end = 0;
  std::byte* host = nullptr;
};

/// What one memory instruction remembers between its executions, per host thread.
struct AccessMemo {
  const Pattern* pattern = nullptr;  ///< of the last access, if it is remembered
  const Pattern* of_last_block = nullptr;
  // accesses that are yet to be reported: of this pattern, by tally_phase()
  const Pattern* tallied = nullptr;
  std::uint64_t tally_start = 0;
  std::uint64_t tally[8] = {};
  std::uint32_t passed = 0;       ///< reported at once, since the tally began
  std::uintptr_t last_place = 0;  ///< in the host's memory, of the last consecutive access
  // Of accesses of `even`, which rise evenly: where the first address may lie, and the host's place of address 0.
  const Pattern* even = nullptr;
  std::uint64_t even_from = 0, even_span = 0;
  std::uintptr_t even_host = 0;
  Window window;
  std::uint64_t hash = 0;  ///< of the last pattern that was looked up
};

/// Where a warp's settled access went last; its addresses are those for ever.
struct SettledPlace {
  const Pattern* pattern = nullptr;
  std::uint64_t start = 0;
};
/// Accesses of one pattern that are alike in this are reported as one: no count differs (observe/access_cost.h). Of
/// shared memory the place in a word, of global memory the word in a sector.
static inline std::uint32_t tally_phase(bool is_shared, std::uint64_t start) {
  return static_cast<std::uint32_t>(is_shared ? start & 3 : start >> 2 & 7);
}

/// What the fast path reads, and what it asks its worker for.
struct AccessState {
  std::byte* registers = nullptr;
  Window shared;  ///< shared window of the block that runs
  const MemoryOp* memory_ops = nullptr;
  AccessMemo* memos = nullptr;                          ///< indexed by MemoryOp::serial
  bool is_watched = false;                              ///< accesses are reported
  bool tallies_shared = false, tallies_global = false;  ///< this block's plain accesses
  SettledPlace* settled = nullptr;  ///< of the warp that runs, indexed by MemoryOp::serial

  /// Finds or makes the pattern of `addresses`. Never null.
  virtual const Pattern* look_up(const MemoryOp&, AccessMemo&, const std::uint64_t* addresses,
                                 std::uint32_t mask) = 0;
  /// Everything that the fast path does not cover: generic and local addresses, several allocations, faults.
  virtual bool slow_access(const MemoryOp&, std::uint32_t mask, std::uint64_t* addresses) = 0;
  virtual void report_access(const MemoryOp&, std::uint32_t mask, const std::uint64_t* addresses,
                             const Pattern* pattern) = 0;
  /// Reported by number: what the instruction has tallied is reported, and a tally of `pattern` at `start` begins.
  virtual void retally(const MemoryOp&, AccessMemo&, const Pattern*, std::uint64_t start) = 0;
  virtual bool find_window(std::uint64_t low, std::uint64_t high, bool is_store, Window& out) = 0;

 protected:
  ~AccessState() = default;
};

/// The functions of one SIMD target.
struct Target {
  const char* name;
  const Semantics* rows[5];  ///< one table a chapter (instruction_table.h)
  /// False: the access is at fault.
  bool (*load)(AccessState&, const Op&, std::uint32_t mask);
  bool (*store)(AccessState&, const Op&, std::uint32_t mask);
  /// All 32 addresses of a pattern.
  void (*spread)(std::uint64_t* addresses, const Pattern&, std::uint64_t start);
  /// The same for all lanes of a warp whose addresses rise evenly. False: nothing was done; it must be done lane by lane.
  bool (*load_affine)(AccessState&, const Op&, Affine base);
  bool (*store_affine)(AccessState&, const Op&, Affine base);
  void (*blend32)(std::uint32_t* d, const std::uint32_t* s, std::uint32_t mask);
  void (*blend64)(std::uint64_t* d, const std::uint64_t* s, std::uint32_t mask);
};

}  // namespace labkit::simt
