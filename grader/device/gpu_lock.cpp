#include "device/gpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/error.h"

namespace labkit::device {
namespace {

constexpr std::chrono::milliseconds kLook{20};

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error("the GPU's lock " + path + " cannot be used: " + why,
              "Remove that file if no grading runs, or set LABKIT_LOCK_DIR to a folder that all "
              "who use this GPU can write to.");
}

/// Opens without following a link in the lock's place: /tmp is anybody's. An existing file is opened
/// without O_CREAT, which the kernel refuses for others' files in such folders
/// (fs.protected_regular); flock() is content with reading, and so are record locks that are shared.
Descriptor open_lock(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  for (int attempt = 0; attempt < 3; ++attempt) {
    Descriptor file(::open(path.c_str(), kFlags));
    if (file.get() < 0 && errno == ENOENT) {
      file = Descriptor(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666));
      if (file.get() < 0 && errno == EEXIST) continue;  // another process was first
      if (file.get() >= 0) ::fchmod(file.get(), 0666);  // whatever the umask
    }
    if (file.get() < 0)
      fail(path, errno == ELOOP ? "it is a symbolic link" : std::string(std::strerror(errno)));
    struct stat info {};
    if (::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode)) return file;
    fail(path, "it is not a regular file");
  }
  fail(path, "it comes and goes");
}

/// Polls until it is ours; throws if that takes too long.
void wait_for(LockFile& file, int how, const std::string& path, double max_wait_seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (!file.take(how)) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >
        max_wait_seconds)
      throw Error("another process has held the lock of the GPU, " + path + ", for " +
                      std::to_string(static_cast<int>(max_wait_seconds)) + " s",
                  "Wait until it is done (fuser -v " + path +
                      " shows which), or pick another GPU with --gpu-id.",
                  error_id::kGpuBusy);
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace

std::string lock_path(const std::string& uuid) {
  const char* named = std::getenv("LABKIT_LOCK_DIR");
  return std::string(named != nullptr && *named != '\0' ? named : "/tmp") + "/labkit-" + uuid +
         ".lock";
}

LockFile::LockFile(std::string path) : path_(std::move(path)), fd_(open_lock(path_)) {}

bool LockFile::take(int how) {
  while (::flock(fd(), how | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return false;
    fail(path_, std::strerror(errno));
  }
  return true;
}

GpuLock::GpuLock(const std::vector<std::string>& uuids, Use use, double max_wait_seconds) {
  const int how = use == Use::alone ? LOCK_EX : LOCK_SH;
  // The turn is held only while waiting for the lock: who comes later waits for the turn first.
  for (std::size_t i = 0; i < uuids.size(); ++i) {
    LockFile turn(lock_path(uuids[i]) + ".turn"), lock(lock_path(uuids[i]));
    if (!turn.take(LOCK_EX) || !lock.take(how)) continue;
    held_.emplace(std::move(lock));
    which_ = i;
    return;
  }
  const std::string path = lock_path(uuids.at(0));
  LockFile turn(path + ".turn"), lock(path);
  wait_for(turn, LOCK_EX, path, max_wait_seconds);
  wait_for(lock, how, path, max_wait_seconds);
  held_.emplace(std::move(lock));
}

namespace {

constexpr off_t kMostPresent = 4096;

struct flock record(short type, off_t from, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = from;
  lock.l_len = length;
  return lock;
}

/// How many bytes of this range other open files have locked, one each.
std::uint32_t count_present(const LockFile& file, off_t from, off_t end) {
  if (from >= end) return 0;
  struct flock found = record(F_WRLCK, from, end - from);
  if (::fcntl(file.fd(), F_OFD_GETLK, &found) != 0) fail(file.path(), std::strerror(errno));
  if (found.l_type == F_UNLCK) return 0;
  // Any of them, not the first: there may be more on both sides.
  return 1 + count_present(file, from, found.l_start) +
         count_present(file, found.l_start + found.l_len, end);
}

}  // namespace

GpuPresence::GpuPresence(const std::string& uuid)
    : uuid_(uuid), file_(lock_path(uuid) + ".present") {
  // Each locks one byte; those who look count the bytes. Two at a time may want the same byte: shared
  // locks do not keep each other out, so it is looked whether another has it too.
  for (off_t at = static_cast<off_t>(::getpid()) % kMostPresent, tries = 0; tries < kMostPresent;
       at = (at + 1) % kMostPresent, ++tries) {
    if (count_present(file_, at, at + 1) > 0) continue;
    struct flock mine = record(F_RDLCK, at, 1);
    if (::fcntl(file_.fd(), F_OFD_SETLK, &mine) != 0) fail(file_.path(), std::strerror(errno));
    if (count_present(file_, at, at + 1) == 0) return;
    mine.l_type = F_UNLCK;
    ::fcntl(file_.fd(), F_OFD_SETLK, &mine);
  }
  fail(file_.path(), "more processes have a context on the GPU than it has room for");
}

std::uint32_t GpuPresence::others() const { return count_present(file_, 0, kMostPresent); }

}  // namespace labkit::device
