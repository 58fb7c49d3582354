// Races between stores: which part the index lacks, who does whose work, which arrays overlap, which updates are lost.
#include <algorithm>

#include "base/enum_names.h"
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

Remedy fix_of_stores(const Race& race, const Places& places, Relation relation) {
  using enum words::Id;
  constexpr auto kCause = launch::Cause::race_same_element;
  const auto store = race.second.instruction;
  const words::Parameter line = {"line", places.line(store)};
  const bool of_blocks = relation == Relation::blocks;
  const bool by_thread = address_comes_from(places.program(), store, "%tid"),
             by_block = address_comes_from(places.program(), store, "%ctaid");
  if (places.line(race.first.instruction).line != places.line(store).line)
    return {kCause, {of_blocks ? race_fix_own_elements_of_block : race_fix_own_element}};
  if (!by_thread && (!by_block || !of_blocks)) {
    if (race.same_value) return {kCause, {race_fix_one_thread}};
    return {
        kCause, {race_fix_one_thread_or_own_element, {line}}, {{race_same_place_for_all, {line}}}};
  }
  const std::string missing =
      of_blocks ? missing_part(places.block(race.first.block), places.block(race.second.block),
                               "%ctaid", store, places)
                : missing_part(places.thread(race.first.thread), places.thread(race.second.thread),
                               "%tid", store, places);
  if (!missing.empty() && of_blocks)
    return {kCause, {race_fix_block_in_index, {line, {"part", "blockIdx" + missing}}}};
  if (!missing.empty())
    return {kCause, {race_fix_thread_in_index, {line, {"part", "threadIdx" + missing}}}};
  if (!of_blocks) return {kCause, {race_fix_own_index, {line}}, {{race_same_index, {line}}}};
  const bool steps = RacePaths(places.program()).leads_to(store, store);
  return {kCause, {steps ? race_fix_block_offset_or_step : race_fix_block_offset, {line}}};
}

Remedy fix_of_repeated_work(const Race& race, const Places& places, Relation relation) {
  using enum words::Id;
  constexpr auto kCause = launch::Cause::race_same_element;
  if (RacePaths(places.program()).leads_to(race.second.instruction, race.first.instruction))
    return {kCause,
            {race.space == ptx::Space::shared ? race_fix_share_loop_of_block
                                              : race_fix_share_loop_of_grid}};
  const auto store = race.second.instruction;
  if (relation != Relation::blocks && !address_comes_from(places.program(), store, "%tid"))
    return {kCause, {race_fix_thread_in_index_or_one, {{"line", places.line(store)}}}};
  return fix_of_stores(race, places, relation);
}

bool is_exchanged(const Race& race, const Places& places) {
  return exchanged_side(race, places) != nullptr;
}

Remedy fix_of_exchanged(const Race& race, const Places& places) {
  using enum words::Id;
  const RaceSide* side = exchanged_side(race, places);
  const RaceSide& other = side == &race.first ? race.second : race.first;
  const words::Parameter line = {"line", places.line(side->instruction)},
                         other_line = {"other_line", places.line(other.instruction)};
  return {launch::Cause::race_swapped_indices,
          {race_fix_one_order, {line, other_line}},
          {{race_indices_swapped,
            {line,
             other_line,
             {"thread", triple(places.thread(side->thread))},
             {"other_thread", triple(places.thread(other.thread))}}}}};
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

Remedy fix_of_overlap(const Race& race, const Places& places) {
  using enum words::Id;
  const bool in_order = race.first_span.begin <= race.second_span.begin;
  const auto &low = in_order ? race.first_span : race.second_span,
             &high = in_order ? race.second_span : race.first_span;
  const auto below = places.line((in_order ? race.first : race.second).instruction),
             above = places.line((in_order ? race.second : race.first).instruction);
  const auto begin = places.extent(race.space, race.address).begin;
  const auto from = [&](std::uint64_t address) {
    return static_cast<std::int64_t>(address - begin);
  };
  return {launch::Cause::race_same_element,
          {race_fix_own_parts},
          {{race_arrays_overlap,
            {{"line", below},
             {"first", from(low.begin)},
             {"last", from(low.end - 1)},
             {"other_line", above},
             {"begin", from(high.begin)}}}}};
}

namespace {

std::string_view atomic_function(UpdateOperation operation) {
  constexpr std::string_view kNames[] = {
      "atomicCAS", "atomicAdd", "atomicSub", "atomicMax/atomicMin",
      "atomicAnd", "atomicOr",  "atomicXor"};
  return name_in(kNames, operation);
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
  const std::string function(
      atomic_function(race.guarded ? UpdateOperation::extreme : race.operation));
  const words::Id id = race.guarded                  ? race_fix_atomic_or_one_thread
                       : !is_variable(race, places)  ? race_fix_atomic_or_own_element
                       : !each_thread_stores(places) ? race_fix_atomic_or_own_variable
                                                     : race_fix_own_variable;
  return {id, {{"function", function}, {"line", places.line(store)}}};
}

}  // namespace labkit::observe
