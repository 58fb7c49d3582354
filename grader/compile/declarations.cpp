#include "compile/declarations.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "compile/constant_extents.h"
#include "compile/outline.h"

namespace labkit::compile {
namespace {

constexpr std::size_t kMostBytes = 4096;  ///< of a structure
constexpr int kMostDepth = 4;             ///< structures in structures
constexpr std::uint32_t kPointerBytes = 8;

struct Member {
  std::string_view name;
  std::string type;  ///< "unsigned char"; "" of a pointer and of a structure
  std::vector<std::uint64_t> extents;
};

struct Structure {
  std::vector<Member> members;
  std::vector<bool> used;     ///< its bytes: whether they belong to a member
  std::size_t alignment = 1;  ///< what its address is a multiple of, in bytes

  bool add(const Structure& member, std::uint64_t count) {
    if (member.used.empty() || count == 0 || count > kMostBytes) return false;
    used.resize(rounded(used.size(), member.alignment), false);
    if (used.size() + count * member.used.size() > kMostBytes) return false;
    for (std::uint64_t i = 0; i < count; ++i)
      used.insert(used.end(), member.used.begin(), member.used.end());
    alignment = std::max(alignment, member.alignment);
    return true;
  }
  bool has_padding() const { return std::ranges::count(used, false) != 0; }
  void finish() { used.resize(rounded(used.size(), alignment), false); }

 private:
  static std::size_t rounded(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }
};

Structure plain(std::uint32_t bytes) {
  return {.members = {}, .used = std::vector<bool>(bytes, true), .alignment = bytes};
}

struct Parameter {
  std::string_view name;
  std::string_view pointed_type;  ///< "" where it is no plain `T*`
};

class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(source), constants_(constants_of(tokens_)) {
    find_structures();
  }

  std::vector<Parameter> parameters_of(std::string_view kernel) const {
    std::vector<Parameter> parameters;
    for (const DeviceFunction& function : device_functions_of(tokens_)) {
      const std::size_t close = tokens_.close_of(function.open);
      if (!function.is_kernel || function.name != kernel || close >= tokens_.size()) continue;
      int depth = 0;
      for (std::size_t begin = function.open + 1, at = begin; at <= close; ++at) {
        if (at == close || (depth == 0 && tokens_.is(at, ","))) {
          parameters.push_back(parameter(begin, at));
          begin = at + 1;
        }
        depth += tokens_.is(at, "(") || tokens_.is(at, "<");
        depth -= tokens_.is(at, ")") || tokens_.is(at, ">");
      }
      break;
    }
    return parameters;
  }

  std::optional<Structure> structure(std::string_view type, int depth = 0) const {
    const auto found = structures_.find(type);
    if (depth > kMostDepth || found == structures_.end()) return std::nullopt;
    const auto& [alignment, begin, end] = found->second;
    if (!tokens_.is(end, "}")) return std::nullopt;
    Structure made;
    made.alignment = alignment;
    for (std::size_t at = begin; at < end;)
      if (!declaration(at, end, made, depth)) return std::nullopt;
    made.finish();
    return made;
  }

 private:
  struct Place {
    std::size_t alignment = 1;
    std::size_t begin = 0, end = 0;  ///< tokens: behind its {, and the next brace
  };

