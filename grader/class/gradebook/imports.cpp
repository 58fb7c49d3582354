// How a class comes into the gradebook, which submissions count, and out of it again.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "base/text.h"
#include "class/gradebook/state.h"

namespace labkit::course {

namespace {

/// For SQL.
std::string ids_of(View view) {
  static const std::map<View, const char*> which = {
      {View::shown, "state = 'applied'"},
      {View::applied, "state = 'applied'"},
      {View::with_pending, "state <> 'undone'"},
      {View::with_last, "state = 'applied' OR id = (SELECT max(id) FROM import)"},
      {View::without_last,
       "state = 'applied' AND id < (SELECT max(id) FROM import WHERE state <> 'undone')"}};
  return fmt::format("(SELECT id FROM import WHERE {})", which.at(view));
}

}  // namespace

std::string imports_of(View view) { return "import IN " + ids_of(view); }

std::vector<KeptRemark> remarks_that_hold(SQLite::Database& db, View view) {
  const std::string counted = imports_of(view);
  using Labs = std::string;  // JSON; of a download whose files name theirs, its name
  std::map<std::pair<std::int64_t, std::string>, Labs> labs_of;  // import, download
  std::map<std::int64_t, std::set<Labs>> labs_of_import;
  const auto labs_key = [](const std::string& download, const Labs& asked) {
    return asked == "[]" ? download : asked;
  };
  for (const auto& [import, download, asked] :
       select_all<std::tuple<std::int64_t, std::string, Labs>>(
           db, "SELECT import, label, asked FROM download WHERE " + counted)) {
    labs_of[{import, download}] = labs_key(download, asked);
    labs_of_import[import].insert(labs_key(download, asked));
  }
  std::map<std::int64_t, std::set<std::string>> students_of;  // import
  std::map<std::pair<std::string, Labs>, std::int64_t>
      last;  // import with something of a student's
  const auto came = [&](const std::string& student, const Labs& labs, std::int64_t import) {
    std::int64_t& before = last[{student, labs}];
    before = std::max(before, import);
  };
  for (const auto& [import, student] : select_all<std::tuple<std::int64_t, std::string>>(
           db, "SELECT import, student FROM seen WHERE " + counted)) {
    students_of[import].insert(student);
    came(student, "", import);
    const std::set<Labs>& labs = labs_of_import[import];
    if (labs.size() == 1) came(student, *labs.begin(), import);
  }
  // what one sent who is not on the roster is the same download's where it comes from another
  std::map<std::int64_t, std::set<std::string>> sources_of, of_strangers;
  for (const auto& [import, student, download, source, on_roster] :
       select_all<std::tuple<std::int64_t, std::string, std::string, std::string, bool>>(
           db,
           "SELECT import, student, download, source_sha256, on_roster FROM submission JOIN "
           "student "
           "ON student.id = student WHERE " +
               counted)) {
    came(student, labs_of[{import, download}], import);
    if (!source.empty()) sources_of[import].insert(source);
    if (!source.empty() && !on_roster) of_strangers[import].insert(source);
  }
  auto all = select_all<KeptRemark>(
      db, "SELECT kind, path, student, text, download, lab, import, labs FROM remark WHERE " +
              counted + " ORDER BY id");
  for (const KeptRemark& one : all) came(one.student, labs_key(one.download, one.labs), one.import);
  // Two sections' downloads have one name, and no student in common. Of one in which nobody was found, the next is the same.
  std::map<std::tuple<std::int64_t, std::string, Labs>, bool> replaced;
  const auto is_replaced = [&](const KeptRemark& one) {
    const Labs labs = labs_key(one.download, one.labs);
    if (!one.student.empty()) return last.at({one.student, labs}) > one.import;
    const auto [known, is_first] = replaced.try_emplace({one.import, one.download, labs});
    if (!is_first) return known->second;
    const std::set<std::string>& students = students_of[one.import];
    const auto any_in = [](const std::set<std::string>& some, const std::set<std::string>& all) {
      return std::ranges::any_of(some, [&](const auto& item) { return all.contains(item); });
    };
    const auto is_same = [&](std::int64_t import) {
      const auto of_name = labs_of.find({import, one.download});
      if (one.download.empty())  // that could not be read: one of its name
        return std::ranges::any_of(labs_of, [&](const auto& of) {
          return of.first.first == import && ("/" + of.first.second).ends_with("/" + one.path);
        });
      return of_name != labs_of.end() && of_name->second == labs &&
             (students.empty() || any_in(students, students_of[import]) ||
              any_in(of_strangers[one.import], sources_of[import]));
    };
    for (auto later = labs_of_import.upper_bound(one.import); later != labs_of_import.end();
         ++later)
      known->second |= is_same(later->first);
    return known->second;
  };
  std::erase_if(all, is_replaced);
  return all;
}

std::map<std::pair<std::string, std::string>, Submission> counting(SQLite::Database& db,
                                                                   View view) {
  std::map<std::pair<std::string, std::string>, Submission> all;
  for (Submission& one : select_all<Submission>(
           db, fmt::format("SELECT {} FROM submission WHERE {} ORDER BY student, lab, "
                           "import",
                           kSubmissionColumns, imports_of(view)))) {
    const auto [at, is_first] = all.try_emplace({one.student, one.lab});
    if (is_first || replaces(one, at->second)) at->second = std::move(one);
  }
  return all;
}

namespace {

using Key = std::pair<std::string, std::string>;  // student, lab

/// Whoever is on the roster, or was named by an import that still counts or waits.
void update_present(SQLite::Database& db) {
  db.exec(
      "UPDATE student SET present = on_roster OR EXISTS(SELECT 1 FROM seen JOIN import ON "
      "import.id = seen.import WHERE seen.student = student.id AND import.state <> 'undone')");
}

class Importer {
 public:
  Importer(SQLite::Database& db, Intake& intake) : db_(db), intake_(intake) {}

