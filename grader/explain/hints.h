// Hints, one at a time, for the defect that a result shows first. They are content, not code: those that
// hold in every lab stand in labs/hints.toml, those of one lab in labs/<folder>/hints.toml, which may be
// missing and go first.
//
//   [extents]                        # in a lab's file only; see Extents in defect.h
//   transpose = { x = "cols", y = "rows" }
//
//   [[hint]]
//   defect = "race.missing_barrier"    # required, a name of defect.h. A kind alone ("race") stands for those of its
//                                    # kind that have none of their own; a gate goes by its name or its figure
//                                    # of a lab's own, wrong_result.never_written stands for .row_ends and .last_rows too
//   kernel = "matmul"                # optional: only of that kernel
//   space  = "shared"               # optional: only of findings in that memory
//   tiers  = [ "...", "...", "..." ] # required, 3 or 4: what to look at, a question; the idea; the line, in words.
//                                    # Never the line itself
//
// In a tier, {name} stands for a part of what was found:
//   {kernel} {launch}                the kernel, and its launch with sizes
//   {line} {other_line}              "line 12"; of a race the two lines, {write_line} and {read_line} the same by role
//   {lines}                          both: "lines 12 and 14", or "line 12" where it is one
//   {thread} {other_thread} {block} {other_block}      "thread (1,0,0)"
//   {element} {expected} {got} {owner} {wrong} {total} {right_where}     of a wrong result; {inputs} what the inputs hold
//                                    there, of a vector
//   {stored}                         who stored the wrong element: "thread (3,4,0) of block (0,1,0) at line 21", which
//                                    {thread}, {block} and {line} are then as well
//   {before}                         of an element that nobody wrote, a sentence: "The one before it, c[31], was stored by
//                                    ..."; nothing where there is none
//   {value} {limit} {worst} {distance} {instruction}   of a gate; {worst} is the figure of {line} alone, {distance}
//                                    what lies between neighbouring lanes there ("128 bytes")
//   {reset}                          the command that brings the empty kernel back
// A tier whose {name} the defect at hand does not have says so in general words ("that line").
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "explain/defect.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::explain {

struct Hint {
  std::string defect, kernel, space;
  std::vector<std::string> tiers;
};

struct Hints {
  std::vector<Hint> own, common;
  ExtentsOf extents;
  /// Null if nothing is said of such a defect.
  const Hint* find(const Defect& defect) const;
};

inline constexpr std::size_t kLeastTiers = 3, kMostTiers = 4;

/// Reads <labs>/hints.toml and the lab's own, <labs> being the folder of the lab's. Throws labkit::Error that names the
/// file, the line and the mend: unknown keys and {names}, too few tiers, two hints for one defect.
Hints load_hints(const grade::Manifest& lab);
/// One file of hints, as text; `name` stands for it in messages.
std::vector<Hint> parse_hints(std::string_view text, const std::string& name,
                              ExtentsOf* extents = nullptr);

/// The tier with what was found filled in.
std::string fill_in(std::string_view tier, const Defect& defect, const grade::LabResult& result);

/// Fills in grade::Culprit::lane_stride_bytes where a test has kept samples (SessionOptions::details) and the lanes of the
/// line's worst access are all equally far apart.
void add_lane_strides(grade::LabResult& result);

}  // namespace labkit::explain
