// The arrays in shared memory that a source declares, and their extents where these are plain numbers: read off its tokens,
// with nothing compiled. For messages only, which fall back on elements counted one after the other.
#pragma once
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

/// In order. One whose extents have a name that is no `constexpr`, `const int`, enumerator or macro of one number is left
/// out, and so is what depends on a template's parameters.
std::vector<DeclaredArray> shared_arrays_of(std::string_view source);

/// How the array of that name and size in bytes is declared that a line of the source may use, of those that the source
/// declares: the last such declaration before it, or else the first. The bytes of an element are known.
std::optional<DeclaredArray> declared_array(const std::vector<DeclaredArray>& arrays,
                                            std::string_view name, std::uint64_t bytes,
                                            std::uint32_t line);
inline std::optional<DeclaredArray> declared_array(std::string_view source, std::string_view name,
                                                   std::uint64_t bytes, std::uint32_t line) {
  return declared_array(shared_arrays_of(source), name, bytes, line);
}

}  // namespace labkit::compile