  Imported run(bool waits) {
    find_settled();
    course::run(db_, "INSERT INTO import(at, state) VALUES(?, 'pending')", std::time(nullptr));
    id_ = db_.getLastInsertRowid();
    for (const SameStudent& one : intake_.same)
      if (one.both_known)
        join(one);
      else
        imported_.people.push_back(
            fmt::format("{} is {} of the roster, by the name alone, and stays {} here", one.known,
                        one.to, one.known));
    put_students();
    put_submissions();
    put_remarks();
    put_downloads();
    if (!waits) course::run(db_, "UPDATE import SET state = 'applied' WHERE id = ?", id_);
    update_present(db_);
    return std::move(imported_);
  }

 private:
  void put_submissions() {
    const auto before = counting(db_, View::with_pending);
    using Known = std::tuple<std::string, std::string, std::string>;
    const auto all =
        select_all<Known>(db_, "SELECT student, lab, source_sha256 FROM submission WHERE " +
                                   imports_of(View::with_pending) + " AND problem = ''");
    const std::set<Known> known(all.begin(), all.end());
    for (const Submission& one : intake_.submissions) {
      const auto counts = before.find({one.student, one.lab});
      if (counts != before.end() && !is_new(one, counts->second, known)) continue;
      put(one);
      ++imported_.added;
    }
  }

  bool is_new(const Submission& one, const Submission& counts,
              const std::set<std::tuple<std::string, std::string, std::string>>& known) {
    // The LMS may call the same attempt late now, or no longer: its due time was moved.
    if (one.source_sha256 == counts.source_sha256 && one.problem == counts.problem)
      return one.lms_order && one.lms_order == counts.lms_order && one.late != counts.late;
    if (!one.problem.empty()) return !counts.problem.empty() && counts.path != one.path;
    const bool has_order =
        (one.submitted_at && counts.submitted_at) || (one.lms_order && counts.lms_order);
    if (counts.problem.empty() && has_order && !replaces(one, counts)) {
      imported_.older.push_back(fmt::format("{} {}: {} is older than {}, which counts", one.student,
                                            one.lab, one.path, counts.path));
      return false;
    }
    // without the LMS's word, what something has replaced stays replaced
    if (has_order || !known.contains({one.student, one.lab, one.source_sha256})) return true;
    imported_.older.push_back(fmt::format("{} {}: {} has the text of an earlier submission than {}",
                                          one.student, one.lab, one.path, counts.path));
    return false;
  }

