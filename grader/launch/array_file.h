// Arrays in files: NumPy's .npy (format 1 to 3, in C's order, little-endian), or else the bytes alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "launch/launch.h"

namespace labkit::launch {

/// The bytes of `path`, which must be elements of that size. Throws std::invalid_argument naming the file where its type is of
/// another size or kind, and labkit::Error where it cannot be read.
std::vector<std::byte> read_array(const std::filesystem::path& path, Element element);

/// As .npy with one dimension if the name ends so, else the bytes.
void write_array(const std::filesystem::path& path, Element element,
                 std::span<const std::byte> bytes);

}  // namespace labkit::launch
