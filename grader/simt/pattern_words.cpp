#include "simt/pattern_words.h"

#include <cstdint>

#include "simt/op.h"

namespace labkit::simt {
namespace {

std::string_view take_word(std::string_view& rest) {
  const auto dot = rest.find('.');
  const auto word = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return word;
}

bool is_one_of(std::string_view word, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const auto bar = alternatives.find('|');
    if (alternatives.substr(0, bar) == word) return true;
    if (bar == std::string_view::npos) return false;
    alternatives.remove_prefix(bar + 1);
  }
  return false;
}

}  // namespace

bool matches(std::string_view spelling, std::span<const std::string_view> words) {
  std::size_t used = 0;
  while (!spelling.empty()) {
    std::string_view alternatives = take_word(spelling);
    const bool optional = alternatives.ends_with('?');
    if (optional) alternatives.remove_suffix(1);
    if (used < words.size() && is_one_of(words[used], alternatives))
      ++used;
    else if (!optional)
      return false;
  }
  return used == words.size();
}

std::string_view root_of(std::string_view spelling) {
  return spelling.substr(0, spelling.find('.'));
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

}  // namespace labkit::simt
