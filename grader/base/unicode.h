// Text in any script, and in the encodings that files and archives really hold. Everything that leaves here is UTF-8; names are
// in Unicode's normal form C.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace labkit {

/// Text of a file: UTF-8 (a byte order mark is taken off), UTF-16 with a byte order mark, else Windows-1252.
std::string decode_text(std::string_view bytes);
/// "it is a PDF by another name"; "" for what may be text.
std::string why_no_text(std::string_view bytes);
/// A source file: decoded only if it begins with a byte order mark, else as it is; its lines end in \n where they did in \r alone.
std::string decode_source(std::string_view bytes);

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

/// For an id, and so the name of files: letters and digits of any script in small letters, in one spelling of those
/// that a disk may take for one; what lies between them one '-'; at most 80 bytes. "x" if nothing is left.
std::string slug(std::string_view utf8);

}  // namespace labkit
