// The ids of defects: those of launch/causes.def and the others that defect.h explains.
#include <algorithm>
#include <string_view>
#include <vector>

#include "explain/defect.h"
#include "grade/result.h"
#include "launch/cause.h"

namespace labkit::explain {

bool is_defect_id(std::string_view id) {
  constexpr std::string_view kOthers[] = {
      "compile_error.meaning",
      "compile_error.no_source",
      "no_effect",
      "wrong_result.blocks_exchanged",
      "wrong_result.constant",
      "wrong_result.digits",
      "wrong_result.first_block",
      "wrong_result.guard",
      "wrong_result.input_written",
      "wrong_result.last_rows",
      "wrong_result.loop_step",
      "wrong_result.multiples",
      "wrong_result.never_written",
      "wrong_result.other_element",
      "wrong_result.row_ends",
      "wrong_result.square",
      "wrong_result.square_missing",
      "wrong_result.tail",
      "wrong_result.threads_not_adjacent",
      "wrong_result.value",
  };
  const std::vector<std::string>& kinds = lab::verdict_kinds();
  return id.starts_with("gate.") || launch::cause_from_id(id).has_value() ||
         std::find(std::begin(kOthers), std::end(kOthers), id) != std::end(kOthers) ||
         std::find(kinds.begin(), kinds.end(), id) != kinds.end();
}

}  // namespace labkit::explain
