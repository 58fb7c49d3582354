#include "class/intake/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/safe_path.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/intake/archive.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostArchives = 3;  // inside of archives

constexpr const char *kLink = "it is a link: links are not followed",
                     *kSpecial = "it is neither a file nor a folder",
                     *kEmptyArchive = "the archive is empty";

/// What file managers, editors and version control leave behind, and nobody means to submit.
bool is_litter(const std::string& name) {
  static const std::set<std::string> litter = {"__MACOSX", ".DS_Store",  "Thumbs.db", "desktop.ini",
                                               ".git",     ".svn",       ".hg",       ".vscode",
                                               ".idea",    "__pycache__"};
  return litter.contains(name) || name.starts_with("._") || name.starts_with("~$");
}

class Collector {
 public:
  explicit Collector(const IntakeLimits& limits) : limits_(limits) {}
  std::vector<Found> take() { return std::move(found_); }

  void folder(const fs::path& directory, const SafePath& above) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
      entries.push_back(*it);
    if (error && above.parts.empty())
      throw UsageError(
          fmt::format("the folder {} cannot be read: {}", directory.string(), error.message()),
          "Name a folder that you may read.");
    if (error) return refuse_whole(above, 0, "the folder cannot be read: " + error.message());
    std::sort(entries.begin(), entries.end());
    if (entries.empty() && !above.parts.empty()) add(Found::Kind::folder, above, 0, {});
    for (const fs::directory_entry& entry : entries) {
      const std::string raw = entry.path().filename().string();
      if (is_litter(raw)) continue;
      const SafePath safe = take_apart(raw, false);
      SafePath path = above;
      path.parts.push_back(safe.parts.empty() ? "?" : safe.parts.front());
      const fs::file_status status = entry.symlink_status(error);
      if (!safe.refusal.empty())
        refuse(path, 0, safe.refusal);
      else if (fs::is_symlink(status))
        refuse(path, 0, kLink);
      else if (fs::is_directory(status) && path.parts.size() > kMostParts)
        refuse(path, 0, "it lies too many folders deep");
      else if (fs::is_directory(status))
        folder(entry.path(), path);
      else if (!fs::is_regular_file(status))
        refuse(path, 0, kSpecial);
      else if (names_archive(path.parts.back())) {
        archive_file(entry.path(), path);
      } else {
        Allowance allowance{.members = 1, .kept_bytes = limits_.kept_bytes};
        file(path, allowance, [&](std::uint64_t most) {
          return entry.file_size(error) <= most ? std::optional(read_file(entry.path(), most))
                                                : std::nullopt;
        });
      }
    }
  }

  void archive_file(const fs::path& file, const SafePath& above) {
    // In a folder it is a student's, or one of several downloads.
    const bool whole_class = above.parts.empty();
    Allowance allowance{.members = whole_class ? limits_.class_members : limits_.inner_members,
                        .kept_bytes = whole_class ? limits_.kept_bytes : limits_.inner_kept_bytes};
    const std::size_t before = found_.size();
    try {
      ArchiveReader archive(
          file, {}, whole_class ? limits_.class_expanded_bytes : limits_.inner_expanded_bytes);
      members(archive, above, allowance);
      if (found_.size() == before && !whole_class) refuse(above, 0, kEmptyArchive);
    } catch (const ArchiveFault& fault) {
      // Cut short, it would make everybody after the cut one who submitted nothing.
      if (whole_class)
        throw UsageError(fmt::format("{}: {}", file.string(), fault.what()),
                         names_archive(file.filename().string())
                             ? "Download it again, or unpack it and name the folder."
                             : "Name the folder, zip or tar that the students' files are in.");
      refuse_whole(above, 0, fault.what());
    }
  }

 private:
  /// One archive on its way through: what is still allowed, and whose names they are.
  struct Allowance {
    std::uint64_t members, kept_bytes;
    unsigned depth = 0;  ///< 0: a file on the disk, the class's own archive among them
    std::size_t outer_parts =
        0;  ///< 0: the parts so far and the member's own, all of the LMS's naming
  };

  void refuse(const SafePath& path, std::size_t outer_parts, std::string why) {
    add(Found::Kind::refused, path, outer_parts, {}, std::move(why));
  }
  void refuse_whole(const SafePath& path, std::size_t outer_parts, std::string why) {
    refuse(path, outer_parts, std::move(why));
    found_.back().is_whole = true;
  }

  void add(Found::Kind kind, const SafePath& path, std::size_t outer_parts, std::string text,
           std::string why = {}) {
    const std::size_t parts = path.parts.size();
    found_.push_back({kind, path.parts, outer_parts ? std::min(outer_parts, parts) : parts,
                      std::move(text), std::move(why)});
  }

  /// `read(most)`: its bytes, nullopt if there are more. Throws labkit::Error if it alone cannot be read.
  template <typename Read>
  void file(const SafePath& path, Allowance& allowance, const Read& read) {
    const std::string& name = path.parts.back();
    const std::size_t outer = allowance.outer_parts;
    // What a student packed is no metadata of the LMS.
    const bool metadata = allowance.depth == 0 && name == "submission_metadata.yml";
    if (!metadata && !source_likeness(name)) return add(Found::Kind::other, path, outer, {});
    const std::uint64_t most = metadata ? limits_.metadata_bytes : limits_.source_bytes;
    try {
      std::optional<std::string> text = read(most);
      if (!text) return refuse(path, outer, fmt::format("it is larger than {} MiB", most >> 20));
      if (text->size() > std::min(allowance.kept_bytes, limits_.kept_bytes - kept_bytes_))
        return refuse(path, outer, "the sources submitted together are too large to be held");
      allowance.kept_bytes -= text->size();
      kept_bytes_ += text->size();
      add(metadata ? Found::Kind::metadata : Found::Kind::source, path, outer, std::move(*text));
    } catch (const Error& fault) {
      refuse(path, outer, fault.what());
    }
  }

  void members(ArchiveReader& archive, const SafePath& above, Allowance& allowance) {
    ArchiveMember member;
    std::uint64_t count = 0;
    while (archive.next(member)) {
      if (++count > allowance.members)
        throw ArchiveFault(fmt::format("it holds more than {} files", allowance.members));
      const SafePath safe = take_apart(member.name, archive.is_zip());
      SafePath path = above;
      if (!safe.refusal.empty()) {
        // "." is how tar names the folder that was packed
        if (member.kind == ArchiveMember::Kind::directory && safe.refusal == "its path is empty")
          continue;
        // "ana/../bo/lab3.cu" may be Ana's or Bo's: both become a case, neither gets a zero
        const std::string name = replace_all(decode_name(member.name), "\\", "/");
        const std::size_t up = name.rfind("../"), from = up == std::string::npos ? 0 : up;
        for (const auto& parts :
             std::set{readable_parts(name), readable_parts(name.substr(from))}) {
          path.parts.resize(above.parts.size());
          path.parts.insert(path.parts.end(), parts.begin(), parts.end());
          refuse(path, allowance.outer_parts, safe.refusal);
        }
        continue;
      }
      if (std::ranges::any_of(safe.parts, is_litter)) continue;
      path.parts.insert(path.parts.end(), safe.parts.begin(), safe.parts.end());
      if (member.kind == ArchiveMember::Kind::directory)
        add(Found::Kind::folder, path, allowance.outer_parts, {});
      else if (member.kind == ArchiveMember::Kind::link)
        refuse(path, allowance.outer_parts, kLink);
      else if (member.kind == ArchiveMember::Kind::special)
        refuse(path, allowance.outer_parts, kSpecial);
      else if (member.encrypted)
        refuse(path, allowance.outer_parts, "it is encrypted");
      else if (names_archive(path.parts.back()))
        nested(archive, member, path, allowance);
      else
        file(path, allowance, [&](std::uint64_t most) {
          return member.size_bytes.value_or(0) <= most ? archive.read(most) : std::nullopt;
        });
    }
  }

  void nested(ArchiveReader& archive, const ArchiveMember& member, const SafePath& path,
              const Allowance& allowance) {
    const std::size_t before = found_.size();
    const std::size_t named = allowance.outer_parts ? allowance.outer_parts : path.parts.size();
    const std::uint64_t most = limits_.nested_archive_bytes;
    if (allowance.depth >= kMostArchives)
      return refuse_whole(path, named,
                          "an archive inside of archives, nested too deep: it is not opened");
    std::optional<std::string> bytes;  // a fault of these is the outer one's
    if (member.size_bytes.value_or(0) <= most) bytes = archive.read(most);
    try {
      if (!bytes)
        throw ArchiveFault(fmt::format(
            "an archive inside of an archive, larger than {} MiB: it is not opened", most >> 20));
      if (bytes->empty()) throw ArchiveFault(kEmptyArchive);
      Allowance own{.members = limits_.inner_members,
                    .kept_bytes = limits_.inner_kept_bytes,
                    .depth = allowance.depth + 1,
                    .outer_parts = named};
      ArchiveReader inner({}, *bytes, limits_.nested_expanded_bytes);
      members(inner, path, own);
      if (found_.size() == before) throw ArchiveFault(kEmptyArchive);
    } catch (const ArchiveFault& fault) {
      refuse_whole(path, named, fault.what());
    }
  }

  IntakeLimits limits_;
  std::vector<Found> found_;
  std::uint64_t kept_bytes_ = 0;
};

}  // namespace

