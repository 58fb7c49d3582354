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
#include "class/intake/names.h"
#include "class/intake/unicode.h"

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

/// A path of the list that may be looked at and removed: the list lies where others can write.
bool stays_inside(const std::string& path) {
  const fs::path relative(path);
  return !path.empty() && relative.is_relative() &&
         std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& part) { return part == ".." || part == "."; });
}

/// "a/b.csv.4711.tmp", which write_file_atomically() leaves if it is killed: "a/b.csv"; else "".
std::string half_written(const std::string& path) {
  fs::path rest = path;
  if (rest.extension() != ".tmp") return {};
  const std::string digits = rest.replace_extension().extension().string();
  if (digits.size() < 2 || !std::all_of(digits.begin() + 1, digits.end(), is_digit)) return {};
  return rest.replace_extension().string();
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
  const auto open = [](OpenFile& file, const fs::path& path, int flags) {
    file.descriptor = ::open(path.c_str(), flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file.descriptor < 0) fail(path, errno);
  };
  const fs::path lock = folder_ / ".labkit-files.lock";
  open(lock_, lock, O_RDWR);
  while (::flock(lock_.descriptor, LOCK_EX) != 0)
    if (errno != EINTR) fail(lock, errno);
  read_list();
  open(list_, folder_ / kList, O_WRONLY | O_APPEND);
}

PublishFolder::OpenFile::~OpenFile() {
  if (descriptor >= 0) ::close(descriptor);
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
  const ssize_t put = ::write(list_.descriptor, line.data(), line.size());
  if (put != static_cast<ssize_t>(line.size())) fail(folder_ / kList, put < 0 ? errno : ENOSPC);
}

void PublishFolder::keep_edited(const std::string& path, const std::string& text) {
  std::string kept;
  for (unsigned count = 1; count == 1 || type_of(folder_ / kept) != fs::file_type::not_found;
       ++count)
    kept = path + (count == 1 ? ".edited" : fmt::format(".edited-{}", count));
  write_file_atomically(folder_ / kept, text);
  notes.push_back(
      fmt::format("{} had been changed by hand: kept as {}, and made anew", path, kept));
}

void PublishFolder::put(const std::string& path, std::string_view text) {
  const fs::path file = folder_ / path;
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
    if (made == made_.end() || !made->second.contains(sha256_hex(there))) keep_edited(path, there);
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
  write_file_atomically(file, text);
  written.push_back(path);
}

void PublishFolder::finish() {
  for (const auto& [path, hashes] : made_) {
    if (put_.contains(path)) continue;
    const fs::path file = folder_ / path;
    if (type_of(file) != fs::file_type::regular) continue;
    if (!hashes.contains(sha256_hex(read_file(file)))) {
      notes.push_back(
          fmt::format("{} is of no use any more; it stays, because it was changed by hand", path));
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
  remove_half_written();
  std::string list;
  for (const auto& [path, hash] : put_) list += fmt::format("{} {}\n", hash, path);
  write_file_atomically(folder_ / kList, list);
}

void PublishFolder::remove_half_written() {
  std::error_code code;
  std::vector<fs::path> litter;
  for (fs::recursive_directory_iterator at(folder_, code), end; !code && at != end;
       at.increment(code)) {
    const std::string path = at->path().lexically_relative(folder_).generic_string();
    const std::string of = half_written(path);
    if ((made_.contains(of) || of == kList) && type_of(at->path()) == fs::file_type::regular)
      litter.push_back(at->path());
  }
  // Litter that stays harms nobody.
  for (const fs::path& file : litter) fs::remove(file, code);
}

namespace {

constexpr std::size_t kMaxNameBytes = 100;  // of 255, with room for endings

/// Windows keeps these for devices, whatever follows a dot.
bool is_reserved(const std::string& seen) {
  static const std::set<std::string> devices = {"con",  "prn",  "aux",    "nul",
                                                "com#", "lpt#", "conin$", "conout$"};
  std::string stem = seen.substr(0, seen.find('.'));
  if (stem.size() == 4 && is_digit(stem[3])) stem[3] = '#';
  return devices.contains(stem);
}

/// Letters, marks and digits of any script, '-', '_' and '.' inside; the rest becomes '-'.
std::string plain(const std::string& id) {
  std::u32string kept = characters(clean_name(id));
  std::ranges::replace_if(
      kept,
      [](char32_t c) {
        return !is_letter_or_number(c) && !is_mark(c) && c != '-' && c != '_' && c != '.';
      },
      U'-');
  return cut_utf8(utf8(kept), kMaxNameBytes);
}

}  // namespace

std::map<std::string, std::string> file_names(const std::vector<std::string>& ids) {
  std::map<std::string, std::set<std::string>> alike;
  for (const std::string& id : ids) alike[fold_case(plain(id))].insert(id);
  std::map<std::string, std::string> names;
  for (const std::string& id : ids) {
    const std::string name = plain(id), seen = fold_case(name);
    const bool dots = name.empty() || name.front() == '.' || name.back() == '.';
    if (name == id && alike[seen].size() == 1 && !dots && !is_reserved(seen)) {
      names[id] = name;
      continue;
    }
    const std::size_t first = name.find_first_not_of('.');
    names[id] = (first == std::string::npos ? "x" : name.substr(first)) + "-" +
                sha256_hex(id).substr(0, 12);
  }
  return names;
}

}  // namespace labkit::course
