// The launches of data/kernel_times.csv: how each kernel of ../observe/data/kernels.cu was launched,
// and the time that an H200 took.
//
// Source of the times: one NVIDIA H200, driver 580, CUDA 13.0, 2026-11-21; median of up to 40
// launches, L2 flushed before each. data/kernels.ptx is kernels.cu as NVRTC 13.0 compiles it for
// compute_90 with -lineinfo -std=c++17 (its head says so); the name expressions are those of
// measured_kernels.cpp.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "timing/timing.h"

namespace labkit::timing {

/// Which table a kernel stands in: what the model was fitted to, or what it is tested on.
enum class Set : std::uint8_t { fit, test };

struct MeasuredKernel {
  Set set = Set::fit;
  std::string family, kernel;
  double measured_us = 0;
  // The launch; `entry` is empty for what is no kernel (memcpyD2D).
  std::string entry;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint64_t>
      buffers_bytes;  ///< the pointer arguments, in order; the integers follow
  std::vector<std::int32_t> integers;
  std::vector<bool> random_integers;  ///< of each buffer: holds random int32 values
  std::uint64_t sample_blocks =
      1024;  ///< blocks to simulate: enough for the first row of blocks and its neighbours
};

/// All rows of other_times.csv, in its order (other_launches.csv says how each was launched).
std::vector<MeasuredKernel> other_kernels();

/// All rows of kernel_times.csv, in its order. Throws if a row has no launch.
std::vector<MeasuredKernel> measured_kernels();
std::vector<MeasuredKernel> measured_kernels(const std::string& family);

/// A launch of one of their kernels, at a size that need not be in the file: ("transpose_1024x1024", "naive_read_16x16").
MeasuredKernel unmeasured_kernel(const std::string& family, const std::string& kernel);

/// Registers of a thread (data/registers.csv).
struct Registers {
  std::uint32_t counted = 0;   ///< by ptxas, of data/*.ptx
  std::uint32_t measured = 0;  ///< of the build whose times were measured
};
Registers registers_of(const MeasuredKernel& kernel);

/// A sample of a launch as the simulator saw it. activity() refers to it.
struct Simulated {
  MeasuredKernel of;
  observe::LaunchCounters counters;
  Locality locality;
  Activity bare;  ///< without its pointers; with the registers of the build that was measured
  std::uint32_t counted_registers = 0;    ///< by ptxas, of data/*.ptx
  std::uint32_t estimated_registers = 0;  ///< what they are taken for without it
  Activity activity() const;
};
/// Simulates a sample of each launch on so many host threads (0: all), with LocalityOptions::seed. Leaves out what is no kernel.
void simulate_each(const std::vector<MeasuredKernel>& kernels,
                   const std::function<void(Simulated)>& take, unsigned threads = 0,
                   std::uint64_t seed = 0);
std::vector<Simulated> simulate_all(const std::vector<MeasuredKernel>& kernels,
                                    unsigned threads = 0, std::uint64_t seed = 0);

struct Predicted {
  MeasuredKernel of;
  Prediction prediction;
  std::uint32_t registers = 0;
};
/// On an H200.
std::vector<Predicted> predict_all(const std::vector<MeasuredKernel>& kernels);

}  // namespace labkit::timing
