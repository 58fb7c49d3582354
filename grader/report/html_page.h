// The shell of a page: one file that needs nothing else, opens from a folder, and forbids itself to
// load or run anything but its own style and script (Content-Security-Policy with their hashes, so
// that markup which slipped in would stay dead).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/html.h"

namespace labkit::report::html {

struct Page {
  std::string title;                      ///< any text
  std::vector<std::string_view> styles;   ///< of assets()
  std::vector<std::string_view> scripts;  ///< of assets()
  Markup body;
};

/// The whole document. Throws std::logic_error if a style or script is not fit to stand in one.
std::string page_text(const Page& page);

/// The kit's own files of grader/report/html/, built in.
struct Assets {
  std::string_view base_css, class_css, student_css, explain_css, film_css, base_js, class_js,
      pictures_js, film_js, explain_js;
};
const Assets& assets();

}  // namespace labkit::report::html
