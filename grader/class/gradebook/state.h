// What the gradebook's files share. Private to the gradebook.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// One value of a statement: numbers, texts, and null for what is not there.
template <typename Value>
void bind_value(SQLite::Statement& statement, int at, const Value& value) {
  if constexpr (std::is_floating_point_v<Value>)
    statement.bind(at, value);
  else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
    statement.bind(at, static_cast<std::int64_t>(value));
  else
    statement.bind(at, std::string(value));
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

inline constexpr const char* kPutSetting =
    "INSERT INTO setting(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = "
    "excluded.value";

struct Gradebook::State {
  std::filesystem::path file;
  SQLite::Database db;
  std::mutex mutex;

  explicit State(const std::filesystem::path& path, int flags);
  /// `whole`: damaged rows are refused.
  void set_up(bool whole);
  /// Of a file that cannot be written.
  void set_up_to_look();

  /// A transaction that writes, or nothing at all. Waits for other writers.
  template <typename Work>
  auto write(const char* what, Work work) {
    const std::lock_guard<std::mutex> lock(mutex);
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
      rethrow(what, error);
    }
  }
  /// One view of the file, however many statements.
  template <typename Work>
  auto read(const char* what, Work work) {
    const std::lock_guard<std::mutex> lock(mutex);
    try {
      SQLite::Transaction transaction(db, SQLite::TransactionBehavior::DEFERRED);
      return work();
    } catch (const SQLite::Exception& error) {
      rethrow(what, error);
    }
  }
  [[noreturn]] void rethrow(const char* what, const SQLite::Exception& error) const;
  void require_gradebook();
  /// 0: it has no tables yet. Refuses a file of another version of the kit.
  int found_schema();
  void make_tables();
  /// Throws GradebookFault that names what is damaged.
  void require_sound();
  std::string repair_text() const;
  void copy_aside();
};

/// The fields of a result that the gradebook answers questions with; null counts as 0.
struct Headline {
  std::string verdict;
  double points = 0, max_points = 0, bonus = 0, max_bonus = 0, undecided = 0;
};
/// Throws labkit::Error if `json` is no LabResult.
Headline headline(const std::string& json);
void put_headline(SQLite::Database& db, std::int64_t job, const Headline& head);

/// "cannot WHAT FILE: ..." with the fix that fits.
[[noreturn]] void throw_database_error(const std::string& what, const std::filesystem::path& file,
                                       const SQLite::Exception& error);

inline std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace labkit::course
