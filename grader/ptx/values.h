// What a kernel's instructions compute, in a normal form: names, order, loops of another shape and simple algebra do not
// show. Meant for unoptimised PTX, which computes what the source says, step for step.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

struct ComputedValue {
  std::uint64_t hash = 0;
  std::uint32_t line = 0;  ///< of the source, where it is first computed; 0: not known
};

/// Addresses of loads and stores, comparisons and results of arithmetic, each once, by hash. Functions that it calls count
/// as if they stood in it. Linear in the text: of a kernel with very many instructions the rest is left out.
std::vector<ComputedValue> values_of(const Module& module, const Function& kernel);

}  // namespace labkit::ptx
