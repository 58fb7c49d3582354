// The commands that the handouts show: the text between ```sh and ``` in handouts/pages and handouts/teachers. A comment in the
// line before a block can say more:
//
//   <!-- exit 1 -->          its exit code, or one of two: `exit 0 or 1`; without a comment it is 0
//   <!-- needs a GPU -->     skipped by name in tests
//   <!-- run by WHAT -->     the test or target that runs it instead
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace labkit::handouts {

struct Block {
  std::string page;      ///< "lab1"
  std::size_t line = 0;  ///< where the block begins
  std::string text;      ///< the commands
  std::vector<int> exits = {0};
  bool needs_gpu = false, run_elsewhere = false;
};

/// "real_gpu.md:10"
std::ostream& operator<<(std::ostream& out, const Block& block);

/// All blocks of all pages, page by page from top to bottom. Throws labkit::Error naming the page and line: an unknown
/// comment, a block without an end, a command outside of blocks.
std::vector<Block> find_blocks(const std::filesystem::path& handouts);
/// The blocks of one page's text.
std::vector<Block> blocks_of(const std::string& page, const std::string& text);

}  // namespace labkit::handouts
