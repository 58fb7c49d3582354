// A decoded kernel: code blocks of Ops for the entry and every function it calls, and what must be in a warp's register
// file before it runs.
#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simt/machine.h"
#include "simt/matrix.h"
#include "simt/op.h"

namespace labkit::simt {

/// The line to show for an instruction, or the facts of one: where its code was brought in, if it was inlined.
inline const ptx::SourceLocation& shown(const auto& instruction) {
  return instruction.inlined_at.line != 0 ? instruction.inlined_at : instruction.location;
}

/// Line 0: not known.
inline launch::SourceLine line_at(const ptx::Module& module, const ptx::SourceLocation& at) {
  if (at.line == 0 || at.file >= module.files.size()) return {};
  return {module.files[at.file], at.line};
}

/// A stretch of Ops entered only at its first one and left only after its last, or in front of a call's return.
struct CodeBlock {
  std::uint32_t first_op = 0;
  std::uint32_t first_instruction = 0;  ///< which need not be the one of its first Op (settled.cpp)
  std::uint32_t unguarded = 0;          ///< instructions that execute for every lane that enters
  std::uint64_t cost = 0;               ///< what those take of the budget (limits.h)
  std::int32_t reconvergence = -1;  ///< block where lanes that part at its end meet; -1: at return
  std::uint32_t function = 0;
};

/// Contents of a slot that is set up before the kernel runs.
enum class FixedKind : std::uint8_t {
  constant,
  parameter,
  global_symbol,
#define SPECIAL(name, spelling, value) name,
#include "simt/special_registers.def"
#undef SPECIAL
};
struct FixedSlot {
  friend auto operator<=>(const FixedSlot&, const FixedSlot&) = default;
  FixedKind kind = FixedKind::constant;
  bool is_64_bit = false;
  Slot slot = 0;
  std::uint64_t value = 0;     ///< constant; byte offset in the parameter block; addend
  std::uint32_t bytes = 4;     ///< parameter: size read
  bool sign_extend = false;    ///< parameter
  std::int32_t variable = -1;  ///< global_symbol: index into Module::variables
};
/// True if the value differs from block to block.
constexpr bool changes_with_block(FixedKind kind) {
  return kind >= FixedKind::ctaid_x && kind <= FixedKind::ctaid_z;
}

/// A parameter area in the per-lane parameter memory of calls.
struct ParameterArea {
  std::uint32_t offset = 0, bytes = 0;
};

struct FunctionCode {
  std::string name;
  std::int32_t entry_block = -1;
  bool recursive = false;
  bool is_of_header = false;      ///< not of the file that the entry is in
  std::uint32_t local_bytes = 0;  ///< frame in local memory
  std::vector<ParameterArea> parameters, returns;
  // what to save when the function is called while it is active already
  std::uint32_t first_register = 0,
                end_register = 0;  ///< [,) bytes of the register file: 64-bit registers first
  std::uint32_t doubles = 0;       ///< number of 64-bit registers
  std::uint32_t first_predicate = 0, end_predicate = 0;
  std::uint32_t first_parameter_byte = 0, end_parameter_byte = 0;
};

struct CallSite {
  std::int32_t function = -1;   ///< -1: through the pointer
  std::optional<Slot> pointer;  ///< a 64-bit register: an address of Program::function_at
  std::uint32_t instruction = 0;
  std::vector<ParameterArea> arguments, results;
};

/// pack and unpack: elements of `element_bits` in 32- or 64-bit slots.
struct PackOp {
  std::vector<Slot> elements;
  std::uint32_t element_bits = 32;
  bool whole_is_64_bit = true;
};

/// atom and red, whose memory op has the destination in data[0], then the operands.
struct AtomicOp {
  enum class Kind : std::uint8_t { add, inc, dec, min, max, and_, or_, xor_, exch, cas };
  Kind kind = Kind::add;
  ptx::Type type = ptx::Type::u32;
  bool result_used = false;
};

/// mbarrier, and what counts at one; Op::target is its number.
struct MbarrierOp {
  /// copies: arrives when the thread's cp.async are over. bulk: cp.async.bulk.
  enum class Kind : std::uint8_t {
    init,
    inval,
    arrive,
    expect,
    complete,
    test,
    pending_count,
    copies,
    bulk
  };
  Kind kind = Kind::init;
  bool drops = false;         ///< arrive_drop
  bool expects = false;       ///< arrive.expect_tx; copies: .noinc
  bool has_state = false;     ///< test: of a state that an arrive has returned, not of a parity
  std::uint32_t barrier = 0;  ///< memory op of the barrier itself
  std::uint64_t source_offset = 0, barrier_offset = 0;  ///< bulk
};

/// A texture fetch or a surface access. Its data is in a MemoryOp; the object's handle is source 0, coordinates those behind it.
struct ImageOp {
  enum class Kind : std::uint8_t { fetch, gather, ask_texture, load, store, ask_surface };
  Kind kind = Kind::fetch;
  enum class Boundary : std::uint8_t { trap, clamp, zero } boundary = Boundary::trap;
  std::uint8_t directions = 1;
  std::uint8_t component =
      0;  ///< gather: the channel; ask_*: 0 for the width, 1 the height, 2 the depth
  bool is_integer = false;  ///< coordinates, of a fetch
  bool is_surface() const { return kind >= Kind::load; }
  bool asks() const { return kind == Kind::ask_texture || kind == Kind::ask_surface; }
};

/// A register that may be read before anything has written it: what its variable holds then is anything.
struct UnsetRegister {
  Slot slot = 0;
  char letter = 'w';              ///< as ShadowRule::letters
  std::uint32_t instruction = 0;  ///< the first that reads it, copies aside
};

class Program {
 public:
  const ptx::Module* module = nullptr;
  ProgramFacts facts;
  std::vector<InstructionFacts> instructions;
  std::vector<std::uint32_t> block_of;  ///< instruction -> code block
  std::vector<bool> guarded;            ///< instruction -> counted by itself, not by its block
  std::vector<Op> ops;
  /// What affine.h says, if `affine_slots` is not empty. Slots of registers that may hold affine values alone, and slots
  /// that no instruction writes whose values those hang on.
  struct AffineSlot {
    Slot slot = 0;
    bool is_64_bit = false;
  };
  std::vector<AffineSlot> affine_slots, affine_sources;
  bool block_needs_lanes = false;  ///< `of_block` is read lane by lane as well
  std::vector<Op> once;  ///< what each warp computes before its first block: settled for all blocks
  std::vector<CodeBlock> blocks;
  std::vector<FunctionCode> functions;  ///< [0] is the entry
  std::vector<FixedSlot> fixed;
  std::vector<FixedSlot> of_block;  ///< of those the ones that change with the block
  std::vector<MemoryOp> memory_ops;
  std::vector<AtomicOp> atomics;
  std::vector<MatrixOp> matrices;
  std::vector<MbarrierOp> mbarriers;
  std::vector<ImageOp> images;
  std::vector<CallSite> calls;
  std::map<std::uint64_t, std::int32_t>
      function_at;  ///< functions whose address is taken: address, number
  std::vector<PackOp> packs;
  std::vector<std::vector<std::int32_t>> branch_tables;  ///< code blocks
  std::vector<UnsetRegister> unset;
  std::uint32_t register_bytes = 0;            ///< of a warp's register file, multiple of 64
  std::uint32_t parameter_bytes_per_lane = 0;  ///< for calls
  std::uint32_t parameter_block_bytes = 0;     ///< the kernel's
  std::uint32_t dynamic_shared_begin = 0;      ///< offset of dynamic shared memory in the window
  bool has_recursion = false;
  bool is_cooperative = false;  ///< its blocks wait for one another
};

}  // namespace labkit::simt
