// The registers of every solution that compiles, as ptxas counts them and as they are estimated where there is none, and the
// warps an SM of an H200 holds with either in the labs' graded launches. Needs NVRTC.
//   registers_table [LAB...]
// 2026-11-22, NVRTC 13.0: of 492 kernels 98 are estimated exactly, 383 within 8; of 530 graded launches 21 would have another
// number of warps an SM, and none another verdict (LABKIT_PTXAS=off labkit lab check). What is off most loads early what the PTX
// loads late, or late what it loads early.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "grade/manifest.h"
#include "grade/prepare.h"
#include "simt/machine.h"
#include "timing/timing.h"

using namespace labkit;

namespace {

struct Sums {
  int kernels = 0, exact = 0, near = 0, launches = 0, other_occupancy = 0;
};

std::uint32_t warps(const launch::Dim3& block, std::uint32_t registers, bool estimated,
                    std::uint64_t shared_bytes) {
  timing::Activity activity;
  activity.grid = {1 << 20, 1, 1};
  activity.block = block;
  activity.registers_per_thread = registers;
  activity.registers_estimated = estimated;
  activity.shared_bytes_per_block = shared_bytes;
  const timing::GpuProfile& gpu = timing::find_profile("h200");
  return timing::occupancy(timing::with_registers_that_fit(activity, gpu), gpu).warps_per_sm;
}

void print_file(const grade::Manifest& manifest, const std::filesystem::path& file, Sums& sums) {
  const grade::Submission submission =
      grade::prepare(manifest, file, {}, {.compile_untouched = true});
  if (!submission.build.module.parsed || submission.build.module.assembled.by.empty()) {
    if (submission.build.module.parsed)
      std::printf("%-5s %-34s %s\n", manifest.id.c_str(), file.filename().c_str(),
                  submission.build.module.assembled.why_not.c_str());
    return;
  }
  for (const auto& [expression, entry] : submission.build.entries) {
    const simt::DecodeResult decoded = simt::decode(*submission.build.module.parsed, entry);
    if (!decoded.program) continue;
    const simt::ProgramFacts& facts = simt::facts(*decoded.program);
    const std::uint32_t estimate = facts.estimated_registers;
    const std::uint32_t counted = submission.build.module.assembled.kernels.at(entry).registers;
    ++sums.kernels;
    sums.exact += estimate == counted;
    sums.near += std::max(estimate, counted) - std::min(estimate, counted) <= 8;
    std::string others;
    for (const grade::Test& test : manifest.tests) {
      if (!test.is_graded || manifest.kernel_of(expression)->name != test.kernel) continue;
      ++sums.launches;
      const std::uint32_t with = warps(test.block, counted, false, facts.static_shared_bytes),
                          without = warps(test.block, estimate, true, facts.static_shared_bytes);
      if (with == without) continue;
      ++sums.other_occupancy;
      others += "  " + test.name + ": " + std::to_string(with) + " warps an SM, " +
                std::to_string(without) + " with the estimate";
    }
    std::printf("%-5s %-34s %-28s %5u %5u%s\n", manifest.id.c_str(),
                (file.parent_path().filename() / file.filename()).c_str(), expression.c_str(),
                counted, estimate, others.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path root = LABKIT_SOURCE_DIR;
  Sums sums;
  std::printf("%-5s %-34s %-28s %5s %5s\n", "lab", "file", "kernel", "ptxas", "estimate");
  for (const grade::Manifest& manifest : grade::find_labs(root)) {
    if (argc > 1 && std::find(argv + 1, argv + argc, manifest.id) == argv + argc) continue;
    std::vector<std::filesystem::path> files;
    for (const char* kind : {"correct", "wrong"})
      for (const auto& each :
           std::filesystem::directory_iterator(root / "solutions" / manifest.folder / kind))
        if (each.path().extension() == ".cu") files.push_back(each.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) print_file(manifest, file, sums);
  }
  std::printf(
      "%d kernels: %d estimated exactly, %d within 8; %d graded launches, %d with other "
      "warps an SM\n",
      sums.kernels, sums.exact, sums.near, sums.launches, sums.other_occupancy);
}
