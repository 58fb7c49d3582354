// What the gradebook's files share. Private to the gradebook.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/text.h"
#include "class/gradebook/gradebook.h"

namespace labkit::course {

inline std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// What the gradebook calls enumerators, in their order: another order in the code changes no gradebook.
inline constexpr std::string_view kJobStates[] = {"waiting", "done", "failed"};
inline constexpr std::string_view kDecisions[] = {"points",  "late_days", "excused", "withdrawn",
                                                  "comment", "regrade",   "answered"};
constexpr auto& names_of(JobState) { return kJobStates; }
constexpr auto& names_of(Decision::Kind) { return kDecisions; }
constexpr auto& names_of(Remark::Kind) { return kRemarks; }
constexpr auto& names_of(Format) { return kFormats; }

/// One value of a statement: numbers, texts, enumerators by name, lists as JSON, and null for what is not there.
template <typename Value>
void bind_value(SQLite::Statement& statement, int at, const Value& value) {
  if constexpr (std::is_floating_point_v<Value>)
    statement.bind(at, value);
  else if constexpr (std::is_integral_v<Value>)
    statement.bind(at, static_cast<std::int64_t>(value));
  else if constexpr (std::is_enum_v<Value>)
    statement.bind(at, std::string(name_in(names_of(value), value)));
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

template <typename... Values>
void bind_all(SQLite::Statement& statement, const Values&... values) {
  int at = 0;
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
  else if constexpr (std::is_integral_v<Value>)
    value = static_cast<Value>(column.getInt64());
  else if constexpr (std::is_enum_v<Value>)
    value = value_in<Value>(names_of(value), column.getString()).value();
  else
    value = nlohmann::json::parse(column.getString()).get<Value>();
}
template <typename Value>
void read_value(const SQLite::Column& column, std::optional<Value>& value) {
  value.reset();
  if (!column.isNull()) read_value(column, value.emplace());
}
/// The columns of a row that make one `Row`: of a tuple its own values, of a struct those of its table.
template <typename Row>
Row& fields(Row& tuple) {
  return tuple;
}
inline auto fields(Decision& one) {
  return std::tie(one.id, one.student, one.lab, one.kind, one.value, one.reason, one.by, one.at);
}
inline auto fields(Job& one) {
  return std::tie(one.id, one.student, one.lab, one.source_sha256, one.kit, one.lab_hash,
                  one.device, one.seed, one.path);
}
inline auto fields(Outcome& one) { return std::tie(one.json, one.receipt); }
inline auto fields(Root& one) {
  return std::tie(one.format, one.label, one.labs, one.called, one.is_set);
}
inline auto fields(Student& one) { return std::tie(one.id, one.name, one.keys, one.on_roster); }
inline auto fields(Remark& one) {
  return std::tie(one.kind, one.path, one.student, one.text, one.download, one.lab);
}
/// A remark, and where it came from.
struct KeptRemark : Remark {
  std::int64_t import = 0;
  std::string labs;  ///< JSON: that were set for its download
};
inline auto fields(KeptRemark& one) {
  return std::tuple_cat(fields(static_cast<Remark&>(one)), std::tie(one.import, one.labs));
}
inline constexpr const char* kSubmissionColumns =
    "student, lab, path, source_sha256, submitted_at, local_at, lms_order, late, lms_id, download, "
    "members, "
    "problem";
template <typename One>
requires std::same_as<std::remove_const_t<One>, Submission>
auto fields(One& one) {
  return std::tie(one.student, one.lab, one.path, one.source_sha256, one.submitted_at, one.local_at,
                  one.lms_order, one.late, one.lms_id, one.download, one.group, one.problem);
}

/// Runs a statement that returns nothing: how many rows it changed.
template <typename... Values>
int run(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  bind_all(statement, values...);
  return statement.exec();
}
/// `into`: "table(column, ...)", as many as values.
template <typename... Values>
void insert(SQLite::Database& db, const std::string& into, const Values&... values) {
  static const std::string marks = joined(std::vector<std::string>(sizeof...(values), "?"));
  run(db, "INSERT INTO " + into + " VALUES(" + marks + ")", values...);
}
template <typename Row, typename... Values>
std::vector<Row> select_all(SQLite::Database& db, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(db, sql);
  bind_all(statement, values...);
  std::vector<Row> all;
  while (statement.executeStep()) {
    int at = 0;
    std::apply([&](auto&... value) { (read_value(statement.getColumn(at++), value), ...); },
               fields(all.emplace_back()));
  }
  return all;
}
template <typename Row, typename... Values>
std::optional<Row> select_one(SQLite::Database& db, const std::string& sql,
                              const Values&... values) {
  std::vector<Row> all = select_all<Row>(db, sql, values...);
  return all.empty() ? std::nullopt : std::optional<Row>(std::move(all.front()));
}
template <typename Value = std::string, typename... Values>
std::vector<Value> select_column(SQLite::Database& db, const std::string& sql,
                                 const Values&... values) {
  std::vector<Value> all;
  for (auto& [value] : select_all<std::tuple<Value>>(db, sql, values...))
    all.push_back(std::move(value));
  return all;
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
  auto write(Work work) {
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
      throw_database_error("write", file, error);
    }
  }
  /// One view of the file, however many statements.
  template <typename Work>
  auto read(Work work) {
    try {
      SQLite::Transaction transaction(db, SQLite::TransactionBehavior::DEFERRED);
      return work();
    } catch (const SQLite::Exception& error) {
      throw_database_error("read", file, error);
    }
  }
};

// ---- Which of a student's submissions for a lab counts: the latest that can be read (replaces() of intake.h).

/// Without their sources, by student and lab.
std::map<std::pair<std::string, std::string>, Submission> counting(SQLite::Database& db, View view);

/// Imports of `view`, for SQL: "import IN (SELECT id FROM import WHERE ...)".
std::string imports_of(View view);

/// Those that still hold (put_class()), in their order.
std::vector<KeptRemark> remarks_that_hold(SQLite::Database& db, View view);

}  // namespace labkit::course
