#include "ptx/machine_cost.h"

#include <map>
#include <vector>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

struct Row {
  std::string_view modifiers;  ///< with points between them
  MachineCost cost;
};

const std::map<std::string_view, std::vector<Row>>& table() {
  static const auto rows = [] {
    std::map<std::string_view, std::vector<Row>> all;
#define COST(root, modifiers, issue, alu, fma, xu, fp64, cycles) \
  all[root].push_back(                                           \
      {modifiers, {issue, alu, fma, xu, fp64, static_cast<float>(cycles) / kUsualCycles}});
#include "ptx/machine_costs.def"
#undef COST
    return all;
  }();
  return rows;
}

bool has_all(const Instruction& instruction, std::string_view modifiers) {
  while (!modifiers.empty()) {
    const std::size_t point = std::min(modifiers.find('.'), modifiers.size());
    if (!instruction.has(modifiers.substr(0, point))) return false;
    modifiers.remove_prefix(std::min(point + 1, modifiers.size()));
  }
  return true;
}

}  // namespace

MachineCost machine_cost(const Instruction& instruction) {
  const auto rows = table().find(instruction.root());
  if (rows != table().end())
    for (const Row& row : rows->second)
      if (has_all(instruction, row.modifiers)) return row.cost;
  return {};
}

}  // namespace labkit::ptx
