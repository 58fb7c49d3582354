// What is said of an edit, of every one that is made of kernels, also of broken ones: nothing here may end the grading.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/files.h"
#include "base/random.h"
#include "compile/outline.h"
#include "compile/small_edits.h"
#include "grade/change.h"
#include "grade/own_elements.h"
#include "grade/repair_search.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

namespace fs = std::filesystem;

/// Without a few bytes, with a bracket too many, or cut off.
std::string broken(std::string source, std::uint64_t seed) {
  const std::size_t at = random_bits(seed, 0) % source.size();
  switch (random_bits(seed, 1) % 3) {
    case 0:
      return source.erase(at, 1 + random_bits(seed, 2) % 6);
    case 1:
      return source.insert(at, 1, "()[]{};=*"[random_bits(seed, 2) % 9]);
    default:
      return source.substr(0, at);
  }
}

struct Counts {
  std::ptrdiff_t round = 0, square = 0, curly = 0;  ///< brackets that open, less those that close
  std::size_t lines = 0;
  bool operator==(const Counts&) const = default;
};

Counts counts_of(const std::string& text) {
  Counts counts;
  for (const char *at = text.data(), *end = at + text.size(); at != end; ++at) {
    counts.round += (*at == '(') - (*at == ')');
    counts.square += (*at == '[') - (*at == ']');
    counts.curly += (*at == '{') - (*at == '}');
  }
  counts.lines = split_lines(text).size();
  return counts;
}

void expect_said_of_each_edit(const std::string& source, std::uint64_t seed) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  std::string kernel;
  for (const compile::DeviceFunction& one : compile::device_functions_of(tokens))
    if (one.is_kernel && kernel.empty()) kernel = one.name;
  EXPECT_LE(reads_of_own_elements(source), tokens.size());
  const Counts before = counts_of(source);
  constexpr std::size_t kMost = 200;
  const auto suspect = static_cast<std::uint32_t>(1 + random_bits(seed, 3) % 40);
  for (const auto& [edit, why] : compile::small_edits(tokens, kernel, kMost, {suspect})) {
    const std::string edited = compile::apply_edit(source, edit);
    for (std::size_t k = 1; k < edit.size(); ++k)
      ASSERT_LE(edit[k - 1].end, edit[k].begin) << "parts overlap:\n" << edited;
    ASSERT_EQ(counts_of(edited), before)
        << "a bracket too many spoils what is compiled beside it, and an edit is shown beside its "
           "lines:\n"
        << edited;
    const std::vector<ChangedLine> lines = repairs::repair_of(source, edited).lines;
    for (const words::Message& said : describe_change(lines, source, why))
      EXPECT_FALSE(words::render(said).empty()) << edited;
  }
}

TEST(ChangeOfEdits, IsSaidOfEachInKernelsAndInBrokenOnes) {
  const fs::path folder = fs::path(LABKIT_SOURCE_DIR) / "grader/tests/cli/repaired";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_GT(files.size(), 100u);
  for (std::size_t i = 0; i < files.size(); i += 8) {
    SCOPED_TRACE(files[i]);
    const std::string source = read_file(files[i]);
    expect_said_of_each_edit(source, i);
    for (std::uint64_t seed = 8 * i; seed < 8 * i + 2; ++seed)
      expect_said_of_each_edit(broken(source, seed), seed);
  }
}

}  // namespace
}  // namespace labkit::grade
