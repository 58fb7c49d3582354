#include "cli/paths.h"

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

std::filesystem::path or_from_environment(const char* name, const char* built_in) {
  const char* value = std::getenv(name);
  return value && *value ? value : built_in;
}

}  // namespace

std::filesystem::path root_directory() { return or_from_environment("LABKIT_ROOT", LABKIT_ROOT); }
std::filesystem::path cache_directory() {
  return or_from_environment("LABKIT_CACHE", LABKIT_CACHE);
}

std::string report_place_error(const std::string& path) {
  if (path == "-") return {};
  try {
    require_output_place(path);
    return {};
  } catch (const Error& error) {
    return std::string(error.what()) + (error.mend().empty() ? "" : ". " + error.mend());
  }
}

std::filesystem::path check_program(const std::string& lab_id) {
  auto program =
      std::filesystem::path(process::own_executable()).parent_path() / (lab_id + "_check");
  if (!std::filesystem::exists(program))
    throw Error(program.string() + " is not built",
                "cmake --preset default && cmake --build --preset default");
  return program;
}

}  // namespace labkit::cli
