// Copies that somebody reworked as students do, among solutions that were written independently of one another. alike/README.md
// says where they come from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/files.h"
#include "base/parallel.h"
#include "class/similar/similar.h"
#include "class_files.h"
#include "cli/paths.h"
#include "compile/compile.h"
#include "grade/grading.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

const fs::path& kit_root() {
  static const fs::path the_kit = LABKIT_SOURCE_DIR;
  return the_kit;
}

/// As a class's worker reads it.
std::map<std::string, std::string> values_in(const grade::Manifest& lab, const fs::path& file) {
  grade::Grading grading =
      grade::start_grading(lab, {.file = file, .cache_directory = cli::cache_directory()},
                           device::make_devices("sim", {.threads = 1}));
  return grade::computed_values(grading);
}

const fs::path kAlike = "grader/tests/class/alike";

/// Names -> files. Those of `folder` that are of the lab.
using Files = std::map<std::string, fs::path>;
Files files_of(const fs::path& folder, const std::string& lab) {
  Files files;
  for (const auto& file : fs::directory_iterator(kit_root() / folder))
    if (file.path().filename().string().starts_with(lab))
      files[folder.filename() / file.path().stem()] = file.path();
  return files;
}

std::vector<SimilarSource> read_all(const grade::Manifest& lab, const Files& files) {
  std::vector<SimilarSource> sources;
  for (const auto& [name, file] : files) sources.push_back({name, read_file(file), {}, {}});
  in_parallel(files.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      sources[i].values = values_in(lab, files.at(sources[i].student));
  });
  for (const SimilarSource& source : sources) EXPECT_FALSE(source.values.empty()) << source.student;
  return sources;
}

Files solutions_of(const grade::Manifest& lab) {
  return files_of(fs::path("solutions") / lab.folder / "correct", "");
}

/// As a teacher sees them.
std::set<std::pair<std::string, std::string>> listed(const grade::Manifest& lab, const Files& files,
                                                     const Files& solutions) {
  const std::vector<SimilarSource> sources = read_all(lab, files);
  const KnownCode known = {known_code(lab).stub, read_all(lab, solutions)};
  std::set<std::pair<std::string, std::string>> pairs;
  for (const SimilarPair& pair : similar_pairs(lab.id, sources, known))
    pairs.insert({pair.first, pair.second});
  return pairs;
}

/// Set of pairs -> independent solutions of its labs, in one class with them.
using Sets = std::map<std::string, std::string>;

/// `labs`: only of these; none: of all.
void expect_found(const Sets& sets, const std::set<std::string>& labs, std::size_t all_copies,
                  std::size_t least_honest) {
  std::size_t copies = 0, found = 0, honest = 0, accused = 0, beside_copies = 0;
  std::string report;
  for (const auto& [set, independent] : sets)
    for (const grade::Manifest& lab : kit_labs()) {
      if (!labs.empty() && !labs.contains(lab.id)) continue;
      const Files planted = files_of(kAlike / set, lab.id);
      if (planted.empty()) continue;
      Files files = files_of(kAlike / independent, lab.id);
      honest += files.size();
      files.insert(planted.begin(), planted.end());
      const auto pairs = listed(lab, files, solutions_of(lab));
      for (const auto& [name, file] : planted) {
        if (!name.ends_with("_a")) continue;
        ++copies;
        const bool is_found = pairs.contains({name, name.substr(0, name.size() - 1) + "b"});
        found += is_found;
        if (!is_found) report += fmt::format("{} is not found\n", name);
      }
      for (const auto& [first, second] : pairs) {
        if (first.substr(0, first.size() - 1) == second.substr(0, second.size() - 1) &&
            planted.contains(first))
          continue;
        ++(planted.contains(first) || planted.contains(second) ? beside_copies : accused);
        report += fmt::format("{} and {} are listed\n", first, second);
      }
    }
  EXPECT_EQ(copies, all_copies);
  EXPECT_GE(honest, least_honest);
  const bool is_clang = compile::find_compiler().is_clang;
  EXPECT_GE(10 * found, (is_clang ? 5 : 7) * copies) << report;
  EXPECT_LE(30 * accused, (is_clang ? 3 : 1) * honest) << report;
  EXPECT_LE(15 * (accused + beside_copies), (is_clang ? 3 : 1) * honest) << report;
  std::printf("%zu of %zu copies found; %zu pairs among %zu independent solutions, ", found, copies,
              accused, honest);
  std::printf("%zu of one and a copy or its original:\n%s", beside_copies, report.c_str());
}

TEST(PlantedCopies, OfTwoLabsAreFoundAndHardlyAnyIndependentSolutionsAreListed) {
  expect_found({{"pairs3", "independent"}}, {"lab5", "lab6"}, 4, 20);
}

/// For the label `long`.
TEST(PlantedCopies, DISABLED_OfAllSetsAreFoundAndHardlyAnyIndependentSolutionsAreListed) {
  expect_found({{"pairs", "independent"},
                {"pairs2", "independent"},
                {"pairs3", "independent"},
                {"pairs4", "independent4"}},
               {}, 46, 100);
}

TEST(PlantedCopies, OfTheKitsSolutionsAreFoundAmongTheOthers) {
  std::size_t copies = 0, found = 0;
  for (const grade::Manifest& lab : kit_labs()) {
    const Files planted = files_of(kAlike, lab.id);
    if (planted.empty()) continue;
    Files files = solutions_of(lab);
    files.insert(planted.begin(), planted.end());
    const auto pairs = listed(lab, files, {});
    for (const auto& [copy, file] : planted) {
      ++copies;
      found += pairs.contains({copy, "correct/" + copy.substr(copy.find('_') + 1)});
    }
  }
  EXPECT_EQ(copies, 10u);
  EXPECT_GE(found, compile::find_compiler().is_clang ? 8u : 9u);
}

}  // namespace
}  // namespace labkit::course
