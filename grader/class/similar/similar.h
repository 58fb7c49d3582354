// Submissions of one lab that are more alike than chance explains: a list to look at, never a verdict, and no grade
// depends on it.
//
// What each kernel computes is compared (ptx/values.h; the worker that grades it stores it with the result), which renaming,
// reordering and simple algebra leave as it is. Two are listed if they are nearer to each other than to anybody else and to
// the kit's solutions (similar.cpp); those whom several labs list come first. Code that does not compile is compared by its
// letters alone. How much of it is found: grader/tests/class/alike/README.md.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "grade/manifest.h"

namespace labkit::course {

/// Two students' sources of one lab that have much in common.
struct SimilarPair {
  std::string lab, first, second;  ///< ids; first < second
  double share_first = 0;   ///< how much of what the first computes the second does too, 0 to 1
  double share_second = 0;  ///< the same the other way round
  double weight = 0;        ///< larger: nearer, the same text, listed in more labs
  std::string note;         ///< sentences for the teacher, or ""
  std::string page = {};    ///< its side-by-side view: a file in similar/
  std::vector<std::pair<unsigned, unsigned>> lines = {};  ///< of either, that compute the same
};

/// One submission of a lab.
struct SimilarSource {
  std::string student;
  std::string source;
  std::vector<std::string> group;             ///< ids of all who submitted it together, or none
  std::map<std::string, std::string> values;  ///< LabResult::values; none if it does not compile
};

/// What everybody was shown, or may have found.
struct KnownCode {
  std::string stub;
  std::vector<SimilarSource> solutions;  ///< the kit's own, by their files; none in a student's kit
};

/// More in common first.
bool more_telling(const SimilarPair& a, const SimilarPair& b);

/// Of a lab no more are listed: whoever has looked at these knows what the others are.
inline constexpr std::size_t kMostSimilarPairs = 100;
/// The pairs of one lab, most alike first. Those of one group are not held against each other. Reading is linear in the
/// sources; every two are compared.
std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const KnownCode& known);

/// What is not there is left out. Solutions lie beside the folder of the labs.
KnownCode known_code(const grade::Manifest& lab);

/// Of the whole class, the most telling first.
std::vector<SimilarPair> find_similar(const Gradebook& book,
                                      const std::vector<grade::Manifest>& labs);

/// One text of several students, or of a solution of the kit, letter for letter but for blanks and line ends.
struct SameSource {
  std::string lab;
  std::vector<std::string> students;  ///< ids, sorted
  std::string solution;  ///< "solutions/lab6_consecutive_powers/correct/padded.cu", or ""
};
/// First those of solutions, then those of three students or more.
std::vector<SameSource> find_same(const Gradebook& book, const std::vector<grade::Manifest>& labs);

/// "92%"
std::string percent_text(double share);

/// The letters of a text without blanks and line ends.
std::string letters_of(std::string_view text);

}  // namespace labkit::course
