// The time that the compiler sees. A source can ask for it (`__TIME__`, `__DATE__`, also pasted
// together), and a grade must not depend on when it was reached: so it is always the same, and the
// receipt and the cache's key have it.
#pragma once
#include <cstdint>

namespace labkit::compile {

inline constexpr std::int64_t kCompilerClock = 946'684'800;  ///< seconds since 1970, UTC
inline constexpr char kCompilerClockText[] = "2000-01-01 00:00:00 UTC";

}  // namespace labkit::compile
