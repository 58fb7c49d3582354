// Updates that are lost: what several threads change in one place.
#include <algorithm>

#include "observe/race_parts.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

std::string lines_of_update(std::uint32_t read, std::uint32_t write, const Places& places) {
  const auto from = places.line(read), to = places.line(write);
  if (from.line == 0 || to.line == 0) return "the update";
  if (from.line == to.line) return "line " + std::to_string(to.line);
  return "lines " + std::to_string(std::min(from.line, to.line)) + " and " +
         std::to_string(std::max(from.line, to.line));
}

const char* atomic_function(UpdateOperation operation) {
  switch (operation) {
    case UpdateOperation::add:
      return "atomicAdd";
    case UpdateOperation::subtract:
      return "atomicSub (or atomicAdd of the negative)";
    case UpdateOperation::extreme:
      return "atomicMax or atomicMin, or atomicCAS in a loop,";
    case UpdateOperation::and_:
      return "atomicAnd";
    case UpdateOperation::or_:
      return "atomicOr";
    case UpdateOperation::xor_:
      return "atomicXor";
    case UpdateOperation::other:
      break;
  }
  return "an atomic function (atomicAdd, atomicMax, ... or atomicCAS in a loop)";
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

std::string update_schedule(const Race& race, const Places& places) {
  const auto line = [&](std::uint32_t i) { return at_line(places.line(i)); };
  return std::string(kUpdateIsLost) + ": both read the old value (at " +
         line(race.first_update.read) +
         (line(race.first_update.read) == line(race.second_update.read)
              ? ""
              : " and " + line(race.second_update.read)) +
         ") before the other has stored its new one, and whichever stores last undoes what the "
         "other did" +
         (race.first_update.read == race.second_update.read && race.second_update.by_condition
              ? ", however the two compare."
              : ".");
}

std::string update_fix(const Race& race, const Places& places) {
  const bool reads_first = race.first.role == AccessRole::read;
  const auto read = race.lost_update ? race.second_update.read
                    : reads_first    ? race.first.instruction
                                     : race.second.instruction;
  const auto write =
      race.lost_update || reads_first ? race.second.instruction : race.first.instruction;
  const std::string atomic =
      std::string(atomic_function(race.guarded ? UpdateOperation::extreme : race.operation)) +
      " in place of " + lines_of_update(read, write, places) +
      ", which nothing can interrupt (a barrier does not help)";
  if (race.guarded) return "use " + atomic + ", or let one thread do it";
  if (!is_variable(race, places))
    return "use " + atomic + ", or give each thread an element of its own";
  const std::string own = "give each thread a variable of its own (without __shared__)";
  if (!each_thread_stores(places)) return "use " + atomic + ", or " + own;
  return own +
         " if what it collects belongs to the element that the thread stores; only where all are "
         "to change one and the same, use " +
         atomic;
}

}  // namespace labkit::observe
