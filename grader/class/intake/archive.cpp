#include "class/intake/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace labkit::course {

namespace {

/// libarchive converts names to the encoding of the thread's locale: for the time of a call that is
/// UTF-8, whatever the user has set.
class Utf8Locale {
 public:
  Utf8Locale() : before_(::uselocale(utf8())) {}
  ~Utf8Locale() { ::uselocale(before_); }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;

 private:
  static locale_t utf8() {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (!locale) throw Error("the locale C.UTF-8 is missing", "install the package libc-bin");
    return locale;
  }
  locale_t before_;
};

constexpr std::array<std::string_view, 19> kEndings = {
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar.lz4", ".tar.z", ".tgz",
    ".tbz",    ".tbz2",    ".txz",    ".tzst",    ".taz",     ".tz2",   ".tb2",
    ".tar",    ".zip",     ".zipx",   ".tlz4",    ".tz"};

std::size_t ending_length(std::string_view file_name) {
  const std::string low = to_lower(file_name);
  for (const std::string_view ending : kEndings)
    if (low.ends_with(ending) && low.size() > ending.size()) return ending.size();
  return 0;
}

ArchiveMember::Kind kind_of(archive_entry* entry) {
  const auto type = archive_entry_filetype(entry);
  if (archive_entry_hardlink(entry) || archive_entry_symlink(entry) || type == AE_IFLNK)
    return ArchiveMember::Kind::link;
  if (type == AE_IFDIR) return ArchiveMember::Kind::directory;
  const bool says_nothing = type == 0;  // some zips
  return type == AE_IFREG || says_nothing ? ArchiveMember::Kind::file
                                          : ArchiveMember::Kind::special;
}

}  // namespace

