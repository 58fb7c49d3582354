// One page that explains: the verdict, the findings, the source with what each line costs, the lanes of every memory
// instruction, the figures against their gates, what sets the time. One file, as html_page.h says.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "grade/profile.h"
#include "grade/result.h"
#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::report {

/// What a figure is held against beside its gate.
struct Yardstick {
  std::optional<double> naive, ideal, reference;
  std::string naive_name = "naive";  ///< what that kernel is called: "unpadded"
};

// ---- what other pages of a result share

html::Standing standing_of(const grade::GateResult& gate);
/// "naive / yours / ideal / gate / reference", those that there are, as a picture and in words. Nothing where there is no figure.
html::Markup gate_picture(const grade::GateResult& gate, const Yardstick& yardstick);
/// `about` stands behind the finding's name.
html::Markup finding_item(const launch::Finding& finding, const html::Places& places,
                          const html::Markup& about = {});
/// The first thing to look at.
html::Markup begin_of(const grade::LabResult& result, const html::Places& places);
/// Of the tests that ran; `with_gates`: with every limit, and the first that failed is open.
html::Markup test_list(const grade::LabResult& result, const html::Places& places, bool with_gates);
/// A kernel's own words: quoted, never believed.
html::Markup printed_block(const std::string& printed);

struct ExplainOptions {
  std::string command;  ///< that makes the page again: "labkit explain lab3"
  std::string hint;     ///< that gives a hint: "labkit hint lab3"; "": none is spoken of
  std::string idea;     ///< of the lab, in a sentence
  std::map<std::string, Yardstick> yardsticks;  ///< "Suite.Test/figure"
};

/// Of the tests that ran. Launches are shown of those that have TestResult::detail.
std::string explain_html(const grade::LabResult& result, const ExplainOptions& options = {});

/// `source`: the text that was profiled.
std::string explain_html(const grade::Profile& profile, const std::string& source,
                         const ExplainOptions& options = {});

/// The source and the film of its warps alone, to stand in another page, as in an <iframe>. Empty without a film.
std::string film_html(const grade::Profile& profile, const std::string& source);

}  // namespace labkit::report
