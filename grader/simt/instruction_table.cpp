#include "simt/instruction_table.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "simt/access.h"
#include "simt/machine.h"

namespace labkit::simt {
namespace {

std::vector<InstructionRow> all_rows() {
  std::vector<InstructionRow> rows;
  const auto add = [&](Chapter chapter, std::string_view id, std::string_view spelling,
                       std::string_view operands) {
    const bool is_first = rows.empty() || rows.back().chapter != chapter;
    const auto number = is_first ? 0 : rows.back().number + 1;
    rows.push_back({chapter, static_cast<std::uint16_t>(number), id, spelling, operands});
  };
#define ROW(id, spelling, operands, ...) add(chapter, #id, spelling, operands);
  auto chapter = Chapter::integer;
#include "simt/instructions_integer.def"
  chapter = Chapter::floating;
#include "simt/instructions_float.def"
  chapter = Chapter::half;
#include "simt/instructions_half.def"
  chapter = Chapter::compare;  // whose rows are written without their first word: `setp.` or `set.`
#include "simt/instructions_compare.def"
  chapter = Chapter::convert;
#include "simt/instructions_convert.def"
#undef ROW
#define SYSTEM_ROW(id, spelling, meaning) add(Chapter::system, #id, spelling, {});
#include "simt/instructions_system.def"
#undef SYSTEM_ROW
  return rows;
}

const std::vector<InstructionRow>& rows() {
  static const std::vector<InstructionRow> all = all_rows();
  return all;
}

/// What stands in front of the first `end`, which goes too.
std::string_view take_until(std::string_view& rest, char end) {
  const auto at = std::min(rest.find(end), rest.size());
  const auto taken = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return taken;
}

bool is_one_of(std::string_view word, std::string_view alternatives) {
  while (!alternatives.empty())
    if (take_until(alternatives, '|') == word) return true;
  return false;
}

}  // namespace

std::span<const InstructionRow> instruction_rows() { return rows(); }

const InstructionRow* find_row(std::span<const std::string_view> words) {
  static const auto by_root = [] {
    std::unordered_map<std::string_view, std::vector<const InstructionRow*>> index;
    for (const auto& row : rows())
      index[row.chapter == Chapter::compare ? std::string_view("setp")
                                            : row.spelling.substr(0, row.spelling.find('.'))]
          .push_back(&row);
    return index;
  }();
  if (words.empty()) return nullptr;
  const auto found = by_root.find(words.front());
  if (found == by_root.end()) return nullptr;
  for (const auto* row : found->second)
    if (matches(row->spelling, row->chapter == Chapter::compare ? words.subspan(1) : words))
      return row;
  return nullptr;
}

std::uint16_t row_number(const InstructionRow& row) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(row.chapter) << 12 | row.number);
}
std::uint16_t row_number(std::initializer_list<std::string_view> words) {
  return row_number(*find_row({words.begin(), words.size()}));
}

bool matches(std::string_view spelling, std::span<const std::string_view> words) {
  std::size_t used = 0;
  while (!spelling.empty()) {
    std::string_view alternatives = take_until(spelling, '.');
    const bool optional = alternatives.ends_with('?');
    if (optional) alternatives.remove_suffix(1);
    if (used < words.size() && is_one_of(words[used], alternatives))
      ++used;
    else if (!optional)
      return false;
  }
  return used == words.size();
}

std::uint32_t modifiers_of(std::span<const std::string_view> words) {
  struct Meaning {
    std::string_view word;
    std::uint32_t bits;
  };
  static constexpr Meaning kMeanings[] = {{"rz", 1},
                                          {"rm", 2},
                                          {"rp", 3},
                                          {"rni", kRoundInteger},
                                          {"rzi", kRoundInteger | 1},
                                          {"rmi", kRoundInteger | 2},
                                          {"rpi", kRoundInteger | 3},
                                          {"ftz", kFtz},
                                          {"sat", kSat},
                                          {"NaN", kNan},
                                          {"xorsign", kXorSign},
                                          {"relu", kRelu},
                                          {"cc", kCarryOut}};
  std::uint32_t bits = 0;
  for (const auto word : words)
    for (const auto& meaning : kMeanings)
      if (meaning.word == word) bits |= meaning.bits;
  return bits;
}

// SIMD targets: which are compiled in, which this machine can run.

#ifdef LABKIT_HAS_X86_TARGETS
namespace avx512 {
extern const Target target;
}
namespace avx2 {
extern const Target target;
}
#endif
namespace portable {
extern const Target target;
}

namespace {

/// Best first.
std::vector<const Target*> usable_targets() {
  std::vector<const Target*> targets;
#ifdef LABKIT_HAS_X86_TARGETS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("fma"))
    targets.push_back(&avx512::target);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    targets.push_back(&avx2::target);
#endif
  targets.push_back(&portable::target);
  return targets;
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const auto* target : usable_targets()) names.emplace_back(target->name);
  return names;
}

const Target& choose_target(std::string_view name) {
  const auto targets = usable_targets();
  if (name.empty())
    if (const char* forced = std::getenv("LABKIT_SIMD")) name = forced;
  if (name.empty()) return *targets.front();
  std::string known;
  for (const auto* target : targets) {
    if (name == target->name) return *target;
    known += (known.empty() ? "" : ", ") + std::string(target->name);
  }
  throw Error("no SIMD target named " + std::string(name) + " on this machine",
              "use one of: " + known);
}

}  // namespace labkit::simt
