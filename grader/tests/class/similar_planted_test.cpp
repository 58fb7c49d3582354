// Copies that somebody reworked as students do, among solutions that were written independently of one another. alike/README.md
// says where they come from.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/parallel.h"
#include "class/similar/similar.h"
#include "class_files.h"
#include "cli/paths.h"
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

struct Planted {
  std::size_t found = 0, copies = 0, honest = 0, accused = 0;
  std::string report;
};
/// `folders`: whose files of that lab make a class. A copy's name is that of its original, with `copy` for `original`.
void add_lab(const grade::Manifest& lab, const std::vector<fs::path>& files,
             const std::string& original, const std::string& copy, Planted& planted) {
  std::vector<SimilarSource> sources(files.size());
  in_parallel(files.size(), 1, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
      sources[i] = {files[i].parent_path().filename().string() + "/" + files[i].stem().string(),
                    read_file(files[i]),
                    {},
                    values_in(lab, files[i])};
  });
  KnownCode known = known_code(lab, kit_root());
  known.reference.values = values_in(lab, kit_root() / "solutions" / lab.folder / lab.reference);
  const auto is_copy = [&](const std::string& name) { return name.ends_with(copy); };
  for (const SimilarSource& source : sources) {
    EXPECT_FALSE(source.values.empty()) << source.student;
    planted.copies += is_copy(source.student);
    planted.honest += source.student.starts_with("independent/");
  }
  for (const SimilarPair& pair : similar_pairs(lab.id, sources, known)) {
    const auto stem = [](const std::string& name, const std::string& end) {
      return name.substr(0, name.size() - std::min(name.size(), end.size()));
    };
    planted.found += is_copy(pair.second) && pair.first.ends_with(original) &&
                     stem(pair.second, copy) == stem(pair.first, original);
    if (!pair.first.starts_with("independent/") || !pair.second.starts_with("independent/"))
      continue;
    ++planted.accused;
    planted.report += fmt::format("{}: {} and {}\n", lab.id, pair.first, pair.second);
  }
}

std::vector<fs::path> files_of(const std::string& folder, const std::string& lab) {
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(kit_root() / "grader/tests/class/alike" / folder))
    if (file.path().filename().string().starts_with(lab + "_")) files.push_back(file.path());
  std::ranges::sort(files);
  return files;
}

TEST(PlantedCopies, NineOfTenAreFoundAndOneOfThirtyIndependentSolutionsIsAccusedAtMost) {
  Planted planted;
  for (const grade::Manifest& lab : kit_labs()) {
    std::vector<fs::path> files = files_of("pairs", lab.id);
    for (const fs::path& file : files_of("independent", lab.id)) files.push_back(file);
    if (!files.empty()) add_lab(lab, files, "_a", "_b", planted);
  }
  EXPECT_GE(planted.copies, 12u);
  EXPECT_GE(planted.honest, 40u);
  EXPECT_GE(10 * planted.found, 9 * planted.copies);
  EXPECT_LE(30 * planted.accused, planted.honest) << planted.report;
  std::printf("%zu of %zu copies found, %zu pairs among %zu independent solutions:\n%s",
              planted.found, planted.copies, planted.accused, planted.honest,
              planted.report.c_str());
}

}  // namespace
}  // namespace labkit::course
