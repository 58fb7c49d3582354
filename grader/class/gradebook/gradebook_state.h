// What the gradebook's files share. Private to the gradebook.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

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
  /// The schema that the file has; refuses that of a newer kit.
  int found_schema();
  void migrate(bool whole);
  /// Throws GradebookFault that names what is damaged.
  void require_sound();
  std::string mend_text() const;
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

/// "cannot WHAT FILE: ..." with the mend that fits.
[[noreturn]] void throw_database_error(const std::string& what, const std::filesystem::path& file,
                                       const SQLite::Exception& error);

inline std::string json_text(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace labkit::course