DiskFile::DiskFile(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)) {
  struct stat info {};
  if (file_.get() < 0 && errno == ELOOP) throw MemberFault("it is a link: links are not followed");
  if (file_.get() < 0 || ::fstat(file_.get(), &info) != 0)
    throw MemberFault(fmt::format("it cannot be read: {}", std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) throw MemberFault("it is neither a file nor a folder");
  size_bytes_ = static_cast<std::uint64_t>(info.st_size);
}

std::string DiskFile::read(std::uint64_t from, std::uint64_t bytes) const {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::pread(file_.get(), text.data() + done, text.size() - done,
                                static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw MemberFault(fmt::format("it cannot be read: {}", std::strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

struct ArchiveReader::State {
  struct Free {
    void operator()(archive* a) const { archive_read_free(a); }
  };
  const DiskFile* file = nullptr;  ///< or
  std::string_view bytes = {};     ///< this
  std::unique_ptr<archive, Free> handle = {};
  std::uint64_t expanded_bytes = 0;
  std::uint64_t max_expanded_bytes = 0;
  std::uint64_t headers = 0;  ///< read so far
  unsigned reopened = 0;
  bool pending = false;  ///< the current member's bytes are not read yet
  bool damaged = false;  ///< libarchive gave up in the middle of a member
  bool encrypted = false;

  void open() {
    handle.reset(archive_read_new());
    if (!handle) throw Error("libarchive gives no reader");
    archive* a = handle.get();
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_compress(a);
    archive_read_support_filter_lz4(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    if (file) ::lseek(file->descriptor(), 0, SEEK_SET);
    const int status = file ? archive_read_open_fd(a, file->descriptor(), 1 << 16)
                            : archive_read_open_memory(a, bytes.data(), bytes.size());
    if (status != ARCHIVE_OK) throw ArchiveFault("it is no readable zip or tar: " + said());
  }
  bool is_zip() const {
    return (archive_format(handle.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
  }
  std::string said() const {
    const char* text = archive_error_string(handle.get());
    return text ? std::string(trim(to_valid_utf8(text))) : "unknown error";
  }
  [[noreturn]] void broken() const {
    throw ArchiveFault(encrypted ? "it is encrypted" : "it is broken: " + said());
  }
  void count(std::uint64_t more) {
    expanded_bytes += more;
    if (expanded_bytes > max_expanded_bytes)
      throw ArchiveFault(fmt::format("it unpacks to more than {} MiB: taken for a bomb",
                                     max_expanded_bytes >> 20));
  }
  archive_entry* next_header() {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle.get(), &entry);
    if (status == ARCHIVE_EOF) return nullptr;
    if (status < ARCHIVE_WARN) broken();
    ++headers;
    return entry;
  }
  /// libarchive ends an archive at its first damaged member. A zip's directory tells where the
  /// others are: begin again and pass over those that were read.
  void begin_again() {
    constexpr unsigned kMostTimes = 1000;
    if (++reopened > kMostTimes) throw ArchiveFault("it is broken in too many places");
    damaged = pending = false;
    open();
    for (const std::uint64_t done = std::exchange(headers, 0); headers < done;)
      if (!next_header()) throw ArchiveFault("it is broken");
  }
  /// One block of the current member; false at its end. A sparse member's holes cost nothing.
  bool block(const char*& data, std::size_t& size) {
    const void* start = nullptr;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(handle.get(), &start, &size, &offset);
    if (status == ARCHIVE_EOF) return false;
    if (status < ARCHIVE_WARN) {
      if (!is_zip()) broken();
      damaged = true;
      throw MemberFault("it is broken: " + said());
    }
    data = static_cast<const char*>(start);
    count(size);
    return true;
  }
  /// Past the current member. A zip whose directory can be reached jumps over it; what a tar
  /// holds has to be unpacked to be passed over, and counts.
  void pass_over() {
    pending = false;
    if (is_zip()) {
      if (archive_read_data_skip(handle.get()) < ARCHIVE_WARN) damaged = true;
      return;
    }
    const char* data = nullptr;
    std::size_t size = 0;
    while (block(data, size)) {
    }
  }
};

ArchiveReader::ArchiveReader(const DiskFile& file, std::uint64_t max_expanded_bytes)
    : state_(new State{.file = &file, .max_expanded_bytes = max_expanded_bytes}) {
  const Utf8Locale locale;
  state_->open();
}

ArchiveReader::ArchiveReader(std::string_view bytes, std::uint64_t max_expanded_bytes)
    : state_(new State{.bytes = bytes, .max_expanded_bytes = max_expanded_bytes}) {
  const Utf8Locale locale;
  state_->open();
}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;

bool ArchiveReader::next(ArchiveMember& member) {
  const Utf8Locale locale;
  if (state_->pending && !state_->damaged) state_->pass_over();
  if (state_->damaged) state_->begin_again();
  archive_entry* entry = state_->next_header();
  if (!entry) return false;
  const char* name = archive_entry_pathname(entry);
  if (!name) name = archive_entry_pathname_utf8(entry);
  member.name = name ? name : "";
  member.kind = kind_of(entry);
  member.size_bytes.reset();
  if (archive_entry_size_is_set(entry))
    member.size_bytes =
        static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
  member.encrypted = archive_entry_is_encrypted(entry) != 0;
  state_->encrypted |= member.encrypted;
  state_->pending = true;
  return true;
}

std::optional<std::string> ArchiveReader::read(std::uint64_t max_bytes) {
  const Utf8Locale locale;
  std::string bytes;
  const char* data = nullptr;
  std::size_t size = 0;
  while (state_->block(data, size)) {
    if (bytes.size() + size > max_bytes) return std::nullopt;  // the rest is passed over by next()
    bytes.append(data, size);
  }
  state_->pending = false;
  return bytes;
}

bool ArchiveReader::is_zip() const { return state_->is_zip(); }

bool names_archive(std::string_view file_name) { return ending_length(file_name) > 0; }

std::string foreign_archive(std::string_view file_name) {
  const std::string low = to_lower(file_name);
  if (low.ends_with(".7z")) return "a 7-Zip archive";
  if (low.ends_with(".rar")) return "a RAR archive";
  for (const std::string_view ending :
       {".gz", ".bz2", ".xz", ".zst", ".lz4", ".z", ".lzh", ".arj", ".iso", ".cab", ".dmg", ".jar"})
    if (low.ends_with(ending)) return "packed as " + std::string(ending);
  return {};
}

std::string without_archive_ending(std::string_view file_name) {
  return std::string(file_name.substr(0, file_name.size() - ending_length(file_name)));
}

namespace {

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// By how many bytes the directory lies further on than the record of it at `at` of `end` says, `begin` being where `end`
/// begins: it ends where the record begins (APPNOTE 4.3.16), or where the records of zip64 do (4.3.14, 4.3.15). Not 0 where
/// something lies before the archive, or where the record is that of an archive inside of the file, which counts from its
/// own beginning. nullopt: that is no such record.
std::optional<std::uint64_t> shift_of_directory(std::string_view end, std::size_t at,
                                                std::uint64_t begin) {
  if (end.size() - at < 22) return std::nullopt;
  const std::uint64_t size = little_endian(end, at + 12, 4),
                      offset = little_endian(end, at + 16, 4);
  if (at >= 76 && end.substr(at - 20, 4) == "PK\6\7") {
    // Where it says, or, with something before the archive, where it lies but for its extensions.
    const std::uint64_t says = little_endian(end, at - 12, 8), lies = begin + at - 76;
    for (const std::uint64_t record : {says, lies}) {
      if (record < begin || record > lies) continue;
      const std::size_t there = record - begin;
      const std::uint64_t ends =
          little_endian(end, there + 40, 8) + little_endian(end, there + 48, 8);
      if (end.substr(there, 4) == "PK\6\6" && ends == says) return record - says;
    }
  }
  if (offset + size > begin + at) return std::nullopt;
  return begin + at - offset - size;
}

}  // namespace

std::string why_cut_short(const DiskFile& file) {
  constexpr std::uint64_t kTar = 1024, kZip = 56 + 20 + 22 + 65535, kProgram = 1 << 20;
  const std::string no_end = "it is broken: its end is missing", magic = file.read(0, 262);
  const auto tail = [&](std::uint64_t most) {
    const std::uint64_t bytes = std::min(file.size_bytes(), most);
    return file.read(file.size_bytes() - bytes, bytes);
  };
  if (magic.size() == 262 && magic.ends_with("ustar"))
    return tail(kTar).find_first_not_of('\0') == std::string::npos ? "" : no_end;
  std::size_t first = 0;  // local header
  if (magic.starts_with("MZ") || magic.starts_with("\x7f"
                                                   "ELF"))
    first = file.read(0, kProgram).find("PK\3\4");
  else if (!magic.starts_with("PK\3\4"))
    first = std::string::npos;
  if (first == std::string::npos) return {};  // no zip
  const std::string end = tail(kZip);
  bool is_whole = false;
  for (std::size_t at = end.rfind("PK\5\6"); at != std::string::npos;
       at = at == 0 ? std::string::npos : end.rfind("PK\5\6", at - 1)) {
    const auto shift = shift_of_directory(end, at, file.size_bytes() - end.size());
    if (!shift) continue;
    is_whole |= *shift == 0;
    // The record that the file ends with decides; behind another there is more than its comment.
    if (at + 22 + little_endian(end, at + 20, 2) != end.size()) continue;
    if (*shift == 0) return {};
    if (*shift != first)
      return fmt::format(
          "{}, or something else lies before its beginning (its directory is {} bytes further on "
          "than it says)",
          no_end, *shift);
    const bool is_zip64 = at >= 20 && end.substr(at - 20, 4) == "PK\6\7";
    return is_zip64
               ? "it is a program that unpacks itself, with a zip64 archive, which the kit does "
                 "not read"
               : "";
  }
  return is_whole ? "" : no_end;
}

}  // namespace labkit::course
