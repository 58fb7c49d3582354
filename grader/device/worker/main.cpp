// labkit-cuda: all that the kit does with a GPU, in a process of its own, since a kernel may hang it,
// kill its context or crash the driver. See device/cuda_protocol.h.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <optional>

#include "base/error.h"
#include "device/worker/driver.h"
#include "device/worker/session.h"
#include "device/worker/watchdog.h"
#include "device/worker/window.h"

namespace labkit::device::cuda {
namespace {

/// As nvidia-smi writes it.
std::string uuid_of(const Driver& driver, DeviceId device) {
  Uuid uuid{};
  driver.check(driver.device_uuid(&uuid, device), "cuDeviceGetUuid");
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[uuid.bytes[i] >> 4];
    text += kDigits[uuid.bytes[i] & 15];
  }
  return text;
}

/// Without NVML, the driver tells it to who has a context; who cannot have one is told none is free.
std::uint64_t free_bytes(const Driver& driver, DeviceId device) {
  Context context = nullptr;
  if (driver.retain_context(&context, device) != kSuccess) return 0;
  std::size_t free = 0, total = 0;
  if (driver.set_context(context) != kSuccess || driver.memory_info(&free, &total) != kSuccess)
    free = 0;
  driver.release_context(device);
  return free;
}

GpuSpec describe(const Driver& driver, Nvml& nvml, int number) {
  DeviceId device = 0;
  driver.check(driver.device_get(&device, number), "cuDeviceGet");
  GpuSpec gpu;
  std::array<char, 256> name{};
  driver.check(driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device),
               "cuDeviceGetName");
  gpu.name = name.data();
  const auto attribute = [&](Attribute which) { return driver.attribute(which, device); };
  gpu.exclusive = attribute(Attribute::compute_mode) == kModeExclusive;
  GpuFacts& facts = gpu.facts;
  facts.id = number;
  facts.uuid = uuid_of(driver, device);
  facts.driver = nvml.driver();
  if (facts.driver.empty()) facts.driver = "for CUDA " + version_text(driver.version);
  facts.compute_major = static_cast<int>(attribute(Attribute::capability_major));
  facts.compute_minor = static_cast<int>(attribute(Attribute::capability_minor));
  facts.multiprocessors = attribute(Attribute::multiprocessors);
  facts.l2_bytes = attribute(Attribute::l2_bytes);
  // Both edges of the clock move data; the bus width is in bits.
  facts.peak_bytes_per_second = 1e3 * attribute(Attribute::memory_clock_khz) * 2.0 *
                                attribute(Attribute::memory_bus_bits) / 8;
  std::size_t bytes = 0;
  driver.check(driver.device_memory(&bytes, device), "cuDeviceTotalMem");
  facts.memory_bytes = bytes;
  std::optional<std::uint64_t> free;
  if (nvml.watch(facts.uuid)) free = nvml.free_bytes();
  facts.free_bytes = free ? *free : free_bytes(driver, device);
  const std::uint64_t share = facts.free_bytes / kMemoryShare, own = own_bytes(facts.l2_bytes);
  facts.max_bytes = share > own ? (share - own) / 2 : 0;
  return gpu;
}

Reply describe_all(const Driver& driver, Nvml& nvml) {
  Reply reply;
  reply.kind = Reply::Kind::gpus;
  reply.driver_version = driver.version;
  reply.has_nvml = nvml.loaded();
  int count = 0;
  driver.check(driver.device_count(&count), "cuDeviceGetCount");
  if (count == 0)
    throw Trouble{"the CUDA driver sees no GPU", "See CUDA_VISIBLE_DEVICES.",
                  error_id::kGpuMissing};
  for (int i = 0; i < count; ++i) reply.gpus.push_back(describe(driver, nvml, i));
  return reply;
}

