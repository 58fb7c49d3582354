#include "class/intake/collect.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// What file managers, editors and version control leave behind, and nobody means to submit.
bool is_litter(std::string_view name) {
  return name == "__MACOSX" || name == ".DS_Store" || name == "Thumbs.db" ||
         name == "desktop.ini" || name == ".git" || name == ".svn" || name == ".hg" ||
         name == ".vscode" || name == ".idea" || name == "__pycache__" || name.starts_with("._") ||
         name.starts_with("~$");
}

std::string mebibytes(std::uint64_t bytes) {
  return bytes >= 1u << 20 ? fmt::format("{} MiB", bytes >> 20)
                           : fmt::format("{} KiB", bytes >> 10);
}

class Collector {
 public:
  explicit Collector(const IntakeLimits& limits) : limits_(limits) {}

  void folder(const fs::path& directory, const std::vector<std::string>& above);
  void archive_file(const fs::path& file, const std::vector<std::string>& above);
  std::vector<Found> take() { return std::move(found_); }

 private:
  /// One archive on its way through: what is still allowed, and whose names they are.
  struct Allowance {
    std::uint64_t members, kept_bytes;
    unsigned depth;           ///< 0: the class's own archive
    std::size_t outer_parts;  ///< 0: the parts so far and the member's own, all of the LMS's naming
    std::size_t place = 0;    ///< parts of the archive's own path
    std::size_t refused = 0;  ///< lines written so far
  };

  /// Of one archive: members whose names were not clean, with how they were written and what came of them.
  struct Unclean {
    std::size_t begin, end;  ///< in found_
    std::vector<std::string> raw;
  };

  void add(Found::Kind kind, std::vector<std::string> parts, std::size_t outer_parts,
           std::string text, std::string why = {});
  void refuse(const std::vector<std::string>& parts, std::size_t outer_parts, std::string why) {
    add(Found::Kind::refused, parts, outer_parts, {}, std::move(why));
  }
  void refuse_whole(const std::vector<std::string>& parts, std::size_t outer, std::string why) {
    refuse(parts, outer, std::move(why));
    found_.back().is_whole = true;
  }
  void disk_file(const fs::path& file, const std::vector<std::string>& parts);
  void members(ArchiveReader& archive, const std::vector<std::string>& above, Allowance& allowance);
  void each_member(ArchiveReader& archive, const std::vector<std::string>& above,
                   Allowance& allowance, std::vector<Unclean>& unclean);
  void member(ArchiveReader& archive, const ArchiveMember& member, std::vector<std::string> parts,
              std::size_t outer, Allowance& allowance);
  void keep_apart(const std::vector<Unclean>& unclean, std::size_t begin, std::size_t above);
  void nested(ArchiveReader& archive, const std::vector<std::string>& parts, std::size_t outer,
              const Allowance& allowance);
  /// Takes a source's bytes from what its archive, its folder and the class may have; false if they have no more. `place`:
  /// so many parts are the archive that it lies in, or the file.
  bool keep(std::uint64_t bytes, std::uint64_t& allowed, const std::vector<std::string>& parts,
            std::size_t place);

  IntakeLimits limits_;
  std::vector<Found> found_;
  std::uint64_t kept_bytes_ = 0;
  std::map<std::string, std::uint64_t> kept_in_;  ///< by the folder that an archive lies in
};

bool Collector::keep(std::uint64_t bytes, std::uint64_t& allowed,
                     const std::vector<std::string>& parts, std::size_t place) {
  if (bytes > allowed || bytes + kept_bytes_ > limits_.kept_bytes) return false;
  // What lies side by side in a folder may have together what one archive may, so that no student takes the others' room.
  if (place > 1) {
    const auto end = parts.begin() + static_cast<std::ptrdiff_t>(std::min(place, parts.size())) - 1;
    std::uint64_t& kept = kept_in_[join_parts({parts.begin(), end})];
    if (kept + bytes > limits_.inner_kept_bytes) return false;
    kept += bytes;
  }
  allowed -= bytes;
  kept_bytes_ += bytes;
  return true;
}

void Collector::add(Found::Kind kind, std::vector<std::string> parts, std::size_t outer_parts,
                    std::string text, std::string why) {
  const std::size_t outer = outer_parts ? std::min(outer_parts, parts.size()) : parts.size();
  found_.push_back({kind, std::move(parts), outer, std::move(text), std::move(why)});
}

