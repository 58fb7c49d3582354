// Two warps may come to their steps in any order between two barriers. What the missing barrier is for is known by the cause:
// a store first and then the read, or before a store into what is used again the read. The film shows the other order.
#include "observe/film_race.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "observe/watching.h"

namespace labkit::observe {
namespace {

std::uint32_t lanes_at(const WarpAccess& access, std::uint64_t address) {
  std::uint32_t lanes = 0;
  for (const std::uint32_t lane : Lanes(access.active)) {
    const std::uint64_t begin = access.addresses[lane];
    if (address >= begin && address - begin < access.bytes_per_lane) lanes |= 1u << lane;
  }
  return lanes;
}

/// The first step from `begin` on that a barrier orders after it.
std::size_t end_of_interval(const Film& film, std::size_t begin) {
  const std::uint32_t interval = film.steps[begin].interval;
  while (begin < film.steps.size() && film.steps[begin].interval == interval) ++begin;
  return begin;
}

FilmedRace race_of(const std::vector<FilmStep>& steps, std::size_t early, std::size_t late,
                   std::uint64_t address) {
  return {.early = early,
          .late = late,
          .early_lanes = lanes_at(steps[early].access, address),
          .late_lanes = lanes_at(steps[late].access, address),
          .address = address};
}

/// If the barrier were there.
bool comes_first(const FilmStep& step, launch::Cause cause) {
  const bool reads_first = cause == launch::Cause::race_missing_barrier_in_loop ||
                           cause == launch::Cause::race_missing_syncwarp_in_loop;
  return (step.is_store || step.is_atomic) != reads_first;
}

/// One of the two accesses that a race is between.
struct Side {
  FilmedWarp who;
  launch::SourceLine where;
  launch::Access access = launch::Access::none;

  bool fits(const FilmStep& step) const {
    const bool reads = access == launch::Access::read;
    return (step.where == where || step.where.line == 0) &&
           (access == launch::Access::none || reads == !(step.is_store || step.is_atomic));
  }
  bool is(const FilmStep& step) const { return step.races && step.who == who && fits(step); }
};

/// Lanes of one warp write there in one step; where there is none, `steps.size()`.
std::size_t step_of_several(const std::vector<FilmStep>& steps, const Side& side,
                            std::uint64_t address) {
  const auto at = std::ranges::find_if(steps, [&](const FilmStep& step) {
    return side.is(step) && (step.is_store || step.is_atomic) &&
           std::popcount(lanes_at(step.access, address)) > 1;
  });
  return static_cast<std::size_t>(at - steps.begin());
}

/// The copy, and the access that does not wait for it, with a barrier between them or not.
std::optional<FilmedRace> race_of_copy(const std::vector<FilmStep>& steps, const Side& first,
                                       const Side& second, std::uint64_t address) {
  for (std::size_t early = 0; early < steps.size(); ++early)
    for (std::size_t late = early + 1; steps[early].is_store && late < steps.size(); ++late)
      if ((first.is(steps[early]) && second.is(steps[late])) ||
          (second.is(steps[early]) && first.is(steps[late]))) {
        FilmedRace race = race_of(steps, early, late, address);
        race.is_of_copy = true;
        return race;
      }
  return std::nullopt;
}

Side side_of(const launch::SourceLine& where, launch::Access access) {
  return {.who = {}, .where = where, .access = access};
}

}  // namespace

bool is_of_race(const FilmStep& step, const launch::Finding& race) {
  return (side_of(race.where, race.access).fits(step) ||
          side_of(race.other, race.other_access).fits(step)) &&
         (step.space == ptx::Space::shared) == (race.space == "shared") &&
         lanes_at(step.access, race.address) != 0;
}

launch::SourceLine line_of_race(const FilmStep& step, const launch::Finding& race) {
  return side_of(race.where, race.access).fits(step) ? race.where : race.other;
}

void show_race(Film& film, const launch::Finding& race) {
  const Side first{film.warps.front(), race.other, race.other_access},
      second{film.warps.back(), race.where, race.access};
  std::vector<FilmStep>& steps = film.steps;
  if (race.cause == launch::Cause::race_copy_not_awaited ||
      race.cause == launch::Cause::race_copy_not_committed) {
    film.race = race_of_copy(steps, first, second, race.address);
    return;
  }
  const bool one_warp = first.who == second.who, one_block = first.who.block == second.who.block;
  if (one_warp && race.where == race.other && race.access == race.other_access)
    if (const std::size_t at = step_of_several(steps, first, race.address); at < steps.size()) {
      film.race = race_of(steps, at, at, race.address);
      return;
    }
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t end = one_block ? end_of_interval(film, begin) : steps.size();
    const auto find = [&](const Side& side, std::size_t besides) {
      for (std::size_t i = begin; i < end; ++i)
        if (i != besides && side.is(steps[i])) return i;
      return end;
    };
    std::size_t slow = find(first, end), fast = find(second, slow);
    if (slow == end || fast == end) {
      begin = end;
      continue;
    }
    if (one_warp) {
      film.race = race_of(steps, std::min(slow, fast), std::max(slow, fast), race.address);
      return;
    }
    const auto is_of = [&](std::size_t step, std::size_t other) {
      return one_block ? steps[step].who == steps[other].who
                       : steps[step].who.block == steps[other].who.block;
    };
    if (comes_first(steps[fast], race.cause)) std::swap(slow, fast);
    std::vector<std::size_t> order, rest;
    for (std::size_t i = begin; i <= fast; ++i)
      if (is_of(i, fast)) order.push_back(i);
    const std::size_t early = begin + order.size() - 1;
    for (std::size_t i = begin; i <= slow; ++i)
      if (is_of(i, slow)) order.push_back(i);
    const std::size_t late = begin + order.size() - 1;
    for (std::size_t i = begin; i < end; ++i)
      if (std::ranges::count(order, i) == 0) rest.push_back(i);
    order.insert(order.end(), rest.begin(), rest.end());
    std::vector<FilmStep> shown;
    for (const std::size_t i : order) shown.push_back(std::move(steps[i]));
    std::ranges::move(shown, steps.begin() + static_cast<std::ptrdiff_t>(begin));
    film.race = race_of(steps, early, late, race.address);
    return;
  }
}

}  // namespace labkit::observe
