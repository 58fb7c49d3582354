// The compiler's log as data: what it reports, where, and about which names.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::compile {

/// The rows of diagnostics.def; several rows may be of one kind.
enum class DiagnosticKind : std::uint8_t {
  other,  ///< none of them
  out_of_memory,
  expected_symbol,  ///< names[0]: ";"
  missing_brace,
  unrecognized_token,
  undefined_identifier,
  no_such_file,
  other_declaration,
  not_constant,
  incomplete_type,
  no_operator,
  not_a_function,
  not_modifiable,
  other_type,      ///< names: both types
  no_such_member,  ///< names: the namespace, the member
  not_a_pointer,
  not_a_structure,
  qualified_name,
  attribute_elsewhere,
  host_variable,
  host_function,
  no_effect,
  unset_variable,
  empty_if,
  no_such_field,  ///< names: the structure, the member
  declared_twice,
  static_local,
  shared_initialiser,
  no_overload,     ///< names[0]: the function
  other_argument,  ///< names: the types of the argument and of the parameter
};

struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  bool is_error = false;
  DiagnosticKind kind = DiagnosticKind::other;
  int number = 0;                  ///< as NVRTC prints it, for warnings; 0: none
  std::vector<std::string> names;  ///< what the text has in quotes, in order
  std::string text;
  std::string word;  ///< what its caret points at, if that is a name
  /// The line of the source as the log shows it, and where its caret stands in that; npos where there is none (NVRTC
  /// before 13).
  std::string shown;
  std::size_t caret = std::string::npos;
  std::string_view
      details;  ///< the log's lines about it that follow, up to the next diagnostic or note

  /// "" if there are fewer names.
  std::string name(std::size_t index) const { return index < names.size() ? names[index] : ""; }
  bool is_host_code() const {
    return kind == DiagnosticKind::host_function || kind == DiagnosticKind::host_variable;
  }
};
/// The errors and warnings of an NVRTC log ("file(line): error: text"), in order. `details` points into `log`.
std::vector<Diagnostic> diagnostics_of(std::string_view log);

/// The errors in `file` in the order of their lines; of a template's instances, each once. "": in the file that the log
/// complains of first.
std::vector<Diagnostic> errors_in_source_order(std::string_view log, std::string_view file = {});

/// True if the compiler gave up for want of memory, which it reports as one more error, and had found no other before.
bool ran_out_of_memory(std::string_view log);

}  // namespace labkit::compile
