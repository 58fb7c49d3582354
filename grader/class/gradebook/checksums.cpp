#include "class/gradebook/checksums.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cstring>
#include <new>

#include "base/sha256.h"
#include "base/text.h"
#include "class/intake/names.h"

namespace labkit::course {
namespace {

/// How a table's rows are described.
struct Table {
  const char* table;
  const char* student;  ///< SQL
  const char* lab;      ///< SQL
  const char* text;     ///< {} student, {} lab; without either {} what `called` gives
  const char* called;   ///< SQL
};
constexpr const char* kOfJob = "(SELECT student FROM job WHERE id = t.job)";
constexpr const char* kLabOfJob = "(SELECT lab FROM job WHERE id = t.job)";
constexpr std::array<Table, 12> kTables = {{
    {"result", kOfJob, kLabOfJob, "the result of {}, {}", "'the result of job ' || job"},
    {"rescored", kOfJob, kLabOfJob, "the newer score of {}, {}",
     "'the newer score of job ' || job"},
    {"decision", "student", "lab", "a decision about {}, {}", "''"},
    {"job", "student", "lab", "the grading of {}, {}", "''"},
    {"submission", "student", "lab", "what {} submitted for {}", "''"},
    {"source", "''", "''", "", "'the source ' || substr(sha256, 1, 12)"},
    {"seen", "student", "''", "", "'where ' || student || ' was named'"},
    {"student", "id", "''", "", "'who ' || id || ' is'"},
    {"setting", "''", "''", "", "'the setting \"' || name || '\"'"},
    {"remark", "student", "''", "", "'a remark on ' || path"},
    {"download", "''", "''", "", "'the download ' || label"},
    {"import", "''", "''", "", "'when downloads were imported'"},
}};

void append_number(std::string& bytes, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
}

/// labkit_row_sha256(table, column, ...): each value with its type and its length, so that none can
/// be taken for another.
void row_sha256(sqlite3_context* context, int count, sqlite3_value** values) {
  try {
    std::string bytes;
    for (int i = 0; i < count; ++i) {
      sqlite3_value* value = values[i];
      const int type = sqlite3_value_type(value);
      bytes += static_cast<char>(type);
      if (type == SQLITE_INTEGER) {
        append_number(bytes, static_cast<std::uint64_t>(sqlite3_value_int64(value)));
      } else if (type == SQLITE_FLOAT) {
        const double real = sqlite3_value_double(value);
        std::uint64_t number = 0;
        std::memcpy(&number, &real, sizeof number);
        append_number(bytes, number);
      } else if (type != SQLITE_NULL) {
        const void* data = sqlite3_value_blob(value);  // first: it may change the length
        const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
        append_number(bytes, size);
        if (data) bytes.append(static_cast<const char*>(data), size);
      }
    }
    const std::string digest = sha256_hex(bytes);
    sqlite3_result_text(context, digest.data(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

/// "student, lab, ...": all that is checked.
std::string columns_of(SQLite::Database& db, const std::string& table) {
  std::string list;
  SQLite::Statement columns(db, fmt::format("SELECT name FROM pragma_table_info('{}')", table));
  while (columns.executeStep()) {
    const std::string name = columns.getColumn(0).getString();
    if (name != "row_sha256") list += (list.empty() ? "" : ", ") + name;
  }
  return list;
}

std::string checksum_sql(SQLite::Database& db, const std::string& table) {
  return fmt::format("labkit_row_sha256('{}', {})", table, columns_of(db, table));
}

std::string short_text(const std::string& text) {
  constexpr std::size_t kMost = 80;
  return cut_utf8(to_valid_utf8(text), kMost);
}

}  // namespace

void register_checksum_function(SQLite::Database& db) {
  const int code =
      sqlite3_create_function_v2(db.getHandle(), "labkit_row_sha256", -1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nullptr,
                                 row_sha256, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw SQLite::Exception(db.getHandle(), code);
}

void keep_checksums(SQLite::Database& db) {
  for (const Table& checked : kTables) {
    const std::string table = checked.table, columns = columns_of(db, table);
    for (const std::string& event : {std::string("INSERT"), "UPDATE OF " + columns})
      db.exec(
          fmt::format("CREATE TEMP TRIGGER checksum_{0}_{1} AFTER {2} ON main.{0} BEGIN UPDATE {0} "
                      "SET row_sha256 = {3} WHERE rowid = NEW.rowid; END",
                      table, event.substr(0, 6), event, checksum_sql(db, table)));
  }
}

void write_checksum(SQLite::Database& db, const std::string& table, std::int64_t rowid) {
  db.exec(fmt::format("UPDATE {0} SET row_sha256 = {1} WHERE rowid = {2}", table,
                      checksum_sql(db, table), rowid));
}

std::string checksum_of(SQLite::Database& db, const std::string& table, std::int64_t rowid) {
  SQLite::Statement one(db,
                        fmt::format("SELECT row_sha256 FROM {} WHERE rowid = {}", table, rowid));
  return one.executeStep() && !one.getColumn(0).isNull() ? one.getColumn(0).getString() : "";
}

std::vector<DamagedRow> damaged_rows(SQLite::Database& db) {
  std::vector<DamagedRow> found;
  const auto collect = [&](const Table& checked, const std::string& where, const char* more) {
    SQLite::Statement rows(
        db, fmt::format("SELECT rowid, {}, {}, {} FROM {} AS t NOT INDEXED WHERE {}",
                        checked.student, checked.lab, checked.called, checked.table, where));
    while (rows.executeStep()) {
      const auto text = [&](int i) { return short_text(rows.getColumn(i).getString()); };
      DamagedRow row{checked.table, rows.getColumn(0).getInt64(), text(1), text(2), text(3)};
      if (row.text.empty() || (!row.student.empty() && !std::string_view(checked.text).empty()))
        row.text = fmt::format(fmt::runtime(checked.text), row.student, row.lab);
      row.text += more;
      found.push_back(std::move(row));
    }
  };
  for (const Table& checked : kTables) {
    collect(checked, fmt::format("row_sha256 IS NOT {}", checksum_sql(db, checked.table)), "");
    if (std::string_view(checked.table) == "job")
      collect(checked, "state = 'done' AND id NOT IN (SELECT job FROM result)",
              ", whose result is missing");
  }
  return found;
}

std::string structural_damage(SQLite::Database& db) {
  SQLite::Statement check(db, "PRAGMA integrity_check(1)");
  const std::string said = check.executeStep() ? check.getColumn(0).getString() : "nothing";
  return said == "ok" ? "" : short_text(said);
}

}  // namespace labkit::course
