// Copies of one download: the same assignment's, taken from the LMS at different times. Which is the
// older? Who is only in an older one is gone from the newer; who is not in an older one says nothing.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "class/intake/hand_in_order.h"
#include "class/intake/intake.h"

namespace labkit::course {

/// The copies in one intake, lab by lab, beside each other and beside what the gradebook has of the same
/// download. Two are copies of one if they are called the same (download_key()) and somebody's source is
/// the same in both: that two share students says nothing, as the next week's has who hands in again.
/// A copy is the older if by the LMS's or the files' times anything in it is older than the same
/// student's in the other, and nothing is newer. The order in which inputs were named does not matter.
class DownloadCopies {
 public:
  using Key = std::pair<std::string, std::string>;  ///< student and lab

  /// `counts`: what counts in the gradebook before this intake.
  DownloadCopies(const std::vector<Submission>& submissions, const std::map<Key, HandIn>& counts);

  /// A copy is here that is no older than what the gradebook has of that download and lab.
  bool is_here_again(const std::string& download_key, const std::string& lab) const;

  enum class OnlyIn : std::uint8_t {
    a_current,         ///< a copy that is no older than any other
    older_than_known,  ///< copies that are older than what the gradebook has
    older_than_named,  ///< copies that are older than another of this intake, which is no older than
                       ///< what the gradebook has
  };
  /// Where a student's hand-ins for a lab lie.
  OnlyIn where_is(const Submission& one) const;

 private:
  struct Copy {
    std::map<std::string, HandIn> by_student;
    bool is_known_again = false;  ///< a copy of what the gradebook has
    bool is_older_than_known = false;
    std::set<std::string> older_than;  ///< inputs of this intake
  };
  using Download = std::map<std::string, Copy>;  ///< by input
  std::map<Key, Download> downloads_;            ///< by download_key and lab
};

}  // namespace labkit::course
