// The time of a graded launch against that of a copy.
#include "grade/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/kept_file.h"
#include "base/sha256.h"
#include "grade/cases.h"
#include "grade/copies_cu.h"
#include "process/process.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

constexpr int kMatrixWidth = 2048;
constexpr std::uint32_t kBestBlock = 256;
constexpr char kFile[] = "copies.cu";
/// Where a time is predicted: of a larger copy a part is simulated. The blocks of a copy are all alike, and what L2 keeps
/// the model reckons from the whole's bytes.
constexpr std::uint64_t kWholeCopyBytes = 128 << 20;

/// All but the code.
LaunchSetup shape_copy(const CopyShape& shape, std::uint64_t useful_bytes) {
  LaunchSetup setup;
  launch::Launch& l = setup.launch;
  const launch::Element element = shape.best ? launch::Element::f32 : shape.element;
  auto count = static_cast<std::int64_t>(
      std::max<std::uint64_t>(1, useful_bytes / 2 / launch::size_bytes(element)));
  launch::Buffer in{.name = "in", .element = element, .fill = launch::Fill::iota};
  launch::Buffer out{.name = "out", .element = element, .is_output = true};
  l.block = shape.block;
  const std::int64_t n = shape.elements_a_thread;
  const std::string instance =
      fmt::format("<{},{}>", element == launch::Element::f64 ? "double" : "float", n);
  std::vector<int> sizes;
  if (shape.best) {
    const std::int64_t pieces = (count + 3) / 4;
    count = pieces * 4;
    l.kernel = "copy_best";
    l.block = {kBestBlock};
    l.grid = {blocks_for(pieces, kBestBlock)};
    sizes = {static_cast<int>(pieces)};
  } else if (shape.block.y == 1) {
    l.kernel = "copy_1d" + instance;
    l.grid = {blocks_for(count, shape.block.x * n)};
    sizes = {static_cast<int>(count)};
  } else {
    const std::uint32_t rows = blocks_for(count, kMatrixWidth);
    count = std::int64_t{rows} * kMatrixWidth;
    l.kernel = "copy_2d" + instance;
    l.grid = {blocks_for(kMatrixWidth, shape.block.x), blocks_for(rows, shape.block.y * n)};
    sizes = {static_cast<int>(rows), kMatrixWidth};
  }
  in.count = out.count = static_cast<std::uint64_t>(count);
  setup.add_buffer(std::move(in));
  setup.add_buffer(std::move(out));
  for (const int size : sizes) l.arguments.push_back(launch::scalar(size));
  return setup;
}

/// Everything a deterministic device's time depends on, hashed, names the file. The time model is
/// part of this program, so its file counts.
std::filesystem::path cache_file(const std::filesystem::path& cache_directory,
                                 const device::Description& device, const PlannedCopy& copy,
                                 std::uint64_t parts) {
  const launch::Launch& launch = copy.setup.launch;
  const device::Module& module = copy.build.module;
  const auto assembled = module.assembled.kernels.find(copy.build.entries.at(launch.kernel));
  const std::uint32_t registers =
      assembled == module.assembled.kernels.end() ? 0 : assembled->second.registers;
  const std::string key = sha256_hex(fmt::format(
      "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", device.name, device.gpu, device.title, launch.kernel,
      to_string(launch.grid), to_string(launch.block), copy.setup.buffers[0].count, parts,
      process::own_version(), module.ptx, registers));
  return cache_directory / "copies" / (key + ".txt");
}

/// 0 if there is none: then it is simply measured again.
double read_cached(const std::filesystem::path& file) {
  double time_us = 0;
  if (const std::optional<std::string> time = read_kept(file))
    std::from_chars(time->data(), time->data() + time->size(), time_us);
  return time_us;
}

constexpr CopyShape kBest{.best = true};

/// What the kernel's own launch says, before any copy is looked at.
Comparison comparison_of(const device::Outcome& outcome, std::uint64_t useful_bytes) {
  Comparison result;
  result.timing = summarise(outcome.times_us);
  result.predicted = outcome.time_is_predicted;
  result.bytes_per_second = bytes_per_second(useful_bytes, result.timing.median_us);
  return result;
}

