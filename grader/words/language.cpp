#include "words/language.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace labkit::words {
namespace {

// Set once, before anything is rendered.
Language chosen = Language::english;
Texts texts_of_labs;

constexpr std::string_view kCodes[] = {"en", "zh"};  // by Language

}  // namespace

Language language() { return chosen; }
void use_language(Language language) { chosen = language; }

std::string_view code_of(Language language) { return kCodes[static_cast<std::size_t>(language)]; }

std::optional<Language> language_from_code(std::string_view code) {
  const auto* const at = std::ranges::find(kCodes, code);
  if (at == std::end(kCodes)) return std::nullopt;
  return static_cast<Language>(at - std::begin(kCodes));
}

Language language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {  // POSIX, 8.2
    const char* const set = std::getenv(name);
    if (set == nullptr || *set == '\0') continue;
    // "zh_CN.UTF-8@modifier"
    const std::string_view locale =
        std::string_view(set).substr(0, std::string_view(set).find('@'));
    const std::size_t dot = locale.find('.');
    std::string place(locale.substr(0, dot)),
        charset(dot == std::string_view::npos ? "UTF-8" : locale.substr(dot + 1));
    std::ranges::replace(place, '-', '_');
    std::ranges::transform(charset, charset.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    const bool is_simplified = place == "zh" || place.starts_with("zh_CN") ||
                               place.starts_with("zh_SG") || place.starts_with("zh_Hans");
    const bool is_unicode = charset == "UTF-8" || charset == "UTF8";
    return is_simplified && is_unicode ? Language::chinese : Language::english;
  }
  return Language::english;
}

void add_texts(Texts texts) { texts_of_labs.merge(std::move(texts)); }

std::string translated(std::string_view english) {
  const auto found = texts_of_labs.find(english);
  return found == texts_of_labs.end() ? std::string(english) : found->second;
}

}  // namespace labkit::words
