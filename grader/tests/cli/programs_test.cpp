// labkit and a lab's check, as they are typed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

using Json = nlohmann::json;

class Programs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("labkit_programs_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  process::Result run(const std::string& program, std::vector<std::string> arguments,
                      const std::vector<std::string>& environment = {}) {
    process::Command command;
    command.argv = {
        (std::filesystem::path(process::own_executable()).parent_path() / program).string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + (folder_ / "cache").string());
    for (const std::string& variable : environment) {  // the first of a name would count
      const std::string name = variable.substr(0, variable.find('=') + 1);
      std::erase_if(command.environment,
                    [&](const std::string& other) { return other.rfind(name, 0) == 0; });
      command.environment.push_back(variable);
    }
    command.limits = {.wall_seconds = 120};
    return process::run(command);
  }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string solution(const std::string& path) {
    return std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/" + path;
  }
  std::filesystem::path folder_;
};

constexpr const char* kCopy =
    "#include <cstdio>\n"
    "__global__ void k(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i == 0) printf(\"hello\\n\");\n"
    "  if (i < n) out[i] = in[i];\n"
    "}\n";

TEST_F(Programs, HelpAndVersionEndWell) {
  EXPECT_EQ(run("labkit", {"--help"}).exit_code, kExitOk);
  EXPECT_EQ(run("labkit", {"profile", "--help"}).exit_code, kExitOk);
  const auto version = run("labkit", {"--version"});
  EXPECT_EQ(version.exit_code, kExitOk);
  EXPECT_EQ(version.out.rfind("labkit ", 0), 0u);
}

TEST_F(Programs, AWrongCommandLineIsUsage) {
  const std::string cu = file("k.cu", kCopy);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {},
           {"frobnicate"},
           {"grade", "lab77"},
           {"grade", "--file", cu},
           {"grade", "lab1", "lab2", "--file", cu},
           {"grade", "lab1", "--file", "/nowhere/kernel.cu"},
           {"grade", "--html", (folder_ / "page.html").string()},
           {"grade", "lab1", "--classroom50", (folder_ / "result.json").string()},
           {"grade", "--all"},
           {"grade", "--seed", "x"},
           {"grade", "lab3", "--seed", "-1"},
           {"grade", "lab3", "--device", "tpu"},
           {"profile"},
           {"profile", cu, "k<<<0, 32>>>()"},
           {"profile", cu, "k<<<1, 32>>>(f32[4])"},
           {"profile", cu, "k<<<1, 32>>>(1)"},
           {"profile", "/nowhere.cu", "k<<<1, 32>>>()"},
           {"lab"}}) {
    const auto result = run("labkit", arguments);
    EXPECT_EQ(result.exit_code, kExitUsage) << testing::PrintToString(arguments) << result.err;
    EXPECT_FALSE(result.err.empty());
    EXPECT_TRUE(result.out.empty()) << result.out;
  }
}

TEST_F(Programs, OurFaultsHaveTheirOwnExitCode) {
  EXPECT_EQ(run("lab_check", {"--lab", "lab3", "--file", "/nowhere.cu"}).exit_code, kExitOurError);
  EXPECT_EQ(run("lab_check",
                {"--lab", "lab3", "--file", solution("correct/tile.cu"), "--gtest_filter=No.Such"})
                .exit_code,
            kExitOurError);
}

TEST_F(Programs, WhatKeepsAllLabsFromAVerdictIsToldOnce) {
  const auto result = run("labkit", {"grade", "--solutions"}, {"LABKIT_NVRTC=/nowhere.so"});
  EXPECT_EQ(result.exit_code, kExitOurError);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("puzzles: no verdict: LABKIT_NVRTC is /nowhere.so"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("lab7: no verdict: for the same reason"), std::string::npos);
  const auto first = result.err.find("Fix:");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(result.err.find("Fix:", first + 1), std::string::npos) << result.err;
}

