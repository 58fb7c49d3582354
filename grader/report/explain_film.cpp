#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/film_words.h"
#include "explain/words.h"
#include "report/explain_view.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::tag;
using observe::FilmStep;
using words::Id;

constexpr std::string_view name_of(FilmStep::What what) {
  constexpr std::string_view kNames[] = {"access", "wait", "release", "exit", "stop"};
  return kNames[static_cast<std::size_t>(what)];
}

observe::InstructionSamples instruction_of(const FilmStep& step) {
  observe::InstructionSamples one;
  one.instruction = step.instruction;
  one.space = step.space;
  one.is_store = step.is_store;
  one.is_atomic = step.is_atomic;
  return one;
}

/// Of the access in .access that the step is of; "" where the page does not show it.
std::string key_of(const grade::LaunchDetail& detail, std::size_t launch, const FilmStep& step) {
  const auto& all = detail.samples->instructions;
  const auto at = std::ranges::find_if(all, [&](const observe::InstructionSamples& one) {
    return one.instruction == step.instruction && space_name(one.space) == space_name(step.space);
  });
  return at == all.end() ? "" : access_key(launch, static_cast<std::size_t>(at - all.begin()));
}

std::string filled_text(const FilmStep& step) {
  std::vector<std::string> ranges;
  for (const auto& [begin, end] : step.filled) ranges.push_back(fmt::format("{}-{}", begin, end));
  return joined(ranges, " ");
}

/// What is said of the film's finding beside it; of a part of the budget that the film had, nothing of its size.
explain::FilmNames names_of(const ExplainView& view, const LaunchView& launch) {
  const observe::Film& film = *launch.detail->film;
  explain::FilmNames names;
  if (film.race && view.fault && view.fault->finding.address == film.race->address)
    names.raced_place = view.fault->picture.place;
  if (!film.stop) return names;
  const launch::Finding& stop = film.stop->finding;
  const bool is_budget = stop.kind == launch::FindingKind::budget;
  const auto same = std::ranges::find_if(view.findings, [&](const launch::Finding& finding) {
    return finding.kind == stop.kind && finding.where == stop.where &&
           (is_budget || (finding.block == stop.block && finding.thread == stop.thread));
  });
  if (same != view.findings.end())
    names.why_stopped = explain::finding_in_words(*same, launch.block);
  if (names.why_stopped.empty())
    names.why_stopped =
        is_budget ? words::text(Id::film_budget) : explain::finding_in_words(stop, launch.block);
  if (names.why_stopped.empty()) names.why_stopped = explain::first_words(stop);
  return names;
}

class Rows {
 public:
  Rows(const ExplainView& view, std::size_t launch, Phrases& phrases)
      : view_(view),
        launch_(launch),
        detail_(*view.launches[launch].detail),
        film_(*detail_.film),
        names_(names_of(view, view.launches[launch])),
        phrases_(phrases) {}

  Markup row(std::size_t at) {
    const FilmStep& step = film_.steps[at];
    const bool is_access = step.what == FilmStep::What::access;
    std::optional<explain::LanePicture> picture;
    if (is_access)
      picture = explain::picture_of(instruction_of(step), step.access, detail_.samples->ranges,
                                    detail_.counters.info[step.instruction].spelling);
    const std::string text =
        explain::film_step_text(film_, at, picture ? &*picture : nullptr, names_);
    const std::uint32_t racing = !film_.race               ? 0
                                 : at == film_.race->early ? film_.race->early_lanes
                                 : at == film_.race->late  ? film_.race->late_lanes
                                                           : 0;
    return element("tr",
                   {{"data-what", name_of(step.what)},
                    {"data-block", step.who.block},
                    {"data-warp", step.what == FilmStep::What::release ? -1 : int(step.who.warp)},
                    {"data-line", step.where.file == view_.file ? step.where.line : 0},
                    {"data-lanes", fmt::format("{:x}", step.lanes)},
                    {"data-key", is_access ? key_of(detail_, launch_, step) : ""},
                    {"data-sample", is_access ? told(*picture, phrases_) : ""},
                    {"data-filled", filled_text(step)},
                    {"data-race", racing ? fmt::format("{:x}", racing) : ""}},
                   element("th", {{"scope", "row"}}, std::to_string(at + 1)),
                   element("td", {}, html::linked(text, view_.places)));
  }

 private:
  const ExplainView& view_;
  std::size_t launch_;
  const grade::LaunchDetail& detail_;
  const observe::Film& film_;
  explain::FilmNames names_;
  Phrases& phrases_;
};

Markup button(const char* id, Id words, Id key, const char* sign) {
  return element("button",
                 {{"type", "button"},
                  {"id", id},
                  {"aria-label", words::row_of(words)},
                  {"title", words::row_of(key)}},
                 sign);
}

}  // namespace

Markup film_controls() {
  return element(
      "div", {{"id", "film"}, {"hidden", true}},
      element(
          "div",
          {{"class", "player"}, {"role", "group"}, {"aria-label", words::row_of(Id::film_keys)}},
          button("film-back", Id::film_back, Id::film_key_left, "\u2039"),
          button("film-play", Id::script_play, Id::film_key_space, "\u25b6"),
          button("film-on", Id::film_on, Id::film_key_right, "\u203a"),
          element("input", {{"type", "range"},
                            {"id", "film-slider"},
                            {"min", 1},
                            {"value", 1},
                            {"aria-label", words::row_of(Id::film_step)}}),
          element("output", {{"id", "film-place"}, {"for", "film-slider"}})),
      element("p", {{"id", "film-text"}, {"aria-live", "polite"}}),
      element("p", {{"id", "film-order"}, {"class", "dim"}}),
      element("div", {{"id", "film-warps"}}));
}

Markup film_steps(const ExplainView& view, std::size_t launch, Phrases& phrases,
                  std::size_t& room) {
  const LaunchView& shown = view.launches[launch];
  if (!shown.detail->samples || !shown.detail->film || shown.detail->film->steps.empty()) return {};
  const observe::Film& film = *shown.detail->film;
  Rows rows(view, launch, phrases);
  Markup body;
  std::size_t count = 0;
  for (; count < film.steps.size(); ++count) {
    const std::size_t before = phrases.bytes();
    const Markup row = rows.row(count);
    const std::size_t bytes = row.str().size() + phrases.bytes() - before;
    if (bytes > room) break;
    room -= bytes;
    body += row;
  }
  if (count == 0) return {};
  std::string scope = explain::film_scope_text(film);
  if (count < film.steps.size())
    scope = words::beside(
        scope,
        words::text(Id::film_no_room,
                    {{"count", explain::number(static_cast<double>(film.steps.size() - count))}}));
  std::string warps;
  for (const observe::FilmedWarp& each : film.warps)
    warps += fmt::format("{}{}-{}", warps.empty() ? "" : " ", each.block, each.warp);
  const Markup heading = view.launches.size() > 1 ? tag("h3", "of-launch", shown.name) : Markup();
  return heading +
         element(
             "details",
             {{"class", "film"}, {"data-launch", launch}, {"data-warps", warps}, {"open", true}},
             element("summary", {}, words::row_of(Id::film_title)),
             tag("p", "dim scope", tag("span", "order", explain::film_order_text(film)), " ",
                 scope),
             element("div", {{"class", "scroll"}, {"tabindex", 0}},
                     tag("table", "plain", element("tbody", {}, body))));
}

}  // namespace labkit::report
