// Why something went wrong, by a stable id: what results, receipts and gradebooks hold. One row of causes.def each.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "words/message.h"

namespace labkit::launch {

enum class Cause : std::uint8_t {
  none,
#define CAUSE(name, id, meaning) name,
#include "launch/causes.def"
#undef CAUSE
};

/// "race.missing_barrier"; "" for none.
std::string_view id_of(Cause cause);
/// What the id means, in one line.
std::string_view meaning_of(Cause cause);
std::optional<Cause> cause_from_id(std::string_view id);

/// Why something is wrong or slow, as data. The words are in words/english.
struct Diagnosis {
  Cause cause = Cause::none;
  words::SourceLine where;               ///< line 0: no single line
  std::vector<words::Message> evidence;  ///< in the order in which it is read
  words::Message fix;
};

}  // namespace labkit::launch
