#include "class_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "grade/manifest.h"

namespace labkit::bench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  if (files.empty()) throw Error(folder.string() + " has no .cu");
  std::sort(files.begin(), files.end());
  std::vector<std::string> sources;
  sources.reserve(files.size());
  for (const fs::path& file : files) sources.push_back(read_file(file));
  return sources;
}

}  // namespace

std::size_t make_class_folder(const fs::path& folder, std::size_t students, std::uint64_t seed) {
  const fs::path root = LABKIT_SOURCE_DIR;
  const std::vector<grade::Manifest> labs = grade::find_labs(root);
  const std::vector<std::string> hostile = sources_in(root / "docker/sample_class/hostile");
  std::mt19937_64 random(seed);  // the standard says what it gives, on every machine
  std::size_t files = 0;
  for (const grade::Manifest& lab : labs) {
    const std::vector<std::string> correct =
        sources_in(root / "solutions" / lab.folder / "correct");
    const std::vector<std::string> wrong = sources_in(root / "solutions" / lab.folder / "wrong");
    const std::string stub = read_file(root / "labs" / lab.folder / "kernel.cu");
    for (std::size_t student = 0; student < students; ++student) {
      const std::uint64_t kind = random() % 100, which = random();
      std::string source = kind < 62   ? correct[which % correct.size()]
                           : kind < 92 ? wrong[which % wrong.size()]
                           : kind < 96 ? stub
                           : kind < 97 ? "__global__ void broken( {\n"
                           : kind < 98 ? hostile[which % hostile.size()]
                                       : "";
      if (source.empty()) continue;
      write_file_atomically(folder / fmt::format("s{:03}", student) / (lab.id + ".cu"),
                            fmt::format("// {} by student {} (made by a benchmark, {})\n{}", lab.id,
                                        student, seed, source));
      files += 1;
    }
  }
  return files;
}

}  // namespace labkit::bench
