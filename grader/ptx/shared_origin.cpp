#include "ptx/shared_origin.h"

#include "ptx/defs.h"

namespace labkit::ptx {
namespace {

/// What a register holds, as far as addresses go. From `nothing` a register only ever changes toward `unknown`.
struct Holds {
  enum class Kind : std::uint8_t { nothing, number, address, unknown } kind = Kind::nothing;
  SharedOrigin origin;
  friend bool operator==(const Holds&, const Holds&) = default;
};
using Kind = Holds::Kind;

Holds either(const Holds& a, const Holds& b) {
  if (a.kind == Kind::nothing) return b;
  if (b.kind == Kind::nothing || a == b) return a;
  return {Kind::unknown, {}};
}

Holds sum(const Holds& a, const Holds& b) {
  if (a.kind == Kind::nothing || b.kind == Kind::nothing) return {};
  if (a.kind == Kind::unknown || b.kind == Kind::unknown) return {Kind::unknown, {}};
  if (a.kind == Kind::address && b.kind == Kind::address) return {Kind::unknown, {}};
  return a.kind == Kind::address ? a : b;
}

class OriginWalk {
 public:
  /// `is_pointer`: null for arrays in shared memory.
  OriginWalk(const Module& module, const Function& function,
             const std::vector<bool>* is_pointer = nullptr)
      : module_(module),
        function_(function),
        is_pointer_(is_pointer),
        registers_(function.registers.size()),
        readers_(function.registers.size()) {}

  std::vector<SharedOrigin> run() {
    for (std::size_t i = function_.body.size(); i-- > 0;) {  // text order first
      visit_uses(function_.body[i],
                 [&](std::int32_t id) { readers_[static_cast<std::size_t>(id)].push_back(i); });
      work_.push_back(i);
    }
    while (!work_.empty()) {  // a register changes twice at most
      const std::size_t i = work_.back();
      work_.pop_back();
      execute(function_.body[i]);
    }
    std::vector<SharedOrigin> origins(function_.body.size());
    for (std::size_t i = 0; i < origins.size(); ++i)
      for (const auto& operand : function_.body[i].operands)
        if (operand.kind == OperandKind::address) {
          const auto holds = of(operand);
          if (holds.kind == Kind::address) origins[i] = holds.origin;
          // of cp.async the first is the shared one
          if (is_pointer_ == nullptr || holds.kind == Kind::address) break;
        }
    return origins;
  }

 private:
  Holds of(const Operand& operand) const {
    const auto kind = operand.kind == OperandKind::address ? operand.base : operand.kind;
    if (kind == OperandKind::reg && operand.id >= 0)
      return registers_[static_cast<std::size_t>(operand.id)];
    if (kind != OperandKind::symbol) return {Kind::number, {}};
    const Variable* variable = nullptr;
    if (operand.symbol == SymbolKind::module_variable)
      variable = &module_.variables[static_cast<std::size_t>(operand.id)];
    if (operand.symbol == SymbolKind::function_variable)
      variable = &function_.variables[static_cast<std::size_t>(operand.id)];
    const Space wanted = is_pointer_ == nullptr ? Space::shared : Space::global;
    if (variable == nullptr || variable->space != wanted) return {Kind::number, {}};
    return {Kind::address, {operand.symbol, operand.id}};
  }

  void set(const Operand& to, const Holds& holds) {
    for (const auto& element : to.elements) set(element, holds);
    if (to.kind != OperandKind::reg || to.id < 0) return;
    auto& have = registers_[static_cast<std::size_t>(to.id)];
    const auto now = either(have, holds);
    if (now == have) return;
    have = now;
    const auto& readers = readers_[static_cast<std::size_t>(to.id)];
    work_.insert(work_.end(), readers.begin(), readers.end());
  }

  /// A pointer that is a parameter, else a number.
  Holds loaded(const Instruction& in) const {
    const auto& from = in.operands.back();
    if (is_pointer_ != nullptr && in.operands.size() == 2 && from.kind == OperandKind::address &&
        from.base == OperandKind::symbol && from.symbol == SymbolKind::parameter && from.id >= 0 &&
        static_cast<std::size_t>(from.id) < is_pointer_->size() &&
        (*is_pointer_)[static_cast<std::size_t>(from.id)] && from.offset == 0)
      return {Kind::address, {SymbolKind::parameter, from.id}};
    return {Kind::number, {}};
  }

  void execute(const Instruction& in) {
    if (in.operands.empty()) return;
    const auto root = in.root();
    const auto& o = in.operands;
    if (root == "ld" || root == "ldu" || root == "atom") return set(o[0], loaded(in));
    if ((root == "mov" || root == "cvta" || root == "cvt") && o.size() == 2 &&
        o[1].kind != OperandKind::vector)
      return set(o[0], of(o[1]));
    if ((root == "add" || root == "or") && o.size() == 3) return set(o[0], sum(of(o[1]), of(o[2])));
    if (root == "sub" && o.size() == 3) {
      const auto minus = of(o[2]);
      if (minus.kind == Kind::address) return set(o[0], {Kind::unknown, {}});
      return set(o[0], sum(of(o[1]), minus));
    }
    if (root == "mad" && o.size() == 4) {
      const auto product = sum(of(o[1]), of(o[2]));
      if (product.kind == Kind::address) return set(o[0], {Kind::unknown, {}});
      return set(o[0], sum(product, of(o[3])));
    }
    if (root == "selp" && o.size() == 4) return set(o[0], either(of(o[1]), of(o[2])));
    // anything else makes numbers of numbers
    Holds all{Kind::number, {}};
    for (std::size_t k = 1; k < o.size(); ++k) {
      const auto holds = of(o[k]);
      if (holds.kind == Kind::address || holds.kind == Kind::unknown) all.kind = Kind::unknown;
    }
    set(o[0], all);
  }

  const Module& module_;
  const Function& function_;
  const std::vector<bool>* is_pointer_;
  std::vector<Holds> registers_;
  std::vector<std::vector<std::size_t>> readers_;  ///< of each register
  std::vector<std::size_t> work_;
};

}  // namespace

std::vector<SharedOrigin> shared_origins(const Module& module, const Function& function) {
  return OriginWalk(module, function).run();
}

std::vector<SharedOrigin> global_origins(const Module& module, const Function& function,
                                         const std::vector<bool>& is_pointer) {
  return OriginWalk(module, function, &is_pointer).run();
}

}  // namespace labkit::ptx
