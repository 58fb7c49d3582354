// Messages as sentences, in the language of this process (words/language.h). Only what is read by people calls this: explain, report, the pages of a class and cli.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "words/language.h"
#include "words/message.h"

namespace labkit::words {

/// The message's row with its parameters put in:
///   {name}                 a number (with thousands separators from 10,000 on), a name, or "line 12" ("its line" where no line
///                          is known)
///   {name@}                a line of the source with its file: "kernel.cu:12"; the file alone where no line is known
///   {name?element|elements} the first where the number is 1, else the second
///   {name~}                a large number in round terms: "31 million"
///   {{ and }}              a brace
/// "" for Id::none. Throws std::logic_error for a parameter that the message lacks: a mistake of ours, which the tests find.
std::string render(const Message& message);

/// One after the other, in one line.
std::string render(const std::vector<Message>& messages);

/// The same of a row that is no message, since nothing keeps it: its texts as they are to be shown.
struct Text {
  std::string_view name, text;
};
std::string text(Id id, std::initializer_list<Text> texts = {});

/// One sentence after the other: a blank between them, but none behind a full stop that is wide.
std::string beside(std::string sentence, std::string_view next);

/// The row itself; English where the language has none.
std::string_view row_of(Id id);
/// By its name; "" for a name that no row has.
std::string_view row_of(std::string_view name);
/// In that language; "" where it has none.
std::string_view row_of(Id id, Language language);

/// "1234567" -> "1,234,567"
std::string with_commas(std::string digits);

}  // namespace labkit::words
