// What host code did with the memory of a finding, and whether too few bytes were allocated.
#include "program/memory_finding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "../base/temporary_folder.h"
#include "base/files.h"

namespace labkit::program {
namespace {

using launch::Cause;
using words::Id;

constexpr std::uint64_t kAllocates = 10, kFrees = 11, kCopies = 12;

/// A kernel has touched an element of an array whose allocation is `statement`, on line 2.
class MemoryFinding : public testing::Test {
 protected:
  MemoryFinding() : memory(64 << 20, false) {}

  launch::Finding outside(const std::string& statement, std::uint64_t bytes, std::uint64_t element,
                          std::vector<LaunchArgument> numbers = {}) {
    write_file_atomically(source(), "double* h = new double[300];\n" + statement + "\n");
    const auto place = memory.allocate(bytes, Kind::device, kAllocates).value();
    launch::Finding finding;  // out of bounds
    finding.space = "global";
    finding.where = {"prog.cu", 30};
    finding.address = place.address + 8 * element;
    finding.access_bytes = 8;
    finding.array = {"x", place.address, bytes};
    return described(std::move(finding), std::move(numbers));
  }
  launch::Finding described(launch::Finding finding, std::vector<LaunchArgument> numbers = {}) {
    numbers.push_back({.name = "x", .type = "double*", .bytes = 8, .value = finding.array.begin});
    HostLines lines(std::map<std::uint64_t, words::SourceLine>{
        {kAllocates, {source().string(), 2}}, {kFrees, {"prog.cu", 5}}, {kCopies, {"prog.cu", 4}}});
    describe_memory(finding,
                    {.memory = memory, .lines = lines, .arguments = numbers, .threads = 512});
    return finding;
  }
  static LaunchArgument number(std::uint64_t value) {
    return {.name = "n", .type = "int", .bytes = 4, .value = value};
  }
  std::filesystem::path source() const { return folder.path() / "prog.cu"; }

