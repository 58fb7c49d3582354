// Races between stores: which part the index lacks, who does whose work, which arrays overlap, which updates are lost.
#include <algorithm>

#include "base/enum_names.h"
#include "observe/race_parts.h"
#include "observe/thread_values.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Dim3;
using enum words::Id;

/// ".y" of the two where they differ in it and the address of the store does not come from it; "" where it comes from all
/// that they differ in.
std::string missing_part(const Dim3& a, const Dim3& b, const char* special,
                         const RaceScene& scene) {
  const auto is_missing = [&](bool differs, const char* part) {
    return differs && !address_comes_from(scene.program, scene.race.second.instruction,
                                          special + std::string(part));
  };
  if (is_missing(a.x != b.x, ".x")) return ".x";
  if (is_missing(a.y != b.y, ".y")) return ".y";
  return is_missing(a.z != b.z, ".z") ? ".z" : "";
}

/// The thread's element of rows of some length, its own row being threadIdx.x.
bool is_mirrored(const Dim3& thread, std::uint64_t element, const Dim3& other) {
  if (thread.x == 0 || element < thread.y || (element - thread.y) % thread.x != 0) return false;
  return (element - thread.y) / thread.x > std::max({thread.x, thread.y, other.x, other.y});
}

/// Plain stores of two lines to one place of shared memory.
bool are_two_lines_of_shared(const RaceScene& scene) {
  return scene.race.both_store() && scene.race.space == ptx::Space::shared &&
         scene.first.line != scene.second.line;
}

/// What they write, by the lower one.
struct TwoSpans {
  const RaceSide &below, &above;
  const Span &low, &high;
};
TwoSpans spans_of(const Race& race) {
  if (race.first_span.begin <= race.second_span.begin)
    return {race.first, race.second, race.first_span, race.second_span};
  return {race.second, race.first, race.second_span, race.first_span};
}

std::string_view atomic_function(UpdateOperation operation) {
  constexpr std::string_view kNames[] = {
      "atomicCAS", "atomicAdd", "atomicSub", "atomicMax/atomicMin",
      "atomicAnd", "atomicOr",  "atomicXor"};
  return name_in(kNames, operation);
}

/// In shared memory, and no array.
bool is_variable(const RaceScene& scene) {
  const auto bytes = scene.places.extent(scene.race.space, scene.race.address).bytes;
  return scene.race.space == ptx::Space::shared && bytes != 0 &&
         bytes == scene.facts(scene.race.second.instruction).bytes_per_lane;
}

/// Than the one that is stored.
bool has_more_elements(const RaceScene& scene) {
  return scene.places.extent(scene.race.space, scene.race.address).bytes >
         scene.facts(scene.race.second.instruction).bytes_per_lane;
}

/// Some line stores to global memory where the thread says: each thread has an element of its own there.
bool each_thread_stores(const simt::Program& program) {
  const auto instructions = simt::instructions(program);
  for (std::uint32_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].is_store && instructions[i].space == ptx::Space::global &&
        address_comes_from(program, i, "%tid"))
      return true;
  return false;
}

/// Of a store in a loop, that each thread runs through whole.
words::Id shared_loop(const RaceScene& scene) {
  return scene.race.space == ptx::Space::shared ? race_fix_share_loop_of_block
         : scene.places.has_rows_of_threads()   ? race_fix_share_loop_of_rows
                                                : race_fix_share_loop_of_grid;
}

}  // namespace

bool repeats_work(const RaceScene& scene) {
  return scene.race.same_value && scene.race.several_places && scene.race.both_store() &&
         same_line(scene.first, scene.second);
}

Remedy fix_of_stores(const RaceScene& scene) {
  constexpr auto kCause = Cause::race_same_element;
  const auto &first = scene.race.first, &second = scene.race.second;
  const auto store = second.instruction;
  const words::Parameter line = {"line", scene.second};
  const bool by_thread = address_comes_from(scene.program, store, "%tid"),
             by_block = address_comes_from(scene.program, store, "%ctaid");
  if (scene.first.line != scene.second.line)
    return {kCause, {scene.of_blocks() ? race_fix_own_elements_of_block : race_fix_own_element}};
  if (!by_thread && (!by_block || !scene.of_blocks())) {
    if (scene.race.same_value && RacePaths(scene.program).leads_to(store, store))
      return {kCause, {shared_loop(scene)}};
    if (scene.race.same_value)
      return {kCause, has_more_elements(scene)
                          ? words::Message{race_fix_thread_in_index_or_one, {line}}
                          : words::Message{race_fix_one_thread}};
    return {
        kCause, {race_fix_one_thread_or_own_element, {line}}, {{race_same_place_for_all, {line}}}};
  }
  const Places& places = scene.places;
  if (scene.of_blocks()) {
    const auto missing =
        missing_part(places.block(first.block), places.block(second.block), "%ctaid", scene);
    if (!missing.empty())
      return {kCause, {race_fix_block_in_index, {line, {"part", "blockIdx" + missing}}}};
    const bool steps = RacePaths(scene.program).leads_to(store, store);
    return {kCause, {steps ? race_fix_block_offset_or_step : race_fix_block_offset, {line}}};
  }
  const auto missing =
      missing_part(places.thread(first.thread), places.thread(second.thread), "%tid", scene);
  if (!missing.empty())
    return {kCause, {race_fix_thread_in_index, {line, {"part", "threadIdx" + missing}}}};
  return {kCause, {race_fix_own_index, {line}}, {{race_same_index, {line}}}};
}

