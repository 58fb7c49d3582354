// A class at a glance, for its teacher: how it did, who needs a look, what went wrong in each lab,
// every student's points, and pairs of submissions that are alike. One self-contained page; without
// JavaScript it only cannot sort and filter.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "class/publish/exports.h"
#include "class/publish/publish.h"
#include "class/similar/similar.h"
#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::course {

namespace html = report::html;

struct ClassLab {
  std::string id, title;
  double max_points = 0;  ///< without bonus
  std::string counts;     ///< "12 students: 10 submitted, 6 pass, 4 not pass"
};

/// How a grade stands; the word for it is its verdict.
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
  bool submitted() const { return grade.submitted || grade.state == Grade::State::maybe_missing; }
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
  std::string why;
};

struct ClassPage {
  std::string from;         ///< "submissions.zip (canvas)"
  std::string graded_with;  ///< "simulator, seed 1, kit 0.1.0"
  std::string graded_at;    ///< "2026-11-21 10:42 UTC"; "" before the first result
  int decimals = 2;         ///< of points, at most
  ClassCount progress;
  std::optional<Changes> waiting;  ///< what an import that waits would change
  std::vector<ClassLab> labs;
  std::vector<ClassStudent> students;
  std::vector<ReviewItem> review;
  std::vector<DecidedCase> decided;
  std::vector<SameSource> same;      ///< those of the kit's solutions first
  std::vector<SimilarPair> similar;  ///< the most telling first
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

}  // namespace labkit::course
