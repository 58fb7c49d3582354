// The headers of the C and C++ library that device code uses, as far as device code uses them.
#pragma once
#include <vector>

namespace labkit::compile {

struct OwnHeader {
  std::vector<const char*> names;  ///< <cstdint>, <stdint.h>: one text, both spellings
  const char* text;
};
const std::vector<OwnHeader>& own_headers();

/// A name for <cstdint> that no folder of a toolkit has.
inline constexpr const char* kOwnIntegers = "labkit_integers.h";

}  // namespace labkit::compile