  void put(const Submission& one) {
    if (one.problem.empty())
      course::run(db_, "INSERT INTO source(sha256, bytes) VALUES(?, ?) ON CONFLICT DO NOTHING",
                  one.source_sha256, Blob{one.source});
    std::apply(
        [&](const auto&... values) {
          insert(db_, fmt::format("submission(import, {})", kSubmissionColumns), id_, values...);
        },
        fields(one));
  }

  /// What later work of a student has settled: the earlier download again says it once more.
  void find_settled() {
    using About = std::tuple<std::string, Remark::Kind, std::string>;
    std::set<About> open;
    for (const KeptRemark& one : remarks_that_hold(db_, View::with_pending))
      open.emplace(one.student, one.kind, one.labs);
    for (const KeptRemark& one : select_all<KeptRemark>(
             db_,
             "SELECT kind, path, student, text, download, lab, import, labs FROM remark WHERE "
             "student <> '' AND " +
                 imports_of(View::with_pending)))
      if (!open.contains({one.student, one.kind, one.labs})) settled_.emplace(one, one.labs);
  }

  void put_remarks() {
    std::map<std::string, std::vector<std::string>> asked;  // by download
    for (const Root& root : intake_.roots)
      asked[root.called.empty() ? root.label : root.called] = root.labs;
    for (const Remark& one : intake_.remarks)
      if (!settled_.contains({one, json_text(asked[one.download])}))
        insert(db_, "remark(import, kind, path, student, text, download, labs, lab)", id_, one.kind,
               one.path, one.student, one.text, one.download, asked[one.download], one.lab);
  }

  void put_downloads() {
    for (Root& root : intake_.roots) {
      if (root.called.empty()) root.called = root.label;
      std::set<std::string> labs(root.labs.begin(), root.labs.end());
      if (root.labs.empty())  // its files name theirs
        for (const Submission& one : intake_.submissions)
          if (one.download == root.called) labs.insert(one.lab);
      insert(db_, "download(import, format, label, asked, labs)", id_, root.format, root.called,
             root.labs, labs);
    }
  }

  /// Results and decisions of what was known before the roster go to its student, unless one of them would hide another.
  void join(const SameStudent& same) {
    static const std::string tables[] = {"submission", "job", "decision"};
    std::string labs;
    for (const std::string& table : tables)
      labs += fmt::format("{}SELECT student, lab FROM {}", labs.empty() ? "" : " UNION ", table);
    const auto common = select_column(
        db_,
        fmt::format("SELECT lab FROM ({0}) WHERE student = ?1 INTERSECT SELECT lab FROM ({0}) "
                    "WHERE student = ?2",
                    labs),
        same.known, same.to);
    if (!common.empty()) {
      imported_.people.push_back(
          fmt::format("{} and {} are one student, but both have {}; left as two", same.known,
                      same.to, joined(common)));
      intake_.remarks.push_back(
          {Remark::Kind::roster, same.known, same.to, imported_.people.back()});
      return;
    }
    const auto change = [&](const std::string& sql) { course::run(db_, sql, same.known, same.to); };
    for (const std::string& table : tables)
      change("UPDATE " + table + " SET student = ?2 WHERE student = ?1");
    change("UPDATE OR IGNORE seen SET student = ?2 WHERE student = ?1");
    change("UPDATE remark SET student = ?2 WHERE student = ?1");
    change(
        "UPDATE submission SET members = (SELECT json_group_array(CASE WHEN value = ?1 THEN ?2 "
        "ELSE "
        "value END) FROM json_each(members)) WHERE EXISTS(SELECT 1 FROM json_each(members) WHERE "
        "value = ?1)");
    course::run(db_, "DELETE FROM seen WHERE student = ?", same.known);
    course::run(db_, "DELETE FROM student WHERE id = ?", same.known);
    imported_.people.push_back(
        fmt::format("{0} is {1}: results and decisions are {1}'s now", same.known, same.to));
  }

