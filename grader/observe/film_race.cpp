// Two warps may come to their steps in any order between two barriers. What the missing barrier is for is known by the cause:
// a store first and then the read, or before a store into what is used again the read. The film shows the other order.
#include "observe/film_race.h"

#include <algorithm>
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

}  // namespace

bool is_of_race(const FilmStep& step, const launch::Finding& race) {
  return (step.where == race.where || step.where == race.other) &&
         (step.space == ptx::Space::shared) == (race.space == "shared") &&
         lanes_at(step.access, race.address) != 0;
}

void show_race(Film& film, const launch::Finding& race) {
  const FilmedWarp first = film.warps.front(), second = film.warps.back();
  const auto races = [](const FilmStep& step, const FilmedWarp& warp,
                        const launch::SourceLine& where) {
    return step.races && step.who == warp && step.where == where;
  };
  std::vector<FilmStep>& steps = film.steps;
  const bool one_block = first.block == second.block;
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t end = one_block ? end_of_interval(film, begin) : steps.size();
    const auto find = [&](const FilmedWarp& warp, const launch::SourceLine& where,
                          std::size_t besides) {
      for (std::size_t i = begin; i < end; ++i)
        if (i != besides && races(steps[i], warp, where)) return i;
      return end;
    };
    std::size_t slow = find(first, race.other, end), fast = find(second, race.where, slow);
    if (slow == end || fast == end) {
      begin = end;
      continue;
    }
    if (first == second) {
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
