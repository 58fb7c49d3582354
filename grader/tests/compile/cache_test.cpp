#include "compile/cache.h"

#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  if (!fs::exists(directory)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

std::string make_directory() {
  std::string pattern = testing::TempDir() + "labkit-cache-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw Error("cannot make " + pattern);
  return pattern;
}

class Cache : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(directory_); }
  const std::string directory_ = make_directory();
  const std::string key_ = std::string(64, 'a');
};

Result example() {
  Result result;
  result.status = Status::missing_kernel;
  result.ptx = ".version 9.0\n";
  result.cubin = std::string("\177ELF\0\xff", 6);
  result.log = "log";
  using words::Id;
  result.message = {{Id::compile_no_kernel, {{"wanted", "w"}, {"kernel", "k"}, {"file", "f"}}},
                    {Id::compile_nul_byte, {{"at", words::SourceLine{"f", 3}}}}};
  result.notes = {
      {Id::note_line_directives, {{"file", "f"}, {"count", words::count(2)}, {"lines", "1, 2"}}}};
  result.entries = {{"k<float>", "_Z1kIfEvv"}};
  result.compiler = "NVRTC 13.0";
  result.assembled = {.kernels = {{"_Z1kIfEvv", {.registers = 32, .stack_bytes = 16}}},
                      .by = "NVRTC 13.0's ptxas for sm_90",
                      .why_not = "reason"};
  return result;
}

TEST_F(Cache, GivesBackEveryMember) {
  EXPECT_FALSE(read_cache(directory_, key_).has_value());
  write_cache(directory_, key_, example());
  const auto read = read_cache(directory_, key_);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->status, example().status);
  EXPECT_EQ(read->ptx, example().ptx);
  EXPECT_EQ(read->cubin, example().cubin);
  EXPECT_EQ(read->log, example().log);
  EXPECT_EQ(read->message, example().message);
  EXPECT_EQ(read->notes, example().notes);
  EXPECT_EQ(read->entries, example().entries);
  EXPECT_EQ(read->compiler, example().compiler);
  EXPECT_EQ(read->assembled.by, example().assembled.by);
  EXPECT_EQ(read->assembled.why_not, example().assembled.why_not);
  ASSERT_EQ(read->assembled.kernels.size(), 1u);
  EXPECT_EQ(read->assembled.kernels.at("_Z1kIfEvv").registers, 32u);
  EXPECT_EQ(read->assembled.kernels.at("_Z1kIfEvv").stack_bytes, 16u);
}

TEST_F(Cache, DoesNotBelieveADamagedEntry) {
  write_cache(directory_, key_, example());
  const fs::path file = files_in(directory_).at(0);
  const std::string whole = read_file(file);
  for (std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, whole.size() - 1}) {
    write_file_atomically(file, whole.substr(0, size));
    EXPECT_FALSE(read_cache(directory_, key_).has_value()) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string altered = whole;
    altered[i] = static_cast<char>(altered[i] ^ 1);
    write_file_atomically(file, altered);
    EXPECT_FALSE(read_cache(directory_, key_).has_value()) << i;
  }
  write_file_atomically(file, whole);
  EXPECT_TRUE(read_cache(directory_, key_).has_value());
}

TEST_F(Cache, DoesNotBelieveAnEntryUnderAnotherName) {
  write_cache(directory_, key_, example());
  const std::string other(64, 'b');
  write_file_atomically(fs::path(directory_) / "bb" / (other + ".cbor"),
                        read_file(files_in(directory_).at(0)));
  EXPECT_FALSE(read_cache(directory_, other).has_value());
}

TEST_F(Cache, DoesWithoutADirectoryThatCannotBeWritten) {
  write_cache("/proc/no/such", key_, example());
  EXPECT_FALSE(read_cache("/proc/no/such", key_).has_value());
}

class CompileCached : public WithNvrtc {
 protected:
  void TearDown() override { fs::remove_all(directory_); }
  const std::string directory_ = make_directory();
  const Request request_ = request("__global__ void k(int* p) { p[0] = 1; }");
};

TEST_F(CompileCached, CompilesOnce) {
  const Result first = compile_cached(request_, directory_);
  ASSERT_EQ(first.status, Status::ok) << first.log;
  const auto files = files_in(directory_);
  ASSERT_EQ(files.size(), 1u);
  // A marked entry comes back: the second call read it and did not compile.
  Result marked = first;
  marked.notes = {{words::Id::compile_failed, {{"file", "from the cache"}}}};
  write_cache(directory_, files[0].stem(), marked);
  EXPECT_EQ(compile_cached(request_, directory_).notes, marked.notes);
}

TEST_F(CompileCached, RewritesADamagedEntry) {
  const Result first = compile_cached(request_, directory_);
  const fs::path file = files_in(directory_).at(0);
  const std::string whole = read_file(file);
  write_file_atomically(file, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(compile_cached(request_, directory_).ptx, first.ptx);
  EXPECT_EQ(read_file(file), whole);
}

TEST_F(CompileCached, WhateverDecidesTheResultDecidesTheKey) {
  compile_cached(request_, directory_);
  std::size_t count = 1;
  const auto expect_new = [&](const Request& changed, const char* what) {
    compile_cached(changed, directory_);
    EXPECT_EQ(files_in(directory_).size(), ++count) << what;
  };
  Request changed = request_;
  changed.source += " ";
  expect_new(changed, "source");
  changed = request_, changed.name = "other.cu";
  expect_new(changed, "name");
  changed = request_, changed.arch = "compute_80";
  expect_new(changed, "architecture");
  changed = request_, changed.line_info = false;
  expect_new(changed, "line info");
  changed = request_, changed.device_debug = true;
  expect_new(changed, "debug");
  changed = request_, changed.kernels = {};
  expect_new(changed, "kernels");
  changed = request_, changed.signatures = {{"k", "__global__ void k(int*)"}};
  expect_new(changed, "signatures");
}

TEST_F(CompileCached, KeepsVerdictsButNotLimits) {
  compile_cached(request("__global__ void k( {}"), directory_);
  EXPECT_EQ(files_in(directory_).size(), 1u);
  const Result limited =
      compile_cached(request(kHugeTable), directory_, {.output_bytes = 1u << 20});
  EXPECT_EQ(limited.status, Status::limit);
  EXPECT_EQ(files_in(directory_).size(), 1u);
}

}  // namespace
}  // namespace labkit::compile
