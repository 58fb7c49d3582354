#include "class/gradebook/state.h"

namespace labkit::course {

std::string imports_of(View view) {
  return view == View::applied ? "import IN (SELECT id FROM import WHERE state = 'applied')"
                               : "import IN (SELECT id FROM import WHERE state <> 'undone')";
}

std::string remarks_of(View view) {
  const std::string last = "(SELECT max(id) FROM import WHERE state " +
                           std::string(view == View::applied ? "= 'applied'" : "<> 'undone'") + ")";
  // A student's go too when a later import of one download for the same labs has that student: the same download under
  // another name ("submissions (1).zip"), but not that of another section.
  const std::string later =
      "EXISTS(SELECT 1 FROM seen s JOIN download d ON d.import = s.import WHERE s." +
      imports_of(view) +
      " AND s.student = r.student AND s.import > r.import AND d.asked = r.labs AND r.labs <> '[]' "
      "AND (SELECT count(*) FROM download WHERE import = s.import) = 1)";
  const std::string is_last = "NOT " + later + " AND r.import = CASE WHEN r.download = '' THEN " +
                              last + " ELSE (SELECT max(d.import) FROM download d WHERE d." +
                              imports_of(view) +
                              " AND d.label = r.download AND d.asked = r.labs) END";
  // One remark of one file, whatever its download is called: the first, whose path is that of the submission that counts.
  const std::string root =
      "iif(instr(r.path, r.download), substr(r.path, 1, instr(r.path, r.download) + "
      "length(r.download) - 1), '')";
  const auto without_root = [&](const std::string& text) {
    return "replace(replace(" + text + ", " + root + " || '/', ''), " + root + ", '')";
  };
  return "FROM remark r WHERE r.id IN (SELECT first FROM (SELECT " + is_last +
         " AS is_last, min(r.id) OVER (PARTITION BY r.kind, r.student, r.labs, r.lab, " +
         without_root("r.path") + ", " + without_root("r.text") +
         ") AS first FROM remark r WHERE r." + imports_of(view) + ") WHERE is_last) ";
}

std::map<std::pair<std::string, std::string>, Counting> counting(SQLite::Database& db, View view) {
  std::map<std::pair<std::string, std::string>, Counting> all;
  SQLite::Statement rows(
      db,
      "SELECT student, lab, path, source_sha256, submitted_at, lms_order, late, lms_id, download, "
      "members, problem, notes FROM submission WHERE " +
          imports_of(view) + " ORDER BY student, lab, import");
  while (rows.executeStep()) {
    Submission one;
    read_row(rows, 0, one.student, one.lab, one.path, one.source_sha256, one.submitted_at,
             one.lms_order, one.late, one.lms_id, one.download, one.group, one.problem, one.notes);
    const auto [at, is_first] = all.try_emplace({one.student, one.lab});
    Counting& counts = at->second;
    if (is_first) {
      counts.submission = std::move(one);
    } else if (!one.problem.empty() && counts.submission.problem.empty()) {
      counts.unread = std::move(one);
    } else if (replaces(one, counts.submission)) {
      counts.submission = std::move(one);
      counts.unread.reset();
    }
  }
  return all;
}

}  // namespace labkit::course
