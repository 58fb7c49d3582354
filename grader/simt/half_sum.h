// Sum of two halves as f16 or bf16, for atomics. Defined in lanes/half_sum.cpp, compiled for the portable target only.
#pragma once
#include <cstdint>

namespace labkit::simt {

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b, bool brain);

}  // namespace labkit::simt
