#include "compile/named_files.h"

#include <algorithm>
#include <cstdint>

namespace labkit::compile {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '%';
}

/// End of the token at `at`, which is no word: a comment, a text in quotes, or one character.
std::size_t end_of(std::string_view ptx, std::size_t at) {
  if (ptx.substr(at).starts_with("//")) return std::min(ptx.find('\n', at), ptx.size());
  if (ptx.substr(at).starts_with("/*")) {
    const std::size_t close = ptx.find("*/", at + 2);
    return close == std::string_view::npos ? ptx.size() : close + 2;
  }
  if (ptx[at] != '"') return at + 1;
  const std::size_t close = ptx.find_first_of("\"\n", at + 1);
  return close == std::string_view::npos ? ptx.size() : close + 1;
}

}  // namespace

std::string with_known_files(std::string_view ptx, const std::string& name,
                             const std::string& directory,
                             const std::map<std::string, std::string>& headers) {
  const std::string before = directory.ends_with('/') ? directory : directory + "/";
  const auto known = [&](std::string_view file) {
    if (file.starts_with(before)) file.remove_prefix(before.size());
    const std::string text(file);
    return headers.contains(text) ? text : name;
  };
  enum class Seen : std::uint8_t { nothing, file, index } seen = Seen::nothing;
  std::string result;
  result.reserve(ptx.size());
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t begin = at;
    if (is_word(ptx[at])) {
      while (at < ptx.size() && is_word(ptx[at])) ++at;
      const std::string_view word = ptx.substr(begin, at - begin);
      const bool is_index = seen == Seen::file && word[0] >= '0' && word[0] <= '9';
      seen = word.ends_with(".file") ? Seen::file : is_index ? Seen::index : Seen::nothing;
      result += word;
      continue;
    }
    at = end_of(ptx, begin);
    const std::string_view token = ptx.substr(begin, at - begin);
    if (token.size() > 1 && token[0] == '"' && token.back() == '"' && seen == Seen::index)
      result += '"' + known(token.substr(1, token.size() - 2)) + '"';
    else
      result += token;
    const bool is_blank = static_cast<unsigned char>(token[0]) <= ' ' || token.starts_with("//") ||
                          token.starts_with("/*");
    if (!is_blank) seen = Seen::nothing;
  }
  return result;
}

}  // namespace labkit::compile
