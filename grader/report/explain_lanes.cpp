#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/lane_picture.h"
#include "explain/line_costs.h"
#include "report/explain_view.h"
#include "report/performance_text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::tag;
using observe::InstructionInfo;
using observe::InstructionSamples;
using words::Id;

/// All samples and films of a page together. Of a kernel with thousands of memory instructions the first are shown.
constexpr std::size_t kMostSampleBytes = 1'400'000, kMostAccesses = 2000;

/// Stands in a sentence for the element's name.
constexpr const char* kElementHere = "{}";

const InstructionInfo& info_of(const grade::LaunchDetail& detail,
                               const InstructionSamples& samples) {
  return detail.counters.info[samples.instruction];
}

explain::LanePicture picture_of(const grade::LaunchDetail& detail,
                                const InstructionSamples& samples,
                                const observe::WarpAccess& access) {
  return explain::picture_of(samples, access, detail.samples->ranges,
                             info_of(detail, samples).spelling);
}

std::string worst_text(const InstructionSamples& samples, const grade::LaunchDetail& detail,
                       Phrases& phrases, std::size_t& room) {
  const std::size_t before = phrases.bytes();
  std::string text = told(picture_of(detail, samples, samples.worst), phrases);
  room -= std::min(room, text.size() + phrases.bytes() - before);
  return text;
}

std::size_t shown_count(const grade::LaunchDetail& detail) {
  return std::min(detail.samples->instructions.size(), kMostAccesses);
}

Markup data_of_launch(const ExplainView& view, std::size_t index, Phrases& phrases,
                      std::size_t& room) {
  const LaunchView& launch = view.launches[index];
  const grade::LaunchDetail& detail = *launch.detail;
  Markup inside;
  for (const observe::NamedRange& range : detail.samples->ranges)
    inside += element("span", {{"class", "range"},
                               {"data-name", range.name},
                               {"data-space", space_name(range.space)},
                               {"data-begin", range.begin},
                               {"data-bytes", range.bytes},
                               {"data-element", range.element_bytes}});
  for (std::size_t i = 0; i < shown_count(detail); ++i) {
    const InstructionSamples& samples = detail.samples->instructions[i];
    inside += element("span", {{"class", "access"},
                               {"data-key", access_key(index, i)},
                               {"data-line", info_of(detail, samples).line},
                               {"data-op", info_of(detail, samples).spelling},
                               {"data-space", space_name(samples.space)},
                               {"data-kind", samples.is_atomic  ? "atomic"
                                             : samples.is_store ? "store"
                                                                : "load"},
                               {"data-worst", worst_text(samples, detail, phrases, room)}});
  }
  const auto worst = worst_access(launch, view.findings);
  return element("div",
                 {{"class", "launch"},
                  {"data-index", index},
                  {"data-grid", launch::to_string(launch.grid)},
                  {"data-block", launch::to_string(launch.block)},
                  {"data-first", worst ? access_key(index, *worst) : ""}},
                 inside);
}

Markup frame(bool beside_a_finding) {
  return element(
      "div", {{"class", "panel needs-js"}, {"id", "lanes"}, {"hidden", true}},
      beside_a_finding ? element("button", {{"type", "button"}, {"id", "lane-found"}}, "\u2039 ",
                                 words::row_of(Id::panel_found))
                       : Markup(),
      tag("div", "which",
          tag("p", "place", element("a", {{"id", "lane-line"}, {"href", html::fragment(kListing)}}),
              element("code", {{"id", "lane-code"}})),
          element("div", {{"id", "lane-ops"},
                          {"class", "ops"},
                          {"role", "group"},
                          {"aria-label", words::row_of(Id::panel_instruction)}})),
      film_controls(), element("p", {{"class", "headline"}, {"id", "lane-headline"}}),
      element("div", {{"id", "lane-picture"},
                      {"tabindex", 0},
                      {"role", "group"},
                      {"aria-label", words::row_of(Id::panel_picture)},
                      {"aria-describedby", "lane-words"}}),
      element("div", {{"id", "film-shared"}}),
      element("button",
              {{"type", "button"}, {"id", "lane-worst"}, {"title", "W"}, {"aria-pressed", "false"}},
              words::row_of(Id::panel_worst)),
      element("div", {{"id", "lane-words"}}),
      element("details", {{"class", "each"}, {"id", "lane-each"}},
              element("summary", {}, words::row_of(Id::panel_each)),
              element("div", {{"class", "scroll"}, {"id", "lane-table"}})));
}

