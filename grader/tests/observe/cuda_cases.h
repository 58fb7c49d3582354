// Kernels of data/*.cu, as NVRTC makes PTX of them in both builds, under all checks.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "all_found.h"
#include "kernel_rows.h"
#include "observe/checks.h"

namespace labkit::observe::test {

/// "updates" -> the file of the optimised build, or of -G.
inline std::string ptx_name(const std::string& source, bool debug) {
  return source + (debug ? "_debug" : "") + "_nvrtc_13.0.ptx";
}

/// By default 2 blocks of 64 threads, on `in` and `out`, 128 elements each, and a number if there is a third parameter.
inline CheckedRun check_cuda(const std::string& source, bool debug, const std::string& kernel,
                             const std::vector<std::uint32_t>& in, bool out_is_written,
                             int number = 32, unsigned threads = 1, launch::Dim3 grid = {2, 1, 1},
                             launch::Dim3 block = {64, 1, 1}) {
  const auto module = read_module(ptx_name(source, debug));
  const ptx::Function* entry = nullptr;
  for (const auto& function : module.functions)
    if (function.is_entry &&
        function.name.find(std::to_string(kernel.size()) + kernel) != std::string::npos)
      entry = &function;
  EXPECT_NE(entry, nullptr) << kernel;
  if (entry == nullptr) return {};
  const auto decoded = simt::decode(module, entry->name);
  EXPECT_NE(decoded.program, nullptr) << kernel;
  if (decoded.program == nullptr) return {};
  simt::Memory memory;
  std::vector<std::byte> contents(128 * 4);
  std::memcpy(contents.data(), in.data(), std::min(contents.size(), in.size() * 4));
  const std::uint64_t addresses[] = {
      memory.allocate("in", contents, true),
      memory.allocate(
          "out", std::vector<std::byte>(128 * 4, out_is_written ? std::byte{0} : launch::kPoison),
          out_is_written)};
  std::vector<std::byte> parameters(sizeof addresses + (entry->parameters.size() > 2 ? 4 : 0));
  std::memcpy(parameters.data(), addresses, sizeof addresses);
  if (parameters.size() > sizeof addresses)
    std::memcpy(parameters.data() + sizeof addresses, &number, sizeof number);
  launch::Launch launch;
  launch.kernel = kernel;
  launch.entry = entry->name;
  launch.grid = grid;
  launch.block = block;
  simt::RunOptions options;
  options.threads = threads;
  auto before = memory.save();
  auto result = run_checked(*decoded.program, launch, parameters, memory, options);
  memory.restore(std::move(before));
  expect_all_found(result, *decoded.program, launch, parameters, memory, options);
  return result;
}

inline std::string words_of(const CheckedRun& run) {
  std::string text;
  for (const auto& finding : run.findings)
    text += std::string(finding.severity == launch::Severity::error ? "error" : "warning") + " " +
            std::string(launch::name_of(finding.kind)) + ": " + dump(finding) + "\n\n";
  return text;
}

}  // namespace labkit::observe::test
