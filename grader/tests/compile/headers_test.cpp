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

}  // namespace
}  // namespace labkit::compile
