// The lane pictures: the frame that the page's script draws into, what it draws from, and the same as text for a page
// whose scripts are off. Private to report/.
//
// What it draws from stands in attributes of hidden elements, as numbers and names, never as code:
//   .launch  data-index, data-grid and data-block ("64x64"), data-shown (the shown block, linear), data-warps (a block),
//            data-first (the access to begin with)
//   .range   data-name, data-space, data-begin, data-bytes, data-element (bytes; 0: not known)
//   .access  data-key, data-line, data-op, data-space, data-kind, data-executions, data-samples: accesses separated by ';',
//            the worst first, then those of the shown block; each
//            block,warp,execution,lanes in hexadecimal,bytes a lane,words,cost,ideal,first address,steps,said,element
//            where the first address is the lowest active lane's, and steps are the differences from each active
//            lane to the next, "4*31" for 31 of them; `said` are places in .phrases of its headline and its sentences,
//            as explain/ words them, and `element` that of what stands in them for "{}"
//   .phrases li, each once
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/explain_view.h"

namespace labkit::report {

/// Places of AccessSamples::instructions by source line of `file`.
using AccessesByLine = std::map<std::uint32_t, std::vector<std::size_t>>;
AccessesByLine accesses_by_line(const LaunchView& launch, const std::string& file);

/// The name of one of AccessSamples::instructions of one launch: "0-3".
std::string access_key(std::size_t launch, std::size_t access);

/// The one to begin with: where something was found in this launch, or what a gate that it missed blames, or where
/// something was found in another (`findings`), or else what wastes most in the whole launch; nullopt without samples.
std::optional<std::size_t> worst_access(const LaunchView& launch,
                                        const std::vector<launch::Finding>& findings);

/// "1:3,4,4..." as above.
std::string encoded(const observe::WarpAccess& access);

/// Frame, data and text; empty if no launch has samples.
html::Markup lane_pictures(const ExplainView& view);

}  // namespace labkit::report
