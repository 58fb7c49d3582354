#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "explain/words.h"
#include "report/explain_view.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::element;
using html::Markup;
using html::tag;
using observe::InstructionCounters;
using observe::InstructionInfo;
using words::Id;

/// What of an instruction's work loads each bound of the time model (timing/model.cpp). Where none of them does
/// (launches, latency), sectors say best where the waiting comes from.
struct Load {
  std::string_view bound;
  Id words;
  double (*of)(const InstructionInfo&, const InstructionCounters&);
};
constexpr Load kLoads[] = {
    {"stores", Id::load_store_packets,
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return i.access == observe::AccessKind::load
                  ? 0.0
                  : static_cast<double>(c.global_requests + c.global_sectors);
     }},
    {"shared memory", Id::load_shared_wavefronts,
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.shared_wavefronts);
     }},
    {"issue", Id::load_instructions,
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.warp_executions);
     }},
    {"instructions", Id::load_instructions,
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.warp_executions);
     }},
    {"barriers", Id::load_arrivals,
     [](const InstructionInfo& i, const InstructionCounters& c) {
       return grade::is_block_barrier(i) ? static_cast<double>(c.warp_executions) : 0;
     }},
    {"", Id::load_global_sectors,
     [](const InstructionInfo&, const InstructionCounters& c) {
       return static_cast<double>(c.global_sectors + c.local_sectors);
     }},
};

double ideal_local(const InstructionInfo& info, const InstructionCounters& c) {
  return std::min(static_cast<double>(c.local_sectors),
                  static_cast<double>(c.thread_executions) * info.bytes_per_lane / 32);
}

double excess_sectors(const InstructionInfo& info, const InstructionCounters& c) {
  return static_cast<double>(c.global_sectors - c.global_sectors_ideal) +
         static_cast<double>(c.local_sectors) - ideal_local(info, c);
}
double excess_wavefronts(const InstructionCounters& c) {
  return static_cast<double>(c.shared_wavefronts - c.shared_wavefronts_ideal);
}

}  // namespace

std::string name_of(Heat heat) {
  constexpr const char* kNames[] = {"sectors", "wavefronts", "traffic"};
  return kNames[static_cast<std::size_t>(heat)];
}

double LaunchHeat::total(Heat heat) const {
  double sum = 0;
  for (const auto& [line, value] : of(heat)) sum += value;
  return sum;
}

LaunchHeat heat_of(const grade::LaunchDetail& detail, const std::string& file) {
  LaunchHeat heat;
  const std::string bound = detail.prediction ? detail.prediction->bound : "";
  const Load* load = std::begin(kLoads);
  while (!load->bound.empty() && load->bound != bound) ++load;
  heat.traffic = words::text(load->words);
  double all = 0;
  const observe::LaunchCounters& counters = detail.counters;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const InstructionInfo& info = counters.info[i];
    const InstructionCounters& c = counters.instructions[i];
    const double traffic = load->of(info, c);
    all += traffic;
    if (info.line == 0 || info.file != file) continue;
    const auto add = [&](Heat which, double value) {
      if (value > 0) heat.lines[static_cast<std::size_t>(which)][info.line] += value;
    };
    add(Heat::sectors, excess_sectors(info, c));
    add(Heat::wavefronts, excess_wavefronts(c));
    add(Heat::traffic, traffic);
  }
  for (auto& [line, value] : heat.lines[static_cast<std::size_t>(Heat::traffic)]) value /= all;
  return heat;
}

