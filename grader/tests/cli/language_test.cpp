// Results in another language, as a student chooses it.
#include "words/language.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "../base/temporary_folder.h"
#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "grade/lab_texts.h"
#include "kept_cache.h"
#include "process/process.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

class LanguageTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(kept_cache() / "hints"); }
  void TearDown() override { words::use_language(words::Language::english); }

  process::Result labkit(std::vector<std::string> arguments,
                         const std::vector<std::string>& environment = {}) const {
    process::Command command;
    command.argv = {
        (std::filesystem::path(process::own_executable()).parent_path() / "labkit").string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + kept_cache().string());
    command.environment.insert(command.environment.end(), environment.begin(), environment.end());
    command.limits = {.wall_seconds = 120};
    return process::run(command);
  }
  static std::string wrong(const std::string& name) {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/wrong/" + name + ".cu";
  }
  static std::vector<std::string> of_wrong(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", "sim", "--file", wrong("no_barrier")});
    return arguments;
  }

  TemporaryFolder folder_;
};

bool has_chinese(std::string_view text) {
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.value >= 0x4e00 && c.value <= 0x9fff) return true;
    text.remove_prefix(c.bytes);
  }
  return false;
}

TEST_F(LanguageTest, OfAProfileToo) {
  const std::string file = (folder_.path() / "k.cu").string();
  write_file_atomically(file, "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n");
  const auto profile = [&](const char* language) {
    return labkit({"profile", "--device", "sim", "--language", language, file,
                   "k<<<1, 32>>>(i32[8]:zero)"})
        .out;
  };
  EXPECT_TRUE(has_chinese(profile("zh")));
  EXPECT_FALSE(has_chinese(profile("en")));
}

TEST_F(LanguageTest, IsThatOfTheOptionOrOfTheEnvironment) {
  const process::Result english = labkit({"list"}), german = labkit({"list"}, {"LANG=de_DE.UTF-8"}),
                        chinese = labkit({"list", "--language", "zh"});
  EXPECT_FALSE(has_chinese(english.out)) << english.out;
  EXPECT_EQ(german.out, english.out);
  EXPECT_TRUE(has_chinese(chinese.out)) << chinese.out << chinese.err;
  EXPECT_EQ(labkit({"list"}, {"LANG=zh_CN.UTF-8"}).out, chinese.out);
  EXPECT_EQ(labkit({"list", "--language", "en"}, {"LANG=zh_CN.UTF-8"}).out, english.out);
  EXPECT_EQ(labkit({"list", "--language", "xx"}).exit_code, kExitUsage);
}

TEST_F(LanguageTest, ChangesNoResult) {
  const process::Result english = labkit(of_wrong({"grade", "lab3", "--json", "-"})),
                        chinese = labkit(of_wrong({"grade", "lab3", "--json", "-"}),
                                         {"LC_ALL=zh_CN.UTF-8"});
  EXPECT_EQ(english.exit_code, kExitVerdict) << english.err;
  EXPECT_EQ(chinese.exit_code, english.exit_code);
  EXPECT_EQ(chinese.out, english.out);
}

TEST_F(LanguageTest, HoldsForHintsAndPages) {
  const process::Result hint = labkit(of_wrong({"hint", "lab3", "--language", "zh"}));
  EXPECT_NE(hint.out.find("提示 1/3"), std::string::npos) << hint.out << hint.err;
  EXPECT_NE(hint.out.find("从分块读取"), std::string::npos) << hint.out;
  const std::filesystem::path page = folder_.path() / "page.html";
  labkit(of_wrong({"explain", "lab3", "--language", "zh", "--html", page.string()}));
  EXPECT_TRUE(has_chinese(read_file(page)));
  const std::string asked = labkit(of_wrong({"hint", "lab3", "--language", "zh"})).out;
  EXPECT_NE(asked.find(" --language zh\n"), std::string::npos) << asked;
}

// A wrong result, a race and a kernel that is slow: each line, but for quoted code, fits.
TEST_F(LanguageTest, FitsATerminal) {
  report::Style style;
  style.columns = 80;
  for (const char* const name : {"no_barrier", "tile_not_turned", "coalesced_read", "off_by_one"}) {
    GradeRequest request;
    request.device.device = "sim";
    request.details = true;
    request.cache_directory = kept_cache();
    request.file = folder_.path() / "kernel.cu";
    std::filesystem::copy_file(wrong(name), request.file,
                               std::filesystem::copy_options::overwrite_existing);
    const grade::LabResult result = grade_file(select_labs({"lab3"}).front(), request);
    words::use_language(words::Language::chinese);
    words::add_texts(
        grade::read_lab_texts(std::filesystem::path(LABKIT_SOURCE_DIR) / "labs", "zh"));
    const std::string text = report::grade_text({{"lab3", result, request.file.string()}}, style);
    words::use_language(words::Language::english);
    EXPECT_TRUE(has_chinese(text));
    for (const std::string_view line : split_lines(text)) {
      const bool is_change = line.find(" - ") != line.npos || line.find(" + ") != line.npos;
      EXPECT_TRUE(is_change || report::width(line) <= 80) << name << ": " << line;
    }
  }
}

}  // namespace
}  // namespace labkit::cli
