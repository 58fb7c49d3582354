// Every golden file on every SIMD target of the simulator and, where there is one, on a GPU.
#include <gtest/gtest.h>

#include <cstring>

#include "golden_file.h"
#include "gpu.h"
#include "simt/machine.h"
#include "words/render.h"

namespace labkit::golden {
namespace {

std::filesystem::path path_of(const std::string& name) {
  return std::filesystem::path(LABKIT_GOLDEN_DIR) / (name + ".ptx");
}

std::vector<std::string> names_of_files() {
  std::vector<std::string> names;
  for (const auto& path : scan(LABKIT_GOLDEN_DIR)) names.push_back(path.stem().string());
  return names;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

std::string joined(const std::vector<launch::Finding>& findings) {
  std::vector<std::string> lines;
  for (const launch::Finding& finding : findings) lines.push_back(words::render(finding.evidence));
  return joined(lines);
}

/// Runs a file on one SIMD target; what stopped it goes to `problem`.
Outcome run_on_simulator(const GoldenFile& file, const simt::Program& program,
                         const std::string& simd, std::string& problem) {
  simt::Memory memory;
  launch::Launch launch;
  launch.kernel = launch.entry = "golden";
  launch.grid = {file.grid[0], file.grid[1], file.grid[2]};
  launch.block = {file.block[0], file.block[1], file.block[2]};
  launch.dynamic_shared_bytes = file.dynamic_shared_bytes;

  const std::vector<ptx::Parameter>& declared = simt::facts(program).parameters;
  if (declared.size() != file.parameters.size()) {
    problem = "the kernel has " + std::to_string(declared.size()) + " parameters, the file " +
              std::to_string(file.parameters.size());
    return {};
  }
  std::vector<std::byte> block(
      declared.empty() ? 0 : declared.back().offset_bytes + declared.back().size_bytes);
  Outcome contents;
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const Parameter& p = file.parameters[i];
    contents.push_back(p.initial_bytes());
    addresses.push_back(p.is_buffer() ? memory.allocate(p.name, contents[i]) : 0);
    const std::size_t bytes = p.is_buffer() ? sizeof addresses[i] : contents[i].size();
    if (bytes != declared[i].size_bytes) {
      problem = "parameter " + p.name + " has " + std::to_string(bytes) +
                " bytes, the kernel declares " + std::to_string(declared[i].size_bytes);
      return {};
    }
    std::memcpy(
        block.data() + declared[i].offset_bytes,
        p.is_buffer() ? reinterpret_cast<const std::byte*>(&addresses[i]) : contents[i].data(),
        bytes);
  }

  simt::RunOptions options;
  options.simd = simd;
  options.thread_instruction_budget = 50'000'000;
  const simt::RunResult result = simt::run(program, launch, block, memory, nullptr, options);
  if (!result.completed) {
    problem = "the launch was stopped:" + joined(result.findings);
    return {};
  }
  EXPECT_EQ(result.simd, simd);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!file.parameters[i].is_checked()) continue;
    const auto now = memory.contents(addresses[i]);
    contents[i].assign(now.begin(), now.end());
  }
  return contents;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, Simulator) {
  const GoldenFile file = read(path_of(GetParam()));
  ASSERT_FALSE(file.recorded.empty())
      << file.path << " was never recorded on a GPU; see golden_record";
  const ptx::ParseResult parsed = ptx::parse(file.text);
  ASSERT_TRUE(parsed.module) << file.path.string() << ":" << parsed.error.ptx_line << ": "
                             << parsed.error.message;
  const simt::DecodeResult decoded = simt::decode(*parsed.module, "golden");
  ASSERT_TRUE(decoded.program) << file.path.string() << ": refused:" << joined(decoded.refused);
  for (const std::string& simd : simt::simd_targets()) {
    std::string problem;
    const Outcome outcome = run_on_simulator(file, *decoded.program, simd, problem);
    if (problem.empty()) problem = joined(differences(file, outcome));
    EXPECT_TRUE(problem.empty()) << file.path.string() << " on " << simd << ": " << problem;
  }
}

TEST_P(Golden, Gpu) {
  static std::string why_not;
  static const std::unique_ptr<Gpu> gpu = Gpu::open(why_not);
  if (!gpu) GTEST_SKIP() << "not run on a GPU: " << why_not;
  const GoldenFile file = read(path_of(GetParam()));
  if (gpu->compute_capability() < file.target) {
    GTEST_SKIP() << "not run on " << gpu->name() << ": needs sm_" << file.target;
  }
  const std::vector<std::string> problems = differences(file, gpu->run(file));
  EXPECT_TRUE(problems.empty()) << file.path.string() << " on " << gpu->name() << ":"
                                << joined(problems);
}

INSTANTIATE_TEST_SUITE_P(Ptx, Golden, testing::ValuesIn(names_of_files()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace labkit::golden
