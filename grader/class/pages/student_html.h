// One student's results, for the student and for who defends the grade: each lab's points and what was
// taken off, every test with what it found, the figures against their gates, and the source with its lines
// marked. It is given away, so it holds nothing of other students, no way to the class's page, and no path of the
// teacher's download.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "class/pages/class_html.h"
#include "grade/result.h"
#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::course {

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
  std::string source;           ///< what was submitted
  bool source_changed = false;  ///< after it was graded: lines are not marked
};

struct StudentPage {
  std::string id, name;
  int decimals = 2;
  std::vector<StudentLab> labs = {};
  std::optional<double> total = {};
  double total_max = 0;               ///< of the labs that count
  std::vector<std::string> how = {};  ///< the total came about; none where all labs count once
  std::string graded_with = {};       ///< "simulator, seed 1, kit 0.1.0"
};

std::string student_html(const StudentPage& page);

}  // namespace labkit::course
