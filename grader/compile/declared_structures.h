// Kernel parameters that point to structures of one kind of number, read off the source's tokens: for messages only.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::compile {

/// `struct Z { double part[8]; }` has the member "part" with 8 numbers, `struct C { double re, im; }` the members "re" and
/// "im" with one each.
struct PointedStructure {
  std::vector<std::string> members;
  std::uint64_t extent = 0;  ///< of the only member, where it is an array; else 0
  std::uint32_t number_bytes = 0;
};

/// What the parameter `name` of the __global__ function `kernel` points to, if that is a structure which the source defines
/// with nothing in it but numbers of one fundamental type, or one array of them.
std::optional<PointedStructure> pointed_structure(std::string_view source, std::string_view kernel,
                                                  std::string_view name);

}  // namespace labkit::compile
