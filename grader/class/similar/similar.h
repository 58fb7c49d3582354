// Submissions of one lab that are more alike than chance and the stub explain: a list to look at,
// never a verdict, and no grade depends on it.
//
// Sources are compared as bags of statements in a normal form (similar_forms.h), in which names, layout, order and simple
// algebra do not show. A statement weighs as much as it has names, numbers and operators, and less the more of the class
// have it. The stub's statements weigh nothing, nor do those of the reference solution and of the handouts: short kernels
// are alike by nature, and what everybody was shown is nobody's.
//
// grader/tests/class/alike holds copies that were reworked as students do, written before the detector; the kit's correct
// solutions, each by itself, say how often it is wrong. The limits below were set on these, so they prove little about
// others: of 15 copies that somebody else reworked in 4 to 7 ways each, none was found (2026-11-23).
//
// Why not sim_c of Debian's similarity-tester: it cannot leave the stub out, takes all names and
// numbers for the same token (so that lab 3's tile.cu, padded.cu and tile_turned_on_entry.cu, where x and
// y trade places, are 99% alike to it, as a copy is), and needs more than a minute for one file of a
// megabyte of '('.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "grade/manifest.h"

namespace labkit::course {

/// Two students' sources of one lab that have much in common.
struct SimilarPair {
  std::string lab, first, second;  ///< ids; first < second
  double share_first = 0;   ///< how much of the first one's own code is in the second, 0 to 1
  double share_second = 0;  ///< the same the other way round
  double weight = 0;        ///< of what they have in common
  std::string note;         ///< sentences for the teacher, or ""
  std::string page = {};    ///< its side-by-side view: a file in similar/
  std::vector<std::pair<unsigned, unsigned>> lines =
      {};  ///< of the first, and of the second that says the same
};

/// One submission of a lab.
struct SimilarSource {
  std::string student;
  std::string source;
  std::vector<std::string> group;  ///< ids of all who submitted it together, or none
};

inline constexpr double kLeastWeight = 40;   ///< less in common is chance
inline constexpr double kLeastShare = 0.72;  ///< of either one's own code
inline constexpr double kOthersShare = 0.5;  ///< and of the other one's

/// Most alike first: much in common, and much of somebody's own code.
bool more_telling(const SimilarPair& a, const SimilarPair& b);

/// The pairs of one lab, most alike first. `known`: texts that everybody was shown. Those of one
/// group are not held against each other. Linear in the sources but for what few share.
std::vector<SimilarPair> similar_pairs(const std::string& lab,
                                       const std::vector<SimilarSource>& sources,
                                       const std::vector<std::string>& known);

/// The code between the fences (``` or ~~~) of a Markdown text.
std::string fenced_code(std::string_view markdown);

/// The stub, the reference solution, and the code in the lab's README and in handouts/; a file that is
/// not there is left out. `root`: the project.
std::vector<std::string> known_code(const grade::Manifest& lab, const std::filesystem::path& root);

/// Of the whole class, lab after lab.
std::vector<SimilarPair> find_similar(const Gradebook& book,
                                      const std::vector<grade::Manifest>& labs,
                                      const std::filesystem::path& root);

/// One text of several students, or of a solution of the kit, letter for letter but for blanks and line ends.
struct SameSource {
  std::string lab;
  std::vector<std::string> students;  ///< ids, sorted
  std::string solution;  ///< "solutions/lab6_consecutive_powers/correct/padded.cu", or ""
};
/// First those of solutions, then those of three students or more.
std::vector<SameSource> find_same(const Gradebook& book, const std::vector<grade::Manifest>& labs,
                                  const std::filesystem::path& root);
/// "lab6: ana and bo equal solutions/lab6_consecutive_powers/correct/padded.cu"
std::string same_text(const SameSource& same);

/// Students of one lab who are connected by pairs: three who copied of a fourth are one thing to look at.
struct SimilarGroup {
  std::string lab;
  std::vector<std::string> students;     ///< ids, sorted
  std::vector<SimilarPair> pairs = {};   ///< most alike first
  double share_low = 0, share_high = 0;  ///< over the pairs, of either's own code the larger share
};
/// All pairs in groups, the most telling first: by what they have in common times share, of the best pair.
std::vector<SimilarGroup> similar_groups(const std::vector<SimilarPair>& pairs);
/// "92%"
std::string percent_text(double share);
/// "92% to 97%"
std::string share_text(const SimilarGroup& group);

/// To be read, group after group, with what it means at the top, and `same` before them.
std::string similar_text(const std::vector<SimilarPair>& pairs,
                         const std::vector<Student>& students,
                         const std::vector<SameSource>& same = {});

}  // namespace labkit::course