std::string Found::path() const { return joined(parts, "/"); }

int source_likeness(std::string_view file_name) {
  // the last two: "kernel.cu-1" or "lab3.cu (1)", and files without an ending
  static const std::regex cuda(R"(\.cuh?$)", std::regex::icase),
      other(R"(\.(txt|c|cc|cpp|cxx|h|hpp|bak|orig)$|\.cu|^[^.]*$)", std::regex::icase);
  const std::string name(file_name);
  return std::regex_search(name, cuda) ? 2 : std::regex_search(name, other) ? 1 : 0;
}

std::vector<Found> collect(const std::filesystem::path& input, const IntakeLimits& limits) {
  std::error_code error;
  const fs::file_status status = fs::status(input, error);
  if (!fs::exists(status))
    throw UsageError(fmt::format("there is no {}", input.string()),
                     "Name the folder or the archive that the submissions are in.");
  Collector collector(limits);
  if (fs::is_directory(status)) {
    collector.folder(input, {});
  } else if (fs::is_regular_file(status)) {
    collector.archive_file(input, {});
  } else {
    throw UsageError(fmt::format("{} is neither a folder nor a file", input.string()),
                     "Name the folder, zip or tar that the students' files are in.");
  }
  return collector.take();
}

}  // namespace labkit::course
