#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "base/text.h"
#include "explain/lane_picture.h"
#include "explain/words.h"
#include "report/explain_view.h"
#include "report/html_svg.h"
#include "report/style.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::FindingPicture;
using explain::WarpAtLine;
using html::element;
using html::Markup;
using html::tag;
using launch::FindingKind;
using words::Id;

// In the picture's units.
constexpr double kWidth = 512, kCell = kWidth / 32, kLaneTall = 20, kTitle = 14;
constexpr double kPlaceTall = 26, kWires = 44;
constexpr double kLanesEnd = kTitle + 4 + kLaneTall;  ///< of the first row

Markup label(double x, double y, const char* anchor, const char* kind, const std::string& words) {
  return element("text", {{"x", x}, {"y", y}, {"text-anchor", anchor}, {"class", kind}}, words);
}

Markup box(const char* kind, double x, double y, double width, double height) {
  return element(
      "rect",
      {{"class", kind}, {"x", x}, {"y", y}, {"width", width}, {"height", height}, {"rx", 2}});
}

double middle_of(int lane) { return (lane + 0.5) * kCell; }

double center(int) { return kWidth / 2; }

/// From each of those lanes, whose row ends at `y`, to its place `to(lane)` at `to_y`.
template <typename To>
Markup wires(const char* kind, std::uint32_t lanes, double y, const To& to, double to_y) {
  Markup all;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    all += html::svg_line(kind, middle_of(lane), y, to(lane), to_y);
  }
  return all;
}

/// A place in memory, in the middle.
Markup place_box(const char* kind, double y, const std::string& words) {
  const double wide = std::min(kWidth, 24 + 7.0 * static_cast<double>(width(words)));
  return box(kind, (kWidth - wide) / 2, y, wide, kPlaceTall) +
         label(kWidth / 2, y + 17, "middle", "place-word", words);
}

/// "warp 1, line 9: lanes 0 to 31 past the end"
std::string title_of(const WarpAtLine& warp) {
  const std::string text =
      words::text(warp.where.line == 0 ? Id::picture_warp : Id::picture_warp_at_line,
                  {{"warp", std::to_string(warp.warp)}, {"line", std::to_string(warp.where.line)}});
  if (warp.at_fault == 0) return text;
  return words::text(
      Id::picture_lanes_do,
      {{"warp", text}, {"lanes", explain::lanes_text(warp.at_fault)}, {"deed", warp.deed}});
}

Markup lanes_row(const WarpAtLine& warp, double y) {
  Markup all;
  for (int lane = 0; lane < 32; ++lane) {
    const bool fault = (warp.at_fault >> lane & 1) != 0, other = (warp.others >> lane & 1) != 0;
    all += box(fault   ? "lane fault"
               : other ? "lane"
                       : "lane off",
               lane * kCell + 0.75, y, kCell - 1.5, kLaneTall);
    all += label(middle_of(lane), y + 14, "middle", fault || other ? "in-lane" : "in-lane off",
                 std::to_string(lane));
  }
  return all;
}

Markup first_row(const std::string& title, const WarpAtLine& warp) {
  return label(0, 11, "start", "title", title) + lanes_row(warp, kTitle + 4);
}

/// Two warps, one above and one below the place at which they meet.
Markup meeting(const FindingPicture& picture, double& height) {
  const WarpAtLine &upper = picture.warps[0], &lower = picture.warps[1];
  const double place = kLanesEnd + kWires, below = place + kPlaceTall + kWires;
  height = below + kLaneTall + 20;
  return first_row(title_of(upper), upper) +
         wires("wire fault", upper.at_fault, kLanesEnd, center, place) +
         wires("wire fault", lower.at_fault, below, center, place + kPlaceTall) +
         place_box("place-box", place,
                   picture.place.empty() ? words::text(Id::picture_same_address) : picture.place) +
         lanes_row(lower, below) +
         label(0, below + kLaneTall + 15, "start", "title", title_of(lower));
}

/// A warp, the array and what lies beyond it.
Markup beyond(const FindingPicture& picture, double& height) {
  const WarpAtLine& warp = picture.warps[0];
  const double memory = kLanesEnd + kWires;
  const double edge = picture.before_array ? kWidth * 0.34 : kWidth * 0.66;
  const double array_at = picture.before_array ? edge : 0,
               array_wide = picture.before_array ? kWidth - edge : edge,
               out_at = picture.before_array ? 0 : edge, out_wide = kWidth - array_wide;
  const auto inside = [&](int lane) { return array_at + (lane + 0.5) / 32 * array_wide; };
  const auto outside = [&](int lane) { return out_at + (lane + 0.5) / 32 * out_wide; };
  Markup all = first_row(title_of(warp), warp) +
               wires("wire", warp.others, kLanesEnd, inside, memory) +
               wires("wire fault", warp.at_fault, kLanesEnd, outside, memory);
  all += box("used", array_at, memory, array_wide, kPlaceTall);
  all += box("nothing", out_at, memory, out_wide, kPlaceTall);
  all += label(array_at + array_wide / 2, memory + 17, "middle", "in-lane name", picture.array);
  all += label(out_at + out_wide / 2, memory + 17, "middle", "place-word", picture.place);
  if (!picture.last_element.empty() && !picture.before_array)
    all += label(edge, memory + kPlaceTall + 14, "end", "title",
                 words::text(Id::picture_ends_with, {{"element", picture.last_element}}));
  height = memory + kPlaceTall + 20;
  return all;
}

