// A feature is a value that a kernel computes, or the n-th occurrence of a word. Say that a share p of the class has it.
// Of two independent solutions both have it with p * p, of an original and its copy with p, since the copy has nearly
// all that the original has: both having it makes a copy 1 / p times as likely, and neither having it 1 / (1 - p)
// times. One alone has it where a copier changed something (kChanged). The logarithms are added up.
//
// Features depend on one another, so the sum is too large, above all for whatever follows from one unusual decision: it
// sorts pairs, and is no probability. Two who have hardly done anything are no copies, so what both lack has limits.
#include "class/similar/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "compile/outline.h"
#include "compile/tokens.h"

namespace labkit::course {
namespace {

using compile::Token;
using compile::Tokens;

/// Of what an original has, so much is not in its copy.
constexpr double kChanged = 0.1;
/// Times the logarithm of the number of sources. Set by independent solutions alone (grader/tests/class/alike): low, as long as
/// hardly any two of them reach it.
constexpr double kEvidence = 2;
/// What two lack that most have, as when both did nothing, weighs no more than a coin that falls the same way twice; and all
/// of it no more than twice what they share.
const double kMostOfLacking = std::log(2);
constexpr double kMostOfLacked = 2;
constexpr unsigned kMostOccurrences = 8;

/// Words that a copier adds and takes away at will.
bool says_little(std::string_view word) {
  static const std::set<std::string_view> words = {
      "auto", "bool", "const",  "constexpr", "double",   "float",           "inline",
      "int",  "long", "size_t", "static",    "unsigned", "__forceinline__", "__restrict__"};
  return words.contains(word);
}

/// What is read of a source's tokens.
struct Words {
  std::map<std::string, unsigned, std::less<>> counts;  ///< of code, names of one's own among them
  std::vector<std::vector<std::string>> statements;     ///< the same words, statement by statement
};
Words read_words(std::string_view source) {
  Words words;
  std::vector<std::string> statement;
  const auto end_statement = [&] {
    if (!statement.empty()) words.statements.push_back(std::move(statement));
    statement.clear();
  };
  const auto add = [&](const Token& token) {
    if (!token.is_word() && token.kind != Token::Kind::number) return;
    ++words.counts[std::string(token.spelling)];
    statement.emplace_back(token.spelling);
  };
  const Tokens tokens(source, Tokens::Keep::all);
  std::size_t head_end = tokens.size();  // of if (...), while (...) and for (...)
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind == Token::Kind::comment) continue;
    if (token.kind == Token::Kind::directive) {
      for (const Token& part : Tokens(token.spelling.substr(1), Tokens::Keep::code)) add(part);
      end_statement();
    } else {
      if ((token.is("if") || token.is("while") || token.is("for")) && tokens.is(i + 1, "("))
        head_end = tokens.close_of(i + 1);
      add(token);
      if (token.is(";") || token.is("{") || token.is("}") || i == head_end) end_statement();
    }
  }
  end_statement();
  return words;
}
/// Words of the stub that a copier keeps: constants, kernels, types; parameters get other names at once.
std::set<std::string, std::less<>> kept_words(const std::string& stub) {
  std::set<std::string, std::less<>> kept;
  for (const auto& [word, count] : read_words(stub).counts)
    if (word.size() > 1) kept.insert(word);
  const Tokens tokens(stub);
  for (const std::string& kernel : compile::kernels_of(stub))
    for (const std::string_view parameter : compile::kernel_head(tokens, kernel).parameters)
      kept.erase(std::string(parameter));
  return kept;
}

/// One source, read.
struct Reading {
  const SimilarSource* source = nullptr;
  std::vector<std::pair<std::uint32_t, unsigned>> features;  ///< by number; with line, 0 for a word
  std::map<std::uint32_t, double> parts;  ///< -> evidence if another has none of its features
  std::string letters;
};
/// A part is a kernel, or (0) the words. What only one of two has done is not compared.
struct Feature {
  std::uint32_t part = 0;
  double count = 0;   ///< of sources
  double rare = 0;    ///< evidence where both have it
  double common = 0;  ///< and where neither has
};

class Comparison {
 public:
  Comparison(const std::vector<SimilarSource>& sources, const KnownCode& known)
      : stub_(read_words(known.stub)), kept_(kept_words(known.stub)) {
    stub_statements_ = kept_statements(stub_);
    parts_["words"] = 0;
    std::set<std::vector<std::string>> groups;
    for (const SimilarSource& source : sources) {
      // A group submits one text; its first student stands for it.
      std::vector<std::string> group = source.group;
      std::ranges::sort(group);
      if (group.size() > 1 && !groups.insert(group).second) continue;
      readings_.push_back(read(source));
    }
    std::optional<Reading> reference;
    if (!known.reference.source.empty()) reference = read(known.reference);
    weigh(reference ? &*reference : nullptr);
  }
  const std::vector<Reading>& readings() const { return readings_; }
  double threshold() const { return kEvidence * std::log(static_cast<double>(readings_.size())); }

