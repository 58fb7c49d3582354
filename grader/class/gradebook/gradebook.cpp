#include "class/gradebook/gradebook.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

/// Marks the file as ours: "LABK".
constexpr int kApplicationId = 0x4c41424b;

constexpr const char* kSchema = R"sql(
CREATE TABLE import(                 -- what one command took in
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,               -- seconds since 1970
  state TEXT NOT NULL CHECK(state IN ('pending', 'applied', 'undone'))
) STRICT;
CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,                -- JSON object
  on_roster INTEGER NOT NULL,
  present INTEGER NOT NULL           -- in the class now: on the roster, or in an import that was not undone
) STRICT;
CREATE TABLE job(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  kit TEXT NOT NULL,
  lab_hash TEXT NOT NULL,
  device TEXT NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('waiting', 'done', 'failed')),
  message TEXT NOT NULL DEFAULT '',
  finished_at INTEGER NOT NULL DEFAULT 0,  -- seconds since 1970
  wanted INTEGER NOT NULL DEFAULT 0,       -- of the submission that counts, under the conditions of now
  UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)
) STRICT;
CREATE INDEX job_by_state ON job(state);
CREATE TABLE submission(             -- all that ever came, never changed; which one counts: imports.cpp
  import INTEGER NOT NULL REFERENCES import(id),
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  path TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  submitted_at INTEGER,              -- seconds since 1970
  local_at INTEGER,                  -- the same, as if that clock were UTC
  lms_order INTEGER NOT NULL,
  late INTEGER NOT NULL,
  lms_id TEXT NOT NULL,
  download TEXT NOT NULL,
  members TEXT NOT NULL,             -- JSON array of student ids: a group
  problem TEXT NOT NULL,
  PRIMARY KEY(student, lab, import)
) STRICT;
CREATE TABLE source(sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE seen(                   -- whom an import named
  import INTEGER NOT NULL REFERENCES import(id),
  student TEXT NOT NULL REFERENCES student(id),
  PRIMARY KEY(import, student)
) STRICT;
CREATE TABLE result(
  job INTEGER PRIMARY KEY REFERENCES job(id),
  json TEXT NOT NULL,                -- as graded, or as scored since under other points and gates
  receipt TEXT NOT NULL,             -- as graded
  verdict TEXT NOT NULL AS (json ->> '$.verdict') STORED,
  points REAL NOT NULL AS (json ->> '$.points') STORED,
  max_points REAL NOT NULL AS (json ->> '$.max_points') STORED,
  bonus REAL NOT NULL AS (json ->> '$.bonus') STORED,
  max_bonus REAL NOT NULL AS (json ->> '$.max_bonus') STORED,
  undecided REAL NOT NULL AS ((json ->> '$.undecided_points') + (json ->> '$.undecided_bonus')) STORED
) STRICT;
CREATE TABLE decision(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  kind TEXT NOT NULL,                -- of kDecisions
  value REAL NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL           -- seconds since 1970
) STRICT;
CREATE TABLE remark(
  id INTEGER PRIMARY KEY,
  import INTEGER NOT NULL REFERENCES import(id),
  kind TEXT NOT NULL,                -- of kRemarks
  path TEXT NOT NULL,
  student TEXT NOT NULL,
  text TEXT NOT NULL,
  download TEXT NOT NULL,            -- and labs: that it is about; '': who is who
  labs TEXT NOT NULL,                -- as download.asked
  lab TEXT NOT NULL                  -- that it is about, or ''
) STRICT;
CREATE TABLE download(
  id INTEGER PRIMARY KEY,
  import INTEGER NOT NULL REFERENCES import(id),
  format TEXT NOT NULL,              -- of kFormats
  label TEXT NOT NULL,
  asked TEXT NOT NULL,               -- JSON array: labs that were set for it; []: its files name them
  labs TEXT NOT NULL                 -- JSON array: those, or those that its files name
) STRICT;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
)sql";

/// Other processes write for milliseconds; a checkpoint to a slow disk takes longer.
constexpr int kBusyMilliseconds = 30'000;

int integer(SQLite::Database& db, const char* sql) { return db.execAndGet(sql).getInt(); }

}  // namespace

std::string restore_text(const std::filesystem::path& file) {
  return fmt::format(
      "Restore it from a backup. Without one, grade every download again into another folder, and "
      "decide again with `{} class set`: {} lists what was decided.",
      command_name(), (file.parent_path() / "index.html").string());
}

