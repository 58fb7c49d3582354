// What the tests on the fake driver (fake_cuda/) share.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/cuda_device.h"

namespace labkit::device {

/// PTX that declares these kernels; what they do, their names tell the fake driver.
inline std::string fake_ptx(const std::vector<std::string>& kernels,
                            const std::string& variables = {}) {
  std::string text = ".version 7.0\n.target sm_50\n.address_size 64\n" + variables;
  for (const std::string& kernel : kernels)
    text += ".visible .entry " + kernel +
            "(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n  ret;\n}\n";
  return text;
}

inline launch::Buffer buffer_of(const std::string& name, launch::Element element,
                                std::uint64_t count, launch::Fill fill, bool is_output) {
  launch::Buffer buffer;
  buffer.name = name;
  buffer.element = element;
  buffer.count = count;
  buffer.fill = fill;
  buffer.is_output = is_output;
  return buffer;
}

class FakeGpu : public testing::Test {
 protected:
  static constexpr std::int32_t kCount = 1000;

  void SetUp() override {
    std::string pattern = testing::TempDir() + "labkit-cuda-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    // What is known of the GPUs is kept by the driver's name: a test has its own.
    std::filesystem::create_symlink(LABKIT_FAKE_CUDA, directory_ / "libcuda.so");
    ::setenv("LABKIT_LIBCUDA", (directory_ / "libcuda.so").c_str(), 1);
    ::setenv("LABKIT_LIBNVML", (directory_ / "libcuda.so").c_str(), 1);
    ::setenv("LABKIT_LOCK_DIR", directory_.c_str(), 1);
    ::setenv("FAKE_CUDA_LOG", (directory_ / "log").c_str(), 1);
    ::unsetenv("FAKE_CUDA");
  }
  void TearDown() override {
    std::filesystem::remove_all(directory_);
    for (const char* name :
         {"LABKIT_LIBCUDA", "LABKIT_LIBNVML", "LABKIT_LOCK_DIR", "FAKE_CUDA_LOG", "FAKE_CUDA"})
      ::unsetenv(name);
  }
  static void fake(const std::string& settings) { ::setenv("FAKE_CUDA", settings.c_str(), 1); }

  /// A launch for each kernel, all in one module: int[kCount] in, iota, int[kCount] out, poisoned.
  static Plan plan_of(const std::vector<std::string>& kernels, bool timed = false,
                      const std::string& variables = {}) {
    Plan plan;
    plan.modules = {{.name = "kernel.cu", .ptx = fake_ptx(kernels, variables)}};
    plan.buffers = {buffer_of("in", launch::Element::i32, kCount, launch::Fill::iota, false),
                    buffer_of("out", launch::Element::i32, kCount, launch::Fill::poison, true)};
    for (const std::string& kernel : kernels) {
      PlannedLaunch planned;
      planned.launch = {
          .kernel = kernel,
          .entry = kernel,
          .grid = {4},
          .block = {256},
          .arguments = {launch::BufferRef{0}, launch::BufferRef{1}, launch::scalar(kCount)}};
      planned.want_time = timed;
      planned.wall_seconds = 0.3;
      plan.launches.push_back(planned);
    }
    if (timed) plan.repetition = {.warmups = 1, .min_samples = 5, .max_samples = 20};
    return plan;
  }
  static std::vector<Outcome> run(const Plan& plan) { return CudaDevice({}).run(plan); }

  static std::int32_t int_at(const Output& output, std::size_t i) {
    std::int32_t value = 0;
    std::memcpy(&value, output.bytes.data() + i * sizeof value, sizeof value);
    return value;
  }
  /// Did it run, and copy?
  static bool copied(const Outcome& outcome) {
    return outcome.completed && outcome.outputs.size() == 1 && outcome.outputs[0].buffer == 1 &&
           outcome.outputs[0].bytes.size() == kCount * sizeof(std::int32_t) &&
           int_at(outcome.outputs[0], 0) == 0 &&
           int_at(outcome.outputs[0], kCount - 1) == kCount - 1;
  }
  static Error error_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error;
    }
    return Error("no error");
  }
  /// The kernels that the fake driver ran, in order; hashing, contexts and unloading are left out.
  std::vector<std::string> log() const {
    std::ifstream file(directory_ / "log");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
      if (line != "labkit_hash" && line != "context" && line != "unload") lines.push_back(line);
    return lines;
  }
  /// How often the fake driver wrote this line.
  std::ptrdiff_t logged(const std::string& what) const {
    std::ifstream file(directory_ / "log");
    std::ptrdiff_t count = 0;
    for (std::string line; std::getline(file, line);) count += line == what;
    return count;
  }

  std::filesystem::path directory_;
};

}  // namespace labkit::device
