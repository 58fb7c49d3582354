#include "process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "ends.h"

namespace labkit::process {
namespace {

Command shell(const std::string& script) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.environment = {"PATH=/usr/bin:/bin"};
  command.limits.wall_seconds = 60;  // so that a broken test ends
  return command;
}

TEST(Process, PassesArgumentsAndInputAndGivesOutputBack) {
  Command command = shell("printf '%s|' \"$@\"; cat; echo problem >&2; exit 3");
  command.argv.insert(command.argv.end(), {"sh", "a b", "", "$HOME;*"});
  command.input = std::string("in\0put", 6);
  const Result result = run(command);
  EXPECT_EQ(result.end, End::exited);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.out, std::string("a b||$HOME;*|in\0put", 19));
  EXPECT_EQ(result.err, "problem\n");
}

TEST(Process, IsKilledOnceItIsToldToStop) {
  std::atomic<bool> stop{false};
  Command command = shell("trap '' TERM INT; sleep 600 & sleep 600");
  command.stop = &stop;
  std::thread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  EXPECT_EQ(run(command).end, End::stopped);
  later.join();
  EXPECT_EQ(run(command).end, End::stopped) << "what is told to stop before it began";
}

TEST(Process, KeepsTheDescriptorsItIsToldToAndNoOthers) {
  std::vector<int> files;
  for (const char* text : {"one", "two", "secret"}) {
    const int file = ::memfd_create(text, 0);  // not close-on-exec: it is closed all the same
    ASSERT_GE(file, 0);
    ASSERT_EQ(::write(file, text, std::strlen(text)), static_cast<ssize_t>(std::strlen(text)));
    files.push_back(file);
  }
  // No pipe: while the shell sets one up it holds another descriptor for an instant.
  Command command = shell(
      "cat /proc/self/fd/4; echo; cat /proc/self/fd/5; echo; ls -v /proc/$$/fd; echo written >&4");
  command.keep = {files[1], files[0]};
  const Result result = run(command);
  // sh itself keeps nothing above 5, unless it duplicates its script, above 9.
  EXPECT_TRUE(result.out.starts_with("two\none\n0\n1\n2\n4\n5\n")) << result.out << result.err;
  char back[16] = {};
  EXPECT_EQ(::pread(files[1], back, sizeof back, 3), 8);
  EXPECT_STREQ(back, "written\n");
  for (const int file : files) ::close(file);
}

TEST(Process, CarriesMoreThanAPipeHolds) {
  Command command = shell("cat; cat /proc/self/fd/0 >/dev/null");
  command.input = std::string(3 << 20, 'x');
  EXPECT_EQ(run(command).out.size(), command.input.size());
}

TEST(Process, ShowsOnlyTheEnvironmentThatWasGiven) {
  ::setenv("LABKIT_SECRET", "1", 1);
  Command command = shell("/usr/bin/env");
  command.environment = {"A=b"};
  const Result result = run(command);
  EXPECT_EQ(result.out.find("LABKIT_SECRET"), std::string::npos);
  EXPECT_NE(result.out.find("A=b"), std::string::npos);
  EXPECT_EQ(inherited({"LABKIT_SECRET", "LABKIT_NOT_SET"}),
            std::vector<std::string>{"LABKIT_SECRET=1"});
}

TEST(Process, InheritsNoDescriptor) {
  const int leak = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GT(leak, 2);
  const Result result = run(shell("cd /proc/self/fd && echo *"));
  ::close(leak);
  // 3 may be the directory that the glob reads, no more.
  EXPECT_TRUE(result.out == "0 1 2\n" || result.out == "0 1 2 3\n") << result.out;
}

TEST(Process, EndsAChildThatTakesTooLong) {
  Command command = shell("echo begun; sleep 1000");
  command.limits.wall_seconds = 0.2;
  const Result result = run(command);
  EXPECT_EQ(result.end, End::timed_out);
  EXPECT_EQ(result.out, "begun\n");
  EXPECT_EQ(describe(result, command.limits), "stopped after 0.2 s");
}

