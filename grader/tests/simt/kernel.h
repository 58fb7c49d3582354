// A small PTX kernel, its buffers and its launch, for tests.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "simt/machine.h"
#include "tests/finding_words.h"

namespace labkit::simt::test {

using launch::all_words;
using launch::Cause;
using words::Id;
using words::Message;

inline constexpr const char* kHeader = ".version 7.8\n.target sm_90\n.address_size 64\n";

/// A kernel `k` with `parameters` 64-bit pointer parameters p0, p1, ... and a body. Registers %r<40> (32 bits), %d<20>
/// (64 bits), %f<20>, %p<20>, %h<10> are declared; %d0, %d1, ... hold the parameters, %r0 is tid.x.
inline std::string kernel_text(int parameters, const std::string& body,
                               const std::string& before = {}) {
  std::string text = kHeader + before + "\n.visible .entry k(";
  for (int n = 0; n < parameters; ++n)
    text += std::string(n == 0 ? "" : ", ") + ".param .u64 p" + std::to_string(n);
  text +=
      ")\n{\n.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .pred %p<20>; .reg .b16 "
      "%h<10>;\n";
  for (int n = 0; n < parameters; ++n)
    text += "ld.param.u64 %d" + std::to_string(n) + ", [p" + std::to_string(n) + "];\n";
  return text + "mov.u32 %r0, %tid.x;\n" + body + "\nret;\n}\n";
}

class Kernel {
 public:
  explicit Kernel(const std::string& text, const DecodeOptions& options = {}) {
    auto parsed = ptx::parse(text);
    if (!parsed.module) {
      ADD_FAILURE() << "PTX line " << parsed.error.ptx_line << ": " << parsed.error.message;
      return;
    }
    module_ = std::move(*parsed.module);
    decoded = simt::decode(module_, "k", options);
    launch.kernel = launch.entry = "k";
    launch.block = {32, 1, 1};
  }

  /// Adds a buffer of `values` and makes it the next argument.
  template <typename T>
  std::uint64_t buffer(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    const auto address =
        memory.allocate("buffer " + std::to_string(arguments.size()), std::move(bytes));
    arguments.push_back(address);
    return address;
  }
  template <typename T>
  std::vector<T> values(std::uint64_t address) const {
    const auto bytes = memory.contents(address);
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  RunResult run(const RunOptions& options = {}, ObserverFactory* observers = nullptr) {
    if (decoded.program == nullptr) {
      ADD_FAILURE() << (decoded.refused.empty() ? std::string("no program")
                                                : all_words(decoded.refused.front()));
      return {};
    }
    return simt::run(*decoded.program, launch, std::as_bytes(std::span(arguments)), memory,
                     observers, options);
  }
  /// Runs and expects the launch to complete.
  RunResult complete(const RunOptions& options = {}, ObserverFactory* observers = nullptr) {
    auto result = run(options, observers);
    EXPECT_TRUE(result.completed) << (result.findings.empty() ? std::string()
                                                              : all_words(result.findings.front()));
    return result;
  }
  /// Runs and expects one finding.
  launch::Finding finding(const RunOptions& options = {}) {
    auto result = run(options);
    EXPECT_FALSE(result.completed);
    EXPECT_EQ(result.findings.size(), 1u);
    return result.findings.empty() ? launch::Finding{} : result.findings.front();
  }

  DecodeResult decoded;
  launch::Launch launch;
  Memory memory;
  std::vector<std::uint64_t> arguments;

 private:
  ptx::Module module_;
};

/// Body: %d9 = address of element tid.x (4 bytes) of parameter 0.
inline const std::string kOwnElement = "mul.wide.u32 %d9, %r0, 4; add.s64 %d9, %d0, %d9;\n";

}  // namespace labkit::simt::test
