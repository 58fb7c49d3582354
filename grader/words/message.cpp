#include "words/message.h"

#include <algorithm>
#include <iterator>
#include <tuple>

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
  const auto* const at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at == std::end(kNames)) return std::nullopt;
  return static_cast<Id>(at - std::begin(kNames));
}

const Value* Message::find(std::string_view name) const {
  const auto at = std::find_if(parameters.begin(), parameters.end(),
                               [&](const Parameter& p) { return p.name == name; });
  return at == parameters.end() ? nullptr : &at->value;
}

bool operator==(const SourceLine& a, const SourceLine& b) {
  return std::tie(a.file, a.line) == std::tie(b.file, b.line);
}

bool operator==(const Message& a, const Message& b) {
  return a.id == b.id && std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                                    b.parameters.end(), [](const auto& x, const auto& y) {
                                      return x.name == y.name && x.value == y.value;
                                    });
}

}  // namespace labkit::words
