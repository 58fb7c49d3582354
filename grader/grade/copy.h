// The baseline: how long a copy takes on the same device. A ratio means little unless the copy has
// the kernel's own launch shape (kernel_times: one float a thread reaches 2.6 TB/s on an H200, 16
// bytes a thread 4.2), or is the best there is.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "device/device.h"
#include "grade/prepare.h"

namespace labkit::grade {

struct CopyShape {
  launch::Dim3 block;  ///< y > 1: the copy is two-dimensional, over a matrix 2048 elements wide
  std::uint32_t elements_a_thread = 1;
  launch::Element element = launch::Element::f32;
  bool best = false;  ///< 16 bytes a thread, blocks of 256; the other members mean nothing
};

/// A copy ready to be launched, from buffer 0 to buffer 1.
struct PlannedCopy {
  Build build;
  LaunchSetup setup;
  std::uint64_t useful_bytes() const { return 2 * setup.buffers[0].size_in_bytes(); }
};
/// A copy that moves about `useful_bytes`, compiled for `arch` ("compute_90", "sm_90"; the result is
/// kept in `cache_directory`).
PlannedCopy plan_copy(const CopyShape& shape, std::uint64_t useful_bytes, const std::string& arch,
                      const std::filesystem::path& cache_directory);
/// Throws labkit::Error, a fault of the kit, if the launch of `copy` gave `outcome` and that is no
/// copy.
void require_copied(const PlannedCopy& copy, const device::Outcome& outcome);

struct CopyTime {
  double time_us = 0;
  std::uint64_t useful_bytes =
      0;  ///< moved: read once and written once; what was asked for, rounded
  bool predicted = false;
  double bytes_per_second() const { return static_cast<double>(useful_bytes) / time_us * 1e6; }
};

/// Times a copy that moves about `useful_bytes`, and checks that it copied. On a deterministic
/// device the time is kept in `cache_directory` (empty: nowhere) under all that decides it, this
/// program's build among them.
CopyTime time_copy(device::Device& device, const CopyShape& shape, std::uint64_t useful_bytes,
                   const std::filesystem::path& cache_directory);

}  // namespace labkit::grade
