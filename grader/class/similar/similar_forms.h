// A kernel as a bag of statements in a normal form, in which names, layout, order and simple algebra do not show.
// Private to similar.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::course {

/// An assignment, condition, call, return or array: `for` and `while`, `if (!(a >= b))` and `if (b > a)`, `i * 2 + i` and
/// `3 * i`, `p[i]` and `*(i + p)`, `x += y` and `x = y + x` are the same.
struct Form {
  std::uint64_t shape = 0;  ///< a hash, in which all names of one's own look the same
  unsigned size =
      0;  ///< names, numbers and operators in it; 0: its value stands wherever its name does
  unsigned first_line = 0, last_line = 0;
};

struct SourceForms {
  std::vector<Form> forms;  ///< in their order
  std::vector<std::string>
      comments;                ///< words in small letters with a blank between; long ones only
  std::uint64_t letters = 0;   ///< a hash of the text without any blanks
  std::uint64_t sequence = 0;  ///< of its tokens in their order, names replaced one for one
  bool cut = false;            ///< there is more than kMaxTokens
};

inline constexpr std::size_t kMaxTokens = 20'000;

/// Takes any bytes; what is no C++ gives some forms too. Linear in the text.
SourceForms forms_of(std::string_view source);

}  // namespace labkit::course