/// A file's bytes, or why they cannot be had. Never waits for a pipe, never follows a last link.
std::optional<std::string> slurp(const fs::path& file, std::uint64_t max_bytes, std::string& why) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
  if (fd < 0) {
    why = errno == ELOOP ? "it is a link: links are not followed"
                         : fmt::format("it cannot be read: {}", std::strerror(errno));
    return std::nullopt;
  }
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) why = fmt::format("it cannot be read: {}", std::strerror(errno));
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > max_bytes) {
      why = fmt::format("it is larger than {}", mebibytes(max_bytes));
      break;
    }
  }
  ::close(fd);
  if (!why.empty()) return std::nullopt;
  return text;
}

void Collector::disk_file(const fs::path& file, const std::vector<std::string>& parts) {
  const std::string& name = parts.back();
  if (names_archive(name)) {
    archive_file(file, parts);
    return;
  }
  const bool metadata = name == "submission_metadata.yml";
  const std::string foreign = foreign_archive(name);
  if (!metadata && (!source_likeness(name) || !foreign.empty())) {
    if (!foreign.empty())
      refuse_whole(parts, 0, fmt::format("it is {}; the kit reads zip and tar", foreign));
    else
      add(Found::Kind::other, parts, 0, {});
    return;
  }
  std::string why;
  const auto text = slurp(file, metadata ? limits_.metadata_bytes : limits_.source_bytes, why);
  std::uint64_t allowed = limits_.kept_bytes;
  if (!text)
    refuse(parts, 0, why);
  else if (!keep(text->size(), allowed, parts, std::min<std::size_t>(parts.size(), 2)))
    refuse(parts, 0, "the class's sources together are too large to be held");
  else
    add(metadata ? Found::Kind::metadata : Found::Kind::source, parts, 0, *text);
}

void Collector::folder(const fs::path& directory, const std::vector<std::string>& above) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    entries.push_back(*it);
  if (error && above.empty())
    throw UsageError(
        fmt::format("the folder {} cannot be read: {}", directory.string(), error.message()),
        "Name a folder that you may read.");
  if (error) {
    refuse_whole(above, 0, "the folder cannot be read: " + error.message());
    return;
  }
  std::sort(entries.begin(), entries.end());
  if (entries.empty() && !above.empty()) add(Found::Kind::folder, above, 0, {});
  std::map<std::string, std::size_t> called;  // clean name -> how many
  for (const fs::directory_entry& entry : entries)
    ++called[clean_name(decode_name(entry.path().filename().string()))];
  for (const fs::directory_entry& entry : entries) {
    const std::string raw = entry.path().filename().string();
    if (is_litter(raw)) continue;
    const SafePath safe = take_apart(raw, false);
    std::vector<std::string> parts = above;
    parts.push_back(safe.parts.empty() ? "?" : safe.parts.front());
    if (!safe.parts.empty() && called[parts.back()] > 1 && parts.back() != raw)
      parts.back() = spelt_out(raw);
    if (!safe.refusal.empty()) {
      refuse(parts, 0, safe.refusal);
      continue;
    }
    const fs::file_status status = entry.symlink_status(error);
    if (fs::is_symlink(status))
      refuse(parts, 0, "it is a link: links are not followed");
    else if (fs::is_directory(status) && parts.size() > limits_.folder_depth)
      refuse(parts, 0, "it lies too many folders deep");
    else if (fs::is_directory(status))
      folder(entry.path(), parts);
    else if (fs::is_regular_file(status))
      disk_file(entry.path(), parts);
    else
      refuse(parts, 0, "it is neither a file nor a folder");
  }
}

void Collector::archive_file(const fs::path& file, const std::vector<std::string>& above) {
  // In a folder it is a student's, or one of several downloads.
  const bool whole_class = above.empty();
  Allowance allowance{whole_class ? limits_.class_members : limits_.inner_members,
                      whole_class ? limits_.kept_bytes : limits_.inner_kept_bytes, 0, 0};
  allowance.place = above.size();
  const std::size_t before = found_.size();
  try {
    if (const std::string why = why_cut_short(file); !why.empty()) throw ArchiveFault(why);
    ArchiveReader archive(
        file, whole_class ? limits_.class_expanded_bytes : limits_.inner_expanded_bytes);
    members(archive, above, allowance);
    if (found_.size() == before && !above.empty())
      add(Found::Kind::refused, above, 0, {}, "the archive is empty");
  } catch (const ArchiveFault& fault) {
    // Cut short, it would make everybody after the cut one who submitted nothing.
    if (above.empty())
      throw UsageError(fmt::format("{}: {}", file.string(), fault.what()),
                       names_archive(file.filename().string())
                           ? "Download it again, or unpack it and name the folder."
                           : "Name the folder, zip or tar that the students' files are in.");
    refuse_whole(above, 0, fault.what());
  }
}

