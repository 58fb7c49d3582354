#include "report/html_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace labkit::report::html {
namespace {

constexpr double kWidth = 320;

Markup svg_rect(const std::string& kind, double x, double y, double width, double height) {
  return element("rect",
                 {{"class", kind}, {"x", x}, {"y", y}, {"width", width}, {"height", height}});
}
Markup svg_bar(Standing standing, double x, double y, double width, double height) {
  return svg_rect("bar " + std::string(name_of(standing)), x, y, width, height);
}
Markup diamond(double x, double y, double r) {
  return element("path",
                 {{"class", "reference"},
                  {"d", fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}z", x,
                                    y - r, r, r, -r, r, -r, -r)}});
}
}  // namespace

Markup svg_line(const char* kind, double x1, double y1, double x2, double y2) {
  return element("line", {{"class", kind}, {"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}});
}
Markup svg_words(double x, double y, const char* anchor, std::string_view words) {
  return element("text", {{"x", x}, {"y", y}, {"text-anchor", anchor}}, words);
}
Markup svg_picture(std::string_view label, const char* kind, double width, double height,
                   const Markup& inside) {
  return element("svg",
                 {{"class", kind},
                  {"viewBox", fmt::format("0 0 {:.0f} {:.0f}", width, height)},
                  {"width", width},
                  {"height", height},
                  {"role", "img"},
                  {"aria-label", label}},
                 inside);
}

double Scale::operator()(double value) const {
  if (high <= low) return from;
  return from + (std::clamp(value, low, high) - low) / (high - low) * (to - from);
}

std::vector<double> round_ticks(double low, double high, unsigned most) {
  if (!(high > low) || most == 0 || !std::isfinite(low) || !std::isfinite(high)) return {low};
  const double span = high - low, least = span / most;
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  double step = 0;
  for (const double factor : {10.0, 5.0, 2.5, 2.0, 1.0})
    if (decade * factor >= least * (1 - 1e-9)) step = decade * factor;
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + span * 1e-9; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::string tick_text(double value) {
  const double size = std::fabs(value);
  if (size < 1e-12) return "0";
  if (size >= 1e9) return fmt::format("{:.3g}G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (size >= 1e4) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

Markup bullet(const Bullet& b) {
  const double high = std::max({b.value, b.gate, b.reference.value_or(0), b.naive.value_or(0),
                                b.ideal.value_or(0), b.interval ? b.interval->second : 0});
  const Scale x{.low = 0, .high = high > 0 ? high * 1.12 : 1, .from = 4, .to = kWidth - 4};
  const double top = 5, thick = 12, middle = top + thick / 2, bottom = top + thick;
  const double gate = x(b.gate);
  Markup inside;
  const auto band = [&](const char* kind, double from, double to) {
    return svg_rect(kind, from, top, std::max(to - from, 0.0), thick);
  };
  inside += band("track", x.from, x.to);
  inside += b.is_minimum ? band("allowed", gate, x.to)
                         : band("allowed", x.from, std::max(gate, x.from + 2));
  inside += svg_bar(b.standing, x.from, top + 3, std::max(x(b.value) - x.from, 0.0), thick - 6);
  if (b.interval) {
    inside += svg_line("whisker", x(b.interval->first), middle, x(b.interval->second), middle);
    for (const double end : {b.interval->first, b.interval->second})
      inside += svg_line("whisker", x(end), middle - 4, x(end), middle + 4);
  }
  inside += svg_line("gate", gate, top - 4, gate, bottom + 4);
  if (b.naive)
    inside += element(
        "path",
        {{"class", "naive"},
         {"d", fmt::format("M{0:.1f} {1:.1f}l7 7m0 -7l-7 7", x(*b.naive) - 3.5, middle - 3.5)}});
  if (b.ideal)
    inside +=
        element("path", {{"class", "ideal"},
                         {"d", fmt::format("M{:.1f} {:.1f}l4 6h-8z", x(*b.ideal), bottom - 1)}});
  if (b.reference) inside += diamond(x(*b.reference), middle, 4.5);
  for (const double tick : round_ticks(x.low, x.high, 4)) {
    const bool edge = x(tick) < 12;
    inside +=
        svg_words(edge ? x.from : x(tick), bottom + 15, edge ? "start" : "middle", tick_text(tick));
  }
  return svg_picture(b.label, "bullet", kWidth, bottom + 19, inside);
}

}  // namespace labkit::report::html
