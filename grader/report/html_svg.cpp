#include "report/html_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

Markup histogram(const Histogram& h) {
  constexpr double height = 102;
  const Scale x{.low = h.low, .high = h.high, .from = 26, .to = kWidth - 8};
  const double bottom = height - 26, top = h.y_title.empty() ? 16 : 22;
  std::vector<std::array<unsigned, std::size(kStandings)>> counts(std::max(h.bins, 1u));
  for (const Histogram::Sample& sample : h.samples) {
    if (!std::isfinite(sample.value)) continue;
    const double share = h.high > h.low ? (sample.value - h.low) / (h.high - h.low) : 0;
    const auto last = static_cast<double>(counts.size() - 1);
    // 0.3 in steps of 0.1 belongs to the fourth bin although 0.3 / 0.1 is a little below 3
    const double bin = std::floor(share * static_cast<double>(counts.size()) + 1e-9);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0, last))]
            [static_cast<std::size_t>(sample.standing)];
  }
  unsigned highest = 0;
  for (const auto& bin : counts)
    highest = std::max(highest, std::accumulate(bin.begin(), bin.end(), 0u));
  const Scale y{.low = 0, .high = std::max(1.0, double(highest)), .from = bottom, .to = top};
  Markup inside;
  for (const double tick : round_ticks(0, y.high, 2)) {
    if (tick != std::floor(tick)) continue;
    inside += svg_line("grid", x.from, y(tick), x.to, y(tick));
    inside += svg_words(x.from - 4, y(tick) + 3.5, "end", tick_text(tick));
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double from = h.low + (h.high - h.low) * double(i) / double(counts.size());
    const double to = h.low + (h.high - h.low) * double(i + 1) / double(counts.size());
    unsigned below = 0;
    Markup bars;
    for (const Standing standing : kStandings) {
      const unsigned count = counts[i][static_cast<std::size_t>(standing)];
      if (count == 0) continue;
      const double high = y(below + count), low = y(below);
      bars +=
          svg_bar(standing, x(from) + 0.5, high, std::max(x(to) - x(from) - 1, 0.5), low - high);
      below += count;
    }
    if (below > 0)
      inside += element(
          "g", {},
          element("title", {}, fmt::format("{} to {}: {}", tick_text(from), tick_text(to), below)),
          bars);
  }
  inside += svg_line("axis", x.from, bottom, x.to, bottom);
  for (const double tick : round_ticks(h.low, h.high, 5)) {
    inside += svg_line("axis", x(tick), bottom, x(tick), bottom + 3);
    inside += svg_words(x(tick), bottom + 13, "middle", tick_text(tick));
  }
  inside += svg_words(x.to, bottom + 24, "end", h.x_title);
  inside += svg_words(0, 9, "start", h.y_title);
  return svg_picture(h.label, "chart", kWidth, height, inside);
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

Markup stacked_bar(const std::string& label, const std::vector<Share>& shares) {
  double total = 0;
  for (const Share& share : shares) total += share.count;
  if (total <= 0) return {};
  Markup inside;
  double at = 0;
  for (const Share& share : shares) {
    if (share.count <= 0) continue;
    const double wide = share.count / total * 100;
    inside += svg_bar(share.standing, at, 0, wide, 8);
    at += wide;
  }
  return element("svg",
                 {{"class", "stack"},
                  {"viewBox", "0 0 100 8"},
                  {"preserveAspectRatio", "none"},
                  {"role", "img"},
                  {"aria-label", label}},
                 inside);
}

}  // namespace labkit::report::html
