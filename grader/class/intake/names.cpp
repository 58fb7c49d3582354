#include "class/intake/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/unicode.h"

namespace labkit::course {
namespace {

bool is_utf8(std::string_view bytes) { return to_valid_utf8(bytes) == bytes; }

/// How little a decoding looks like a name: characters above ASCII that are no letters.
std::ptrdiff_t oddities(std::u32string_view text) {
  return std::ranges::count_if(text, [](char32_t c) { return c >= 0x80 && !is_alphabetic(c); });
}

/// Decomposed, case folded, without the accents of U+0300 to U+036F (those of other scripts are
/// part of the letter).
std::u32string folded(std::string_view text) {
  std::u32string kept = characters(normalized(fold_case(text), NormalForm::compatible_decomposed));
  std::erase_if(kept, [](char32_t c) { return c >= 0x300 && c <= 0x36f; });
  return kept;
}

/// Runs of letters, digits and marks.
std::vector<std::string> words_of(std::u32string_view text) {
  std::vector<std::string> words;
  const auto is_in_word = [](char32_t c) { return is_letter_or_number(c) || is_mark(c); };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_in_word);
    at = std::find_if_not(begin, text.end(), is_in_word);
    if (begin != at) words.push_back(utf8({begin, at}));
  }
  return words;
}

}  // namespace

std::string decode_text(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (bytes.starts_with("\xff\xfe")) return utf8(from_utf16(bytes.substr(2), false));
  if (bytes.starts_with("\xfe\xff")) return utf8(from_utf16(bytes.substr(2), true));
  return is_utf8(bytes) ? std::string(bytes) : utf8(from_windows_1252(bytes));
}

std::string decode_name(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  const std::u32string dos = from_code_page_437(bytes), windows = from_windows_1252(bytes);
  return utf8(oddities(windows) < oddities(dos) ? windows : dos);
}

std::string clean_name(std::string_view text) {
  std::u32string clean = characters(normalized(text, NormalForm::composed));
  // Those that turn the direction make "uc.exe" read as "exe.cu".
  std::ranges::replace_if(clean, is_invisible, U' ');
  return std::string(trim(utf8(clean)));
}

std::string fold_case(std::string_view text) {
  return normalized(text, NormalForm::compatible_folded);
}

std::string fold_name(std::string_view text) { return joined(words_of(folded(text)), ""); }

std::vector<std::string> folded_words(std::string_view text) {
  std::vector<std::string> words = words_of(folded(text));
  std::sort(words.begin(), words.end());
  return words;
}

std::string fold_words(std::string_view text) { return joined(folded_words(text), " "); }

std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(':'); });
  return keys;
}

std::string slug(std::string_view text) {
  // Windows keeps these names for devices, whatever follows a dot.
  static const std::regex device("con|prn|aux|nul|(?:com|lpt)[0-9]");
  std::u32string low = characters(clean_name(text));
  std::ranges::transform(low, low.begin(), lower_case);
  const std::string all = cut_utf8(joined(words_of(characters(fold_case(utf8(low)))), "-"), 80);
  return all.empty() || std::regex_match(all, device) ? all + "x" : all;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

SafePath take_apart(std::string_view raw, bool backslashes, std::size_t max_depth) {
  const auto refuse = [](std::string why) { return SafePath{{}, std::move(why)}; };
  std::string name = decode_name(raw);
  if (backslashes) std::ranges::replace(name, '\\', '/');
  if (name.size() > 1024) return refuse("its path is longer than 1024 bytes");
  if (name.find('\0') != std::string::npos) return refuse("its path holds a zero byte");
  if (name.starts_with('/')) return refuse("its path is absolute");
  if (name.size() >= 2 && name[1] == ':' && is_letter(name[0]))
    return refuse("its path names a drive");
  SafePath path;
  for (const std::string_view part : split(name, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("its path leads out of the folder (..)");
    if (part.size() > 255) return refuse("a part of its path is longer than 255 bytes");
    std::string clean = clean_name(part);
    if (clean.empty() || clean == "." || clean == "..")
      return refuse("a part of its path has no readable name");
    path.parts.push_back(std::move(clean));
  }
  if (path.parts.empty()) return refuse("its path is empty");
  if (path.parts.size() > max_depth) return refuse("it lies too many folders deep");
  return path;
}

std::string last_number(const std::string& text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string::npos ? text : text.substr(last + 1);
}

std::string cut_utf8(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace labkit::course
