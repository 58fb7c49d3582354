// How text looks where it goes: colour and more than ASCII only on a terminal that wants them.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "explain/words.h"

namespace labkit::report {

struct Style {
  bool colour = false;
  bool unicode = false;
  std::size_t columns =
      0;  ///< at which sentences wrap, between words or wide characters; 0: nowhere

  std::string good(std::string_view text) const;  ///< green
  std::string bad(std::string_view text) const;   ///< red
  std::string dim(std::string_view text) const;
  std::string bold(std::string_view text) const;
};

/// 80 columns on a terminal. Colour on one, unless NO_COLOR is set and not empty (no-color.org) or TERM is dumb;
/// unicode where the locale of the environment says UTF-8.
Style style_for(std::FILE* stream);

/// What a kernel's text or a student's name may do to a terminal: nothing. Control characters become
/// \xNN, what turns the direction of writing or is not seen \uNNNN; line ends and tabs stay.
std::string printable(std::string_view text);

inline void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

/// Columns on a terminal: a Chinese character takes two, a mark above a letter or an escape sequence none.
std::size_t width(std::string_view text);

/// `text` in lines of at most `most` columns, broken at blanks and between wide characters, each after `indent`. No line begins with
/// what closes (a full stop, a bracket) or ends with what opens.
std::string wrapped(std::string_view text, std::size_t most, std::string_view indent);

/// Each line made printable, after `indent`, and wrapped where it is wider than the terminal; its own indent is kept.
std::string lines_text(const std::vector<std::string>& lines, const Style& style,
                       std::string_view indent);

/// The beginning of a line that fits into so many columns; escape sequences take none.
std::string clipped(std::string_view line, std::size_t columns);

/// Columns of text aligned with two blanks between them; numbers (columns in `right`) to the right.
/// Where a row is wider than `columns` (0: never), its last cell wraps.
std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                  std::size_t columns = 0);

/// "lead: what failed", and below it the remedy.
std::string error_text(std::string_view lead, const Error& error, const Style& style);

/// What a kernel printed: at most `most` lines, each behind a bar, so that none can pass for one of ours, and how many more
/// there are; `rest` says where they stand: "labkit profile --json FILE".
std::string printed_lines(std::string_view printed, std::size_t most, std::string_view rest = {});

/// Those lines of `source` with their numbers; carets below the access to `array` where a line has only one. "" where
/// `source` has no such line.
std::string source_lines(std::string_view source, const std::vector<explain::LineAtFault>& lines,
                         const Style& style, std::string_view indent);

}  // namespace labkit::report
