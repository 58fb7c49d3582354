// The language in which this process renders messages. English unless somebody chooses: what teachers and machines read stays so.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace labkit::words {

enum class Language : std::uint8_t { english, chinese };

Language language();
void use_language(Language language);

/// "en" and "zh".
std::string_view code_of(Language language);
std::optional<Language> language_from_code(std::string_view code);
/// What LC_ALL, LC_MESSAGES and LANG say, the first that is set: Simplified Chinese (zh, zh_CN, zh_SG, zh_Hans) in UTF-8, else
/// English.
Language language_of_environment();

/// Texts that labs bring along (titles, reasons, hints), by their English.
using Texts = std::map<std::string, std::string, std::less<>>;
void add_texts(Texts texts);
/// The same text where none was added for it.
std::string translated(std::string_view english);

}  // namespace labkit::words
