// The tables of the gradebook. Private to the gradebook.
//
// Every table has row_sha256, a checksum of the row (checksums.h).
#pragma once

namespace labkit::course {

/// Marks the file as ours: "LABK".
inline constexpr int kApplicationId = 0x4c41424b;

/// Version Gradebook::kSchemaVersion.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE intake(                 -- an import
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,               -- seconds since 1970
  row_sha256 TEXT
) STRICT;
CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,                -- JSON object
  on_roster INTEGER NOT NULL,
  present INTEGER NOT NULL,          -- in the class now
  intake INTEGER NOT NULL,           -- the last that had them
  row_sha256 TEXT
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
  state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'done', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  message TEXT NOT NULL DEFAULT '',
  finished_at INTEGER NOT NULL DEFAULT 0,  -- seconds since 1970
  again INTEGER NOT NULL DEFAULT 0,        -- to be graded again, as a teacher asked
  row_sha256 TEXT,
  UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)
) STRICT;
CREATE INDEX job_by_state ON job(state);
CREATE TABLE submission(
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  path TEXT NOT NULL,
  source BLOB NOT NULL,
  source_sha256 TEXT NOT NULL,
  late INTEGER NOT NULL,
  submitted_at INTEGER,              -- seconds since 1970
  lms_id TEXT NOT NULL,
  download TEXT NOT NULL,
  members TEXT NOT NULL,             -- JSON array of student ids: a group
  problem TEXT NOT NULL,
  notes TEXT NOT NULL,               -- JSON array
  job INTEGER REFERENCES job(id),    -- to be done for it, or done
  counts INTEGER REFERENCES job(id), -- whose result counts now
  intake INTEGER NOT NULL,
  row_sha256 TEXT,
  PRIMARY KEY(student, lab)
) STRICT;
CREATE TABLE earlier(                -- graded submissions that a newer one replaced
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  path TEXT NOT NULL,
  source BLOB NOT NULL,
  source_sha256 TEXT NOT NULL,
  late INTEGER NOT NULL,
  submitted_at INTEGER,
  lms_id TEXT NOT NULL,
  download TEXT NOT NULL,
  members TEXT NOT NULL,
  problem TEXT NOT NULL,
  notes TEXT NOT NULL,
  row_sha256 TEXT,
  PRIMARY KEY(student, lab, source_sha256)
) STRICT;
CREATE TABLE attempt(                -- every submission ever seen, and what replaced it (submission_order.h)
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  path TEXT NOT NULL,
  input TEXT NOT NULL,
  download_key TEXT NOT NULL,
  submitted_at INTEGER,              -- seconds since 1970
  lms_order INTEGER NOT NULL,
  file_time INTEGER,                 -- seconds since 1970
  readable INTEGER NOT NULL,
  untouched INTEGER NOT NULL,
  superseded_by TEXT NOT NULL,       -- the source_sha256 of what counted then; '': this one counts
  put_aside INTEGER NOT NULL,        -- unreadable, and replaced in its own download
  row_sha256 TEXT,
  PRIMARY KEY(student, lab, source_sha256)
) STRICT;
CREATE TABLE result(
  job INTEGER PRIMARY KEY REFERENCES job(id),
  json TEXT NOT NULL,
  receipt TEXT NOT NULL,
  verdict TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  bonus REAL NOT NULL,
  max_bonus REAL NOT NULL,
  undecided REAL NOT NULL,
  row_sha256 TEXT
) STRICT;
CREATE TABLE rescored(               -- points and verdict under changed points and gates
  job INTEGER PRIMARY KEY REFERENCES job(id),
  scoring_hash TEXT NOT NULL,
  verdict TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  bonus REAL NOT NULL,
  max_bonus REAL NOT NULL,
  undecided REAL NOT NULL,
  note TEXT NOT NULL,
  row_sha256 TEXT
) STRICT;
CREATE TABLE decision(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('points', 'late_days', 'excused', 'withdrawn')),
  value REAL NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL,          -- seconds since 1970
  note TEXT NOT NULL,                -- for teachers alone
  row_sha256 TEXT
) STRICT;
CREATE TABLE remark(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  path TEXT NOT NULL,
  student TEXT NOT NULL,
  text TEXT NOT NULL,
  intake INTEGER NOT NULL,
  row_sha256 TEXT
) STRICT;
CREATE TABLE download(
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  label TEXT NOT NULL,
  lab TEXT NOT NULL,
  intake INTEGER NOT NULL,
  row_sha256 TEXT
) STRICT;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL, row_sha256 TEXT) STRICT;
)sql";

}  // namespace labkit::course
