#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <memory>
#include <new>
#include <regex>

#include "base/error.h"
#include "base/text.h"

namespace labkit {

namespace {

constexpr char32_t kReplacement = 0xfffd;

/// 0x80 to 0xff.
constexpr std::u32string_view kCodePage437 =
    U"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ"
    U"áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
    U"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
    U"αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";
/// 0x80 to 0x9f, the five without a meaning as control characters, as in browsers; above, it is Latin-1.
constexpr std::u32string_view kWindows1252 =
    U"€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";
static_assert(kCodePage437.size() == 128 && kWindows1252.size() == 32);

std::u32string from_table(std::string_view bytes, std::u32string_view from_0x80) {
  std::u32string text;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    const bool in_table = code >= 0x80 && code - 0x80u < from_0x80.size();
    text += in_table ? from_0x80[code - 0x80u] : char32_t{code};
  }
  return text;
}

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

/// NFC, NFKD, NFKC_Casefold.
constexpr int kComposed = UTF8PROC_STABLE | UTF8PROC_COMPOSE,
              kDecomposed = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
              kFolded = kComposed | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;

/// Invalid bytes become U+FFFD.
std::u32string characters(std::string_view utf8) {
  const std::string valid = to_valid_utf8(utf8);
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(valid.data());
  auto left = static_cast<utf8proc_ssize_t>(valid.size());
  std::u32string text;
  while (left > 0) {
    utf8proc_int32_t c = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(at, left, &c);
    text += bytes > 0 ? static_cast<char32_t>(c) : kReplacement;
    at += bytes > 0 ? bytes : 1;
    left -= bytes > 0 ? bytes : 1;
  }
  return text;
}

std::string utf8(std::u32string_view characters) {
  std::string text;
  for (const char32_t c : characters) {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  }
  return text;
}

std::u32string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t at) {
    const auto byte = [&](std::size_t i) { return char32_t{static_cast<unsigned char>(bytes[i])}; };
    return big_endian ? byte(at) << 8 | byte(at + 1) : byte(at + 1) << 8 | byte(at);
  };
  std::u32string text;
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    const char32_t high = unit(at);
    const bool paired = high >= 0xd800 && high < 0xdc00 && at + 3 < bytes.size() &&
                        unit(at + 2) >= 0xdc00 && unit(at + 2) < 0xe000;
    if (paired) {
      at += 2;
      text += 0x10000 + ((high - 0xd800) << 10) + (unit(at) - 0xdc00);
    } else {
      text += high >= 0xd800 && high < 0xe000 ? kReplacement : high;
    }
  }
  if (at < bytes.size()) text += kReplacement;  // half a unit
  return text;
}

bool is_alphabetic(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

/// An accent, a vowel sign: part of the letter before it.
bool is_mark(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_letter_or_number(char32_t c) {
  return is_alphabetic(c) || category(c) == UTF8PROC_CATEGORY_ND;
}

/// Control and format characters, those that turn the direction among them, and line separators.
bool is_invisible(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
         kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

/// Character by character: U+0130 becomes "i", and a sigma at the end of a word the usual one.
char32_t lower_case(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

std::string normalized(std::string_view text, int form) {
  const std::string valid = to_valid_utf8(text);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(
      reinterpret_cast<const utf8proc_uint8_t*>(valid.data()),
      static_cast<utf8proc_ssize_t>(valid.size()), &made, static_cast<utf8proc_option_t>(form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, std::free);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0)  // valid text is never refused
    throw Error(std::string("utf8proc: ") + utf8proc_errmsg(size), "Please report this.");
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

bool is_utf8(std::string_view bytes) { return to_valid_utf8(bytes) == bytes; }

/// How little a decoding looks like a name: characters above ASCII that are no letters.
std::ptrdiff_t oddities(std::u32string_view text) {
  return std::ranges::count_if(text, [](char32_t c) { return c >= 0x80 && !is_alphabetic(c); });
}

/// Decomposed, case folded, without the accents of U+0300 to U+036F (those of other scripts are part of the letter).
std::u32string folded(std::string_view text) {
  std::u32string kept = characters(normalized(fold_case(text), kDecomposed));
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
  return is_utf8(bytes) ? std::string(bytes) : utf8(from_table(bytes, kWindows1252));
}

std::string why_no_text(std::string_view bytes) {
  if (trim(bytes).empty()) return "it is empty";
  if (bytes.starts_with("PK\x03\x04")) return "it is a zip by another name";
  if (bytes.starts_with("%PDF")) return "it is a PDF by another name";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) return {};
  if (bytes.find('\0') != std::string_view::npos) return "it is no text: it holds zero bytes";
  return {};
}

std::string decode_source(std::string_view bytes) {
  const bool is_marked = bytes.starts_with("\xef\xbb\xbf") || bytes.starts_with("\xff\xfe") ||
                         bytes.starts_with("\xfe\xff");
  std::string text = is_marked ? decode_text(bytes) : std::string(bytes);
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

std::string decode_name(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  const std::u32string dos = from_table(bytes, kCodePage437),
                       windows = from_table(bytes, kWindows1252);
  return utf8(oddities(windows) < oddities(dos) ? windows : dos);
}

std::string clean_name(std::string_view text) {
  std::u32string clean = characters(normalized(text, kComposed));
  // Those that turn the direction make "uc.exe" read as "exe.cu".
  std::ranges::replace_if(clean, is_invisible, U' ');
  return std::string(trim(utf8(clean)));
}

std::string fold_case(std::string_view text) { return normalized(text, kFolded); }

std::string fold_name(std::string_view text) { return joined(words_of(folded(text)), ""); }

std::vector<std::string> folded_words(std::string_view text) {
  std::vector<std::string> words = words_of(folded(text));
  std::sort(words.begin(), words.end());
  return words;
}

std::string fold_words(std::string_view text) { return joined(folded_words(text), " "); }

std::string slug(std::string_view text) {
  // Windows keeps these names for devices, whatever follows a dot.
  static const std::regex device("con|prn|aux|nul|(?:com|lpt)[0-9]");
  std::u32string low = characters(clean_name(text));
  std::ranges::transform(low, low.begin(), lower_case);
  const std::string all = cut_utf8(joined(words_of(characters(fold_case(utf8(low)))), "-"), 80);
  return all.empty() || std::regex_match(all, device) ? all + "x" : all;
}

}  // namespace labkit
