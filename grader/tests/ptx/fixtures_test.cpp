// Whole modules as NVRTC 11.8 and 13.0 write them, and the fuzzer's corpus.
#include <algorithm>
#include <filesystem>

#include "tests/ptx/helpers.h"
#include "tests/ptx/run_everything.h"

namespace labkit::ptx {
namespace {

class Grammar : public testing::TestWithParam<const char*> {};

TEST_P(Grammar, ParsesWhole) {
  const std::string path = std::string(LABKIT_TEST_DATA) + "/" + GetParam();
  EXPECT_TRUE(test::run_everything(test::file_text(path)));
  const Module module = test::parsed_file(GetParam());
  EXPECT_EQ(std::count_if(module.functions.begin(), module.functions.end(),
                          [](const Function& f) { return f.is_entry; }),
            2);
  const Function* kernel = module.find_function("_Z6kernelIfEvPKT_PS0_3Bigi");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->max_threads[0], 128U);
  EXPECT_EQ(kernel->min_blocks_per_sm, 2U);
  ASSERT_EQ(kernel->parameters.size(), 4U);
  EXPECT_EQ(kernel->parameters[2].size_bytes, 32U);
  EXPECT_EQ(kernel->parameters[3].offset_bytes, 48U);
  EXPECT_EQ(module.files.at(1), "grammar.cu");
  for (const char* name : {"vprintf", "__assertfail"}) {
    const Function* function = module.find_function(name);
    ASSERT_NE(function, nullptr) << name;
    EXPECT_TRUE(function->is_declaration);
  }
  EXPECT_FALSE(module.find_function("_Z9fibonaccii")->is_declaration);

  EXPECT_EQ(module.find_variable("weights")->initial,
            (std::vector<std::uint8_t>{0, 0, 192, 63, 0, 0, 0, 192, 0, 0, 80, 64, 0, 0, 0, 0}));
  const Variable* packed = module.find_variable("packed");
  ASSERT_EQ(packed->relocations.size(), 1U);
  EXPECT_EQ(packed->relocations[0].offset_bytes, 1U);
  EXPECT_EQ(packed->relocations[0].addend, 8);
  EXPECT_EQ(module.find_variable("operations")->relocations.at(1).symbol, "_Z5timesii");
  EXPECT_TRUE(module.find_variable("mixed")->relocations.at(0).generic);
  EXPECT_EQ(module.find_variable("dynamic")->size_bytes, 0U);

  const auto inlined =
      std::count_if(kernel->body.begin(), kernel->body.end(), [](const Instruction& i) {
        return i.inlined_at.line != 0 && i.location.line != i.inlined_at.line;
      });
  EXPECT_GT(inlined, 0) << "sum_of_cubes and cubed are inlined";
  const auto indirect =
      std::count_if(kernel->body.begin(), kernel->body.end(), [](const Instruction& i) {
        return i.root() == "call" && i.operands.size() == 4 &&
               i.operands[3].symbol == SymbolKind::label_table;
      });
  EXPECT_EQ(indirect, 1);
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, Grammar,
                         testing::Values("grammar_nvrtc13_sm90.ptx", "grammar_nvrtc118_sm75.ptx"),
                         [](const auto& info) {
                           return std::string(info.param).substr(8, 8) == "nvrtc118" ? "v11"
                                                                                     : "v13";
                         });

class Debug : public testing::TestWithParam<const char*> {};

TEST_P(Debug, ParsesWithDebugInformation) {
  EXPECT_TRUE(
      test::run_everything(test::file_text(std::string(LABKIT_TEST_DATA) + "/" + GetParam())));
  const Module module = test::parsed_file(GetParam());
  const Function* halve = module.find_function("halve");
  ASSERT_NE(halve, nullptr);
  EXPECT_GT(halve->body.size(), 30U);
  EXPECT_GT(halve->label_at.size(), 4U);
  EXPECT_TRUE(std::any_of(halve->body.begin(), halve->body.end(),
                          [](const Instruction& i) { return i.location.line == 10; }));
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, Debug,
                         testing::Values("debug_nvrtc13_sm90.ptx", "debug_nvrtc118_sm80.ptx"),
                         [](const auto& info) {
                           return std::string(info.param).substr(6, 8) == "nvrtc118" ? "v11"
                                                                                     : "v13";
                         });

// Small seeds, and every input that once broke something.
TEST(FuzzCorpus, Replays) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(LABKIT_SOURCE_DIR "/grader/tests/fuzz/corpus/ptx")) {
    SCOPED_TRACE(entry.path().string());
    test::run_everything(test::file_text(entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 5);
}

}  // namespace
}  // namespace labkit::ptx
