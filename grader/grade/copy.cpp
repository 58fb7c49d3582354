#include "grade/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "compile/compile.h"
#include "grade/copies_cu.h"
#include "grade/policy.h"
#include "process/process.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

constexpr std::uint32_t kMatrixWidth = 2048;
constexpr std::uint32_t kBestBlock = 256;

std::uint32_t blocks(std::uint64_t count, std::uint64_t per_block) {
  return static_cast<std::uint32_t>(
      std::max<std::uint64_t>(1, (count + per_block - 1) / per_block));
}

/// All but the code.
PlannedCopy shape_copy(const CopyShape& shape, std::uint64_t useful_bytes) {
  PlannedCopy copy;
  launch::Launch& l = copy.setup.launch;
  const launch::Element element = shape.best ? launch::Element::f32 : shape.element;
  const std::uint32_t size = launch::size_bytes(element);
  std::uint64_t count = std::max<std::uint64_t>(1, useful_bytes / 2 / size);
  l.arguments = {launch::BufferRef{0}, launch::BufferRef{1}};
  if (shape.best) {
    count = (count + 3) / 4 * 4;
    l.kernel = "copy_best";
    l.block = {kBestBlock};
    l.grid = {blocks(count / 4, kBestBlock)};
    l.arguments.push_back(launch::scalar(static_cast<int>(count / 4)));
  } else {
    const std::uint32_t n = shape.elements_a_thread;
    const char* const type = element == launch::Element::f64 ? "double" : "float";
    l.block = shape.block;
    if (shape.block.y == 1) {
      l.kernel = fmt::format("copy_1d<{},{}>", type, n);
      l.grid = {blocks(count, std::uint64_t{shape.block.x} * n)};
      l.arguments.push_back(launch::scalar(static_cast<int>(count)));
    } else {
      l.kernel = fmt::format("copy_2d<{},{}>", type, n);
      const std::uint32_t rows = blocks(count, kMatrixWidth);
      count = std::uint64_t{rows} * kMatrixWidth;
      l.grid = {blocks(kMatrixWidth, shape.block.x),
                blocks(rows, std::uint64_t{shape.block.y} * n)};
      l.arguments.push_back(launch::scalar(static_cast<int>(rows)));
      l.arguments.push_back(launch::scalar(static_cast<int>(kMatrixWidth)));
    }
  }
  const auto buffer = [&](const char* name, launch::Fill fill) {
    launch::Buffer made;
    made.name = name;
    made.element = element;
    made.count = count;
    made.fill = fill;
    return made;
  };
  copy.setup.buffers = {buffer("in", launch::Fill::iota), buffer("out", launch::Fill::poison)};
  copy.setup.buffers[1].is_output = true;
  return copy;
}

compile::Result compile_copy(const std::string& expression, const std::string& arch,
                             const std::filesystem::path& cache_directory) {
  compile::Request request;
  request.source = kCopiesCu;
  request.name = "copies.cu";
  request.kernels = {expression};
  request.arch = arch;
  request.registers = true;
  compile::Result result = cache_directory.empty()
                               ? compile::compile(request)
                               : compile::compile_cached(request, cache_directory.string());
  if (result.status != compile::Status::ok)
    throw Error("the kit's own copy kernel does not compile: " + result.message + "\n" + result.log,
                "run `" + command_name() + " doctor`");
  return result;
}

/// Everything a deterministic device's time depends on, hashed. The time model is part of this
/// program, so its file counts.
std::string cache_key(const device::Description& device, const PlannedCopy& copy,
                      std::uint32_t parts) {
  const std::string program = process::own_executable();
  const auto changed = std::filesystem::last_write_time(program).time_since_epoch().count();
  const launch::Launch& launch = copy.setup.launch;
  const device::Module& module = copy.build.module;
  const auto assembled = module.assembled.kernels.find(copy.build.entries.at(launch.kernel));
  const std::uint32_t registers =
      assembled == module.assembled.kernels.end() ? 0 : assembled->second.registers;
  return sha256_hex(fmt::format(
      "{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", device.name, device.gpu, device.title,
      launch.kernel, to_string(launch.grid), to_string(launch.block), copy.setup.buffers[0].count,
      parts, program, changed, std::filesystem::file_size(program), module.ptx, registers));
}