/// For where scripts are off: of each line its worst access, the most wasteful lines first.
constexpr std::size_t kMostTexts = 8;
Markup as_text(const LaunchView& launch, const std::string& file) {
  const grade::LaunchDetail& detail = *launch.detail;
  Markup texts;
  std::size_t told = 0;
  for (const explain::LineCost& line : explain::line_costs(detail.counters)) {
    if (told == kMostTexts) break;
    const InstructionSamples* const worst =
        explain::worst_of_line(detail.counters, *detail.samples, line.where);
    if (!worst) continue;
    ++told;
    const std::string place =
        words::text(line.where.line == 0      ? Id::panel_no_line
                    : line.where.file == file ? Id::panel_line
                                              : Id::panel_line_of_file,
                    {{"file", line.where.file}, {"line", std::to_string(line.where.line)}});
    texts += element("h4", {}, fmt::format("{}, {}", place, info_of(detail, *worst).spelling)) +
             element("pre", {{"tabindex", 0}},
                     lane_picture_text(picture_of(detail, *worst, worst->worst),
                                       {.colour = false, .unicode = true}));
  }
  return texts;
}

/// What the scripts say, each row under its name without "script_".
Markup script_words() {
  constexpr std::string_view kBegin = "script_";
  Markup rows;
  for (std::uint16_t number = 1; words::is_id(number); ++number) {
    const auto id = static_cast<Id>(number);
    if (const std::string_view name = words::name_of(id); name.starts_with(kBegin))
      rows += element("li", {{"data-name", name.substr(kBegin.size())}}, words::row_of(id));
  }
  return tag("ul", "script-words", rows);
}

}  // namespace

KeysByLine access_keys(const ExplainView& view) {
  KeysByLine keys;
  for (std::size_t launch = 0; launch < view.launches.size(); ++launch) {
    const grade::LaunchDetail& detail = *view.launches[launch].detail;
    if (!detail.samples) continue;
    for (std::size_t i = 0; i < shown_count(detail); ++i) {
      const InstructionInfo& info = info_of(detail, detail.samples->instructions[i]);
      if (info.line == 0 || info.file != view.file) continue;
      std::string& of_line = keys[info.line];
      of_line += (of_line.empty() ? "" : " ") + access_key(launch, i);
    }
  }
  return keys;
}

std::optional<std::size_t> worst_access(const LaunchView& launch,
                                        const std::vector<launch::Finding>& findings) {
  const grade::LaunchDetail& detail = *launch.detail;
  if (!detail.samples || detail.samples->instructions.empty()) return std::nullopt;
  const auto& instructions = detail.samples->instructions;
  const auto at_one_of =
      [&](const std::vector<launch::Finding>& list) -> std::optional<std::size_t> {
    for (const launch::Finding& finding : list) {
      if (finding.severity != launch::Severity::error || finding.where.line == 0) continue;
      for (std::size_t i = 0; i < shown_count(detail); ++i) {
        const InstructionInfo& info = info_of(detail, instructions[i]);
        if (info.line == finding.where.line && info.file == finding.where.file &&
            (finding.space.empty() || space_name(instructions[i].space) == finding.space))
          return i;
      }
    }
    return std::nullopt;
  };
  const auto place_of = [&](const InstructionSamples* found) -> std::optional<std::size_t> {
    if (found == nullptr) return std::nullopt;
    const auto place = static_cast<std::size_t>(found - instructions.data());
    return place < shown_count(detail) ? std::optional(place) : std::nullopt;
  };
  if (launch.test) {
    if (const auto found = at_one_of(launch.test->findings)) return found;
    if (launch.test->verdict.kind == "gate")
      if (const auto found = place_of(access_at_fault(*launch.test))) return found;
  }
  if (const auto found = at_one_of(findings)) return found;
  return place_of(explain::worst_of_launch(detail.counters, *detail.samples));
}

