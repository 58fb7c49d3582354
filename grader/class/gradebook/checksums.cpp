#include <fmt/format.h>
#include <sqlite3.h>

#include <vector>

#include "base/sha256.h"
#include "base/text.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

void sha256(sqlite3_context* context, int, sqlite3_value** values) {
  const void* data = sqlite3_value_blob(values[0]);  // first: it may change the length
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const std::string digest = sha256_hex({static_cast<const char*>(data), size});
  sqlite3_result_text(context, digest.data(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
}

std::vector<std::string> texts(SQLite::Database& db, const std::string& sql) {
  std::vector<std::string> all;
  SQLite::Statement rows(db, sql);
  while (rows.executeStep()) all.push_back(rows.getColumn(0).getString());
  return all;
}

std::vector<std::string> tables(SQLite::Database& db) {
  return texts(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
}

/// Of a row of `table`, for SQL: its values as SQLite quotes them, with their types, so that none can be taken for another.
std::string checksum_sql(SQLite::Database& db, const std::string& table) {
  return "labkit_sha256(" +
         joined(
             texts(db, fmt::format("SELECT 'quote(' || name || ')' FROM pragma_table_xinfo('{}') "
                                   "WHERE name <> 'row_sha256'",
                                   table)),
             " || ',' || ") +
         ")";
}

}  // namespace

std::string damage_of(SQLite::Database& db) {
  db.createFunction("labkit_sha256", 1, true, nullptr, sha256);
  if (const auto said = texts(db, "PRAGMA integrity_check(1)");
      said != std::vector<std::string>{"ok"})
    return joined(said);
  std::vector<std::string> damage;
  const auto count = [&](const std::string& table, const char* rows, const std::string& where) {
    const auto found =
        db.execAndGet(fmt::format("SELECT count(*) FROM {} NOT INDEXED WHERE {}", table, where))
            .getInt64();
    if (found > 0)
      damage.push_back(fmt::format("{} row{} of {}{}", found, found == 1 ? "" : "s", table, rows));
  };
  for (const std::string& table : tables(db))
    count(table, "", "row_sha256 IS NOT " + checksum_sql(db, table));
  count("job", " without a result", "state = 'done' AND id NOT IN (SELECT job FROM result)");
  return damage.empty() ? "" : "not as it was written: " + joined(damage);
}

void keep_checksums(SQLite::Database& db) {
  for (const std::string& table : tables(db))
    for (const auto& [event, when] :
         {std::pair("INSERT", ""), {"UPDATE", "WHEN NEW.row_sha256 IS OLD.row_sha256 "}})
      db.exec(fmt::format(
          "CREATE TEMP TRIGGER checksum_{0}_{1} AFTER {1} ON main.{0} {2}BEGIN UPDATE {0} SET "
          "row_sha256 = {3} WHERE rowid = NEW.rowid; END",
          table, event, when, checksum_sql(db, table)));
}

}  // namespace labkit::course
