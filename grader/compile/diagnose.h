// The compiler's log read for the student: which sentence to begin with.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::compile {

struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  bool is_error = false;
  std::string text;
};
/// The errors and warnings of an NVRTC log ("file(line): error: text"), in order.
std::vector<Diagnostic> diagnostics_of(std::string_view log);

/// One sentence for a source that does not compile.
std::string explain_rejection(std::string_view log, const std::string& name);

/// True if the compiler gave up for want of memory, which it reports as one more error of the
/// source.
bool ran_out_of_memory(std::string_view log);

struct MissingKernel {
  std::string expression;            ///< "transpose<float>"
  std::string signature;             ///< the declaration wanted, may be empty
  std::string log;                   ///< of the attempt to compile it
  std::vector<std::string> present;  ///< the file's __global__ functions
  bool is_other_function = false;  ///< the file has a function of that name that is not __global__
};
/// One sentence for a kernel that cannot be had, though the file compiles.
std::string explain_missing(const MissingKernel& kernel, const std::string& name);

/// "transpose<float>" -> "transpose"
std::string base_name(const std::string& expression);

}  // namespace labkit::compile
