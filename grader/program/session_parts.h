// What the files of a session share. Private to program/.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/simulated_launch.h"
#include "program/run.h"
#include "program/session.h"
#include "ptx/module.h"

namespace labkit::program {

template <typename T>
T read(std::span<const std::byte> bytes, std::size_t at = 0) {
  T value;
  if (at > bytes.size() || bytes.size() - at < sizeof value)
    throw Error("the program's runtime sent a message that is cut short", "", error_id::kBug);
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <typename T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// About a line of the source.
inline words::Message at(words::Id id, const words::SourceLine& line,
                         std::vector<words::Parameter> parameters = {}) {
  parameters.push_back({"line", line});
  return {id, std::move(parameters)};
}

/// "_Z3addPf" -> "add", "_Z9transposeIfEvPT_" -> "transpose<float>".
std::string kernel_name(const std::string& entry);

struct Session::Module {
  std::vector<std::byte> fat_binary;
  std::string ptx;
  std::shared_ptr<const ptx::Module> parsed;
  std::map<std::string, simt::DecodeResult> kernels, cooperative_kernels;
  std::optional<compile::Assembled> assembled;
  /// Where ptxas is there it counts them, once for the module.
  device::Registers registers(const simt::ProgramFacts& facts) {
    if (!assembled) assembled = assemble(ptx);
    return device::registers_of(*assembled, facts);
  }
  /// `workspace`: of a cooperative launch; 0: it is none.
  const simt::DecodeResult* kernel(const std::string& entry, std::uint64_t workspace = 0) {
    if (!parsed || std::ranges::none_of(parsed->functions, [&](const ptx::Function& one) {
          return one.is_entry && one.name == entry;
        }))
      return nullptr;
    auto& decoded = workspace != 0 ? cooperative_kernels : kernels;
    const auto at = decoded.find(entry);
    if (at != decoded.end()) return &at->second;
    return &(decoded[entry] =
                 simt::decode(*parsed, entry, {.grid_workspace = workspace, .has_heap = true}));
  }
};

/// A launch that did nothing but change memory, or not even that.
struct Session::Repeatable {
  std::vector<std::byte> request;
  std::uint64_t changes = 0;    ///< Session::changes_ after it, if it left memory as it found it
  std::uint64_t shared = 0;     ///< DeviceMemory::checksum_of_shared(), the same
  bool changes_memory = false;  ///< it was seen to
  bool observed = false;
  std::size_t row = 0;  ///< of the report
  LaunchReply reply;
  double time_us = 0;
};

}  // namespace labkit::program
