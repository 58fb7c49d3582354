// The launches of faulty_kernels.cu (data/faulty_kernels*.ptx), each with one fault. Shared by tests and benchmarks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "simt/machine.h"
#include "words/render.h"

namespace labkit::observe::test {

/// The launches as faulty_kernels.cu says.
struct FaultyCase {
  const char* kernel;
  launch::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  /// a: 65536 floats, written; e: 256, written; f: 256, not written, the output; u: 256, not written; r, s: 200 x 100,
  /// r written
  const char* buffers;
  int scalars[2];  ///< -1: none
  launch::FindingKind kind;
  const char* space;
};

// clang-format off
inline const FaultyCase kFaultyCases[] = {
    {"add_off_end", {2, 1, 1}, {256, 1, 1}, 0,
     "ef", {256, -1}, launch::FindingKind::out_of_bounds, "global"},
    {"barrier_diverged", {1, 1, 1}, {64, 1, 1}, 0,
     "ef", {256, -1}, launch::FindingKind::barrier, ""},
    {"global_uninit", {1, 1, 1}, {256, 1, 1}, 0,
     "euf", {256, -1}, launch::FindingKind::uninitialized, "global"},
    {"mm_no_first_barrier", {8, 8, 1}, {32, 32, 1}, 0,
     "aaa", {256, -1}, launch::FindingKind::race, "shared"},
    {"mm_no_second_barrier", {8, 8, 1}, {32, 32, 1}, 0,
     "aaa", {256, -1}, launch::FindingKind::race, "shared"},
    {"race_global_blocks", {256, 1, 1}, {256, 1, 1}, 0,
     "aa", {256, -1}, launch::FindingKind::race, "global"},
    {"race_intra_warp", {1, 1, 1}, {32, 1, 1}, 0,
     "aa", {256, -1}, launch::FindingKind::race, "shared"},
    {"smem_dyn_off_end", {1, 1, 1}, {64, 1, 1}, 64 * 32 * 4,
     "ef", {256, -1}, launch::FindingKind::out_of_bounds, "shared"},
    {"smem_uninit", {1, 1, 1}, {256, 1, 1}, 0,
     "ef", {256, -1}, launch::FindingKind::uninitialized, "shared"},
    {"tr_no_barrier", {8, 8, 1}, {32, 32, 1}, 0,
     "aa", {256, -1}, launch::FindingKind::race, "shared"},
    {"tr_no_bounds", {4, 7, 1}, {32, 32, 1}, 0,
     "rs", {200, 100}, launch::FindingKind::out_of_bounds, "global"},
    {"use_after_scope_index", {1, 1, 1}, {32, 1, 1}, 0,
     "ef", {256, -1}, launch::FindingKind::out_of_bounds, "global"}};
// clang-format on

/// One of them made ready.
struct FaultyLaunch {
  std::shared_ptr<const simt::Program> program;
  launch::Launch launch;
  std::vector<std::byte> parameters;
  simt::Memory memory;
};

/// Throws std::runtime_error if the module has not that kernel.
inline FaultyLaunch prepare(const FaultyCase& c, const ptx::Module& module) {
  const ptx::Function* entry = nullptr;
  for (const auto& function : module.functions)
    if (function.name.find(std::to_string(std::strlen(c.kernel)) + c.kernel) != std::string::npos)
      entry = &function;
  if (entry == nullptr) throw std::runtime_error(std::string("no kernel ") + c.kernel);
  FaultyLaunch ready;
  const auto decoded = simt::decode(module, entry->name);
  if (decoded.program == nullptr)
    throw std::runtime_error(words::render(decoded.refused.front().evidence));
  ready.program = decoded.program;
  ready.parameters.resize(entry->parameters.back().offset_bytes +
                          entry->parameters.back().size_bytes);
  std::size_t next = 0;
  for (const char* b = c.buffers; *b != '\0'; ++b, ++next) {
    const std::size_t count = *b == 'a' ? 65536 : *b == 'r' || *b == 's' ? 200 * 100 : 256;
    const bool written = *b != 'f' && *b != 'u' && *b != 's';
    std::vector<std::byte> contents(count * 4, written ? std::byte{0} : launch::kPoison);
    for (std::size_t i = 0; written && i < count; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(contents.data() + i * 4, &value, 4);
    }
    const auto address = ready.memory.allocate(std::string(1, *b), std::move(contents), written);
    std::memcpy(ready.parameters.data() + entry->parameters[next].offset_bytes, &address, 8);
  }
  for (const int scalar : c.scalars)
    if (scalar >= 0)
      std::memcpy(ready.parameters.data() + entry->parameters[next++].offset_bytes, &scalar, 4);
  ready.launch.kernel = c.kernel;
  ready.launch.grid = c.grid;
  ready.launch.block = c.block;
  ready.launch.dynamic_shared_bytes = c.dynamic_shared_bytes;
  return ready;
}

}  // namespace labkit::observe::test
