// Theory: what can be written in several ways is written in one. A sum and a product stand in any order, a comparison is
// "this polynomial is positive", a shift by a constant is a product. Each atom has two hashes: with its names, so that
// i * 2 + i is 3 * i and i * 2 + j is not, and with all names alike, which is what two sources are compared by.
#include "class/similar/similar_algebra.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace labkit::course::algebra {

namespace {

/// FNV-1a, 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
constexpr std::uint64_t kOffset = 14695981039346656037ull, kPrime = 1099511628211ull;

std::uint64_t exact_of(const Term& term) {
  std::uint64_t hash = kOffset;
  for (const Atom& factor : term.factors) hash = mix(hash, factor.exact);
  return hash;
}
// Numbers of a hostile source may be as large as they like.
std::int64_t wrap(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * kPrime;
  return hash ^ (hash >> 29);
}
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = kOffset;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

Sum number(std::int64_t value) { return value ? Sum{{{}, value}} : Sum{}; }
Sum of_atom(Atom atom) { return {{{std::move(atom)}, 1}}; }
bool is_number(const Sum& sum) {
  return sum.empty() || (sum.size() == 1 && sum[0].factors.empty());
}

Sum add(Sum a, const Sum& b, std::int64_t times) {
  for (const Term& term : b) {
    const std::uint64_t exact = exact_of(term);
    const auto same = std::ranges::find(a, exact, exact_of);
    const auto count = static_cast<std::uint64_t>(term.count) * static_cast<std::uint64_t>(times);
    if (same == a.end())
      a.push_back({term.factors, wrap(count)});
    else
      same->count = wrap(static_cast<std::uint64_t>(same->count) + count);
  }
  std::erase_if(a, [](const Term& term) { return term.count == 0; });
  constexpr std::size_t kMostTerms = 16;
  return a.size() > kMostTerms ? of_atom(node("sum", {a})) : a;
}

Sum multiply(const Sum& a, const Sum& b) {
  constexpr std::size_t kMostTerms = 8, kMostFactors = 8;
  if (a.size() * b.size() > kMostTerms)
    return multiply(of_atom(node("sum", {a})), of_atom(node("sum", {b})));
  Sum product;
  for (const Term& left : a)
    for (const Term& right : b) {
      Term both{left.factors, wrap(static_cast<std::uint64_t>(left.count) *
                                   static_cast<std::uint64_t>(right.count))};
      both.factors.insert(both.factors.end(), right.factors.begin(), right.factors.end());
      if (both.factors.size() > kMostFactors) return of_atom(node("*", {a, b}));
      std::ranges::sort(both.factors, {}, &Atom::exact);
      product = add(std::move(product), {std::move(both)});
    }
  return product;
}

Atom node(std::string_view name, const std::vector<Sum>& parts) {
  Atom atom;
  atom.exact = atom.shape = hash_of(name);
  for (const Sum& part : parts) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> exact, shape;
    for (const Term& term : part) {
      std::vector<std::uint64_t> shapes;
      for (const Atom& factor : term.factors) {
        shapes.push_back(factor.shape);
        atom.size += factor.size;
        atom.names.insert(atom.names.end(), factor.names.begin(), factor.names.end());
      }
      std::ranges::sort(shapes);
      std::uint64_t of_shapes = kOffset;
      for (const std::uint64_t one : shapes) of_shapes = mix(of_shapes, one);
      atom.size += term.count != 1 || term.factors.empty();
      exact.emplace_back(exact_of(term), term.count);
      shape.emplace_back(of_shapes, term.count);
    }
    for (auto& [hashes, into] : {std::pair(&exact, &atom.exact), {&shape, &atom.shape}}) {
      std::ranges::sort(*hashes);
      *into = mix(*into, hashes->size());
      for (const auto& [hash, count] : *hashes) *into = mix(mix(*into, hash), count);
    }
  }
  constexpr std::size_t kMostNames = 64;
  if (atom.names.size() > kMostNames) atom.names.resize(kMostNames);
  return atom;
}

Atom own(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  return {hash, hash_of("a name"), {hash}, 1};
}
Atom word(std::string_view word) { return {hash_of(word), hash_of(word), {}, 1}; }

Sum sorted(std::string_view name, Sum a, Sum b) {
  const Atom first = node("", {a}), second = node("", {b});
  if (std::pair(second.shape, second.exact) < std::pair(first.shape, first.exact)) std::swap(a, b);
  return of_atom(node(name, {a, b}));
}

namespace {

/// Of two ways to say it one.
Sum either(std::string_view name, const Sum& sum, const Sum& contrary) {
  const Atom a = node(name, {sum}), b = node(name, {contrary});
  return of_atom(a.shape <= b.shape ? a : b);
}
Sum positive(const Sum& sum) { return either(">0", sum, add(number(1), sum, -1)); }

}  // namespace

Sum combined(std::string_view op, const Sum& a, const Sum& b) {
  const std::int64_t value = !is_number(b) ? -1 : b.empty() ? 0 : b[0].count;
  if (op == "+") return add(a, b);
  if (op == "-") return add(a, b, -1);
  if (op == "*") return multiply(a, b);
  if (op == "<<" && value >= 0 && value < 32) return multiply(a, number(1ll << value));
  if (op == ">>" && value >= 0 && value < 32) return combined("/", a, number(1ll << value));
  if (op == "&" && value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value) + 1))
    return combined("%", a, number(value + 1));
  if (op == "<") return positive(add(b, a, -1));
  if (op == ">") return positive(add(a, b, -1));
  if (op == "<=") return positive(add(a, b, -1));  // the contrary of >
  if (op == ">=") return positive(add(b, a, -1));
  if (op == "==" || op == "!=") return either("=0", add(a, b, -1), add(b, a, -1));
  if (op == "&&" || op == "||" || op == "&" || op == "|" || op == "^") return sorted(op, a, b);
  return of_atom(node(op, {a, b}));
}

}  // namespace labkit::course::algebra
