#include "grade/repair_rank.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "compile/edit_scope.h"
#include "compile/outline.h"
#include "compile/tokens.h"

namespace labkit::grade::repairs {
namespace {

using compile::Tokens;

/// `whole` without some of its bytes is `part`.
bool is_within(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : whole)
    if (at < part.size() && part[at] == c) ++at;
  return at == part.size();
}

/// The same characters in another order: two names that changed places.
bool are_exchanged(std::string_view from, std::string_view to) {
  if (from.size() != to.size()) return false;
  std::array<long, 256> count{};
  for (const char c : from) ++count[static_cast<unsigned char>(c)];
  for (const char c : to) --count[static_cast<unsigned char>(c)];
  return std::ranges::all_of(count, [](long left) { return left == 0; });
}

/// What two names cost that change places, however far apart they stand.
constexpr std::size_t kExchange = 8;  // bytes

/// Locals of a function that nothing uses, as "function name".
std::set<std::string> idle_locals(const Tokens& tokens) {
  std::set<std::string> idle;
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    if (function.body >= tokens.size()) continue;
    const std::size_t close = std::min(tokens.close_of(function.body), tokens.size() - 1);
    for (std::size_t i = function.body + 1; i + 1 < close; ++i) {
      if (!tokens.is_word(i) || !tokens.is(i + 1, "=") || tokens.is(i - 1, ";")) continue;
      std::size_t uses = 0;
      for (std::size_t k = function.open; k < close; ++k)
        uses += tokens.is(k, tokens[i].spelling) ? 1 : 0;
      if (uses == 1)
        idle.insert(std::string(function.name) + " " + std::string(tokens[i].spelling));
    }
  }
  return idle;
}

/// Functions beside the kernels that nothing calls.
std::set<std::string> idle_functions(const Tokens& tokens) {
  std::set<std::string> idle;
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    const auto uses = std::ranges::count_if(
        tokens, [&](const compile::Token& token) { return token.is(function.name); });
    if (!function.is_kernel && uses == 1) idle.insert(std::string(function.name));
  }
  return idle;
}

/// How often an element is read: of shared arrays, and of pointers that functions are given.
struct Reads {
  std::size_t of_shared = 0, of_pointers = 0;
};
Reads reads_of(const Tokens& tokens) {
  std::set<std::string_view> shared, pointers;
  Reads reads;
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    if (tokens.is(i, "__shared__") && tokens.is(i + 3, "[")) shared.insert(tokens[i + 2].spelling);
    const bool is_given = tokens.is(i + 1, ",") || tokens.is(i + 1, ")");
    if (is_given && (tokens.is(i - 1, "*") || tokens.is(i - 1, "__restrict__")))
      pointers.insert(tokens[i].spelling);
    if (tokens.is(i + 1, "=") && tokens.is(i - 1, "*") && shared.contains(tokens[i + 2].spelling))
      shared.insert(tokens[i].spelling);  // it points into the array
  }
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    std::size_t end = i + 1;
    while (tokens.is(end, "[") && tokens.close_of(end) < tokens.size())
      end = tokens.close_of(end) + 1;
    if (end == i + 1 || tokens.is(end, "=")) continue;
    reads.of_shared += shared.contains(tokens[i].spelling) ? 1 : 0;
    reads.of_pointers += pointers.contains(tokens[i].spelling) ? 1 : 0;
  }
  return reads;
}

/// Names in the extents of the shared arrays, in order.
std::vector<std::string_view> extents_of(const Tokens& tokens) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i)
    if (tokens.is(i, "__shared__"))
      for (; i < tokens.size() && !tokens.is(i, ";"); ++i)
        if (tokens.is_word(i)) names.push_back(tokens[i].spelling);
  return names;
}

/// `a / a` and `a % a`, which nobody writes.
std::size_t quotients_of_itself(const Tokens& tokens) {
  std::size_t count = 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (!tokens.is(i, "/") && !tokens.is(i, "%")) continue;
    std::size_t size = 1;  // of `blockDim.x`: 3
    while (i >= size + 2 && tokens.is(i - size - 1, ".") && size < 5) size += 2;
    count +=
        i + size < tokens.size() && tokens.text(i - size, i) == tokens.text(i + 1, i + 1 + size)
            ? 1
            : 0;
  }
  return count;
}

/// `(n + k) / k` rounds up, and goes one further where n is a multiple: so does `i <= n` in a loop that goes on by k.
std::size_t steps_too_many(const Tokens& tokens) {
  std::size_t count = 0;
  for (std::size_t i = 4; i + 2 < tokens.size(); ++i) {
    if (tokens.is(i, ")") && tokens.is(i + 1, "/") && tokens.is(i - 2, "+"))
      count += tokens.text(i - 1, i) == tokens.text(i + 2, i + 3) ? 1 : 0;
    const bool is_end = tokens.is(i, ";") && tokens.is(i - 2, "<=") && tokens.is(i - 4, ";");
    count += is_end && tokens.is(i + 2, "+=") ? 1 : 0;
  }
  return count;
}

/// Values of variables whose names say that they count bytes: what a sector has is no matter of choice.
std::set<std::string> numbers_of_bytes(const Tokens& tokens) {
  std::set<std::string> values;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
    if (compile::counts_bytes(tokens[i].spelling) && tokens.is(i + 1, "="))
      values.insert(std::string(tokens.text(i, i + 3)));
  return values;
}

