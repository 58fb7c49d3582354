// checked_small: at the sizes of the labs' correctness tests, where checks run; checked_small_debug: the same of the
// -G build; checked_closely: under the sanitizers that follow when a quick look finds something odd.
// checked_faulty: kernels in which the checks find something, small launches (those of a block or two are all start-up).
// lane_by_lane: counted, but without affine values (simt/affine.h).
// modelled: with what the predicted time needs on top (locality, traces, the model itself), beside the counted run.
// PTX thread-instructions a second on every row of kernel_counters.csv, with all counters on (and, for the figures that
// the project quotes, without; and under all checks). Usage: simulator_bench [--benchmark_filter=rows32x8_pad]; LABKIT_SIMD picks the target.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <chrono>
#include <set>
#include <string>
#include <tuple>

#include "faulty_cases.h"
#include "kernel_rows.h"
#include "observe/checks.h"
#include "observe/counting.h"
#include "run_counted.h"
#include "timed_run.h"

namespace {

using labkit::observe::test::KernelRow;

/// NVRTC's -G build: generic addressing, everything in local memory.
const labkit::ptx::Module& unoptimised() {
  static const auto module = labkit::observe::test::read_module("kernels_debug_nvrtc_13.0.ptx");
  return module;
}

const labkit::ptx::Module& kernels() {
  static const auto module = labkit::observe::test::read_module("kernels_nvrtc_13.0.ptx");
  return module;
}

/// Processor seconds of the whole process: on a machine with other work they say more than the clock on the wall.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void run_row(benchmark::State& state, const KernelRow& row, bool counted, bool affine = true) {
  auto ready = labkit::observe::test::prepare(row, kernels());
  const auto decoded = labkit::simt::decode(kernels(), ready.launch.entry);
  if (decoded.program == nullptr) return state.SkipWithError("refused");
  double instructions = 0, processor = 0;
  labkit::simt::RunOptions options;
  options.affine = affine;
  for (auto _ : state) {
    const double before = processor_seconds();
    const auto result = counted
                            ? labkit::observe::run_counted(*decoded.program, ready.launch,
                                                           ready.parameters, ready.memory, options)
                                  .result
                            : labkit::simt::run(*decoded.program, ready.launch, ready.parameters,
                                                ready.memory, nullptr);
    if (!result.completed) return state.SkipWithError("not completed");
    instructions += static_cast<double>(result.thread_instructions);
    processor += processor_seconds() - before;
    state.SetIterationTime(result.wall_seconds);
  }
  state.counters["thread_instructions_per_second"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["per_core_second"] = instructions / processor;
}

/// The predicted time's price: counters, locality and model beside the counters alone, processor seconds in one run.
void model_row(benchmark::State& state, const KernelRow& row) {
  auto ready = labkit::observe::test::prepare(row, kernels());
  const auto decoded = labkit::simt::decode(kernels(), ready.launch.entry);
  if (decoded.program == nullptr) return state.SkipWithError("refused");
  double instructions = 0, counted = 0, modelled = 0, model = 0;
  for (auto _ : state) {
    double before = processor_seconds();
    labkit::observe::run_counted(*decoded.program, ready.launch, ready.parameters, ready.memory);
    counted += processor_seconds() - before;
    before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const auto run =
        labkit::timing::run_timed(*decoded.program, ready.launch, ready.parameters, ready.memory);
    const double ran = processor_seconds();
    const auto prediction = labkit::timing::predict(
        {.counters = &run.counters,
         .locality = &run.locality,
         .scale = 1,
         .grid = ready.launch.grid,
         .block = ready.launch.block,
         .registers_per_thread = labkit::simt::facts(*decoded.program).estimated_registers,
         .registers_estimated = true,
         .shared_bytes_per_block = labkit::simt::facts(*decoded.program).static_shared_bytes +
                                   ready.launch.dynamic_shared_bytes,
         .footprint_bytes = 0},
        labkit::timing::find_profile("h200"));
    modelled += processor_seconds() - before;
    model += processor_seconds() - ran;
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!run.result.completed || prediction.time_us <= 0) return state.SkipWithError("no time");
    instructions += static_cast<double>(run.result.thread_instructions);
  }
  state.counters["thread_instructions_per_second"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["model_ms"] = model / static_cast<double>(state.iterations()) * 1e3;
  state.counters["times_counted"] = modelled / counted;
}

/// The same of a kernel with a fault: the quick look, and then those sanitizers that have something to look at.
void check_faulty(benchmark::State& state, const labkit::observe::test::FaultyCase& faulty,
                  bool optimised) {
  static const auto module = labkit::observe::test::read_module("faulty_kernels_nvrtc_13.0.ptx");
  static const auto debug =
      labkit::observe::test::read_module("faulty_kernels_debug_nvrtc_13.0.ptx");
  const auto ready = [&] {
    return labkit::observe::test::prepare(faulty, optimised ? module : debug);
  };
  double instructions = 0, checked = 0, plain = 0;
  for (auto _ : state) {
    auto bare = ready();
    double before = processor_seconds();
    const auto without =
        labkit::simt::run(*bare.program, bare.launch, bare.parameters, bare.memory, nullptr);
    plain += processor_seconds() - before;
    auto watched = ready();
    auto memory = watched.memory.save();
    before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const auto run =
        labkit::observe::run_checked(*watched.program, watched.launch, watched.parameters,
                                     watched.memory, {}, [&] { watched.memory.restore(memory); });
    checked += processor_seconds() - before;
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!run.has_errors()) return state.SkipWithError("nothing found");
    instructions += static_cast<double>(without.thread_instructions);
  }
  state.counters["thread_instructions_per_second"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["times_without"] = checked / plain;
}

/// Under all checks, beside the same launch without them: the cost as a ratio of processor seconds in one run.
/// closely: the sanitizers that look again where the quick look found something odd, which here it does not.
void check_row(benchmark::State& state, const KernelRow& row, bool optimised, bool closely) {
  const auto& module = optimised ? kernels() : unoptimised();
  const auto decoded = [&] {
    auto ready = labkit::observe::test::prepare(row, module);
    return labkit::simt::decode(module, ready.launch.entry);
  }();
  if (decoded.program == nullptr) return state.SkipWithError("refused");
  double instructions = 0, checked = 0, plain = 0;
  for (auto _ : state) {
    auto ready = labkit::observe::test::prepare(row, module);
    double before = processor_seconds();
    const auto without =
        labkit::simt::run(*decoded.program, ready.launch, ready.parameters, ready.memory, nullptr);
    plain += processor_seconds() - before;
    const auto restore = [&] { ready = labkit::observe::test::prepare(row, module); };
    restore();
    before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const auto run =
        closely ? labkit::observe::look_closely(*decoded.program, ready.launch, ready.parameters,
                                                ready.memory)
                : labkit::observe::run_checked(*decoded.program, ready.launch, ready.parameters,
                                               ready.memory, {}, restore);
    checked += processor_seconds() - before;
    state.SetIterationTime(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!without.completed || !run.findings.empty()) return state.SkipWithError("not clean");
    instructions += static_cast<double>(run.result.thread_instructions);
  }
  state.counters["thread_instructions_per_second"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["per_core_second"] = instructions / checked;
  state.counters["times_without"] = checked / plain;
}

}  // namespace

int main(int argc, char** argv) {
  std::set<std::string> small_ones;  // two families of one kernel become one
  for (const auto& row : labkit::observe::test::kernel_rows()) {
    benchmark::RegisterBenchmark(("counted/" + row.label()).c_str(), run_row, row, true, true)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("lane_by_lane/" + row.label()).c_str(), run_row, row, true, false)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("modelled/" + row.label()).c_str(), model_row, row)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("checked/" + row.label()).c_str(), check_row, row, true, false)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    const auto few = labkit::observe::test::small(row);
    if (small_ones.insert(few.label()).second)
      for (const auto& [name, optimised, closely] :
           {std::tuple("checked_small/", true, false),
            std::tuple("checked_small_debug/", false, false),
            std::tuple("checked_closely/", true, true)})
        benchmark::RegisterBenchmark((name + few.label()).c_str(), check_row, few, optimised,
                                     closely)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    if (row.family == "transpose_1000x1500" || row.family == "matmul_256")
      benchmark::RegisterBenchmark(("checked_debug/" + row.label()).c_str(), check_row, row, false,
                                   false)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    if (row.kernel == "rows32x8_pad" || row.kernel == "tile32_pad" ||
        row.kernel.starts_with("tiled"))
      benchmark::RegisterBenchmark(("plain/" + row.label()).c_str(), run_row, row, false, true)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
  }
  for (const auto& faulty : labkit::observe::test::kFaultyCases)
    for (const bool optimised : {true, false})
      benchmark::RegisterBenchmark(
          (std::string(optimised ? "checked_faulty/" : "checked_faulty_debug/") + faulty.kernel)
              .c_str(),
          check_faulty, faulty, optimised)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
