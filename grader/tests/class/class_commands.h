// A small class of lab 3 in a folder of its own, and the class commands as they are typed.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/plan.h"
#include "compile/compile.h"
#include "process/process.h"

namespace labkit::course {

namespace fs = std::filesystem;

inline std::string solution(const std::string& name) {
  return read_file(fs::path(LABKIT_SOURCE_DIR) / "solutions/lab3_corner_turning" / name);
}

class ClassCommands : public testing::Test {
 protected:
  double most_seconds_ = 280;  ///< that a command may take
  ClassCommands() {
    std::string name = (fs::temp_directory_path() / "labkit_class_test_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("mkdtemp");
    folder_ = name;
  }
  ~ClassCommands() override { fs::remove_all(folder_); }
  void SetUp() override {
    try {
      compile::find_nvrtc();
    } catch (const compile::NoNvrtc&) {
      GTEST_SKIP() << "skipped: there is no NVRTC";
    }
  }

  void attempt(const std::string& student, const std::string& source,
               const std::string& lab = "lab3") const {
    write_file_atomically(folder_ / "submissions" / student / (lab + ".cu"), source);
  }
  /// A wrong one, a right one, and one that does not compile.
  void small_class() const {
    attempt("ana", solution("correct/tile.cu"));
    attempt("bo", solution("wrong/tile_not_turned.cu"));
    attempt("cy", "__global__ void corner_turn( {");
  }

  process::Command command(std::vector<std::string> words,
                           const std::vector<std::string>& environment = {}) const {
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string()};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = environment;
    for (std::string& variable : process::inherited(
             {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "ASAN_OPTIONS"}))
      command.environment.push_back(std::move(variable));
    const auto is_given = [&](const char* name) {
      return std::any_of(environment.begin(), environment.end(), [&](const std::string& one) {
        return one.starts_with(std::string(name) + "=");
      });
    };
    if (environment.empty() || is_given("LABKIT_LIBCUDA"))
      for (std::string& variable : process::inherited({"LABKIT_NVRTC"}))
        command.environment.push_back(std::move(variable));
    if (!is_given("LABKIT_LIBCUDA"))
      command.environment.push_back("LABKIT_LIBCUDA=/nowhere/libcuda.so.1");  // whatever is here
    command.limits = {.wall_seconds = most_seconds_};
    return command;
  }
  process::Result run(std::vector<std::string> words,
                      const std::vector<std::string>& environment = {}) const {
    return process::run(command(std::move(words), environment));
  }
  std::vector<std::string> grade_words(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"class", "grade", (folder_ / "submissions").string(), "--out",
                                      out().string()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  process::Result grade(const std::vector<std::string>& more = {},
                        const std::vector<std::string>& environment = {}) const {
    return run(grade_words(more), environment);
  }
  /// One that goes on beside the test; with the signals as a terminal gives them.
  pid_t begin(const std::vector<std::string>& words) const {
    const process::Command wanted = command(words);
    std::vector<char*> argv, environment;
    for (const std::string& word : wanted.argv) argv.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& word : wanted.environment)
      environment.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    environment.push_back(nullptr);
    const std::string said = (folder_ / "said").string();
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGINT, SIG_DFL);
      ::signal(SIGTERM, SIG_DFL);
      if (!std::freopen(said.c_str(), "w", stdout)) ::_exit(126);
      ::execve(argv[0], argv.data(), environment.data());
      ::_exit(127);
    }
    return child;
  }
  std::string said() const { return read_file(folder_ / "said"); }
  /// Until that many are done of what is planned, and not all.
  void wait_until_running(std::size_t done) const {
    for (int tries = 0; tries < 20'000; ++tries) {
      if (const auto plan = PlanFolder::find(out())) {
        const std::size_t ended = plan->state().done.size();
        if (ended >= done && ended < plan->plan().tasks.size()) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << "it never ran";
  }
  static int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  fs::path out() const { return folder_ / "grades"; }
  Gradebook book() const {
    return Gradebook(out() / "gradebook.sqlite", Gradebook::Mode::existing);
  }
  std::map<std::string, std::string> verdicts() const {
    std::map<std::string, std::string> verdicts;
    const Gradebook kept(out() / "gradebook.sqlite", Gradebook::Mode::existing);
    for (const Entry& entry : kept.entries())
      if (entry.submitted) verdicts[entry.student + " " + entry.lab] = entry.verdict;
    return verdicts;
  }
  /// Results and receipts of all that was graded.
  static std::map<std::string, std::string> contents(const fs::path& out) {
    std::map<std::string, std::string> contents;
    const Gradebook kept(out / "gradebook.sqlite", Gradebook::Mode::existing);
    for (const Entry& entry : kept.entries())
      if (entry.graded) {
        const auto outcome = kept.outcome(entry.job->id);
        contents[entry.student + " " + entry.lab] = outcome->json + outcome->receipt;
      }
    return contents;
  }

  fs::path folder_;
};

inline bool says(const process::Result& result, const std::string& text) {
  return result.out.find(text) != std::string::npos || result.err.find(text) != std::string::npos;
}
#define EXPECT_SAYS(result, text) \
  EXPECT_TRUE(says(result, text)) << "not said: " << (text) << "\n" << (result).out << (result).err

}  // namespace labkit::course
