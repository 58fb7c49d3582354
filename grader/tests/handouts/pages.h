// The commands that the handouts show: what stands between ```sh and ``` in handouts/pages and handouts/teachers. A comment in
// the line before says what to make of a block:
//
//   <!-- exit 1 -->          its exit code, or one of two: `exit 0 or 1`; without a comment it is 0
//   <!-- needs a GPU -->     not run where tests run; skipped by name
//   <!-- run by WHAT -->     WHAT is the test or the target that runs it
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace labkit::handouts {

struct Block {
  std::string page;      ///< "lab1"
  std::size_t line = 0;  ///< of the page, where the block begins
  std::string text;      ///< as it is typed
  std::vector<int> exits = {0};
  bool needs_gpu = false, run_elsewhere = false;
};

/// "real_gpu.md:10"
std::ostream& operator<<(std::ostream& out, const Block& block);

/// All blocks of all pages, page by page from top to bottom. Throws labkit::Error naming the page and line: a comment that is
/// none of the three, a block without an end, a command that stands in no block.
std::vector<Block> find_blocks(const std::filesystem::path& handouts);
/// The same of one page's text.
std::vector<Block> blocks_of(const std::string& page, const std::string& text);

}  // namespace labkit::handouts
