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

/// One sentence for a kernel that cannot be had, though the file compiles. `present`: the
/// __global__ functions of the file.
std::string explain_missing(const std::string& expression, std::string_view log,
                            const std::string& name, const std::vector<std::string>& present);

}  // namespace labkit::compile
