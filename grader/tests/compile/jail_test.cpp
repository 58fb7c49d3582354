// A source must not see any file, and must not make the compiler take all time, memory or disk.
#include <seccomp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "compile/compile.h"
#include "messages.h"
#include "nvrtc_test.h"
#include "process/process.h"

namespace labkit::compile {
namespace {

class Jail : public WithNvrtc {
 protected:
  void SetUp() override {
    WithNvrtc::SetUp();
    secret_ = testing::TempDir() + "labkit-secret-" + std::to_string(::getpid()) + ".h";
    write_file_atomically(secret_, "#define SECRET 42\n");
  }
  void TearDown() override { ::unlink(secret_.c_str()); }
  std::string secret_;
};

constexpr char kUse[] =
    "\n#ifdef SECRET\n#error the secret is out\n#endif\n__global__ void k(int* p) { p[0] = 1; }\n";

TEST_F(Jail, NoSpellingOfIncludeOpensAFile) {
  const std::string file = secret_;
  const std::string name = std::filesystem::path(file).filename();
  const std::string relative = "../../../../../../../../" + file;
  const std::vector<std::string> spellings = {
      "#include \"" + file + "\"",
      "#include <" + file + ">",
      "#include \"" + relative + "\"",
      "#include \"" + name + "\"",
      "#define NAME \"" + file + "\"\n#include NAME",
      "%:include \"" + file + "\"",
      "#inc\\\nlude \\\n\"" + file + "\"",
      "#/* */include/* */\"" + file + "\"",
      "# include_next \"" + file + "\"",
      "#import \"" + file + "\"",
      "/* \n */ #include \"" + file + "\"",
      "const char* s = R\"(\n)\"; // R\"(\n#include \"" + file + "\"\n//)\"",
      "#include \"/proc/self/root" + file + "\"",
      "#include \"/dev/stdin\"",
      "#include \"/proc/self/cmdline\"",
  };
  for (const std::string& spelling : spellings) {
    const Result result = compile(request(spelling + kUse));
    EXPECT_EQ(result.status, Status::rejected) << spelling << '\n' << result.log;
    EXPECT_EQ(result.log.find("the secret is out"), std::string::npos) << spelling;
    EXPECT_EQ(result.log.find("#define SECRET"), std::string::npos) << spelling;
  }
}

TEST_F(Jail, SaysWhatMayBeIncluded) {
  EXPECT_EQ(
      words::render(compile(request("#include \"helper.h\"\n__global__ void k() {}")).message),
      "kernel.cu:1 includes \"helper.h\", which is not available here. A submission is one "
      "file: it can include only standard headers and CUDA's device headers.");
}

TEST_F(Jail, HasIncludeAndEmbedSeeNothing) {
  const Result has = compile(
      request("#if __has_include(\"" + secret_ + "\")\n#error the secret is out\n#endif" + kUse));
  EXPECT_EQ(has.status, Status::ok) << has.log;
  const Result embed =
      compile(request("__device__ char c[] = {\n#embed \"" + secret_ + "\"\n};" + kUse));
  EXPECT_EQ(embed.status, Status::rejected) << embed.log;
}

TEST_F(Jail, ToolkitHeadersAreNoWayOut) {
  for (const char* name : {"cooperative_groups/../../../../../etc/passwd",
                           "cuda/../../../etc/passwd", "../include/../../../etc/passwd"}) {
    const Result result = compile(request(std::string("#include <") + name + ">" + kUse));
    EXPECT_EQ(result.status, Status::rejected) << name;
    EXPECT_EQ(result.log.find("root:"), std::string::npos) << result.log;
  }
}

TEST_F(Jail, IncludingItselfIsAVerdict) {
  EXPECT_EQ(compile(request(std::string("#include \"kernel.cu\"") + kUse)).status,
            Status::rejected);
  EXPECT_EQ(compile(request(std::string("#include __FILE__") + kUse)).status, Status::rejected);
}

// 2^40 instantiations at a small depth: only a limit ends it.
constexpr char kTemplateBomb[] = R"(
template <int depth, long path> struct Bomb {
  static constexpr long value = Bomb<depth - 1, 2 * path>::value + Bomb<depth - 1, 2 * path + 1>::value;
};
template <long path> struct Bomb<0, path> { static constexpr long value = path; };
__global__ void k(long* p) { p[0] = Bomb<40, 0>::value; }
)";

TEST_F(Jail, ATemplateBombMeetsTheTimeLimit) {
  const Result result =
      compile(request(kTemplateBomb), {.cpu_seconds = 1, .memory_bytes = 64ull << 30});
  EXPECT_EQ(result.status, Status::limit);
  EXPECT_EQ(words::render(only(result.message)),
            "Compiling kernel.cu took more than 1 s of CPU time and was stopped. Is there a "
            "template, macro or constexpr function that never ends?");
}

TEST_F(Jail, ATemplateBombMeetsTheMemoryLimit) {
  const Result result =
      compile(request(kTemplateBomb), {.cpu_seconds = 60, .memory_bytes = 300ull << 20});
  EXPECT_EQ(result.status, Status::limit);
  EXPECT_EQ(only(result.message), (Message{Id::compile_memory_limit,
                                           {{"file", "kernel.cu"}, {"mib", words::count(300)}}}));
}

TEST_F(Jail, AnEndlessConstexprIsAVerdict) {
  const Result result = compile(request(R"(
__device__ constexpr long turn() { long s = 0; while (true) ++s; return s; }
__global__ void k(long* p) { constexpr long s = turn(); p[0] = s; }
)"),
                                {.cpu_seconds = 10});
  EXPECT_NE(result.status, Status::ok);
}

/// A folder whose compiler answers what is asked before a job, and dies of `signal` at the job.
class DyingCompiler {
 public:
  explicit DyingCompiler(const std::string& signal) {
    std::string pattern = testing::TempDir() + "labkit-dying-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    const std::string real =
        std::filesystem::path(process::own_executable()).parent_path() / "labkit-nvrtc";
    const std::string script = folder_ / "labkit-nvrtc";
    std::ofstream(script) << "#!/bin/sh\ncat > '" << folder_.string() << "/in'\n"
                          << "grep -aq __global__ '" << folder_.string() << "/in' && kill -"
                          << signal << " $$\nexec '" << real << "' \"$@\" < '" << folder_.string()
                          << "/in'\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    libexec_.emplace("LABKIT_LIBEXEC", folder_.c_str());
  }
  ~DyingCompiler() { std::filesystem::remove_all(folder_); }
  DyingCompiler(const DyingCompiler&) = delete;
  DyingCompiler& operator=(const DyingCompiler&) = delete;

