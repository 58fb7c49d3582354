// What the source and the compiler's log add to what the sanitizers find: of a slip that leaves no instruction nothing else
// sees anything, and of an array in shared memory nothing else knows the extents.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/diagnostics.h"
#include "compile/outline.h"
#include "launch/launch.h"
#include "words/message.h"

namespace labkit::device {

/// Sets `declared` of each finding about an array whose declaration the source shows (compile/declarations.h).
void add_declarations(std::vector<launch::Finding>& findings, std::string_view source);

/// Adds a warning (uninitialized) for each variable that the log of NVRTC says is used before it is set, if it belongs to
/// `kernel` (a name expression) or to a function that kernels may call: on every path, so that the optimiser makes any value it
/// likes, in the unoptimised build as well. Whether the line was executed is not known. Where `findings` has one about that
/// line already, that one gets the variable's name instead.
void add_compiler_findings(std::vector<launch::Finding>& findings, std::string_view log,
                           std::string_view source, const std::string& kernel);

/// A statement without effect, as a student's slip: which one, and what was meant.
struct IdleStatement {
  std::uint32_t line = 0;
  words::Message what, fix;  ///< rows idle_* and idle_fix_* of words/english/compile.def
};

/// Of `kernel` (a name expression) or of a function that kernels may call, in the log of NVRTC about `source`: calls without
/// parentheses, comparisons in place of assignments, indices with a comma between them, an `if` that ends at once, values that
/// are discarded; and what source_slips() finds. Not a variable's name alone, which some write to quiet another warning. A
/// log without carets (NVRTC before 13) says less of which statement of a line it is.
std::vector<IdleStatement> idle_statements(std::string_view log, std::string_view source,
                                           const std::string& kernel);

/// Of `kernel` or of a function that kernels may call: a single `=` in the condition of an if or a loop, unless it stands in
/// parentheses of its own, as it does where it is meant; `a < b < c`, which compares 0 or 1 with c; and a loop that ends at
/// its semicolon, before a block or a line that is indented as its body.
std::vector<IdleStatement> source_slips(const compile::Tokens& tokens,
                                        const compile::OtherKernels& others);

/// The head of `kernel` has the parameters that were `given`, by name, but in another order.
std::optional<IdleStatement> swapped_parameters(std::string_view source, const std::string& kernel,
                                                const std::vector<std::string>& given);

/// The first call of a function that `kernel` may use for powers and that rounds otherwise than a product does.
std::optional<IdleStatement> rounding_call(std::string_view source, const std::string& kernel);

/// The one array in shared memory that a line of the source names; "" for none and for several.
std::string shared_array_on(std::string_view source, std::uint32_t line);

/// The first `float` in `kernel` or in a function that it may call.
std::optional<IdleStatement> float_in(std::string_view source, const std::string& kernel);

/// The first `if (...) return;` of `kernel` that stands before a barrier, of the block or of a warp, or before a shuffle.
std::optional<IdleStatement> left_early(std::string_view source, const std::string& kernel);

/// An element that nobody wrote, and the store of its neighbour.
struct MissingElement {
  launch::SourceLine where;           ///< of that store
  std::uint64_t rows = 0, total = 0;  ///< of the array; a vector has as many rows as elements
  bool has_rows_of_threads = false;   ///< the grid counts along y as well
  std::vector<std::pair<std::string, std::string>> scalars;  ///< of the launch: name, value
};
/// What keeps that store from the element, as far as the text shows it: a loop that ends or a condition that excludes. None
/// where it shows nothing.
words::Message unreached_store(std::string_view source, const MissingElement& missing);

/// The line of the `for` that declares a name which `error` does not know, since it ends at its semicolon, or, if
/// `of_one_statement`, with the one statement that it repeats; 0: there is none.
std::uint32_t loop_without_body(const compile::Diagnostic& error, std::string_view source,
                                bool of_one_statement = false);

}  // namespace labkit::device
