#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/text.h"
#include "explain/words.h"
#include "report/explain_view.h"
#include "report/html_svg.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using explain::Roof;
using html::element;
using html::Markup;
using html::tag;
using words::Id;

constexpr double kRoofWidth = 440, kHeight = 260, kLeft = 46, kRight = 428, kTop = 14,
                 kBottom = 214;

/// Both axes are logarithmic: decades.
struct Axes {
  html::Scale x, y;
  double across(double value) const { return x(std::log10(value)); }
  double up(double value) const { return y(std::log10(value)); }
};

/// "10^12" operations a second as "1 TFLOP/s".
std::string rate_text(double per_second) {
  return per_second >= 1e12 ? fmt::format("{:.3g} TFLOP/s", per_second / 1e12)
                            : fmt::format("{:.3g} GFLOP/s", per_second / 1e9);
}

double highest(const std::vector<Roof>& roofs) {
  return std::ranges::max(roofs, {}, &Roof::per_second).per_second;
}

Axes axes_of(const explain::Roofline& roofline) {
  const double top = std::max(roofline.flops_per_second, highest(roofline.peaks));
  const double ridge =
      highest(roofline.bandwidths) > 0 ? top / roofline.bandwidths.front().per_second : 1;
  const double low_x = std::min(roofline.intensity / 3, ridge / 100);
  const double high_x = std::max(roofline.intensity * 3, ridge * 8);
  const double low_y =
      std::min(roofline.flops_per_second / 4, low_x * roofline.bandwidths.front().per_second);
  return {
      .x = {.low = std::log10(low_x), .high = std::log10(high_x), .from = kLeft, .to = kRight},
      .y = {.low = std::log10(low_y), .high = std::log10(top * 2.2), .from = kBottom, .to = kTop}};
}

Markup grid(const Axes& axes) {
  Markup all;
  for (int decade = static_cast<int>(std::ceil(axes.x.low)); decade <= axes.x.high; ++decade) {
    const double x = axes.x(decade);
    all += html::svg_line("grid", x, kTop, x, kBottom);
    all += html::svg_words(x, kBottom + 14, "middle", html::tick_text(std::pow(10, decade)));
  }
  for (int decade = static_cast<int>(std::ceil(axes.y.low)); decade <= axes.y.high; ++decade) {
    const double y = axes.y(decade);
    all += html::svg_line("grid", kLeft, y, kRight, y);
    all += html::svg_words(kLeft - 5, y + 3.5, "end",
                           decade >= 12 ? fmt::format("{:g}T", std::pow(10, decade - 12))
                                        : fmt::format("{:g}G", std::pow(10, decade - 9)));
  }
  all += html::svg_line("axis", kLeft, kBottom, kRight, kBottom) +
         html::svg_line("axis", kLeft, kTop, kLeft, kBottom);
  all += html::svg_words(kRight, kBottom + 30, "end", words::row_of(Id::roof_axis));
  all += html::svg_words(2, 8, "start", "FLOP/s");
  return all;
}

/// A slanted roof as far as the highest flat one.
Markup slanted(const Roof& roof, double top, const Axes& axes, const char* kind) {
  const double low = std::max(std::pow(10, axes.x.low), std::pow(10, axes.y.low) / roof.per_second);
  const double high = std::min(std::pow(10, axes.x.high), top / roof.per_second);
  if (high <= low) return {};
  const double x = axes.across(low), y = axes.up(low * roof.per_second);
  const double to_x = axes.across(high), to_y = axes.up(high * roof.per_second);
  // The lowest roof is named below its line, those above it above theirs.
  const double at_x = x + 0.55 * (to_x - x), at_y = y + 0.55 * (to_y - y);
  const bool first = std::string_view(kind) == "roof";
  return html::svg_line(kind, x, y, to_x, to_y) +
         html::svg_words(first ? at_x + 7 : at_x - 7, first ? at_y + 11 : at_y - 4,
                         first ? "start" : "end", roof.name);
}

