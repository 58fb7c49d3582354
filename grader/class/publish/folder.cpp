#include "class/publish/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code) {
  std::string remedy = fmt::format("Check {}.", path.string());
  if (code == ENOSPC || code == EDQUOT) remedy = "Free some disk space and run it again.";
  if (code == EFBIG) remedy = "Let files grow (ulimit -f unlimited) and run it again.";
  if (code == EACCES || code == EPERM || code == EROFS)
    remedy = fmt::format("Make {} writable for you, or name another folder.",
                         path.parent_path().string());
  throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(code)), remedy);
}

/// The list lies where others can write, and paths are made of students' ids.
bool stays_inside(const std::string& path) {
  const fs::path relative(path);
  return !path.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

fs::file_type type_of(const fs::path& path) {
  std::error_code unknown;
  return fs::symlink_status(path, unknown).type();
}

}  // namespace

PublishFolder::PublishFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code made;
  fs::create_directories(folder_, made);
  if (made) fail(folder_, made.value());
  const auto open = [&](const char* name, int flags) {
    Descriptor file(
        ::open((folder_ / name).c_str(), flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
    if (file.get() < 0) fail(folder_ / name, errno);
    return file;
  };
  constexpr const char* kLock = ".labkit-files.lock";
  lock_ = open(kLock, O_RDWR);
  while (::flock(lock_.get(), LOCK_EX) != 0)
    if (errno != EINTR) fail(folder_ / kLock, errno);
  if (type_of(folder_ / kList) == fs::file_type::regular) {
    const std::string text = read_file(folder_ / kList);
    for (const std::string_view line : split_lines(text)) made_.emplace(line);
    std::erase_if(made_, [](const std::string& path) { return !stays_inside(path); });
  }
  list_ = open(kList, O_WRONLY | O_APPEND);
}

void PublishFolder::replace(const fs::path& file, std::string_view text) {
  const fs::path draft = folder_ / ".labkit-files.new";
  std::error_code made;
  fs::create_directories(file.parent_path(), made);
  if (made) fail(file, made.value());
  Descriptor out(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (out.get() < 0 || !write_all(out.get(), text) || !out.close() ||
      ::rename(draft.c_str(), file.c_str()) != 0)
    fail(file, errno);
}

void PublishFolder::put(const std::string& path, std::string_view text) {
  const fs::path file = folder_ / path;
  if (!stays_inside(path)) throw Error(path + " is not below " + folder_.string());
  // A leading line end: the line before may have been cut short.
  const auto remember = [&] {
    put_.insert(path);
    if (made_.insert(path).second && !write_all(list_.get(), fmt::format("\n{}\n", path)))
      fail(folder_ / kList, errno);
  };
  const fs::file_type type = type_of(file);
  if (type == fs::file_type::regular) {
    if (read_file(file) == text) {
      remember();
      ++unchanged;
      return;
    }
    if (!made_.contains(path)) {
      notes.push_back(path + " is not the kit's and stays; move it away to have it made");
      return;
    }
  } else if (type != fs::file_type::not_found) {
    throw Error(fmt::format("cannot write {}: there is something of that name that is no file",
                            file.string()),
                fmt::format("Move {} away.", file.string()));
  }
  for (fs::path above = fs::path(path).parent_path(); !above.empty(); above = above.parent_path())
    if (const fs::file_type kind = type_of(folder_ / above);
        kind != fs::file_type::not_found && kind != fs::file_type::directory)
      throw Error(fmt::format("cannot write {}: {} is no folder", file.string(),
                              (folder_ / above).string()),
                  fmt::format("Move {} away.", (folder_ / above).string()));
  remember();
  replace(file, text);
  written.push_back(path);
}

void PublishFolder::finish() {
  for (const std::string& path : made_) {
    const fs::path file = folder_ / path;
    if (put_.contains(path) || type_of(file) != fs::file_type::regular) continue;
    std::error_code code;
    fs::remove(file, code);
    if (code) fail(file, code.value());
    removed.push_back(path);
    // Only those that are empty now.
    for (fs::path above = file.parent_path(); above != folder_; above = above.parent_path())
      if (::rmdir(above.c_str()) != 0) break;
  }
  replace(folder_ / kList, joined(put_, "\n") + "\n");
}

}  // namespace labkit::course
