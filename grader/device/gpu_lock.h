// Who may use a GPU at a time: one process alone that times something, or any number that only
// compute. Two that time at once would each measure the other.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace labkit::device {

/// A lock file, open and perhaps locked; closed, and so released, with this.
class LockFile {
 public:
  /// Throws labkit::Error if it is not a file of ours.
  explicit LockFile(std::string path);
  /// True once it is ours; false if another holds it. `how`: LOCK_EX or LOCK_SH.
  bool take(int how);
  const std::string& path() const { return path_; }
  int fd() const { return fd_.get(); }

 private:
  std::string path_;
  Descriptor fd_;
};

/// Held from construction to destruction, honoured by every process of this machine (of this
/// container, unless LABKIT_LOCK_DIR is a folder that containers share; else /tmp). Not recursive.
class GpuLock {
 public:
  enum class Use : std::uint8_t { alone, shared };
  /// The first of these GPUs that is free; if none is, waits for the first of them. Throws
  /// labkit::Error if the lock cannot be had: a file in its place that is none of ours, or a holder
  /// that keeps it for `max_wait_seconds`. Who waits comes before who asks later, so that those who
  /// only compute never keep out for good one that wants to time.
  explicit GpuLock(const std::vector<std::string>& uuids, Use use = Use::alone,
                   double max_wait_seconds = kMaxWaitSeconds);
  std::size_t which() const { return which_; }  ///< index into `uuids`

  static constexpr double kMaxWaitSeconds = 1800;

 private:
  std::optional<LockFile> held_;
  std::size_t which_ = 0;
};

/// Says to the kit's other processes that this one has a context on a GPU and keeps it while it is
/// idle, so that who times there does not take it for somebody at work.
class GpuPresence {
 public:
  /// To be taken while holding the GPU's lock. Throws labkit::Error as GpuLock does.
  explicit GpuPresence(const std::string& uuid);
  const std::string& uuid() const { return uuid_; }
  /// How many others there are now.
  std::uint32_t others() const;

 private:
  std::string uuid_;
  LockFile file_;
};

/// Where the lock of that GPU lies; beside it, under the same name with `.turn`, whose turn it is, and
/// with `.present` who has a context.
std::string lock_path(const std::string& uuid);

}  // namespace labkit::device
