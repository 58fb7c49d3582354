// What machine code says of its kernels. Also built into the worker, which alone sees machine code that nobody runs.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace labkit::compile {

/// What ptxas made of the kernels' PTX. NVRTC has it built in: it is there wherever kernels are compiled, of the version
/// that the PTX is of.
struct Assembled {
  struct Kernel {
    std::uint32_t registers = 0;  ///< 32-bit, of a thread
    std::uint32_t stack_bytes =
        0;  ///< of a thread: its arrays in local memory, and what was spilled
  };
  std::map<std::string, Kernel> kernels;  ///< by mangled entry
  std::string by;       ///< "NVRTC 13.0's ptxas for sm_90"; "": nobody, and `kernels` is empty
  std::string why_not;  ///< if it was asked for and `by` is empty, the end of "..., because "
};

/// The kernels of a cubin, by their mangled entries; those of which it does not tell the registers are left out, which
/// are all if it is no cubin.
std::map<std::string, Assembled::Kernel> kernels_of_cubin(std::string_view cubin);

}  // namespace labkit::compile
