// Labs against classes of defects: no hole without a reason. That each wrong solution gets its verdict, for its reason, is
// `labkit lab check`'s business, which is a test of each lab.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "explain/defect.h"
#include "grade/manifest.h"
#include "grade/source.h"

namespace labkit::cli {
namespace {

const std::filesystem::path kRoot = LABKIT_SOURCE_DIR;

std::map<std::string, std::string> wrong_sources(const grade::Manifest& lab) {
  std::map<std::string, std::string> sources;
  for (const auto& entry :
       std::filesystem::directory_iterator(kRoot / "solutions" / lab.folder / "wrong"))
    if (entry.path().extension() == ".cu")
      sources[entry.path().filename().string()] = read_file(entry.path());
  return sources;
}

TEST(WrongMatrix, EveryClassHasASolutionOrAReason) {
  const grade::WrongClasses classes = grade::load_wrong_classes(kRoot);
  const auto labs = grade::find_labs(kRoot);
  ASSERT_EQ(classes.names.size(), 11u);
  for (const auto& [id, reasons] : classes.does_not_fit)
    EXPECT_TRUE(std::any_of(labs.begin(), labs.end(),
                            [&, id = id](const auto& lab) { return lab.id == id; }))
        << "no lab is called " << id;
  for (const grade::Manifest& lab : labs) {
    if (!lab.tests.front().next.empty()) continue;  // puzzles, of one expression each
    const auto found = grade::by_class(classes, wrong_sources(lab));
    const auto reasons = classes.does_not_fit.find(lab.id);
    for (const std::string& name : classes.names) {
      const bool excused = reasons != classes.does_not_fit.end() && reasons->second.contains(name);
      EXPECT_NE(excused, found.contains(name)) << lab.id << ": " << name;
    }
  }
}

TEST(WrongMatrix, EveryWrongSolutionSaysWhatItIs) {
  for (const grade::Manifest& lab : grade::find_labs(kRoot))
    for (const auto& [name, source] : wrong_sources(lab)) {
      const std::string who = lab.id + "/" + name;
      const auto verdict = grade::declared_verdict(source),
                 defect = grade::declared(source, "defect");
      ASSERT_TRUE(verdict && defect) << who;
      EXPECT_TRUE(explain::is_defect_id(*defect)) << who;
      const grade::Verdict kind = grade::verdict_from_text(*verdict);
      if (kind.kind == "gate") {
        // a ratio that is missed may have its reason in what costs most
        const bool is_reason =
            kind.gate == "ratio" && (*defect == "gate.barriers" || *defect == "gate.atomics");
        if (*defect != "gate.moved_again" && !is_reason) {
          EXPECT_EQ(*defect, "gate." + kind.gate) << who;
        }
        continue;
      }
      // what a finding is about has a line; what only the result shows may have one, of the store. A wrong result may have
      // its reason in a finding that by itself is a warning, and anything in a statement that does nothing.
      const std::string about = defect->substr(0, defect->find('.'));
      const bool is_finding = about == "race" || about == "out_of_bounds" ||
                              about == "uninitialized" || about == "barrier";
      EXPECT_TRUE(about == kind.kind || about == "no_effect" ||
                  (kind.kind == "wrong_result" && is_finding))
          << who;
      const bool is_marked = !grade::marked_lines(source).empty();
      EXPECT_TRUE(is_marked || !(is_finding || about == "no_effect")) << who;
    }
}

}  // namespace
}  // namespace labkit::cli
