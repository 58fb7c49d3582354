// The compiler's log read for the student: which sentence to begin with.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::compile {

/// The kit's own header that is read before each source; what the compiler says of it is no student's.
inline constexpr const char* kReadBefore = "labkit_warnings.h";

/// Part of the sentence about a name that is not known since the kernel's head has lost it.
inline constexpr const char* kLostParameter = "a parameter of the kernel as it was given";

struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  bool is_error = false;
  int number = 0;  ///< "#549-D": 549; 0: it has none
  std::string text;
  std::string quoted;  ///< the first name in its text
  std::string word;    ///< what its caret points at, if that is a name
  /// The line of the source as the log shows it, and where its caret stands in that; npos where there is none (NVRTC
  /// before 13).
  std::string shown;
  std::size_t caret = std::string::npos;
};
/// The errors and warnings of an NVRTC log ("file(line): error: text"), in order.
std::vector<Diagnostic> diagnostics_of(std::string_view log);

/// One sentence for a source that does not compile; `kernels` are the name expressions that were asked for, `source` is
/// what was compiled, for names that the log does not tell.
std::string explain_rejection(std::string_view log, const std::string& name,
                              const std::vector<std::string>& kernels = {},
                              std::string_view source = {},
                              const std::map<std::string, std::string>& signatures = {});

/// An #include that stands inside a function, where what it brings cannot be: a sentence; or nothing.
std::optional<std::string> include_inside(std::string_view source, const std::string& name);

/// The log without what would only puzzle: no warnings where there are errors, nothing about the text that NVRTC makes up
/// for name expressions, and no advice about options that a student cannot pass.
std::string student_log(std::string_view log);

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
