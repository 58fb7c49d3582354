// What the tests of messages share.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "words/render.h"

namespace labkit::compile {

using words::Id;
using words::Message;
using words::SourceLine;

/// That it is a row in each language, and no sentence of ours in another's parameters.
inline void expect_message(const Message& message) {
  // what the compiler or the source says
  const auto of_others = {"text", "signature", "wanted"};
  const std::string name(name_of(message.id));
  for (const auto language : {words::Language::english, words::Language::chinese})
    EXPECT_NE(words::row_of(message.id, language), "") << name;
  EXPECT_NE(words::render(message), "") << name;
  for (const words::Parameter& one : message.parameters) {
    const auto* text = std::get_if<std::string>(&one.value);
    if (text == nullptr || std::ranges::count(of_others, one.name) != 0) continue;
    const std::string_view of_names = ",";  // "`a`, `b`"
    std::size_t words = 0;
    for (std::size_t at = text->find(' '); at != std::string::npos; at = text->find(' ', at + 1))
      words += at == 0 || of_names.find((*text)[at - 1]) == std::string_view::npos;
    EXPECT_LE(words, 2u) << name << " has a sentence in " << one.name << ": " << *text;
  }
}

/// The only one, if it is as above.
inline Message only(const std::vector<Message>& messages) {
  EXPECT_EQ(messages.size(), 1u) << words::render(messages);
  for (const Message& one : messages) expect_message(one);
  return messages.empty() ? Message{} : messages.front();
}

/// "" if it has no such parameter.
inline std::string text_of(const Message& message, std::string_view parameter) {
  const words::Value* value = message.find(parameter);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}
/// Its parameter "at"; line 0 if it has none.
inline SourceLine place_of(const Message& message) {
  const words::Value* value = message.find("at");
  const auto* place = value == nullptr ? nullptr : std::get_if<SourceLine>(value);
  return place == nullptr ? SourceLine{} : *place;
}

}  // namespace labkit::compile
