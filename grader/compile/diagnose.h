// The compiler's log read for the student: which message to begin with.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compile/diagnostics.h"
#include "words/message.h"

namespace labkit::compile {

/// The kit's own header that is read before each source; what the compiler says of it is no student's.
inline constexpr const char* kReadBefore = "labkit_warnings.h";

/// The parameter of the kernel as it was given (`signature`) that the first error of `name` does not know: its head has
/// lost it. "" if it is about something else.
std::string lost_parameter(std::string_view log, const std::string& name,
                           const std::string& signature);

/// Why a source does not compile; `kernels` are the name expressions that were asked for, `source` is
/// what was compiled, for names that the log does not tell.
words::Message explain_rejection(std::string_view log, const std::string& name,
                                 const std::vector<std::string>& kernels = {},
                                 std::string_view source = {},
                                 const std::map<std::string, std::string>& signatures = {});

/// An #include that stands inside a function, where what it brings cannot be; or none.
words::Message include_inside(std::string_view source, const std::string& name);

/// The log without what would only puzzle: no warnings where there are errors, nothing about the text that NVRTC makes up
/// for name expressions, and no advice about options that a student cannot pass.
std::string student_log(std::string_view log);

/// Whether the first error is of a name expression, not of the source.
bool first_error_is_of_a_name(std::string_view log);

struct MissingKernel {
  std::string expression;            ///< "transpose<float>"
  std::string signature;             ///< the declaration wanted, may be empty
  std::string log;                   ///< of the attempt to compile it
  std::vector<std::string> present;  ///< the file's __global__ functions
  bool is_other_function = false;  ///< the file has a function of that name that is not __global__
};
/// Why a kernel cannot be had, though the file compiles.
words::Message explain_missing(const MissingKernel& kernel, const std::string& name);

}  // namespace labkit::compile
