#include "class/intake/names.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
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
  UErrorCode code = U_ZERO_ERROR;
  UConverter* converter = ucnv_open(code_page, &code);
  require(code, code_page);
  icu::UnicodeString text;
  const auto room = static_cast<std::int32_t>(bytes.size() * 2 + 8);
  const std::int32_t length = ucnv_toUChars(converter, text.getBuffer(room), room, bytes.data(),
                                            static_cast<std::int32_t>(bytes.size()), &code);
  text.releaseBuffer(U_SUCCESS(code) ? length : 0);
  ucnv_close(converter);
  require(code, code_page);
  return text;
}

bool is_utf8(std::string_view bytes) { return to_valid_utf8(bytes) == bytes; }

const icu::Normalizer2& normal_form_c() {
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(code);
  require(code, "NFC");
  return *form;
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
  UErrorCode code = U_ZERO_ERROR;
  const icu::Normalizer2* fold = icu::Normalizer2::getNFKCCasefoldInstance(code);
  require(code, "NFKC_Casefold");
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFKDInstance(code);
  require(code, "NFKD");
  const icu::UnicodeString low = fold->normalize(unicode(text), code);
  require(code, "fold");
  const icu::UnicodeString apart = decompose->normalize(low, code);
  require(code, "decompose");
  icu::UnicodeString kept;
  each_character(apart, [&](UChar32 c) {
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
  UErrorCode code = U_ZERO_ERROR;
  const icu::UnicodeString normal = normal_form_c().normalize(unicode(to_valid_utf8(text)), code);
  require(code, "normalise");
  icu::UnicodeString clean;
  each_character(normal, [&](UChar32 c) {
    clean.append(u_iscntrl(c) || turns_direction(c) || c == 0x2028 || c == 0x2029 ? UChar32{' '}
                                                                                  : c);
  });
  return std::string(trim(utf8(clean)));
}

std::string fold_name(std::string_view text) { return joined(words_of(folded(text)), ""); }

std::string fold_words(std::string_view text) {
  std::vector<std::string> words = words_of(folded(text));
  std::sort(words.begin(), words.end());
  return joined(words, " ");
}

std::string slug(std::string_view text) {
  icu::UnicodeString low = unicode(clean_name(text));
  low.toLower(icu::Locale::getRoot());
  const std::string all = cut_utf8(joined(words_of(low), "-"), 80);
  return all.empty() ? "x" : all;
}

std::string spelt_out(std::string_view raw) {
  std::string text;
  if (!is_utf8(raw)) {
    for (const char c : raw)
      text += static_cast<unsigned char>(c) < 0x80
                  ? std::string(1, c)
                  : fmt::format("<{:02X}>", static_cast<unsigned char>(c));
    return text;
  }
  UErrorCode code = U_ZERO_ERROR;
  const icu::UnicodeString whole = unicode(raw);
  const bool composed = normal_form_c().isNormalized(whole, code) != 0;
  require(code, "NFC");
  const std::string_view inner = trim(raw);
  const auto edge = static_cast<std::size_t>(inner.data() - raw.data());
  std::size_t at = 0;
  each_character(whole, [&](UChar32 c) {
    const std::string one = utf8(icu::UnicodeString(c));
    const bool outside = inner.empty() || at < edge || at >= edge + inner.size();
    const bool shown = !outside && !u_iscntrl(c) && !turns_direction(c) && c != 0x2028 &&
                       c != 0x2029 && (composed || c < 0x80);
    // Letters that are decomposed show their marks; what is no mark is only of another form.
    if (shown || (!outside && !composed && u_isalnum(c) && normal_form_c().isInert(c)))
      text += one;
    else if (c == ' ')
      text += "␣";
    else
      text += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c));
    at += one.size();
  });
  return text;
}

SafePath take_apart(std::string_view raw, bool backslashes, std::size_t max_depth) {
  SafePath path;
  const auto refuse = [&](std::string why) {
    path.parts.clear();
    path.raw.clear();
    path.refusal = std::move(why);
    return path;
  };
  std::string name = decode_name(raw);
  std::string bytes(raw);  // other encodings have the same separators
  if (backslashes) {
    std::replace(name.begin(), name.end(), '\\', '/');
    std::replace(bytes.begin(), bytes.end(), '\\', '/');
  }
  if (name.size() > 1024) return refuse("its path is longer than 1024 bytes");
  if (name.find('\0') != std::string::npos) return refuse("its path holds a zero byte");
  if (name.starts_with('/')) return refuse("its path is absolute");
  if (name.size() >= 2 && name[1] == ':' && is_letter(name[0]))
    return refuse("its path names a drive");
  std::string_view rest = name, rest_of_bytes = bytes;
  const auto next = [](std::string_view& text) {
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
    return part;
  };
  while (!rest.empty()) {
    const std::string_view part = next(rest), as_written = next(rest_of_bytes);
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("its path leads out of the folder (..)");
    if (part.size() > 255) return refuse("a part of its path is longer than 255 bytes");
    std::string clean = clean_name(part);
    if (clean.empty() || clean == "." || clean == "..")
      return refuse("a part of its path has no readable name");
    path.parts.push_back(std::move(clean));
    path.raw.emplace_back(as_written);
  }
  if (path.parts.empty()) return refuse("its path is empty");
  if (path.parts.size() > max_depth) return refuse("it lies too many folders deep");
  return path;
}

std::string cut_utf8(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace labkit::course
