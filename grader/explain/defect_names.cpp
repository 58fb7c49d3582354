// The names of defects, all of those that defect.h explains.
#include <algorithm>
#include <string_view>
#include <vector>

#include "explain/defect.h"
#include "lab/result.h"

namespace labkit::explain {

bool is_defect_id(std::string_view id) {
  constexpr std::string_view kFiner[] = {"no_effect",
                                         "wrong_result.guard",
                                         "wrong_result.step",
                                         "wrong_result.neighbour",
                                         "wrong_result.block_turn",
                                         "barrier.exited",
                                         "out_of_bounds.shared_block",
                                         "out_of_bounds.swapped",
                                         "out_of_bounds.pitch",
                                         "race.rows",
                                         "race.exchanged",
                                         "launch.registers",
                                         "out_of_bounds.for_others",
                                         "out_of_bounds.block_part",
                                         "out_of_bounds.rows",
                                         "wrong_result.square_missing",
                                         "budget.too_much",
                                         "budget.short_counter",
                                         "budget.repeated",
                                         "budget.one_lane",
                                         "race.first_barrier",
                                         "race.second_barrier",
                                         "race.skipped_barrier",
                                         "race.turns",
                                         "race.warp",
                                         "race.warp_again",
                                         "race.update",
                                         "race.one_line",
                                         "race.same_element",
                                         "race.blocks",
                                         "race.fence",
                                         "race.copy",
                                         "race.atomic",
                                         "out_of_bounds.tail",
                                         "out_of_bounds.one_past",
                                         "out_of_bounds.before",
                                         "out_of_bounds.index",
                                         "out_of_bounds.vector",
                                         "out_of_bounds.pointer",
                                         "out_of_bounds.shared",
                                         "uninitialized.shared",
                                         "uninitialized.not_shared",
                                         "uninitialized.output",
                                         "uninitialized.variable",
                                         "uninitialized.shuffle",
                                         "barrier.branch",
                                         "barrier.mask",
                                         "trap.stack",
                                         "compile_error.file",
                                         "compile_error.meaning",
                                         "wrong_result.constant",
                                         "wrong_result.first_block",
                                         "wrong_result.square",
                                         "wrong_result.multiples",
                                         "wrong_result.digits",
                                         "wrong_result.elsewhere",
                                         "wrong_result.tail",
                                         "wrong_result.row_ends",
                                         "wrong_result.last_rows",
                                         "wrong_result.input_written",
                                         "wrong_result.never_written",
                                         "wrong_result.value"};
  const std::vector<std::string>& kinds = lab::verdict_kinds();
  return id.starts_with("gate.") ||
         std::find(std::begin(kFiner), std::end(kFiner), id) != std::end(kFiner) ||
         std::find(kinds.begin(), kinds.end(), id) != kinds.end();
}

}  // namespace labkit::explain
