#include "compile/nvrtc_library.h"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "compile/clang/clang.h"
#include "process/process.h"

namespace labkit::compile {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What the environment names.
std::vector<std::string> named_toolkits() {
  std::vector<std::string> roots;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string root = environment(name); !root.empty()) roots.push_back(std::move(root));
  return roots;
}

/// Paths that match a shell pattern, highest version first ("cuda-13.0" before "cuda-12.4").
std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found{};
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::ranges::sort(paths, [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) > 0;
  });
  return paths;
}

constexpr const char* kMultiarch =
#if defined(__aarch64__)
    "aarch64-linux-gnu";
#else
    "x86_64-linux-gnu";
#endif

/// Libraries in `directory`; a bare libnvrtc.so (a development link) counts only where no versioned
/// one lies.
void add_from(const std::string& directory, std::vector<std::string>& list) {
  auto found = matches(directory + "/libnvrtc.so.[0-9]*");
  if (found.empty()) found = matches(directory + "/libnvrtc.so");
  list.insert(list.end(), found.begin(), found.end());
}

void add_toolkit(const std::string& root, std::vector<std::string>& list) {
  for (const char* below : {"/lib64", "/lib", "/targets/*/lib"})
    for (const std::string& directory : matches(root + below)) add_from(directory, list);
}

/// Paths of libnvrtc in the loader's cache, as `ldconfig -p` prints them.
void add_from_loader_cache(std::vector<std::string>& list) {
  for (const char* program : {"/sbin/ldconfig", "/usr/sbin/ldconfig"}) {
    if (!fs::exists(program)) continue;
    process::Command command;
    command.argv = {program, "-p"};
    command.limits = {.wall_seconds = 5, .output_bytes = 16u << 20};
    const process::Result result = process::run(command);
    for (const std::string_view line : split_lines(result.out)) {
      const std::size_t arrow = line.find("=> ");
      if (trim(line).starts_with("libnvrtc.so.") && arrow != std::string_view::npos)
        list.emplace_back(line.substr(arrow + 3));
    }
    return;
  }
}

/// Where a package or an installer puts it. The loader's cache comes last, and only if all else is
/// empty: asking for it costs a process.
std::vector<std::string> all_places() {
  std::vector<std::string> list;
  const std::string named = environment("LABKIT_NVRTC");
  if (!named.empty()) {
    if (fs::is_directory(named))
      add_from(named, list);
    else if (fs::exists(named))
      list.push_back(named);
    if (list.empty())
      throw NoNvrtc("LABKIT_NVRTC is " + named + ", which " +
                        (fs::exists(named) ? "has no libnvrtc.so in it" : "does not exist"),
                    "Set it to the path of libnvrtc.so, or unset it.");
    return list;  // who names one wants that one
  }
  for (const std::string& root : named_toolkits()) add_toolkit(root, list);
  add_toolkit("/usr/local/cuda", list);
  for (const std::string& root : matches("/usr/local/cuda-*")) add_toolkit(root, list);
  for (const std::string& directory :
       {std::string("/usr/lib/") + kMultiarch, std::string("/usr/lib/cuda/lib64"),
        std::string("/usr/lib64"), std::string("/opt/cuda/lib64")})
    add_from(directory, list);
  if (list.empty()) add_from_loader_cache(list);
  return list;
}

struct Probe {
  WorkerResponse told;
  std::string error;  ///< why it cannot be used; "" if it can
};

Probe probe(const std::string& library) {
  process::Command command;
  command.argv = {process::program_of_the_kit(kWorkerName), library, "version"};
  command.directory = "/";
  command.limits = {.wall_seconds = 30, .output_bytes = 1u << 20};
  const process::Result result = process::run(command);
  Probe found;
  if (!result.ok()) {
    const std::string denied = process::denied_call(result.err);
    found.error = denied.empty() ? "loading it " + process::describe(result, command.limits)
                                 : "it calls " + denied + ", which the jail does not let it";
    return found;
  }
  found.told = nlohmann::json::from_cbor(result.out).get<WorkerResponse>();
  if (!found.told.error.empty()) found.error = error_of(found.told).what();
  std::ranges::sort(found.told.architectures);
  return found;
}

/// CUDA 11.8: PTX ISA 7.8, the oldest that the simulator reads; compute_90.
constexpr std::pair kOldest{11, 8};

/// Major version of the toolkit whose headers lie in `include`, or 0. The compiler refuses headers
/// of another.
int toolkit_major(const fs::path& include) {
  const fs::path header = include / "cuda_runtime_api.h";
  std::error_code problem;
  if (!fs::exists(header, problem)) return 0;
  const std::string text = read_file(header);
  constexpr std::string_view kDefine = "#define CUDART_VERSION";
  const std::size_t at = text.find(kDefine);  // 1000 * major + 10 * minor
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + kDefine.size()) / 1000;
}

