// A source with line numbers and what is to be said about its lines, each remark under its line.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::report::html {

struct LineMark {
  std::size_t line = 0;  ///< from 1
  Standing standing = Standing::wrong;
  std::string text;  ///< may be of several lines
};

/// What was read of a source for showing: what is too long is cut, and the listing says so.
struct ListingLimits {
  std::size_t lines = 2000, characters_a_line = 400;
  std::size_t bytes = 900'000;  ///< of the listing: some characters are shown by a whole element
  /// Of a source with too many lines, those around these are shown, not the first alone.
  std::vector<std::size_t> keep = {};
};

/// What a page puts beside a line's code.
struct LineExtra {
  Markup before;    ///< between its number and its code
  std::string key;  ///< for the page's script, as data-key; empty: none
};
using LineExtras = std::function<LineExtra(std::size_t line)>;

/// The listing; line n has the id `id`-L<n>. Marks may come in any order; several on a line stand
/// under it in theirs. Those of a line that is not there are left out.
Markup source_listing(const std::string& id, std::string_view source,
                      const std::vector<LineMark>& marks, const ListingLimits& limits = {},
                      const LineExtras& extras = {});
/// How many lines the listing has, from the first on.
std::size_t listed_lines(std::string_view source, const ListingLimits& limits = {});

}  // namespace labkit::report::html
