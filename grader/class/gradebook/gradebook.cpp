#include "class/gradebook/gradebook.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "class/gradebook/checksums.h"
#include "class/gradebook/schema.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

/// Other processes write for milliseconds; a checkpoint to a slow disk takes longer.
constexpr int kBusyMilliseconds = 30'000;

int integer(SQLite::Database& db, const char* sql) { return db.execAndGet(sql).getInt(); }

/// Turning a file to WAL needs it alone for a moment, and SQLite does not wait for that.
void use_write_ahead_log(SQLite::Database& db) {
  for (int tries = 0;; ++tries) {
    try {
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& error) {
      if ((error.getErrorCode() & 0xff) != SQLITE_BUSY || tries == 200) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
  }
}

bool can_write(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  return ::access(file.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// "file:///home/ta/my%20grades/gradebook.sqlite?immutable=1"
std::string immutable_uri(const std::filesystem::path& file) {
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(file).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') ||
                       std::string_view("/._-~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri + "?immutable=1";
}

/// SQLite reads a log only through an index beside it, which it makes unless it is there. Without a log
/// that holds anything, nobody writes, and the file is all there is.
enum class Log : std::uint8_t { none, with_index, without_index };
Log log_of(const std::filesystem::path& file) {
  std::error_code none;
  if (std::filesystem::exists(file.string() + "-shm", none)) return Log::with_index;
  const auto bytes = std::filesystem::file_size(file.string() + "-wal", none);
  return none || bytes == 0 ? Log::none : Log::without_index;
}

/// Whether the shell that began this lets files grow only so far. SQLite says of that no more than of a
/// disk that fails.
bool is_file_size_limited() {
  struct rlimit limit {};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void throw_database_error(const std::string& what, const std::filesystem::path& file,
                          const SQLite::Exception& error) {
  std::string fix;
  switch (error.getErrorCode() & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      fix = fmt::format(
          "{} and run the same command again: what was graded is safe, and it goes on from there.",
          is_file_size_limited() ? "Let files grow (ulimit -f unlimited), or free some disk space,"
                                 : "Free some disk space");
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fix = "Another process holds it; run the same command again.";
      break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      fix = ::access(file.c_str(), F_OK) == 0 && ::access(file.c_str(), W_OK) != 0
                ? fmt::format("Make {} writable for you: chmod u+w, if it is yours.", file.string())
                : fmt::format("Check that {} is a folder you may write to.",
                              file.parent_path().string());
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // its tables are not what they must be
      fix = fmt::format(
          "Restore it from a backup, if there is one: what was decided (points, late days, "
          "excuses, notes) is nowhere else. Without one, copy {} away, whose last part still tells "
          "the decisions; then move this file away, grade every download again with "
          "--new-gradebook, and decide again with `{} class set`.",
          (file.parent_path() / "review.txt").string(), command_name());
      break;
    default:
      break;
  }
  throw GradebookFault(
      fmt::format("cannot {} the gradebook {}: {}", what, file.string(), error.what()), fix);
}

Gradebook::State::State(const std::filesystem::path& path, int flags)
    : file(path), db(path.string(), flags, kBusyMilliseconds) {}

void Gradebook::State::rethrow(const char* what, const SQLite::Exception& error) const {
  throw_database_error(what, file, error);
}

void Gradebook::State::require_gradebook() {
  // In this order: another process that makes the file just now commits both at once, so that whoever
  // sees its tables sees its mark too.
  const int tables = integer(db, "SELECT count(*) FROM sqlite_master");
  const int application = integer(db, "PRAGMA application_id");
  if (application != kApplicationId && (application != 0 || tables != 0))
    throw Error(fmt::format("{} is no gradebook: it is another program's database", file.string()),
                "Name another folder for the grades.");
}

void Gradebook::State::set_up(bool whole) {
  require_gradebook();
  use_write_ahead_log(db);
  // FULL: a commit is on the disk when it returns, also through a power cut.
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA foreign_keys = ON");
  db.exec("PRAGMA temp_store = MEMORY");  // the triggers of checksums.h
  register_checksum_function(db);
  make_tables();
  if (whole) require_sound();
  keep_checksums(db);
}

void Gradebook::State::set_up_to_look() {
  require_gradebook();
  db.exec("PRAGMA query_only = ON");
  found_schema();
  register_checksum_function(db);
  require_sound();
}

int Gradebook::State::found_schema() {
  const int found = integer(db, "PRAGMA user_version");
  if (found != 0 && found != kSchemaVersion)
    throw Error(
        fmt::format("{} was written by another version of the kit (schema {}, this one reads {})",
                    file.string(), found, kSchemaVersion),
        "Use the kit that wrote it, or name another folder.");
  return found;
}

void Gradebook::State::make_tables() {
  if (found_schema() == kSchemaVersion) return;
  SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
  if (found_schema() == kSchemaVersion) return;  // another process was quicker
  db.exec(kSchema);
  db.exec(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
  db.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
  transaction.commit();
}

Gradebook::Gradebook(const std::filesystem::path& file, Mode mode) {
  std::error_code ignored;
  if (mode != Mode::create && !std::filesystem::exists(file, ignored))
    throw std::invalid_argument(fmt::format("there is no gradebook {}; `{} class grade` makes it",
                                            file.string(), command_name()));
  // Whoever grades may be making it just now.
  if (mode != Mode::create && is_blank(file) && grading_now(file).empty())
    throw Error(fmt::format("the gradebook {} is empty", file.string()),
                "Restore it from a backup.");
  if (mode == Mode::create && file.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
      throw Error(fmt::format("cannot make the folder {}: {}", file.parent_path().string(),
                              error.message()),
                  "Name a folder you may write to.");
  }
  try {
    if (mode == Mode::look && !can_write(file)) {
      const Log log = log_of(file);
      if (log == Log::without_index)
        throw Error(fmt::format("the gradebook {} was not closed, and what its log holds cannot be "
                                "read where nothing may be written",
                                file.string()),
                    "Copy its folder to where you may write, and name the copy.");
      state_ = log == Log::none ? std::make_unique<State>(immutable_uri(file),
                                                          SQLite::OPEN_READONLY | SQLite::OPEN_URI)
                                : std::make_unique<State>(file, SQLite::OPEN_READONLY);
      state_->file = file;
      state_->set_up_to_look();
      return;
    }
    state_ = std::make_unique<State>(
        file, SQLite::OPEN_READWRITE | (mode == Mode::create ? SQLite::OPEN_CREATE : 0));
    state_->set_up(mode != Mode::repair);
  } catch (const SQLite::Exception& error) {
    throw_database_error("open", file, error);
  }
}

Gradebook::~Gradebook() = default;

bool Gradebook::is_blank(const std::filesystem::path& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  // SQLite throws a log away that lies beside no bytes at all, so what it holds is lost, too.
  return error ? !std::filesystem::exists(file, error) : bytes == 0;
}

const char* state_name(JobState state) {
  static constexpr const char* kNames[] = {"waiting", "done", "failed"};
  return kNames[static_cast<std::size_t>(state)];
}

namespace {

std::string holder_of(int lock_file) {
  char holder[32] = {};
  const ssize_t got = ::pread(lock_file, holder, sizeof holder - 1, 0);
  return got > 0 ? std::string(trim(holder)) : std::string();
}

}  // namespace

std::string grading_now(const std::filesystem::path& gradebook) {
  const int file = ::open((gradebook.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  // Shared, so that two who ask do not take each other for one who grades.
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  std::string holder = held ? holder_of(file) : std::string();
  ::close(file);
  return held && holder.empty() ? "another process" : holder;
}

GradingLock::GradingLock(const std::filesystem::path& gradebook) {
  const std::string file = gradebook.string() + ".lock";
  fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0)
    throw Error(fmt::format("cannot write {}: {}", file, std::strerror(errno)),
                "Check that its folder is there and that you may write to it.");
  // Who asks grading_now() has the lock, too, but only for a moment.
  bool locked = false;
  for (int tries = 0; !locked && tries < 5; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
  }
  if (!locked) {
    const std::string holder = holder_of(fd_);
    ::close(fd_);
    const std::string number = holder.starts_with("process ") ? holder.substr(8) : holder;
    throw UsageError(
        fmt::format("{}: another run is at work there{}", gradebook.parent_path().string(),
                    number.empty() ? "" : fmt::format(" (pid {})", number)),
        fmt::format("Wait for it, or stop it: `{} class status` says how far it is.",
                    command_name()));
  }
  const std::string self = fmt::format("process {}\n", ::getpid());
  // Only to be read by people; whoever cannot write it still holds the lock.
  if (::ftruncate(fd_, 0) == 0) (void)!::pwrite(fd_, self.data(), self.size(), 0);
}

GradingLock::~GradingLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace labkit::course
