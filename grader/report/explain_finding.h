// The picture of a finding as SVG: the lanes at fault, the line, the place in memory or the barrier. Private to report/.
#pragma once
#include "explain/finding_picture.h"
#include "grade/result.h"
#include "report/html.h"
#include "report/html_parts.h"

namespace labkit::report {

/// Its picture, drawn without a script.
html::Markup finding_svg(const explain::FindingPicture& picture);

/// The panel that stands where the lanes of an access would: headline, picture and Fix.
html::Markup finding_panel(const launch::Finding& finding, const explain::FindingPicture& picture,
                           const html::Places& places);

/// The same of a wrong result: where in its array the first wrong element lies.
html::Markup mismatch_panel(const lab::Mismatch& mismatch, const html::Places& places);

}  // namespace labkit::report
