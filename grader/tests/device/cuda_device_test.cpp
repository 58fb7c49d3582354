// CudaDevice, its worker and a driver that misbehaves: fake_cuda/.
#include "device/cuda_device.h"

#include "device/gpu_lock.h"
#include "fake_gpu.h"
#include "words/render.h"

namespace labkit::device {
namespace {

using launch::FindingKind;

class CudaDriver : public FakeGpu {};

TEST_F(CudaDriver, TellsOfItsGpus) {
  fake("gpus=2 memory=8192");
  const Gpus& gpus = find_gpus();
  ASSERT_EQ(gpus.all.size(), 2u);
  EXPECT_EQ(gpus.driver_version, 13000);
  EXPECT_TRUE(gpus.has_nvml);
  const Description& gpu = gpus.all[1];
  EXPECT_EQ(gpu.name, "cuda");
  EXPECT_EQ(gpu.gpu, "NVIDIA Fake");
  EXPECT_EQ(gpu.arch, "sm_90");
  EXPECT_FALSE(gpu.deterministic);
  EXPECT_EQ(gpu.facts->id, 1);
  EXPECT_EQ(gpu.facts->uuid, "GPU-fa000000-0000-0000-0000-000000000001");
  EXPECT_EQ(gpu.facts->driver, "999.1");
  EXPECT_EQ(gpu.facts->multiprocessors, 4u);
  EXPECT_EQ(gpu.facts->memory_bytes, 8192ull << 20);
  // 1 GHz, both edges, 64 bytes wide.
  EXPECT_DOUBLE_EQ(gpu.facts->peak_bytes_per_second, 128e9);
  // Half of 8 GiB, less the least sweep of 32 MiB and a context of 768 MiB, halved.
  EXPECT_EQ(gpu.facts->max_bytes, ((4096ull - 32 - 768) << 20) / 2);
}

TEST_F(CudaDriver, NoneIsAMachineForTheSimulator) {
  ::setenv("LABKIT_LIBCUDA", "/no/such/libcuda.so", 1);
  EXPECT_THROW(find_gpus(), NoGpu);
  const Devices devices = make_devices("auto");
  EXPECT_NE(devices.simulator, nullptr);
  EXPECT_EQ(devices.gpu, nullptr);
  EXPECT_EQ(devices.note, "");
  const Error error = error_of([] { make_devices("cuda"); });
  EXPECT_NE(std::string(error.what()).find("there is no CUDA driver"), std::string::npos);
  EXPECT_NE(error.remedy().find("nvidia-driver"), std::string::npos);
}

TEST_F(CudaDriver, ANamedFileThatIsNoLibraryIsAnErrorAndForAutoANote) {
  ::setenv("LABKIT_LIBCUDA", "/proc/self/status", 1);
  const Error error = error_of([] { make_devices("cuda"); });
  EXPECT_NE(std::string(error.what()).find("LABKIT_LIBCUDA names no driver: /proc/self/status"),
            std::string::npos)
      << error.what();
  EXPECT_NE(error.remedy().find("unset"), std::string::npos);
  const Devices devices = make_devices("auto");
  EXPECT_EQ(devices.gpu, nullptr);
  EXPECT_NE(devices.note.find("LABKIT_LIBCUDA"), std::string::npos) << devices.note;
}

TEST_F(CudaDriver, ThatSeesNoGpuIsNone) {
  fake("init=100");
  EXPECT_THROW(find_gpus(), NoGpu);
}

TEST_F(CudaDriver, TooOldIsAnErrorWithTheMendAndForAutoANote) {
  fake("version=11040");
  const Error error = error_of([] { make_devices("cuda"); });
  EXPECT_NE(std::string(error.what()).find("for CUDA 11.4, but the kit needs one for 11.8"),
            std::string::npos)
      << error.what();
  EXPECT_NE(error.remedy().find("nvidia-driver"), std::string::npos);
  const Devices devices = make_devices("auto");
  EXPECT_EQ(devices.gpu, nullptr);
  EXPECT_NE(devices.note.find("the GPU is not used: the GPU's driver is for CUDA 11.4"),
            std::string::npos)
      << devices.note;
}

TEST_F(CudaDriver, BrokenIsAnErrorInItsOwnWords) {
  fake("init=999");
  const Error error = error_of([] { make_devices("cuda"); });
  EXPECT_STREQ(error.what(), "cuInit: CUDA_ERROR_999 (words for 999)");
  EXPECT_NE(make_devices("auto").note, "");
}

TEST_F(CudaDriver, AGpuThatIsNotThereIsNamedWithThoseThatAre) {
  fake("gpus=2");
  EXPECT_EQ(CudaDevice({.gpu_id = 1}).describe().facts->id, 1);
  const Error error = error_of([] { make_devices("auto", {.gpu_id = 2}); });
  EXPECT_STREQ(error.what(), "there is no GPU 2");
  EXPECT_EQ(error.remedy(), "there are: 0 (NVIDIA Fake), 1 (NVIDIA Fake)");
}

TEST_F(CudaDriver, ADeviceThatIsNoneIsNamed) { EXPECT_THROW(make_devices("gpu"), Error); }

class CudaRun : public FakeGpu {};

TEST_F(CudaRun, GivesOutputsFromFreshBuffersForEachLaunch) {
  const auto outcomes = run(plan_of({"copy_a", "adds", "copy_b"}));
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_TRUE(copied(outcomes[0]));
  EXPECT_TRUE(copied(outcomes[2]));
  EXPECT_EQ(int_at(outcomes[1].outputs.at(0), 5), 0);  // poison is -1
  EXPECT_TRUE(outcomes[0].times_us.empty());
  EXPECT_FALSE(outcomes[0].conditions.has_value());
}

TEST_F(CudaRun, VariablesAreAsNewForEachLaunchAndSample) {
  const std::string variable = ".visible .global .u32 counter;\n";
  auto outcomes = run(plan_of({"counts_a", "counts_b"}, true, variable));
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(int_at(outcome.outputs.at(0), 0), 1);
    EXPECT_EQ(outcome.differing_samples, 0u);
  }
  EXPECT_EQ(logged("unload"), 1);  // at the plan's end
}

TEST_F(CudaRun, AVariableThatTheDriverDoesNotTellOfHasTheModuleLoadedAnew) {
  const std::string variables = ".visible .global .u32 counter;\n.global .u32 hidden;\n";
  auto outcomes = run(plan_of({"counts"}, true, variables));
  EXPECT_EQ(int_at(outcomes[0].outputs.at(0), 0), 1);
  EXPECT_EQ(outcomes[0].differing_samples, 0u);
  EXPECT_GE(logged("unload"), 20);
}

TEST_F(CudaRun, PrintedTextIsKeptBoundedAndNeverMixedUp) {
  const auto outcomes = run(plan_of({"prints_copy", "floods_copy", "copy"}));
  EXPECT_EQ(outcomes[0].printed, "hello from the GPU\n");
  EXPECT_TRUE(copied(outcomes[0]));
  EXPECT_LE(outcomes[1].printed.size(), 1u << 20);
  EXPECT_NE(outcomes[1].printed.find("[more was printed than is kept]"), std::string::npos);
  EXPECT_TRUE(copied(outcomes[1]));
  EXPECT_EQ(outcomes[2].printed, "");
}

TEST_F(CudaRun, AFaultCostsItsLaunchOnly) {
  const auto outcomes =
      run(plan_of({"copy_a", "illegal", "copy_b", "misaligned", "trap", "shape", "copy_c"}));
  ASSERT_EQ(outcomes.size(), 7u);
  for (const std::size_t i : {0, 2, 6}) {
    EXPECT_TRUE(copied(outcomes[i])) << i;
    EXPECT_TRUE(outcomes[i].findings.empty()) << i;
  }
  const std::map<std::size_t, FindingKind> wanted = {{1, FindingKind::out_of_bounds},
                                                     {3, FindingKind::misaligned},
                                                     {4, FindingKind::trap},
                                                     {5, FindingKind::launch}};
  for (const auto& [i, kind] : wanted) {
    ASSERT_EQ(outcomes[i].findings.size(), 1u) << i;
    EXPECT_EQ(outcomes[i].findings[0].kind, kind) << i;
    EXPECT_EQ(outcomes[i].findings[0].severity, launch::Severity::error);
    EXPECT_FALSE(outcomes[i].completed) << i;
    EXPECT_TRUE(outcomes[i].outputs.empty()) << i;
  }
  EXPECT_EQ(outcomes[1].findings[0].kernel, "illegal");
  EXPECT_EQ(words::render(outcomes[1].findings[0].evidence.at(0)),
            "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)");
  EXPECT_TRUE(launch::has_evidence(outcomes[1].findings[0], words::Id::gpu_outside));
  EXPECT_EQ(outcomes[1].findings[0].fix.id, words::Id::gpu_fix_simulator);
}

TEST_F(CudaRun, AnAssertionSaysWhere) {
  const auto outcomes = run(plan_of({"asserts"}));
  const launch::Finding& finding = outcomes[0].findings.at(0);
  EXPECT_EQ(finding.kind, FindingKind::assertion);
  EXPECT_EQ(finding.where.file, "kernel.cu");
  EXPECT_EQ(finding.where.line, 12u);
  EXPECT_EQ(finding.block, (launch::Dim3{1, 0, 0}));
  EXPECT_EQ(finding.thread, (launch::Dim3{3, 0, 0}));
  const words::Message& failed = finding.evidence.at(0);
  ASSERT_EQ(failed.id, words::Id::assertion_failed);
  EXPECT_EQ(*failed.find("place"), words::Value("kernel.cu:12"));
}

TEST_F(CudaRun, AnEndlessKernelAndAHangingDriverCostTheirLaunchOnly) {
  const auto outcomes = run(plan_of({"endless", "copy_a", "hang", "copy_b"}));
  for (const std::size_t i : {0, 2}) {
    ASSERT_EQ(outcomes[i].findings.size(), 1u) << i;
    EXPECT_EQ(outcomes[i].findings[0].kind, FindingKind::budget) << i;
    EXPECT_EQ(words::render(outcomes[i].findings[0].evidence.at(0)),
              "The kernel was stopped: it had not ended after 0.3 s.");
  }
  EXPECT_TRUE(copied(outcomes[1]));
  EXPECT_TRUE(copied(outcomes[3]));
}

TEST_F(CudaRun, WhatDidNotEndOnceIsNotWaitedForAgain) {
  Plan plan = plan_of({"copy_a", "endless", "copy_b"});
  plan.launches.insert(plan.launches.begin() + 2, 30, plan.launches[1]);
  const auto outcomes = run(plan);
  EXPECT_TRUE(copied(outcomes.front()));
  EXPECT_TRUE(copied(outcomes.back()));
  for (std::size_t i = 1; i + 1 < outcomes.size(); ++i) {
    ASSERT_EQ(outcomes[i].findings.size(), 1u) << i;
    EXPECT_EQ(outcomes[i].findings[0].kind, FindingKind::budget) << i;
    EXPECT_FALSE(outcomes[i].completed);
  }
  EXPECT_TRUE(launch::has_evidence(outcomes[2].findings[0], words::Id::gpu_left_out));
  EXPECT_EQ(logged("endless"), 1);
}

TEST_F(CudaRun, AFaultInTheWindowHasItMeasuredAnewWithoutThatLaunch) {
  const auto outcomes = run(plan_of({"copy_20us", "late_copy", "copy_30us"}, true));
  EXPECT_EQ(outcomes[1].findings.at(0).kind, FindingKind::out_of_bounds);
  EXPECT_TRUE(outcomes[1].times_us.empty());
  for (const std::size_t i : {0, 2}) {
    EXPECT_TRUE(copied(outcomes[i]));
    EXPECT_EQ(outcomes[i].times_us.size(), 20u);
  }
}

TEST_F(CudaRun, AWorkerThatCrashesTwiceOnALaunchCostsThatLaunch) {
  const auto outcomes = run(plan_of({"copy_a", "segv", "copy_b"}));
  EXPECT_TRUE(copied(outcomes[0]));
  EXPECT_TRUE(copied(outcomes[2]));
  ASSERT_EQ(outcomes[1].findings.size(), 1u);
  EXPECT_EQ(outcomes[1].findings[0].kind, FindingKind::launch);
  EXPECT_TRUE(launch::has_evidence(outcomes[1].findings[0], words::Id::gpu_crashed));
  EXPECT_NE(words::render(outcomes[1].findings[0].evidence).find("signal 11"), std::string::npos);
}

TEST_F(CudaRun, WhatIsOursIsNeverAFinding) {
  EXPECT_THROW(run(plan_of({"sigkill"})), Error);
  const Error ecc = error_of([] { run(plan_of({"ecc"})); });
  EXPECT_STREQ(ecc.what(), "the GPU failed on ecc: words for 214 (CUDA_ERROR_214)");
  EXPECT_NE(ecc.remedy().find("ECC"), std::string::npos);
  fake("context=46");
  EXPECT_NE(error_of([] { run(plan_of({"copy"})); }).remedy().find("exclusive"), std::string::npos);
  fake("memory=100");
  const Error memory = error_of([] {
    Plan plan = plan_of({"copy"});
    plan.buffers[1].count = 20 << 20;
    run(plan);
  });
  EXPECT_NE(std::string(memory.what()).find("only half may be taken"), std::string::npos)
      << memory.what();
  ::setenv("LABKIT_LIBEXEC", directory_.c_str(), 1);
  const Error worker = error_of([] { CudaDevice device({}); });
  EXPECT_NE(std::string(worker.what()).find("labkit-cuda is not there"), std::string::npos);
  ::unsetenv("LABKIT_LIBEXEC");
}

TEST_F(CudaRun, AssemblyThatIsNoneIsTheStudentsOnlyIfTheyWroteSome) {
  Plan plan = plan_of({"copy_a", "copy_b"});
  plan.modules.push_back({.name = "kernel.cu", .ptx = fake_ptx({"copy_b"}) + "// not ptx\n"});
  plan.launches[1].module = 1;
  EXPECT_THROW(run(plan), Error);
  plan.modules[1].ptx += "// begin inline asm\n";
  const auto outcomes = run(plan);
  EXPECT_TRUE(copied(outcomes[0]));
  ASSERT_EQ(outcomes[1].findings.size(), 1u);
  EXPECT_TRUE(launch::has_evidence(outcomes[1].findings[0], words::Id::gpu_assembly));
  EXPECT_NE(words::render(outcomes[1].findings[0].evidence).find("line 7: what is this?"),
            std::string::npos);
}

TEST_F(CudaRun, APlanThatNamesWhatIsNotThereIsOurs) {
  Plan plan = plan_of({"copy"});
  plan.launches[0].launch.entry = "other";
  EXPECT_THROW(run(plan), Error);
  plan = plan_of({"copy"});
  plan.launches[0].launch.arguments.pop_back();
  EXPECT_THROW(run(plan), Error);
  plan = plan_of({"copy"});
  plan.launches[0].launch.arguments[2] = launch::scalar(std::int64_t{1});
  EXPECT_THROW(run(plan), Error);
  plan = plan_of({"copy"});
  plan.launches[0].launch.arguments[1] = launch::BufferRef{7};
  EXPECT_THROW(run(plan), Error);
  plan = plan_of({"copy"});
  plan.launches[0].module = 3;
  EXPECT_THROW(run(plan), Error);
}

TEST_F(CudaRun, PlanAfterPlanRunsInOneContext) {
  CudaDevice device({});
  const auto before = logged("context");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(copied(device.run(plan_of({"copy"})).at(0)));
  EXPECT_EQ(logged("context"), before + 1);
  // Nothing of a plan is left for the next but the module's code: its variables are new.
  const std::string variable = ".visible .global .u32 counter;\n";
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(int_at(device.run(plan_of({"counts"}, false, variable)).at(0).outputs.at(0), 0), 1);
  EXPECT_EQ(logged("context"), before + 1);
  EXPECT_EQ(logged("unload"), 5);
}

TEST_F(CudaRun, APlanGivesItsMemoryBack) {
  fake("memory=400");
  CudaDevice device({});
  Plan plan = plan_of({"copy"});
  plan.buffers[1].count =
      30 << 20;  // 120 MiB; were they kept, the third plan would find too little
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(device.run(plan).at(0).completed);
}

TEST_F(CudaRun, AFaultCostsTheContextAndTheNextPlanHasANewOne) {
  CudaDevice device({});
  const auto before = logged("context");
  device.run(plan_of({"copy"}));
  EXPECT_EQ(device.run(plan_of({"illegal"})).at(0).findings.size(), 1u);
  EXPECT_TRUE(copied(device.run(plan_of({"copy"})).at(0)));
  EXPECT_EQ(device.run(plan_of({"endless"})).at(0).findings.size(), 1u);
  EXPECT_TRUE(copied(device.run(plan_of({"copy"})).at(0)));
  EXPECT_EQ(logged("context"), before + 3);
  // Nor does what is ours keep the next from running.
  EXPECT_THROW(device.run(plan_of({"ecc"})), Error);
  EXPECT_TRUE(copied(device.run(plan_of({"copy"})).at(0)));
}

TEST_F(CudaRun, AContextThatKeepsOthersOutIsNotKept) {
  fake("mode=3");
  CudaDevice device({});
  const auto before = logged("context");
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(copied(device.run(plan_of({"copy"})).at(0)));
    const GpuLock lock({device.describe().facts->uuid});  // is not held between plans
  }
  EXPECT_EQ(logged("context"), before + 2);
}

