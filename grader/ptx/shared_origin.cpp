// Which array an address belongs to.
//
// Each register is a number, an address in one variable, or not known: what a variable's address
// and numbers are added up to is an address in that variable. Registers are taken as a whole, over
// all their definitions; what is loaded from memory counts as a number where it is added to an
// address, and as not known where it is used as one.
#include <algorithm>

#include "ptx/defs.h"
#include "ptx/passes.h"

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
  OriginWalk(const Module& module, const Function& function, const std::vector<bool>* is_pointer)
      : module_(module),
        function_(function),
        is_pointer_(is_pointer),
        registers_(function.registers.size()) {}

  std::vector<SharedOrigin> run() {
    until_settled(function_, [&](const Instruction& in, const auto& changed) {
      if (!in.operands.empty()) set(in.operands[0], result(in), changed);
    });  // a register changes twice at most
    std::vector<SharedOrigin> origins(function_.body.size());
    for (std::size_t i = 0; i < origins.size(); ++i)
      for (const Operand& operand : function_.body[i].operands) {
        if (operand.kind != OperandKind::address) continue;
        const Holds holds = of(operand);
        if (holds.kind == Kind::address) origins[i] = holds.origin;
        // of cp.async the first is the shared one
        if (is_pointer_ == nullptr || holds.kind == Kind::address) break;
      }
    return origins;
  }

 private:
  Holds of(const Operand& operand) const {
    const OperandKind kind = operand.kind == OperandKind::address ? operand.base : operand.kind;
    if (kind == OperandKind::reg && operand.id >= 0) return registers_[operand.id];
    if (kind != OperandKind::symbol) return {Kind::number, {}};
    const Variable* variable = nullptr;
    if (operand.symbol == SymbolKind::module_variable) variable = &module_.variables[operand.id];
    if (operand.symbol == SymbolKind::function_variable)
      variable = &function_.variables[operand.id];
    const Space wanted = is_pointer_ == nullptr ? Space::shared : Space::global;
    if (variable == nullptr || variable->space != wanted) return {Kind::number, {}};
    return {Kind::address, {operand.symbol, operand.id}};
  }

  template <typename Changed>
  void set(const Operand& to, const Holds& holds, const Changed& changed) {
    for (const Operand& element : to.elements) set(element, holds, changed);
    if (to.kind != OperandKind::reg || to.id < 0) return;
    const Holds now = either(registers_[to.id], holds);
    if (now == registers_[to.id]) return;
    registers_[to.id] = now;
    changed(to.id);
  }

  /// A pointer that is a parameter, else a number.
  Holds loaded(const Instruction& in) const {
    const Operand& from = in.operands.back();
    if (is_pointer_ != nullptr && in.operands.size() == 2 && from.kind == OperandKind::address &&
        from.symbol == SymbolKind::parameter && from.offset == 0 &&
        from.id < std::ssize(*is_pointer_) && (*is_pointer_)[from.id])
      return {Kind::address, {SymbolKind::parameter, from.id}};
    return {Kind::number, {}};
  }

  /// What its first operand holds then.
  Holds result(const Instruction& in) const {
    const std::string_view root = in.root();
    const std::vector<Operand>& o = in.operands;
    if (root == "ld" || root == "ldu" || root == "atom") return loaded(in);
    if ((root == "mov" || root == "cvta" || root == "cvt") && o.size() == 2 &&
        o[1].kind != OperandKind::vector)
      return of(o[1]);
    if ((root == "add" || root == "or") && o.size() == 3) return sum(of(o[1]), of(o[2]));
    if (root == "sub" && o.size() == 3 && of(o[2]).kind != Kind::address)
      return sum(of(o[1]), of(o[2]));
    if (root == "mad" && o.size() == 4) {
      const Holds product = sum(of(o[1]), of(o[2]));
      if (product.kind != Kind::address) return sum(product, of(o[3]));
    }
    if (root == "selp" && o.size() == 4) return either(of(o[1]), of(o[2]));
    // anything else makes numbers of numbers
    const bool has_address = std::any_of(o.begin() + 1, o.end(), [&](const Operand& operand) {
      const Kind kind = of(operand).kind;
      return kind == Kind::address || kind == Kind::unknown;
    });
    return {has_address ? Kind::unknown : Kind::number, {}};
  }

  const Module& module_;
  const Function& function_;
  const std::vector<bool>* is_pointer_;
  std::vector<Holds> registers_;
};

}  // namespace

std::vector<SharedOrigin> shared_origins(const Module& module, const Function& function) {
  return OriginWalk(module, function, nullptr).run();
}

std::vector<SharedOrigin> global_origins(const Module& module, const Function& function,
                                         const std::vector<bool>& is_pointer) {
  return OriginWalk(module, function, &is_pointer).run();
}

}  // namespace labkit::ptx
