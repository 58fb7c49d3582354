// SIMD targets: which are compiled in, which this machine can run.

#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "simt/access.h"
#include "simt/instruction_table.h"
#include "simt/machine.h"

namespace labkit::simt {

#ifdef LABKIT_HAS_X86_TARGETS
namespace avx512 {
extern const Target target;
}
namespace avx2 {
extern const Target target;
}
#endif
namespace portable {
extern const Target target;
}

namespace {

/// Best first.
std::vector<const Target*> usable_targets() {
  std::vector<const Target*> targets;
#ifdef LABKIT_HAS_X86_TARGETS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("fma"))
    targets.push_back(&avx512::target);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    targets.push_back(&avx2::target);
#endif
  targets.push_back(&portable::target);
  return targets;
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const auto* target : usable_targets()) names.emplace_back(target->name);
  return names;
}

const Target& choose_target(std::string_view name) {
  const auto targets = usable_targets();
  if (name.empty())
    if (const char* forced = std::getenv("LABKIT_SIMD")) name = forced;
  if (name.empty()) return *targets.front();
  std::string known;
  for (const auto* target : targets) {
    if (name == target->name) return *target;
    known += (known.empty() ? "" : ", ") + std::string(target->name);
  }
  throw Error("no SIMD target named " + std::string(name) + " on this machine",
              "use one of: " + known);
}

}  // namespace labkit::simt