  /// One download knows what another does not: keys are added to those that are known.
  void put_students() {
    bool roster = false;
    for (const Student& student : intake_.students) roster |= student.on_roster;
    if (roster) db_.exec("UPDATE student SET on_roster = 0 WHERE on_roster");
    const std::set<std::string> missing(intake_.missing.begin(), intake_.missing.end());
    for (const Student& student : intake_.students) {
      course::run(
          db_,
          "INSERT INTO student(id, name, keys, on_roster, present) VALUES(?, ?, ?, ?, 1) ON "
          "CONFLICT DO UPDATE SET name = excluded.name, keys = json_patch(keys, excluded.keys), "
          "on_roster = excluded.on_roster OR on_roster, present = 1",
          student.id, student.name, student.keys, student.on_roster);
      if (!missing.contains(student.id))
        course::run(db_, "INSERT OR IGNORE INTO seen(import, student) VALUES(?, ?)", id_,
                    student.id);
    }
  }

  SQLite::Database& db_;
  Intake& intake_;
  std::int64_t id_ = 0;  ///< of this import
  Imported imported_;
  std::set<std::pair<Remark, std::string>> settled_;  ///< and its labs
};

}  // namespace

Imported Gradebook::put_class(Intake intake, bool waits) {
  return state_->write([&] { return Importer(state_->db, intake).run(waits); });
}

void Gradebook::put_local_times(const std::string& lab,
                                const std::map<std::string, std::int64_t>& times, bool everywhere) {
  state_->write([&] {
    for (const auto& [key, one] : counting(state_->db, View::with_pending))
      if (const auto at = times.find(one.lms_id);
          key.second == lab && at != times.end() && (everywhere || !one.local_at))
        course::run(state_->db,
                    "UPDATE submission SET local_at = ? WHERE student = ? AND lab = ? AND path = ? "
                    "AND source_sha256 = ?",
                    at->second, key.first, lab, one.path, one.source_sha256);
  });
}

void Gradebook::apply_pending(View view) {
  state_->write([&] {
    state_->db.exec(fmt::format(
        "UPDATE import SET state = 'applied' WHERE state = 'pending' AND id IN {}", ids_of(view)));
  });
}

std::vector<std::string> Gradebook::pending_downloads() const {
  return state_->read([&] {
    return select_column(state_->db,
                         "SELECT DISTINCT label FROM download d JOIN import i ON i.id = d.import "
                         "AND i.state = 'pending' ORDER BY label");
  });
}

std::optional<LastImport> Gradebook::last_import() const {
  SQLite::Database& db = state_->db;
  return state_->read([&]() -> std::optional<LastImport> {
    const auto last = select_one<std::tuple<std::int64_t, std::int64_t>>(
        db, "SELECT id, at FROM import WHERE state <> 'undone' ORDER BY id DESC LIMIT 1");
    if (!last) return std::nullopt;
    const auto [id, at] = *last;
    LastImport found;
    found.at = at;
    found.downloads =
        select_column(db, "SELECT label FROM download WHERE import = ? ORDER BY id", id);
    const auto labs = select_column(
        db,
        "SELECT value FROM download, json_each(download.labs) WHERE import = ?1 UNION "
        "SELECT lab FROM submission WHERE import = ?1",
        id);
    found.labs = {labs.begin(), labs.end()};
    found.submissions =
        select_column<std::int64_t>(db, "SELECT count(*) FROM submission WHERE import = ?", id)
            .front();
    return found;
  });
}

void Gradebook::undo() {
  state_->write([&] {
    state_->db.exec(
        "UPDATE import SET state = 'undone' WHERE id = (SELECT max(id) FROM import WHERE state <> "
        "'undone')");
    update_present(state_->db);
  });
}

}  // namespace labkit::course