Remedy fix_of_repeated_work(const RaceScene& scene) {
  constexpr auto kCause = Cause::race_same_element;
  const auto store = scene.race.second.instruction;
  if (RacePaths(scene.program).leads_to(store, scene.race.first.instruction))
    return {kCause, {shared_loop(scene)}};
  if (!scene.of_blocks() && !address_comes_from(scene.program, store, "%tid"))
    return {kCause, {race_fix_thread_in_index_or_one, {{"line", scene.second}}}};
  return fix_of_stores(scene);
}

std::optional<Remedy> fix_of_exchanged(const RaceScene& scene) {
  const Race& race = scene.race;
  if (!are_two_lines_of_shared(scene) || scene.of_blocks()) return std::nullopt;
  // for threads that are each other's mirror image: the side whose row is threadIdx.x, where the other's is threadIdx.y
  const Dim3 a = scene.places.thread(race.first.thread),
             b = scene.places.thread(race.second.thread);
  const std::uint64_t bytes = scene.facts(race.second.instruction).bytes_per_lane;
  const launch::Extent array = scene.places.extent(race.space, race.address);
  if (a.x != b.y || a.y != b.x || a == b || bytes == 0 || array.bytes == 0) return std::nullopt;
  const std::uint64_t element = (race.address - array.begin) / bytes;
  const bool is_first = is_mirrored(a, element, b);
  if (!is_first && !is_mirrored(b, element, a)) return std::nullopt;
  const auto &side = is_first ? race.first : race.second,
             &other = is_first ? race.second : race.first;
  const words::Parameter line = {"line", scene.line(side)},
                         other_line = {"other_line", scene.line(other)};
  return Remedy{Cause::race_swapped_indices,
                {race_fix_one_order, {line, other_line}},
                {{race_indices_swapped,
                  {line,
                   other_line,
                   {"thread", scene.thread(side)},
                   {"other_thread", scene.thread(other)}}}}};
}

std::optional<Remedy> fix_of_overlap(const RaceScene& scene) {
  if (!are_two_lines_of_shared(scene)) return std::nullopt;
  const auto [below, above, low, high] = spans_of(scene.race);
  const auto shift = high.begin - low.begin,
             least = std::min(low.end - low.begin, high.end - high.begin);
  // elements of two sizes are of two arrays, also where the one lies within the other
  const auto bytes = [&](const RaceSide& side) {
    const auto& facts = scene.facts(side.instruction);
    const std::uint32_t lanes = facts.text().has("v4") ? 4 : facts.text().has("v2") ? 2 : 1;
    return facts.bytes_per_lane / lanes;
  };
  const bool two_arrays = shift != 0 && bytes(below) != bytes(above);
  if (low.end == 0 || (high.end <= low.end && !two_arrays) || 4 * shift < least)
    return std::nullopt;
  const auto begin = scene.places.extent(scene.race.space, scene.race.address).begin;
  const auto from = [&](std::uint64_t address) { return words::count(address - begin); };
  return Remedy{Cause::race_same_element,
                {race_fix_own_parts},
                {{race_arrays_overlap,
                  {{"line", scene.line(below)},
                   {"first", from(low.begin)},
                   {"last", from(low.end - 1)},
                   {"other_line", scene.line(above)},
                   {"begin", from(high.begin)}}}}};
}

std::vector<words::Message> update_evidence(const RaceScene& scene) {
  const auto &first = scene.race.first_update, &second = scene.race.second_update;
  const auto one = scene.places.line(first.read), other = scene.places.line(second.read);
  std::vector<words::Message> evidence = {{race_update_lost}};
  if (!(one == other))
    evidence.push_back({race_update_reads, {{"line", one}, {"other_line", other}}});
  if (first.read == second.read && second.by_condition)
    evidence.push_back({race_update_by_condition});
  return evidence;
}

words::Message update_fix(const RaceScene& scene) {
  const Race& race = scene.race;
  const bool stores_last = race.lost_update || race.first.reads();
  const std::string function(
      atomic_function(race.guarded ? UpdateOperation::extreme : race.operation));
  const words::Id id = race.guarded                         ? race_fix_atomic_or_one_thread
                       : !is_variable(scene)                ? race_fix_atomic_or_own_element
                       : !each_thread_stores(scene.program) ? race_fix_atomic_or_own_variable
                                                            : race_fix_own_variable;
  return {id, {{"function", function}, {"line", stores_last ? scene.second : scene.first}}};
}

}  // namespace labkit::observe
