// Names as they come: of people, files and folders, in any script and in the encodings that zip
// files really hold. Everything that leaves here is UTF-8 in Unicode's normal form C.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace labkit::course {

/// Text of a file: UTF-8 (a byte order mark is taken off), UTF-16 with a byte order mark, else Windows-1252.
std::string decode_text(std::string_view bytes);

/// A name inside an archive: UTF-8 where it is; else whichever of CP437 (what the zip format says)
/// and Windows-1252 (what Windows programs write) reads as letters.
std::string decode_name(std::string_view bytes);

/// To be shown and stored: normal form C; control characters and those that turn the direction of
/// writing become blanks; blanks at both sides go.
std::string clean_name(std::string_view utf8);

/// As a disk sees it that ignores case and normal forms (those of macOS and Windows do).
std::string fold_case(std::string_view utf8);

/// To be compared: letters and digits only, case folded, accents of Latin, Greek and Cyrillic
/// letters left out. "Müller, Ana-Sofía" and "muller ana sofia" give the same.
std::string fold_name(std::string_view utf8);
/// The folded words, sorted: "Ana Müller" and "Müller, Ana" give the same.
std::vector<std::string> folded_words(std::string_view utf8);
/// The same with a blank between.
std::string fold_words(std::string_view utf8);

/// Every way in which a name may be squashed or turned around: two that share one of these are one ("libo", "Li, Bo").
/// Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name);

/// A student's id, and so the name of files: letters and digits of any script in small letters, in one spelling of those
/// that a disk may take for one; what lies between them one '-'; at most 80 bytes. "x" if nothing is left.
std::string slug(std::string_view utf8);

struct SafePath {
  std::vector<std::string> parts;  ///< cleaned; never empty, ".", ".." or with a '/'
  std::string refusal;             ///< why it must not be used; then `parts` is empty
};
/// Refuses absolute paths, drive letters, "..", empty names, parts over 255 bytes, more than `max_depth` parts and more than
/// 1024 bytes in all. `backslashes`: they separate too (zip files from Windows).
SafePath take_apart(std::string_view raw, bool backslashes, std::size_t max_depth = 32);

}  // namespace labkit::course