Markup flat(const Roof& roof, double bandwidth, const Axes& axes, const char* kind) {
  const double from = std::clamp(axes.across(roof.per_second / bandwidth), kLeft, kRight);
  const double y = axes.up(roof.per_second);
  return html::svg_line(kind, from, y, kRight, y) +
         html::svg_words(kRight - 2, std::string_view(kind) == "roof" ? y - 4 : y + 12, "end",
                         roof.name);
}

Markup chart(const explain::Roofline& roofline) {
  const Axes axes = axes_of(roofline);
  Markup inside = grid(axes);
  const double top = highest(roofline.peaks);
  for (const Roof& roof : roofline.bandwidths)
    inside += slanted(roof, top, axes, &roof == roofline.bandwidths.data() ? "roof" : "roof lower");
  for (const Roof& roof : roofline.peaks)
    inside += flat(roof, roofline.bandwidths.front().per_second, axes,
                   roof.per_second == top ? "roof" : "roof lower");
  const double x = axes.across(roofline.intensity), y = axes.up(roofline.flops_per_second);
  inside += html::svg_line("drop", x, axes.up(roofline.roof_flops_per_second), x, kBottom);
  inside += element("path", {{"class", "kernel-dot"},
                             {"d", fmt::format("M{:.1f} {:.1f}m-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 "
                                               "1 0 -11 0z",
                                               x, y)}});
  const bool left = x > kRoofWidth * 0.6;
  inside += element("text",
                    {{"class", "yours"},
                     {"x", left ? x - 9 : x + 9},
                     {"y", y + 4},
                     {"text-anchor", left ? "end" : "start"}},
                    words::row_of(Id::figure_yours));
  return element(
      "svg",
      {{"class", "chart roofline"},
       {"viewBox", fmt::format("0 0 {} {}", kRoofWidth, kHeight)},
       {"role", "img"},
       {"aria-label",
        words::text(Id::roof_chart, {{"rate", rate_text(roofline.flops_per_second)},
                                     {"intensity", explain::number(roofline.intensity)},
                                     {"roof", rate_text(roofline.roof_flops_per_second)}})}},
      inside);
}

/// What it moves a second of what DRAM could.
Markup bandwidth_bar(const explain::Roofline& roofline) {
  const double share = std::clamp(roofline.share_of_roof, 0.0, 1.0);
  return element(
      "svg",
      {{"class", "length bandwidth"},
       {"viewBox", "0 0 100 6"},
       {"preserveAspectRatio", "none"},
       {"role", "img"},
       {"aria-label",
        words::text(Id::roof_of_dram,
                    {{"percent", fmt::format("{:.0f}", 100 * roofline.share_of_roof)}})}},
      element("rect", {{"class", "track"}, {"width", 100}, {"height", 6}}),
      element("rect", {{"class", "bar pass"}, {"width", 100 * share}, {"height", 6}}));
}

}  // namespace

html::Markup roofline_chart(const explain::Roofline& roofline) {
  if (roofline.bandwidths.empty() || roofline.time_us <= 0) return {};
  const bool has_point =
      roofline.intensity > 0 && roofline.flops_per_second > 0 && !roofline.peaks.empty();
  Markup said;
  for (const std::string& sentence : roofline.words) said += element("p", {}, sentence);
  std::vector<std::string> roofs;
  for (const auto* list : {&roofline.bandwidths, &roofline.peaks})
    for (const Roof& roof : *list) roofs.push_back(fmt::format("{} ({})", roof.name, roof.basis));
  const Markup basis = tag("p", "dim",
                           words::text(Id::roof_basis, {{"gpu", roofline.gpu},
                                                        {"roofs", joined(roofs, "; ")},
                                                        {"traffic", roofline.bytes_basis}}));
  return element("h3", {}, words::row_of(Id::roof_title)) +
         element("figure", {}, has_point ? chart(roofline) : bandwidth_bar(roofline)) + said +
         basis;
}

}  // namespace labkit::report
