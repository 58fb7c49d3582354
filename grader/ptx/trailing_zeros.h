// How many low bits of each register are known to be zero. Private to the passes.
//
// One number a register, the least over all its definitions, found by lowering from "all" until
// nothing changes. That is enough for alignment: ptxas itself sees more (whole known bits), but
// addresses are sums of products with constants.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

class TrailingZeros {
 public:
  /// The offsets are those of passes.h: byte offset in the shared window, or -1.
  TrailingZeros(const Function& function, const std::vector<std::int64_t>& shared_offset_of,
                const std::vector<std::int64_t>& module_shared_offset_of);
  /// 0 to 64.
  int of_register(std::int32_t id) const { return known_[static_cast<std::size_t>(id)]; }
  /// Of what one instruction with a single register as result writes, which may be more than
  /// of_register has.
  int of_result(const Instruction& instruction) const { return transfer(instruction); }
  /// Byte offset that was assigned to a symbol in the shared window, or -1.
  std::int64_t shared_offset(const Operand& operand) const;
  /// Of a symbol's address without the operand's own offset; 0 if it is not in shared memory.
  int of_symbol(const Operand& operand) const;

 private:
  int of_operand(const Operand& operand) const;
  int transfer(const Instruction& instruction) const;

  const std::vector<std::int64_t>& shared_offset_of_;
  const std::vector<std::int64_t>& module_shared_offset_of_;
  std::vector<std::uint8_t> known_;
};

}  // namespace labkit::ptx
