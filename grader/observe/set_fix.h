// The fix of a finding, in place of the one that it had.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "launch/launch.h"

namespace labkit::observe {

inline void set_fix(launch::Finding& finding, words::Message fix) {
  // a fix that is still text: issue 21
  finding.text.erase(std::min(finding.text.find("\nFix: "), finding.text.size()));
  finding.fix = std::move(fix);
}

/// A count as a message's parameter.
inline std::int64_t whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

}  // namespace labkit::observe
