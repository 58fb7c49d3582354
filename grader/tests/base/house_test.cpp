// The rules of the house (ARCHITECTURE.md), checked on the sources themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/text.h"

namespace labkit {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LABKIT_SOURCE_DIR;

/// From the bottom up; a room may include itself and rooms that stand before it.
const std::vector<std::string> kRooms = {
    "base",   "words",  "process", "compile", "ptx",     "launch", "simt", "observe",
    "timing", "device", "grade",   "program", "explain", "report", "cli",  "class"};

/// `grader/compile` may stand above `ptx` in the list of rooms, but neither uses the other. What
/// each room may really include is what grader/CMakeLists.txt links.
std::vector<std::string> linked(const std::string& room, const std::string& cmake) {
  std::vector<std::string> may = {room};
  for (std::size_t i = 0; i < may.size(); ++i) {
    const std::regex line("labkit_room\\(" + may[i] + "((?: \\w+)*)\\)");
    std::smatch match;
    if (!std::regex_search(cmake, match, line)) continue;
    const std::string below = match[1];
    const std::regex word("\\w+");
    for (std::sregex_iterator it(below.begin(), below.end(), word), end; it != end; ++it)
      if (std::find(may.begin(), may.end(), it->str()) == may.end()) may.push_back(it->str());
  }
  return may;
}

std::size_t height(const std::string& room) {
  return static_cast<std::size_t>(std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin());
}

bool is_source(const fs::path& path) {
  static const std::vector<std::string> kExtensions = {".h", ".cpp", ".inl", ".def", ".in"};
  return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

std::vector<fs::path> sources_below(const fs::path& directory) {
  std::vector<fs::path> files;
  if (fs::exists(directory))
    for (const auto& entry : fs::recursive_directory_iterator(directory))
      if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  return files;
}

/// Rooms that a file includes, with the line.
std::vector<std::pair<std::string, std::size_t>> rooms_included(const fs::path& file) {
  static const std::regex kInclude("^\\s*#\\s*include\\s*\"([a-z]+)/");
  std::vector<std::pair<std::string, std::size_t>> rooms;
  const std::string text = read_file(file);
  const auto lines = split_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::cmatch match;
    if (std::regex_search(lines[i].data(), lines[i].data() + lines[i].size(), match, kInclude) &&
        height(match[1]) < kRooms.size())
      rooms.emplace_back(match[1], i + 1);
  }
  return rooms;
}

std::string short_name(const fs::path& path) { return fs::relative(path, kRoot).string(); }

TEST(House, EveryFolderOfTheGraderIsARoom) {
  for (const auto& entry : fs::directory_iterator(kRoot / "grader")) {
    if (!entry.is_directory() || entry.path().filename() == "tests") continue;
    EXPECT_LT(height(entry.path().filename()), kRooms.size())
        << short_name(entry.path()) << " is not in ARCHITECTURE.md's list";
  }
}

TEST(House, DependenciesPointDownwards) {
  const std::string cmake = read_file(kRoot / "grader" / "CMakeLists.txt");
  std::size_t includes = 0;
  for (const std::string& room : kRooms) {
    const auto may = linked(room, cmake);
    for (const std::string& below : may)
      EXPECT_LE(height(below), height(room)) << room << " links " << below << ", which is above it";
    for (const fs::path& file : sources_below(kRoot / "grader" / room))
      for (const auto& [other, line] : rooms_included(file)) {
        ++includes;
        EXPECT_NE(std::find(may.begin(), may.end(), other), may.end())
            << short_name(file) << ':' << line << " includes " << other << ", but " << room
            << " may include only the rooms below it (grader/CMakeLists.txt)";
      }
  }
  EXPECT_GT(includes, 50u) << "the scan found almost nothing: is it broken?";
}

TEST(House, ATestIncludesItsRoomAndThoseBelow) {
  const std::string cmake = read_file(kRoot / "grader" / "CMakeLists.txt");
  for (const std::string& room : kRooms) {
    const auto may = linked(room, cmake);
    for (const fs::path& file : sources_below(kRoot / "grader" / "tests" / room))
      for (const auto& [other, line] : rooms_included(file))
        EXPECT_NE(std::find(may.begin(), may.end(), other), may.end())
            << short_name(file) << ':' << line << " tests " << room << " but includes " << other;
  }
}

// Machines read fields, people read prose: what observes, simulates and compiles never makes a sentence.
TEST(House, SentencesAreMadeLast) {
  const auto rooms = {"base", "process", "compile", "ptx",   "launch",
                      "simt", "observe", "timing",  "device"};
  for (const std::string room : rooms)
    for (const fs::path& file : sources_below(kRoot / "grader" / room))
      EXPECT_EQ(read_file(file).find("words/render.h"), std::string::npos)
          << short_name(file) << " makes sentences; it should hand on a words::Message";
}

// A search for three words or more is one in prose. What others write (the compiler, PTX, the driver) may be read so.
TEST(House, NothingSearchesASentence) {
  const std::regex search(
      R"re(\.(?:r?find|starts_with|ends_with|contains)\(\s*"[^"]*[A-Za-z,.:]+ [A-Za-z`]+ [A-Za-z`]+[^"]*")re");
  const std::vector<std::string> of_others = {"detected in the compilation of",
                                              "// begin inline asm"};
  for (const std::string& room : kRooms)
    for (const fs::path& file : sources_below(kRoot / "grader" / room)) {
      const std::string text = read_file(file);
      for (std::sregex_iterator it(text.begin(), text.end(), search), end; it != end; ++it) {
        const bool is_known = std::any_of(
            of_others.begin(), of_others.end(),
            [&](const std::string& words) { return it->str().find(words) != std::string::npos; });
        EXPECT_TRUE(is_known) << short_name(file) << " searches a sentence: " << it->str();
      }
    }
}

/// The string literals of a source, those that stand side by side as one.
std::vector<std::string> literals(const std::string& text) {
  std::vector<std::string> found;
  std::size_t end_of_last = std::string::npos;
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at)) {
    const std::size_t begin = ++at;
    while (at < text.size() && text[at] != '"' && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) break;
    const std::string one = text.substr(begin, at - begin);
    const bool goes_on = end_of_last != std::string::npos &&
                         trim(text.substr(end_of_last, begin - 1 - end_of_last)).empty();
    if (goes_on)
      found.back() += one;
    else
      found.push_back(one);
    end_of_last = ++at;
  }
  return found;
}

