// Which lines of a source belong to another kernel than the one that runs: what the compiler says of these is not about it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tokens.h"

namespace labkit::device {

class OtherKernels {
 public:
  /// `kernel` is a name expression.
  OtherKernels(std::string_view source, const std::string& kernel);
  /// Whether the last function that begins before the end of that line (from 1) is a kernel of another name.
  bool have(std::uint32_t line) const;

 private:
  compile::Lines lines_;
  std::vector<std::size_t> kernels_, helpers_, braces_, names_;  ///< offsets, rising
};

}  // namespace labkit::device
