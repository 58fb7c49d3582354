// Sums and products whose operands stand in another order are the same.
#pragma once
#include <string>
#include <string_view>

namespace labkit::compile {

/// A text that is the same for `a * b + c` and `c + b * a`, and differs for what computes something else; no source that
/// compiles. Operands of && and of calls keep their order.
std::string in_one_order(std::string_view source);

}  // namespace labkit::compile
