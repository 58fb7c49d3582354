// What answers that everybody may know of get in the graded tests, so that a figure can be told beside the reference's and a
// slow kernel's: labs/<lab>/figures.toml. It stands with the lab, because a student's kit has no solutions. Which answers
// are told is the author's choice; `labkit lab figures --write` fills in their figures, and `labkit lab check` sees that
// they are still so.
//
//   gpu = "h200"                        # whose times are predicted
//   [[test]]
//   name = "CornerTurning.Bandwidth"    # of lab.toml, graded
//     [[test.answer]]                   # in the order in which they are told
//     name = "naive"                    # what it is called; one of them is "reference"
//     file = "wrong/coalesced_read.cu"  # below solutions/<lab folder>/
//     counted = { store_sectors_per_request = 32, excess_global_sectors = 3670016 }   # exact
//     predicted = { ratio = 0.28 }      # by the time model
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/figures.h"
#include "grade/manifest.h"

namespace labkit::grade {

struct KnownAnswer {
  std::string name, file;
  Figures counted, predicted;
  std::optional<double> find(const std::string& figure) const;
  bool is_reference() const { return name == "reference"; }
};

struct KnownTest {
  std::string name;
  std::vector<KnownAnswer> answers;
};

struct KnownFigures {
  std::string gpu;
  std::vector<KnownTest> tests;
  /// Empty if nothing is known of that test.
  const std::vector<KnownAnswer>& of(std::string_view test) const;
};

std::filesystem::path known_figures_file(const Manifest& lab);
/// Nothing is known if there is no such file. Throws labkit::Error naming file and line if it is not as above, or names
/// tests that lab.toml does not grade.
KnownFigures load_known_figures(const Manifest& lab);
KnownFigures parse_known_figures(std::string_view text, const Manifest& lab,
                                 const std::string& name);
/// As TOML, to be read again.
std::string to_toml(const KnownFigures& known);

/// The figures of a graded test that are worth telling: those of its gates, and what its accesses cost a request. Ratios
/// and times, which are predicted, are rounded to what is told of them.
void record_figures(const Test& test, const Figures& figures, KnownAnswer& answer);

}  // namespace labkit::grade
