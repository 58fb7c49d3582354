#include <fmt/format.h>

#include "grade/grading.h"
#include "ptx/values.h"

namespace labkit::grade {

std::map<std::string, std::string> computed_values(Grading& grading) {
  std::map<std::string, std::string> all;
  if (!grading.submission.build.module.parsed) return all;
  if (!grading.unoptimised)
    grading.unoptimised =
        prepare_unoptimised(grading.submission, jailed_compiler(grading.options.cache_directory));
  const Build& build = grading.unoptimised->build;
  const ptx::ParseResult parsed = ptx::parse(build.module.ptx);
  if (!parsed.module) return all;
  for (const Kernel& kernel : grading.manifest.kernels) {
    const auto entry = build.entries.find(kernel.expressions.front());
    const ptx::Function* function =
        entry == build.entries.end() ? nullptr : parsed.module->find_function(entry->second);
    if (function == nullptr) continue;
    std::string& text = all[kernel.name];
    for (const ptx::ComputedValue& value : ptx::values_of(*parsed.module, *function))
      text += fmt::format("{}{:x}:{}", text.empty() ? "" : " ", value.hash >> 32, value.line);
  }
  return all;
}

}  // namespace labkit::grade
