#include "base/made_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace labkit {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int code) {
  throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(code)),
              fmt::format("Free some disk space, let files grow (ulimit -f unlimited), or make {} "
                          "writable for you.",
                          path.parent_path().string()));
}

bool is_file(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

}  // namespace

MadeFolder::MadeFolder(fs::path folder) : folder_(std::move(folder)) {
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
  const std::string text = is_file(folder_ / kList) ? read_file(folder_ / kList) : "";
  for (const std::string_view line : split_lines(text)) made_.emplace(line);
  list_ = open(kList, O_WRONLY | O_APPEND);
}

void MadeFolder::replace(const fs::path& file, std::string_view text) {
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

void MadeFolder::put(const std::string& path, std::string_view text) {
  const fs::path file = folder_ / path;
  const std::string before = is_file(file) ? read_file(file) : "";
  if (is_file(file) && before != text && !made_.contains(path)) {
    notes.push_back(path + " is not the kit's and stays; move it away to have it made");
    return;
  }
  put_.insert(path);
  // A leading line end: the line before may have been cut short.
  if (made_.insert(path).second && !write_all(list_.get(), fmt::format("\n{}\n", path)))
    fail(folder_ / kList, errno);
  if (is_file(file) && before == text) {
    ++unchanged;
    return;
  }
  replace(file, text);
  written.push_back(path);
}

void MadeFolder::finish() {
  for (const std::string& path : made_) {
    const fs::path file = folder_ / path;
    if (put_.contains(path) || !is_file(file)) continue;
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

}  // namespace labkit
