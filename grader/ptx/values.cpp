// A value is a sum of products of atoms, with integer coefficients: `r * cols + c` is the same sum however it is written.
// Atoms are what algebra does not look into: parameters, special registers, what is loaded, quotients, each a hash.
//
// Registers and places in local memory are variables. One with a single definition stands for what was computed; a
// loop's counter is its first value plus its step times the number of the iteration, so that `for (i = t; i < n; i += 32)`
// and `while (t + 32 * k < n)` are alike; any other variable is the set of what it may be. Variables refer to one
// another, so the text is walked a few times: at first each is an atom of its own, by which counters are found.
#include "ptx/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ptx/defs.h"

namespace labkit::ptx {
namespace {

constexpr std::size_t kMostInstructions = 20'000, kMostTerms = 24, kMostFactors = 8;
constexpr int kDeepestCall = 6, kRounds = 4;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccd;
  return hash ^ hash >> 32;
}
std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

/// Atoms of a product, rising -> its coefficient, never 0.
using Sum = std::map<std::vector<std::uint64_t>, std::uint64_t>;

std::uint64_t hash_of(const Sum& sum) {
  std::uint64_t hash = 0;
  for (const auto& [factors, count] : sum) {
    for (const std::uint64_t factor : factors) hash = mix(hash, factor);
    hash = mix(mix(hash, factors.size()), count);
  }
  return hash;
}
Sum number(std::uint64_t value) { return value == 0 ? Sum{} : Sum{{{}, value}}; }
Sum atom(std::uint64_t hash) { return {{{hash}, 1}}; }
/// What is not algebra, of these.
Sum node(std::string_view name, const std::vector<std::uint64_t>& parts) {
  std::uint64_t hash = mix(0, name);
  for (const std::uint64_t part : parts) hash = mix(hash, part);
  return atom(hash);
}
/// The same in any order of the parts.
Sum unordered(std::string_view name, std::vector<std::uint64_t> parts) {
  std::ranges::sort(parts);
  return node(name, parts);
}
std::optional<std::int64_t> constant(const Sum& sum) {
  if (sum.empty()) return 0;
  if (sum.size() > 1 || !sum.begin()->first.empty()) return std::nullopt;
  return static_cast<std::int64_t>(sum.begin()->second);
}
Sum without_constant(Sum sum) {
  sum.erase(Sum::key_type{});
  return sum;
}

Sum add(Sum a, const Sum& b, std::uint64_t times = 1) {
  for (const auto& [factors, count] : b)
    if ((a[factors] += count * times) == 0) a.erase(factors);
  return a.size() <= kMostTerms ? a : unordered("sum", {hash_of(a)});
}
Sum multiply(const Sum& a, const Sum& b) {
  Sum product;
  for (const auto& [left, left_count] : a)
    for (const auto& [right, right_count] : b) {
      std::vector<std::uint64_t> factors;
      std::ranges::merge(left, right, std::back_inserter(factors));
      if (factors.size() > kMostFactors) return unordered("product", {hash_of(a), hash_of(b)});
      if ((product[factors] += left_count * right_count) == 0) product.erase(factors);
    }
  return product.size() <= kMostTerms ? product : unordered("product", {hash_of(a), hash_of(b)});
}
Sum negated(const Sum& sum) { return add({}, sum, ~0ull); }

/// A comparison and its contrary are the same: which branch is which does not show.
Sum compared(std::string_view how, const Sum& a, const Sum& b) {
  const Sum difference = add(a, b, ~0ull);
  if (how.starts_with("eq") || how.starts_with("ne"))
    return unordered("equal", {hash_of(difference), hash_of(negated(difference))});
  // a < b as a - b < 0, a <= b as a - b - 1 < 0; the contrary of d < 0 is -d - 1 < 0
  const bool is_below = how.starts_with("lt") || how.starts_with("lo") || how.starts_with("ge") ||
                        how.starts_with("hs");
  const Sum below = is_below ? difference : add(difference, number(1), ~0ull);
  return unordered("less", {hash_of(below), hash_of(add(negated(below), number(1), ~0ull))});
}

bool is_floating(std::string_view type) { return type.starts_with("f") || type.starts_with("bf"); }

/// What a call hands over: of each parameter, values by their offset in it.
using Arguments = std::vector<std::map<std::int64_t, Sum>>;

class Values {
 public:
  explicit Values(const Module& module) : module_(module) {}
  void walk(const Function& function, const Arguments* arguments, int depth);
  std::vector<ComputedValue> found() const {
    std::vector<ComputedValue> all;
    for (const auto& [hash, line] : found_) all.push_back({hash, line});
    return all;
  }

