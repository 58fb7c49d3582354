#include "explain/film_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "explain/words.h"

namespace labkit::explain {
namespace {

using observe::FilmStep;

std::string at_line(const launch::SourceLine& where) {
  return where.line == 0 ? "" : fmt::format(" at line {}", where.line);
}

std::string film_count(std::uint64_t count, const char* thing) {
  return fmt::format("{} {}{}", number(static_cast<double>(count)), thing, count == 1 ? "" : "s");
}

/// "its 32 lanes", "lanes 0 to 15"
std::string film_lanes(std::uint32_t lanes) {
  return lanes == ~0u ? "its 32 lanes" : lanes_text(lanes);
}

const char* film_verb(const FilmStep& step) {
  const bool one = std::has_single_bit(step.lanes);
  if (step.is_atomic) return one ? "updates" : "update";
  if (step.is_store) return one ? "writes" : "write";
  return one ? "reads" : "read";
}

std::string film_place(const LanePicture& picture) {
  if (!picture.index.empty()) return picture.index;
  if (!picture.array.empty()) return picture.array;
  return picture.space == ptx::Space::shared  ? "shared memory"
         : picture.space == ptx::Space::local ? "local memory"
                                              : "global memory";
}

std::string film_access(const FilmStep& step, const LanePicture& picture) {
  std::string text = fmt::format("{} {} {}; {}.", film_lanes(step.lanes), film_verb(step),
                                 film_place(picture), picture.headline);
  if (const int off = std::popcount(~step.lanes); off > 0)
    text += fmt::format(" {} inactive: on another path, or without a thread.",
                        off == 1 ? "1 lane is" : fmt::format("{} lanes are", off));
  return text;
}

/// The two steps say what the order between them has done.
std::string film_race_text(const observe::Film& film, std::size_t at, const std::string& place) {
  const observe::FilmedRace& race = *film.race;
  if (at != race.early && at != race.late) return {};
  const FilmStep& other = film.steps[at == race.early ? race.late : race.early];
  const bool one_warp = other.who == film.steps[at].who;
  const std::string they = one_warp ? "another lane" : fmt::format("warp {}", other.who.warp);
  const char* const done = other.is_store || other.is_atomic ? "written" : "read";
  if (at == race.early)
    return fmt::format(" Race on {}: {} has not yet {} it{}. Nothing orders these two accesses.",
                       place, they, done, at_line(other.where));
  return fmt::format(" Race on {}: too late, {} has already {} it{}.", place, they, done,
                     at_line(other.where));
}

}  // namespace

std::string film_step_text(const observe::Film& film, std::size_t at, const LanePicture* picture,
                           const std::string& raced_place) {
  const FilmStep& step = film.steps[at];
  std::string text;
  if (step.skipped > 0)
    text = fmt::format("(Left out: {} of this warp, like those before.) ",
                       film_count(step.skipped, "step"));
  if (step.what == FilmStep::What::release) {
    text += fmt::format("All threads have reached the barrier{}: they go on.", at_line(step.where));
    if (!step.filled.empty())
      text += " Shared memory now also holds what the warps outside the film stored.";
    return text;
  }
  text += fmt::format("Warp {}{}: ", step.who.warp, at_line(step.where));
  if (step.what == FilmStep::What::exit)
    return text + (step.lanes == ~0u ? "finished." : film_lanes(step.lanes) + " finished.");
  if (step.what == FilmStep::What::wait)
    return text + fmt::format("{} {} at the barrier; {} of {} {} arrived.", film_lanes(step.lanes),
                              std::has_single_bit(step.lanes) ? "waits" : "wait", step.arrived,
                              film_count(film.warps_a_block, "warp"),
                              step.arrived == 1 ? "has" : "have");
  text += film_access(step, *picture);
  if (film.race) text += film_race_text(film, at, raced_place);
  return text;
}

std::string film_order_text(const observe::Film& film) {
  const std::size_t count = film.warps.size();
  if (film.race && count == 2)
    return "A GPU may run the two warps in this order, and it shows the race: nothing orders these "
           "accesses.";
  std::string who;
  if (film.is_of_race)
    who = count == 1 ? "The warp of the race" : "The two warps of the race";
  else if (film.warps_a_block == 1)
    who = fmt::format("The only warp of block {}", launch::triple(film.block));
  else
    who = fmt::format("{} of the {} of block {}",
                      count == 1 ? "The first" : fmt::format("The first {}", count),
                      film_count(film.warps_a_block, "warp"), launch::triple(film.block));
  return who +
         (count == 1 ? ", step by step." : ", in the order in which the simulator runs them.");
}

std::string film_scope_text(const observe::Film& film) {
  std::string text = fmt::format(
      "A step is a memory access or a barrier. Of each instruction, the film keeps the first {} "
      "executions per warp{}.",
      observe::kFilmedExecutions, film.is_of_race ? " and those of the race" : "");
  if (film.left_out > 0)
    text += fmt::format(" It is cut: {} follow.", film_count(film.left_out, "step"));
  return text;
}

}  // namespace labkit::explain
