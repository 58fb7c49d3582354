// Whether a receipt is the one that the class's gradebook keeps. A replay shows what a source gives; that it
// was this student's, from that path, with these points, only the gradebook can say.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/grading/receipt.h"

namespace labkit::course {

struct Vouched {
  enum class Kind : std::uint8_t {
    kept,     ///< the gradebook keeps it, field for field
    edited,   ///< it keeps one like it, in which something is otherwise
    unknown,  ///< it keeps none for that student and lab, nor of that source or result
  };
  Kind kind = Kind::unknown;
  Receipt receipt;     ///< that is kept, the nearest to the one asked for; of `unknown`: none
  std::string result;  ///< the result that it was made of; of `unknown`: ""
  std::vector<std::string>
      edits;  ///< of `edited`: "student: ana -> bo", a line each, kept -> asked for
};

/// Looks through all results, also those of earlier hand-ins. How the JSON is laid out does not matter.
Vouched vouch(const Gradebook& book, const Receipt& receipt);

}  // namespace labkit::course