/// Whoever packs two names that are one when they are clean means two. Only then the unclean ones are spelt
/// out: alone, " lead" is "lead".
void Collector::keep_apart(const std::vector<Unclean>& unclean, std::size_t begin,
                           std::size_t above) {
  if (unclean.empty()) return;
  std::map<std::string, std::set<std::string>> written;  // clean path -> last parts as written
  const auto path_of = [&](const Found& found, std::size_t part) {
    return join_parts(
        {found.parts.begin(), found.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1});
  };
  for (const Unclean& one : unclean)
    for (std::size_t p = 0; p < one.raw.size() && one.begin < one.end; ++p)
      written[path_of(found_[one.begin], above + p)].insert(one.raw[p]);
  auto next = unclean.begin();
  for (std::size_t i = begin; i < found_.size(); ++i) {
    while (next != unclean.end() && next->end <= i) ++next;
    if (next != unclean.end() && i >= next->begin) continue;
    for (std::size_t p = above; p < found_[i].parts.size(); ++p)
      if (const auto at = written.find(path_of(found_[i], p)); at != written.end())
        at->second.insert(found_[i].parts[p]);
  }
  std::vector<std::vector<std::string>> names;  // before any is changed
  for (const Unclean& one : unclean) {
    names.emplace_back();
    for (std::size_t p = 0; p < one.raw.size() && one.begin < one.end; ++p) {
      const std::string& clean = found_[one.begin].parts[above + p];
      const bool alone = written[path_of(found_[one.begin], above + p)].size() == 1;
      names.back().push_back(alone || one.raw[p] == clean ? clean : spelt_out(one.raw[p]));
    }
  }
  for (std::size_t k = 0; k < unclean.size(); ++k)
    for (std::size_t i = unclean[k].begin; i < unclean[k].end; ++i)
      std::copy(names[k].begin(), names[k].end(),
                found_[i].parts.begin() + static_cast<std::ptrdiff_t>(above));
}

void Collector::members(ArchiveReader& archive, const std::vector<std::string>& above,
                        Allowance& allowance) {
  std::vector<Unclean> unclean;
  const std::size_t begin = found_.size();
  try {
    each_member(archive, above, allowance, unclean);
  } catch (const ArchiveFault&) {  // it breaks off in the middle
    keep_apart(unclean, begin, above.size());
    throw;
  }
  keep_apart(unclean, begin, above.size());
}

void Collector::each_member(ArchiveReader& archive, const std::vector<std::string>& above,
                            Allowance& allowance, std::vector<Unclean>& unclean) {
  constexpr std::size_t kMostRefusals =
      20;  // of an archive; a bomb's every member is not worth a line
  const auto line = [&](const std::vector<std::string>& parts, std::string why) {
    if (++allowance.refused <= kMostRefusals) refuse(parts, allowance.outer_parts, std::move(why));
  };
  ArchiveMember member;
  std::uint64_t count = 0;
  while (archive.next(member)) {
    if (++count > allowance.members)
      throw ArchiveFault(fmt::format("it holds more than {} files", allowance.members));
    SafePath safe = take_apart(member.name, archive.is_zip(), limits_.folder_depth);
    std::vector<std::string> parts = above;
    if (!safe.refusal.empty()) {
      // "." is how tar names the folder that was packed
      if (member.kind == ArchiveMember::Kind::directory && safe.refusal == "its path is empty")
        continue;
      parts.push_back(cut_utf8(clean_name(decode_name(member.name)), 200));
      line(parts, safe.refusal);
      continue;
    }
    if (std::any_of(safe.parts.begin(), safe.parts.end(), is_litter)) continue;
    parts.insert(parts.end(), safe.parts.begin(), safe.parts.end());
    const bool is_unclean = safe.raw != safe.parts;
    if (is_unclean) unclean.push_back({found_.size(), found_.size(), std::move(safe.raw)});
    switch (member.kind) {
      case ArchiveMember::Kind::directory:
        add(Found::Kind::folder, parts, allowance.outer_parts, {});
        break;
      case ArchiveMember::Kind::link:
        line(parts, "it is a link: links are not followed");
        break;
      case ArchiveMember::Kind::special:
        line(parts, "it is neither a file nor a folder");
        break;
      case ArchiveMember::Kind::file:
        if (member.encrypted)
          line(parts, "it is encrypted");
        else
          this->member(archive, member, std::move(parts), allowance.outer_parts, allowance);
        break;
    }
    if (is_unclean) unclean.back().end = found_.size();
  }
  if (allowance.refused > kMostRefusals)
    refuse(above, allowance.outer_parts,
           fmt::format("{} more of its members were refused", allowance.refused - kMostRefusals));
}

