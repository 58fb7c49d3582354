// The tables of the gradebook. Private to the gradebook.
//
// Every table has row_sha256, a checksum of the row (checksums.h).
#pragma once

namespace labkit::course {

/// Marks the file as ours: "LABK".
inline constexpr int kApplicationId = 0x4c41424b;

/// Version Gradebook::kSchemaVersion.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE import(                 -- what one command took in
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,               -- seconds since 1970
  state TEXT NOT NULL CHECK(state IN ('pending', 'applied', 'undone')),
  row_sha256 TEXT
) STRICT;
CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,                -- JSON object
  on_roster INTEGER NOT NULL,
  present INTEGER NOT NULL,          -- in the class now: on the roster, or in an import that was not undone
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
  state TEXT NOT NULL CHECK(state IN ('waiting', 'done', 'failed')),
  message TEXT NOT NULL DEFAULT '',
  finished_at INTEGER NOT NULL DEFAULT 0,  -- seconds since 1970
  again INTEGER NOT NULL DEFAULT 0,        -- to be graded again, as a teacher asked
  wanted INTEGER NOT NULL DEFAULT 0,       -- of the submission that counts, under the conditions of now
  row_sha256 TEXT,
  UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)
) STRICT;
CREATE INDEX job_by_state ON job(state);
CREATE TABLE submission(             -- all that ever came, never changed; which one counts: counting.h
  import INTEGER NOT NULL REFERENCES import(id),
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  path TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  submitted_at INTEGER,              -- seconds since 1970
  lms_order INTEGER NOT NULL,
  late INTEGER NOT NULL,
  lms_id TEXT NOT NULL,
  download TEXT NOT NULL,
  members TEXT NOT NULL,             -- JSON array of student ids: a group
  problem TEXT NOT NULL,
  notes TEXT NOT NULL,               -- JSON array
  row_sha256 TEXT,
  PRIMARY KEY(student, lab, import)
) STRICT;
CREATE TABLE source(sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL, row_sha256 TEXT) STRICT;
CREATE TABLE seen(                   -- whom an import named
  import INTEGER NOT NULL REFERENCES import(id),
  student TEXT NOT NULL REFERENCES student(id),
  row_sha256 TEXT,
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
  undecided REAL NOT NULL AS ((json ->> '$.undecided_points') + (json ->> '$.undecided_bonus')) STORED,
  row_sha256 TEXT
) STRICT;
CREATE TABLE decision(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('points', 'late_days', 'excused', 'withdrawn', 'comment', 'regrade', 'answered')),
  value REAL NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL,          -- seconds since 1970
  note TEXT NOT NULL,                -- for teachers alone
  row_sha256 TEXT
) STRICT;
CREATE TABLE remark(
  id INTEGER PRIMARY KEY,
  import INTEGER NOT NULL REFERENCES import(id),
  kind INTEGER NOT NULL,
  path TEXT NOT NULL,
  student TEXT NOT NULL,
  text TEXT NOT NULL,
  download TEXT NOT NULL,            -- and labs: that it is about; '': who is who
  labs TEXT NOT NULL,                -- as download.asked
  row_sha256 TEXT
) STRICT;
CREATE TABLE download(
  id INTEGER PRIMARY KEY,
  import INTEGER NOT NULL REFERENCES import(id),
  format TEXT NOT NULL,
  label TEXT NOT NULL,
  asked TEXT NOT NULL,               -- JSON array: labs that were set for it; []: its files name them
  labs TEXT NOT NULL,                -- JSON array: those, or those that its files name
  row_sha256 TEXT
) STRICT;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL, row_sha256 TEXT) STRICT;
)sql";

}  // namespace labkit::course
