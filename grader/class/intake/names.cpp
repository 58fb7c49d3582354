#include "class/intake/names.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/text.h"

namespace labkit::course {
namespace {

void require(UErrorCode code, const char* what) {
  if (U_FAILURE(code))
    throw Error(std::string("ICU: ") + what + ": " + u_errorName(code),
                "reinstall libicu: its data is missing");
}

std::string utf8(const icu::UnicodeString& text) {
  std::string bytes;
  text.toUTF8String(bytes);
  return bytes;
}

icu::UnicodeString unicode(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

icu::UnicodeString from_code_page(std::string_view bytes, const char* code_page) {
  icu::UnicodeString text(bytes.data(), static_cast<std::int32_t>(bytes.size()), code_page);
  require(text.isBogus() ? U_FILE_ACCESS_ERROR : U_ZERO_ERROR, code_page);
  return text;
}

bool is_utf8(std::string_view bytes) { return to_valid_utf8(bytes) == bytes; }

icu::UnicodeString normalized(const icu::UnicodeString& text,
                              const icu::Normalizer2* (*form)(UErrorCode&)) {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = form(code);
  require(code, "normal forms");
  icu::UnicodeString normal = normalizer->normalize(text, code);
  require(code, "normalise");
  return normal;
}

template <typename Visit>
void each_character(const icu::UnicodeString& text, Visit visit) {
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) visit(text.char32At(i));
}

/// How little a decoding looks like a name: characters above ASCII that are no letters.
int oddities(const icu::UnicodeString& text) {
  int odd = 0;
  each_character(text, [&](UChar32 c) { odd += c >= 0x80 && !u_isalpha(c); });
  return odd;
}

/// Bidirectional embeddings, overrides and isolates: they make "uc.exe" read as "exe.cu".
bool turns_direction(UChar32 c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

/// Decomposed, case folded, without the accents of U+0300 to U+036F (those of other scripts are
/// part of the letter).
icu::UnicodeString folded(std::string_view text) {
  const icu::UnicodeString low =
      normalized(unicode(text), icu::Normalizer2::getNFKCCasefoldInstance);
  icu::UnicodeString kept;
  each_character(normalized(low, icu::Normalizer2::getNFKDInstance), [&](UChar32 c) {
    if (c < 0x300 || c > 0x36f) kept.append(c);
  });
  return kept;
}

bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0; }

/// Runs of letters, digits and marks.
std::vector<std::string> words_of(const icu::UnicodeString& text) {
  std::vector<std::string> words;
  icu::UnicodeString word;
  const auto end_word = [&] {
    if (!word.isEmpty()) words.push_back(utf8(word));
    word.remove();
  };
  each_character(text, [&](UChar32 c) {
    if (u_isalnum(c) || is_mark(c))
      word.append(c);
    else
      end_word();
  });
  end_word();
  return words;
}

}  // namespace

std::string decode_text(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (bytes.starts_with("\xff\xfe")) return utf8(from_code_page(bytes.substr(2), "UTF-16LE"));
  if (bytes.starts_with("\xfe\xff")) return utf8(from_code_page(bytes.substr(2), "UTF-16BE"));
  return is_utf8(bytes) ? std::string(bytes) : utf8(from_code_page(bytes, "windows-1252"));
}

std::string decode_name(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  const icu::UnicodeString dos = from_code_page(bytes, "ibm-437"),
                           windows = from_code_page(bytes, "windows-1252");
  return utf8(oddities(windows) < oddities(dos) ? windows : dos);
}

std::string clean_name(std::string_view text) {
  const icu::UnicodeString normal =
      normalized(unicode(to_valid_utf8(text)), icu::Normalizer2::getNFCInstance);
  icu::UnicodeString clean;
  each_character(normal, [&](UChar32 c) {
    clean.append(u_iscntrl(c) || turns_direction(c) || c == 0x2028 || c == 0x2029 ? UChar32{' '}
                                                                                  : c);
  });
  return std::string(trim(utf8(clean)));
}

std::string fold_case(std::string_view text) {
  return utf8(normalized(unicode(text), icu::Normalizer2::getNFKCCasefoldInstance));
}

std::string fold_name(std::string_view text) { return joined(words_of(folded(text)), ""); }

std::vector<std::string> folded_words(std::string_view text) {
  std::vector<std::string> words = words_of(folded(text));
  std::sort(words.begin(), words.end());
  return words;
}

std::string fold_words(std::string_view text) { return joined(folded_words(text), " "); }

std::string slug(std::string_view text) {
  icu::UnicodeString low = unicode(clean_name(text));
  low.toLower(icu::Locale::getRoot());
  const std::string all = cut_utf8(joined(words_of(low), "-"), 80);
  return all.empty() ? "x" : all;
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
  const auto refuse = [](std::string why) { return SafePath{{}, {}, std::move(why)}; };
  std::string name = decode_name(raw);
  std::string bytes(raw);  // other encodings have the same separators
  if (backslashes) {
    std::ranges::replace(name, '\\', '/');
    std::ranges::replace(bytes, '\\', '/');
  }
  if (name.size() > 1024) return refuse("its path is longer than 1024 bytes");
  if (name.find('\0') != std::string::npos) return refuse("its path holds a zero byte");
  if (name.starts_with('/')) return refuse("its path is absolute");
  if (name.size() >= 2 && name[1] == ':' && is_letter(name[0]))
    return refuse("its path names a drive");
  SafePath path;
  const std::vector<std::string_view> parts = split(name, '/'), as_written = split(bytes, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("its path leads out of the folder (..)");
    if (part.size() > 255) return refuse("a part of its path is longer than 255 bytes");
    std::string clean = clean_name(part);
    if (clean.empty() || clean == "." || clean == "..")
      return refuse("a part of its path has no readable name");
    path.parts.push_back(std::move(clean));
    path.raw.emplace_back(as_written.at(i));
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
