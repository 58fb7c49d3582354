// Names that come in pairs, and are mistaken for each other: kWidth and kHeight, rows and cols, tileY and tileX.
#pragma once
#include <string_view>

namespace labkit::compile {

/// They differ in one word of such a pair, and in nothing else.
bool are_siblings(std::string_view one, std::string_view other);

}  // namespace labkit::compile
