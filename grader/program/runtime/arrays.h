// A cudaArray: texels in device memory, row behind row without gaps.
#pragma once
#include <cstdint>

#include "program/include/cuda_runtime_api.h"

struct cudaArray {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  ///< 0 for a direction that there is not
  unsigned flags = 0;
  std::uint64_t address = 0, texel_bytes = 0;
  std::uint64_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::uint64_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::uint64_t row_bytes() const { return extent.width * texel_bytes; }
  std::uint64_t slice_bytes() const { return row_bytes() * rows(); }
  std::uint64_t bytes() const { return slice_bytes() * slices(); }
};

namespace labkit::program {

/// Null: there is no such array.
const cudaArray* find_array(cudaArray_const_t array);
/// Bytes of 1, 2 or 4 channels that are alike; 0: there is no such format.
std::uint64_t texel_bytes_of(const cudaChannelFormatDesc& format);

}  // namespace labkit::program