  TemporaryFolder folder;
  DeviceMemory memory;
};

TEST_F(MemoryFinding, BytesForElements) {
  const auto finding = outside("cudaMalloc(&x, n);", 300, 38, {number(300)});
  EXPECT_EQ(finding.cause, Cause::out_of_bounds_small_allocation);
  EXPECT_TRUE(launch::has_evidence(finding, Id::program_no_sizeof));
  EXPECT_EQ(finding.fix.id, Id::program_fix_no_sizeof);
  EXPECT_EQ(finding.other.line, 2u);
  // as many as there are threads, or two numbers of the launch say together
  EXPECT_EQ(outside("cudaMalloc(&x, N);", 512, 70).fix.id, Id::program_fix_no_sizeof);
  EXPECT_EQ(outside("cudaMalloc(&x, w * h);", 600, 90, {number(20), number(30)}).fix.id,
            Id::program_fix_no_sizeof);
}

TEST_F(MemoryFinding, ElementsOfAnotherType) {
  const auto finding = outside("cudaMalloc(&x, n * sizeof(float));", 1200, 200, {number(300)});
  EXPECT_TRUE(launch::has_evidence(finding, Id::program_small_sizeof));
  EXPECT_EQ(finding.fix.id, Id::program_fix_sizeof);
  const std::string before = "size_t bytes = n * sizeof(float); cudaMalloc(&x, bytes);";
  EXPECT_EQ(outside(before, 1200, 200, {number(300)}).fix.id, Id::program_fix_sizeof);
}

TEST_F(MemoryFinding, ElementsThatAreStructures) {
  write_file_atomically(source(), "\ncudaMalloc(&p, 100 * sizeof(float));\n");
  const auto place = memory.allocate(400, Kind::device, kAllocates).value();
  launch::Finding finding;
  finding.space = "global";
  finding.kernel = "move";
  finding.where = {"prog.cu", 30};
  finding.array = {"p", place.address, 400};
  finding.address = place.address + 408;
  HostLines lines(std::map<std::uint64_t, words::SourceLine>{{kAllocates, {source().string(), 2}}});
  describe_memory(finding,
                  {.memory = memory,
                   .lines = lines,
                   .arguments = {{"p", "P*", 8, place.address}},
                   .source = "struct P { float x, y, z; };\n__global__ void move(P* p) {}"});
  EXPECT_EQ(finding.fix.id, Id::program_fix_sizeof);
}

TEST_F(MemoryFinding, SizeOfAPointer) {
  const auto of_name = outside("cudaMalloc(&x, sizeof(h));", 8, 1, {number(300)});
  EXPECT_TRUE(launch::has_evidence(of_name, Id::program_sizeof_pointer));
  EXPECT_EQ(of_name.fix.id, Id::program_fix_no_sizeof);
  const auto of_type = outside("cudaMalloc(&x, sizeof(double*));", 8, 1);
  EXPECT_TRUE(launch::has_evidence(of_type, Id::program_sizeof_pointer));
  EXPECT_EQ(of_type.fix.id, Id::program_fix_sizeof);
}

TEST_F(MemoryFinding, AnAllocationThatFitsIsOnlyNamed) {
  for (const auto& finding :
       {outside("cudaMalloc(&x, n * sizeof(double));", 2400, 300, {number(300)}),
        outside("cudaMalloc(&x, 4096);", 4096, 512),  // as many elements as threads
        outside("cudaMalloc(&x, n);", 300, 300, {number(300)}),
        outside("cudaMalloc(&x, sizeof(double));", 8, 1, {number(300)})}) {
    EXPECT_EQ(finding.cause, Cause::none);
    EXPECT_TRUE(launch::has_evidence(finding, Id::program_allocated));
    EXPECT_FALSE(finding.fix);
  }
}

TEST_F(MemoryFinding, FreedAndHalfFilledMemory) {
  launch::Finding finding = outside("cudaMalloc(&x, 800);", 800, 100);
  finding.evidence.clear();
  finding.address = finding.array.begin + 80;
  finding.kind = launch::FindingKind::uninitialized;
  memory.mark_written(finding.array.begin, 80, kCopies);
  const auto half = described(finding);
  EXPECT_TRUE(launch::has_evidence(half, Id::program_part_written));
  EXPECT_EQ(half.fix.id, Id::program_fix_part_written);
  EXPECT_EQ(half.other.line, 4u);
  memory.release(finding.array.begin, 1, kFrees);
  finding.kind = launch::FindingKind::out_of_bounds;
  const auto freed = described(finding);
  EXPECT_TRUE(launch::has_evidence(freed, Id::program_freed_at));
  EXPECT_TRUE(launch::has_evidence(freed, Id::program_allocated));
  EXPECT_EQ(freed.other.line, 5u);
}

TEST_F(MemoryFinding, PointersThatAreNone) {
  launch::Finding finding;
  finding.cause = Cause::out_of_bounds_null_pointer;
  EXPECT_EQ(described(finding).fix.id, Id::program_fix_null_argument);
  finding.cause = Cause::out_of_bounds_host_pointer;
  finding.address = (1ull << 46) + 16;
  finding.array = {};
  HostLines lines(std::map<std::uint64_t, words::SourceLine>{});
  describe_memory(
      finding, {.memory = memory, .lines = lines, .arguments = {{"h", "float*", 8, 1ull << 46}}});
  EXPECT_EQ(finding.array.name, "h");
}

class HostArrays : public testing::Test {
 protected:
  /// Of the copy in the source's last line.
  std::optional<HostArray> array(const std::string& before, const std::string& call,
                                 std::size_t argument = 0) {
    write_file_atomically(source(), before + "\n" + call + "\n");
    const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 2);
    return host_array_at({source().string(), line}, "cudaMemcpy", argument);
  }
  std::filesystem::path source() const { return folder.path() / "prog.cu"; }
  TemporaryFolder folder;
};

TEST_F(HostArrays, HaveTheSizeOfTheirDeclaration) {
  EXPECT_EQ(array("const int n = 8;\nint *d, h[n];", "cudaMemcpy(h, d, 64, kind);").value().bytes,
            32u);
  EXPECT_TRUE(array("int h[4]; f(&h[0], *h);", "cudaMemcpy(h, d, 64, kind);"));
  EXPECT_EQ(array("float h[4][5], *d;", "cudaMemcpy(d, h, 64, kind);", 1).value().bytes, 80u);
  EXPECT_EQ(array("unsigned char h[3] = {1};", "cudaMemcpy(h, f(a, b), 64, kind);").value().name,
            "h");
}

TEST_F(HostArrays, AreNotGuessed) {
  const std::string copy = "cudaMemcpy(h, d, 64, kind);";
  for (const char* before :
       {"int* h;", "int h[n];", "std::vector<int> h(8);", "int h[4]; void f(int* h);",
        "int h[4]; void f(int h[]);", "int h[4]; { Vec h; }", "int h[4]; { int h[5]; }",
        "int h[4]; void f(Vec& h);", "const int n = 4; int h[n]; void f(int n);", "float x, *h;",
        "auto h = f();", ""})
    EXPECT_FALSE(array(before, copy)) << before;
  EXPECT_FALSE(array("int h[4];", "cudaMemcpy(h + 1, d, 4, kind);"));
  EXPECT_FALSE(array("int h[4];", "cudaMemcpy(s.h, d, 4, kind);"));
  EXPECT_FALSE(array("int h[4];", copy + " " + copy)) << "which of them is not known";
}

}  // namespace
}  // namespace labkit::program