  /// `struct [alignas(8)] name {`: the first of each name.
  void find_structures() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_.is(i, "struct")) continue;
      std::size_t at = i + 1;
      Place place;
      if (tokens_.is(at, "__align__") || tokens_.is(at, "alignas")) {
        if (!tokens_.is(at + 1, "(") || !tokens_.is(at + 3, ")")) continue;
        const std::string_view text = tokens_[at + 2].spelling;
        std::size_t wanted = 0;
        std::from_chars(text.data(), text.data() + text.size(), wanted);
        if (wanted == 0 || wanted > kMostBytes || (wanted & (wanted - 1)) != 0) continue;
        place.alignment = wanted;
        at += 4;
      }
      if (!tokens_.is_word(at) || !tokens_.is(at + 1, "{")) continue;
      place.begin = place.end = at + 2;
      while (place.end < tokens_.size() && !tokens_.is(place.end, "}") &&
             !tokens_.is(place.end, "{"))
        ++place.end;
      structures_.try_emplace(tokens_[at].spelling, place);
    }
  }

  /// `const T* __restrict__ name`, the tokens from `begin` to before `end`.
  Parameter parameter(std::size_t begin, std::size_t end) const {
    Parameter found;
    std::size_t stars = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const Token& token = tokens_[at];
      if (token.is("*")) ++stars;
      if (!token.is_word() || token.is("const") || token.is("struct") || token.is("__restrict__"))
        continue;
      (stars == 0 ? found.pointed_type : found.name) = token.spelling;
    }
    if (stars != 1) found.pointed_type = {};
    return found;
  }

  /// Of the words of a type, put into `member` too.
  std::optional<Structure> type_of(std::size_t begin, std::size_t end, int depth,
                                   Member& member) const {
    std::uint32_t bytes = 0;
    for (std::size_t at = begin; at < end; ++at) {
      const Token& word = tokens_[at];
      if (word.is("const") || word.is("volatile") || word.is("signed") || word.is("struct"))
        continue;
      const std::uint32_t one = bytes_of_type(word.spelling);
      if (one == 0) return end - begin == 1 ? structure(word.spelling, depth + 1) : std::nullopt;
      // "unsigned char", "unsigned long long", "long int": what is not int or unsigned says it
      if (bytes == 0 || (!word.is("int") && !word.is("unsigned"))) bytes = one;
      member.type.append(member.type.empty() ? "" : " ").append(word.spelling);
    }
    return bytes == 0 ? std::nullopt : std::optional(plain(bytes));
  }

  /// `type name [extent] {, name} ;` from `at`, which is behind it then, to before `end`.
  bool declaration(std::size_t& at, std::size_t end, Structure& made, int depth) const {
    const std::size_t begin = at;
    while (at < end && tokens_.is_word(at)) ++at;
    const bool is_pointer = at < end && tokens_.is(at, "*");
    Member common;
    std::optional<Structure> type;
    if (!is_pointer) {
      if (at < begin + 2) return false;
      --at;  // the first name
      type = type_of(begin, at, depth, common);
    }
    while (at < end) {
      Member member = common;
      const bool points = tokens_.is(at, "*");
      if (points) ++at;
      if (at >= end || !tokens_.is_word(at) || (is_pointer && !points)) return false;
      if (points) member.type.clear();
      member.name = tokens_[at++].spelling;
      std::uint64_t count = 1;
      if (tokens_.is(at, "[")) {
        const auto extents = extents_at(tokens_, at, constants_);
        if (!extents) return false;
        for (const std::uint64_t extent : *extents)
          count = std::min(count * extent, kMostBytes + 1);
        member.extents = *extents;
      }
      const std::optional<Structure> one = points ? plain(kPointerBytes) : type;
      if (!one || !made.add(*one, count) || at >= end) return false;
      made.members.push_back(std::move(member));
      if (tokens_.is(at, ";")) return ++at, true;
      if (!tokens_.is(at++, ",")) return false;
    }
    return false;
  }

  Tokens tokens_;
  Constants constants_;
  std::unordered_map<std::string_view, Place> structures_;
};

}  // namespace

std::optional<PointedStructure> pointed_structure(std::string_view source, std::string_view kernel,
                                                  std::string_view name) {
  const Reader reader(source);
  for (const Parameter& parameter : reader.parameters_of(kernel)) {
    if (parameter.name != name || parameter.pointed_type.empty()) continue;
    const auto structure = reader.structure(parameter.pointed_type);
    if (!structure || structure->members.empty() || structure->has_padding()) return std::nullopt;
    const std::vector<Member>& members = structure->members;
    PointedStructure made;
    for (const Member& member : members) {
      const bool is_alone = members.size() == 1 && member.extents.size() == 1;
      if (member.type.empty() || member.type != members[0].type ||
          (!member.extents.empty() && !is_alone))
        return std::nullopt;
      made.members.emplace_back(member.name);
      if (is_alone) made.extent = member.extents[0];
    }
    made.number_bytes = static_cast<std::uint32_t>(
        structure->used.size() / std::max<std::uint64_t>(made.extent, members.size()));
    return made;
  }
  return std::nullopt;
}

