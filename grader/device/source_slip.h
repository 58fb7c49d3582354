// Slips that C++ takes without a word, and that the source alone shows: conditions that ask for something else than they seem to
// (NVRTC warns of few, 187-D: of a constant alone), loops without their body, parameters in another order.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/diagnostics.h"
#include "device/idle_statement.h"

namespace labkit::device {

/// Of `kernel` or of a function that kernels may call: a single `=` in the condition of an if or a loop, unless it stands in
/// parentheses of its own, as it does where it is meant; `a < b < c`, which compares 0 or 1 with c; and a loop that ends at
/// its semicolon, before a block or a line that is indented as its body.
std::vector<IdleStatement> source_slips(std::string_view source, const std::string& kernel);

/// The head of `kernel` has the parameters that were `given`, by name, but in another order.
std::optional<IdleStatement> swapped_parameters(std::string_view source, const std::string& kernel,
                                                const std::vector<std::string>& given);

/// The first call of a function that `kernel` may use for powers and that rounds otherwise than a product does.
std::optional<IdleStatement> rounding_call(std::string_view source, const std::string& kernel);

/// How many letters have to be put in, taken out, replaced or exchanged with the next; capitals count as others.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The line of the `for` that declares a name which `error` does not know, since it ends at its semicolon; 0: there is none.
std::uint32_t loop_without_body(const compile::Diagnostic& error, std::string_view source);

}  // namespace labkit::device
