// Where clang may lie on a machine.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "compile/clang/clang.h"
#include "compile/clang/run.h"

namespace labkit::compile {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestClang = 14;  ///< Debian 12's
constexpr int kNewestClang = 19;  ///< with which the labs were proved

std::string clang_setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// In the order in which they are tried: the system's own first, then the newest.
std::vector<std::string> clang_names() {
  std::vector<std::string> names = {"clang"};
  for (int version = kNewestClang; version >= kOldestClang; --version)
    names.push_back("clang-" + std::to_string(version));
  return names;
}

std::vector<fs::path> clang_candidates() {
  if (const std::string named = clang_setting("LABKIT_CLANG"); !named.empty()) {
    if (!fs::is_regular_file(named))
      throw NoClang("LABKIT_CLANG is " + named + ", which is no file",
                    "Set it to the path of clang, or unset it.");
    return {fs::canonical(named)};
  }
  std::vector<fs::path> found;
  const std::string path = clang_setting("PATH") + ":/usr/bin:/usr/local/bin";
  for (const std::string& name : clang_names())
    for (std::size_t at = 0; at <= path.size();) {
      const std::size_t end = std::min(path.find(':', at), path.size());
      std::error_code problem;
      const fs::path real = fs::canonical(fs::path(path.substr(at, end - at)) / name, problem);
      // A wrapper (ccache) is none.
      if (!problem && real.filename().string().starts_with("clang") &&
          std::ranges::count(found, real) == 0)
        found.push_back(real);
      at = end + 1;
    }
  return found;
}

ClangInfo search_clang() {
  std::string refused;
  for (const fs::path& program : clang_candidates()) {
    ClangInfo info{.program = program.string()};
    const std::string problem = probe_clang(info);
    if (problem.empty() && info.major >= kOldestClang) return info;
    refused += fmt::format("\n  {}: {}", info.program,
                           !problem.empty()
                               ? problem
                               : fmt::format("clang {}, but {} is the oldest that the kit takes",
                                             info.major, kOldestClang));
  }
  if (!refused.empty())
    throw NoClang("no usable clang:" + refused, clang_remedy(), error_id::kClangUnusable);
  throw NoClang("clang is not on this machine", clang_remedy());
}

}  // namespace

std::string clang_remedy() {
  return "sudo apt-get install clang  (14 or newer; if it lies in an unusual place, set "
         "LABKIT_CLANG "
         "to its path)";
}

ClangInfo find_clang() {
  static std::mutex mutex;
  static std::map<std::string, ClangInfo> known;
  std::string settings;
  for (const char* name : {"LABKIT_CLANG", "PATH", "LABKIT_LIBEXEC"})
    settings += clang_setting(name) + '\n';
  const std::lock_guard lock(mutex);
  const auto at = known.find(settings);
  if (at != known.end()) return at->second;
  return known[settings] = search_clang();
}

}  // namespace labkit::compile
