// Expressions in a normal form: polynomials with integer coefficients over atoms. Private to similar.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace labkit::course::algebra {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value);
std::uint64_t hash_of(std::string_view text);

/// Something that algebra does not look into.
struct Atom {
  std::uint64_t exact = 0, shape = 0;  ///< with its names, and with all names alike
  std::vector<std::uint64_t> names;    ///< of one's own, as often as they occur
  unsigned size = 1;
};
struct Term {
  std::vector<Atom> factors;  ///< by `exact`
  std::int64_t count = 0;
};
using Sum = std::vector<Term>;  ///< no two have the same factors, none is 0

Sum number(std::int64_t value);
bool is_number(const Sum& sum);
Sum of_atom(Atom atom);
/// A name of one's own, and a word of the language or of CUDA.
Atom own(std::string_view name);
Atom word(std::string_view word);
/// What is not algebra: its name, and what it is made of, in this order.
Atom node(std::string_view name, const std::vector<Sum>& parts);
/// The same in either order of the two.
Sum sorted(std::string_view name, Sum a, Sum b);

Sum add(Sum a, const Sum& b, std::int64_t times = 1);
Sum multiply(const Sum& a, const Sum& b);
/// `a op b` of C. A comparison and its contrary are the same: which branch is which does not show.
Sum combined(std::string_view op, const Sum& a, const Sum& b);

}  // namespace labkit::course::algebra
