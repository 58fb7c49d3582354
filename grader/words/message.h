// A sentence as data: which one, and what it is about. The observers and the graders make messages; words/render.h turns them
// into English, last, so that no decision ever depends on a sentence. JSON holds ids and parameters.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace labkit::words {

/// line 0: not known.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

/// All sentences there are. Each is one row of words/english/*.def.
enum class Id : std::uint16_t {
  none,
#define MESSAGE(name, english) name,
#include "words/english/all.def"
#undef MESSAGE
};

/// "race_fix_barrier_between": the row's name. "none" for none.
std::string_view name_of(Id id);
std::optional<Id> id_from_name(std::string_view name);
/// Whether a message has that number: they are numbered from 1 on, without gaps.
bool is_id(std::uint16_t number);

/// A count, a quantity, a name as in the source ("tile", "(3,0,0)"; never prose), or a line of the source.
using Value = std::variant<std::int64_t, double, std::string, SourceLine>;

/// Of a whole number that is not signed.
inline Value count(std::uint64_t number) { return static_cast<std::int64_t>(number); }

struct Parameter {
  std::string name;
  Value value;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

struct Message {
  Id id = Id::none;
  std::vector<Parameter> parameters = {};

  explicit operator bool() const { return id != Id::none; }
  /// Null if it has none of that name.
  const Value* find(std::string_view name) const;
  friend bool operator==(const Message&, const Message&) = default;
};

}  // namespace labkit::words