void Collector::member(ArchiveReader& archive, const ArchiveMember& member,
                       std::vector<std::string> parts, std::size_t outer, Allowance& allowance) {
  const std::string name = parts.back();
  if (names_archive(name)) {
    if (member.size_bytes.value_or(0) > limits_.nested_archive_bytes)
      refuse_whole(parts, outer,
                   fmt::format("an archive inside of an archive, larger than {}: it is not opened",
                               mebibytes(limits_.nested_archive_bytes)));
    else
      nested(archive, parts, outer, allowance);
    return;
  }
  // What a student packed is no metadata of the LMS.
  const bool metadata = allowance.depth == 0 && name == "submission_metadata.yml";
  const std::string foreign = foreign_archive(name);
  if (!metadata && (!source_likeness(name) || !foreign.empty())) {
    if (!foreign.empty())
      refuse_whole(parts, outer, fmt::format("it is {}; the kit reads zip and tar", foreign));
    else
      add(Found::Kind::other, std::move(parts), outer, {});
    return;
  }
  const std::uint64_t most = metadata ? limits_.metadata_bytes : limits_.source_bytes;
  std::optional<std::string> text;
  try {
    if (member.size_bytes.value_or(0) <= most) text = archive.read(most);
  } catch (const MemberFault& fault) {
    refuse(parts, outer, fault.what());
    return;
  }
  if (!text)
    refuse(parts, outer, fmt::format("it is larger than {}", mebibytes(most)));
  else if (!keep(text->size(), allowance.kept_bytes, parts, allowance.place))
    refuse(parts, outer, "the sources submitted together are too large to be held");
  else
    add(metadata ? Found::Kind::metadata : Found::Kind::source, std::move(parts), outer, *text);
}

void Collector::nested(ArchiveReader& archive, const std::vector<std::string>& parts,
                       std::size_t outer, const Allowance& allowance) {
  if (allowance.depth >= limits_.nested_depth) {
    refuse_whole(parts, outer, "an archive inside of archives, nested too deep: it is not opened");
    return;
  }
  const std::size_t before = found_.size();
  const std::size_t named = outer ? outer : parts.size();
  std::optional<std::string> bytes;
  try {
    bytes = archive.read(limits_.nested_archive_bytes);  // but for a MemberFault, the outer one's
  } catch (const MemberFault& fault) {
    refuse_whole(parts, named, fault.what());
    return;
  }
  try {
    if (!bytes)
      throw ArchiveFault(
          fmt::format("an archive inside of an archive, larger than {}: it is not opened",
                      mebibytes(limits_.nested_archive_bytes)));
    if (bytes->empty()) throw ArchiveFault("the archive is empty");
    // as why_cut_short() has it of a file: what comes before the break may not be all
    if (bytes->starts_with("PK\3\4") && bytes->rfind("PK\5\6") == std::string::npos)
      throw ArchiveFault("it is broken: its end is missing");
    Allowance own{limits_.nested_members, limits_.nested_kept_bytes, allowance.depth + 1, named};
    own.place = allowance.place ? allowance.place : named;
    ArchiveReader inner(std::string_view(*bytes), limits_.nested_expanded_bytes);
    members(inner, parts, own);
    if (found_.size() == before) throw ArchiveFault("the archive is empty");
  } catch (const ArchiveFault& fault) {
    refuse_whole(parts, named, fault.what());
  }
}

}  // namespace

std::string Found::path() const { return join_parts(parts); }

int source_likeness(std::string_view file_name) {
  const std::string low = to_lower(file_name);
  if (low.ends_with(".cu") || low.ends_with(".cuh")) return 2;
  for (const std::string_view ending :
       {".txt", ".cpp", ".cxx", ".cc", ".c", ".h", ".hpp", ".bak", ".orig"})
    if (low.ends_with(ending)) return 1;
  // "kernel.cu-1", "lab3.cu (1)" and files without an ending
  if (low.find(".cu") != std::string::npos) return 1;
  return low.find('.') == std::string::npos ? 1 : 0;
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
    const std::string foreign = foreign_archive(input.filename().string());
    if (!names_archive(input.filename().string()) && !foreign.empty())
      throw UsageError(fmt::format("{} is {}; the kit reads zip and tar", input.string(), foreign),
                       "Unpack it and name the folder.");
    collector.archive_file(input, {});
  } else {
    throw UsageError(fmt::format("{} is neither a folder nor a file", input.string()),
                     "Name the folder, zip or tar that the students' files are in.");
  }
  return collector.take();
}

}  // namespace labkit::course
