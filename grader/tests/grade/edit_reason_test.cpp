// The reason that an edit brings along, held against the kernels that a change makes right (tests/cli/repaired): `// why: ID`
// in the head of those whose change has one.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "compile/outline.h"
#include "compile/small_edits.h"
#include "grade/repair_search.h"

namespace labkit::grade {
namespace {

namespace fs = std::filesystem;

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const std::string_view part : split_lines(text))
    line += (line.empty() ? "" : " ") + std::string(trim(part));
  return line;
}

/// Of the edits that come to these lines, why.
std::string reason_of_edit(const std::string& source, const std::vector<std::string>& wanted) {
  const compile::Tokens tokens(source, compile::Tokens::Keep::code);
  for (const compile::DeviceFunction& function : compile::device_functions_of(tokens)) {
    if (!function.is_kernel) continue;
    for (const auto& [edit, why] :
         compile::small_edits(tokens, std::string(function.name), repairs::kMostEdits)) {
      if (!why) continue;
      std::vector<std::string> changed;
      for (const ChangedLine& line :
           repairs::repair_of(source, compile::apply_edit(source, edit)).lines)
        changed.push_back(in_one_line(line.after));
      if (changed == wanted) return std::string(words::name_of(why.id));
    }
  }
  return {};
}

TEST(EditReason, IsThatOfEachKernelThatAChangeMakesRight) {
  const fs::path folder = fs::path(LABKIT_SOURCE_DIR) / "grader/tests/cli/repaired";
  std::set<std::string> seen;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".cu") continue;
    const std::string source = read_file(entry.path().string(), 1 << 20);
    std::string reason;
    std::vector<std::string> wanted;
    for (const std::string_view line : split_lines(source)) {
      if (line.starts_with("// change:")) wanted.emplace_back(trim(line.substr(10)));
      if (line.starts_with("// why: ")) reason = line.substr(8);
    }
    EXPECT_EQ(reason_of_edit(source, wanted), reason) << entry.path().filename();
    seen.insert(reason);
  }
  EXPECT_GE(seen.size(), 30u);
}

}  // namespace
}  // namespace labkit::grade