void append(device::Plan& plan, const PlannedCopy& copy) {
  add_launch(plan, add_build(plan, copy.build), copy.build, copy.setup).want_time = true;
}

/// The driver's copy of the same buffers as the last launch.
void append_driver_copy(device::Plan& plan) {
  device::PlannedLaunch planned{
      .kind = device::PlannedLaunch::Kind::driver_copy, .launch = {}, .want_time = true};
  planned.launch.kernel = "the driver's copy";
  planned.launch.arguments = plan.launches.back().launch.arguments;
  planned.launch.arguments.resize(2);
  plan.launches.push_back(std::move(planned));
}

/// Why these times decide nothing; none: they do.
words::Message doubt(const Comparison& comparison, const Subject& subject,
                     const device::Description& device) {
  if (comparison.conditions && !comparison.conditions->trouble.empty())
    return {words::Id::measured_disturbed, {{"trouble", comparison.conditions->trouble}}};
  if (!device.facts) return {};
  const double floor_us = roofline_floor_us(subject.compulsory_bytes, *device.facts);
  if (comparison.timing.median_us >= default_policy(device).roofline_part * floor_us) return {};
  return {words::Id::measured_below_roofline,
          {{"time_us", comparison.timing.median_us},
           {"megabytes", static_cast<double>(subject.compulsory_bytes) / 1e6},
           {"floor_us", floor_us}}};
}

}  // namespace

PlannedCopy plan_copy(const CopyShape& shape, std::uint64_t useful_bytes, const std::string& arch,
                      const std::filesystem::path& cache_directory) {
  PlannedCopy copy{.build = {}, .setup = shape_copy(shape, useful_bytes)};
  const compile::Request request{.source = kCopiesCu,
                                 .name = kFile,
                                 .kernels = {copy.setup.launch.kernel},
                                 .arch = arch,
                                 .registers = true};
  compile::Result result = jailed_compiler(cache_directory)(request);
  if (result.status != compile::Status::ok)
    throw Error("the kit's own copy kernel does not compile: " + words::render(result.message) +
                    "\n" + result.log,
                "run `" + command_name() + " doctor`");
  copy.build = build_of(request, std::move(result));
  return copy;
}

CopyTime time_of(const PlannedCopy& copy, const device::Outcome& outcome) {
  if (!outcome.completed || outcome.outputs.size() != 1 ||
      outcome.outputs[0].bytes != launch::initial_contents(copy.setup.buffers[0]))
    kit_fault("the kit's own copy kernel " + copy.setup.launch.kernel + " did not copy" +
              (outcome.findings.empty() ? "" : ": " + words::render(outcome.findings[0].evidence)));
  return {.time_us = summarise(outcome.times_us).median_us,
          .useful_bytes = copy.useful_bytes(),
          .predicted = outcome.time_is_predicted};
}

CopyTime time_copy(device::Device& device, const CopyShape& shape, std::uint64_t useful_bytes,
                   const std::filesystem::path& cache_directory) {
  const device::Description description = device.describe();
  const std::uint64_t parts =
      description.deterministic
          ? std::max<std::uint64_t>(1, (useful_bytes + kWholeCopyBytes - 1) / kWholeCopyBytes)
          : 1;
  const PlannedCopy copy =
      plan_copy(shape, useful_bytes / parts, description.arch, cache_directory);
  const bool is_kept = description.deterministic && !cache_directory.empty();
  std::filesystem::path file;
  if (is_kept) {
    file = cache_file(cache_directory, description, copy, parts);
    // a deterministic time is never a measured one
    if (const double time_us = read_cached(file); time_us > 0)
      return {.time_us = time_us, .useful_bytes = copy.useful_bytes() * parts, .predicted = true};
  }
  device::Plan plan = plan_of(copy.build, copy.setup);
  plan.repetition = default_policy(description).repetition;
  plan.launches[0].want_time = true;
  plan.launches[0].part_of = static_cast<std::uint32_t>(parts);
  CopyTime time = time_of(copy, device.run(plan).at(0));
  time.useful_bytes *= parts;
  // as many digits as give it back exactly
  if (is_kept) write_kept(file, fmt::format("{}\n", time.time_us));
  return time;
}

