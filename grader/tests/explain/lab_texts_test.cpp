// What labs say in other languages: that it fits the English, and what is missing.
#include "grade/lab_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "explain/hints.h"
#include "grade/known_figures.h"

namespace labkit::explain {
namespace {

namespace fs = std::filesystem;

const fs::path kLabs = fs::path(LABKIT_SOURCE_DIR) / "labs";

/// All that students see of it.
std::set<std::string> texts_of(const grade::Manifest& lab) {
  std::set<std::string> texts = {lab.title, lab.idea};
  for (const grade::Test& test : lab.tests) {
    texts.insert(test.about);
    if (!test.next.empty()) texts.insert(test.next);
    for (const grade::Gate& gate : test.gates) texts.insert({gate.reason, gate.next});
  }
  for (const grade::Prediction& prediction : lab.predictions) texts.insert(prediction.why);
  for (const grade::KnownTest& test : grade::load_known_figures(lab).tests)
    for (const grade::KnownAnswer& answer : test.answers) texts.insert(answer.name);
  for (const Hint& hint : load_hints(lab).own) texts.insert(hint.tiers.begin(), hint.tiers.end());
  return texts;
}

std::set<std::string> names_in(const std::string& text) {
  static const std::regex name("\\{\\w*\\}");
  return {std::sregex_token_iterator(text.begin(), text.end(), name), {}};
}

/// Who changes a text and does not know the language deletes the words "Complete: " at the beginning of the file.
void expect_complete(const std::set<std::string>& wanted, const fs::path& file) {
  if (!fs::exists(file) || !read_file(file).starts_with("# Complete: ")) return;
  const words::Texts texts = grade::read_texts(file);
  for (const std::string& text : wanted)
    EXPECT_TRUE(texts.contains(text)) << file << " lacks: " << text;
  for (const auto& [english, other] : texts)
    EXPECT_TRUE(wanted.contains(english)) << file << " has what no lab says: " << english;
}

TEST(LabTexts, AreCompleteWhereTheyClaimToBe) {
  std::set<std::string> common;
  for (const Hint& hint : parse_hints(read_file(kLabs / "hints.toml"), "hints.toml", nullptr))
    common.insert(hint.tiers.begin(), hint.tiers.end());
  expect_complete(common, kLabs / "zh.toml");
  for (const grade::Manifest& lab : grade::find_labs(LABKIT_SOURCE_DIR))
    expect_complete(texts_of(lab), lab.directory / "zh.toml");
}

/// All numbers and all code.
std::set<std::string> facts_in(const std::string& text) {
  static const std::regex fact("[0-9](?:[0-9.,]*[0-9])?|`[^`\\n]+`");
  return {std::sregex_token_iterator(text.begin(), text.end(), fact), {}};
}

TEST(LabTexts, OfTasksHaveTheSameNumbersAndCode) {
  for (const grade::Manifest& lab : grade::find_labs(LABKIT_SOURCE_DIR)) {
    const fs::path task = lab.directory / "README.zh.md";
    if (!fs::exists(task)) continue;
    EXPECT_EQ(facts_in(read_file(task)), facts_in(read_file(lab.directory / "README.md"))) << task;
  }
}

TEST(LabTexts, NameWhatTheEnglishNames) {
  const words::Texts texts = grade::read_lab_texts(kLabs, "zh");
  EXPECT_GT(texts.size(), 500u);
  for (const auto& [english, other] : texts)
    EXPECT_EQ(names_in(other), names_in(english)) << english;
  EXPECT_TRUE(grade::read_lab_texts(kLabs, "xx").empty());
}

}  // namespace
}  // namespace labkit::explain
