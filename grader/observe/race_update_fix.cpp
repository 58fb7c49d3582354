// Updates that are lost: what several threads change in one place.
#include "observe/race_parts.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

const char* atomic_function(UpdateOperation operation) {
  switch (operation) {
    case UpdateOperation::add:
      return "atomicAdd";
    case UpdateOperation::subtract:
      return "atomicSub";
    case UpdateOperation::extreme:
      return "atomicMax/atomicMin";
    case UpdateOperation::and_:
      return "atomicAnd";
    case UpdateOperation::or_:
      return "atomicOr";
    case UpdateOperation::xor_:
      return "atomicXor";
    case UpdateOperation::other:
      break;
  }
  return "atomicCAS";
}

/// In shared memory, and no array.
bool is_variable(const Race& race, const Places& places) {
  const auto extent = places.extent(race.space, race.address);
  return race.space == ptx::Space::shared && extent.bytes != 0 &&
         extent.bytes ==
             simt::instructions(places.program())[race.second.instruction].bytes_per_lane;
}

/// Some line stores to global memory where the thread says: each thread has an element of its own there.
bool each_thread_stores(const Places& places) {
  const auto instructions = simt::instructions(places.program());
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].is_store && instructions[i].space == ptx::Space::global &&
        address_comes_from(places.program(), i, "%tid"))
      return true;
  return false;
}

}  // namespace

void add_update_evidence(std::vector<words::Message>& evidence, const Race& race,
                         const Places& places) {
  using enum words::Id;
  evidence.push_back({race_update_lost});
  const auto one = places.line(race.first_update.read),
             other = places.line(race.second_update.read);
  if (!(one == other))
    evidence.push_back({race_update_reads, {{"line", one}, {"other_line", other}}});
  if (race.first_update.read == race.second_update.read && race.second_update.by_condition)
    evidence.push_back({race_update_by_condition});
}

words::Message update_fix(const Race& race, const Places& places) {
  using enum words::Id;
  const bool stores_last = race.lost_update || race.first.role == AccessRole::read;
  const auto store = stores_last ? race.second.instruction : race.first.instruction;
  const char* const function =
      atomic_function(race.guarded ? UpdateOperation::extreme : race.operation);
  const words::Id id = race.guarded                  ? race_fix_atomic_or_one_thread
                       : !is_variable(race, places)  ? race_fix_atomic_or_own_element
                       : !each_thread_stores(places) ? race_fix_atomic_or_own_variable
                                                     : race_fix_own_variable;
  return {id, {{"function", function}, {"line", places.line(store)}}};
}

}  // namespace labkit::observe