/// A warp and the barrier at which only some of its lanes stand.
Markup standing(const FindingPicture& picture, double& height) {
  const WarpAtLine& warp = picture.warps[0];
  const double bar = kLanesEnd + kWires, end = kLanesEnd + kWires * 0.45;
  Markup all =
      first_row(words::text(Id::picture_lanes_of_warp, {{"warp", std::to_string(warp.warp)}}),
                warp) +
      wires("wire", warp.others, kLanesEnd, middle_of, bar);
  for (std::uint32_t lanes = warp.at_fault; lanes != 0; lanes &= lanes - 1) {
    const double x = middle_of(std::countr_zero(lanes));
    all += html::svg_line("wire fault", x, kLanesEnd, x, end) +
           html::svg_line("wire fault", x - 3, end - 3, x + 3, end + 3) +
           html::svg_line("wire fault", x - 3, end + 3, x + 3, end - 3);
  }
  all += box("barrier", 0, bar, kWidth, 6);
  all += label(0, bar + 21, "start", "title",
               words::text(Id::picture_barrier, {{"line", std::to_string(warp.where.line)}}));
  const auto lanes_are = [](Id id, std::uint32_t lanes) {
    return words::text(id, {{"lanes", explain::lanes_text(lanes)}});
  };
  const bool misuses = warp.deed == words::row_of(Id::deed_at_fault);
  std::string who;
  if (warp.others != 0) who = lanes_are(Id::picture_at_barrier, warp.others);
  if (warp.at_fault != 0)
    who += (who.empty() ? "" : ", ") +
           lanes_are(misuses ? Id::picture_at_fault : Id::picture_not_at_barrier, warp.at_fault);
  all += label(kWidth, bar + 21, "end", "title", who);
  height = bar + 28;
  return all;
}

/// A warp and one place that it reads.
Markup reading(const FindingPicture& picture, double& height) {
  const WarpAtLine& warp = picture.warps[0];
  const double place = kLanesEnd + kWires;
  Markup all = first_row(title_of(warp), warp) +
               wires("wire fault", warp.at_fault, kLanesEnd, center, place) +
               place_box("nothing", place,
                         picture.place.empty() ? words::text(Id::place_address) : picture.place);
  height = place + kPlaceTall + 6;
  if (picture.kind == FindingKind::uninitialized) {
    all += label(kWidth / 2, place + kPlaceTall + 14, "middle", "title",
                 words::text(Id::picture_nobody_wrote));
    height += 14;
  }
  return all;
}

}  // namespace

Markup finding_svg(const FindingPicture& picture) {
  double height = 0;
  Markup drawn;
  if (picture.warps.size() > 1)
    drawn = meeting(picture, height);
  else if (picture.kind == FindingKind::barrier)
    drawn = standing(picture, height);
  else if (picture.kind == FindingKind::out_of_bounds && !picture.array.empty())
    drawn = beyond(picture, height);
  else
    drawn = reading(picture, height);
  return html::svg_picture(picture.headline, "lanes-picture finding-picture", kWidth, height,
                           drawn);
}

Markup finding_panel(const launch::Finding& finding, const FindingPicture& picture,
                     const html::Places& places) {
  return element(
      "div",
      {{"class", "panel"}, {"id", "found"}, {"tabindex", -1}, {"data-line", finding.where.line}},
      tag("p", "headline fault", html::linked(picture.headline, places)), finding_svg(picture),
      html::explanation(explain::fix_lines(finding.fix), places));
}

Markup mismatch_panel(const grade::Mismatch& m, const html::Places& places) {
  const std::vector<std::string> told = explain::tell_mismatch(m);
  // The array to scale, but never too thin to see.
  const double rows = m.is_vector ? 1 : static_cast<double>(m.rows),
               columns = static_cast<double>(m.cols);
  const double scale = std::min(kWidth / 2 / columns, kWidth / 4 / rows);
  const double wide = std::max(24.0, columns * scale), tall = std::max(16.0, rows * scale);
  const double left = 60, top = 20;
  const double x = left + (static_cast<double>(m.col) + 0.5) / columns * wide,
               y = top + (m.is_vector ? 0.5 : (static_cast<double>(m.row) + 0.5) / rows) * tall;
  const std::string first = explain::element_text(m);
  const auto counted = [](Id id, std::uint64_t count) {
    return words::text(id, {{"count", std::to_string(count)}});
  };
  const Markup drawn =
      box("array", left, top, wide, tall) +
      element("circle", {{"class", "fault"}, {"cx", x}, {"cy", y}, {"r", 5.0}}) +
      label(left, 12, "start", "title",
            counted(m.is_vector ? Id::picture_elements : Id::picture_columns, m.cols)) +
      (m.is_vector ? Markup()
                   : label(left - 6, top + tall / 2 + 4, "end", "title",
                           counted(Id::picture_rows, m.rows))) +
      label(left, top + tall + 15, "start", "place-word", first);
  const std::string headline =
      m.never_written ? words::text(Id::picture_should_be_written,
                                    {{"element", first}, {"expected", m.expected}})
                      : words::text(Id::picture_should_be,
                                    {{"element", first}, {"expected", m.expected}, {"got", m.got}});
  Markup more = element("p", {}, html::linked(told.front(), {}));
  for (std::size_t i = 2; i < told.size(); ++i)
    more += element("p", {}, html::linked(trim(told[i]), places));
  const auto line = m.stored && !m.never_written ? m.stored->where.line : 0;
  return element(
      "div", {{"class", "panel"}, {"id", "found"}, {"tabindex", -1}, {"data-line", line}},
      tag("p", "headline fault", headline),
      html::svg_picture(headline, "lanes-picture finding-picture", kWidth, top + tall + 20, drawn),
      tag("div", "told", more));
}

}  // namespace labkit::report