std::filesystem::path cache_file(const std::filesystem::path& cache_directory,
                                 const std::string& key) {
  return cache_directory / "copies" / (key + ".txt");
}

// The file: SHA-256 of the key and of all that follows the first line end, a line end, the time in
// microseconds with all its digits.

/// 0 if there is none or it is damaged: then it is simply measured again.
double read_cached(const std::filesystem::path& cache_directory, const std::string& key) try {
  const std::filesystem::path file = cache_file(cache_directory, key);
  if (!std::filesystem::exists(file)) return 0;
  const std::string text = read_file(file, 4096);
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return 0;
  const std::string body = text.substr(end + 1);
  if (text.substr(0, end) != sha256_hex(key + body)) return 0;
  double time_us = 0;
  const std::string_view number = trim(body);
  const auto [last, error] = std::from_chars(number.data(), number.data() + number.size(), time_us);
  return error == std::errc{} && last == number.data() + number.size() && time_us > 0 ? time_us : 0;
} catch (const Error&) {
  return 0;
} catch (const std::filesystem::filesystem_error&) {
  return 0;
}

void write_cached(const std::filesystem::path& cache_directory, const std::string& key,
                  double time_us) try {
  const std::string body = fmt::format("{}\n", time_us);  // as many digits as give it back exactly
  write_file_atomically(cache_file(cache_directory, key), sha256_hex(key + body) + '\n' + body);
} catch (const Error&) {
  // A full or read-only disk: the time stands all the same.
}

}  // namespace

PlannedCopy plan_copy(const CopyShape& shape, std::uint64_t useful_bytes, const std::string& arch,
                      const std::filesystem::path& cache_directory) {
  PlannedCopy copy = shape_copy(shape, useful_bytes);
  const compile::Result compiled = compile_copy(copy.setup.launch.kernel, arch, cache_directory);
  copy.build = {.module = {.name = "copies.cu",
                           .ptx = compiled.ptx,
                           .cubin = compiled.cubin,
                           .assembled = compiled.assembled},
                .entries = compiled.entries};
  return copy;
}

void require_copied(const PlannedCopy& copy, const device::Outcome& outcome) {
  if (outcome.completed && outcome.outputs.size() == 1 &&
      outcome.outputs[0].bytes == launch::initial_contents(copy.setup.buffers[0]))
    return;
  throw Error(
      "the kit's own copy kernel " + copy.setup.launch.kernel + " did not copy" +
          (outcome.findings.empty() ? "" : ": " + words::render(outcome.findings[0].evidence)),
      "report this: it is a fault of the kit");
}

/// Where a time is predicted: of a larger copy a part is simulated. The blocks of a copy are all alike, and what L2 keeps
/// the model reckons from the whole's bytes.
constexpr std::uint64_t kWholeCopyBytes = 128 << 20;

CopyTime time_copy(device::Device& device, const CopyShape& shape, std::uint64_t useful_bytes,
                   const std::filesystem::path& cache_directory) {
  const device::Description description = device.describe();
  const auto parts = static_cast<std::uint32_t>(
      description.deterministic
          ? std::max<std::uint64_t>(1, (useful_bytes + kWholeCopyBytes - 1) / kWholeCopyBytes)
          : 1);
  const PlannedCopy copy =
      plan_copy(shape, useful_bytes / parts, description.arch, cache_directory);
  CopyTime result;
  result.useful_bytes = copy.useful_bytes() * parts;
  std::string key;
  if (description.deterministic && !cache_directory.empty()) {
    key = cache_key(description, copy, parts);
    result.predicted = true;  // a deterministic time is never a measured one
    result.time_us = read_cached(cache_directory, key);
    if (result.time_us > 0) return result;
  }
  device::Plan plan = plan_of(copy.build, copy.setup);
  plan.repetition = default_policy(description).repetition;
  plan.launches[0].want_time = true;
  plan.launches[0].part_of = parts;
  const device::Outcome outcome = device.run(plan).at(0);
  require_copied(copy, outcome);
  result.time_us = summarise(outcome.times_us).median_us;
  result.predicted = outcome.time_is_predicted;
  if (!key.empty()) write_cached(cache_directory, key, result.time_us);
  return result;
}

}  // namespace labkit::grade
