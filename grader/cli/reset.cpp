#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "report/style.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using words::Id;

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

void say(Id id, std::string_view name, std::string_view value) {
  report::print(words::text(id, {{name, value}}) + "\n");
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
      say(Id::reset_nothing_kept, "lab", lab.id);
      return kExitOk;
    }
    const std::string kept = replace(lab, read_file(backups.back()));
    fs::remove(backups.back());
    say(Id::reset_undone, "lab", lab.id);
    if (!kept.empty()) say(Id::reset_kept_until_now, "file", kept);
    return kExitOk;
  }
  const std::string stub = read_file(stub_of(lab));
  const bool is_there = fs::exists(kernel) && read_file(kernel) == stub;
  const std::string kept = is_there ? "" : replace(lab, stub);
  say(Id::reset_done, "lab", lab.id);
  if (!kept.empty()) {
    say(Id::reset_kept, "file", kept);
    say(Id::reset_to_undo, "command", fmt::format("{} reset {} --undo", command_name(), lab.id));
  }
  return kExitOk;
}

}  // namespace

void add_reset(Command labkit) {
  const auto options = std::make_shared<ResetOptions>();
  Command command = labkit.subcommand("reset", "kernel.cu as it was handed out; yours is kept");
  add_lab(command, options->lab);
  add_language_option(command);
  command.flag("--undo", options->undo, "bring back what the last reset took away");
  command.run([options] { return run_reset(*options); });
}

}  // namespace labkit::cli