 private:
  friend class FunctionValues;
  const Module& module_;
  std::size_t left_ = kMostInstructions;
  std::map<std::uint64_t, std::uint32_t> found_;
};

class FunctionValues {
 public:
  FunctionValues(Values& all, const Function& function, const Arguments* arguments, int depth)
      : all_(all), function_(function), arguments_(arguments), depth_(depth) {
    variables_.resize(function.registers.size());
    for (std::size_t i = 0; i < variables_.size(); ++i)
      variables_[i].is_floating = is_floating(name_of(function.registers[i].type));
    for (const Instruction& in : function.body)
      visit_defs(in, [&](std::int32_t id) { ++variables_[id].count; });
  }

  void run() {
    for (round_ = 0; round_ < kRounds; ++round_) {
      for (const Instruction& in : function_.body) step(in);
      settle();
    }
  }

 private:
  struct Variable {
    std::size_t count = 0;  ///< of definitions; of a place in memory not known in the first round
    std::vector<Sum> definitions;  ///< in this round, so far
    Sum value = {};                ///< of the round before
    bool is_floating = false;
    std::optional<std::size_t> first, step;  ///< of a counter, among its definitions
  };

  // ---- variables
  static Sum unknown(std::size_t variable) { return node("variable", {variable}); }
  Sum read(std::size_t id) const {
    const Variable& variable = variables_[id];
    if (variable.count == 1)
      return variable.definitions.empty() ? variable.value : variable.definitions[0];
    return round_ == 0 ? unknown(id) : variable.value;
  }
  void write(std::size_t id, Sum value) { variables_[id].definitions.push_back(std::move(value)); }

  /// A place in local memory, or in a parameter of a call; nullopt: the address is neither.
  std::optional<std::size_t> place(const Operand& address) {
    std::pair<std::int32_t, std::int64_t> key{-1, 0};
    if (address.base == OperandKind::symbol && address.symbol == SymbolKind::function_variable &&
        function_.variables[address.id].space == Space::param) {
      key = {address.id, address.offset};
    } else {
      const Sum sum = without_constant(operand(address));
      if (sum != local()) return std::nullopt;
      key.second = constant(add(operand(address), sum, ~0ull)).value_or(0);
    }
    const auto [at, is_new] = places_.try_emplace(key, variables_.size());
    if (is_new) variables_.emplace_back();
    return at->second;
  }

  /// Ends a round.
  void settle() {
    for (std::size_t id = 0; id < variables_.size(); ++id) {
      Variable& variable = variables_[id];
      variable.count = variable.definitions.size();
      if (round_ == 0) find_counter(id);
    }
    for (Variable& variable : variables_) {
      if (variable.count == 1) {
        variable.value = variable.definitions[0];
      } else if (round_ == 0) {
        variable.value = node(variable.step ? "counter" : "any", {});
      } else if (variable.step) {
        const Sum step = add(variable.definitions[*variable.step], variable.value, ~0ull);
        variable.value =
            add(variable.definitions[*variable.first], multiply(step, node("iteration", {})));
      } else {
        std::set<std::uint64_t> hashes;
        for (const Sum& sum : variable.definitions) hashes.insert(hash_of(sum));
        variable.value = node("one of", {hashes.begin(), hashes.end()});
      }
      variable.definitions.clear();
    }
  }
  /// Each definition is itself plus the same step, or the same first value.
  void find_counter(std::size_t id) {
    Variable& variable = variables_[id];
    if (variable.is_floating) return;
    const Sum self = unknown(id);
    const std::uint64_t own = self.begin()->first[0];
    std::set<Sum> steps, firsts;
    for (std::size_t i = 0; i < variable.definitions.size(); ++i) {
      const Sum rest = add(variable.definitions[i], self, ~0ull);
      const bool is_step = std::ranges::none_of(
          rest, [&](const auto& term) { return std::ranges::count(term.first, own) > 0; });
      (is_step ? steps : firsts).insert(is_step ? rest : variable.definitions[i]);
      (is_step ? variable.step : variable.first) = i;
    }
    if (steps.size() != 1 || firsts.size() != 1) variable.step.reset();
  }

