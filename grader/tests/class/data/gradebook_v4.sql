-- A gradebook of schema version 4 as that kit wrote it (two weeks of one folder each, ana handing lab3 in
-- again; results shortened); kept as it is, to be migrated by a test.
BEGIN TRANSACTION;
CREATE TABLE decision(
  id INTEGER PRIMARY KEY,
  student TEXT NOT NULL REFERENCES student(id),
  lab TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN ('points', 'late_days', 'excused', 'withdrawn')),
  value REAL NOT NULL,
  reason TEXT NOT NULL,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL         -- seconds since 1970
, note TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE download(
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  label TEXT NOT NULL,
  lab TEXT NOT NULL
, intake INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "download" VALUES(1,'plain','two','',2);
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
INSERT INTO "earlier" VALUES('ana','lab3','ana/lab3.cu',X'5F5F676C6F62616C5F5F20766F696420636F726E65725F7475726E28207B0A','1828b6ad13a0c191414d474d0cd2d8212844b7ba91b77a7ddd2f71277496a051',0,NULL,'','','[]','','[]');
CREATE TABLE intake(
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL              -- seconds since 1970
) STRICT;
INSERT INTO "intake" VALUES(1,1795283467);
INSERT INTO "intake" VALUES(2,1795283471);
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
  finished_at INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0,  -- seconds since 1970
  UNIQUE(student, lab, source_sha256, kit, lab_hash, device, seed)
) STRICT;
INSERT INTO "job" VALUES(1,'ana','lab3','1828b6ad13a0c191414d474d0cd2d8212844b7ba91b77a7ddd2f71277496a051','0.1.0','5e6e5d2545b6645ceb881ea038e9a34938457ed3b2ccd52c92280bd3af188b35','sim',7,'done',0,'',1795283471,0);
INSERT INTO "job" VALUES(2,'ana','lab3','b9813aed62e2590c214d8ddd945ab0fead3078679f0721eab611de52c444a9fa','0.1.0','5e6e5d2545b6645ceb881ea038e9a34938457ed3b2ccd52c92280bd3af188b35','sim',7,'done',0,'',1795283473,0);
INSERT INTO "job" VALUES(3,'bo','lab3','b9813aed62e2590c214d8ddd945ab0fead3078679f0721eab611de52c444a9fa','0.1.0','5e6e5d2545b6645ceb881ea038e9a34938457ed3b2ccd52c92280bd3af188b35','sim',7,'done',0,'',1795283473,0);
CREATE TABLE remark(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  path TEXT NOT NULL,
  student TEXT NOT NULL,
  text TEXT NOT NULL
, intake INTEGER NOT NULL DEFAULT 0) STRICT;
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
CREATE TABLE result(
  job INTEGER PRIMARY KEY REFERENCES job(id),
  json TEXT NOT NULL,
  receipt TEXT NOT NULL,
  verdict TEXT NOT NULL,
  points REAL NOT NULL,
  max_points REAL NOT NULL,
  bonus REAL NOT NULL,
  max_bonus REAL NOT NULL
, undecided REAL NOT NULL DEFAULT 0) STRICT;
INSERT INTO "result" VALUES(1,'{"format":1,"lab":"lab3","verdict":"compile_error","points":0,"max_points":100,"bonus":0,"max_bonus":0,"tests":[]}','{}','compile_error',0.0,100.0,0.0,0.0,0.0);
INSERT INTO "result" VALUES(2,'{"format":1,"lab":"lab3","verdict":"compile_error","points":0,"max_points":100,"bonus":0,"max_bonus":0,"tests":[]}','{}','compile_error',0.0,100.0,0.0,0.0,0.0);
INSERT INTO "result" VALUES(3,'{"format":1,"lab":"lab3","verdict":"compile_error","points":0,"max_points":100,"bonus":0,"max_bonus":0,"tests":[]}','{}','compile_error',0.0,100.0,0.0,0.0,0.0);
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO "setting" VALUES('seed','7');
INSERT INTO "setting" VALUES('device','sim');
CREATE TABLE student(
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  keys TEXT NOT NULL,              -- JSON object
  on_roster INTEGER NOT NULL,
  present INTEGER NOT NULL         -- in the last intake
, intake INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "student" VALUES('ana','ana','{"folder":"ana"}',0,1,2);
INSERT INTO "student" VALUES('bo','bo','{"folder":"bo"}',0,1,2);
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
  job INTEGER REFERENCES job(id), intake INTEGER NOT NULL DEFAULT 0, gone INTEGER NOT NULL DEFAULT 0, counts INTEGER REFERENCES job(id),  -- the one that counts
  PRIMARY KEY(student, lab)
) STRICT;
INSERT INTO "submission" VALUES('ana','lab3','ana/lab3.cu',X'5F5F676C6F62616C5F5F20766F696420636F726E65725F7475726E280A','b9813aed62e2590c214d8ddd945ab0fead3078679f0721eab611de52c444a9fa',0,NULL,'','','[]','','[]',1,2,2,0,2);
INSERT INTO "submission" VALUES('bo','lab3','bo/lab3.cu',X'5F5F676C6F62616C5F5F20766F696420636F726E65725F7475726E280A','b9813aed62e2590c214d8ddd945ab0fead3078679f0721eab611de52c444a9fa',0,NULL,'','','[]','','[]',1,3,2,0,3);
CREATE INDEX job_by_state ON job(state);
COMMIT;
PRAGMA user_version = 4;
PRAGMA application_id = 1279345227;