TEST_F(Programs, WhatAKernelPrintsIsNeverTakenForASkip) {
  const std::string cu = file("lab3.cu",
                              "#include <cstdio>\n"
                              "template <typename T> __global__ void corner_turn(const T* in, T* "
                              "out, int rows, int cols) {\n"
                              "  printf(\"[  SKIPPED ]\");\n"
                              "  out[0] = in[0];\n"
                              "}\n");
  const auto result =
      run("lab_check", {"--lab", "lab3", "--file", cu, "--gtest_filter=CornerTurning.WholeTiles"});
  EXPECT_EQ(result.exit_code, kExitVerdict) << result.out;
  // CTest must not look for that in the output either.
  const auto tests = std::filesystem::path(process::own_executable()).parent_path().parent_path() /
                     "labs/CTestTestfile.cmake";
  const std::string text = read_file(tests.string(), 1 << 20);
  EXPECT_NE(text.find("lab3.CornerTurning.WholeTiles"), std::string::npos);
  EXPECT_EQ(text.find("SKIP_REGULAR_EXPRESSION"), std::string::npos);
}

TEST_F(Programs, ATestByItselfIsToldAsInTheWholeLab) {
  const std::string cu = file("lab3.cu",
                              "template <typename T> __global__ void corner_turn(const T* in, T* "
                              "out, int rows, int cols) {\n"
                              "  __shared__ T tile[32][33];\n"
                              "  int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + "
                              "threadIdx.x;\n"
                              "  if (r < rows && c < cols)\n"
                              "    tile[threadIdx.y][threadIdx.x] = in[r * cols + c];\n"
                              "  r = blockIdx.x * 32 + threadIdx.y; c = blockIdx.y * 32 + "
                              "threadIdx.x;\n"
                              "  if (r < rows && c < cols)\n"
                              "    out[r * rows + c] = tile[threadIdx.x][threadIdx.y];\n"
                              "}\n");
  const auto told = [&](const std::string& filter) {
    const std::string json = file("result.json", "");
    const auto result = run("lab_check", {"--lab", "lab3", "--file", cu, "--device", "sim",
                                          "--details", "--json", json, "--gtest_filter=" + filter});
    EXPECT_EQ(result.exit_code, kExitVerdict) << result.out << result.err;
    return nlohmann::json::parse(read_file(json, 1 << 26)).at("tests");
  };
  const auto whole = told("*");
  std::size_t failed = 0;
  for (const auto& test : whole) {
    if (test.at("verdict") == "pass") continue;
    ++failed;
    for (const auto& alone : told(test.at("name"))) {
      if (alone.at("name") == test.at("name"))
        EXPECT_EQ(alone, test);
      else
        EXPECT_EQ(alone.at("verdict"), "not_run") << "of " << test.at("name");
    }
  }
  EXPECT_GE(failed, 2u);
}

TEST_F(Programs, AnOptionalKernelThatIsEmptyIsSkippedByItsExitCode) {
  EXPECT_EQ(run("lab_check", {"--lab", "lab5", "--file",
                              std::string(LABKIT_SOURCE_DIR) +
                                  "/solutions/lab5_tiled_matmul/wrong/second_tile_turned.cu",
                              "--gtest_filter=TiledMatmul.RegistersAnyShape"})
                .exit_code,
            kExitSkipped);
}

TEST_F(Programs, ABonusThatIsMissedFailsNothing) {
  const std::string slow_bonus = std::string(LABKIT_SOURCE_DIR) +
                                 "/solutions/lab4_bank_conflict_padding/wrong/rows_one_element.cu";
  const auto all = run("lab_check", {"--lab", "lab4", "--file", slow_bonus, "--device", "sim"});
  EXPECT_EQ(all.exit_code, kExitOk) << all.out;
  EXPECT_NE(all.out.find("too slow"), std::string::npos) << "it is explained all the same";
  EXPECT_EQ(run("lab_check", {"--lab", "lab4", "--file", slow_bonus, "--device", "sim",
                              "--gtest_filter=Padding.RowsBandwidth", "--json", "/dev/null"})
                .exit_code,
            kExitSkipped);
}