 private:
  std::filesystem::path folder_;
  std::optional<ScopedEnvironment> libexec_;
};

TEST_F(Jail, ACompilerKilledFromOutsideIsNoVerdict) {
  const DyingCompiler dying("KILL");
  try {
    compile(request("__global__ void k(int* p) { *p = 1; }"));
    FAIL() << "a verdict";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("killed from outside"), std::string::npos)
        << error.what();
  }
}

TEST_F(Jail, ACompilerThatCrashesIsAVerdict) {
  for (const auto& [signal, number] : {std::pair("SEGV", SIGSEGV), {"ABRT", SIGABRT}}) {
    const DyingCompiler dying(signal);
    const Result result = compile(request("__global__ void k(int* p) { *p = 1; }"));
    EXPECT_EQ(result.status, Status::limit);
    EXPECT_EQ(only(result.message).id, Id::compile_crash);
    EXPECT_EQ(*only(result.message).find("signal"), words::Value(std::int64_t{number}));
  }
}

TEST_F(Jail, HugeOutputMeetsItsLimit) {
  const Result result = compile(request(kHugeTable), {.output_bytes = 1u << 20});
  EXPECT_EQ(result.status, Status::limit);
  EXPECT_EQ(only(result.message),
            (Message{Id::compile_output_limit, {{"file", "kernel.cu"}, {"mib", words::count(1)}}}));
}

