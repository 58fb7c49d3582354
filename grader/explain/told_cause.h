// What a test that was not passed is told by: its headline and the lines that are quoted. Its id and its hints follow from
// found_cause(), which a change that is found later does not alter.
#pragma once
#include <cstdint>

#include "grade/result.h"

namespace labkit::explain {

/// The first of these that a test has. A missed limit is told by itself, whatever change was found; and what a change mends for
/// which there is no sentence is told by the first error, else by the first wrong element.
enum class ToldBy : std::uint8_t {
  nothing,    ///< it passed, is neutral, or nothing is decided
  change,     ///< a change that was seen to mend it (TestResult::repair), and what that changes
  example,    ///< an expression that has a wrong value in one thread
  gate,       ///< a limit that was missed: what costs most, or what lab.toml says of the limit
  slip,       ///< a statement of the source that does nothing, or not what it seems to
  finding,    ///< the first error that the sanitizers found
  verdict,    ///< the verdict's own message
  warning,    ///< what is no error by itself, and likely to be why a result is wrong
  unreached,  ///< what keeps a store from the elements that are missing
  unread,     ///< what nobody read: a part of an input, or of a shared array
  mismatch    ///< the first wrong element
};

struct ToldCause {
  ToldBy by = ToldBy::nothing;
  const launch::Finding* finding = nullptr;  ///< of a finding or a warning
};
ToldCause told_cause(const grade::TestResult& test);
/// The same without change and example, which are searched for later and alter no id.
ToldCause found_cause(const grade::TestResult& test);

/// A change was seen to make the kernel right, so that what it changes is the cause. Where no sentence says what, a finding is.
bool knows_change(const grade::TestResult& test);
/// The change that was seen to help says why, and not only where.
bool tells_why(const grade::TestResult& test);

}  // namespace labkit::explain
