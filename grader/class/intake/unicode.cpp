#include "class/intake/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <new>

#include "base/error.h"
#include "base/text.h"

namespace labkit::course {
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

unsigned options_of(NormalForm form) {
  switch (form) {
    case NormalForm::composed:
      return UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    case NormalForm::compatible_decomposed:
      return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
    case NormalForm::compatible_folded:
      break;
  }
  return UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
}

}  // namespace

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

std::u32string from_windows_1252(std::string_view bytes) { return from_table(bytes, kWindows1252); }

std::u32string from_code_page_437(std::string_view bytes) {
  return from_table(bytes, kCodePage437);
}

bool is_alphabetic(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool is_mark(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_letter_or_number(char32_t c) {
  return is_alphabetic(c) || category(c) == UTF8PROC_CATEGORY_ND;
}

bool is_invisible(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
         kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

char32_t lower_case(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

std::string normalized(std::string_view text, NormalForm form) {
  const std::string valid = to_valid_utf8(text);
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(valid.data()),
                   static_cast<utf8proc_ssize_t>(valid.size()), &made,
                   static_cast<utf8proc_option_t>(options_of(form)));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, std::free);
  if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (size < 0)  // valid text is never refused
    throw Error(std::string("utf8proc: ") + utf8proc_errmsg(size), "Please report this.");
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

}  // namespace labkit::course
