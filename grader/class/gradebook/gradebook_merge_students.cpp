// Who of an intake is whom in the gradebook. A step of the Merger.
#include <fmt/format.h>

#include "class/gradebook/gradebook_merger.h"
#include "class/gradebook/gradebook_state.h"

namespace labkit::course {

using nlohmann::json;

std::vector<Student> Merger::all_students() {
  std::vector<Student> students;
  SQLite::Statement all(
      db_, "SELECT id, CASE WHEN present THEN name ELSE '' END, keys FROM student ORDER BY id");
  while (all.executeStep())
    students.push_back(
        {all.getColumn(0).getString(), all.getColumn(1).getString(),
         json::parse(all.getColumn(2).getString()).get<std::map<std::string, std::string>>(),
         false});
  return students;
}

void Merger::know_students() {
  const std::size_t before = intake_.remarks.size();
  const std::vector<SameStudent> same = use_known_ids(intake_, all_students());
  for (const SameStudent& one : same)
    if (one.both_known)
      join(one);
    else
      merged_.people.push_back(
          fmt::format("{} is {} of the roster, by the name alone, and stays {} here", one.known,
                      one.to, one.known));
  for (std::size_t i = before; i < intake_.remarks.size(); ++i)
    merged_.people.push_back(intake_.remarks[i].text);
}

/// Results and decisions of what was known before the roster go to its student, unless one of them
/// would hide another.
void Merger::join(const SameStudent& same) {
  static const std::string tables[] = {"submission", "job", "decision", "hand_in", "earlier"};
  std::string labs;
  for (const std::string& table : tables)
    labs += fmt::format("{}SELECT student, lab FROM {}", labs.empty() ? "" : " UNION ", table);
  SQLite::Statement common(db_, fmt::format("SELECT group_concat(lab, ', ') FROM (SELECT lab FROM "
                                            "({0}) WHERE student = ?1 INTERSECT SELECT lab FROM "
                                            "({0}) WHERE student = ?2)",
                                            labs));
  common.bind(1, same.known);
  common.bind(2, same.to);
  if (common.executeStep() && !common.getColumn(0).isNull()) {
    intake_.remarks.push_back(
        {Remark::Kind::roster, same.known, same.to,
         fmt::format("{} and {} are one student by the name on the roster, but both have {}; left "
                     "as two",
                     same.known, same.to, common.getColumn(0).getString())});
    return;
  }
  for (const std::string& table : tables)
    exec("UPDATE " + table + " SET student = ?3 WHERE student = ?2", {same.known, same.to});
  exec("UPDATE remark SET student = ?3 WHERE student = ?2", {same.known, same.to});
  for (const std::string table : {"submission", "earlier"})
    exec("UPDATE " + table +
             " SET members = (SELECT json_group_array(CASE WHEN value = ?2 THEN ?3 ELSE value END) "
             "FROM json_each(members)) WHERE EXISTS(SELECT 1 FROM json_each(members) WHERE "
             "value = ?2)",
         {same.known, same.to});
  exec("DELETE FROM student WHERE id = ?2", {same.known});
  merged_.people.push_back(
      fmt::format("{} is {} of the roster, by the name alone: results and decisions are {}'s now",
                  same.known, same.to, same.to));
}

/// One download knows what another does not: keys are added to those that are known.
void Merger::put_students() {
  bool roster = false;
  SQLite::Statement put(
      db_,
      "INSERT INTO student(id, name, keys, on_roster, present, intake) VALUES(?2, ?3, ?4, ?5, 1, "
      "?1) ON CONFLICT(id) DO UPDATE SET name = excluded.name, keys = json_patch(keys, "
      "excluded.keys), on_roster = excluded.on_roster, present = 1, intake = excluded.intake");
  SQLite::Statement before(db_, "SELECT name FROM student WHERE id = ? AND on_roster");
  for (const Student& student : intake_.students) {
    before.bind(1, student.id);
    if (student.on_roster && before.executeStep()) {
      const std::string name = before.getColumn(0).getString();
      if (!name.empty() && !student.name.empty() && name != student.name)
        merged_.people.push_back(fmt::format("{} was {} on the roster before, and is {} now",
                                             student.id, name, student.name));
    }
    before.reset();
    put.bind(1, id_);
    put.bind(2, student.id);
    put.bind(3, student.name);
    put.bind(4, json_text(json(student.keys)));
    put.bind(5, student.on_roster ? 1 : 0);
    put.exec();
    put.reset();
    roster |= student.on_roster;
  }
  if (roster) exec("UPDATE student SET on_roster = 0 WHERE intake <> ?1");
}

/// Whoever was only named by a download of which nothing is left, or by a roster that does not name
/// them any more.
void Merger::leave_out_students() {
  bool roster = false;
  for (const Student& student : intake_.students) roster |= student.on_roster;
  exec(fmt::format(
      "UPDATE student SET present = 0 WHERE intake <> ?1 AND id NOT IN (SELECT student "
      "FROM submission WHERE present){}",
      roster ? "" : " AND intake NOT IN (SELECT intake FROM submission WHERE present)"));
  if (drop_)  // all of theirs was dropped
    exec(
        "UPDATE student SET present = 0 WHERE (intake <> ?1 OR NOT on_roster) AND id NOT IN "
        "(SELECT "
        "student FROM submission WHERE present) AND id IN (SELECT student FROM submission WHERE "
        "intake = ?1)");
}

}  // namespace labkit::course
