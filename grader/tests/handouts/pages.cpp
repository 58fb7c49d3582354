#include "pages.h"

#include <algorithm>
#include <ostream>
#include <regex>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace labkit::handouts {
namespace {

[[noreturn]] void refuse(const std::string& page, std::size_t line, const std::string& what) {
  throw Error("handouts: " + page + ".md:" + std::to_string(line) + ": " + what,
              "grader/tests/handouts/pages.h says how a page marks its commands");
}

/// Reads the line before a block; ignores it if it is not a comment.
void read_mark(const std::string& before, Block& block) {
  std::smatch found;
  if (!std::regex_match(before, found, std::regex("<!-- (.*) -->"))) return;
  const std::string mark = found[1];
  if (mark == "needs a GPU") {
    block.needs_gpu = true;
  } else if (mark.rfind("run by ", 0) == 0) {
    block.run_elsewhere = true;
  } else if (std::regex_match(mark, found, std::regex("exit (\\d)( or (\\d))?"))) {
    block.exits = {std::stoi(found[1])};
    if (found[3].matched) block.exits.push_back(std::stoi(found[3]));
  } else {
    refuse(block.page, block.line, "unknown comment: " + mark);
  }
}

bool looks_like_a_command(const std::string& line) {
  static const std::regex kCommand("\\s*(\\./kit|ctest|cmake|ncu|nvcc|compute-sanitizer) .*");
  return std::regex_match(line, kCommand);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Block& block) {
  return out << block.page << ".md:" << block.line;
}

std::vector<Block> blocks_of(const std::string& page, const std::string& text) {
  std::vector<Block> blocks;
  std::string before;
  bool fenced = false, commands = false;
  std::size_t number = 0;
  for (const std::string_view view : split_lines(text)) {
    const std::string line(view);
    ++number;
    if (line.rfind("```", 0) == 0) {
      fenced = !fenced;
      commands = fenced && line == "```sh";
      if (commands) {
        blocks.emplace_back();
        blocks.back().page = page;
        blocks.back().line = number;
        read_mark(before, blocks.back());
      }
    } else if (commands) {
      blocks.back().text += line + "\n";
    } else if (looks_like_a_command(line)) {
      refuse(page, number, "a command outside of a block of ```sh: " + line);
    }
    before = line;
  }
  if (fenced) refuse(page, number, "a block without an end");
  return blocks;
}

std::vector<Block> find_blocks(const std::filesystem::path& handouts) {
  std::vector<std::filesystem::path> pages;
  for (const char* folder : {"pages", "teachers"}) {
    if (!std::filesystem::exists(handouts / folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(handouts / folder))
      if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  std::vector<Block> all;
  for (const auto& page : pages) {
    auto blocks = blocks_of(page.stem().string(), read_file(page));
    all.insert(all.end(), blocks.begin(), blocks.end());
  }
  return all;
}

}  // namespace labkit::handouts
