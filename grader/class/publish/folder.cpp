#include "class/publish/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
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
  read_list();
  list_ = open(kList, O_WRONLY | O_APPEND);
}

void PublishFolder::read_list() {
  if (type_of(folder_ / kList) != fs::file_type::regular) return;
  const std::string text = read_file(folder_ / kList);
  for (const std::string_view line : split_lines(text)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;  // cut short by a full disk
    const std::string path(line.substr(blank + 1));
    if (stays_inside(path)) made_[path].insert(std::string(line.substr(0, blank)));
  }
}

void PublishFolder::remember(const std::string& path, const std::string& hash) {
  if (!made_[path].insert(hash).second) return;
  // A leading line end: the line before may have been cut short.
  const std::string line = fmt::format("\n{} {}\n", hash, path);
  if (!write_all(list_.get(), line)) fail(folder_ / kList, errno);
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
  const std::string hash = sha256_hex(text);
  put_[path] = hash;
  const fs::file_type type = type_of(file);
  if (type == fs::file_type::regular) {
    const std::string there = read_file(file);
    if (there == text) {
      remember(path, hash);
      ++unchanged;
      return;
    }
    const auto made = made_.find(path);
    if (made == made_.end() || !made->second.contains(sha256_hex(there))) {
      notes.push_back(path + " was changed by hand and stays so; remove it to have it made again");
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
  remember(path, hash);
  replace(file, text);
  written.push_back(path);
}

void PublishFolder::finish() {
  for (const auto& [path, hashes] : made_) {
    if (put_.contains(path)) continue;
    const fs::path file = folder_ / path;
    if (type_of(file) != fs::file_type::regular) continue;
    if (!hashes.contains(sha256_hex(read_file(file)))) {
      notes.push_back(
          fmt::format("{} is of no use any more; it was changed by hand and stays", path));
      continue;
    }
    std::error_code code;
    fs::remove(file, code);
    if (code) fail(file, code.value());
    removed.push_back(path);
    // Only those that are empty now.
    for (fs::path above = file.parent_path(); above != folder_; above = above.parent_path())
      if (::rmdir(above.c_str()) != 0) break;
  }
  std::string list;
  for (const auto& [path, hash] : put_) list += fmt::format("{} {}\n", hash, path);
  replace(folder_ / kList, list);
}

}  // namespace labkit::course
