// One predecoded instruction. Plain data, shared with the files of lanes/ that are compiled once per SIMD target: nothing
// here may be an inline function or a template of the standard library, or code for one target could leak into another.
//
// Registers are lanes in arrays. A warp's register file is one block of bytes; a *slot* is a byte offset into it:
//   32-bit and narrower   32 x uint32 (128 bytes); narrow values sit zero-extended in the low bits
//   64-bit                32 x uint64 (256 bytes)
//   predicate             one uint32, bit i = lane i
// Constants, kernel parameters and special registers are slots as well, filled in before the kernel runs, so that an
// operand is always "register file + offset".
#pragma once
#include <cstddef>
#include <cstdint>

namespace labkit::simt {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = 0xFFFFFFFFu;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFFu;
inline constexpr int kLanes = 32;

/// Number of lanes in a mask. Nearly always all: the plain builtin is a library call without -mpopcnt.
static inline std::uint32_t lane_count(std::uint32_t mask) {
  return mask == kAllLanes ? 32 : static_cast<std::uint32_t>(__builtin_popcount(mask));
}

/// Of a mask that is not 0.
static inline std::uint32_t first_lane(std::uint32_t mask) {
  return static_cast<std::uint32_t>(__builtin_ctz(mask));
}

/// A block's barriers: bar.sync 0 to 15, and that of a cluster of one block.
inline constexpr std::uint32_t kBarriers = 16, kClusterBarrier = kBarriers;

struct Op;
/// Writes 32 lanes at `d`; reads its sources from the register file `r`.
using LaneFunction = void (*)(void* d, const std::byte* r, const Op& op);
/// Returns one bit per lane.
using MaskFunction = std::uint32_t (*)(const std::byte* r, const Op& op);
/// The meaning of one instruction: a lane function, or a mask function if it writes a predicate.
struct Semantics {
  LaneFunction lanes;
  MaskFunction mask;
};

/// What an instruction may do to affine values (affine.h).
#define LABKIT_AFFINE_RULES(RULE) \
  RULE(move)                      \
  RULE(add)                       \
  RULE(subtract)                  \
  RULE(shift_left)                \
  RULE(multiply)                  \
  RULE(multiply_add)              \
  RULE(multiply_wide)             \
  RULE(multiply_add_wide)         \
  RULE(widen)
enum class AffineRule : std::uint8_t {
  none,
#define RULE(rule) rule,
  LABKIT_AFFINE_RULES(RULE)
#undef RULE
      compare,
  address
};

enum class OpKind : std::uint8_t {
#define KIND(name, units, has_effect) name,
#include "simt/op_kinds.def"
#undef KIND
};
/// Its meaning is a row of the instruction table: Op::row.
static inline bool has_row(OpKind kind) { return kind <= OpKind::set_value; }

// Op::modifiers: what the dots of an opcode say, the same bit for every instruction.
inline constexpr std::uint32_t kRoundMask = 3;     ///< 0 nearest even, 1 toward zero, 2 down, 3 up
inline constexpr std::uint32_t kRoundInteger = 4;  ///< .rni .rzi .rmi .rpi
inline constexpr std::uint32_t kFtz = 8;
inline constexpr std::uint32_t kSat = 16;
inline constexpr std::uint32_t kNan = 32;      ///< min.NaN, max.NaN
inline constexpr std::uint32_t kXorSign = 64;  ///< min.xorsign.abs
inline constexpr std::uint32_t kRelu = 128;
inline constexpr std::uint32_t kCarryOut = 512;  ///< .cc
inline constexpr std::uint32_t kNegateSource =
    1024;  ///< bits 10..13: predicate source 0..3 is written !%p

/// set_predicate: what the comparison is combined with.
enum class BoolOp : std::uint8_t { and_, or_, xor_, none };

/// A value that rises from lane to lane by the same step: lane i has base + i * step, modulo 2^32 or 2^64 (affine.h).
struct Affine {
  std::uint64_t base = 0, step = 0;
};
/// Where a warp keeps that of a register: bytes into its file of them.
static inline std::uint32_t affine_place(Slot slot) {
  return (slot >> 7) * static_cast<std::uint32_t>(sizeof(Affine));
}
static inline Slot slot_of_affine(std::uint32_t place) {
  return place / static_cast<std::uint32_t>(sizeof(Affine)) << 7;
}

/// Bits: holds if the first is less, equal, greater.
enum class Comparison : std::uint8_t { lt = 1, eq = 2, le = 3, gt = 4, ne = 5, ge = 6 };

struct alignas(64) Op {
  // what nearly every kind needs, in one line of the host's cache
  Semantics run{};              ///< bound to a SIMD target when the launch begins
  Slot guard = kNoSlot;         ///< predicate slot of @%p
  std::uint32_t guard_xor = 0;  ///< all ones for @!%p
  Slot d = kNoSlot;
  Slot s[4] = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};
  /// Index into a side table of the program; meaning depends on the kind. barrier: its number + 1 if that is constant.
  std::uint32_t aux = 0;
  std::uint64_t imm = 0;
  OpKind kind = OpKind::nothing;
  BoolOp bool_op = BoolOp::none;
  AffineRule affine = AffineRule::none;
  bool affine_64 = false;      ///< width of the result; compare: of what is compared
  bool affine_signed = false;  ///< widen, the wide products, compare
  bool needs_lanes = false;    ///< somebody reads the result lane by lane
  Comparison comparison = Comparison::eq;

  std::uint32_t index = 0;  ///< instruction (counter) index
  std::uint32_t modifiers = 0;
  std::int32_t target = -1;     ///< code block
  std::int32_t next = -1;       ///< code block that follows (not taken, or after a call)
  std::uint16_t row = 0;        ///< row of the instruction table
  Slot d2 = kNoSlot;            ///< second destination (setp p|q, shfl r|p)
  std::uint32_t cost = kLanes;  ///< what one execution takes of the budget (limits.h)
};

/// Static facts of a memory access (Op::aux).
struct MemoryOp {
  std::uint8_t space = 0;          ///< ptx::Space
  std::uint8_t element_bytes = 4;  ///< of one vector element
  std::uint8_t count = 1;          ///< vector elements
  bool is_store = false;
  bool base_is_32_bit = false;
  bool register_is_64_bit = false;  ///< of the data registers
  bool sign_extend = false;
  bool synchronises = false;  ///< volatile, relaxed, ...: another warp may be waiting for it
  /// In shared memory, and each warp's addresses are the same in every block: they follow from its number alone.
  bool settled = false;
  bool plain_word = false;   ///< 4 bytes a lane, of or into a 32-bit register
  bool acquires = false;     ///< synchronises, and the value read is used
  bool releases = false;     ///< .release or .acq_rel
  std::uint32_t bytes = 4;   ///< element_bytes * count
  std::uint32_t index = 0;   ///< instruction index
  std::uint32_t serial = 0;  ///< number of this memory op in the program
  Slot data[8] = {};
};

}  // namespace labkit::simt
