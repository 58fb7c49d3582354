// What a page that explains shows, made once from a lab's result or a profile and laid out by the files explain_*.cpp.
// Private to report/.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explain/finding_picture.h"
#include "grade/result.h"
#include "launch/launch.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/html_source.h"

namespace labkit::report {

/// One launch with what is known of its accesses.
struct LaunchView {
  std::string name;   ///< "CornerTurning.Bandwidth", or the kernel's
  std::string words;  ///< "corner_turn<float>, rows = 2048, ..."
  launch::Dim3 grid, block;
  std::shared_ptr<const lab::LaunchDetail> detail;  ///< never null
  const lab::TestResult* test = nullptr;            ///< whose it is, if a lab's
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
  std::optional<Fault> fault;             ///< the first error, if it has lanes to show
  std::optional<lab::Mismatch> mismatch;  ///< else the first wrong array, if that is the verdict
  /// What its lines cost is for later then.
  bool is_wrong() const { return fault || mismatch; }
  std::string without_figures;  ///< the test that is told first, where `launches` has none of it
  std::size_t first = 0;        ///< the launch to begin with, if there are any
  html::Places places;          ///< how words lead to lines of the listing
};

inline constexpr char kListing[] = "source";  ///< its id

}  // namespace labkit::report
