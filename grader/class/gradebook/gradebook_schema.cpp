#include "class/gradebook/gradebook_schema.h"

namespace labkit::course {

const std::vector<std::string>& schema_steps() {
  static const std::vector<std::string> steps = {
      // 1: who handed in what, jobs, results, decisions.
      R"sql(
CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,              -- JSON object
  on_roster INTEGER NOT NULL,
  present INTEGER NOT NULL         -- in the last intake
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
  UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)
) STRICT;
CREATE TABLE submission(
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  path TEXT NOT NULL,
  source BLOB NOT NULL,
  source_sha256 TEXT NOT NULL,
  late INTEGER NOT NULL,
  submitted_at INTEGER,            -- seconds since 1970
  lms_id TEXT NOT NULL,
  download TEXT NOT NULL,
  members TEXT NOT NULL,           -- JSON array of student ids: a group
  problem TEXT NOT NULL,
  notes TEXT NOT NULL,             -- JSON array
  present INTEGER NOT NULL,
  job INTEGER REFERENCES job(id),  -- the one that counts
  PRIMARY KEY(student, lab)
) STRICT;
CREATE TABLE result(
  job INTEGER PRIMARY KEY REFERENCES job(id),
  json TEXT NOT NULL,
  receipt TEXT NOT NULL,
  verdict TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  bonus REAL NOT NULL,
  max_bonus REAL NOT NULL
) STRICT;
CREATE TABLE decision(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('points', 'late_days', 'excused', 'withdrawn')),
  value REAL NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL         -- seconds since 1970
) STRICT;
CREATE TABLE remark(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  path TEXT NOT NULL,
  student TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE INDEX job_by_state ON job(state);
)sql",
      // 2: points that a GPU's measurement left open; scores under changed points and gates beside
      // those that were graded; the downloads, for the exports.
      R"sql(
ALTER TABLE result ADD COLUMN undecided REAL NOT NULL DEFAULT 0;
CREATE TABLE rescored(
  job INTEGER PRIMARY KEY REFERENCES job(id),
  scoring_hash TEXT NOT NULL,
  verdict TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  bonus REAL NOT NULL,
  max_bonus REAL NOT NULL,
  undecided REAL NOT NULL,
  note TEXT NOT NULL
) STRICT;
CREATE TABLE download(
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  label TEXT NOT NULL,
  lab TEXT NOT NULL
) STRICT;
)sql",
      // 3: what a teacher notes beside a decision, and students do not read.
      R"sql(
ALTER TABLE decision ADD COLUMN note TEXT NOT NULL DEFAULT '';
)sql",
      // 4: a class comes in by and by; a result counts until its successor is there.
      R"sql(
CREATE TABLE intake(
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL              -- seconds since 1970
) STRICT;
ALTER TABLE student ADD COLUMN intake INTEGER NOT NULL DEFAULT 0;     -- the last that had them
ALTER TABLE submission ADD COLUMN intake INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submission ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;    -- from the download it came with
ALTER TABLE submission ADD COLUMN counts INTEGER REFERENCES job(id);  -- whose result counts now
ALTER TABLE remark ADD COLUMN intake INTEGER NOT NULL DEFAULT 0;
ALTER TABLE download ADD COLUMN intake INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN again INTEGER NOT NULL DEFAULT 0;          -- to be graded again, as a teacher wished
UPDATE submission SET counts = job WHERE job IN (SELECT job FROM result);
CREATE TABLE earlier(                -- hand-ins that a newer one took the place of
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
  PRIMARY KEY(student, lab, source_sha256)
) STRICT;
)sql",
      // 5: all hand-ins that were ever seen, and which took the place of which (hand_in_order.h). What
      // was seen by older kits says nothing of its download.
      R"sql(
CREATE TABLE hand_in(
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  source_sha256 TEXT NOT NULL,
  path TEXT NOT NULL,
  input TEXT NOT NULL,
  download_key TEXT NOT NULL,
  submitted_at INTEGER,            -- seconds since 1970
  attempt INTEGER NOT NULL,
  file_time INTEGER,               -- seconds since 1970
  readable INTEGER NOT NULL,
  untouched INTEGER NOT NULL,
  superseded_by TEXT NOT NULL,     -- the source_sha256 of what counted then; '': this is listed
  put_aside INTEGER NOT NULL,      -- by a teacher, who took another
  PRIMARY KEY(student, lab, source_sha256)
) STRICT;
INSERT INTO hand_in SELECT student, lab, source_sha256, path, '', '', submitted_at, 0, NULL, problem = '',
  0, '', 0 FROM submission;
INSERT OR IGNORE INTO hand_in SELECT e.student, e.lab, e.source_sha256, e.path, '', '', e.submitted_at, 0,
  NULL, e.problem = '', 0, s.source_sha256, 0 FROM earlier e JOIN submission s ON s.student = e.student AND
  s.lab = e.lab;
)sql",
      // 6: a digest of each row (gradebook_seals.h).
      R"sql(
ALTER TABLE student ADD COLUMN row_sha256 TEXT;
ALTER TABLE job ADD COLUMN row_sha256 TEXT;
ALTER TABLE submission ADD COLUMN row_sha256 TEXT;
ALTER TABLE result ADD COLUMN row_sha256 TEXT;
ALTER TABLE decision ADD COLUMN row_sha256 TEXT;
ALTER TABLE remark ADD COLUMN row_sha256 TEXT;
ALTER TABLE setting ADD COLUMN row_sha256 TEXT;
ALTER TABLE rescored ADD COLUMN row_sha256 TEXT;
ALTER TABLE download ADD COLUMN row_sha256 TEXT;
ALTER TABLE intake ADD COLUMN row_sha256 TEXT;
ALTER TABLE earlier ADD COLUMN row_sha256 TEXT;
ALTER TABLE hand_in ADD COLUMN row_sha256 TEXT;
)sql",
  };
  return steps;
}

}  // namespace labkit::course