  double evidence(const Reading& a, const Reading& b) const {
    double shared = 0, others = 0;
    for (const auto& [part, alone] : a.parts)
      if (const auto there = b.parts.find(part); there != b.parts.end())
        others += neither_.at(part) + alone + there->second;
    each_common(a, b, [&](std::uint32_t number, unsigned, unsigned) {
      const Feature& feature = features_[number];
      shared += feature.rare;
      others += feature.common - 2 * std::log(kChanged);  // counted above as of one alone, twice
    });
    return shared + std::min(others, kMostOfLacked * shared);
  }
  /// How much of what is a's own is in b.
  double share(const Reading& a, const Reading& b) const {
    double own = 0, common = 0;
    for (const auto& [number, line] : a.features) own += features_[number].rare;
    each_common(
        a, b, [&](std::uint32_t number, unsigned, unsigned) { common += features_[number].rare; });
    return own > 0 ? common / own : 0;
  }
  static std::vector<std::pair<unsigned, unsigned>> lines(const Reading& a, const Reading& b) {
    std::set<std::pair<unsigned, unsigned>> lines;
    each_common(a, b, [&](std::uint32_t, unsigned left, unsigned right) {
      if (left > 0 && right > 0) lines.insert({left, right});
    });
    return {lines.begin(), lines.end()};
  }

 private:
  template <typename Take>
  static void each_common(const Reading& a, const Reading& b, const Take& take) {
    for (auto left = a.features.begin(), right = b.features.begin();
         left != a.features.end() && right != b.features.end();) {
      if (left->first == right->first) take(left->first, left->second, right->second);
      const bool steps_left = left->first <= right->first,
                 steps_right = right->first <= left->first;
      left += steps_left;
      right += steps_right;
    }
  }

  std::uint32_t number_of(const std::string& feature, std::uint32_t part) {
    const auto [at, is_new] = numbers_.try_emplace(feature, numbers_.size());
    if (is_new) features_.push_back({.part = part});
    return at->second;
  }
  /// A number, or a name that the student did not choose.
  bool is_kept(std::string_view word) const {
    return (word[0] >= '0' && word[0] <= '9') || kept_.contains(word) ||
           compile::kind_of_word(word) != compile::WordKind::own;
  }
  /// Their words but those that say little, of two words at least.
  std::set<std::string> kept_statements(const Words& words) const {
    std::set<std::string> kept;
    for (std::vector<std::string> statement : words.statements) {
      std::erase_if(statement,
                    [&](const std::string& word) { return !is_kept(word) || says_little(word); });
      std::ranges::sort(statement);
      if (statement.size() > 1) kept.insert(joined(statement, " "));
    }
    return kept;
  }
  Reading read(const SimilarSource& source) {
    Reading reading;
    reading.source = &source;
    reading.letters = letters_of(source.source);
    const Words words = read_words(source.source);
    reading.parts[0] = 0;
    for (const auto& [word, count] : words.counts) {
      if (!is_kept(word)) continue;
      const auto given = stub_.counts.find(word);
      for (unsigned n = given == stub_.counts.end() ? 1 : given->second + 1;
           n <= std::min(count, kMostOccurrences); ++n)
        reading.features.emplace_back(number_of(fmt::format("{} {}", word, n), 0), 0);
    }
    for (const std::string& statement : kept_statements(words))
      if (!stub_statements_.contains(statement))
        reading.features.emplace_back(number_of("statement " + statement, 0), 0);
    for (const auto& [kernel, values] : source.values) {
      if (values.empty()) continue;  // an empty kernel
      const std::uint32_t part = parts_.try_emplace(kernel, parts_.size()).first->second;
      reading.parts[part] = 0;
      std::istringstream list(values);
      for (std::string value; list >> value;) {
        const std::size_t colon = std::min(value.find(':'), value.size() - 1);
        reading.features.emplace_back(number_of(kernel + " " + value.substr(0, colon), part),
                                      std::strtoul(value.c_str() + colon + 1, nullptr, 10));
      }
    }
    std::ranges::sort(reading.features);
    const auto twice =
        std::ranges::unique(reading.features, {}, &std::pair<std::uint32_t, unsigned>::first);
    reading.features.erase(twice.begin(), twice.end());
    return reading;
  }

