#include "cli/paths.h"

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

/// Empty if it is not set.
fs::path named(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

/// A build folder has a labs/ as well, which holds no lab.
bool is_kit(const fs::path& folder) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "labs", none))
    if (fs::exists(entry.path() / "lab.toml", none)) return true;
  return false;
}

/// That folder, or the nearest above it, that is a kit; empty: none is.
fs::path kit_from(fs::path folder) {
  while (!is_kit(folder)) {
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
  }
  return folder;
}

fs::path programs_directory() { return fs::path(process::own_executable()).parent_path(); }

}  // namespace

fs::path root_directory() {
  if (fs::path root = named("LABKIT_ROOT"); !root.empty()) return root;
  const fs::path programs = programs_directory();
  if (fs::path root = kit_from(programs); !root.empty()) return root;
  std::error_code gone;  // a working directory that was removed
  if (fs::path root = kit_from(fs::current_path(gone)); !root.empty()) return root;
  throw Error("there is no kit, a folder that holds labs/, above " + programs.string() +
                  " or above the working directory",
              "run this inside the kit's folder, or let LABKIT_ROOT name that folder");
}

fs::path cache_directory() {
  const fs::path cache = named("LABKIT_CACHE");
  return cache.empty() ? programs_directory().parent_path() / "cache" : cache;
}

std::string report_place_error(const std::string& path) {
  if (path == "-") return {};
  try {
    require_output_place(path);
    return {};
  } catch (const Error& error) {
    return std::string(error.what()) + (error.remedy().empty() ? "" : ". " + error.remedy());
  }
}

fs::path check_program() {
  fs::path program = programs_directory() / "lab_check";
  if (!fs::exists(program))
    throw Error(program.string() + " is not built",
                "cmake --preset default && cmake --build --preset default", error_id::kNotBuilt);
  return program;
}

}  // namespace labkit::cli
