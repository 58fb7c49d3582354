#include "compile/headers.h"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "base/files.h"
#include "compile/own_headers.h"
#include "compile/source.h"

namespace labkit::compile {
namespace {

namespace fs = std::filesystem;

/// Host-side headers that students' files begin with and device code does not need.
constexpr const char* kEmptyCuda[] = {
    // CUDA's host side; NVRTC brings the device side of these itself.
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_profiler_api.h",
    "device_launch_parameters.h",
    "driver_types.h",
    "vector_types.h",
    "vector_functions.h",
    "builtin_types.h",
    "device_functions.h",
    "device_atomic_functions.h",
    "math_functions.h",
    "sm_30_intrinsics.h",
    "sm_35_intrinsics.h",
    "cublas_v2.h",
    "curand.h",
    "helper_cuda.h",
    "helper_functions.h",
    "nvrtc.h"};

/// The same for the standard library. Each of them declares std::size_t, and so do these, but no
/// more.
constexpr const char* kEmptyStandard[] = {
    // C
    "ctype.h", "errno.h", "locale.h", "setjmp.h", "signal.h", "stdarg.h", "stdio.h", "stdlib.h",
    "string.h", "time.h", "unistd.h", "wchar.h", "sys/time.h", "sys/types.h", "omp.h",
    // C++
    "algorithm", "any", "array", "atomic", "bitset", "cctype", "cerrno", "chrono", "cinttypes",
    "clocale", "complex", "condition_variable", "csetjmp", "csignal", "cstdarg", "cstdio",
    "cstdlib", "cstring", "ctime", "cwchar", "deque", "exception", "filesystem", "forward_list",
    "fstream", "functional", "future", "initializer_list", "inttypes.h", "iomanip", "ios", "iosfwd",
    "iostream", "istream", "iterator", "list", "map", "memory", "mutex", "new", "numeric",
    "optional", "ostream", "queue", "random", "ratio", "regex", "set", "span", "sstream", "stack",
    "stdexcept", "streambuf", "string", "string_view", "system_error", "thread", "tuple",
    "typeindex", "typeinfo", "unordered_map", "unordered_set", "valarray", "variant", "vector"};

/// Which of CUDA's headers are known to be meant when there is no toolkit to look in.
constexpr const char* kToolkit[] = {"cuda_fp16.h",
                                    "cuda_bf16.h",
                                    "cuda_fp8.h",
                                    "cuComplex.h",
                                    "cooperative_groups.h",
                                    "cuda_pipeline.h",
                                    "cuda_pipeline_primitives.h",
                                    "math_constants.h",
                                    "mma.h",
                                    "cuda/barrier",
                                    "cuda/pipeline",
                                    "cuda/atomic",
                                    "cuda/std/cstdint",
                                    "cuda/std/type_traits"};

/// A bound on what one source can make the grader read.
constexpr std::size_t kMaxToolkitBytes = 64u << 20;

/// The file that `name` means for `includer` (a toolkit file, or empty for the student's), only if
/// it lies under `roots`.
fs::path locate(const std::string& name, const fs::path& includer,
                const std::vector<fs::path>& roots) {
  std::vector<fs::path> tries;
  if (!includer.empty()) tries.push_back(includer.parent_path() / name);
  for (const fs::path& root : roots) tries.push_back(root / name);
  for (const fs::path& path : tries) {
    std::error_code problem;
    fs::path real = fs::weakly_canonical(path, problem);
    if (problem || !fs::is_regular_file(real, problem)) continue;
    for (const fs::path& root : roots) {
      const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
      if (end == root.end()) return real;
    }
  }
  return {};
}

/// In a toolkit's header, the names of files that lie in its own folder become whole paths. The compiler knows headers by
/// their names alone: libcu++ of CUDA 11 and 12 has an `atomic` and a `ratio` of its own, which it calls so from their
/// folder, and would get the empty ones that a student's file means.
std::string with_whole_names(const std::string& text, const fs::path& path,
                             const std::vector<fs::path>& roots) {
  const auto root = std::find_if(roots.rbegin(), roots.rend(), [&](const fs::path& one) {
    return std::mismatch(one.begin(), one.end(), path.begin(), path.end()).first == one.end();
  });
  if (root == roots.rend() || path.parent_path() == *root) return text;
  std::string changed;
  std::size_t from = 0;
  for (const std::string& name : includes_of(text)) {
    std::error_code problem;
    const fs::path beside = fs::weakly_canonical(path.parent_path() / name, problem);
    if (problem || !fs::is_regular_file(beside, problem) || locate(name, path, roots) != beside)
      continue;
    // In the text the name stands behind its bracket, in the order in which they were found.
    std::size_t at = text.find('<' + name + '>', from);
    const std::size_t quoted = text.find('"' + name + '"', from);
    at = std::min(at, quoted);
    if (at == std::string::npos) continue;
    changed += text.substr(from, at + 1 - from) + beside.lexically_relative(*root).generic_string();
    from = at + 1 + name.size();
  }
  return changed + text.substr(from);
}

}  // namespace

HeaderSet headers_for(const std::vector<std::string>& included,
                      const std::string& toolkit_include) {
  HeaderSet set;
  for (const char* name : kEmptyCuda) set.texts[name];
  for (const char* name : kEmptyStandard) set.texts[name] = "#include <cstddef>\n";
  for (const OwnHeader& own : own_headers())
    for (const char* name : own.names) set.texts[name] = own.text;

  std::vector<fs::path> roots;
  if (!toolkit_include.empty()) {
    std::error_code problem;
    for (const fs::path& root : {fs::path(toolkit_include), fs::path(toolkit_include) / "cccl"}) {
      const fs::path real = fs::canonical(root, problem);
      // /usr/include is the distribution's CUDA directory and everybody else's: only CUDA's own
      // names are taken from it.
      if (!problem) roots.push_back(real);
    }
  }
  const bool shared_directory = !roots.empty() && roots.front() == "/usr/include";

  std::deque<std::pair<std::string, fs::path>> wanted;
  for (const std::string& name : included) {
    const bool known =
        std::find(std::begin(kToolkit), std::end(kToolkit), name) != std::end(kToolkit);
    if (set.texts.contains(name)) continue;
    if (roots.empty() && known) set.missing_toolkit.push_back(name);
    if (!shared_directory || known || name.starts_with("cooperative_groups/") ||
        name.starts_with("cuda/"))
      wanted.emplace_back(name, fs::path());
  }
  std::size_t bytes = 0;
  while (!wanted.empty() && bytes < kMaxToolkitBytes) {
    const auto [name, includer] = wanted.front();
    wanted.pop_front();
    if (set.texts.contains(name)) continue;
    const fs::path path = locate(name, includer, roots);
    if (path.empty()) continue;
    std::string text = with_whole_names(read_file(path, kMaxToolkitBytes), path, roots);
    bytes += text.size();
    for (const std::string& next : includes_of(text)) wanted.emplace_back(next, path);
    set.texts[name] = std::move(text);
  }
  return set;
}

}  // namespace labkit::compile