void throw_database_error(const std::string& what, const std::filesystem::path& file,
                          const SQLite::Exception& error) {
  std::string fix;
  switch (error.getErrorCode() & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      fix =
          "Free some disk space, or let files grow (ulimit -f unlimited), and run the same command "
          "again: what was graded is safe, and it goes on from there.";
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      fix = "Another process holds it; run the same command again.";
      break;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      fix = fmt::format("Make it and its folder {} writable for you.", file.parent_path().string());
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:  // its tables are not what they must be
      fix = restore_text(file);
      break;
    default:
      break;
  }
  throw Error(fmt::format("cannot {} the gradebook {}: {}", what, file.string(), error.what()),
              fix);
}

Gradebook::State::State(const std::filesystem::path& path, int flags)
    : file(path), db(path.string(), flags, kBusyMilliseconds) {}

void Gradebook::State::set_up() {
  // In this order: another process that makes the file just now commits both at once, so that whoever
  // sees its tables sees its mark too.
  const int tables = integer(db, "SELECT count(*) FROM sqlite_master");
  const int application = integer(db, "PRAGMA application_id");
  if (application != kApplicationId && (application != 0 || tables != 0))
    throw Error(fmt::format("{} is no gradebook: it is another program's database", file.string()),
                "Name another folder for the grades.");
  // EXTRA: a commit is on the disk when it returns, also through a power cut.
  db.exec("PRAGMA synchronous = EXTRA");
  db.exec("PRAGMA foreign_keys = ON");
  const auto schema = [&] { return integer(db, "PRAGMA user_version"); };
  if (schema() == 0) {
    SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
    if (schema() == 0)  // another process may have been quicker
      db.exec(kSchema + fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {};",
                                    kSchemaVersion, kApplicationId));
    transaction.commit();
  }
  if (schema() != kSchemaVersion)
    throw Error(
        fmt::format("{} was written by another version of the kit (schema {}, this one reads {})",
                    file.string(), schema(), kSchemaVersion),
        "Use the kit that wrote it, or name another folder.");
  if (const std::string said = db.execAndGet("PRAGMA integrity_check(1)").getString(); said != "ok")
    throw Error(fmt::format("the gradebook {} is damaged: {}", file.string(), said),
                restore_text(file));
}

Gradebook::Gradebook(const std::filesystem::path& file, Mode mode) {
  std::error_code ignored;
  if (mode != Mode::create && !std::filesystem::exists(file, ignored))
    throw std::invalid_argument(fmt::format("there is no gradebook {}; `{} class grade` makes it",
                                            file.string(), command_name()));
  // Whoever grades may be making it just now.
  if (mode != Mode::create && is_blank(file) && !is_graded_now(file))
    throw Error(fmt::format("the gradebook {} is empty", file.string()), restore_text(file));
  if (mode == Mode::create && file.has_parent_path()) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
      throw Error(fmt::format("cannot make the folder {}: {}", file.parent_path().string(),
                              error.message()),
                  "Name a folder you may write to.");
  }
  try {
    // Where nothing may be written, SQLite opens it to be read.
    state_ = std::make_unique<State>(
        file, SQLite::OPEN_READWRITE | (mode == Mode::create ? SQLite::OPEN_CREATE : 0));
    state_->set_up();
  } catch (const SQLite::Exception& error) {
    throw_database_error("open", file, error);
  }
}

Gradebook::~Gradebook() = default;

bool Gradebook::is_blank(const std::filesystem::path& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? !std::filesystem::exists(file, error) : bytes == 0;
}

bool is_graded_now(const std::filesystem::path& gradebook) {
  const Descriptor file(::open((gradebook.string() + ".lock").c_str(), O_RDONLY | O_CLOEXEC));
  // Shared, so that two who ask do not take each other for one who grades.
  return file.get() >= 0 && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

GradingLock::GradingLock(const std::filesystem::path& gradebook)
    : file_(::open((gradebook.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_.get() < 0)
    throw Error(fmt::format("cannot write {}.lock: {}", gradebook.string(), std::strerror(errno)),
                "Check that its folder is there and that you may write to it.");
  // Who asks is_graded_now() has the lock, too, but only for a moment.
  for (int tries = 1; ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries == 5)
      throw UsageError(
          fmt::format("{}: another run is at work there", gradebook.parent_path().string()),
          fmt::format("Wait for it, or stop it: `{} class status` says how far it is.",
                      command_name()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace labkit::course
