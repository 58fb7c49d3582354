#include <fmt/format.h>

#include "grade/grading.h"
#include "ptx/values.h"

namespace labkit::grade {
namespace {

/// By kernel and `suffix`.
void add_values(const Build& build, const Manifest& lab, const char* suffix,
                std::map<std::string, std::string>& all) {
  const ptx::ParseResult parsed = ptx::parse(build.module.ptx);
  if (!parsed.module) return;
  for (const Kernel& kernel : lab.kernels) {
    const auto entry = build.entries.find(kernel.expressions.front());
    const ptx::Function* function =
        entry == build.entries.end() ? nullptr : parsed.module->find_function(entry->second);
    if (function == nullptr) continue;
    std::string& text = all[kernel.name + suffix];
    for (const ptx::ComputedValue& value : ptx::values_of(*parsed.module, *function))
      text += fmt::format("{}{:x}:{}", text.empty() ? "" : " ", value.hash >> 32, value.line);
  }
}

}  // namespace

std::map<std::string, std::string> computed_values(Grading& grading) {
  std::map<std::string, std::string> all;
  if (!grading.submission.build.module.parsed) return all;
  if (!grading.unoptimised)
    grading.unoptimised =
        prepare_unoptimised(grading.submission, jailed_compiler(grading.options.cache_directory));
  add_values(grading.unoptimised->build, grading.manifest, "", all);
  add_values(grading.submission.build, grading.manifest, kOptimised, all);
  return all;
}

}  // namespace labkit::grade
