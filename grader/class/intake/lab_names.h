// Which lab does a name or a source speak of?
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grade/manifest.h"

namespace labkit::course {

class LabNames {
 public:
  explicit LabNames(const std::vector<grade::Manifest>& labs);

  /// The one lab that a file's or folder's name speaks of: by its id in any spelling ("lab3", "Lab 3", "LAB_03"), else by
  /// what its folder is called ("corner-turning", "CornerTurning"). "" if none or several.
  std::string lab_of(std::string_view name) const;
  /// All that it speaks of, in the labs' order; none for "lab2-3", which may be both or a copy of one.
  std::vector<std::string> labs_of(std::string_view name) const;
  /// What is left of a name without the lab, without words such as "submission" and "final", and
  /// without a number of a resubmission: "alice_lab3_final (2)" gives "alice", "Lab 3" gives "".
  std::string without_lab(std::string_view name) const;

  /// What a source has of one lab: kernels of its manifest that are defined there.
  struct Kernels {
    std::string lab;
    std::size_t count = 0;
    bool touched = false;  ///< one of them has a body
  };
  /// Of the labs of which it has any, in the labs' order.
  std::vector<Kernels> kernels_in(std::string_view source) const;

 private:
  struct Lab {
    std::string id;
    std::set<std::string> topics = {};  ///< "cornerturning"
    std::vector<std::string> kernels = {};
  };
  struct Mention {
    std::size_t begin, end;
    const Lab* lab;
    bool by_id;
  };
  std::vector<std::string> all_named(std::string_view name) const;
  std::vector<Mention> mentions(std::string_view name) const;
  std::vector<Lab> labs_;
};

/// The lab of which there are most; "" if there is none, or if two labs are equally likely.
std::string lab_of_most(const std::vector<LabNames::Kernels>& kernels);

}  // namespace labkit::course
