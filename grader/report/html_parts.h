// What the kit's pages share besides the shell: how a verdict looks, how explanations are set.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"

namespace labkit::report::html {

/// How something stands, in the order in which it is worse. Each has a colour, a shape and a word, so
/// that none is told by colour alone.
enum class Standing : std::uint8_t {
  pass,       ///< everything asked for holds
  slow,       ///< right, but over a limit
  wrong,      ///< it ran and is wrong
  not_built,  ///< it never became a kernel that runs
  open,       ///< not decided: wants a teacher's eye, or still waits
  none,       ///< nothing to judge: missing, excused, not attempted
};
inline constexpr Standing kStandings[] = {Standing::pass,      Standing::slow, Standing::wrong,
                                          Standing::not_built, Standing::open, Standing::none};
/// "pass", "slow", ...: part of class names.
std::string_view name_of(Standing standing);
/// "right", "right, but over a limit", ...: for the legend.
std::string_view words_of(Standing standing);
/// Of a verdict as grade::Verdict::text() has it. An unknown one is open.
Standing standing_of(std::string_view verdict);

/// The shapes of all standings, once a page, before the first glyph.
Markup glyph_sheet();
/// The shape alone; decoration, so a word must stand beside it.
Markup glyph(Standing standing);
Markup badge(Standing standing, std::string_view words);

/// Lines as explain/ gives them: the first leads, "Why:", "Fix:" and "Next:" become labels, and
/// `file`:LINE leads to the line of a listing whose ids begin with `listing`.
struct Places {
  std::string file;       ///< "kernel.cu"; "": no links
  std::string listing;    ///< id of the listing
  std::size_t lines = 0;  ///< it has; a line beyond gets no link
};
/// Indented lines are remarks on the one before, or a compiler's words, blanks and all.
enum class Indented : std::uint8_t { remarks, log };
/// `below_first` stands after the first line.
Markup explanation(const std::vector<std::string>& lines, const Places& places,
                   Indented indented = Indented::remarks, const Markup& below_first = {});
/// One line of such text with its links.
Markup linked(std::string_view line, const Places& places);

/// "87.5", "100": at most `decimals` digits, none for nothing.
std::string points_number(double points, int decimals);
/// "60 of 100", or a blank with the word for it: never 0 for what was not graded.
Markup points_of(const std::optional<double>& points, double most, int decimals,
                 std::string_view word_if_blank);

}  // namespace labkit::report::html