/// Each six words that stand side by side; what braces hold is filled in later and stands between.
std::set<std::string> six_words(const std::string& sentence) {
  static const std::regex part("\\{[^}]*\\}|\\\\n|[\\w'`]+");
  std::set<std::string> found;
  std::vector<std::string> words;
  for (std::sregex_iterator it(sentence.begin(), sentence.end(), part), end; it != end; ++it) {
    if (it->str().front() == '{') words.clear();
    if (it->str().front() == '{' || it->str().front() == '\\') continue;
    words.push_back(it->str());
    if (words.size() > 6) words.erase(words.begin());
    if (words.size() == 6) found.insert(joined(words, " "));
  }
  return found;
}

// What is for students is a row; what is for the machine's owner is an Error.
TEST(House, WhatMakesMessagesHoldsNoSentence) {
  std::size_t files = 0;
  const auto rooms = {"compile", "launch", "simt", "observe", "device"};
  for (const std::string room : rooms)
    for (const fs::path& file : sources_below(kRoot / "grader" / room)) {
      const std::string text = read_file(file);
      const bool is_for_owner =
          text.find("Error(") != std::string::npos || file.filename() == "cuda_findings.cpp";
      const bool writes_code = short_name(file).ends_with("_edits.cpp");
      if (text.find("Id::") == std::string::npos || is_for_owner || writes_code) continue;
      ++files;
      static const std::regex no_literal("//[^\n]*|'\"'");  // a quotation mark there begins none
      for (const std::string& literal : literals(std::regex_replace(text, no_literal, "")))
        EXPECT_TRUE(six_words(literal).empty())
            << short_name(file) << " holds a sentence, which should be a row: " << literal;
    }
  EXPECT_GT(files, 10u);
}

