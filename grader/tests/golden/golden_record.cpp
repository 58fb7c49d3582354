// Fills in the expected words of golden files from the GPU of this machine:
//   golden_record DATE FILE.ptx...        e.g. golden_record "$(date +%F)"
//   grader/tests/golden/*.ptx
// Runs each file twice and refuses one whose results differ, then rewrites it in place. Exit code
// 0: all were recorded.
#include <cstdio>
#include <fstream>

#include "gpu.h"

namespace {

void record(labkit::golden::Gpu& gpu, const std::string& path, const std::string& date) {
  using namespace labkit::golden;
  const GoldenFile file = read(path);
  const Outcome first = gpu.run(file), second = gpu.run(file);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (file.parameters[i].is_checked() && first[i] != second[i])
      throw std::runtime_error(file.parameters[i].name + " differs between two runs");
  const std::string text =
      with_expected(file, first, gpu.name() + ", driver " + gpu.driver() + ", " + date);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!(out << text).flush()) throw std::runtime_error("cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: golden_record YYYY-MM-DD FILE.ptx...\n", stderr);
    return 2;
  }
  std::string why_not;
  const auto gpu = labkit::golden::Gpu::open(why_not);
  if (!gpu) {
    std::fprintf(stderr, "golden_record: %s\n", why_not.c_str());
    return 3;
  }
  int failed = 0;
  for (int i = 2; i < argc; ++i) {
    try {
      record(*gpu, argv[i], argv[1]);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", argv[i], error.what());
      ++failed;
    }
  }
  std::printf("%d recorded, %d failed\n", argc - 2 - failed, failed);
  return failed ? 1 : 0;
}
