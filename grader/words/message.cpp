#include "words/message.h"

#include <algorithm>
#include <iterator>

namespace labkit::words {
namespace {

constexpr std::string_view kNames[] = {
    "none",
#define MESSAGE(name, english) #name,
#include "words/english/all.def"
#undef MESSAGE
};

}  // namespace

std::string_view name_of(Id id) { return kNames[static_cast<std::size_t>(id)]; }

bool is_id(std::uint16_t number) { return number < std::size(kNames); }

std::optional<Id> id_from_name(std::string_view name) {
  const auto* const at = std::ranges::find(kNames, name);
  if (at == std::end(kNames)) return std::nullopt;
  return static_cast<Id>(at - std::begin(kNames));
}

const Value* Message::find(std::string_view name) const {
  const auto at = std::ranges::find(parameters, name, &Parameter::name);
  return at == parameters.end() ? nullptr : &at->value;
}

}  // namespace labkit::words
