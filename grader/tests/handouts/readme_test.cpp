// Every command that README.md shows is in the table below, with its exit code or what else runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "compile/compile.h"
#include "kit_folder.h"

namespace labkit::handouts {
namespace {

namespace fs = std::filesystem;

struct Shown {
  const char* command;  ///< as in README.md, without comment, on one line
  int exit_code;        ///< kElsewhere: not run here
  const char* typed;    ///< typed instead, with a name for README.md's placeholder; "": the same.
                        ///< kElsewhere: what runs it
};
constexpr int kElsewhere = -1;

// In the order of a reader who has just cloned the kit, so all kernels are stubs.
const Shown kShown[] = {
    {"./kit doctor", 0, ""},
    {"./kit grade --solutions", 0, ""},
    {"./kit test", kElsewhere, ".ci/run"},
    {"./kit show lab0", 0, ""},
    {"./kit watch", kElsewhere, "watch_test.cpp"},
    {"./kit hint lab0", 0, ""},
    {"./kit explain lab0", 0, ""},
    {"./kit list", 0, ""},
    {"./kit list --history", 0, ""},
    {"./kit reset lab0", 0, ""},
    {"ctest -L lab1 --output-on-failure", 8, ""},
    {"./kit grade lab3", 1, ""},
    {"./kit run prog.cu 1024", kElsewhere, "program.example.saxpy"},
    {"./kit profile FILE.cu 'transpose<float><<<64x64, 32x32>>>(f32[4194304]:random, "
     "f32[4194304]:poison, 2048, 2048)'",
     0, ""},
    {"./kit grade lab3 --file alice.cu", 0, ""},
    {"./kit new lab lab20_NAME", 0, "./kit new lab lab20_mine && ./kit show lab20"},
    {"./kit lab check", kElsewhere, "lab_check.*"},
    {"./kit handouts", kElsewhere, "handouts.students"},
    {"cmake --build --preset handouts-teachers", kElsewhere, "handouts.teachers"},
    {"cmake --build --preset package", kElsewhere, "package.check"},
    {"./kit grade lab0", 1, ""},
    {"cmake --build --preset student-kit", kElsewhere, "student_kit.builds_and_grades"},
    {"./kit class grade \"Lab 3 submissions.zip\" --out grades", kElsewhere,
     "teaching_assistant_test.cpp"},
    {"./kit class undo", kElsewhere, "class_weeks_test.cpp"},
    {"./kit class grade lab4.zip lab4_section2.zip --out grades", kElsewhere,
     "teaching_assistant_test.cpp"},
    {"./kit class set", kElsewhere, "teaching_assistant_test.cpp"},
    {"./kit class replay RECEIPT", kElsewhere, "teaching_assistant_test.cpp"},
    {"./kit lab calibrate --device cuda --runs 3 --write", kElsewhere, "a GPU"},
    {"./kit lab check --device cuda", kElsewhere, "a GPU"},
};

/// Indented by four, or between backquotes.
std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> found;
  const auto add = [&](std::string text) {
    text = std::regex_replace(text, std::regex("\\\\\n *"), "");
    text = std::regex_replace(text, std::regex("[ ]+# .*"), "");
    if (std::regex_search(text, std::regex("^(\\./kit|ctest|cmake|labkit) ")))
      found.push_back(std::move(text));
  };
  const std::regex shown("\n    ((?:[^\n]*\\\\\n)*[^\n]*)|`([^`\n]+)`");
  for (auto at = std::sregex_iterator(page.begin(), page.end(), shown);
       at != std::sregex_iterator(); ++at)
    add((*at)[1].matched ? (*at)[1] : (*at)[2]);
  return found;
}

TEST(Readme, EveryCommandIsInTheTable) {
  const auto found = commands_of(read_file(fs::path(LABKIT_SOURCE_DIR) / "README.md"));
  const std::set<std::string> shown(found.begin(), found.end());
  std::set<std::string> known;
  for (const auto& [command, exit_code, typed] : kShown) known.insert(command);
  EXPECT_EQ(shown, known);
  EXPECT_EQ(commands_of("a\n    ./kit x \\\n        y    # z\n`ctest b` `./kit`\n"),
            (std::vector<std::string>{"./kit x y", "ctest b"}));
}

TEST(Readme, EachCommandEndsAsTheTableSays) {
  try {
    compile::find_nvrtc();
  } catch (const compile::NoNvrtc&) {
    GTEST_SKIP() << "skipped: there is no NVRTC";
  }
  const KitFolder folder;
  std::ofstream(folder.path() / "FILE.cu") << R"(
template <typename T>
__global__ void transpose(const T* in, T* out, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
)";
  fs::copy_file(folder.path() / "solutions/lab3_corner_turning/correct/padded.cu",
                folder.path() / "alice.cu");
  for (const auto& [command, exit_code, typed] : kShown) {
    if (exit_code == kElsewhere) continue;
    const std::string text = *typed == '\0' ? command : typed;
    const process::Result result = folder.type(text);
    EXPECT_TRUE(result.end == process::End::exited && result.exit_code == exit_code)
        << text << ": " << process::describe(result, {}) << "\n"
        << result.out << result.err;
  }
  // options of `profile` that the text mentions
  for (const char* more : {"--check", "--lanes 4", "--html page.html", "--gpu all"}) {
    const process::Result result = folder.type(
        std::string("./kit profile FILE.cu 'transpose<float><<<8x8, 32x32>>>(f32[65536]:random, "
                    "f32[65536]:poison, 256, 256)' ") +
        more);
    EXPECT_TRUE(result.end == process::End::exited && result.exit_code == 0)
        << more << ": " << result.out << result.err;
  }
  EXPECT_TRUE(fs::exists(folder.path() / "page.html"));
}

}  // namespace
}  // namespace labkit::handouts