namespace {

std::string short_number(Heat heat, double value) {
  if (heat == Heat::traffic) return value < 0.005 ? "<1%" : fmt::format("{:.0f}%", 100 * value);
  if (value < 10'000) return explain::number(value);
  if (value < 1e6) return fmt::format("{:.0f}k", value / 1e3);
  return fmt::format("{:.3g}M", value / 1e6);
}

std::string in_words(Heat heat, double value, const LaunchHeat& all) {
  switch (heat) {
    case Heat::sectors:
      return words::text(Id::heat_of_sectors, {{"count", explain::number(value)}});
    case Heat::wavefronts:
      return words::text(Id::heat_of_wavefronts, {{"count", explain::number(value)}});
    case Heat::traffic:
      return words::text(Id::heat_of_traffic,
                         {{"percent", fmt::format("{:.1f}", 100 * value)}, {"what", all.traffic}});
  }
  return {};
}

/// A bar behind a number. The bar is as long as the value is of the largest.
Markup cell(Heat heat, double value, double most, const LaunchHeat& all, std::size_t launch,
            bool shown) {
  const std::string words = in_words(heat, value, all);
  return element(
      "span",
      {{"class", "heat " + name_of(heat)},
       {"data-launch", launch},
       {"title", words},
       {"hidden", !shown}},
      element("svg",
              {{"viewBox", "0 0 100 10"}, {"preserveAspectRatio", "none"}, {"aria-hidden", "true"}},
              element("rect", {{"width", std::max(2.0, 100 * value / most)}, {"height", 10}})),
      element("b", {}, short_number(heat, value)), tag("span", "vh", " (" + words + ") "));
}

}  // namespace

Markup radio_choice(const char* name, const std::string& id, const std::string& value,
                    std::string_view words, bool checked) {
  return element(
      "label", {{"for", id}},
      element(
          "input",
          {{"type", "radio"}, {"name", name}, {"id", id}, {"value", value}, {"checked", checked}}),
      element("span", {}, words));
}

Markup radio_group(const char* kind, const std::string& label, const Markup& choices) {
  return element("div", {{"class", kind}, {"role", "radiogroup"}, {"aria-label", label}}, choices);
}

html::Markup heat_switch(const ExplainView& view) {
  if (view.launches.empty()) return {};
  const LaunchHeat first = heat_of(*view.launches[view.first].detail, view.file);
  // What there is most to say about is shown first: what is wasted before what is only much.
  // Where something is wrong, what its lines cost is for later.
  const bool none = view.is_wrong();
  const Heat chosen = first.total(Heat::sectors) > 0      ? Heat::sectors
                      : first.total(Heat::wavefronts) > 0 ? Heat::wavefronts
                                                          : Heat::traffic;
  Markup choices;
  for (const Heat heat : kHeats) {
    const Id words = heat == Heat::sectors      ? Id::heat_sectors
                     : heat == Heat::wavefronts ? Id::heat_wavefronts
                                                : Id::heat_traffic;
    choices += radio_choice("heat", "heat-" + name_of(heat), name_of(heat), words::row_of(words),
                            !none && heat == chosen);
  }
  if (none)
    choices += radio_choice("heat", "heat-none", "none", words::row_of(Id::heat_none), true);
  return radio_group("switch", words::text(Id::heat_choice), choices);
}

html::Markup heated_source(const ExplainView& view) {
  std::vector<LaunchHeat> heats;
  const KeysByLine keys = access_keys(view);
  html::ListingLimits limits;
  const auto keep = [&](std::size_t line) { limits.keep.push_back(line); };
  for (const html::LineMark& mark : view.marks) keep(mark.line);
  for (const auto& [line, of_line] : keys) keep(line);
  for (const LaunchView& launch : view.launches) {
    heats.push_back(heat_of(*launch.detail, view.file));
    for (const auto& [line, value] : heats.back().of(Heat::traffic)) keep(line);
  }
  std::vector<std::map<Heat, double>> largest(heats.size());
  for (std::size_t i = 0; i < heats.size(); ++i)
    for (const Heat heat : kHeats)
      for (const auto& [line, value] : heats[i].of(heat))
        largest[i][heat] = std::max(largest[i][heat], value);
  const auto extras = [&](std::size_t line) {
    html::LineExtra extra;
    const auto number = static_cast<std::uint32_t>(line);
    Markup cells;
    for (std::size_t i = 0; i < heats.size(); ++i)
      for (const Heat heat : kHeats) {
        const auto& lines = heats[i].of(heat);
        if (const auto at = lines.find(number); at != lines.end())
          cells += cell(heat, at->second, largest[i][heat], heats[i], i, i == view.first);
      }
    if (const auto at = keys.find(line); at != keys.end()) extra.key = at->second;
    if (!heats.empty()) extra.before = tag("span", "heats", cells);
    return extra;
  };
  return html::source_listing(kListing, view.source, view.marks, limits, extras);
}

}  // namespace labkit::report
