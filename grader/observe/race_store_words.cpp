// Races between stores of one line: which part the index lacks, who does whose work, which arrays overlap.
#include <algorithm>

#include "observe/race_parts.h"
#include "observe/race_paths.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

/// ".y" of the two where they differ in it and the address of the store does not come from it; "" where it comes from all
/// that they differ in.
std::string missing_part(const launch::Dim3& a, const launch::Dim3& b, const char* special,
                         std::uint32_t store, const Places& places) {
  const auto is_missing = [&](bool differs, const char* part) {
    return differs && !address_comes_from(places.program(), store, special + std::string(part));
  };
  if (is_missing(a.x != b.x, ".x")) return ".x";
  if (is_missing(a.y != b.y, ".y")) return ".y";
  return is_missing(a.z != b.z, ".z") ? ".z" : "";
}

/// The thread's element of rows of some length, its own row being threadIdx.x.
bool is_mirrored(const launch::Dim3& thread, std::uint64_t element, const launch::Dim3& other) {
  if (thread.x == 0 || element < thread.y || (element - thread.y) % thread.x != 0) return false;
  return (element - thread.y) / thread.x > std::max({thread.x, thread.y, other.x, other.y});
}

/// Of two lines that store to one place of shared memory, for threads that are each other's mirror image: the side whose row
/// is threadIdx.x, where the other's is threadIdx.y. Null: it is not so.
const RaceSide* exchanged_side(const Race& race, const Places& places) {
  if (race.first.role != AccessRole::write || race.second.role != AccessRole::write ||
      race.space != ptx::Space::shared || race.first.block != race.second.block ||
      places.line(race.first.instruction).line == places.line(race.second.instruction).line)
    return nullptr;
  const launch::Dim3 a = places.thread(race.first.thread), b = places.thread(race.second.thread);
  const std::uint64_t bytes =
      simt::instructions(places.program())[race.second.instruction].bytes_per_lane;
  const launch::Extent array = places.extent(race.space, race.address);
  if (a.x != b.y || a.y != b.x || a == b || bytes == 0 || array.bytes == 0) return nullptr;
  const std::uint64_t element = (race.address - array.begin) / bytes;
  if (is_mirrored(a, element, b)) return &race.first;
  return is_mirrored(b, element, a) ? &race.second : nullptr;
}

}  // namespace

bool repeats_work(const Race& race, const Places& places) {
  const auto first = places.line(race.first.instruction),
             second = places.line(race.second.instruction);
  return race.same_value && race.several_places && race.first.role == AccessRole::write &&
         race.second.role == AccessRole::write && first.line == second.line &&
         first.file == second.file && first.line != 0;
}

std::string fix_of_stores(const Race& race, const Places& places, Relation relation) {
  const auto store = race.second.instruction;
  const std::string line = at_line(places.line(store));
  const bool of_blocks = relation == Relation::blocks;
  const bool by_thread = address_comes_from(places.program(), store, "%tid"),
             by_block = address_comes_from(places.program(), store, "%ctaid");
  if (places.line(race.first.instruction).line != places.line(store).line)
    return of_blocks ? "give each block elements of its own to write"
                     : "give each thread an element of its own";
  if (!by_thread && (!by_block || !of_blocks))
    return race.same_value
               ? "let one thread write it"
               : "the place is the same for all threads at " + line +
                     ": let one of them store there, or give each an element of its own";
  const std::string missing =
      of_blocks ? missing_part(places.block(race.first.block), places.block(race.second.block),
                               "%ctaid", store, places)
                : missing_part(places.thread(race.first.thread), places.thread(race.second.thread),
                               "%tid", store, places);
  const std::string own = of_blocks ? "give each block elements of its own: "
                                    : "give each thread an element of its own: ";
  if (!missing.empty())
    return own + "the index of " + line + " has no part that comes from " +
           (of_blocks ? "blockIdx" : "threadIdx") + missing;
  if (of_blocks && RacePaths(places.program()).leads_to(store, store))
    return own + "either the block's part of the index of " + line +
           " (blockIdx) is not times what one block covers, or its loop steps onto what belongs to "
           "another block";
  return of_blocks ? own + "the block's part of the index of " + line +
                         " (blockIdx) has to be times what one block covers"
                   : own + "at " + line + " several threads come to the same index";
}

