#include "compile/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "compile/tokens.h"

namespace labkit::compile {
namespace {

using words::Id;
using words::Message;
using words::SourceLine;

std::vector<std::pair<Token, Token>> mains(const Tokens& tokens) {
  std::vector<std::pair<Token, Token>> found;
  // of each token, the next { or ; from there on: where a definition begins or a declaration ends
  std::vector<std::size_t> next_end(tokens.size() + 2, tokens.size());
  for (std::size_t i = tokens.size(); i-- > 0;)
    next_end[i] = tokens.is(i, "{") || tokens.is(i, ";") ? i : next_end[i + 1];
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.is(i, "{")) ++depth;
    if (tokens.is(i, "}")) --depth;
    if (depth != 0 || !tokens.is(i, "main") || !tokens.is(i + 1, "(")) continue;
    const std::size_t body = next_end[tokens.close_of(i + 1) + 1];  // behind noexcept, try, -> int
    const std::size_t end = tokens.close_of(body);
    if (end >= tokens.size()) continue;
    std::size_t first = i;
    while (first > 0 && tokens[first - 1].is_word()) --first;
    found.emplace_back(tokens[first], tokens[end]);
    i = end;
  }
  return found;
}

}  // namespace

std::vector<std::string> includes_of(std::string_view source) {
  // No header of CUDA comes near either; each name that is given back is looked for on disk.
  constexpr std::size_t kMostNames = 1000, kLongestName = 255;
  std::vector<std::string> names;
  for (const Token& token : Tokens(source)) {
    if (token.kind != Token::Kind::directive) continue;
    if (names.size() == kMostNames) break;
    std::string_view line = token.spelling.substr(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    if (close != std::string_view::npos && close - open <= kLongestName + 1)
      names.emplace_back(line.substr(open + 1, close - open - 1));
  }
  return names;
}

Prepared prepare(std::string_view source, const std::string& name) {
  if (source.starts_with("\xef\xbb\xbf")) source.remove_prefix(3);
  Prepared prepared{std::string(source), {}};
  for (const auto& [first, last] : mains(Tokens(source))) {
    for (std::size_t i = first.begin; i < last.end(); ++i)
      if (source[i] != '\n' && source[i] != '\r') prepared.source[i] = ' ';
    constexpr std::size_t kMostNotes = 4;  // a program has one
    if (prepared.notes.size() == kMostNotes) continue;
    prepared.notes.push_back({Id::note_main_left_out,
                              {{"file", name},
                               {"first", SourceLine{name, first.line}},
                               {"last", SourceLine{name, last.line}}}});
  }
  return prepared;
}

namespace {

constexpr std::string_view kBlank = " ", kNothing = "nothing";

/// Unicode 15, chapters "General Punctuation" and "Halfwidth and Fullwidth Forms".
constexpr struct {
  std::uint32_t code;
  std::string_view means;
} kLookAlikes[] = {
    {0x00A0, kBlank}, {0x00B4, "'"},   {0x00D7, "*"},    {0x037E, ";"},      {0x200B, kNothing},
    {0x2010, "-"},    {0x2011, "-"},   {0x2012, "-"},    {0x2013, "-"},      {0x2014, "-"},
    {0x2018, "'"},    {0x2019, "'"},   {0x201A, ","},    {0x201C, "\""},     {0x201D, "\""},
    {0x201E, "\""},   {0x2026, "..."}, {0x202F, kBlank}, {0x2212, "-"},      {0x2215, "/"},
    {0x2217, "*"},    {0x2264, "<="},  {0x2265, ">="},   {0x2260, "!="},     {0x2236, ":"},
    {0x3000, kBlank}, {0x3001, ","},   {0x3002, "."},    {0xFEFF, kNothing},
};

std::string meaning_of(std::uint32_t code) {
  for (const auto& [look_alike, means] : kLookAlikes)
    if (look_alike == code) return std::string(means);
  if (code >= 0xFF01 && code <= 0xFF5E)  // the full-width forms of ! to ~
    return std::string(1, static_cast<char>(code - 0xFF01 + '!'));
  return {};
}

}  // namespace

Message look_alike(std::string_view source, const std::string& name, std::uint32_t line) {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < line && begin < source.size(); ++n)
    begin = std::min(source.find('\n', begin), source.size() - 1) + 1;
  const std::string text = to_valid_utf8(source.substr(begin, source.find('\n', begin) - begin));
  std::uint32_t column = 1;
  for (std::string_view rest = text; !rest.empty(); ++column) {
    const auto [code, bytes] = first_code_point(rest);
    if (const std::string means = meaning_of(code); !means.empty()) {
      Message message{
          .id = Id::compile_look_alike,
          .parameters = {{"at", SourceLine{name, line}},
                         {"column", words::count(column)},
                         {"character", std::string(rest.substr(0, bytes))},
                         {"code", fmt::format("U+{:04X}", static_cast<std::uint32_t>(code))}}};
      if (means == kNothing)
        message.id = Id::compile_invisible_character;
      else if (means == kBlank)
        message.id = Id::compile_look_alike_blank;
      else
        message.parameters.push_back({"meant", means});
      return message;
    }
    rest.remove_prefix(bytes);
  }
  return {};
}

Message unreadable(std::string_view source, const std::string& name) {
  if (source.starts_with("\xff\xfe") || source.starts_with("\xfe\xff"))
    return {Id::compile_utf16, {{"file", name}}};
  if (const std::size_t nul = source.find('\0'); nul != std::string_view::npos)
    return {Id::compile_nul_byte, {{"at", SourceLine{name, line_at(source, nul)}}}};
  if (Tokens(source).empty()) return {Id::compile_empty_file, {{"file", name}}};
  return {};
}

}  // namespace labkit::compile