/// The shared memory as long as it is now.
class SharedView {
 public:
  SharedView() {
    struct stat info {};
    ::fstat(kMemoryFd, &info);
    bytes_ = static_cast<std::size_t>(info.st_size);
    data_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, kMemoryFd, 0);
    if (data_ == MAP_FAILED)
      throw Trouble{"the shared memory cannot be mapped", {}, error_id::kOther};
  }
  SharedView(const SharedView&) = delete;
  SharedView& operator=(const SharedView&) = delete;
  ~SharedView() { ::munmap(data_, bytes_); }
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  Progress& progress() const { return *static_cast<Progress*>(data_); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// False at the end of the input. Throws Trouble for one that is cut short.
bool read_whole(void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t more = ::read(0, at + got, bytes - got);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0 && got == 0) return false;
    if (more <= 0)
      throw Trouble{"the request was cut short", "Report this: it is a fault of the kit.",
                    error_id::kBug};
    got += static_cast<std::size_t>(more);
  }
  return true;
}

std::optional<Request> next_request() {
  Length size = 0;
  if (!read_whole(&size, sizeof size)) return std::nullopt;
  std::string body(size, '\0');
  if (!read_whole(body.data(), size)) return std::nullopt;
  return decode_request(body);
}

/// Answers one request after another; what it holds of a GPU it keeps from one to the next.
class Server {
 public:
  explicit Server(Capture& capture) : capture_(capture), watchdog_(capture.reply_fd()) {}

  void answer(const Request& request) {
    if (request.describe)
      send(capture_.reply_fd(), describe_all(driver_, nvml_));
    else
      run(request);
    Reply done;
    done.kind = Reply::Kind::done;
    send(capture_.reply_fd(), done);
  }

 private:
  void run(const Request& request) {
    const SharedView shared;
    DeviceId device = 0;
    driver_.check(driver_.device_get(&device, request.gpu), "cuDeviceGet");
    if (gpu_ && gpu_->device() != device) gpu_.reset();
    Conditions conditions;
    conditions.watched = nvml_.watch(uuid_of(driver_, device));
    const bool timed = std::ranges::any_of(request.launches,
                                           [](const LaunchSpec& launch) { return launch.timed; });
    const unsigned known = request.idle_contexts + (gpu_ ? 1 : 0);
    if (timed) wait_for_others(nvml_, known, request.repetition.max_wait_seconds, conditions);

    if (!gpu_) gpu_.emplace(driver_, device);
    Session session(*gpu_, request, shared.data());
    // A lost context is left to the kernel: the driver's own ways to be rid of it may wait for ever.
    if (!run_plan(request,
                  {.session = session,
                   .nvml = nvml_,
                   .watchdog = watchdog_,
                   .capture = capture_,
                   .progress = shared.progress()},
                  conditions))
      ::_exit(0);
  }

  Capture& capture_;
  Driver driver_;
  Watchdog watchdog_;
  Nvml nvml_;
  std::optional<Gpu> gpu_;
};

int serve(Capture& capture) {
  Reply reply;
  try {
    std::optional<Server> server;
    while (const std::optional<Request> request = next_request()) {
      if (!request->describe) wait_for_debugger();
      if (!server) server.emplace(capture);
      server->answer(*request);
    }
    return 0;
  } catch (const Trouble& trouble) {
    reply.error = error_json(Error(trouble.message, trouble.remedy, trouble.id));
  } catch (const std::bad_alloc&) {
    reply.error = error_json(Error("there is no memory for the GPU's worker",
                                   "Use smaller inputs, or a machine with more memory.",
                                   error_id::kOutOfMemory));
  } catch (const std::exception& problem) {
    reply.error = error_json(Error(std::string("the GPU's worker failed: ") + problem.what(),
                                   "Report this: it is a fault of the kit.", error_id::kBug));
  }
  send(capture.reply_fd(), reply);
  ::_exit(0);
}

}  // namespace
}  // namespace labkit::device::cuda

int main() {
  // Code is on the GPU once it is loaded, not at its first launch.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  try {
    labkit::device::cuda::Capture capture;
    return labkit::device::cuda::serve(capture);
  } catch (const labkit::device::cuda::Trouble&) {
    return 1;
  }
}
