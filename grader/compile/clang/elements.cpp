#include "compile/clang/elements.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/text.h"

namespace labkit::compile {
namespace {

constexpr std::string_view kHold = "  call void asm sideeffect \"\", \"~{memory}\"()\n";

/// The last word before `mark`; "" if `mark` is not there.
std::string_view word_before(std::string_view line, std::string_view mark) {
  const std::size_t end = line.find(mark);
  if (end == std::string_view::npos) return {};
  line = line.substr(0, end);
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

std::string keep_loads_apart(std::string_view ir) {
  const std::vector<std::string_view> lines = split_lines(ir);
  std::set<std::string_view> arrays, elements;  // of the function
  std::string result;
  bool any = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    result.append(line).append("\n");
    if (line.starts_with("define")) {
      arrays.clear();
      elements.clear();
    }
    const std::string_view name = word_before(line, " = ");
    if (line.find(" = alloca [") != line.npos) arrays.insert(name);
    if (line.find(" = getelementptr ") != line.npos &&
        arrays.contains(word_before(line, ", i64 0, i64 %")))
      elements.insert(name);
    if (line.find(" = load ") == line.npos || i + 1 == lines.size() ||
        !lines[i + 1].starts_with("  br label %cond.end") ||
        !elements.contains(word_before(line, ", align ")))
      continue;
    result += kHold;
    any = true;
  }
  return any ? result : std::string{};
}

}  // namespace labkit::compile
