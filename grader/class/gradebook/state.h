// What the gradebook's files share. Private to the gradebook.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

inline std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// One value of a statement: numbers, texts, lists as JSON, and null for what is not there.
template <typename Value>
void bind_value(SQLite::Statement& statement, int at, const Value& value) {
  if constexpr (std::is_floating_point_v<Value>)
    statement.bind(at, value);
  else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
    statement.bind(at, static_cast<std::int64_t>(value));
  else if constexpr (std::is_constructible_v<std::string, const Value&>)
    statement.bind(at, std::string(value));
  else
    statement.bind(at, json_text(value));
}
template <typename Value>
void bind_value(SQLite::Statement& statement, int at, const std::optional<Value>& value) {
  if (value)
    bind_value(statement, at, *value);
  else
    statement.bind(at);
}
/// Bytes, which need not be text.
struct Blob {
  const std::string& bytes;
};
inline void bind_value(SQLite::Statement& statement, int at, const Blob& blob) {
  statement.bind(at, static_cast<const void*>(blob.bytes.data()),
                 static_cast<int>(blob.bytes.size()));
}

/// A statement with its values bound in order; ready to run again with others.
template <typename... Values>
void bind_all(SQLite::Statement& statement, const Values&... values) {
  int at = 0;
  statement.reset();
  (bind_value(statement, ++at, values), ...);
}
template <typename Value>
void read_value(const SQLite::Column& column, Value& value) {
  if constexpr (std::is_same_v<Value, std::string>)
    value = column.getString();
  else if constexpr (std::is_same_v<Value, bool>)
    value = column.getInt() != 0;
  else if constexpr (std::is_floating_point_v<Value>)
    value = column.getDouble();
  else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
    value = static_cast<Value>(column.getInt64());
  else
    value = nlohmann::json::parse(column.getString()).get<Value>();
}
template <typename Value>
void read_value(const SQLite::Column& column, std::optional<Value>& value) {
  value.reset();
  if (!column.isNull()) read_value(column, value.emplace());
}
/// The columns of a row from `at` on, in order; gives the place behind them.
template <typename... Values>
int read_row(SQLite::Statement& row, int at, Values&... values) {
  (read_value(row.getColumn(at++), values), ...);
  return at;
}
/// To be stepped through.
template <typename... Values>
SQLite::Statement query(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  bind_all(statement, values...);
  return statement;
}
/// Runs a statement that returns nothing: how many rows it changed.
template <typename... Values>
int run(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  bind_all(statement, values...);
  return statement.exec();
}

/// "cannot WHAT FILE: ..." with the fix that fits.
[[noreturn]] void throw_database_error(const std::string& what, const std::filesystem::path& file,
                                       const SQLite::Exception& error);

struct Gradebook::State {
  std::filesystem::path file;
  SQLite::Database db;

  explicit State(const std::filesystem::path& path, int flags);
  /// Throws labkit::Error if it is no gradebook of this version, or SQLite's own check finds damage.
  void set_up();

  /// A transaction that writes, or nothing at all. Waits for other writers.
  template <typename Work>
  auto write(const char* what, Work work) {
    try {
      SQLite::Transaction transaction(db, SQLite::TransactionBehavior::IMMEDIATE);
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        transaction.commit();
      } else {
        auto result = work();
        transaction.commit();
        return result;
      }
    } catch (const SQLite::Exception& error) {
      throw_database_error(what, file, error);
    }
  }
  /// One view of the file, however many statements.
  template <typename Work>
  auto read(const char* what, Work work) {
    try {
      SQLite::Transaction transaction(db, SQLite::TransactionBehavior::DEFERRED);
      return work();
    } catch (const SQLite::Exception& error) {
      throw_database_error(what, file, error);
    }
  }
  void require_gradebook();
  /// 0: it has no tables yet. Refuses a file of another version of the kit.
  int found_schema();
  void make_tables();
};

// ---- Which of a student's submissions for a lab counts: the latest that can be read (replaces() of intake.h).

struct Counting {
  Submission submission;             ///< without its source
  std::optional<Submission> unread;  ///< came after it, and cannot be read
};
/// By student and lab.
std::map<std::pair<std::string, std::string>, Counting> counting(SQLite::Database& db, View view);

/// Imports of `view`, for SQL: "import IN (SELECT id FROM import WHERE ...)".
std::string imports_of(View view);

/// "FROM remark ...": those of the last import of each download of one assignment.
std::string remarks_of(View view);

}  // namespace labkit::course
