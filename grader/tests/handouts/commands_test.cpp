// Runs every command of the handouts in a copy of the kit's folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "compile/compile.h"
#include "kit_folder.h"
#include "pages.h"

namespace labkit::handouts {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = LABKIT_SOURCE_DIR;

std::vector<Block> all_blocks() { return find_blocks(kRoot / "handouts"); }

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages;
  for (const Block& block : all_blocks())
    if (pages.empty() || pages.back() != block.page) pages.push_back(block.page);
  return pages;
}

std::vector<Block> blocks_for_a_gpu() {
  std::vector<Block> blocks = all_blocks();
  std::erase_if(blocks, [](const Block& block) { return !block.needs_gpu; });
  return blocks;
}

class HandoutPage : public testing::TestWithParam<std::string> {};

TEST_P(HandoutPage, EachCommandDoesWhatThePageSays) {
  try {
    compile::find_nvrtc();
  } catch (const compile::NoNvrtc&) {
    GTEST_SKIP() << "skipped: there is no NVRTC";
  }
  const KitFolder folder;
  for (const Block& block : all_blocks()) {
    if (block.page != GetParam() || block.needs_gpu || block.run_elsewhere) continue;
    const process::Result result = folder.type(block.text);
    const bool ended = result.end == process::End::exited;
    EXPECT_TRUE(ended && std::count(block.exits.begin(), block.exits.end(), result.exit_code))
        << block.page << ".md:" << block.line << ": " << process::describe(result, {}) << "\n"
        << block.text << result.out << result.err;
  }
}

INSTANTIATE_TEST_SUITE_P(All, HandoutPage, testing::ValuesIn(pages_with_commands()),
                         [](const auto& page) { return page.param; });

class HandoutCommandForAGpu : public testing::TestWithParam<Block> {};

TEST_P(HandoutCommandForAGpu, IsNotRunHere) {
  GTEST_SKIP() << "skipped: " << GetParam().page << ".md:" << GetParam().line << " needs a GPU:\n"
               << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(All, HandoutCommandForAGpu, testing::ValuesIn(blocks_for_a_gpu()),
                         [](const auto& block) {
                           return block.param.page + "_line_" + std::to_string(block.param.line);
                         });

TEST(HandoutPages, MarksAreReadAndTheRestIsRefused) {
  const auto blocks = blocks_of("p",
                                "# P\n```sh\ntrue\n```\n<!-- exit 0 or 3 "
                                "-->\n```sh\na\nb\n```\n<!-- needs a GPU -->\n```sh\nc\n```\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].exits, std::vector<int>{0});
  EXPECT_EQ(blocks[0].line, 2u);
  EXPECT_EQ(blocks[1].exits, (std::vector<int>{0, 3}));
  EXPECT_EQ(blocks[1].text, "a\nb\n");
  EXPECT_TRUE(blocks[2].needs_gpu);
  EXPECT_THROW(blocks_of("p", "<!-- not today -->\n```sh\ntrue\n```\n"), Error);
  EXPECT_THROW(blocks_of("p", "```sh\ntrue\n"), Error);
  EXPECT_THROW(blocks_of("p", "Type\n\n    ./kit grade lab1\n"), Error);
  EXPECT_THROW(blocks_of("p", "```text\n./kit grade lab1\n```\n"), Error);
}

TEST(HandoutPages, AChapterIsAboutALabAndHasAnswers) {
  std::set<std::string> labs;
  for (const auto& entry : fs::directory_iterator(kRoot / "labs")) {
    const std::string folder = entry.path().filename();
    if (fs::exists(entry.path() / "lab.toml")) labs.insert(folder.substr(0, folder.find('_')));
  }
  int chapters = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "handouts/pages")) {
    const std::string id = entry.path().stem();
    if (id.rfind("lab", 0) != 0) continue;
    ++chapters;
    EXPECT_TRUE(labs.count(id)) << entry.path() << " is about no lab";
    EXPECT_TRUE(!fs::exists(kRoot / "handouts/teachers") ||
                fs::exists(kRoot / "handouts/teachers" / (id + "_answers.md")))
        << id;
  }
  EXPECT_GE(chapters, 10);
}

}  // namespace
}  // namespace labkit::handouts
