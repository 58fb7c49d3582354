// A checksum beside each row of the gradebook, so that a bit that a disk or a copy has turned is reported and
// not taken for a grade. Private to the gradebook.
//
// Column row_sha256 of every table: SHA-256 of the row's other values, kept by triggers of the
// connection, not of the file. So another program may read and write the file as it likes, and what it
// wrote is reported, too. No secret goes into it: it shows damage, not forgery.
//
// What no checksum of a row can show, a row that cannot be found any more, SQLite's own check does. Both
// look at the whole file each time it is opened: 30 ms for 1200 results of 8 KB. Not seen is a log that
// was not closed (kill -9) and of which a bit turned: SQLite takes what comes before it, as after a
// power cut.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace labkit::course {

/// A row that is not as it was written.
struct DamagedRow {
  std::string table;
  std::int64_t rowid = 0;
  std::string student, lab;  ///< whose; "" where there is nobody or it cannot be told
  std::string text;          ///< "the result of ana, lab3"; UTF-8
};

/// Makes labkit_row_sha256() known to the connection; before anything below.
void register_checksum_function(SQLite::Database& db);
/// From now on every row that this connection writes gets its checksum.
void keep_checksums(SQLite::Database& db);
/// Of one row, as it reads now.
void write_checksum(SQLite::Database& db, const std::string& table, std::int64_t rowid);
/// "" if it has none.
std::string checksum_of(SQLite::Database& db, const std::string& table, std::int64_t rowid);

/// All of them, those of the least consequence last; also results that are missing.
std::vector<DamagedRow> damaged_rows(SQLite::Database& db);
/// What SQLite's own check says of the file; "" if it is in order.
std::string structural_damage(SQLite::Database& db);

}  // namespace labkit::course