// So that a sentence can be improved at the price of one test.
TEST(House, NoSentenceIsQuotedInTwoTests) {
  std::map<std::string, std::string> row_of;  // six words -> the row that has them
  for (const auto& entry : fs::directory_iterator(kRoot / "grader/words/english")) {
    if (entry.path().filename() == "figures.def") continue;  // names, not sentences
    const std::string text = read_file(entry.path());
    for (std::size_t at = text.find("MESSAGE("); at != std::string::npos;) {
      const std::size_t next = text.find("MESSAGE(", at + 1);
      const std::string one = text.substr(at, next - at);
      const std::string id = one.substr(8, one.find(',') - 8);
      for (const std::string& sentence : literals(one))
        for (const std::string& words : six_words(sentence)) row_of[words] = id;
      at = next;
    }
  }
  EXPECT_GT(row_of.size(), 500u);
  std::map<std::string, std::set<std::string>> quoted_in;  // row -> files
  for (const fs::path& file : sources_below(kRoot / "grader/tests"))
    for (const std::string& literal : literals(read_file(file)))
      for (const std::string& words : six_words(literal))
        if (const auto found = row_of.find(words); found != row_of.end())
          quoted_in[found->second].insert(short_name(file));
  for (const auto& [id, files] : quoted_in)
    EXPECT_EQ(files.size(), 1u) << id << " is quoted in " << joined(files)
                                << ": check its id or its parameters instead";
}

TEST(House, HeadersGuardThemselves) {
  for (const fs::path& file : sources_below(kRoot / "grader")) {
    if (file.extension() != ".h") continue;
    EXPECT_NE(read_file(file).find("#pragma once"), std::string::npos)
        << short_name(file) << " lacks #pragma once";
  }
}

// g++ 12's library declares them in passing, that of g++ 13 (Ubuntu 24.04) does not.
TEST(House, HeadersIncludeTheSizedIntegersThatTheyUse) {
  const std::regex sized("std::u?int(8|16|32|64|max|ptr)_t");
  for (const fs::path& file : sources_below(kRoot / "grader")) {
    if (file.extension() != ".h") continue;
    const std::string text = read_file(file);
    if (!std::regex_search(text, sized)) continue;
    EXPECT_NE(text.find("#include <cstdint>"), std::string::npos)
        << short_name(file) << " uses a type of <cstdint>; include it there";
  }
}

TEST(House, PackagesAreFoundThroughTheOneList) {
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "grader")) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cmake" && file.filename() != "CMakeLists.txt") continue;
    if (file.filename() == "dependencies.cmake") continue;
    const std::string text = read_file(file);
    for (const std::string_view line : split_lines(text))
      EXPECT_TRUE(!trim(line).starts_with("find_package(") ||
                  trim(line).starts_with("find_package(Threads"))
          << short_name(file)
          << ": use labkit_find_package, and list the package in grader/dependencies.cmake";
  }
}

// GoogleTest skips the tests of a suite whose set-up failed, and CTest takes that for "not here".
TEST(House, ASuitesSetUpFailsAsATest) {
  for (const fs::path& file : sources_below(kRoot / "grader" / "tests")) {
    if (file == fs::path(__FILE__)) continue;
    const std::string text = read_file(file);
    if (text.find("void SetUpTestSuite() {") == std::string::npos) continue;
    EXPECT_NE(text.find("= failure_of("), std::string::npos)
        << short_name(file) << ": see grader/tests/base/set_up.h";
  }
}

/// Tables (.def) may be long; tests have more to set up.
TEST(House, FilesStayReadable) {
  for (const fs::path& file : sources_below(kRoot / "grader")) {
    if (file.extension() == ".def") continue;
    const bool is_test = short_name(file).starts_with("grader/tests/");
    const std::string text = read_file(file);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), is_test ? 650 : 500)
        << short_name(file) << " is too long";
  }
}

}  // namespace
}  // namespace labkit
