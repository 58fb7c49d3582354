// Which headers a compilation gets, from a toolkit made up here.
#include "compile/headers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"

namespace labkit::compile {
namespace {

class Headers : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "labkit-headers-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, text);
  }
  std::filesystem::path folder_;
};

// As libcu++ of CUDA 11.8 is laid out.
TEST_F(Headers, AToolkitsOwnHeaderIsNotMistakenForTheEmptyOneOfTheSameName) {
  write("cuda/barrier", "#include \"std/barrier\"\n");
  write("cuda/std/barrier", "#include \"atomic\"\n#include \"lib/barrier\"\nint one;\n");
  write("cuda/std/atomic", "int of_std;\n");
  write("cuda/std/lib/barrier",
        "#include <atomic>\n#include <cassert>\n#  include <ratio> // one\n");
  write("cuda/std/lib/atomic", "int of_lib;\n");
  write("cuda/std/lib/ratio", "int ratio;\n");
  const HeaderSet set = headers_for({"cuda/barrier"}, folder_.string());
  EXPECT_EQ(set.texts.at("cuda/barrier"), "#include \"cuda/std/barrier\"\n");
  EXPECT_EQ(set.texts.at("cuda/std/barrier"),
            "#include \"cuda/std/atomic\"\n#include \"cuda/std/lib/barrier\"\nint one;\n");
  EXPECT_EQ(
      set.texts.at("cuda/std/lib/barrier"),
      "#include <cuda/std/lib/atomic>\n#include <cassert>\n#  include <cuda/std/lib/ratio> // "
      "one\n");
  EXPECT_EQ(set.texts.at("cuda/std/lib/atomic"), "int of_lib;\n");
  EXPECT_EQ(set.texts.at("cuda/std/atomic"), "int of_std;\n");
  // What a student's file means by it stays empty.
  EXPECT_EQ(set.texts.at("atomic"), "#include <cstddef>\n");
}

TEST_F(Headers, NamesBesideATopHeaderStayAsTheyAre) {
  write("cuda_fp16.h", "#include \"cuda_fp16.hpp\"\n");
  write("cuda_fp16.hpp", "int half;\n");
  const HeaderSet set = headers_for({"cuda_fp16.h"}, folder_.string());
  EXPECT_EQ(set.texts.at("cuda_fp16.h"), "#include \"cuda_fp16.hpp\"\n");
  EXPECT_EQ(set.texts.at("cuda_fp16.hpp"), "int half;\n");
}

TEST_F(Headers, AFileIsTheToolkitsWhereItsLinksLeadTo) {
  const auto outside = folder_.string() + ".outside";
  write_file_atomically(outside, "int outside;\n");
  write("real/inside", "#include \"../cuda/other\"\n");
  write("cuda/other", "int other;\n");
  std::filesystem::create_symlink(outside, folder_ / "cuda/barrier");
  std::filesystem::create_symlink(folder_ / "real/inside", folder_ / "cuda/atomic");
  std::filesystem::create_directory_symlink(folder_ / "real", folder_ / "cuda/linked");
  std::filesystem::create_symlink("nowhere", folder_ / "cuda/latch");
  const HeaderSet set = headers_for(
      {"cuda/barrier", "cuda/atomic", "cuda/linked/inside", "cuda/latch"}, folder_.string());
  EXPECT_FALSE(set.texts.contains("cuda/barrier")) << "it leads out of the toolkit";
  EXPECT_FALSE(set.texts.contains("cuda/latch"));
  EXPECT_EQ(set.texts.at("cuda/atomic"), "#include \"cuda/other\"\n");
  EXPECT_EQ(set.texts.at("cuda/linked/inside"), "#include \"cuda/other\"\n");
  EXPECT_EQ(set.texts.at("cuda/other"), "int other;\n");
  std::filesystem::remove(outside);
}

TEST(OwnDefinitions, IntegerTypesAreOurs) {
  for (const char* line :
       {"typedef unsigned long long uint64_t;\n", "    typedef signed long long int64_t;\n",
        "using int64_t  = signed long long;\n", "  typedef uint64_t   uintptr_t;\n",
        "using int_fast16_t  = int16_t;\n", "    _LIBCUDACXX_ADDITIONAL_INTS(16);\n"})
    EXPECT_EQ(with_own_definitions(line), "#include <labkit_integers.h>\n") << line;
  for (const char* line :
       {"using ::int64_t;\n", "typedef atomic<int64_t>  atomic_int64_t;\n", "int64_t x;\n",
        "using arrival_token = uint64_t;\n", "typedef struct int64_t_of a;\n", "using std::int8_t;",
        "typedef A<int> int8_t;\n"})
    EXPECT_EQ(with_own_definitions(line), line);
}

TEST(OwnDefinitions, AMacroThatIsThereStays) {
  EXPECT_EQ(with_own_definitions("a\n#  define INT_MAX 0x7fffffff\nb\n"),
            "a\n#ifndef INT_MAX\n#  define INT_MAX 0x7fffffff\n#endif\nb\n");
  for (const char* text : {"#define INT_MAXIMUM 1\n", "#undef INT_MAX\n", "#define OTHER INT_MAX\n",
                           "#define NAN \\\n 1\n", "no line end"})
    EXPECT_EQ(with_own_definitions(text), text);
}

/// Lab 11 is graded where there is no more than NVRTC's library.
TEST(CompileHeadersWithoutToolkit, AsynchronousCopiesAreOurOwn) {
  const HeaderSet set = headers_for({"cuda_pipeline.h", "cuda_fp16.h"}, "");
  ASSERT_TRUE(set.texts.contains("cuda_pipeline.h"));
  EXPECT_NE(set.texts.at("cuda_pipeline.h").find("__pipeline_memcpy_async"), std::string::npos);
  EXPECT_EQ(set.missing_toolkit, std::vector<std::string>{"cuda_fp16.h"});
}

}  // namespace
}  // namespace labkit::compile
