// The sections of a page that explains, and the page around them. Private to report/.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "report/explain_html.h"
#include "report/explain_view.h"
#include "words/render.h"

namespace labkit::report {

/// Nothing where `inside` is empty.
html::Markup section(const char* id, words::Id title, const html::Markup& inside);
html::Places places_of(const std::string& file, const std::string& source);
html::Markup begin_section(const std::string& kind, const html::Markup& inside);
/// The source, and beside it the lanes or what was found.
html::Markup lines_section(const ExplainView& view);
/// Gates, time and counters.
html::Markup launch_sections(const ExplainView& view, const ExplainOptions& options,
                             const std::string& gpu);

/// What the page has reported already: another test finds the same fault again, at other addresses.
using Reported = std::set<
    std::tuple<launch::FindingKind, launch::Severity, std::string, std::uint32_t, std::uint32_t>>;
/// False if it was reported.
bool add(Reported& reported, const launch::Finding& finding);
html::Markup findings_list(const std::vector<launch::Finding>& findings, const html::Places& places,
                           const std::string& about, Reported& reported);
html::Markup findings_section(words::Id title, const html::Markup& list);

/// Beside what is wrong, remarks on mere slowness would only distract.
void erase_slow_marks(ExplainView& view);
/// The first error becomes what the page begins with.
void set_fault(ExplainView& view, const std::vector<launch::Finding>& findings,
               const launch::Dim3& block);
/// What was found, in two lines that are enough to fix it; what else is known of it can be opened.
html::Markup describe_fault(const Fault& fault, const grade::TestResult* test,
                            const std::vector<std::string>& all, const html::Places& places,
                            const html::Markup& quoted = {});

html::Markup top(const std::string& eyebrow, const std::string& title, html::Standing standing,
                 const std::string& verdict, const std::string& below);
html::Markup footer_of(const ExplainOptions& options, const std::string& device,
                       const std::string& compiler);
/// A class name for the page: beside what is wrong, slowness is drawn in grey.
std::string kind_of(const ExplainView& view);
std::string page_of(const std::string& title, const html::Markup& head, const std::string& kind,
                    const html::Markup& main, const html::Markup& footer);

}  // namespace labkit::report