TEST_F(CudaRun, AnInputThatIsWrittenToIsTold) {
  const auto outcomes = run(plan_of({"scribbles_copy", "copy"}));
  EXPECT_EQ(outcomes[0].changed_inputs, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(outcomes[1].changed_inputs.empty());
  EXPECT_TRUE(copied(outcomes[1]));
}

TEST_F(CudaRun, BuffersMayBeEmptyOrOddlyLarge) {
  Plan plan = plan_of({"copy"});
  plan.buffers = {buffer_of("in", launch::Element::u8, 4099, launch::Fill::iota, false),
                  buffer_of("out", launch::Element::u8, 4099, launch::Fill::poison, true),
                  buffer_of("nothing", launch::Element::f32, 0, launch::Fill::poison, true)};
  plan.launches[0].launch.arguments = {launch::BufferRef{0}, launch::BufferRef{1},
                                       launch::scalar(std::int32_t{1024})};
  const auto outcomes = run(plan);
  const auto& bytes = outcomes[0].outputs.at(0).bytes;
  ASSERT_EQ(bytes.size(), 4099u);
  EXPECT_EQ(bytes[4095], std::byte{0xff & 4095});
  EXPECT_EQ(bytes[4098], launch::kPoison);  // beyond what was copied
}

}  // namespace
}  // namespace labkit::device