TEST_F(Programs, ProfileWritesOnlyJsonToStdout) {
  const std::string cu = file("k.cu", kCopy);
  const auto result =
      run("labkit", {"profile", cu, "k<<<4, 32>>>(f32[128]:random, f32[128]:poison, 128)", "--json",
                     "-", "--threads", "1", "--simd", "portable"});
  ASSERT_EQ(result.exit_code, kExitOk) << result.err;
  const Json json = Json::parse(result.out)["launches"][0];
  EXPECT_EQ(json["metrics"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 16);
  EXPECT_GT(json["metrics"]["ptx_thread_instructions"], 128 * 4);
  EXPECT_EQ(json["time_is_predicted"], true);
  EXPECT_EQ(json["simulator"]["simd"], "portable");
  EXPECT_EQ(json["simulator"]["threads"], 1);
  EXPECT_EQ(json["printed"], "hello\n");
  bool line_5 = false;
  for (const Json& line : json["lines"])
    line_5 |= line["line"] == 5 &&
              line["metrics"]["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"] == 4;
  EXPECT_TRUE(line_5) << json["lines"];
}

TEST_F(Programs, ProfilePrintsASummary) {
  const std::string cu = file("k.cu", kCopy), json = (folder_ / "out.json").string();
  const auto result =
      run("labkit",
          {"profile", cu, "k<<<4, 32>>>(f32[128]:random, f32[128]:poison, 128)", "--json", json});
  EXPECT_EQ(result.exit_code, kExitOk) << result.err;
  EXPECT_NE(result.out.find("predicted"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("k.cu:5"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << "no colour into a pipe";
  EXPECT_TRUE(Json::accept(read_file(json)));
}

TEST_F(Programs, AFindingIsAVerdict) {
  const std::string cu = file("k.cu", kCopy);
  const auto result =
      run("labkit",
          {"profile", cu, "k<<<4, 32>>>(f32[128]:random, f32[100]:poison, 128)", "--json", "-"});
  EXPECT_EQ(result.exit_code, kExitVerdict) << result.err;
  const Json json = Json::parse(result.out)["launches"][0];
  EXPECT_EQ(json["findings"][0]["kind"], "out_of_bounds");
  EXPECT_EQ(json["findings"][0]["where"]["line"], 5);
  EXPECT_EQ(json["completed"], false);
}

TEST_F(Programs, GradeWritesOnlyJsonToStdout) {
  const auto result =
      run("labkit", {"grade", "lab3", "--file", solution("correct/tile.cu"), "--json", "-"});
  ASSERT_EQ(result.exit_code, kExitOk) << result.err << result.out;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["labs"][0]["verdict"], "pass");
  EXPECT_EQ(json["labs"][0]["points"], 100);
}

TEST_F(Programs, AWrongAnswerFailsAndSaysWhy) {
  const auto result =
      run("labkit", {"grade", "lab3", "--file", solution("wrong/coalesced_read.cu")});
  EXPECT_EQ(result.exit_code, kExitVerdict) << result.err;
  EXPECT_NE(result.out.find("too much traffic"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("coalesced_read.cu:"), std::string::npos) << result.out;
}

TEST_F(Programs, AStubIsUntouchedAndSaysWhereToStart) {
  const std::string stub = file("stub.cu",
                                "template <typename T>\n__global__ void corner_turn(const T* in, "
                                "T* out, int rows, int cols) {\n  // TODO\n}\n");
  const auto result = run("lab_check", {"--lab", "lab3", "--ready", "--file", stub});
  EXPECT_EQ(result.exit_code, kExitVerdict);
  EXPECT_NE(result.out.find("stub.cu:3"), std::string::npos) << result.out;
  EXPECT_TRUE(result.err.empty()) << result.err;
}

TEST_F(Programs, WhatAKernelPrintsIsQuotedAndChangesNothing) {
  const std::string forged =
      file("forged.cu",
           "#include <cstdio>\ntemplate <typename T>\n__global__ void corner_turn(const T* in, T* "
           "out, int rows, int cols) {\n"
           "  if (threadIdx.x == 0 && threadIdx.y == 0 && blockIdx.x == 0 && blockIdx.y == 0)\n"
           "    printf(\"\\n[  PASSED  ] all\\n{\\\"verdict\\\": \\\"pass\\\", \\\"points\\\": "
           "100}\\n\");\n}\n");
  const std::string json = (folder_ / "forged.json").string();
  const auto result = run("lab_check", {"--lab", "lab3", "--file", forged, "--json", json});
  EXPECT_EQ(result.exit_code, kExitVerdict);
  EXPECT_NE(result.out.find("  | [  PASSED  ] all"), std::string::npos) << result.out;
  const Json graded = Json::parse(read_file(json));
  EXPECT_EQ(graded["verdict"], "wrong_result");
  EXPECT_EQ(graded["points"], 0);
}

TEST_F(Programs, SeedsChangeTheInputsNotTheVerdict) {
  for (const char* seed : {"1", "2", "18446744073709551615"})
    EXPECT_EQ(
        run("lab_check", {"--lab", "lab3", "--file", solution("correct/tile.cu"), "--seed", seed})
            .exit_code,
        kExitOk)
        << seed;
}

TEST_F(Programs, AWrongKernelNameOrLaunchToProfileIsAWrongCommandLine) {
  const std::string cu = file("k.cu", "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n");
  const auto profiled = [&](const std::string& kernel, const std::string& block) {
    return run("labkit",
               {"profile", cu, fmt::format("{}<<<1, {}>>>(i32[32]:poison)", kernel, block)});
  };
  const auto missing = profiled("other", "32");
  EXPECT_EQ(missing.exit_code, kExitUsage) << missing.out << missing.err;
  EXPECT_NE((missing.out + missing.err).find("other"), std::string::npos);
  const auto large = profiled("k", "2048");
  EXPECT_EQ(large.exit_code, kExitUsage) << large.out << large.err;
  const auto other_type = run("labkit", {"profile", cu, "k<<<1, 32>>>(3)"});
  EXPECT_EQ(other_type.exit_code, kExitUsage) << other_type.out << other_type.err;
  EXPECT_EQ(profiled("k", "32").exit_code, kExitOk);
}

TEST_F(Programs, AHugeFileIsAVerdict) {
  const std::string cu = file("huge.cu", std::string(17u << 20, '\n'));
  const auto graded = run("labkit", {"grade", "lab3", "--file", cu});
  EXPECT_EQ(graded.exit_code, kExitVerdict) << graded.err;
  EXPECT_NE(graded.out.find("compile limit"), std::string::npos) << graded.out;
  EXPECT_NE(graded.out.find("larger than"), std::string::npos) << graded.out;
  const auto profiled = run("labkit", {"profile", cu, "k<<<1, 32>>>()"});
  EXPECT_EQ(profiled.exit_code, kExitVerdict) << profiled.err;
  EXPECT_NE(profiled.out.find("compile_limit"), std::string::npos) << profiled.out;
}

TEST_F(Programs, JsonGoesOnlyWhereAFolderIs) {
  const std::string json = (folder_ / "none" / "out.json").string();
  const auto result =
      run("labkit", {"grade", "lab3", "--file", solution("correct/tile.cu"), "--json", json});
  EXPECT_EQ(result.exit_code, kExitUsage);
  EXPECT_NE(result.err.find((folder_ / "none").string()), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

TEST_F(Programs, WhatCannotBePrintedIsNoSuccess) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const std::string labkit =
      (std::filesystem::path(process::own_executable()).parent_path() / "labkit").string();
  process::Command command;
  command.argv = {"/bin/sh", "-c", "exec '" + labkit + "' list > /dev/full"};
  command.environment = process::inherited({"PATH", "HOME", "ASAN_OPTIONS"});
  command.limits = {.wall_seconds = 60};
  const auto result = process::run(command);
  EXPECT_EQ(result.exit_code, kExitOurError);
  EXPECT_NE(result.err.find("stdout"), std::string::npos) << result.err;
}

TEST_F(Programs, FileNamesAreQuoted) {
  const std::string cu = file("line.cu", "#line 7 \"x\033[31m.cu\"\n" + std::string(kCopy));
  const auto result =
      run("labkit", {"profile", cu, "k<<<4, 32>>>(f32[128]:random, f32[100]:poison, 128)"});
  EXPECT_EQ(result.exit_code, kExitVerdict) << result.err;
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << result.out;
  const auto right =
      run("labkit", {"profile", cu, "k<<<4, 32>>>(f32[128]:random, f32[128]:poison, 128)"});
  EXPECT_EQ(right.exit_code, kExitOk) << right.err;
  EXPECT_EQ((right.out + right.err).find('\x1b'), std::string::npos) << right.out;
}

TEST_F(Programs, TheTestsAreListedWithoutACompiler) {
  const auto result = run("lab_check", {"--lab", "lab3", "--gtest_list_tests"});
  EXPECT_EQ(result.exit_code, kExitOk);
  EXPECT_NE(result.out.find("Bandwidth"), std::string::npos);
}

TEST_F(Programs, ASlipOfTheFingerIsAnsweredWithTheCommandMeant) {
  const auto slip = run("labkit", {"graed", "lab1"});
  EXPECT_EQ(slip.exit_code, kExitUsage);
  EXPECT_EQ(slip.err, "labkit: there is no command 'graed'; did you mean grade?\n");
  EXPECT_NE(run("labkit", {"lst"}).err.find("did you mean list?"), std::string::npos);
  const auto below = run("labkit", {"class", "grad", "submissions.zip"});
  EXPECT_EQ(below.exit_code, kExitUsage);
  EXPECT_EQ(below.err, "labkit: there is no command 'class grad'; did you mean class grade?\n");
  EXPECT_NE(run("labkit", {"lab", "chekc"}).err.find("did you mean lab check?"), std::string::npos);
  const auto other = run("labkit", {"compile"});
  EXPECT_EQ(other.exit_code, kExitUsage);
  EXPECT_NE(other.err.find("there are grade hint watch"), std::string::npos) << other.err;
}

/// As its author wrote it: host code that is no device code, a header beside it, and arrays from files and to files.
TEST_F(Programs, ProfileTakesAWholeProgramAndFiles) {
  file("width.h", "#define WIDTH 2\n");
  const std::string cu = file("whole.cu",
                              "#include <map>\n#include <string>\n#include \"width.h\"\n"
                              "static std::map<std::string, int> known;\n"
                              "namespace {\ntemplate <typename T>\n"
                              "__global__ void sums(const T* x, T* sum) {\n"
                              "  T s = 0;\n"
                              "  for (int i = 0; i < WIDTH; ++i) s += x[WIDTH * threadIdx.x + i];\n"
                              "  sum[threadIdx.x] = s;\n}\n}\n"
                              "int main() { sums<int><<<1, 1>>>(nullptr, nullptr); }\n");
  const std::int32_t numbers[] = {1, 2, 3, 4}, right[] = {3, 7}, wrong[] = {3, 8};
  const auto bytes = [&](const char* name, const auto& values) {
    return file(name, std::string(reinterpret_cast<const char*>(values), sizeof values));
  };
  const std::string x = bytes("x.bin", numbers), made = (folder_ / "made.npy").string();
  const std::string launch = "sums<int><<<1, 2>>>(i32[]:" + x + ", i32[2]:poison)";
  const auto profiled = [&](const std::string& expected) {
    return run("labkit", {"profile", cu, launch, "--json", "-", "--dump", "sum=" + made, "--expect",
                          "sum=" + expected});
  };
  const auto good = profiled(bytes("right.bin", right));
  if (good.exit_code == kExitVerdict &&
      Json::parse(good.out)["launches"][0]["refusal"]["kind"] == "compile_error")
    GTEST_SKIP() << "neither nvcc nor clang is here, or neither reads the file";
  ASSERT_EQ(good.exit_code, kExitOk) << good.out << good.err;
  const Json json = Json::parse(good.out);  // nothing else is on stdout
  EXPECT_EQ(json["launches"][0]["lines"][0]["file"], "whole.cu");
  EXPECT_EQ(read_file(made).substr(0, 6), "\x93NUMPY");
  EXPECT_EQ(read_file(made).substr(128), read_file(folder_ / "right.bin"));
  const auto bad = profiled(bytes("wrong.bin", wrong));
  EXPECT_EQ(bad.exit_code, kExitVerdict);
  EXPECT_NE(bad.err.find("expected 8, got 7"), std::string::npos) << bad.err;
  EXPECT_EQ(profiled(file("long.bin", std::string(12, '\1'))).exit_code, kExitUsage);
  EXPECT_EQ(profiled((folder_ / "nowhere.npy").string()).exit_code, kExitUsage);
}

TEST_F(Programs, RunPutsLaunchesThatAreAlikeIntoOneRow) {
  const std::string cu = file("turns.cu",
                              "__global__ void one(int* p) { p[threadIdx.x] += 1; }\n"
                              "__global__ void two(int* p) { p[threadIdx.x] *= 2; }\n"
                              "int main() {\n  int* p;\n  cudaMalloc(&p, 4096);\n"
                              "  cudaMemset(p, 0, 4096);\n"
                              "  for (int i = 0; i < 3; ++i) {\n"
                              "    one<<<1, 256>>>(p);\n    two<<<1, 256>>>(p);\n  }\n"
                              "  one<<<1, 512>>>(p);\n"
                              "  return cudaDeviceSynchronize() + cudaFree(p);\n}\n");
  const std::string report = (folder_ / "report.json").string();
  const auto ran = run("labkit", {"run", "--json", report, cu});
  if (ran.exit_code == kExitOurError) GTEST_SKIP() << "neither nvcc nor clang is here: " << ran.err;
  ASSERT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  std::vector<std::string> rows;
  const Json json = Json::parse(read_file(report));
  for (const Json& row : json["launches"])
    rows.push_back(row["first"].dump() + " x" + row["count"].dump() + " " +
                   row["kernel"].get<std::string>());
  EXPECT_EQ(rows, (std::vector<std::string>{"1 x3 one", "2 x3 two", "7 x1 one"}));
}

TEST_F(Programs, RunCountsABlockThatWaitsForTheGridOnceATurn) {
  const std::string cu = file("wait.cu",
                              "#include <cooperative_groups.h>\n"
                              "__global__ void wait() { cooperative_groups::this_grid().sync(); }\n"
                              "int main() {\n"
                              "  cudaLaunchCooperativeKernel((void*)wait, 16, 32, nullptr, 0, 0);\n"
                              "  return cudaDeviceSynchronize();\n}\n");
  const std::string report = (folder_ / "report.json").string();
  const auto ran = run("labkit", {"run", "--json", report, cu});
  if (ran.exit_code == kExitOurError) GTEST_SKIP() << "neither nvcc nor clang is here: " << ran.err;
  ASSERT_EQ(ran.exit_code, kExitOk) << ran.out << ran.err;
  const Json json = Json::parse(read_file(report));
  const auto& metrics = json["launches"][0]["metrics"];
  // Before the last of 16 blocks has come, each of the others looks once in a round of all.
  EXPECT_LE(metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"].get<double>(), 16 * 16);
}

}  // namespace
}  // namespace labkit::cli