Interval paired_ratio(const std::vector<double>& kernel_us, std::uint64_t kernel_bytes,
                      const std::vector<double>& copy_us, std::uint64_t copy_bytes) {
  if (kernel_us.size() != copy_us.size())
    kit_fault(fmt::format("the device gave {} times of a kernel and {} of its copy",
                          kernel_us.size(), copy_us.size()));
  summarise(kernel_us);  // throws for a time that is none
  summarise(copy_us);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < kernel_us.size(); ++i)
    ratios.push_back(static_cast<double>(kernel_bytes) / kernel_us[i] /
                     (static_cast<double>(copy_bytes) / copy_us[i]));
  return median_of(ratios);
}

Comparison compare_predicted(device::Device& device, const device::Outcome& outcome,
                             std::uint64_t useful_bytes, const Baseline& baseline,
                             const std::filesystem::path& cache_directory) {
  Comparison result = comparison_of(outcome, useful_bytes);
  const auto ratio_to = [&](const CopyTime& copy) {
    const double ratio = result.bytes_per_second / copy.rate();
    return Interval{ratio, ratio, ratio};
  };
  if (baseline.same_shape) {
    result.same_shape =
        time_copy(device, *baseline.same_shape, baseline.copy_bytes, cache_directory);
    result.ratio = ratio_to(*result.same_shape);
  }
  result.best = time_copy(device, kBest, baseline.copy_bytes, cache_directory);
  result.best_ratio = ratio_to(*result.best);
  return result;
}

Measured compare_measured(device::Device& device, Subject subject, const Baseline& baseline,
                          const std::filesystem::path& cache_directory) {
  const device::Description description = device.describe();
  device::Plan& plan = subject.plan;
  plan.repetition = default_policy(description).repetition;
  plan.launches.at(0).want_time = true;
  const auto planned = [&](const CopyShape& shape) {
    PlannedCopy copy = plan_copy(shape, baseline.copy_bytes, description.arch, cache_directory);
    append(plan, copy);
    return copy;
  };
  std::optional<PlannedCopy> same;
  if (baseline.same_shape) same = planned(*baseline.same_shape);
  const PlannedCopy best = planned(kBest);
  append_driver_copy(plan);

  std::vector<device::Outcome> outcomes = device.run(plan);
  if (outcomes.size() != plan.launches.size()) kit_fault("the device left out launches");
  const device::Outcome &kernel = outcomes.front(), &of_best = outcomes[outcomes.size() - 2],
                        &of_driver = outcomes.back();
  if (!kernel.completed) return {.outcome = kernel, .comparison = std::nullopt};
  Comparison result = comparison_of(kernel, subject.useful_bytes);
  const auto against = [&](const device::Outcome& copy, std::uint64_t copy_bytes) {
    return paired_ratio(kernel.times_us, subject.useful_bytes, copy.times_us, copy_bytes);
  };
  if (same) {
    result.same_shape = time_of(*same, outcomes[1]);
    result.ratio = against(outcomes[1], same->useful_bytes());
  }
  result.best = time_of(best, of_best);
  result.driver = time_of(best, of_driver);
  const bool driver_is_best = result.driver->rate() > result.best->rate();
  result.best_ratio = against(driver_is_best ? of_driver : of_best, best.useful_bytes());
  if (description.facts && description.facts->peak_bytes_per_second > 0)
    result.share_of_peak = bytes_per_second(subject.compulsory_bytes, result.timing.median_us) /
                           description.facts->peak_bytes_per_second;
  result.conditions = kernel.conditions;
  result.undecided = doubt(result, subject, description);
  return {.outcome = std::move(outcomes.front()), .comparison = std::move(result)};
}

}  // namespace labkit::grade
