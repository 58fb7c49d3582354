// The functions that a source declares for the GPU, and what of a kernel can be seen without compiling it. Macros are not
// expanded.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/tokens.h"

namespace labkit::compile {

/// A function that is declared `__global__` or `__device__`, or both.
struct DeviceFunction {
  std::string_view name;
  bool is_kernel = false;
  std::uint32_t line = 0;  ///< of the first of these words
  std::size_t open = 0;    ///< token of the parenthesis behind its name
  std::size_t body = 0;    ///< token of its {; the number of tokens if it is only declared
};
/// In order.
std::vector<DeviceFunction> device_functions_of(const Tokens& tokens);

/// Names of the functions that it declares __global__, in order, each once.
std::vector<std::string> kernels_of(std::string_view source);

/// Words that stand before a parenthesis outside all braces, as a function's name does where it is declared, in order.
std::vector<std::string_view> declared_functions(const Tokens& tokens);

struct KernelHead {
  std::uint32_t line = 0;                    ///< of the kernel's name, from 1; 0: there is none
  std::vector<std::string_view> parameters;  ///< their names, in order; "" for one without
};
/// Of the first __global__ function `kernel` (its name without template arguments).
KernelHead kernel_head(const Tokens& tokens, std::string_view kernel);

/// Of a name expression: "transpose<float>" -> "transpose".
std::string base_name(std::string_view expression);

struct KernelSource {
  bool found = false;  ///< a `__global__` function of that name is defined here
  bool untouched =
      false;  ///< and its body still has a blank, `____`, or no code but `extern __shared__` declarations
  std::uint32_t line = 0;  ///< of its opening brace, from 1
  bool body_has_todo = false;
  std::uint32_t todo_line = 0;             ///< of the first TODO after it, or 0
  std::vector<std::uint32_t> blanks = {};  ///< lines of its body that have a `____`, each once
};

/// The kernels of a source, read once: a class's files are asked for every lab's kernels.
class SourceOutline {
 public:
  /// `source` must outlive it.
  explicit SourceOutline(std::string_view source);
  KernelSource kernel(std::string_view name) const;

 private:
  std::string_view source_;
  Tokens tokens_;
  std::unordered_map<std::string_view, std::size_t> bodies_;  ///< name -> token of the brace
};

/// Which lines belong to another kernel than the one that runs: what the compiler says of these is not about it.
class OtherKernels {
 public:
  /// `kernel` is a name expression.
  OtherKernels(const Tokens& tokens, const std::string& kernel);
  /// Whether the last function for the GPU that begins before the end of that line (from 1) is a kernel of another name.
  bool have(std::uint32_t line) const;

 private:
  std::vector<std::pair<std::uint32_t, bool>>
      begins_;  ///< of each function its line, and whether it is such a kernel
};

}  // namespace labkit::compile
