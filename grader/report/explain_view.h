// What a page that explains shows, made once from a lab's result or a profile and laid out by the files explain_*.cpp.
// Private to report/.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explain/finding_picture.h"
#include "explain/lane_picture.h"
#include "explain/roofline.h"
#include "grade/result.h"
#include "launch/launch.h"
#include "report/explain_html.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/html_source.h"

namespace labkit::report {

/// One launch with what is known of its accesses.
struct LaunchView {
  std::string name;        ///< "CornerTurning.Bandwidth", or the kernel's
  std::string words = {};  ///< "corner_turn<float>, rows = 2048, ..."
  launch::Dim3 grid = {}, block = {};
  std::shared_ptr<const grade::LaunchDetail> detail;  ///< never null
  const grade::TestResult* test = nullptr;            ///< whose it is, if a lab's
};

/// What the page begins with where something was found: it comes before any figure.
struct Fault {
  launch::Finding finding;
  explain::FindingPicture picture;
};

struct ExplainView {
  std::string file;  ///< as lines are told of: "kernel.cu"
  std::string source;
  std::vector<html::LineMark> marks;
  std::vector<launch::Finding> findings;  ///< of all launches, shown here or not
  std::vector<LaunchView> launches;
  std::optional<Fault> fault;               ///< the first error, if it has lanes to show
  std::optional<grade::Mismatch> mismatch;  ///< else the first wrong array, if that is the verdict
  /// What its lines cost is for later then.
  bool is_wrong() const { return fault || mismatch; }
  std::string without_figures;  ///< the test that is told first, where `launches` has none of it
  std::string stopped;          ///< the same, where its film ends before the launch does
  std::size_t first = 0;        ///< the launch to begin with, if there are any
  html::Places places;          ///< how words lead to lines of the listing
};

inline constexpr char kListing[] = "source";  ///< its id

// ---- explain_source.cpp: choices, one of which is made; the source with, beside each line, what it costs; and the switch between the ways to count that

enum class Heat : std::uint8_t {
  sectors,     ///< global and local sectors beyond what the bytes need
  wavefronts,  ///< shared wavefronts beyond what the bytes need: bank conflicts
  traffic,     ///< share, 0 to 1, of what sets the time
};
inline constexpr Heat kHeats[] = {Heat::sectors, Heat::wavefronts, Heat::traffic};
/// "sectors", ...: part of class names.
std::string name_of(Heat heat);

struct LaunchHeat {
  std::map<std::uint32_t, double> lines[3];  ///< by Heat: line -> value, above 0
  std::string traffic;                       ///< what the share is of: "DRAM: global sectors"
  double total(Heat heat) const;
  const std::map<std::uint32_t, double>& of(Heat heat) const {
    return lines[static_cast<std::size_t>(heat)];
  }
};
/// Of the lines of `file` alone.
LaunchHeat heat_of(const grade::LaunchDetail& detail, const std::string& file);

html::Markup radio_choice(const char* name, const std::string& id, const std::string& value,
                          std::string_view words, bool checked);
html::Markup radio_group(const char* kind, const std::string& label, const html::Markup& choices);

html::Markup heat_switch(const ExplainView& view);
html::Markup heated_source(const ExplainView& view);

// ---- explain_lanes.cpp
//
// The lane pictures: the frame that the page's script draws into, what it draws from, and the same as text for a page
// whose scripts are off.
//
// What it draws from stands in attributes of hidden elements, as numbers and names, never as code:
//   .launch  data-index, data-grid and data-block ("64x64"), data-first (the access to begin with)
//   .range   data-name, data-space, data-begin, data-bytes, data-element (bytes; 0: not known)
//   .access  data-key, data-line, data-op, data-space, data-kind, data-worst: the worst access of the launch,
//            block,warp,execution,lanes in hexadecimal,bytes a lane,words,cost,ideal,first address,steps,said,element
//            where the first address is the lowest active lane's, and steps are the differences from each active
//            lane to the next, "4*31" for 31 of them; `said` are places in .phrases of its headline and its sentences,
//            as explain/ words them, and `element` that of what stands in them for "{}"
//   .phrases li, each once
//   .script-words li  data-name: what the scripts say, with the {parameters} of words/render.h
//   .film tr data-what ("access", "wait", "release", "exit", "stop"), data-block, data-warp, data-line, data-lanes (hexadecimal); of an
//            access data-key and data-sample, as data-worst; of a release data-filled, ranges of bytes ("0-128 256-384"); of
//            the two steps of a race data-race, the lanes at the raced place (hexadecimal)

/// By line of the source, data-key of its accesses: "0-3 0-4".
using KeysByLine = std::map<std::size_t, std::string>;
KeysByLine access_keys(const ExplainView& view);

/// The one to begin with: where something was found in this launch, or what a gate that it missed blames, or where
/// something was found in another (`findings`), or else what wastes most in the whole launch; nullopt without samples.
std::optional<std::size_t> worst_access(const LaunchView& launch,
                                        const std::vector<launch::Finding>& findings);

/// "1:3,4,4..." as above.
std::string encoded(const observe::WarpAccess& access);

/// The sentences of a page's pictures, each once: they differ mostly in an element's name alone, which stands apart.
class Phrases {
 public:
  std::size_t place_of(const std::string& phrase);
  std::size_t bytes() const { return bytes_; }
  html::Markup markup() const;

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> list_;
  std::size_t bytes_ = 0;
};
/// An access as in data-worst, with what is said of it.
std::string told(const explain::LanePicture& picture, Phrases& phrases);
std::string access_key(std::size_t launch, std::size_t access);
std::string_view space_name(ptx::Space space);

/// Frame, data and text; empty if no launch has samples.
html::Markup lane_pictures(const ExplainView& view);

// ---- explain_film.cpp: the film of a launch's warps: the frame of its player, and its steps as a table, which the script plays

html::Markup film_controls();
/// Empty without a film. `room`: bytes that the page has left.
html::Markup film_steps(const ExplainView& view, std::size_t launch, Phrases& phrases,
                        std::size_t& room);

// ---- explain_finding.cpp: the picture of a finding as SVG: the lanes at fault, the line, the place in memory or the barrier

/// Its picture, drawn without a script.
html::Markup finding_svg(const explain::FindingPicture& picture);

/// The panel that stands where the lanes of an access would: headline, picture and Fix.
html::Markup finding_panel(const launch::Finding& finding, const explain::FindingPicture& picture,
                           const html::Places& places);

/// The same of a wrong result: where in its array the first wrong element lies.
html::Markup mismatch_panel(const grade::Mismatch& mismatch, const html::Places& places);

// ---- explain_figures.cpp

/// Figures against their gates: the naive kernel's, the student's, the ideal, the reference's. Empty for a launch without gates.
html::Markup gate_ladders(const LaunchView& launch, const ExplainView& view,
                          const std::map<std::string, Yardstick>& yardsticks);

/// What sets a launch's time: the bounds of the prediction. `registers` may be missing.
html::Markup bound_bars(const timing::Prediction& prediction,
                        const std::optional<device::Registers>& registers);

/// The counters of a launch under Nsight Compute's names, each with what it means in a sentence.
html::Markup counter_table(const observe::LaunchCounters& counters);

// ---- explain_roofline.cpp: a launch under the roofs of a GPU

/// Chart and words; without arithmetic, whose point would lie at no intensity, its bandwidth against DRAM's.
html::Markup roofline_chart(const explain::Roofline& roofline);

}  // namespace labkit::report