std::string fix_of_repeated_work(const Race& race, const Places& places, Relation relation) {
  const bool is_shared = race.space == ptx::Space::shared;
  if (RacePaths(places.program()).leads_to(race.second.instruction, race.first.instruction))
    return is_shared
               ? "let the threads of the block share the loop: begin at the thread's own number in "
                 "the block, and step by the number of its threads"
               : "let all threads share the loop: begin at the thread's own number in the whole "
                 "grid (all threads of the blocks before, and its number in its block), and step "
                 "by the number of all threads of the grid (those of a block times "
                 "the blocks)";
  const auto store = race.second.instruction;
  if (relation != Relation::blocks && !address_comes_from(places.program(), store, "%tid"))
    return "give each thread an element of its own (its part of the index, threadIdx, is missing), "
           "or let one thread write it";
  return fix_of_stores(race, places, relation);
}

bool is_exchanged(const Race& race, const Places& places) {
  return exchanged_side(race, places) != nullptr;
}

std::string fix_of_exchanged(const Race& race, const Places& places) {
  const RaceSide* side = exchanged_side(race, places);
  const RaceSide& other = side == &race.first ? race.second : race.first;
  const std::string name = places.extent(race.space, race.address).name,
                    array = name.empty() ? "the tile" : name;
  return "store to " + array + " in one order: " + at_line(places.line(side->instruction)) +
         " has its two indices " + kExchanged + " " + at_line(places.line(other.instruction)) +
         " (thread " + triple(places.thread(side->thread)) +
         " stores there what is the place of thread " + triple(places.thread(other.thread)) +
         " here). Exchange them at one of the two, at that which does not fit the line that "
         "reads " +
         array;
}

bool writes_overlap(const Race& race, const Places& places) {
  if (race.first.role != AccessRole::write || race.second.role != AccessRole::write ||
      race.space != ptx::Space::shared || race.first.instruction == race.second.instruction ||
      places.line(race.first.instruction).line == places.line(race.second.instruction).line)
    return false;
  const bool in_order = race.first_span.begin <= race.second_span.begin;
  const auto &low = in_order ? race.first_span : race.second_span,
             &high = in_order ? race.second_span : race.first_span;
  const auto shift = high.begin - low.begin,
             least = std::min(low.end - low.begin, high.end - high.begin);
  // elements of two sizes are of two arrays, also where the one lies within the other
  const auto bytes = [&](const RaceSide& side) {
    const auto& in = RacePaths(places.program()).text(side.instruction);
    const std::uint32_t lanes = in.has("v4") ? 4 : in.has("v2") ? 2 : 1;
    return simt::instructions(places.program())[side.instruction].bytes_per_lane / lanes;
  };
  const bool two_arrays = shift != 0 && bytes(race.first) != bytes(race.second);
  return low.end != 0 && (high.end > low.end || two_arrays) && 4 * shift >= least;
}

std::string fix_of_overlap(const Race& race, const Places& places) {
  const bool in_order = race.first_span.begin <= race.second_span.begin;
  const auto &low = in_order ? race.first_span : race.second_span,
             &high = in_order ? race.second_span : race.first_span;
  const auto below = at_line(places.line((in_order ? race.first : race.second).instruction)),
             above = at_line(places.line((in_order ? race.second : race.first).instruction));
  const auto array = places.extent(race.space, race.address);
  const auto from = [&](std::uint64_t address) { return std::to_string(address - array.begin); };
  return "give each its own part of " + (array.name.empty() ? "the array" : array.name) + ": " +
         below + " fills its bytes " + from(low.begin) + " to " + from(low.end - 1) + ", and " +
         above + " begins at byte " + from(high.begin) +
         ". If two arrays lie in it, the second has to begin behind the end of the first, padding "
         "included (a barrier does not help)";
}

}  // namespace labkit::observe
