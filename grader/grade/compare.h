// Every element of what came back against what must. NaN never equals; +0 and -0 do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "grade/cases.h"
#include "grade/result.h"

namespace labkit::grade {

/// For outputs: the first element in row-major order that is wrong, with the counts, or nullopt if
/// all are right. `got` must have the array's size.
std::optional<Mismatch> compare_output(const ArrayData& array, std::span<const std::byte> got);

/// For inputs: the same, byte for byte, against what went in.
std::optional<Mismatch> compare_input(const ArrayData& array, std::span<const std::byte> got);

/// An element of an input as decimal text.
std::string element_text(const ArrayData& array, std::uint64_t index);

}  // namespace labkit::grade
