// Small charts as SVG inside a page: every colour comes from the page's style by class, so that they
// follow it into the dark and onto paper. Each says what it shows in words too.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::report::html {

/// Maps values to places along an axis.
struct Scale {
  double low = 0, high = 1;  ///< values
  double from = 0, to = 1;   ///< places, in the picture's units
  double operator()(double value) const;
};

/// At most `most` + 1 round values (1, 2, 2.5 or 5 times a power of ten apart) from low to high.
std::vector<double> round_ticks(double low, double high, unsigned most);
/// "0.25", "1", "40k", "3.7M": for axes.
std::string tick_text(double value);

// Pieces of a picture; `kind` is a class of the style.
Markup svg_line(const char* kind, double x1, double y1, double x2, double y2);
/// `anchor`: "start", "middle" or "end".
Markup svg_words(double x, double y, const char* anchor, std::string_view words);
/// The whole of it; `label` says what it shows.
Markup svg_picture(std::string_view label, const char* kind, double width, double height,
                   const Markup& inside);

/// "naive / yours / ideal / gate / reference" along one axis.
struct Bullet {
  std::string label;
  double value = 0;
  std::optional<std::pair<double, double>> interval;  ///< of a measured value
  double gate = 0;
  bool is_minimum = true;
  std::optional<double> reference;
  std::optional<double> naive = {}, ideal = {};
  Standing standing = Standing::pass;
};
Markup bullet(const Bullet& bullet);

}  // namespace labkit::report::html
