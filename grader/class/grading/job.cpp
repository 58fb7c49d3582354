#include "class/grading/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "class/grading/runner.h"
#include "class/policy/rescore.h"
#include "cli/paths.h"
#include "compile/compile.h"
#include "device/device.h"
#include "report/json.h"

namespace labkit::course {
namespace {

/// Of a check program on the simulator. It bounds what a kernel may make it do, and none of the kit's
/// solutions needs a tenth of either; these only keep a fault of the kit from taking the machine along.
constexpr double kGradingCpuSeconds = 120;
constexpr std::uint64_t kAddressSpaceBytes = 4ull << 30;
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsAddressSpace = false;  // its shadow memory alone is larger
#else
constexpr bool kLimitsAddressSpace = true;
#endif

}  // namespace

std::filesystem::path reference_file(const grade::Manifest& lab) {
  return cli::root_directory() / "solutions" / lab.folder / lab.reference;
}

std::map<std::string, GradingEnvironment> environments(const std::vector<grade::Manifest>& labs,
                                                       const std::string& device) {
  static const std::string check = sha256_of_file(cli::check_program());
  std::map<std::string, GradingEnvironment> all;
  for (const grade::Manifest& lab : labs)
    all[lab.id] = {.kit = LABKIT_VERSION,
                   .check_sha256 = check,
                   .device = device,
                   .profile = cli::GradeRequest{}.gpu,
                   .measurement = measurement_hash(lab),
                   .scoring = sha256_hex(read_file(lab.directory / "lab.toml")),
                   .clock = compile::kCompilerClockText};
  return all;
}

JobGrader::JobGrader(std::vector<grade::Manifest> labs, cli::DeviceChoice choice,
                     std::string device, std::filesystem::path work, const std::atomic<bool>* stop)
    : labs_(std::move(labs)),
      choice_(std::move(choice)),
      device_(std::move(device)),
      work_(std::move(work)),
      stop_(stop) {
  if (device_ == "sim") choice_.device = "sim";
  means_ = environments(labs_, device_);
}

cli::GradeRequest JobGrader::request() const {
  cli::GradeRequest request;
  request.device = choice_;
  request.threads = 1;
  request.values = true;
  request.work_directory = work_;
  request.stop = stop_;
  if (device_ != "sim") return request;
  // Nobody needs a class's compiled kernels again. (The copies that figures are held against are kept
  // in the kit's own cache.)
  request.cache_directory = work_ / "cache";
  request.cpu_seconds = kGradingCpuSeconds;
  if (kLimitsAddressSpace) request.address_space_bytes = kAddressSpaceBytes;
  return request;
}

std::string JobGrader::grade(const std::string& lab_id, std::uint64_t seed,
                             const std::optional<std::string>& source,
                             const std::string& recorded) const {
  const WorkFolder folder(work_);
  cli::GradeRequest one = request();
  one.file = folder.path() / kSourceName;
  write_file_atomically(one.file, source ? *source : read_file(reference_file(lab(lab_id))));
  one.seed = seed;
  one.recorded_registers = recorded;
  if (!source) {
    one.cache_directory.clear();  // the kit's own: every class compares with the same solutions
    one.values_of = cli::solution_files(lab(lab_id), "correct");
  }
  grade::LabResult result = cli::grade_file(lab(lab_id), one);
  if (device_ != "sim" && result.measured_on != device_)
    throw Error(fmt::format("{} should have been measured on {}, not on {}", lab_id, device_,
                            result.measured_on.empty() ? "no GPU" : result.measured_on),
                fmt::format("name one GPU with --gpu-id, or see `{} doctor`", command_name()));
  result.file = kSourceName;
  return report::lab_json(result);
}

void JobGrader::check_machine() const {
  const grade::Manifest& first = labs_.front();
  cli::GradeRequest one = request();
  one.file = reference_file(first);
  cli::require_ready(first, one);
}

const grade::Manifest& JobGrader::lab(const std::string& id) const {
  return *std::ranges::find(labs_, id, &grade::Manifest::id);
}

std::string device_name(const cli::DeviceChoice& choice) {
  if (choice.device == "sim") return "sim";
  const device::Devices devices = device::make_devices(choice.device, {.gpu_id = choice.gpu_id});
  return devices.gpu ? devices.gpu->describe().gpu : "sim";
}

}  // namespace labkit::course
