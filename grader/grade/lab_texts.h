// What labs say in another language: labs/zh.toml and labs/<lab>/zh.toml, a line each: "English" = "the same in that language". A text is
// found by its English, so that of one which has changed nobody reads what it said before.
#pragma once
#include <filesystem>
#include <string_view>

#include "words/language.h"

namespace labkit::grade {

/// Of all labs in that folder. `language` as in words::code_of().
words::Texts read_lab_texts(const std::filesystem::path& labs, std::string_view language);
/// Of one file; none where it does not exist.
words::Texts read_texts(const std::filesystem::path& file);

}  // namespace labkit::grade
