// Races that have been found, one entry for each pair of instructions. Private to the detector.
#pragma once
#include <cstdint>
#include <map>
#include <tuple>

#include "observe/races.h"

namespace labkit::observe {

using RaceKey = std::tuple<ptx::Space, std::uint32_t, std::uint32_t, bool, bool, bool>;
using RaceTable = std::map<RaceKey, Race>;

inline int width_of(const Race& race) {
  return race.first.block != race.second.block               ? 2
         : race.first.thread / 32 != race.second.thread / 32 ? 1
                                                             : 0;
}

inline RaceKey key_of(const Race& race) {
  return {race.space,      race.first.instruction, race.second.instruction,
          race.same_value, race.in_flight,         race.lost_update};
}

/// Two writes, with what they are the ends of. If what was stored depends on what was there, it is luck that both stored
/// the same; if that only decided whether to store (`if (!done) done = 1;`), the same value does no harm.
inline void judge_updates(Race& race, bool same) {
  const auto by_value = [](const Update& update) { return update.any() && !update.by_condition; };
  race.same_value = same && !by_value(race.first_update) && !by_value(race.second_update);
  race.lost_update = !race.same_value && race.first_update.any() && race.second_update.any();
}

inline void note_operation(Race& race, const UpdateSources& sources) {
  const auto* store = race.lost_update ? sources.store(race.second.instruction) : nullptr;
  if (store != nullptr)
    race.operation = race.second_update.by_condition ? UpdateOperation::extreme : store->operation;
}

inline void note(RaceTable& table, const Race& race) {
  const auto key = key_of(race);
  const auto [at, is_new] = table.try_emplace(key, race);
  if (is_new) return;
  const auto count = at->second.count + race.count;
  const bool several =
      at->second.several_places || race.several_places || race.address != at->second.address;
  // the example whose mend mends the others too: a barrier of the block is also one of its warps
  const auto width = width_of(race), have = width_of(at->second);
  if (width > have || (width == have && race.second.block < at->second.second.block))
    at->second = race;
  at->second.count = count;
  at->second.several_places = several;
}

}  // namespace labkit::observe