  void weigh(const Reading* reference) {
    std::map<std::uint32_t, double> sources;  // part -> that have it
    const auto count = [&](const Reading& reading) {
      for (const auto& [number, line] : reading.features) ++features_[number].count;
      for (const auto& [part, alone] : reading.parts) ++sources[part];
    };
    for (const Reading& reading : readings_) count(reading);
    if (reference != nullptr) count(*reference);
    for (Feature& feature : features_) {
      const double share = (feature.count + 1) / (sources[feature.part] + 2);
      feature.rare = -std::log(share);
      feature.common = std::min(kMostOfLacking, -std::log(1 - share));
      neither_[feature.part] += feature.common;
    }
    if (reference != nullptr)  // what it has, anybody may have found
      for (const auto& [number, line] : reference->features) features_[number].rare = 0;
    for (Reading& reading : readings_)
      for (const auto& [number, line] : reading.features)
        reading.parts[features_[number].part] += std::log(kChanged) - features_[number].common;
    for (const auto& [name, part] : parts_) neither_[part] += 0;
  }

  Words stub_;
  std::set<std::string, std::less<>> kept_;
  std::set<std::string> stub_statements_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t> parts_;
  std::vector<Feature> features_;
  std::map<std::uint32_t, double> neither_;  ///< part -> evidence where two have nothing of it
  std::vector<Reading> readings_;
};

bool one_group(const SimilarSource& a, const SimilarSource& b) {
  const auto in = [](const std::vector<std::string>& group, const std::string& student) {
    return std::ranges::find(group, student) != group.end();
  };
  return a.student == b.student || in(a.group, b.student) || in(b.group, a.student);
}

std::string notes_on(const Reading& a, const Reading& b, bool is_enough) {
  std::vector<std::string> notes;
  if (a.letters == b.letters) notes.emplace_back("The same text, letter for letter.");
  if (!is_enough) notes.emplace_back("The code alone is not unusually alike; it may be chance.");
  for (const Reading* each : {&a, &b}) {
    if (each->source->group.size() > 1)
      notes.push_back(fmt::format("{} submitted with a group: {}.", each->source->student,
                                  fmt::join(each->source->group, ", ")));
    if (each->source->values.empty())
      notes.push_back(
          fmt::format("It is not known what {}'s code computes; its words alone were compared.",
                      each->source->student));
  }
  return joined(notes, " ");
}

}  // namespace

std::string letters_of(std::string_view text) {
  std::string letters;
  std::ranges::copy_if(text, std::back_inserter(letters),
                       [](char c) { return static_cast<unsigned char>(c) > ' '; });
  return letters;
}

bool more_telling(const SimilarPair& a, const SimilarPair& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::tie(a.lab, a.first, a.second) < std::tie(b.lab, b.first, b.second);
}

std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const KnownCode& known) {
  const Comparison comparison(sources, known);
  const std::vector<Reading>& readings = comparison.readings();
  std::map<std::string_view, unsigned>
      same;  // of a text that more have, the list of same texts speaks
  for (const Reading& reading : readings) ++same[reading.letters];
  const std::string shown[] = {letters_of(known.stub), letters_of(known.reference.source)};
  for (const std::string& text : shown) same[text] = 0;
  std::vector<std::tuple<double, std::size_t, std::size_t>> found;  // evidence, of two
  for (std::size_t i = 0; i < readings.size(); ++i)
    for (std::size_t j = i + 1; j < readings.size(); ++j) {
      const Reading &a = readings[i], &b = readings[j];
      if (one_group(*a.source, *b.source)) continue;
      const double evidence = comparison.evidence(a, b);
      const bool is_same = a.letters == b.letters && same[a.letters] == 2;
      if (evidence >= comparison.threshold() || is_same) found.emplace_back(-evidence, i, j);
    }
  std::ranges::sort(found);
  found.resize(std::min(found.size(), kMostSimilarPairs));
  std::vector<SimilarPair> pairs;
  for (const auto& [evidence, i, j] : found) {
    const Reading *a = &readings[i], *b = &readings[j];
    if (b->source->student < a->source->student) std::swap(a, b);
    pairs.push_back({.lab = lab,
                     .first = a->source->student,
                     .second = b->source->student,
                     .share_first = comparison.share(*a, *b),
                     .share_second = comparison.share(*b, *a),
                     .weight = -evidence,
                     .note = notes_on(*a, *b, -evidence >= comparison.threshold()),
                     .lines = Comparison::lines(*a, *b)});
  }
  std::ranges::sort(pairs, more_telling);
  return pairs;
}

}  // namespace labkit::course
