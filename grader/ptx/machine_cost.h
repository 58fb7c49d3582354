// What ptxas makes of an instruction, in the pipes of an SM.
#pragma once
#include "ptx/module.h"

namespace labkit::ptx {

/// Of one instruction of a warp; in slots of an SM's four schedulers: 1 is what an instruction takes that only has to be issued.
struct MachineCost {
  float issue = 1;         ///< of the schedulers
  float alu = 0, fma = 0;  ///< of the pipes of integers and logic, and of products
  float xu = 0;            ///< of that of exponentials, reciprocals, roots and conversions
  float fp64 = 0;          ///< instructions of double precision
  float latency = 1;       ///< until its result can be used; 1: that of most
};

/// Cycles of most instructions of 32 bits, which a latency of 1 stands for (profiles: instruction_cycles).
inline constexpr float kUsualCycles = 4;

/// By the table machine_costs.def, which was measured on an H200.
MachineCost machine_cost(const Instruction& instruction);

}  // namespace labkit::ptx
