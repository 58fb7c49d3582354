// Every row of access_patterns.csv, by a real kernel: one warp reads its byte offsets from a buffer and makes one access;
// lanes that are off are predicated off.
#include <gtest/gtest.h>

#include <cstring>

#include "kernel_rows.h"
#include "observe/counting.h"
#include "run_counted.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

constexpr int kLanes = 32;
constexpr std::size_t kBytes = 64 * 1024;  // more than the largest offset

using Row = std::map<std::string, std::string>;

/// ld or st of `bytes` a lane in `space`, at the offset that offsets[lane] says, for lanes whose offset is not negative.
std::string kernel_text(const std::string& space, const std::string& op, int bytes) {
  static const std::map<int, std::pair<std::string, std::string>> kTypes = {
      {1, {"u8", "%h"}},
      {2, {"u16", "%h"}},
      {4, {"u32", "%v0"}},
      {8, {"v2.u32", "{%v0,%v1}"}},
      {16, {"v4.u32", "{%v0,%v1,%v2,%v3}"}}};
  const auto& [type, data] = kTypes.at(bytes);
  const std::string access = op == "ld" ? "ld." + space + "." + type + " " + data + ", [%at];"
                                        : "st." + space + "." + type + " [%at], " + data + ";";
  return ".version 7.8\n.target sm_90\n.address_size 64\n"
         ".extern .shared .align 16 .b8 window[];\n"
         ".visible .entry access(.param .u64 offsets, .param .u64 data)\n{\n"
         ".reg .pred %on; .reg .b16 %h; .reg .b32 %lane, %offset, %v0, %v1, %v2, %v3; .reg .b64 "
         "%from, %at, %wide;\n"
         "ld.param.u64 %from, [offsets];\n"
         "mov.u32 %lane, %tid.x;\n"
         "mul.wide.u32 %wide, %lane, 4;\n"
         "add.s64 %from, %from, %wide;\n"
         "ld.global.s32 %offset, [%from];\n"
         "mov.u32 %v0, 0; mov.u32 %v1, 0; mov.u32 %v2, 0; mov.u32 %v3, 0; mov.u16 %h, 0;\n"
         "setp.ge.s32 %on, %offset, 0;\n"
         "cvt.s64.s32 %wide, %offset;\n" +
         (space == "shared" ? std::string("mov.u64 %at, window;\n")
                            : std::string("ld.param.u64 %at, [data];\n")) +
         "add.s64 %at, %at, %wide;\n"
         "@%on " +
         access + "\nret;\n}\n";
}

struct Counted {
  std::uint64_t count, ideal;
};

Counted count(const Row& row) {
  const auto& space = row.at("space");
  auto parsed = ptx::parse(kernel_text(space, row.at("op"), std::stoi(row.at("bytes_per_lane"))));
  if (!parsed.module) throw std::runtime_error(parsed.error.message);
  const auto decoded = simt::decode(*parsed.module, "access");
  if (decoded.program == nullptr)
    throw std::runtime_error(words::render(decoded.refused.front().evidence));
  std::vector<std::byte> offsets(kLanes * 4);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::int32_t offset = std::stoi(row.at("lane" + std::to_string(lane)));
    std::memcpy(offsets.data() + lane * 4, &offset, 4);
  }
  simt::Memory memory;
  const std::uint64_t pointers[2] = {memory.allocate("offsets", offsets),
                                     memory.allocate("data", std::vector<std::byte>(kBytes))};
  launch::Launch launch;
  launch.entry = "access";
  launch.block = {kLanes, 1, 1};
  if (space == "shared") launch.dynamic_shared_bytes = kBytes;
  const auto run =
      run_counted(*decoded.program, launch, std::as_bytes(std::span(pointers)), memory);
  if (!run.result.completed)
    throw std::runtime_error(words::render(run.result.findings.front().evidence));
  const auto& last = run.counters.instructions[run.counters.instructions.size() - 2];  // before ret
  return space == "shared" ? Counted{last.shared_wavefronts, last.shared_wavefronts_ideal}
                           : Counted{last.global_sectors, last.global_sectors_ideal};
}

TEST(AccessPatterns, EveryRowIsEqual) {
  const auto rows = read_csv(std::string(LABKIT_OBSERVE_DATA) + "/access_patterns.csv");
  EXPECT_EQ(rows.size(), 1616u);
  for (const auto& row : rows) {
    const auto counted = count(row);
    EXPECT_EQ(counted.count, std::stoull(row.at("count")))
        << row.at("space") << " " << row.at("op") << " " << row.at("bytes_per_lane") << " bytes "
        << row.at("pattern");
    EXPECT_EQ(counted.ideal, std::stoull(row.at("ideal")))
        << row.at("space") << " " << row.at("op") << " " << row.at("bytes_per_lane") << " bytes "
        << row.at("pattern");
  }
}

}  // namespace
}  // namespace labkit::observe::test
