#include "class/intake/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cstdint>
#include <fstream>
#include <optional>
#include <regex>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace labkit::course {

namespace {

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Of what is no zip or tar, too: it is opened and refused.
std::size_t ending_length(std::string_view file_name) {
  static const std::regex form(
      R"(.\.(zipx?|tar(\.\w+)?|t(gz|bz2?|b2|z2|xz|zst|az|lz4|z)|7z|rar|gz|bz2|xz)$)",
      std::regex::icase);
  std::cmatch found;
  const std::string_view name =
      file_name.substr(file_name.size() - std::min<std::size_t>(file_name.size(), 20));
  return std::regex_search(name.begin(), name.end(), found, form)
             ? static_cast<std::size_t>(found.length()) - 1
             : 0;
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

struct ArchiveReader::State {
  struct Free {
    void operator()(archive* a) const { archive_read_free(a); }
  };
  std::filesystem::path file = {};  ///< or
  std::string_view bytes = {};      ///< this
  std::unique_ptr<archive, Free> handle = {};
  std::uint64_t expanded_bytes = 0;
  std::uint64_t max_expanded_bytes = 0;
  bool pending = false;  ///< the current member's bytes are not read yet
  bool encrypted = false;

  void open() {
    // libarchive converts names to the locale's encoding, whatever the user has set.
    static const bool is_utf8 = ::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
    if (!is_utf8) throw Error("the locale C.UTF-8 is missing", "install the package libc-bin");
    require_end();
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
    const int status = file.empty() ? archive_read_open_memory(a, bytes.data(), bytes.size())
                                    : archive_read_open_filename(a, file.c_str(), 1 << 16);
    if (status != ARCHIVE_OK) throw ArchiveFault("it is no readable zip or tar: " + said());
  }
  std::string part(std::uint64_t from, std::uint64_t count) const {
    if (file.empty())
      return std::string(bytes.substr(std::min<std::uint64_t>(from, bytes.size()), count));
    std::ifstream in(file, std::ios::binary);
    std::string text(count, '\0');
    in.seekg(static_cast<std::streamoff>(from));
    in.read(text.data(), static_cast<std::streamsize>(count));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
  }
  /// Members are read as they come, so that an archive cut between two of them would seem whole. A tar ends with two
  /// blocks of zeros; one that is packed cannot be unpacked if it is cut. A zip ends with the record of its directory
  /// and at most a comment of 64 KiB, and the directory ends where that record begins (APPNOTE 4.3.16), or where those
  /// of zip64 do (4.3.14, 4.3.15); that of an archive inside of one that was cut says another place.
  void require_end() const {
    constexpr std::uint64_t kTarEnd = 1024, kRecord = 22, kLocator = 20, kRecord64 = 56;
    constexpr std::uint64_t kZipEnd = kRecord64 + kLocator + kRecord + 65535;
    std::error_code none;
    const std::uint64_t size = file.empty() ? bytes.size() : std::filesystem::file_size(file, none);
    const auto tail = [&](std::uint64_t most) { return part(size - std::min(size, most), most); };
    const std::string magic = part(0, 262);
    bool is_whole = true;
    if (magic.size() == 262 && magic.ends_with("ustar"))
      is_whole = tail(kTarEnd).find_first_not_of('\0') == std::string::npos;
    if (magic.starts_with("MZ") || magic.starts_with("\x7f"
                                                     "ELF"))
      throw ArchiveFault("it is a program, which may unpack itself");
    if (magic.starts_with("PK\3\4")) {
      const std::string end = tail(kZipEnd);
      is_whole = false;
      for (std::size_t at = 0; (at = end.find("PK\5\6", at)) != std::string::npos; ++at) {
        if (at + kRecord > end.size() ||
            at + kRecord + little_endian(end, at + 20, 2) != end.size())
          continue;
        std::uint64_t begins = size - end.size() + at;
        std::uint64_t directory_ends =
            little_endian(end, at + 12, 4) + little_endian(end, at + 16, 4);
        if (at >= kLocator && end.substr(at - kLocator, 4) == "PK\6\7") {
          begins = little_endian(end, at - kLocator + 8, 8);
          const std::string record = part(begins, kRecord64);
          if (record.size() < kRecord64 || !record.starts_with("PK\6\6")) continue;
          directory_ends = little_endian(record, 40, 8) + little_endian(record, 48, 8);
        }
        is_whole |= directory_ends == begins;
      }
    }
    if (!is_whole) throw ArchiveFault("it is broken: its end is missing");
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
    return entry;
  }
  /// One block of the current member; false at its end. A sparse member's holes cost nothing.
  bool block(const char*& data, std::size_t& size) {
    const void* start = nullptr;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(handle.get(), &start, &size, &offset);
    if (status == ARCHIVE_EOF) return false;
    if (status != ARCHIVE_OK) broken();  // a warning says that a checksum is wrong
    data = static_cast<const char*>(start);
    count(size);
    return true;
  }
  /// Past the current member. A zip whose directory can be reached jumps over it; what a tar
  /// holds has to be unpacked to be passed over, and counts.
  void pass_over() {
    pending = false;
    if (is_zip()) {
      if (archive_read_data_skip(handle.get()) < ARCHIVE_WARN) broken();
      return;
    }
    const char* data = nullptr;
    std::size_t size = 0;
    while (block(data, size)) {
    }
  }
};

ArchiveReader::ArchiveReader(const std::filesystem::path& file, std::string_view bytes,
                             std::uint64_t max_expanded_bytes)
    : state_(new State{.file = file, .bytes = bytes, .max_expanded_bytes = max_expanded_bytes}) {
  state_->open();
}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;

bool ArchiveReader::next(ArchiveMember& member) {
  if (state_->pending) state_->pass_over();
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

std::string without_archive_ending(std::string_view file_name) {
  return std::string(file_name.substr(0, file_name.size() - ending_length(file_name)));
}

}  // namespace labkit::course