/// `part[warp][warp * 32 + k]`: a part for each warp, and in it the warp's place as well.
std::size_t places_twice(const Tokens& tokens) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (!tokens.is(i, "[") || !tokens.is(i + 2, "]") || !tokens.is(i + 3, "[")) continue;
    const std::size_t close = std::min(tokens.close_of(i + 3), tokens.size());
    for (std::size_t at = i + 4; at + 1 < close; ++at)
      count += tokens.is(at, tokens[i + 1].spelling) && tokens.is(at + 1, "*") ? 1 : 0;
  }
  return count;
}

/// Another constant stands in the extents of an array, which happens to be larger; the block's size does not just happen to be.
bool has_other_extents(const Tokens& before, const Tokens& after) {
  std::vector<std::string_view> from = extents_of(before), to = extents_of(after);
  if (from.size() != to.size() || from == to) return false;
  std::ranges::sort(from);
  std::ranges::sort(to);
  std::vector<std::string_view> added;
  std::ranges::set_difference(to, from, std::back_inserter(added));
  return std::ranges::any_of(added, [](std::string_view name) {
    return name.find("Block") == name.npos && name.find("BLOCK") == name.npos;
  });
}

}  // namespace

std::size_t change_size(const std::string& before, const std::string& after) {
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < old_lines.size() && i < new_lines.size(); ++i) {
    const std::string_view from = old_lines[i], to = new_lines[i];
    if (from == to) continue;
    if (is_within(from, to) || is_within(to, from)) {
      bytes += std::max(from.size(), to.size()) - std::min(from.size(), to.size());
      continue;
    }
    if (are_exchanged(from, to)) {
      bytes += kExchange;
      continue;
    }
    const std::size_t shorter = std::min(from.size(), to.size());
    std::size_t first = 0, last = 0;
    while (first < shorter && from[first] == to[first]) ++first;
    while (last < shorter - first && from[from.size() - 1 - last] == to[to.size() - 1 - last])
      ++last;
    bytes += from.size() + to.size() - 2 * (first + last);
  }
  return bytes;
}

/// A comparison says more of what a name means than the direction that it counts.
constexpr std::size_t kTold = 2;

std::size_t misnamed(const std::string& source) {
  const Tokens tokens(source, Tokens::Keep::code);
  const bool has_rows = source.find("threadIdx.y") != source.npos;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view name = tokens[i].spelling;
    const bool is_row = name == "r" || name.starts_with("row"),
               is_column = name == "c" || name.starts_with("col");
    if (i + 2 < tokens.size() && (is_row || is_column) && tokens.is(i + 1, "<"))
      count += tokens[i + 2].spelling.starts_with(is_row ? "col" : "row") ? kTold : 0;
    if (name.starts_with("thread") && tokens.is(i + 1, "=") && tokens.is(i + 2, "blockDim") &&
        tokens.is(i + 4, "x") && tokens.is(i + 5, ";"))
      count += has_rows ? kTold : 0;
    if ((!is_row && !is_column) || !tokens.is(i + 1, "=")) continue;
    const std::string_view other = is_row ? "x" : "y";
    bool has_own = false, has_other = false;
    for (std::size_t at = i + 2; at < tokens.size() && !tokens.is(at, ";"); ++at)
      if (tokens.is(at, "threadIdx") && tokens.is(at + 1, "."))
        (tokens.is(at + 2, other) ? has_other : has_own) = true;
    count += has_other && !has_own ? 1 : 0;
  }
  return count;
}

std::size_t lines_changed(const std::string& before, const std::string& after) {
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  std::size_t lines = 0;
  for (std::size_t i = 0; i < old_lines.size() && i < new_lines.size(); ++i)
    lines += old_lines[i] != new_lines[i] ? 1 : 0;
  return lines;
}

bool only_deletes(const std::string& before, const std::string& after) {
  const auto old_lines = split_lines(before), new_lines = split_lines(after);
  for (std::size_t i = 0; i < old_lines.size() && i < new_lines.size(); ++i)
    if (old_lines[i] != new_lines[i] && !trim(new_lines[i]).empty()) return false;
  return true;
}

std::size_t signs_of_a_trick(const std::string& before, const std::string& after) {
  const Tokens from(before, Tokens::Keep::code), to(after, Tokens::Keep::code);
  const std::set<std::string> idle = idle_locals(from);
  std::size_t signs = 0;
  for (const std::string& local : idle_locals(to)) signs += idle.contains(local) ? 0 : 1;
  const std::set<std::string> uncalled = idle_functions(from);
  for (const std::string& function : idle_functions(to))
    signs += uncalled.contains(function) ? 0 : 1;
  const Reads was = reads_of(from), is = reads_of(to);
  signs += is.of_shared < was.of_shared && is.of_pointers > was.of_pointers ? 1 : 0;
  signs += has_other_extents(from, to) ? 1 : 0;
  signs += numbers_of_bytes(to) != numbers_of_bytes(from) ? 1 : 0;
  signs += places_twice(to) > places_twice(from) ? 1 : 0;
  signs += steps_too_many(to) > steps_too_many(from) ? 1 : 0;
  signs += quotients_of_itself(to) > quotients_of_itself(from) ? 1 : 0;
  return signs;
}

}  // namespace labkit::grade::repairs
