// Our own faults: no NVRTC, one too old, one that cannot be loaded, a compiler that crashes. A
// worker made of shell stands in for machines that are not at hand.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "base/files.h"
#include "compile/nvrtc_library.h"
#include "compile/protocol.h"
#include "messages.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return Error("no error");
}

class FindNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "labkit-nvrtc-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    library_ = directory_ / "libnvrtc.so.99";
    write_file_atomically(library_, "not a library");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  /// A worker that does what the script says.
  void install_worker(const std::string& script) {
    const auto path = directory_ / kWorkerName;
    write_file_atomically(path, "#!/bin/sh\nrequest=$(tr -d '\\0')\n" + script + "\n");
    ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  }
  /// What makes such a script answer that this is its version.
  std::string version_script(int major, int minor) {
    WorkerResponse response;
    response.major = major;
    response.minor = minor;
    response.architectures = {75, 90};
    std::string bytes;
    nlohmann::json::to_cbor(nlohmann::json(response), bytes);
    write_file_atomically(directory_ / "response", bytes);
    return "cat " + (directory_ / "response").string();
  }
  std::filesystem::path directory_, library_;
};

TEST_F(FindNvrtc, TakesTheOneThatIsNamed) {
  install_worker(version_script(12, 4));
  const ScopedEnvironment worker("LABKIT_LIBEXEC", directory_.c_str());
  const ScopedEnvironment named("LABKIT_NVRTC", library_.c_str());
  const NvrtcInfo found = find_nvrtc();
  EXPECT_EQ(found.library, library_.string());
  EXPECT_EQ(found.major, 12);
  EXPECT_EQ(found.minor, 4);
  EXPECT_EQ(found.architectures, (std::vector<int>{75, 90}));
}

TEST(ArchFor, IsTheGpusOwnOrTheNearestBelow) {
  const NvrtcInfo nvrtc{.library = "libnvrtc.so.13",
                        .major = 13,
                        .minor = 0,
                        .include_directory = {},
                        .architectures = {75, 80, 86, 90, 120}};
  EXPECT_EQ(arch_for(nvrtc, 9, 0), "sm_90");
  EXPECT_EQ(arch_for(nvrtc, 7, 5), "sm_75");
  EXPECT_EQ(arch_for(nvrtc, 8, 9), "compute_86");
  EXPECT_EQ(arch_for(nvrtc, 13, 0), "compute_120");
  const Error error = error_of([&] { arch_for(nvrtc, 7, 0); });
  EXPECT_NE(std::string(error.what()).find("7.0, too old for NVRTC 13.0"), std::string::npos);
  EXPECT_NE(error.remedy().find("CUDA Toolkit"), std::string::npos);
}

TEST_F(FindNvrtc, LooksInAToolkitsFolders) {
  const auto library = directory_ / "toolkit" / "lib64" / "libnvrtc.so.13";
  write_file_atomically(library, "");
  const ScopedEnvironment none("LABKIT_NVRTC", nullptr);
  const ScopedEnvironment home("CUDA_HOME", (directory_ / "toolkit").c_str());
  ASSERT_FALSE(nvrtc_candidates().empty());
  EXPECT_EQ(nvrtc_candidates().front(), library.string());
}

TEST_F(FindNvrtc, TakesHeadersOfItsOwnMajorVersionOnly) {
  const ScopedEnvironment home("CUDA_HOME", nullptr);
  const ScopedEnvironment path("CUDA_PATH", nullptr);
  const auto library = directory_ / "toolkit" / "lib64" / "libnvrtc.so.97";
  const auto include = directory_ / "toolkit" / "include";
  write_file_atomically(library, "");
  write_file_atomically(include / "cuda_fp16.h", "");
  write_file_atomically(include / "cuda_runtime_api.h", "#define CUDART_VERSION  97050\n");
  EXPECT_EQ(include_directory_for(library, 97), include.string());
  EXPECT_EQ(include_directory_for(library, 96), "");
}

TEST_F(FindNvrtc, RefusesWhatIsTooOldAndSaysSo) {
  install_worker(version_script(11, 2));
  const ScopedEnvironment worker("LABKIT_LIBEXEC", directory_.c_str());
  const ScopedEnvironment named("LABKIT_NVRTC", library_.c_str());
  const Error error = error_of([] { find_nvrtc(); });
  EXPECT_NE(std::string(error.what()).find("NVRTC 11.2, but 11.8 is the oldest"), std::string::npos)
      << error.what();
  EXPECT_NE(error.remedy().find("CUDA Toolkit"), std::string::npos);
}

TEST_F(FindNvrtc, SaysWhyALibraryCannotBeLoaded) {
  const ScopedEnvironment named("LABKIT_NVRTC", library_.c_str());
  const Error error = error_of([] { find_nvrtc(); });
  EXPECT_NE(std::string(error.what()).find(library_.string()), std::string::npos) << error.what();
  EXPECT_NE(error.remedy(), "");
}

TEST_F(FindNvrtc, AMissingOneIsOurFaultNotAVerdict) {
  const ScopedEnvironment named("LABKIT_NVRTC", "/no/such/libnvrtc.so");
  Request request;
  request.source = "__global__ void k() {}";
  request.name = "kernel.cu";
  const Error error = error_of([&] { compile(request); });
  EXPECT_EQ(std::string(error.what()),
            "LABKIT_NVRTC is /no/such/libnvrtc.so, which does not exist");
  EXPECT_NE(error.remedy(), "");
}

TEST_F(FindNvrtc, AMissingWorkerIsOurFault) {
  const ScopedEnvironment worker("LABKIT_LIBEXEC", "/no/such/place");
  const ScopedEnvironment named("LABKIT_NVRTC", library_.c_str());
  EXPECT_NE(std::string(error_of([] { find_nvrtc(); }).what()).find("/no/such/place/labkit-nvrtc"),
            std::string::npos);
}

TEST_F(FindNvrtc, ACrashOfTheCompilerIsTheSourcesVerdict) {
  install_worker("case $request in *__global__*) kill -SEGV $$;; esac\n" + version_script(13, 0));
  const ScopedEnvironment worker("LABKIT_LIBEXEC", directory_.c_str());
  const ScopedEnvironment named("LABKIT_NVRTC", library_.c_str());
  Request request;
  request.source = "__global__ void k() {}";
  request.name = "kernel.cu";
  const Result result = compile(request);
  EXPECT_EQ(result.status, Status::limit);
  EXPECT_EQ(only(result.message).id, Id::compile_crash);
}

TEST_F(FindNvrtc, TheMendNamesNvidiasToolkitEverywhere) {
  EXPECT_NE(nvrtc_remedy().find("developer.nvidia.com/cuda-downloads"), std::string::npos);
}

}  // namespace
}  // namespace labkit::compile
