-- A gradebook of schema version 1 as it was first written; kept as it is, to be migrated by a test.
CREATE TABLE student(id TEXT PRIMARY KEY, name TEXT NOT NULL, keys TEXT NOT NULL, on_roster INTEGER NOT NULL, present INTEGER NOT NULL) STRICT;
CREATE TABLE job(id INTEGER PRIMARY KEY, student TEXT NOT NULL REFERENCES student(id), lab TEXT NOT NULL, source_sha256 TEXT NOT NULL, kit TEXT NOT NULL, lab_hash TEXT NOT NULL, device TEXT NOT NULL, seed INTEGER NOT NULL, state TEXT NOT NULL CHECK(state IN ('waiting', 'running', 'done', 'failed')), attempts INTEGER NOT NULL DEFAULT 0, message TEXT NOT NULL DEFAULT '', finished_at INTEGER NOT NULL DEFAULT 0, UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)) STRICT;
CREATE TABLE submission(student TEXT NOT NULL REFERENCES student(id), lab TEXT NOT NULL, path TEXT NOT NULL, source BLOB NOT NULL, source_sha256 TEXT NOT NULL, late INTEGER NOT NULL, submitted_at INTEGER, lms_id TEXT NOT NULL, download TEXT NOT NULL, members TEXT NOT NULL, problem TEXT NOT NULL, notes TEXT NOT NULL, present INTEGER NOT NULL, job INTEGER REFERENCES job(id), PRIMARY KEY(student, lab)) STRICT;
CREATE TABLE result(job INTEGER PRIMARY KEY REFERENCES job(id), json TEXT NOT NULL, receipt TEXT NOT NULL, verdict TEXT NOT NULL, points REAL NOT NULL, max_points REAL NOT NULL, bonus REAL NOT NULL, max_bonus REAL NOT NULL) STRICT;
CREATE TABLE decision(id INTEGER PRIMARY KEY, student TEXT NOT NULL REFERENCES student(id), lab TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('points', 'late_days', 'excused', 'withdrawn')), value REAL NOT NULL, reason TEXT NOT NULL, made_by TEXT NOT NULL, made_at INTEGER NOT NULL) STRICT;
CREATE TABLE remark(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, path TEXT NOT NULL, student TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE INDEX job_by_state ON job(state);
PRAGMA application_id = 1279345227;
PRAGMA user_version = 1;
INSERT INTO student VALUES('ana', 'Ana', '{"canvas_id":"7"}', 1, 1);
INSERT INTO job VALUES(1, 'ana', 'lab3', 'abc', '0.1.0', 'h3', 'sim', 1, 'done', 0, '', 1790000000);
INSERT INTO submission VALUES('ana', 'lab3', 'ana/lab3.cu', x'2f2f', 'abc', 1, NULL, '', '', '[]', '', '[]', 1, 1);
INSERT INTO result VALUES(1, '{"verdict":"pass","points":90,"max_points":100,"bonus":0,"max_bonus":0}', '{}', 'pass', 90, 100, 0, 0);
INSERT INTO decision VALUES(1, 'ana', 'lab3', 'points', 95, 'a typo of ours', 'ta', 1790000001);
