// Text as characters: what names and file names of any script need, by utf8proc.
#pragma once
#include <string>
#include <string_view>

namespace labkit::course {

/// Invalid bytes become U+FFFD.
std::u32string characters(std::string_view utf8);
std::string utf8(std::u32string_view characters);

std::u32string from_utf16(std::string_view bytes, bool big_endian);
/// Most exports of spreadsheets that are not UTF-8.
std::u32string from_windows_1252(std::string_view bytes);
/// What zip files of DOS and of old programs hold.
std::u32string from_code_page_437(std::string_view bytes);

bool is_alphabetic(char32_t c);
/// An accent, a vowel sign: part of the letter before it.
bool is_mark(char32_t c);
bool is_letter_or_number(char32_t c);  ///< a decimal digit of any script
/// Control and format characters (those that turn the direction among them) and line separators.
bool is_invisible(char32_t c);
/// Character by character: U+0130 becomes "i", and a sigma at the end of a word the usual one.
char32_t lower_case(char32_t c);

enum class NormalForm { composed, compatible_decomposed, compatible_folded };
/// NFC, NFKD or NFKC_Casefold.
std::string normalized(std::string_view utf8, NormalForm form);

}  // namespace labkit::course
