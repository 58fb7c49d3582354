// Small changes to a kernel, of the kind by which a beginner's differs from a right one: another comparison, two indices
// swapped, a term too many, a block's offset left out, a statement in the wrong order. Which of them helps, if any, only a
// launch can tell (grade/repair.cpp); most of them make a kernel worse, and some do not compile.
#pragma once
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/tokens.h"
#include "words/message.h"

namespace labkit::compile {

/// Bytes [begin, end) of the source, and what stands there instead.
struct Replacement {
  std::size_t begin = 0, end = 0;
  std::string text;
};
/// In the order of the source; no two overlap.
using Edit = std::vector<Replacement>;

/// `why`: the mistake that it mends, a row of words/english/changes.def, where whoever looks for such edits knows it.
struct SmallEdit {
  Edit edit;
  words::Message why;
};

/// Edits of the bodies of `kernel` (its name without template arguments) and of the functions that kernels may call, at most
/// `most`, those first that beginners need most often, and those in `suspects` (lines where it went wrong) and where the
/// values used there are made; the same change at each place that has the same text is one more edit.
/// Empty where the bodies have more than kMostEditedTokens tokens together.
inline constexpr std::size_t kMostEditedTokens = 1500;
std::vector<SmallEdit> small_edits(const Tokens& tokens, std::string_view kernel, std::size_t most,
                                   const std::set<std::uint32_t>& suspects = {});

/// Edits of the array `name` beside the functions and of the numbers that it is made of: `int shape[4] = {kEdge, 8, 32, 64};`.
std::vector<Edit> initialiser_edits(const Tokens& tokens, std::string_view name);

/// A line of `kernel`, or what its values are made of, has a ^.
bool is_swizzled(const Tokens& tokens, std::string_view kernel, std::uint32_t line);

std::string apply_edit(std::string_view source, const Edit& edit);

}  // namespace labkit::compile
