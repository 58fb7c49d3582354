#include "launch/cause.h"

#include <algorithm>
#include <iterator>

namespace labkit::launch {
namespace {

struct Row {
  std::string_view id, meaning;
};
constexpr Row kRows[] = {
    {"", ""},
#define CAUSE(name, id, meaning) {id, meaning},
#include "launch/causes.def"
#undef CAUSE
};

}  // namespace

std::string_view id_of(Cause cause) { return kRows[static_cast<std::size_t>(cause)].id; }
std::string_view meaning_of(Cause cause) { return kRows[static_cast<std::size_t>(cause)].meaning; }

std::optional<Cause> cause_from_id(std::string_view id) {
  const auto* const at = std::find_if(std::begin(kRows) + 1, std::end(kRows),
                                      [&](const Row& row) { return row.id == id; });
  if (at == std::end(kRows)) return std::nullopt;
  return static_cast<Cause>(at - std::begin(kRows));
}

}  // namespace labkit::launch
