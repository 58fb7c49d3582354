#include "kit_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace labkit::handouts {
namespace {

namespace fs = std::filesystem;

const fs::path kKitRoot = LABKIT_SOURCE_DIR;
const fs::path kBinary = LABKIT_BINARY_DIR;

void write_program(const fs::path& file, const std::string& text) {
  std::ofstream(file) << "#!/bin/sh\n" << text;
  fs::permissions(file, fs::perms::owner_all);
}

}  // namespace

KitFolder::KitFolder()
    : path_(fs::temp_directory_path() / ("labkit_handouts_test_" + std::to_string(getpid()))) {
  const fs::path bin = path_ / "build/default/bin";
  fs::create_directories(bin);
  fs::create_directories(path_ / "tools");
  for (const char* name : {"labs", "solutions", "handouts"})
    fs::copy(kKitRoot / name, path_ / name, fs::copy_options::recursive);
  fs::create_directory_symlink(kKitRoot / "grader", path_ / "grader");
  const auto put = [&](const fs::path& from, const std::string& name) {
    std::error_code elsewhere;  // not the same disk: a copy does, too
    fs::create_hard_link(from, bin / name, elsewhere);
    if (elsewhere) fs::copy_file(from, bin / name);
  };
  for (const auto& entry : fs::directory_iterator(kBinary / "bin"))
    if (const std::string name = entry.path().filename();
        entry.is_regular_file() && name.starts_with("labkit"))
      put(entry.path(), name);
  fs::create_directory_symlink(kBinary / "bin/cudart", bin / "cudart");
  put(kBinary / "bin/handouts/handouts_lab_check", "lab_check");  // with the author's guide's lab
  write_program(path_ / "kit", "exec build/default/bin/labkit \"$@\"\n");
  write_program(path_ / "tools/ctest",
                std::string("exec ") + LABKIT_CTEST + " --test-dir '" + kBinary.string() +
                    "' \"$@\"\n");  // as CTestTestfile.cmake of the kit's folder leads there
}

KitFolder::~KitFolder() { fs::remove_all(path_); }

process::Result KitFolder::type(const std::string& text) const {
  process::Command command;
  command.argv = {"/bin/bash", "-euo", "pipefail", "-c", text};
  command.directory = path_.string();
  for (const std::string& variable : process::whole_environment())
    if (variable.rfind("PATH=", 0) != 0 && variable.rfind("LABKIT_DEVICE=", 0) != 0)
      command.environment.push_back(variable);
  const char* path = std::getenv("PATH");
  command.environment.push_back("PATH=" + (path_ / "tools").string() + ":" +
                                (path ? path : "/usr/bin:/bin"));
  command.environment.push_back("LABKIT_DEVICE=sim");
  command.environment.push_back("LABKIT_ROOT=" + path_.string());
  command.environment.push_back("LABKIT_CACHE=" + (path_ / "build/default/cache").string());
  command.limits = {.wall_seconds = 300};
  return process::run(command);
}

}  // namespace labkit::handouts
