// Sums and products whose operands stand in another order are the same.
#pragma once
#include <string>
#include <string_view>

#include "compile/small_edits.h"

namespace labkit::compile {

/// A text that is the same for `a * b + c` and `c + b * a`, and differs for what computes something else; no source that
/// compiles. Operands of && and of calls keep their order.
std::string in_one_order(std::string_view source);

/// Without the parts that only exchange the operands of sums and products in their lines.
Edit without_commuted(std::string_view source, const Edit& edit);

}  // namespace labkit::compile
