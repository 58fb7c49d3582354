// Static passes over one parsed function. They only read the module and return tables indexed like
// Function::body.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ptx/machine_cost.h"
#include "ptx/module.h"

namespace labkit::ptx {

/// ptxas 13.0 makes predicates of a branch around about this many PTX instructions; of fewer that touch shared memory (predication.cpp).
inline constexpr std::int32_t kPredicated = 24;

/// Control flow of a function. Blocks are in text order; block 0 is the entry.
struct BasicBlock {
  std::int32_t first = 0;                ///< index of the first instruction
  std::int32_t last = 0;                 ///< one past the last
  std::vector<std::int32_t> successors;  ///< block indices; empty for ret/exit/trap
  std::vector<std::int32_t> predecessors;
  std::int32_t immediate_post_dominator = -1;  ///< block index; -1: the function's exit
};
struct ControlFlow {
  std::vector<BasicBlock> blocks;
  std::vector<std::int32_t> block_of;  ///< instruction index -> block index
};
ControlFlow control_flow(const Function& function);

inline std::span<const Instruction> instructions_of(const Function& function,
                                                    const BasicBlock& block) {
  return std::span(function.body).subspan(block.first, block.last - block.first);
}

/// ptxas makes one access of 4, 8 or 16 bytes out of several shared loads or stores that PTX keeps
/// apart. One group is one such access. It is counted when its `representative` (the first in
/// program order, which dominates the others) executes, with that instruction's active lanes, as
/// one access of `bytes` bytes a lane that begins `start_bytes` (never positive) from the
/// representative's own address; the other members are not counted. A load may be wider than what
/// its members ask for (three words of four), and two loads of one word may be one. The rule and
/// its evidence stand in merge_shared.cpp.
struct MergedAccess {
  std::vector<std::int32_t> members;  ///< instruction indices in address order
  std::int32_t representative = 0;    ///< instruction index
  std::uint32_t bytes = 0;            ///< per lane: 1, 2, 4, 8 or 16
  std::int32_t start_bytes = 0;
};
struct SharedMerges {
  std::vector<MergedAccess> groups;
  std::vector<std::int32_t> group_of;  ///< instruction index -> group index, or -1
};
/// `shared_offset_of[v]` is the byte offset assigned in the shared window to Function::variables[v]
/// (or -1), since alignment follows from assigned offsets. Module-level shared variables likewise
/// in `module_shared_offset_of`.
SharedMerges merge_shared_accesses(const Function& function, const ControlFlow& flow,
                                   const std::vector<std::int64_t>& shared_offset_of,
                                   const std::vector<std::int64_t>& module_shared_offset_of);

/// In which blocks values live, from where they are written to where they are read. Calls `into` for each block that
/// a register lives into, and `out_of` for each that it lives out of, register after register; `is_mentioned`: an
/// instruction of that block has it. False: there are too many such pairs to go on.
bool follow_lives(
    const Function& function, const ControlFlow& flow,
    const std::function<void(std::int32_t reg, std::int32_t block)>& into,
    const std::function<void(std::int32_t reg, std::int32_t block, bool is_mentioned)>& out_of);

/// 32-bit registers a thread needs at the widest point, by liveness over the PTX (64-bit count
/// twice, predicates not), plus what ptxas keeps for addressing; an estimate, and the report must
/// call it one.
std::uint32_t estimate_registers(const Function& function, const ControlFlow& flow);

/// How many global-memory latencies follow one another. ptxas hoists loads as far as dependences
/// allow (it turns short branches around loads into predicates, and moves a load above stores of
/// another space or, if it is `.nc`, above any), and a warp stalls at the first use of a load. A
/// region is a stretch ended by a barrier or a loop's head or back edge. `serial_loads_at[i]` is
/// the number of serial load latencies to charge each time instruction i executes for a warp:
/// nonzero only on instructions that begin a new level of dependent loads in their region.
struct LatencyDepth {
  std::vector<std::uint8_t> serial_loads_at;         ///< global/local/generic loads and atomics
  std::vector<std::uint8_t> serial_shared_loads_at;  ///< the same for shared loads
  /// How many turns of the loop around a global load ptxas puts in flight together: it unrolls
  /// short counted loops that NVVM has left in PTX, until about 16 loads are under way. 1: none.
  std::vector<std::uint8_t> turns_in_flight_at;
};
LatencyDepth latency_depth(const Function& function, const ControlFlow& flow);

/// Of each instruction, what it costs where it stands (machine_cost.h): what a division by the same number in every turn of a loop needs
/// of that number is made before the loop.
std::vector<MachineCost> machine_costs(const Function& function, const ControlFlow& flow);

/// Atomic operations whose result nobody reads: ptxas makes a reduction (RED) of them, as of `red`.
std::vector<bool> reductions(const Function& function);

/// Of each instruction, by how much it makes the longest chain of dependent instructions of its basic block longer, in
/// latencies of most instructions (machine_cost.h): what executes takes as many of them one after another as their sum says,
/// loads counting as one.
std::vector<float> dependence_links(const Function& function, const ControlFlow& flow);

/// Of each instruction, which one is executed by all warps that issue it: itself; or, if it has a guard or ptxas makes predicates of the
/// branch around it, one that all execute that come by.
std::vector<std::int32_t> issued_with(const Function& function, const ControlFlow& flow);

/// Of each instruction, the innermost loop around it, as a range of the text; empty if there is none.
struct TextRange {
  std::int32_t first = 0, last = 0;  ///< one past the last
};
std::vector<TextRange> loops_around(const Function& function, const ControlFlow& flow);

/// Which array an address belongs to: the shared variable, or the array in global memory, whose
/// address it was computed from.
struct SharedOrigin {
  /// none: not known; else module_variable, function_variable or parameter.
  SymbolKind symbol = SymbolKind::none;
  std::int32_t id = -1;
  friend bool operator==(const SharedOrigin&, const SharedOrigin&) = default;
};
/// Of the address operand of each instruction; `none` for instructions without one.
std::vector<SharedOrigin> shared_origins(const Module& module, const Function& function);

/// The same of arrays in global memory: variables of the module, and the parameters of `function`
/// that `is_pointer` (one for each) says to hold an address.
std::vector<SharedOrigin> global_origins(const Module& module, const Function& function,
                                         const std::vector<bool>& is_pointer);

}  // namespace labkit::ptx
