// How the structures that a kernel's parameter points to lie in memory, read off the source's tokens: which of their bytes
// belong to no member. Copying a structure copies these too, and nobody has written them.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace labkit::compile {

/// Of what parameter number `parameter` (from 0) of the __global__ function `kernel` points to: true for each byte that
/// belongs to no member. Empty where every byte does, and where the source does not show it plainly: members of
/// fundamental, vector and pointer types, arrays of them with plain extents, and structures of these (C++'s layout on NVIDIA
/// GPUs: each at a multiple of its alignment, CUDA C++ Programming Guide, "Alignment of vector types").
std::vector<bool> padding_of_pointed(std::string_view source, std::string_view kernel,
                                     std::size_t parameter);

}  // namespace labkit::compile
