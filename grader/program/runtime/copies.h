// Copies between places in memory, whose rows may lie apart: what all functions that copy come down to.
#pragma once
#include <cstddef>
#include <cstdint>

#include "program/include/cuda_runtime_api.h"

namespace labkit::program {

/// What is copied, in bytes, and how far rows and slices lie apart.
struct Rows {
  std::size_t width = 0, height = 1, to_pitch = 0, from_pitch = 0;
  std::size_t depth = 1, to_slice = 0, from_slice = 0;
  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  std::uint64_t to_bytes() const { return reach(to_pitch, to_slice); }
  std::uint64_t from_bytes() const { return reach(from_pitch, from_slice); }

 private:
  std::uint64_t reach(std::size_t pitch, std::size_t slice) const {
    return is_empty() ? 0 : (depth - 1) * slice + (height - 1) * pitch + width;
  }
};

/// `name`: the function that the program called.
cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 const char* name);
/// Of `rows` what is said of the place that is filled.
cudaError_t fill(void* to, int value, const Rows& rows, const char* name);

}  // namespace labkit::program
