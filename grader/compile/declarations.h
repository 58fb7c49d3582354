// What a source declares of arrays and structures, read off its tokens as far as it is plain, with nothing compiled: for
// messages, which fall back on elements counted one after the other, and for what of a structure nobody writes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::compile {

struct DeclaredArray {
  std::string name;
  std::uint32_t line = 0;  ///< of its name, from 1
  /// As declared, outermost first; 0: that bracket is empty, as in `extern __shared__ float tile[];`
  std::vector<std::uint64_t> extents;
  std::uint32_t element_bytes = 0;  ///< of a fundamental or vector type; 0: another type
};

/// The arrays in shared memory, in order. One whose extents have a name that is no `constexpr`, `const int`, enumerator or
/// macro of one number is left out, and so is what depends on a template's parameters.
std::vector<DeclaredArray> shared_arrays_of(std::string_view source);

/// How the array of that name and size in bytes is declared that a line of the source may use, of those that the source
/// declares: the last such declaration before it, or else the first. The bytes of an element are known.
std::optional<DeclaredArray> declared_array(const std::vector<DeclaredArray>& arrays,
                                            std::string_view name, std::uint64_t bytes,
                                            std::uint32_t line);

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

/// Of what parameter number `parameter` (from 0) of the __global__ function `kernel` points to: true for each byte that
/// belongs to no member; copying a structure copies these too, and nobody has written them. Empty where every byte belongs to
/// one, and where the source does not show it plainly: members of fundamental, vector and pointer types, arrays of them with
/// plain extents, and structures of these (C++'s layout on NVIDIA GPUs: each at a multiple of its alignment, CUDA C++
/// Programming Guide, "Alignment of vector types").
std::vector<bool> padding_of_pointed(std::string_view source, std::string_view kernel,
                                     std::size_t parameter);

struct IndexWithComma {
  std::string written;  ///< "tile[x, y]"
  std::string meaning;  ///< "tile[y]", for which C++ takes it
  std::string meant;    ///< "tile[x][y]"
};
/// The first such index of a line; with `at`, of those whose brackets are around that place.
std::optional<IndexWithComma> index_with_comma(std::string_view line,
                                               std::size_t at = std::string_view::npos);

}  // namespace labkit::compile
