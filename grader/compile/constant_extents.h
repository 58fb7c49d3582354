// The extents of arrays as a source declares them, worked out from its tokens as far as they are plain numbers. For messages
// only.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tokens.h"

namespace labkit::compile {

/// What a name stands for, not yet worked out.
using Constants = std::map<std::string, std::vector<Token>, std::less<>>;

/// `name = ... ;` (or `,`, `}`) of a declaration that says that it is constant, and macros without parameters.
Constants constants_of(const Tokens& tokens);

/// nullopt where the name is none of them, or no plain number.
std::optional<std::int64_t> value_of(std::string_view name, const Constants& constants);

/// The extents behind the name at `at`, outermost first, 0 for an empty first bracket; `at` becomes where they end (the
/// source's end, if a bracket is never closed). nullopt where one is not known.
std::optional<std::vector<std::uint64_t>> extents_at(const Tokens& tokens, std::size_t& at,
                                                     const Constants& constants);

/// Of a fundamental or vector type by one word of its name; 0: not known.
std::uint32_t bytes_of_type(std::string_view type);

}  // namespace labkit::compile
