// A zip or tar read as a stream: members come one by one, nothing is unpacked to disk. The archive is a stranger's, so
// everything it says is doubted: sizes are counted while reading, and work is bounded.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace labkit::course {

/// The archive cannot be read on: what is wrong with it, fit to follow its name and a colon.
class ArchiveFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ArchiveMember {
  enum class Kind : std::uint8_t { file, directory, link, special };
  std::string name;  ///< raw bytes
  Kind kind = Kind::file;
  std::optional<std::uint64_t> size_bytes;  ///< as the archive says
  bool encrypted = false;
};

/// Formats: zip and tar; filters: gzip, bzip2, xz, zstd, lz4, compress. Others are refused by name.
class ArchiveReader {
 public:
  /// Of a file, or if that is "" of `bytes`, which must outlive this. Throws ArchiveFault if it is no such archive, or cut short. More than `max_expanded_bytes` of
  /// members' bytes read or passed over is a fault too.
  ArchiveReader(const std::filesystem::path& file, std::string_view bytes,
                std::uint64_t max_expanded_bytes);
  ~ArchiveReader();
  ArchiveReader(ArchiveReader&&) noexcept;

  /// False at the end.
  bool next(ArchiveMember& member);
  /// The current member's bytes; nullopt if there are more than `max_bytes`.
  std::optional<std::string> read(std::uint64_t max_bytes);
  bool is_zip() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True for a file name that says that it is an archive, also one of a kind that cannot be read.
bool names_archive(std::string_view file_name);
/// The name without what makes it an archive: "alice.tar.gz" gives "alice".
std::string without_archive_ending(std::string_view file_name);

}  // namespace labkit::course
