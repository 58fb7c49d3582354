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

std::map<std::string, std::string> values_of(const Manifest& lab, const Submission& submission,
                                             std::optional<Unoptimised>& unoptimised,
                                             const std::filesystem::path& cache_directory) {
  std::map<std::string, std::string> all;
  if (!submission.build.module.parsed) return all;
  if (!unoptimised) unoptimised = prepare_unoptimised(submission, jailed_compiler(cache_directory));
  add_values(unoptimised->build, lab, "", all);
  add_values(submission.build, lab, kOptimised, all);
  return all;
}

}  // namespace

std::map<std::string, std::string> computed_values(Grading& grading) {
  return values_of(grading.manifest, grading.submission, grading.unoptimised,
                   grading.options.cache_directory);
}

std::map<std::string, std::map<std::string, std::string>> values_of_files(
    const Grading& grading, const std::vector<std::filesystem::path>& files) {
  const std::filesystem::path& cache = grading.options.cache_directory;
  std::map<std::string, std::map<std::string, std::string>> all;
  for (const std::filesystem::path& file : files) {
    const Submission submission = prepare(grading.manifest, file, cache, {});
    std::optional<Unoptimised> unoptimised;
    all[file.filename()] = values_of(grading.manifest, submission, unoptimised, cache);
  }
  return all;
}

}  // namespace labkit::grade
