// The simulator as a device, with kernels compiled on the spot.
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "base/error.h"
#include "compile/compile.h"
#include "device/device.h"

namespace labkit::device {
namespace {

constexpr const char* kSource = R"(
__device__ int launches = 0;
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void count(int* out) { out[0] = launches++; }
__global__ void overrun(float* out, int n) { out[n] = 1; }
__global__ void endless(float* out) { while (true) out[0] += 1; }
__global__ void touch_nothing(float* out, int n) { if (n > 0) out[0] = 1; }
struct Pair { int a; double b; };
__global__ void preload(const float* a, float* out) {
  float x[128];
#pragma unroll
  for (int i = 0; i < 128; ++i) x[i] = a[i];
#pragma unroll
  for (int i = 0; i < 128; ++i) out[127 - i] = x[i];
}
__global__ void by_value(Pair pair, double* out) { out[0] = pair.a + pair.b; }
)";

const compile::Result& compiled() {
  static const compile::Result result = [] {
    compile::Request request;
    request.source = kSource;
    request.name = "kernels.cu";
    request.kernels = {"add",           "count",   "overrun", "endless",
                       "touch_nothing", "preload", "by_value"};
    return compile::compile(request);
  }();
  EXPECT_EQ(result.status, compile::Status::ok) << result.log;
  return result;
}

launch::Buffer buffer(const char* name, launch::Element element, std::uint64_t count,
                      launch::Fill fill, bool output = false) {
  launch::Buffer made;
  made.name = name;
  made.element = element;
  made.count = count;
  made.fill = fill;
  made.is_output = output;
  return made;
}

PlannedLaunch launch_of(const std::string& kernel, launch::Dim3 grid, launch::Dim3 block,
                        std::vector<launch::Argument> arguments) {
  PlannedLaunch planned;
  planned.launch.kernel = kernel;
  planned.launch.entry = compiled().entries.at(kernel);
  planned.launch.grid = grid;
  planned.launch.block = block;
  planned.launch.arguments = std::move(arguments);
  return planned;
}

Plan plan_of(std::vector<launch::Buffer> buffers, std::vector<PlannedLaunch> launches) {
  Plan plan;
  plan.modules = {{.name = "kernels.cu", .ptx = compiled().ptx}};
  plan.buffers = std::move(buffers);
  plan.launches = std::move(launches);
  return plan;
}

template <typename T>
T element(const Output& output, std::size_t i) {
  T value;
  std::memcpy(&value, output.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

Plan addition(int n) {
  using launch::Element, launch::Fill;
  const auto count = static_cast<std::uint64_t>(n);
  return plan_of(
      {buffer("a", Element::f32, count, Fill::iota), buffer("b", Element::f32, count, Fill::iota),
       buffer("c", Element::f32, count, Fill::poison, true)},
      {launch_of(
          "add", {static_cast<std::uint32_t>((n + 255) / 256)}, {256},
          {launch::BufferRef{0}, launch::BufferRef{1}, launch::BufferRef{2}, launch::scalar(n)})});
}

TEST(SimDevice, RunsAndGivesOutputsBack) {
  const auto device = make_devices("sim").simulator;
  const auto outcomes = device->run(addition(1000));
  ASSERT_EQ(outcomes.size(), 1u);
  ASSERT_TRUE(outcomes[0].completed);
  ASSERT_EQ(outcomes[0].outputs.size(), 1u);
  EXPECT_EQ(outcomes[0].outputs[0].buffer, 2u);
  for (std::size_t i = 0; i < 1000; ++i)
    ASSERT_EQ(element<float>(outcomes[0].outputs[0], i), 2.0f * static_cast<float>(i));
  EXPECT_TRUE(outcomes[0].times_us.empty());
  EXPECT_FALSE(outcomes[0].counters.has_value());
  EXPECT_GT(outcomes[0].simulation->thread_instructions, 1000u);
}

TEST(SimDevice, CountsAndPredictsWhenAsked) {
  Plan plan = addition(4096);
  plan.launches[0].want_counters = plan.launches[0].want_time = true;
  const Outcome outcome = make_devices("auto").simulator->run(plan).at(0);
  ASSERT_TRUE(outcome.counters.has_value());
  const auto metrics = observe::metrics(*outcome.counters);
  EXPECT_EQ(metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 2 * 4096 * 4 / 32);
  EXPECT_EQ(metrics.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 4096 / 32);
  ASSERT_EQ(outcome.times_us.size(), 1u);
  EXPECT_GT(outcome.times_us[0], 0);
  EXPECT_TRUE(outcome.time_is_predicted);
  EXPECT_FALSE(outcome.prediction->bound.empty());
}

TEST(SimDevice, TellsWhoStoredWhenAsked) {
  Plan plan = addition(1000);
  plan.launches[0].watch_stores = {{.buffer = 2, .begin = 4 * 300, .bytes = 4},
                                   {.buffer = 0, .begin = 0, .bytes = 4}};
  for (const unsigned threads : {1u, 4u}) {
    Options options;
    options.threads = threads;
    const Outcome outcome = make_devices("sim", options).simulator->run(plan).at(0);
    ASSERT_EQ(outcome.stored.size(), 2u);
    EXPECT_EQ(outcome.stored[0].stores, 1u);
    EXPECT_EQ(outcome.stored[0].thread, (launch::Dim3{44, 0, 0}));
    EXPECT_EQ(outcome.stored[0].block, (launch::Dim3{1, 0, 0}));
    EXPECT_EQ(outcome.stored[0].where.line, 5u);
    EXPECT_EQ(outcome.stored[1].stores, 0u) << "nobody stores to an input";
  }
}

TEST(SimDevice, KeepsSamplesWhenAsked) {
  Plan plan = addition(4096);
  plan.launches[0].want_samples = true;
  const Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  EXPECT_FALSE(outcome.counters.has_value());
  EXPECT_TRUE(outcome.times_us.empty());
  ASSERT_TRUE(outcome.samples.has_value());
  ASSERT_EQ(outcome.samples->instructions.size(), 3u);  // a, b and c
  std::set<std::string> touched;
  for (const auto& one : outcome.samples->instructions)
    for (const auto& range : outcome.samples->ranges)
      if (one.worst.addresses[0] >= range.begin &&
          one.worst.addresses[0] < range.begin + range.bytes) {
        touched.insert(range.name);
        EXPECT_EQ(range.element_bytes, 4u);
      }
  EXPECT_EQ(touched, (std::set<std::string>{"a", "b", "c"}));

  plan.launches[0].want_counters = plan.launches[0].want_time = plan.launches[0].check = true;
  const Outcome all = make_devices("sim").simulator->run(plan).at(0);
  EXPECT_TRUE(all.completed && all.counters && all.samples && all.prediction);
  EXPECT_EQ(all.outputs.size(), 1u);
  plan.launches[0].want_samples = false;
  const Outcome without = make_devices("sim").simulator->run(plan).at(0);
  EXPECT_EQ(all.prediction->time_us, without.prediction->time_us);
  EXPECT_FALSE(without.samples.has_value());
}

// PTX does not tell how many registers ptxas will take: what it seems to need must not keep a
// launch from its outputs and its counters.
TEST(SimDevice, RegistersThatSeemTooManyCostNoResult) {
  Plan plan = plan_of({buffer("a", launch::Element::f32, 128, launch::Fill::iota),
                       buffer("out", launch::Element::f32, 128, launch::Fill::poison, true)},
                      {launch_of("preload", {1, 1, 1}, {1024, 1, 1},
                                 {launch::BufferRef{0}, launch::BufferRef{1}})});
  plan.launches[0].want_counters = plan.launches[0].want_time = true;
  const Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  ASSERT_TRUE(outcome.completed);
  EXPECT_TRUE(outcome.counters.has_value());
  ASSERT_TRUE(outcome.prediction.has_value());
  EXPECT_TRUE(outcome.prediction->registers_capped);
  ASSERT_TRUE(outcome.registers.has_value());
  EXPECT_TRUE(outcome.registers->estimate_capped);
  EXPECT_EQ(outcome.prediction->occupancy.blocks_per_sm, 1u);
}

Plan preloading(std::uint32_t threads, std::uint32_t registers, std::uint32_t stack_bytes = 0) {
  Plan plan = plan_of({buffer("a", launch::Element::f32, 128, launch::Fill::iota),
                       buffer("out", launch::Element::f32, 128, launch::Fill::poison, true)},
                      {launch_of("preload", {1, 1, 1}, {threads, 1, 1},
                                 {launch::BufferRef{0}, launch::BufferRef{1}})});
  plan.modules[0].assembled.by = "the test";
  plan.modules[0].assembled.kernels[compiled().entries.at("preload")] = {registers, stack_bytes};
  plan.launches[0].want_time = true;
  return plan;
}

TEST(SimDevice, RegistersThatWereCountedAreNotEstimated) {
  const auto simulator = make_devices("sim").simulator;
  const Outcome counted = simulator->run(preloading(256, 200, 24)).at(0);
  ASSERT_TRUE(counted.completed && counted.registers && counted.prediction);
  EXPECT_EQ(counted.registers->per_thread, 200u);
  EXPECT_EQ(counted.registers->by, "the test");
  EXPECT_EQ(counted.registers->spilled_bytes, 24u);
  EXPECT_FALSE(counted.prediction->registers_capped);
  Plan plan = preloading(256, 0);
  plan.modules[0].assembled = {.kernels = {}, .by = {}, .why_not = "nobody was asked"};
  const Outcome estimated = simulator->run(plan).at(0);
  ASSERT_TRUE(estimated.completed && estimated.registers);
  EXPECT_EQ(estimated.registers->by, "");
  EXPECT_EQ(estimated.registers->why_estimated, "nobody was asked");
  EXPECT_GT(estimated.registers->per_thread, 128u);
}

// 65536 registers a block, and those of a warp come in multiples of 256: as many launches fail on a GPU.
TEST(SimDevice, RegistersThatABlockHasNoRoomForRefuseTheLaunch) {
  const auto simulator = make_devices("sim").simulator;
  EXPECT_TRUE(simulator->run(preloading(1024, 64)).at(0).completed);
  EXPECT_TRUE(simulator->run(preloading(256, 255)).at(0).completed);
  EXPECT_TRUE(simulator->run(preloading(512, 128)).at(0).completed);
  EXPECT_FALSE(simulator->run(preloading(512, 129)).at(0).completed);
  Plan plan = preloading(1024, 65);
  plan.launches[0].check = true;
  for (const bool timed : {true, false}) {
    plan.launches[0].want_time = timed;
    const Outcome refused = simulator->run(plan).at(0);
    EXPECT_FALSE(refused.completed);
    ASSERT_EQ(refused.findings.size(), 1u);
    const launch::Finding& finding = refused.findings[0];
    EXPECT_EQ(finding.cause, launch::Cause::launch_too_many_registers);
    ASSERT_EQ(finding.evidence.size(), 2u);
    EXPECT_EQ(
        finding.evidence[1],
        (words::Message{
            words::Id::launch_registers,
            {{"threads", "1024"}, {"registers", words::count(65)}, {"most", words::count(64)}}}));
    EXPECT_EQ(finding.fix, (words::Message{words::Id::launch_fix_registers,
                                           {{"threads", "1024"}, {"most", words::count(64)}}}));
  }
}

TEST(SimDevice, IsDeterministic) {
  Plan plan = addition(50000);
  plan.launches[0].want_counters = plan.launches[0].want_time = true;
  const Outcome one = make_devices("sim", {.threads = 1}).simulator->run(plan).at(0),
                two = make_devices("sim", {.threads = 2}).simulator->run(plan).at(0);
  EXPECT_EQ(one.times_us, two.times_us);
  EXPECT_EQ(observe::metrics(*one.counters), observe::metrics(*two.counters));
  EXPECT_TRUE(make_devices("sim").simulator->describe().deterministic);
}

TEST(SimDevice, NothingSurvivesFromOneLaunchToTheNext) {
  using launch::Element, launch::Fill;
  Plan plan = plan_of({buffer("out", Element::i32, 1, Fill::poison, true)},
                      {launch_of("count", {1}, {1}, {launch::BufferRef{0}}),
                       launch_of("count", {1}, {1}, {launch::BufferRef{0}})});
  const auto device = make_devices("sim").simulator;
  for (int again = 0; again < 2; ++again)
    for (const Outcome& outcome : device->run(plan)) {
      ASSERT_TRUE(outcome.completed);
      EXPECT_EQ(element<int>(outcome.outputs.at(0), 0), 0);
    }
}

TEST(SimDevice, UnwrittenOutputsComeBackAsPoison) {
  Plan plan = addition(100);
  plan.launches[0].launch.arguments[3] = launch::scalar(50);
  const Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  EXPECT_EQ(element<std::uint32_t>(outcome.outputs.at(0), 99), 0xffffffffu);
  EXPECT_EQ(element<float>(outcome.outputs.at(0), 49), 98.0f);
}

TEST(SimDevice, AFindingStopsOneLaunchOnly) {
  using launch::Element, launch::Fill;
  Plan plan = plan_of({buffer("out", Element::f32, 10, Fill::poison, true)},
                      {launch_of("overrun", {1}, {1}, {launch::BufferRef{0}, launch::scalar(10)}),
                       launch_of("overrun", {1}, {1}, {launch::BufferRef{0}, launch::scalar(9)})});
  const auto outcomes = make_devices("sim").simulator->run(plan);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_FALSE(outcomes[0].completed);
  ASSERT_FALSE(outcomes[0].findings.empty());
  EXPECT_EQ(outcomes[0].findings[0].kind, launch::FindingKind::out_of_bounds);
  EXPECT_EQ(outcomes[0].findings[0].where.line, 8u);
  EXPECT_TRUE(outcomes[0].outputs.empty());
  EXPECT_TRUE(outcomes[1].completed);
}

TEST(SimDevice, AnEndlessLoopEndsWithItsBudget) {
  using launch::Element, launch::Fill;
  Plan plan = plan_of({buffer("out", Element::f32, 1, Fill::zero)},
                      {launch_of("endless", {1}, {32}, {launch::BufferRef{0}})});
  plan.launches[0].thread_instruction_budget = 100000;
  const Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings[0].kind, launch::FindingKind::budget);
}

TEST(SimDevice, AnEmptyBufferIsAPointerToNothing) {
  using launch::Element, launch::Fill;
  Plan plan =
      plan_of({buffer("out", Element::f32, 0, Fill::poison, true)},
              {launch_of("touch_nothing", {1}, {32}, {launch::BufferRef{0}, launch::scalar(0)}),
               launch_of("touch_nothing", {1}, {32}, {launch::BufferRef{0}, launch::scalar(1)})});
  const auto outcomes = make_devices("sim").simulator->run(plan);
  EXPECT_TRUE(outcomes[0].completed);
  EXPECT_TRUE(outcomes[0].outputs.at(0).bytes.empty());
  EXPECT_FALSE(outcomes[1].completed);
}

TEST(SimDevice, StructsGoByValueWithTheirPadding) {
  using launch::Element, launch::Fill;
  struct {
    int a = 3;
    int padding = 0;
    double b = 0.5;
  } pair;
  std::vector<std::byte> bytes(sizeof pair);
  std::memcpy(bytes.data(), &pair, sizeof pair);
  Plan plan = plan_of({buffer("out", Element::f64, 1, Fill::poison, true)},
                      {launch_of("by_value", {1}, {1}, {bytes, launch::BufferRef{0}})});
  EXPECT_EQ(element<double>(make_devices("sim").simulator->run(plan).at(0).outputs.at(0), 0), 3.5);
}

TEST(SimDevice, APlanThatDoesNotFitIsOurFault) {
  const auto device = make_devices("sim").simulator;
  Plan few = addition(10), wide = addition(10), absent = addition(10), nowhere = addition(10),
       garbage = addition(10);
  few.launches[0].launch.arguments.pop_back();
  EXPECT_THROW(device->run(few), Error);
  wide.launches[0].launch.arguments[3] = launch::scalar(1.0);
  EXPECT_THROW(device->run(wide), Error);
  absent.launches[0].launch.arguments[0] = launch::BufferRef{7};
  EXPECT_THROW(device->run(absent), Error);
  nowhere.launches[0].launch.entry = "nobody";
  EXPECT_THROW(device->run(nowhere), Error);
  garbage.modules[0].ptx = "this is no PTX";
  EXPECT_THROW(device->run(garbage), Error);
}

TEST(SimDevice, ALaunchThatCudaWouldRefuseIsAFinding) {
  Plan plan = addition(10);
  plan.launches[0].launch.block = {1025};
  const Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings[0].kind, launch::FindingKind::launch);
}

std::string refusal(const std::string& name, const Options& options = {}) {
  try {
    make_devices(name, options);
  } catch (const Error& error) {
    return error.what() + (" / " + error.remedy());
  }
  return "made";
}

TEST(MakeDevice, RefusalsNameWhatThereIs) {
  EXPECT_NE(refusal("gpu").find("sim, cuda and auto"), std::string::npos);
  EXPECT_NE(refusal("sim", {.gpu = "h300"}).find("h200"), std::string::npos);
  EXPECT_NE(refusal("sim", {.gpu = "h200", .threads = 0, .simd = "mmx"}).find("portable"),
            std::string::npos);
  EXPECT_EQ(refusal("sim", {.gpu = "h200", .threads = 0, .simd = "portable"}), "made");
}

}  // namespace
}  // namespace labkit::device
