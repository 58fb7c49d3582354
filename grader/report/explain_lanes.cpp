#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "explain/lane_picture.h"
#include "explain/line_costs.h"
#include "report/explain_view.h"
#include "report/performance_text.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::tag;
using observe::InstructionInfo;
using observe::InstructionSamples;

/// All samples of a page together. Of a kernel with thousands of memory instructions the first are shown, and once there
/// is no room the worst access of each alone.
constexpr std::size_t kMostSampleBytes = 1'500'000, kMostAccesses = 2000;

/// Stands in a sentence for the element's name.
constexpr const char* kElementHere = "{}";

constexpr std::string_view space_name(ptx::Space space) {
  return space == ptx::Space::shared ? "shared" : space == ptx::Space::local ? "local" : "global";
}

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

std::string access_key(std::size_t launch, std::size_t access) {
  return fmt::format("{}-{}", launch, access);
}

/// The sentences of a page's pictures, each once: they differ mostly in an element's name alone, which stands apart.
class Phrases {
 public:
  std::size_t place_of(const std::string& phrase) {
    const auto [at, is_new] = places_.try_emplace(phrase, list_.size());
    if (is_new) {
      list_.push_back(phrase);
      bytes_ += phrase.size() + 10;  // and its tags
    }
    return at->second;
  }
  std::size_t bytes() const { return bytes_; }
  Markup markup() const {
    Markup items;
    for (const std::string& phrase : list_) items += element("li", {}, phrase);
    return tag("ul", "phrases", items);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> list_;
  std::size_t bytes_ = 0;
};

/// ",HEADLINE SENTENCE ...,ELEMENT": places in the list of phrases.
std::string phrases_text(const explain::LanePicture& picture, Phrases& phrases) {
  std::string text = fmt::format(",{}", phrases.place_of(picture.headline));
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

std::string samples_text(const InstructionSamples& samples, const grade::LaunchDetail& detail,
                         Phrases& phrases, std::size_t& room) {
  const std::size_t phrases_before = phrases.bytes();
  const auto told = [&](const observe::WarpAccess& access) {
    return encoded(access) + phrases_text(picture_of(detail, samples, access), phrases);
  };
  std::string text = told(samples.worst);
  for (const observe::WarpAccess& access : samples.shown) {
    if (text.size() + phrases.bytes() - phrases_before > room) break;
    text += ";" + told(access);
  }
  room -= std::min(room, text.size() + phrases.bytes() - phrases_before);
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
                               {"data-executions", samples.most_executions},
                               {"data-samples", samples_text(samples, detail, phrases, room)}});
  }
  const auto worst = worst_access(launch, view.findings);
  return element("div",
                 {{"class", "launch"},
                  {"data-index", index},
                  {"data-grid", launch::to_string(launch.grid)},
                  {"data-block", launch::to_string(launch.block)},
                  {"data-shown", detail.samples->shown_block},
                  {"data-warps", detail.samples->warps_a_block},
                  {"data-first", worst ? access_key(index, *worst) : ""}},
                 inside);
}

Markup step(const char* id, const char* words, const char* arrow, const char* key) {
  return element("button", {{"type", "button"}, {"id", id}, {"aria-label", words}, {"title", key}},
                 arrow);
}

Markup frame(bool beside_a_finding) {
  const auto stepper = [](const char* name, const char* id, const Markup& back, const Markup& on) {
    return tag("span", "step", tag("span", "what", name), back, element("output", {{"id", id}}),
               on);
  };
  return element(
      "div", {{"class", "panel needs-js"}, {"id", "lanes"}, {"hidden", true}},
      beside_a_finding
          ? element("button", {{"type", "button"}, {"id", "lane-found"}}, "\u2039 What was found")
          : Markup(),
      tag("div", "which",
          tag("p", "place", element("a", {{"id", "lane-line"}, {"href", html::fragment(kListing)}}),
              element("code", {{"id", "lane-code"}})),
          element("div", {{"id", "lane-ops"},
                          {"class", "ops"},
                          {"role", "group"},
                          {"aria-label", "Instruction of this line"}})),
      element("p", {{"class", "headline"}, {"id", "lane-headline"}, {"aria-live", "polite"}}),
      element("div", {{"id", "lane-picture"},
                      {"tabindex", 0},
                      {"role", "group"},
                      {"aria-label",
                       "Picture of one access. Left and right arrow: another warp. Up and down: "
                       "another time. W: the worst."},
                      {"aria-describedby", "lane-words"}}),
      tag("div", "steps",
          stepper("Warp", "lane-warp", step("warp-back", "The warp before", "\u2039", "Left arrow"),
                  step("warp-on", "The next warp", "\u203a", "Right arrow")),
          stepper("Time", "lane-time", step("time-back", "The time before", "\u2039", "Down arrow"),
                  step("time-on", "The next time", "\u203a", "Up arrow")),
          stepper(
              "Copy", "lane-copy",
              step("copy-back", "The copy before", "\u2039",
                   "The compiler made several of this line"),
              step("copy-on", "The next copy", "\u203a", "The compiler made several of this line")),
          element(
              "button",
              {{"type", "button"}, {"id", "lane-worst"}, {"title", "W"}, {"aria-pressed", "false"}},
              "Worst")),
      element("div", {{"id", "lane-words"}, {"aria-live", "polite"}}),
      element("details", {{"class", "each"}, {"id", "lane-each"}},
              element("summary", {}, "Lane by lane"),
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
    const std::string place = line.where.line == 0 ? std::string("No line of a source")
                              : line.where.file == file
                                  ? fmt::format("Line {}", line.where.line)
                                  : fmt::format("{}:{}", line.where.file, line.where.line);
    texts += element("h4", {}, fmt::format("{}, {}", place, info_of(detail, *worst).spelling)) +
             element("pre", {{"tabindex", 0}},
                     lane_picture_text(picture_of(detail, *worst, worst->worst),
                                       {.colour = false, .unicode = true}));
  }
  return texts;
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
  Markup data, texts;
  Phrases phrases;
  std::size_t room = kMostSampleBytes;
  for (std::size_t i = 0; i < view.launches.size(); ++i)
    if (view.launches[i].detail->samples) {
      data += data_of_launch(view, i, phrases, room);
      texts += (view.launches.size() > 1 ? element("h3", {}, view.launches[i].name) : Markup()) +
               as_text(view.launches[i], view.file);
    }
  if (data.empty()) return {};
  return frame(view.is_wrong()) + tag("div", "as-text", texts) +
         element("div", {{"id", "accesses"}, {"hidden", true}}, phrases.markup(), data);
}

}  // namespace labkit::report