TEST_F(Jail, WhatIsThereAndWhatIsNotLookTheSame) {
  const auto log_of = [&](const std::string& name) {
    const Result result = compile(request("#include \"" + name + "\"" + kUse));
    return words::render(result.message) + result.log;
  };
  const std::string there = log_of(secret_);
  std::string other = secret_;
  other.back() = 'x';
  EXPECT_EQ(there, replace_all(log_of(other), other, secret_));
}

/// Runs `inside` in a child in which the kernel has no Landlock.
int without_landlock(const std::function<int()>& inside) {
  const pid_t child = ::fork();
  if (child == 0) {
    scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
    ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), 444, 0);  // landlock_create_ruleset
    ::_exit(::seccomp_load(filter) == 0 ? inside() : 99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

TEST_F(Jail, ResultsSayWhatHeld) {
  const Result result = compile(request("__global__ void k(int* p) { *p = 1; }"));
  EXPECT_EQ(result.jail, process::text_of(nvrtc_.jail));
  EXPECT_NE(result.jail.find("limits"), std::string::npos);
}

TEST_F(Jail, WithoutLandlockItIsToldAndFilesStayHidden) {
  EXPECT_EQ(without_landlock([&] {
              const Result result = compile(request("#include \"" + secret_ + "\"" + kUse));
              if (result.status != Status::rejected) return 1;
              return result.jail == "seccomp and limits, no Landlock" ? 0 : 2;
            }),
            0);
}

TEST_F(Jail, AStrictOneIsRefusedWithoutLandlock) {
  EXPECT_EQ(without_landlock([&] {
              try {
                compile(request("__global__ void k(int* p) { *p = 1; }"), {.strict_jail = true});
              } catch (const Error& error) {
                const std::string what = error.what();
                return what.find("not whole here: seccomp and limits, no Landlock (Landlock: ") !=
                                   std::string::npos &&
                               !error.remedy().empty()
                           ? 0
                           : 1;
              }
              return 2;
            }),
            0);
}

TEST_F(Jail, TheEnvironmentAsksForAStrictOne) {
  const Request job = request("__global__ void k(int* p) { *p = 1; }");
  const ScopedEnvironment strict("LABKIT_JAIL", "strict");
  EXPECT_EQ(without_landlock([&] {
              try {
                compile(job);
              } catch (const Error&) {
                return 0;
              }
              return 1;
            }),
            0);
  if (nvrtc_.jail.whole()) {
    EXPECT_EQ(compile(job).status, Status::ok);
  }
  const ScopedEnvironment wrong("LABKIT_JAIL", "stirct");
  EXPECT_THROW(compile(job), Error);
}

TEST_F(Jail, WhatANonCompilingCompilerCallsIsOurErrorAndNamed) {
  std::string pattern = testing::TempDir() + "labkit-calls-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::ofstream(folder / "labkit-nvrtc")
      << "#!/bin/sh\n[ \"$2\" = version ] && exec '"
      << (std::filesystem::path(process::own_executable()).parent_path() / "labkit-nvrtc").string()
      << "' \"$@\"\necho 'jail: denied call " << SYS_socket << "' >&2\nkill -SYS $$\n";
  std::filesystem::permissions(folder / "labkit-nvrtc", std::filesystem::perms::owner_all);
  const ScopedEnvironment libexec("LABKIT_LIBEXEC", folder.c_str());
  try {
    compile(request("__global__ void k(int* p) { *p = 1; }"));
    ADD_FAILURE() << "a verdict";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(" called socket"), std::string::npos) << error.what();
  }
  std::filesystem::remove_all(folder);
}

TEST_F(Jail, AMachineThatIsTooBusyIsOurError) {
  EXPECT_THROW(compile(request(kTemplateBomb), {.wall_seconds = 0.05}), Error);
}

TEST_F(Jail, InlineAsmIsTextUntilSomebodyRunsIt) {
  const Result result =
      compile(request("__global__ void k() { asm(\".include \\\"/etc/passwd\\\"\"); }"));
  EXPECT_EQ(result.ptx.find("root:"), std::string::npos);
}

}  // namespace
}  // namespace labkit::compile
