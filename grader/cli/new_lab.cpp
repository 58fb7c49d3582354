#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "cli/paths.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSample = "lab20_reversal";

/// "lab12" of "lab12_some_name"; "" for what is no such name.
std::string id_of(const std::string& folder) {
  const std::size_t end = folder.find('_');
  if (!folder.starts_with("lab") || end == folder.npos || end + 1 == folder.size()) return {};
  const std::string number = folder.substr(3, end - 3);
  if (number.empty() || number.find_first_not_of("0123456789") != number.npos) return {};
  if (folder.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != folder.npos) return {};
  return folder.substr(0, end);
}

/// The sample's files with the new lab's name wherever they have the sample's.
void copy_renamed(const fs::path& from, const fs::path& to, const std::string& folder,
                  const std::string& id) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    std::string text = replace_all(read_file(entry.path()), kSample, folder);
    text = replace_all(std::move(text), "lab20", id);
    for (const std::string word : {"Lab ", "lab "})
      text = replace_all(std::move(text), word + "20", word + id.substr(3));
    write_file_atomically(to / fs::relative(entry.path(), from), text);
  }
}

int run_new_lab(const std::string& folder) {
  const std::string id = id_of(folder);
  if (id.empty())
    throw std::invalid_argument(fmt::format(
        "'{}' is no name for a lab; it is like lab20_scan: a number, then small letters", folder));
  for (const grade::Manifest& lab : select_labs({}))
    if (lab.id == id)
      throw std::invalid_argument(fmt::format("there is a {} already: labs/{}", id, lab.folder));
  const fs::path root = root_directory(), sample = root / "handouts/new_lab";
  if (!fs::exists(sample))
    throw std::invalid_argument(
        "this copy of the kit is without the sample lab: it is a student's, or a package");
  for (const char* where : {"labs", "solutions"})
    if (fs::exists(root / where / folder))
      throw std::invalid_argument(fmt::format("there is a folder {}/{} already", where, folder));
  for (const char* where : {"labs", "solutions"})
    copy_renamed(sample / where / kSample, root / where / folder, folder, id);
  std::printf(
      "labs/%s and solutions/%s are made: a small lab that works, to be made yours.\n"
      "  cmake --preset default && cmake --build --preset default    # check.cpp is compiled\n"
      "  %s lab check %s\n"
      "Then edit README.md, kernel.cu (and its copy .stub), check.cpp, lab.toml, and the "
      "answers.\n",
      folder.c_str(), folder.c_str(), command_name().c_str(), id.c_str());
  return kExitOk;
}

}  // namespace

void add_new_lab(Command labkit) {
  const auto folder = std::make_shared<std::string>();
  Command creating = labkit.subcommand("new", "for authors: something to begin with");
  creating.require_subcommand();
  Command command = creating.subcommand("lab", "a small lab that works, under a name of its own");
  command.option("FOLDER", *folder, "like lab20_scan").required();
  command.run([folder] { return run_new_lab(*folder); });
}

}  // namespace labkit::cli
