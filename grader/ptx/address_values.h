// Addresses as "something plus a constant", so that two registers that ptxas would fold into one
// base with two immediates compare equal. Private to the passes.
//
// While the function is walked in dominance order each register has a Value: `root` names what was
// computed (a unique number for everything not understood), `offset` a constant on top. Understood
// are mov, add and sub of constants, sums of two values in either order, and the addresses of
// variables. Registers with several definitions (loop counters) take a fresh root wherever another
// definition may have come between.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ptx/dominance.h"
#include "ptx/module.h"

namespace labkit::ptx {

/// How many low bits of each register are known to be zero.
///
/// One number a register, the least over all its definitions, found by lowering from "all" until
/// nothing changes. That is enough for alignment: ptxas itself sees more (whole known bits), but
/// addresses are sums of products with constants.
class TrailingZeros {
 public:
  /// The offsets are those of passes.h: byte offset in the shared window, or -1.
  TrailingZeros(const Function& function, const std::vector<std::int64_t>& shared_offset_of,
                const std::vector<std::int64_t>& module_shared_offset_of);
  /// 0 to 64.
  int of_register(std::int32_t id) const { return known_[id]; }
  /// Of what one instruction with a single register as result writes, which may be more than
  /// of_register has.
  int of_result(const Instruction& instruction) const;
  /// Byte offset that was assigned to a symbol in the shared window, or -1.
  std::int64_t shared_offset(const Operand& operand) const;
  /// Of a symbol's address without the operand's own offset; 0 if it is not in shared memory.
  int of_symbol(const Operand& operand) const;

 private:
  int of_operand(const Operand& operand) const;

  const std::vector<std::int64_t>& shared_offset_of_;
  const std::vector<std::int64_t>& module_shared_offset_of_;
  std::vector<std::uint8_t> known_;
};

struct Value {
  std::int32_t root = -1;
  std::uint64_t offset = 0;
};

class AddressValues {
 public:
  AddressValues(const Function& function, const ControlFlow& flow, Dominance& dominance,
                const TrailingZeros& zeros);

  /// Must be called for the blocks in the order of Dominance, before their instructions.
  void enter(std::int32_t block, const std::vector<std::int32_t>& between, bool between_known);
  void execute(const Instruction& instruction);
  Value of(const Operand& address);
  /// Known trailing zero bits of a root.
  int zeros_of(std::int32_t root) const { return zeros_of_root_[root]; }

 private:
  std::int32_t new_root(int zeros);
  Value of_register(std::int32_t id);
  Value of_operand(const Operand& operand);
  Value of_symbol(const Operand& operand);
  Value computed(const Instruction& instruction);

  /// False once too much was looked up: a kernel takes a few steps for each instruction. From then on nothing is known
  /// across blocks.
  bool take_steps(std::size_t steps) {
    steps_left_ -= std::min(steps, steps_left_);
    return steps_left_ > 0;
  }

  const Dominance& dominance_;
  const TrailingZeros& zeros_;
  std::size_t steps_left_;
  std::int32_t block_ = -1;
  std::vector<std::uint32_t> definitions_;
  std::vector<Value> single_;  ///< of registers with one definition
  /// Block -> registers with several definitions that it writes.
  std::vector<std::vector<std::int32_t>> defines_many_;
  /// Block -> those written between its dominator and it.
  std::vector<std::set<std::int32_t>> killed_on_entry_;
  std::vector<bool> all_killed_;
  std::map<std::pair<std::int32_t, std::int32_t>, Value> at_entry_;  ///< (register, block)
  std::map<std::pair<std::int32_t, std::int32_t>, Value>
      at_exit_;  ///< (register, block); the current value while in it
  std::vector<std::uint8_t> zeros_of_root_;
  std::map<std::pair<int, std::int32_t>, std::int32_t> symbols_;
  std::map<std::int32_t, std::int64_t> shared_offset_of_root_;  ///< of those that are variables
  std::int32_t absolute_ = -1;  ///< the root of the shared window's beginning
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> sums_;
};

}  // namespace labkit::ptx