std::string_view space_name(ptx::Space space) {
  return space == ptx::Space::shared ? "shared" : space == ptx::Space::local ? "local" : "global";
}

std::string access_key(std::size_t launch, std::size_t access) {
  return fmt::format("{}-{}", launch, access);
}

std::size_t Phrases::place_of(const std::string& phrase) {
  const auto [at, is_new] = places_.try_emplace(phrase, list_.size());
  if (is_new) {
    list_.push_back(phrase);
    bytes_ += phrase.size() + 10;  // and its tags
  }
  return at->second;
}

html::Markup Phrases::markup() const {
  Markup items;
  for (const std::string& phrase : list_) items += element("li", {}, phrase);
  return tag("ul", "phrases", items);
}

/// "...,HEADLINE SENTENCE ...,ELEMENT": places in the list of phrases.
std::string told(const explain::LanePicture& picture, Phrases& phrases) {
  std::string text =
      fmt::format("{},{}", encoded(picture.access), phrases.place_of(picture.headline));
  bool named = false;
  for (std::string sentence : picture.words) {
    const auto at =
        picture.index.empty() ? std::string::npos : sentence.find(": " + picture.index + ".");
    if (at != std::string::npos) {
      sentence.replace(at + 2, picture.index.size(), kElementHere);
      named = true;
    }
    text += fmt::format(" {}", phrases.place_of(sentence));
  }
  return text + "," + (named ? std::to_string(phrases.place_of(picture.index)) : "");
}

std::string encoded(const observe::WarpAccess& access) {
  std::string text =
      fmt::format("{},{},{},{:x},{},{},{},{},", access.block, access.warp, access.execution,
                  access.active, access.bytes_per_lane, access.words, access.cost, access.ideal);
  std::vector<std::int64_t> at;  // of the active lanes
  for (std::size_t lane = 0; lane < access.addresses.size(); ++lane)
    if ((access.active >> lane & 1) != 0)
      at.push_back(static_cast<std::int64_t>(access.addresses[lane]));
  std::vector<std::string> steps;
  for (std::size_t begin = 1, end = 1; begin < at.size(); begin = end) {
    const std::int64_t step = at[begin] - at[begin - 1];
    while (end < at.size() && at[end] - at[end - 1] == step) ++end;
    steps.push_back(end - begin == 1 ? std::to_string(step)
                                     : fmt::format("{}*{}", step, end - begin));
  }
  return text + (at.empty() ? "" : fmt::format("{},", at.front())) + joined(steps, " ");
}

html::Markup lane_pictures(const ExplainView& view) {
  Markup data, texts, films;
  Phrases phrases;
  std::size_t room = kMostSampleBytes;
  for (std::size_t i = 0; i < view.launches.size(); ++i)
    if (view.launches[i].detail->samples) {
      data += data_of_launch(view, i, phrases, room);
      texts += (view.launches.size() > 1 ? element("h3", {}, view.launches[i].name) : Markup()) +
               as_text(view.launches[i], view.file);
    }
  if (data.empty()) return {};
  // The launch that the page begins with has its film even where the others have no room.
  films += film_steps(view, view.first, phrases, room);
  for (std::size_t i = 0; i < view.launches.size(); ++i)
    if (i != view.first) films += film_steps(view, i, phrases, room);
  return frame(view.is_wrong()) + films + tag("div", "as-text", texts) +
         element("div", {{"id", "accesses"}, {"hidden", true}}, script_words(), phrases.markup(),
                 data);
}

}  // namespace labkit::report
