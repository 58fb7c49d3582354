// A checksum beside each row of the gradebook, so that a bit that a disk or a copy has turned is reported and
// not taken for a grade. Private to the gradebook.
//
// Column row_sha256 of every table: SHA-256 of the row's other values, kept by triggers of the
// connection, not of the file. So another program may read and write the file as it likes, and what it
// wrote is reported, too. No secret goes into it: it shows damage, not forgery.
//
// What no checksum of a row can show, a row that cannot be found any more, SQLite's own check does. Both
// look at the whole file each time it is opened: 30 ms for 1200 results of 8 KB.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

namespace labkit::course {

/// What is not as it was written: "1 row of result, 2 rows of decision", or what SQLite's own check says; "" if nothing.
std::string damage_of(SQLite::Database& db);
/// From now on every row that this connection writes gets its checksum.
void keep_checksums(SQLite::Database& db);

}  // namespace labkit::course