TEST(Process, EndsGrandchildrenToo) {
  for (const char* after : {"wait", "exit 0"}) {  // the child is stopped, or leaves them behind
    Command command = shell(std::string("sleep 1000 & echo $!; ") + after);
    command.limits.wall_seconds = after == std::string("wait") ? 0.2 : 60;
    const Result result = run(command);
    EXPECT_EQ(result.end, after == std::string("wait") ? End::timed_out : End::exited);
    EXPECT_LT(result.wall_seconds, 50);
    const pid_t grandchild = std::stoi(result.out);
    EXPECT_TRUE(ends(grandchild)) << after;
  }
}

TEST(Process, LeavesNoZombie) {
  run(shell("exit 0"));
  Command slow = shell("sleep 1000");
  slow.limits.wall_seconds = 0.05;
  run(slow);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Process, StopsEndlessOutput) {
  Command command = shell("while :; do echo yyyyyyyyyyyyyyyy; done");
  command.limits.output_bytes = 10000;
  const Result result = run(command);
  EXPECT_EQ(result.end, End::output_limit);
  EXPECT_EQ(result.out.size(), 10000u);
}

TEST(Process, AllowsOutputUpToTheLimit) {
  Command command = shell("printf 12345; printf 67890 >&2");
  command.limits.output_bytes = 10;
  EXPECT_EQ(run(command).end, End::exited);
  command.limits.output_bytes = 9;
  EXPECT_EQ(run(command).end, End::output_limit);
}

TEST(Process, LimitsCpuTime) {
  Command command = shell("while :; do :; done");
  command.limits.cpu_seconds = 1;
  const Result result = run(command);
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_TRUE(result.cpu_limit);
  EXPECT_EQ(describe(result, command.limits), "stopped after 1 s of CPU time");
}

TEST(Process, LimitsMemory) {
  Command command = shell("x=$(head -c 30000000 /dev/zero | tr '\\0' x); echo ${#x}");
  EXPECT_EQ(run(command).out, "30000000\n");
  command.limits.address_space_bytes = 20u << 20;
  EXPECT_NE(run(command).out, "30000000\n");
}

TEST(Process, LimitsFiles) {
  const std::string path = testing::TempDir() + "labkit-process-file";
  Command command = shell("head -c 100000 /dev/zero > '" + path + "'");
  command.limits.file_bytes = 1000;
  EXPECT_FALSE(run(command).ok());
  ::unlink(path.c_str());
}

TEST(Process, TellsASignalFromAnExit) {
  const Result result = run(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_FALSE(result.cpu_limit);
  EXPECT_EQ(describe(result, {}), "killed by signal 11 (Segmentation fault)");
}

TEST(Process, StartsWithSignalsAtTheirDefaults) {
  ::signal(SIGTERM, SIG_IGN);
  const Result result = run(shell("kill -TERM $$; echo survived"));
  ::signal(SIGTERM, SIG_DFL);
  EXPECT_EQ(result.end, End::signalled);
  EXPECT_EQ(result.signal, SIGTERM);
}

TEST(Process, RunsWhereItIsTold) {
  Command command = shell("pwd");
  command.directory = "/usr";
  EXPECT_EQ(run(command).out, "/usr\n");
}

std::string failure_of(const Command& command) {
  try {
    run(command);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Process, SaysWhatKeptItFromStarting) {
  Command command = shell("true");
  command.directory = "/no/such/place";
  EXPECT_EQ(failure_of(command), "cannot enter /no/such/place: No such file or directory");
  command = shell("true");
  command.argv[0] = "/no/such/program";
  EXPECT_EQ(failure_of(command), "cannot run /no/such/program: No such file or directory");
  command.argv[0] = "/etc/passwd";
  EXPECT_EQ(failure_of(command), "cannot run /etc/passwd: Permission denied");
  EXPECT_EQ(failure_of(Command{}), "no program to run was named");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child that could not start was left";
}

TEST(Process, WorksFromSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(8);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    threads.emplace_back(
        [&outputs, i] { outputs[i] = run(shell("echo " + std::to_string(i))).out; });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], std::to_string(i) + "\n");
}

}  // namespace
}  // namespace labkit::process
