// Small kernels in PTX under all checks.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "all_found.h"
#include "observe/checks.h"

namespace labkit::observe::test {

using enum launch::FindingKind;
using launch::Cause;
using launch::has_evidence;
using words::Id;
using words::Message;

inline constexpr const char* kHeader =
    ".version 7.8\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n"
    ".shared .align 4 .b8 tile[512];\n.shared .align 4 .b8 other[512];\n";

/// One buffer `p` of 4096 words: %d0; %r0 tid.x, %r1 ctaid.x, %r2 = tile + 4 tid, %d1 = p + 4 tid,
/// %d2 = p + 4 (tid + ctaid * ntid).
struct Checked {
  launch::Dim3 grid{1, 1, 1}, block{64, 1, 1};
  bool written = true;
  unsigned threads = 1;

  CheckedRun run(const std::string& body) const {
    auto parsed = ptx::parse(std::string(kHeader) + R"(
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .pred %p<20>; .reg .b16 %h<10>;
.loc 1 1 1
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mov.u32 %r3, tile;
mad.lo.u32 %r2, %r0, 4, %r3;
mad.wide.u32 %d1, %r0, 4, %d0;
mov.u32 %r4, %ntid.x;
mad.lo.u32 %r5, %r1, %r4, %r0;
mad.wide.u32 %d2, %r5, 4, %d0;
)" + body + "\nret;\n}\n");
    EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
    const auto decoded = simt::decode(*parsed.module, "k");
    EXPECT_TRUE(decoded.program) << (decoded.refused.empty() ? "" : all_words(decoded.refused[0]));
    simt::Memory memory;
    const auto address =
        memory.allocate("p", std::vector<std::byte>(4096 * 4, std::byte{0}), written);
    launch::Launch launch;
    launch.kernel = launch.entry = "k";
    launch.grid = grid;
    launch.block = block;
    simt::RunOptions options;
    options.threads = threads;
    options.thread_instruction_budget = 1u << 28;
    auto result = run_checked(*decoded.program, launch, std::as_bytes(std::span(&address, 1)),
                              memory, options);
    simt::Memory again;
    again.allocate("p", std::vector<std::byte>(4096 * 4, std::byte{0}), written);
    expect_all_found(result, *decoded.program, launch, std::as_bytes(std::span(&address, 1)), again,
                     options);
    return result;
  }
  void clean(const std::string& body) const {
    const auto result = run(body);
    EXPECT_TRUE(result.result.completed);
    for (const auto& finding : result.findings) ADD_FAILURE() << dump(finding);
  }
  launch::Finding one(const std::string& body, launch::FindingKind kind,
                      launch::Severity severity = launch::Severity::error) const {
    const auto result = run(body);
    EXPECT_EQ(result.findings.size(), 1u) << body;
    if (result.findings.empty()) return {};
    const auto& finding = result.findings.front();
    EXPECT_EQ(finding.kind, kind) << dump(finding);
    EXPECT_EQ(finding.severity, severity) << dump(finding);
    return finding;
  }
};

}  // namespace labkit::observe::test