NvrtcInfo search() {
  std::string refused;
  for (const std::string& library : nvrtc_candidates()) {
    const auto& [told, error] = probe(library);
    if (!error.empty())
      refused += "\n  " + library + ": " + error;
    else if (std::pair{told.major, told.minor} < kOldest)
      refused += fmt::format("\n  {}: NVRTC {}.{}, but {}.{} is the oldest that the kit takes",
                             library, told.major, told.minor, kOldest.first, kOldest.second);
    else
      return {library,
              told.major,
              told.minor,
              include_directory_for(library, told.major),
              told.architectures,
              told.jail};
  }
  if (!refused.empty())
    throw NoNvrtc("no usable NVRTC:" + refused, nvrtc_remedy(), error_id::kNvrtcUnusable);
  throw NoNvrtc("NVRTC, the CUDA Toolkit's run-time compiler, is not on this machine",
                nvrtc_remedy());
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  std::vector<std::string> unique, seen;
  for (const std::string& path : all_places()) {
    std::error_code problem;
    const std::string real = fs::canonical(path, problem).string();
    if (problem || std::ranges::count(seen, real) != 0) continue;
    seen.push_back(real);
    unique.push_back(path);
  }
  return unique;
}

std::string include_directory_for(const std::string& library, int major) {
  std::error_code problem;
  const fs::path directory = fs::canonical(library, problem).parent_path();
  // .../cuda/lib64 -> .../cuda/include; a distribution's /usr/lib/x86_64-linux-gnu -> /usr/include.
  std::vector<fs::path> places = {directory.parent_path() / "include",
                                  directory.parent_path().parent_path() / "include"};
  for (const std::string& root : named_toolkits()) places.push_back(fs::path(root) / "include");
  places.emplace_back("/usr/local/cuda/include");
  for (const fs::path& place : places)
    if (fs::exists(place / "cuda_fp16.h", problem) && toolkit_major(place) == major)
      return place.string();
  return {};
}

Error error_of(const WorkerResponse& response) {
  return read_error_json(response.error)
      .value_or(Error(response.error, {}, error_id::kNvrtcUnusable));
}

std::string nvrtc_remedy() {
  std::string release;
  if (fs::exists("/etc/os-release")) release = read_file("/etc/os-release", 1 << 16);
  const auto from = [](const char* whose, const char* which, const char* component,
                       const char* file, const char* package) {
    return fmt::format(
        "`./kit --yes test` installs {}'s own ({}). By hand: add the component {} to "
        "/etc/apt/sources.list.d/{}, then sudo apt-get update && sudo apt-get install "
        "--no-install-recommends {} (nvidia-cuda-toolkit is all of CUDA). ",
        whose, which, component, file, package);
  };
  std::string text;
  if (release.find("\nID=debian") != std::string::npos)
    text = from("Debian", "11.8, from its non-free section", "non-free",
                "debian.sources (or /etc/apt/sources.list)", "libnvrtc11.2");
  if (release.find("\nID=ubuntu") != std::string::npos)
    text = from("Ubuntu", "12.0, from multiverse", "multiverse", "ubuntu.sources", "libnvrtc12");
  return text +
         "NVIDIA's own CUDA Toolkit (11.8, 12 or 13) does as well: "
         "https://developer.nvidia.com/cuda-downloads. If it lies in an unusual place, set "
         "LABKIT_NVRTC to the path of libnvrtc.so.";
}

std::string arch_for(const NvrtcInfo& nvrtc, int major, int minor) {
  const int own = 10 * major + minor;
  int nearest = 0;
  for (const int known : nvrtc.architectures) {
    if (known == own) return "sm_" + std::to_string(own);
    if (known < own) nearest = known;
  }
  if (nearest == 0)
    throw Error(fmt::format("the GPU has compute capability {}.{}, too old for NVRTC {}.{} ({})",
                            major, minor, nvrtc.major, nvrtc.minor, nvrtc.library),
                "Use an older CUDA Toolkit: 12 compiles for 5.0 and newer, 11.8 for 3.5 and newer "
                "(LABKIT_NVRTC names its libnvrtc.so), or grade on the simulator: --device sim.");
  return "compute_" + std::to_string(nearest);
}

std::string arch_for(const CompilerInfo& compiler, int major, int minor) {
  if (!compiler.is_clang) return arch_for(compiler.nvrtc, major, minor);
  return fmt::format("compute_{}",
                     clang_architecture(fmt::format("compute_{}", 10 * major + minor)));
}

NvrtcInfo find_nvrtc() {
  // One search for each set of settings and process: a probe costs a process and the loading of the
  // library.
  static std::mutex mutex;
  static std::map<std::string, NvrtcInfo> known;
  std::string settings;
  for (const char* name : {"LABKIT_NVRTC", "CUDA_HOME", "CUDA_PATH", "LABKIT_LIBEXEC"})
    settings += environment(name) + '\n';
  const std::lock_guard lock(mutex);
  const auto at = known.find(settings);
  if (at != known.end()) return at->second;
  return known[settings] = search();
}

}  // namespace labkit::compile