std::vector<bool> padding_of_pointed(std::string_view source, std::string_view kernel,
                                     std::size_t parameter) {
  const Reader reader(source);
  const std::vector<Parameter> parameters = reader.parameters_of(kernel);
  if (parameter >= parameters.size()) return {};
  const std::string_view type = parameters[parameter].pointed_type;
  if (type.empty() || bytes_of_type(type) != 0) return {};
  const auto structure = reader.structure(type);
  if (!structure || !structure->has_padding()) return {};
  std::vector<bool> padding = structure->used;
  padding.flip();
  return padding;
}

std::vector<DeclaredArray> shared_arrays_of(std::string_view source) {
  constexpr std::size_t kMostArrays = 64;  // a source is a student's, and may be anything
  const Tokens tokens(source);
  const Constants constants = constants_of(tokens);
  std::vector<DeclaredArray> arrays;
  for (std::size_t i = 0; i < tokens.size() && arrays.size() < kMostArrays; ++i) {
    if (!tokens.is(i, "__shared__")) continue;
    std::uint32_t element = 0;
    for (++i; i < tokens.size() && arrays.size() < kMostArrays && !tokens.is(i, ";") &&
              !tokens.is(i, "{");
         ++i) {
      const Token& name = tokens[i];
      if (!name.is_word()) continue;
      // "unsigned char": the narrower word says it
      if (const auto bytes = bytes_of_type(name.spelling); bytes != 0)
        element = element == 0 || !name.is("int") ? bytes : element;
      if (!tokens.is(i + 1, "[")) continue;
      std::size_t at = i + 1;
      auto extents = extents_at(tokens, at, constants);
      i = at - 1;
      if (extents)
        arrays.push_back({std::string(name.spelling), name.line, std::move(*extents), element});
    }
  }
  return arrays;
}

std::optional<DeclaredArray> declared_array(const std::vector<DeclaredArray>& arrays,
                                            std::string_view name, std::uint64_t bytes,
                                            std::uint32_t line) {
  std::optional<DeclaredArray> found;
  for (DeclaredArray array : arrays) {
    if (array.name != name || (found && array.line > line)) continue;
    std::uint64_t inner = 1;  // elements in one of the outermost
    for (std::size_t i = 1; i < array.extents.size() && inner <= bytes; ++i)
      inner *= array.extents[i];
    const std::uint64_t outer = array.extents.front();
    if (inner == 0 || inner > bytes || outer > bytes) continue;
    if (outer != 0) {
      if (bytes % (outer * inner) != 0) continue;
      const auto each = static_cast<std::uint32_t>(bytes / (outer * inner));
      if (array.element_bytes != 0 && array.element_bytes != each) continue;
      array.element_bytes = each;
    }
    if (array.element_bytes != 0) found = std::move(array);
  }
  return found;
}

std::optional<IndexWithComma> index_with_comma(std::string_view line, std::size_t at) {
  const Tokens tokens(line);
  struct Index {
    std::size_t open = 0, comma = 0,
                close = 0;  ///< tokens; the comma is the last directly in it, 0: none
  };
  std::vector<Index> open;
  Index first{.open = tokens.size()};  // the outermost so far
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "[") || tokens.is(i, "(")) open.push_back({.open = i});
    if (open.empty()) continue;
    if (tokens.is(i, ",")) open.back().comma = i;
    if (!tokens.is(i, "]") && !tokens.is(i, ")")) continue;
    const Index closed = open.back();
    open.pop_back();
    const Token& bracket = tokens[closed.open];
    const bool is_index = tokens.is(i, "]") && bracket.is("[") && closed.comma != 0 &&
                          closed.open > 0 && tokens.is_word(closed.open - 1) &&
                          tokens[closed.open - 1].end() == bracket.begin;
    const bool is_around =
        at == std::string_view::npos || (bracket.begin < at && at < tokens[i].begin);
    if (is_index && is_around && closed.open < first.open) first = {closed.open, closed.comma, i};
  }
  if (first.close == 0) return std::nullopt;
  const std::string name(tokens[first.open - 1].spelling),
      before(tokens.text(first.open + 1, first.comma)),
      last(tokens.text(first.comma + 1, first.close));
  return IndexWithComma{.written = std::string(tokens.text(first.open - 1, first.close + 1)),
                        .meaning = name + "[" + last + "]",
                        .meant = name + "[" + before + "][" + last + "]"};
}

}  // namespace labkit::compile
