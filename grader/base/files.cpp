#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>

#include "base/descriptor.h"
#include "base/error.h"

namespace labkit {
namespace {

[[noreturn]] void fail(const std::string& verb, const std::filesystem::path& path, int code) {
  std::string remedy;
  if (code == ENOSPC || code == EDQUOT) remedy = "Free some disk space and run it again.";
  if (code == EFBIG) remedy = "Let files grow (ulimit -f unlimited) and run it again.";
  if (code == EACCES || code == EROFS) remedy = "Check the permissions of " + path.string() + ".";
  throw Error("cannot " + verb + " " + path.string() + ": " + std::strerror(code), remedy,
              verb == "read" ? error_id::kCannotRead : error_id::kCannotWrite);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
  // O_NONBLOCK: opening a FIFO must not wait for its writer; what is not a regular file is refused
  // below.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) fail("read", path, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) fail("read", path, errno);
  if (S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  if (!S_ISREG(info.st_mode)) throw Error("cannot read " + path.string() + ": not a regular file");

  std::string text;
  text.reserve(static_cast<std::size_t>(info.st_size));
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > max_bytes)
      throw Error("cannot read " + path.string() + ": larger than " + std::to_string(max_bytes) +
                  " bytes");
  }
}

namespace {

/// For a file beside another. Not the process number: processes in containers, and on machines that share a disk, have the
/// same, and one that was killed left its file behind.
std::string unique_word() {
  std::random_device source;
  return std::to_string((std::uint64_t{source()} << 32) | source());
}

}  // namespace

void write_file_atomically(const std::filesystem::path& path, std::string_view contents) {
  std::error_code made;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), made);
  if (made) fail("create the directory of", path, made.value());

  std::filesystem::path temporary = path;
  temporary += "." + unique_word() + ".tmp";
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("write", path, errno);

  const auto give_up = [&](int code) {
    ::unlink(temporary.c_str());
    fail("write", path, code);
  };
  if (!write_all(file.get(), contents) || !file.close() ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    give_up(errno);
}

namespace {

/// That a file can be made beside `path`, as write_file_atomically() will: tried, since permissions alone do not say it
/// (/proc, a read-only disk, root).
void require_room_beside(const std::filesystem::path& path) {
  std::filesystem::path trial = path;
  trial += "." + unique_word() + ".trial";
  const Descriptor file(::open(trial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) {
    const int code = errno;
    throw Error("cannot write " + path.string() + ": no file can be made in " +
                    folder_of(path).string() + " (" + std::strerror(code) + ")",
                "Name a file in a folder of yours.");
  }
  ::unlink(trial.c_str());
}

/// What is replaced where `path` is written: through a symbolic link, its file. Nothing of a device
/// or a pipe, nor of a link that leads nowhere.
std::optional<std::filesystem::path> replaced_file(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::is_regular_file(status)) {
    const auto target = std::filesystem::canonical(path, unknown);
    return unknown ? path : target;
  }
  if (std::filesystem::exists(status) ||
      std::filesystem::is_symlink(std::filesystem::symlink_status(path, unknown)))
    return std::nullopt;
  return path;
}

}  // namespace

void require_output_place(const std::filesystem::path& path) {
  if (path.empty()) throw Error("the file to write has no name", "Name one.");
  std::error_code unknown;
  if (!std::filesystem::is_directory(folder_of(path), unknown))
    throw Error(
        "cannot write " + path.string() + ": there is no folder " + folder_of(path).string(),
        "Make it first, or name another file.");
  if (std::filesystem::is_directory(path, unknown)) fail("write", path, EISDIR);
  const auto replaced = replaced_file(path);
  if (!replaced) return;
  require_room_beside(*replaced);
  std::ifstream there(*replaced);
  char first = 0;
  if (there >> first && first != '{' && first != '[' && first != '<')
    throw Error("will not write over " + path.string() + ": it is no report",
                "Name another file, or remove this one first.");
}

void write_output_file(const std::filesystem::path& path, std::string_view contents) {
  require_output_place(path);
  if (const auto replaced = replaced_file(path)) return write_file_atomically(*replaced, contents);
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666));
  if (file.get() < 0) fail("write", path, errno);
  if (!write_all(file.get(), contents) || !file.close()) fail("write", path, errno);
}

}  // namespace labkit
