#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/grading.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

struct ResetOptions {
  std::string lab;
  bool undo = false;  ///< bring back what the last reset took away
};

constexpr const char* kBefore = ".kernel-";

/// Where the next backup goes: the names sort as they were made, also several of one second.
fs::path next_backup(const grade::Manifest& lab) {
  const std::string when = fmt::format("{:%Y%m%d-%H%M%S}", fmt::gmtime(std::time(nullptr)));
  for (int i = 0;; ++i) {
    fs::path file = lab.directory / fmt::format("{}{}-{:02}.cu", kBefore, when, i);
    if (!fs::exists(file)) return file;
  }
}

std::string said(const fs::path& path) { return report::printable(path.string()); }

/// Puts `text` into kernel.cu, what is in there into a backup; "" if there was nothing to keep.
std::string replace(const grade::Manifest& lab, const std::string& text) {
  const fs::path kernel = lab.directory / "kernel.cu";
  std::string kept;
  if (fs::exists(kernel)) {
    const std::string before = read_file(kernel);
    if (before != read_file(stub_of(lab))) {
      const fs::path backup = next_backup(lab);
      write_file_atomically(backup, before);
      kept = said(backup);
    }
  }
  write_file_atomically(kernel, text);
  return kept;
}

}  // namespace

fs::path stub_of(const grade::Manifest& lab) { return lab.directory / ".stub"; }

std::vector<fs::path> backups_of(const grade::Manifest& lab) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(lab.directory)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kBefore) && name.ends_with(".cu")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

namespace {

int run_reset(const ResetOptions& options) {
  const grade::Manifest lab = select_labs({options.lab}).front();
  if (!fs::exists(stub_of(lab)))
    throw Error(said(stub_of(lab)) + ", which holds kernel.cu as it was handed out, is not there",
                "copy labs/" + lab.folder + " from a fresh copy of the kit");
  const fs::path kernel = lab.directory / "kernel.cu";
  if (options.undo) {
    const auto backups = backups_of(lab);
    if (backups.empty()) {
      std::printf("%s: no reset has kept anything.\n", lab.id.c_str());
      return kExitOk;
    }
    const std::string kept = replace(lab, read_file(backups.back()));
    fs::remove(backups.back());
    std::printf("%s: kernel.cu is again what the last reset took away.\n", lab.id.c_str());
    if (!kept.empty()) std::printf("What it was until now is kept in %s\n", kept.c_str());
    return kExitOk;
  }
  const std::string stub = read_file(stub_of(lab));
  if (fs::exists(kernel) && read_file(kernel) == stub) {
    std::printf("%s: kernel.cu is as it was handed out.\n", lab.id.c_str());
    return kExitOk;
  }
  const std::string kept = replace(lab, stub);
  std::printf("%s: kernel.cu is as it was handed out.\n", lab.id.c_str());
  if (!kept.empty())
    std::printf("Yours is kept in %s\nTo have it back: %s reset %s --undo\n", kept.c_str(),
                command_name().c_str(), lab.id.c_str());
  return kExitOk;
}

}  // namespace

void add_reset(Command labkit) {
  const auto options = std::make_shared<ResetOptions>();
  Command command = labkit.subcommand("reset", "kernel.cu as it was handed out; yours is kept");
  add_lab(command, options->lab);
  command.flag("--undo", options->undo, "bring back what the last reset took away");
  command.run([options] { return run_reset(*options); });
}

}  // namespace labkit::cli
