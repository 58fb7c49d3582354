// The baseline: how long a copy takes on the same device. A ratio means little unless the copy has
// the kernel's own launch shape (kernel_times: one float a thread reaches 2.6 TB/s on an H200, 16
// bytes a thread 4.2), or is the best there is.
#pragma once
#include <cstdint>
#include <filesystem>

#include "device/device.h"

namespace labkit::measure {

struct CopyShape {
  launch::Dim3 block;  ///< y > 1: the copy is two-dimensional, over a matrix 2048 elements wide
  std::uint32_t elements_a_thread = 1;
  launch::Element element = launch::Element::f32;
  bool best = false;  ///< 16 bytes a thread, blocks of 256; the other members mean nothing
};

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

}  // namespace labkit::measure