  // ---- operands
  static Sum local() { return node("local", {}); }
  Sum operand(const Operand& of) {
    switch (of.kind == OperandKind::address ? of.base : of.kind) {
      case OperandKind::reg:
        return add(read(of.id), number(of.offset));
      case OperandKind::special:
        return node(of.name, {});
      case OperandKind::immediate:
        return number(of.bits + of.offset);
      case OperandKind::float32:
        return real(std::bit_cast<float>(static_cast<std::uint32_t>(of.bits)));
      case OperandKind::float64:
        return real(std::bit_cast<double>(of.bits));
      case OperandKind::symbol: {
        const bool is_own = of.symbol == SymbolKind::function_variable;
        if (!is_own && of.symbol != SymbolKind::module_variable) return node("symbol", {});
        const Space space =
            is_own ? function_.variables[of.id].space : all_.module_.variables[of.id].space;
        return add(space == Space::local ? local() : node(name_of(space), {}), number(of.offset));
      }
      default: {
        std::vector<std::uint64_t> parts;
        for (const Operand& element : of.elements) parts.push_back(hash_of(operand(element)));
        return node("parts", parts);
      }
    }
  }
  static Sum real(double value) {
    if (std::abs(value) < 1e9 && value == std::floor(value))
      return number(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
    return node("real", {std::bit_cast<std::uint64_t>(value)});
  }
  /// Where in local memory something lies depends on the order of declarations.
  Sum address(const Operand& of) {
    Sum sum = operand(of);
    return sum.contains(local().begin()->first) ? without_constant(std::move(sum)) : sum;
  }
  std::uint64_t hash(const Operand& of) { return hash_of(operand(of)); }

  // ---- instructions
  void step(const Instruction& in) {
    if (in.root() == "call") return call(in);
    if (in.root() == "st") return store(in);
    if (is_any(in, {"bar", "barrier"})) return emit(in, node("barrier", {}));
    if (!writes_first_operand(in)) return;
    const Operand& to = in.operands[0];
    if (in.root() == "ld") return load(in);
    const Sum value = computed(in);
    visit_registers(to, [&](std::int32_t id) { write(id, value); });
    const bool is_special = in.root() == "mov" && in.operands[1].kind == OperandKind::special;
    const bool is_shift_of_number =  // ++i, and the -1 of i <= n - 1
        is_any(in, {"add", "sub"}) && in.operands.back().kind == OperandKind::immediate;
    const bool is_comparison = in.root() == "setp";
    if (is_special || is_comparison ||
        (!is_any(in, {"mov", "cvt", "cvta", "shl", "not"}) && !is_shift_of_number &&
         !in.has("pred")))
      emit(in, value);
  }

  void load(const Instruction& in) {
    const Operand& from = in.operands[1];
    std::uint64_t offset = 0;
    const auto each = [&](const Sum& value) {
      visit_registers(in.operands[0], [&](std::int32_t id) {
        write(id, offset == 0 ? value : node("next", {hash_of(value), offset}));
        ++offset;
      });
    };
    if (from.base == OperandKind::symbol && from.symbol == SymbolKind::parameter)
      return each(parameter(from));
    if (const auto at = place(from)) {
      const auto result = results_.find(from.id);
      const bool is_result = from.symbol == SymbolKind::function_variable &&
                             result != results_.end() && variables_[*at].definitions.empty();
      return each(is_result ? result->second : read(*at));
    }
    const Sum at = address(from);
    emit(in, node("load", {hash_of(at)}));
    each(node("loaded", {hash_of(at)}));
  }
  Sum parameter(const Operand& from) const {
    if (arguments_ == nullptr)
      return node("parameter",
                  {static_cast<std::uint64_t>(from.id), static_cast<std::uint64_t>(from.offset)});
    const auto parameter = static_cast<std::size_t>(from.id);
    if (parameter >= arguments_->size()) return node("argument", {});
    const auto at = (*arguments_)[parameter].find(from.offset);
    return at == (*arguments_)[parameter].end() ? node("argument", {}) : at->second;
  }
  void store(const Instruction& in) {
    const Operand& to = in.operands[0];
    if (to.symbol == SymbolKind::return_parameter) return;
    if (const auto at = place(to)) {
      variables_[*at].is_floating = is_floating(in.parts.back());
      return write(*at, operand(in.operands[1]));
    }
    emit(in, node("store", {hash_of(address(to))}));
  }
  void call(const Instruction& in) {
    emit(in, node("call", {}));
    const Function* callee = nullptr;
    Arguments arguments;
    std::vector<std::uint64_t> hashes;
    for (const Operand& part : in.operands)
      if (part.kind == OperandKind::symbol && part.symbol == SymbolKind::function)
        callee = &all_.module_.functions[part.id];
    if (callee != nullptr && in.operands.back().kind == OperandKind::list)
      for (const Operand& argument : in.operands.back().elements) {
        arguments.emplace_back();
        for (auto at = places_.lower_bound({argument.id, INT64_MIN});
             at != places_.end() && at->first.first == argument.id; ++at) {
          arguments.back()[at->first.second] = read(at->second);
          hashes.push_back(hash_of(read(at->second)));
        }
      }
    if (in.operands.front().kind == OperandKind::list)
      for (const Operand& result : in.operands.front().elements)
        results_[result.id] = unordered("result", hashes);
    if (callee != nullptr && round_ == kRounds - 1) all_.walk(*callee, &arguments, depth_ + 1);
  }

  Sum computed(const Instruction& in) {
    const auto value = [&](std::size_t i) {
      return i < in.operands.size() ? operand(in.operands[i]) : Sum{};
    };
    const std::string_view root = in.root();
    const bool is_low = !in.has("hi");
    if (root == "mov" || root == "cvta") return value(1);
    if (root == "cvt") {
      const std::size_t parts = in.parts.size();
      const bool changes_kind =
          parts > 2 && is_floating(in.parts[parts - 1]) != is_floating(in.parts[parts - 2]);
      return changes_kind ? node("converted", {hash_of(value(1))}) : value(1);
    }
    if (root == "add") return add(value(1), value(2));
    if (root == "sub") return add(value(1), value(2), ~0ull);
    if (root == "neg") return negated(value(1));
    if (root == "mul" && is_low) return multiply(value(1), value(2));
    if ((root == "mad" || root == "fma") && is_low)
      return add(multiply(value(1), value(2)), value(3));
    if (root == "setp") return compared(in.parts[1], value(1), value(2));
    if (root == "selp") return unordered("either", {hash_of(value(1)), hash_of(value(2))});
    const std::int64_t right = constant(value(2)).value_or(-1);
    const bool is_shift = right >= 0 && right < 63;
    if (root == "shl" && is_shift) return multiply(value(1), number(1ull << right));
    if (root == "shr" && is_shift)
      return node("div", {hash_of(value(1)), hash_of(number(1ull << right))});
    if (root == "and" && right > 0 && (right & (right + 1)) == 0)  // x & 31
      return node("rem", {hash_of(value(1)), hash_of(number(right + 1))});
    std::vector<std::uint64_t> parts;
    for (std::size_t i = 1; i < in.operands.size(); ++i) parts.push_back(hash(in.operands[i]));
    return is_any(in, {"min", "max", "and", "or", "xor"}) ? unordered(root, parts)
                                                          : node(root, parts);
  }

  void emit(const Instruction& in, const Sum& value) {
    if (round_ == kRounds - 1) all_.found_.try_emplace(hash_of(value), in.location.line);
  }

  Values& all_;
  const Function& function_;
  const Arguments* arguments_;
  int depth_;
  int round_ = 0;
  std::vector<Variable> variables_;  ///< registers first
  /// (variable, offset), and (-1, offset) in local memory -> variables_
  std::map<std::pair<std::int32_t, std::int64_t>, std::size_t> places_;
  std::map<std::int32_t, Sum> results_;  ///< of calls, by the variable that takes them
};

void Values::walk(const Function& function, const Arguments* arguments, int depth) {
  if (depth > kDeepestCall || function.body.size() > left_) return;
  left_ -= function.body.size();
  FunctionValues(*this, function, arguments, depth).run();
}

}  // namespace

std::vector<ComputedValue> values_of(const Module& module, const Function& kernel) {
  Values values(module);
  values.walk(kernel, nullptr, 0);
  return values.found();
}

}  // namespace labkit::ptx
