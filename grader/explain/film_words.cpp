#include "explain/film_words.h"

#include <bit>

#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using observe::FilmStep;
using words::Id;

std::string film_number(std::uint64_t count) { return number(static_cast<double>(count)); }

std::string film_line(const launch::SourceLine& where) {
  return where.line == 0 ? words::text(Id::its_line)
                         : words::text(Id::one_line, {{"line", std::to_string(where.line)}});
}

/// "its 32 lanes", "lanes 0 to 15"
std::string film_lanes(std::uint32_t lanes) {
  return lanes == ~0u ? words::text(Id::film_all_lanes) : lanes_text(lanes);
}

std::string film_place(const LanePicture& picture) {
  if (!picture.index.empty()) return picture.index;
  if (!picture.array.empty()) return picture.array;
  return words::text(picture.space == ptx::Space::shared  ? Id::film_shared_memory
                     : picture.space == ptx::Space::local ? Id::film_local_memory
                                                          : Id::film_global_memory);
}

bool writes(const FilmStep& step) { return step.is_store || step.is_atomic; }

std::string film_access(const FilmStep& step, const LanePicture& picture) {
  const Id deed = step.is_atomic  ? Id::film_updates
                  : step.is_store ? Id::film_writes
                                  : Id::film_reads;
  const std::string text = words::text(deed, {{"lanes", film_lanes(step.lanes)},
                                              {"count", std::to_string(std::popcount(step.lanes))},
                                              {"place", film_place(picture)},
                                              {"cost", picture.headline}});
  const int off = std::popcount(~step.lanes);
  return off == 0 ? text
                  : words::beside(text,
                                  words::text(Id::film_inactive, {{"count", std::to_string(off)}}));
}

/// The two steps say what the order between them has done.
std::string film_race_text(const observe::Film& film, std::size_t at, std::string place) {
  const observe::FilmedRace& race = *film.race;
  if (at != race.early && at != race.late) return {};
  if (place.empty()) place = words::text(Id::film_one_place);
  if (race.early == race.late)
    return words::text(
        Id::film_race_lanes,
        {{"place", place}, {"count", std::to_string(std::popcount(race.early_lanes))}});
  const bool is_early = at == race.early;
  if (film.steps[race.early].who == film.steps[race.late].who && !race.is_of_copy)
    return words::text(Id::film_race_warp,
                       {{"place", place},
                        {"line", film_line(film.steps[is_early ? race.late : race.early].where)}});
  const FilmStep &step = film.steps[at], &other = film.steps[is_early ? race.late : race.early];
  const bool both_write = writes(step) && writes(other);
  const Id id = race.is_of_copy ? is_early ? Id::film_race_copy : Id::film_race_copied
                : both_write    ? is_early ? Id::film_race_first_write : Id::film_race_second_write
                : is_early      ? Id::film_race_early
                                : Id::film_race_late;
  return words::text(
      id, {{"place", place},
           {"other",
            other.who == step.who ? words::text(Id::film_other_lane)
            : other.who.block == step.who.block
                ? words::text(Id::picture_warp, {{"warp", std::to_string(other.who.warp)}})
                : words::text(Id::film_other_block, {{"warp", std::to_string(other.who.warp)},
                                                     {"block", std::to_string(other.who.block)}})},
           {"deed", words::text(writes(other) ? Id::film_written : Id::film_read)},
           {"line", film_line(other.where)}});
}

/// What a warp does, without its name.
std::string film_deed(const observe::Film& film, std::size_t at, const LanePicture* picture,
                      const FilmNames& names) {
  const FilmStep& step = film.steps[at];
  switch (step.what) {
    case FilmStep::What::exit:
      return step.lanes == ~0u
                 ? words::text(Id::film_all_finished)
                 : words::text(Id::film_finished, {{"lanes", film_lanes(step.lanes)}});
    case FilmStep::What::wait:
      return words::text(Id::film_waits, {{"lanes", film_lanes(step.lanes)},
                                          {"count", std::to_string(std::popcount(step.lanes))},
                                          {"arrived", std::to_string(step.arrived)},
                                          {"warps", std::to_string(film.warps_a_block)}});
    case FilmStep::What::stop:
      return words::text(Id::film_stopped, {{"why", names.why_stopped}});
    default:
      break;
  }
  const std::string text = film_access(step, *picture);
  return film.race ? words::beside(text, film_race_text(film, at, names.raced_place)) : text;
}

}  // namespace

std::string film_step_text(const observe::Film& film, std::size_t at, const LanePicture* picture,
                           const FilmNames& names) {
  const FilmStep& step = film.steps[at];
  std::string before;
  if (step.skipped > 0)
    before = words::text(Id::film_left_out, {{"count", film_number(step.skipped)}});
  if (step.what == FilmStep::What::release) {
    const auto has_exited = [&](const FilmStep& one) {
      return one.what == FilmStep::What::exit && one.who.block == step.who.block;
    };
    const bool are_all =
        std::none_of(film.steps.begin(), film.steps.begin() + std::ptrdiff_t(at), has_exited);
    const std::string text = words::text(are_all ? Id::film_released : Id::film_released_rest,
                                         {{"line", film_line(step.where)}});
    return words::beside(
        before, step.others_stored ? words::beside(text, words::text(Id::film_filled)) : text);
  }
  const bool is_one_block = std::ranges::all_of(
      film.warps, [&](const auto& one) { return one.block == film.warps.front().block; });
  const std::string number = std::to_string(step.who.warp),
                    warp = is_one_block ? number
                                        : words::text(Id::film_of_block,
                                                      {{"warp", number},
                                                       {"block", std::to_string(step.who.block)}}),
                    deed = film_deed(film, at, picture, names);
  return words::beside(
      before, step.where.line == 0
                  ? words::text(Id::film_warp, {{"warp", warp}, {"deed", deed}})
                  : words::text(Id::film_warp_at_line,
                                {{"warp", warp}, {"line", film_line(step.where)}, {"deed", deed}}));
}

std::string film_order_text(const observe::Film& film) {
  const std::size_t count = film.warps.size();
  if (film.race && count == 2 && !film.race->is_of_copy) return words::text(Id::film_order_race);
  const Id who = film.is_of_race ? count == 1 ? Id::film_who_race_warp : Id::film_who_race_warps
                 : film.warps_a_block == 1     ? Id::film_who_only
                 : film.stop                   ? Id::film_who_stopped
                 : count == 1                  ? Id::film_who_first
                 : count == film.warps_a_block ? Id::film_who_all
                                               : Id::film_who_some;
  return words::text(count == 1 ? Id::film_order_one : Id::film_order_some,
                     {{"who", words::text(who, {{"block", launch::triple(film.block)},
                                                {"count", std::to_string(count)},
                                                {"warps", std::to_string(film.warps_a_block)}})}});
}

std::string film_scope_text(const observe::Film& film) {
  const std::string text = words::text(film.is_of_race ? Id::film_scope_race : Id::film_scope,
                                       {{"count", std::to_string(observe::kFilmedExecutions)}});
  if (film.left_out == 0) return text;
  return words::beside(text, words::text(Id::film_cut, {{"count", film_number(film.left_out)}}));
}

}  // namespace labkit::explain
