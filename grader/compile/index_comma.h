// tile[x, y], which C++ takes for tile[y].
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace labkit::compile {

struct IndexWithComma {
  std::string written;  ///< "tile[x, y]"
  std::string meaning;  ///< "tile[y]"
  std::string meant;    ///< "tile[x][y]"
};
/// The first such index of a line; with `at`, of those whose brackets are around that place.
std::optional<IndexWithComma> index_with_comma(std::string_view line,
                                               std::size_t at = std::string_view::npos);

}  // namespace labkit::compile
