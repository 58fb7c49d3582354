// Submissions of one lab that are more alike than chance and the stub explain: a list to look at,
// never a verdict, and no grade depends on it.
#pragma once
#include <string>
#include <vector>

namespace labkit::course {

/// Two students' sources of one lab that have much in common.
struct SimilarPair {
  std::string lab, first, second;  ///< ids; first < second
  double share_first = 0;        ///< how much of the first one's own code is in the second, 0 to 1
  double share_second = 0;       ///< the same the other way round
  unsigned matching_tokens = 0;  ///< in common, the stub's and the reference's not counted
  std::string note;              ///< a sentence for the teacher, or ""
};

}  // namespace labkit::course
