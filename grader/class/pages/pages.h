// The class's pages, from the gradebook: index.html for the teacher, students/ID.html for each student, pairs of similar
// submissions side by side, and board.html where the roster gives nicknames. The same gradebook gives the same pages, byte for byte. Each is one file; without JavaScript
// the class's can only not sort and filter.
//
// A student's page is given away: it holds nothing of other students, no way to the class's page, no path of the
// teacher's download and no seed.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "class/publish/exports.h"
#include "class/publish/publish.h"
#include "class/similar/similar.h"
#include "grade/manifest.h"
#include "grade/result.h"
#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::course {

/// Takes one page: its place below the output folder, and its text. Pages come one at a time, so that
/// a large class needs no more memory than its largest page.
using PageSink = std::function<void(const std::filesystem::path& place, const std::string& html)>;

/// Makes every page of the class: the students' in their order, those of similar pairs, then index.html. A stored result that
/// cannot be read is said on the page, and the rest goes on.
void make_pages(const Gradebook& book, const Report& report,
                const std::vector<grade::Manifest>& labs, const std::vector<SimilarPair>& similar,
                const std::vector<SameSource>& same, const PageSink& sink);

namespace html = report::html;

struct ClassLab {
  std::string id, title;
  double max_points = 0;  ///< without bonus
};

html::Standing standing_of(const Grade& grade);

struct ClassCell {
  Grade grade = {};
  std::string reason = {};  ///< one line: why it is not a pass; ""
  bool review = false;
  std::set<std::string> causes = {};  ///< ids of what its tests show (explain/defect.h)

  /// What a teacher decided, or came too late, counts as that alone, as in the counts of class status and class grade.
  bool is_by_place() const { return grade.decided || grade.state == Grade::State::too_late; }
  std::string verdict() const {
    return is_by_place() ? grade_state_name(grade.place()) : grade.verdict;
  }
  html::Standing standing() const {
    return is_by_place() ? html::Standing::none : standing_of(grade);
  }
};

/// A student, or a file that belongs to nobody.
struct Who {
  std::string name;
  html::Link page;  ///< may be empty
};

struct ClassStudent : Who {
  std::string id, email = {};
  std::vector<ClassCell> cells = {};  ///< as many as labs
  std::optional<double> total = {};   ///< nullopt: no lab has points
  bool review = false;  ///< something of theirs is to be looked at, of a lab or of none
};

/// Something for the teacher to look at; one for all whom the same befell.
struct ReviewItem {
  std::vector<Who> who;
  std::string lab;   ///< may be ""
  std::string what;  ///< "not graded", "belongs to nobody"
  std::string why, advice;
};

struct ClassPage {
  std::string from;                ///< "submissions.zip (canvas)"
  std::string graded_with;         ///< "simulator, seed 1, kit 0.1.0"
  std::string graded_at;           ///< "2026-11-21 10:42 UTC"; "" before the first result
  std::optional<Changes> waiting;  ///< what an import that waits would change
  std::vector<ClassLab> labs;
  std::vector<ClassStudent> students;
  std::vector<ReviewItem> review;
  std::vector<Decision> decided;
  std::vector<SameSource> same;      ///< those of the kit's solutions first
  std::vector<SimilarPair> similar;  ///< the most telling first
  std::vector<std::string> uploads;  ///< what is not in them
  std::vector<Remark> files;         ///< what was not graded, and why

  /// A student by id; of anybody else the id is the name.
  Who who(const std::string& id) const;
};

std::string class_html(const ClassPage& page);

struct PairSide {
  Who who;
  std::string source;
};
/// Both sources of a similar pair, side by side: a page in similar/.
std::string pair_html(const SimilarPair& pair, const PairSide& first, const PairSide& second);

// For its parts.
html::Markup linked_name(const Who& who);
html::Markup class_labs(const ClassPage& page);
/// "bank conflict" of "performance.bank_conflict", "race: missing barrier"
std::string cause_words(const std::string& id);

struct StudentLab {
  std::string id, title, idea;
  Grade grade;            ///< without its notes
  double max_points = 0;  ///< without bonus
  std::string
      submitted;  ///< the file's name, without the path in the class's download; "" if nothing was
  std::string submitted_at;
  std::vector<std::string> group;  ///< names of all who submitted it, if more than one
  struct Word {
    std::string label, text, when;  ///< not who: that is for teachers
  };
  std::vector<Word>
      words;  ///< the decision that holds, a comment, a regrade request and its answer
  std::vector<std::string> notes;
  std::string trouble;  ///< why there is nothing below: our fault, said so; ""

  std::optional<grade::LabResult> result;
  std::string source;  ///< what was submitted
};

struct StudentPage {
  std::string id, name;
  std::vector<StudentLab> labs = {};
  std::optional<double> total = {};
  double total_max = 0;               ///< of the labs that count
  std::vector<std::string> how = {};  ///< the total came about; none where all labs count once
  std::string graded_with = {};       ///< "simulator, seed 1, kit 0.1.0"
};

std::string student_html(const StudentPage& page);

/// Predicted figures of those who passed a lab and have a nickname. It names nobody otherwise, so that it can be given away.
struct BoardRow {
  std::string nickname;
  double time_us = 0;  ///< of all tests that count for points and are timed
  std::vector<std::string> sectors = {}, wavefronts = {}, ratios = {};  ///< of each of these tests
};
struct BoardLab {
  std::string id, title;
  std::vector<BoardRow> rows;
};
std::string board_html(std::vector<BoardLab> labs);

}  // namespace labkit::course
