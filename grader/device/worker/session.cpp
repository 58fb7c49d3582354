#include "device/worker/session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "device/worker/helpers_ptx.h"
#include "device/worker/trouble.h"

namespace labkit::device::cuda {
namespace {

constexpr unsigned kHelperThreads = 256, kHelperBlocksAnSm = 8;
constexpr std::size_t kMostBuffers = 64;  ///< of one launch; a kernel has 4 KiB of parameters
constexpr std::size_t kPrintfBytes = 1u << 20;

/// The device's copies are whole words, so that they can be hashed by words; the rest is zero.
std::uint64_t whole_words(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }
std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}
/// cuModuleLoadDataEx takes numbers in the place of pointers.
void* in_a_pointer(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}
std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

std::uint64_t own_bytes(std::uint64_t l2_bytes) {
  return std::max(kFlushFactor * l2_bytes, kLeastFlushBytes) + kContextBytes;
}

Session::Session(const Driver& driver, DeviceId device, const Request& request, std::byte* shared)
    : driver_(driver), device_(device), request_(request), shared_(shared) {
  Context context = nullptr;
  driver_.check(driver_.retain_context(&context, device), "the GPU cannot be used");
  driver_.check(driver_.set_context(context), "cuCtxSetCurrent");
  // Only so much is kept; a driver that does not want the limit keeps its own, which is as large.
  driver_.set_limit(kLimitPrintfBytes, kPrintfBytes);
  driver_.check(driver_.create_stream(&stream_, 1 /* CU_STREAM_NON_BLOCKING */), "cuStreamCreate");
  driver_.check(driver_.create_event(&begin_, 0), "cuEventCreate");
  driver_.check(driver_.create_event(&end_, 0), "cuEventCreate");

  const auto l2_bytes =
      static_cast<std::uint64_t>(std::max(0, driver_.attribute(Attribute::l2_bytes, device)));
  lay_out();
  require_memory(l2_bytes);
  helper_blocks_ =
      kHelperBlocksAnSm *
      static_cast<unsigned>(std::max(1, driver_.attribute(Attribute::multiprocessors, device)));
  load_helpers();
  arena_ = allocate(arena_bytes_, "buffers");
  flush_buffer_ = allocate(flush_bytes_, "sweeping L2");
  sums_ = allocate(kMostBuffers * sizeof(Hash), "hashes");
  sink_ = allocate(sizeof(Hash), "hashes");
  driver_.check(
      driver_.allocate_host(reinterpret_cast<void**>(&sums_here_), kMostBuffers * sizeof(Hash)),
      "pinned memory");
  driver_.check(driver_.fill_async(flush_buffer_, 0, flush_bytes_, stream_), "cuMemsetD8Async");
  pristine_.resize(request_.buffers.size());
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    const BufferSpec& buffer = request_.buffers[i];
    if (buffer.contents_at < 0 || buffer.bytes == 0) continue;
    pristine_[i] = allocate(whole_words(buffer.bytes), "buffers");
    // The shared memory goes on to the next page, so that the padding can be read there.
    driver_.check(
        driver_.copy_in(pristine_[i], shared_ + buffer.contents_at, whole_words(buffer.bytes)),
        "filling a buffer");
  }
  driver_.check(driver_.synchronize(), "filling the buffers");
}

Session::~Session() { driver_.release_context(device_); }

void Session::lay_out() {
  for (const LaunchSpec& launch : request_.launches) {
    if (launch.buffers.size() > kMostBuffers)
      throw Trouble{launch.kernel + " has more than " + std::to_string(kMostBuffers) + " buffers",
                    "Report this: it is a fault of the kit."};
    std::uint64_t at = 0;
    for (const std::uint32_t buffer : launch.buffers) {
      layout_[launch.index][buffer] = at;
      at += aligned(std::max<std::uint64_t>(1, request_.buffers[buffer].bytes));
    }
    arena_bytes_ = std::max(arena_bytes_, at);
  }
}

void Session::require_memory(std::uint64_t l2_bytes) {
  flush_bytes_ = std::max(kFlushFactor * l2_bytes, kLeastFlushBytes);
  std::uint64_t needed = arena_bytes_ + flush_bytes_;
  for (const BufferSpec& buffer : request_.buffers)
    if (buffer.contents_at >= 0) needed += aligned(buffer.bytes);
  std::size_t free = 0, total = 0;
  driver_.check(driver_.memory_info(&free, &total), "cuMemGetInfo");
  if (needed > free / kMemoryShare)
    throw Trouble{"this needs " + mebibytes(needed) + " of the GPU's memory, but of the " +
                      mebibytes(free) + " that are free (of " + mebibytes(total) +
                      ") only half may be taken",
                  "Use smaller inputs, or free memory on the GPU (nvidia-smi shows who has it)."};
}

void Session::load_helpers() {
  driver_.check(driver_.load_module(&helpers_, kHelpersPtx, 0, nullptr, nullptr),
                "the kit's own kernels cannot be loaded");
  driver_.check(driver_.get_function(&flush_, helpers_, "labkit_flush"), "labkit_flush");
  driver_.check(driver_.get_function(&hash_, helpers_, "labkit_hash"), "labkit_hash");
}

Address Session::allocate(std::uint64_t bytes, const char* purpose) {
  Address address = 0;
  driver_.check(
      driver_.allocate(&address, std::max<std::uint64_t>(bytes, 1)),
      "there is no memory on the GPU for " + std::string(purpose) + " (" + mebibytes(bytes) + ")");
  return address;
}

void Session::load_into(Loaded& loaded, const ModuleSpec& spec) {
  std::array<char, 8192> log{};
  std::array<int, 3> options{kJitErrorLog, kJitErrorLogBytes, kJitLineInfo};
  std::array<void*, 3> values{log.data(), in_a_pointer(log.size()), in_a_pointer(1)};
  const std::string& image = spec.cubin.empty() ? spec.ptx : spec.cubin;
  const Result result =
      driver_.load_module(&loaded.handle, image.c_str(), static_cast<unsigned>(options.size()),
                          options.data(), values.data());
  if (result == kInvalidPtx)
    throw LaunchFailure{result, true, driver_.words_of(result) + ": " + std::string(log.data())};
  driver_.check(result, "the GPU's driver cannot load " + spec.name);
  loaded.functions.clear();
}

Session::Loaded& Session::load(std::uint32_t module) {
  const ModuleSpec& spec = request_.modules.at(module);
  const auto [at, is_new] = modules_.try_emplace(module);
  Loaded& loaded = at->second;
  if (!is_new && loaded.handle != nullptr) return loaded;
  load_into(loaded, spec);
  loaded.reload = spec.reload;
  for (const std::string& name : spec.variables) {
    Variable variable;
    // The driver does not tell of variables of internal linkage.
    if (driver_.get_global(&variable.address, &variable.bytes, loaded.handle, name.c_str()) !=
        kSuccess) {
      loaded.reload = true;
      break;
    }
    variable.pristine = allocate(variable.bytes, "variables");
    driver_.check(driver_.copy_async(variable.pristine, variable.address, variable.bytes, stream_),
                  "copying a variable");
    loaded.variables.push_back(variable);
  }
  if (loaded.reload) loaded.variables.clear();
  return loaded;
}

Function Session::function_of(const LaunchSpec& launch) {
  Loaded& loaded = load(launch.module);
  const auto [at, is_new] = loaded.functions.try_emplace(launch.entry);
  if (is_new)
    driver_.check(driver_.get_function(&at->second, loaded.handle, launch.entry.c_str()),
                  launch.kernel + " is not in what was compiled");
  return at->second;
}

void Session::restore(const LaunchSpec& launch) {
  if (!launch.driver_copy) {
    Loaded& loaded = load(launch.module);
    if (loaded.reload) {
      driver_.check(driver_.unload_module(loaded.handle), "cuModuleUnload");
      loaded.handle = nullptr;
      load_into(loaded, request_.modules[launch.module]);
    }
    for (const Variable& variable : loaded.variables)
      driver_.check(
          driver_.copy_async(variable.address, variable.pristine, variable.bytes, stream_),
          "restoring a variable");
    function_of(launch);
  }
  for (const std::uint32_t index : launch.buffers) {
    const BufferSpec& buffer = request_.buffers[index];
    const std::uint64_t bytes = whole_words(buffer.bytes);
    if (bytes == 0) continue;
    const Address at = address_of(launch, index);
    driver_.check(
        buffer.contents_at >= 0
            ? driver_.copy_async(at, pristine_[index], bytes, stream_)
            : driver_.fill_async(at, static_cast<unsigned char>(buffer.fill), bytes, stream_),
        "restoring a buffer");
  }
}

Address Session::address_of(const LaunchSpec& launch, std::uint32_t buffer) const {
  return arena_ + layout_.at(launch.index).at(buffer);
}

void Session::fire(const LaunchSpec& launch) {
  const auto address = [&](const ArgumentSpec& argument) {
    return address_of(launch, static_cast<std::uint32_t>(argument.buffer)) + argument.offset_bytes;
  };
  Result result = kSuccess;
  if (launch.driver_copy) {
    const ArgumentSpec& from = launch.arguments.at(0);
    const ArgumentSpec& to = launch.arguments.at(1);
    const std::uint64_t bytes =
        request_.buffers[static_cast<std::size_t>(to.buffer)].bytes - to.offset_bytes;
    result = driver_.copy_async(address(to), address(from), bytes, stream_);
  } else {
    const Function function = function_of(launch);
    std::vector<Address> addresses(launch.arguments.size());
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const ArgumentSpec& argument = launch.arguments[i];
      if (argument.buffer >= 0) addresses[i] = address(argument);
      pointers.push_back(argument.buffer >= 0 ? static_cast<void*>(&addresses[i])
                                              : const_cast<char*>(argument.bytes.data()));
    }
    if (launch.dynamic_shared_bytes > 0)
      result = driver_.set_function(function, kMaxDynamicShared,
                                    static_cast<int>(launch.dynamic_shared_bytes));
    if (result == kSuccess)
      result = driver_.launch(function, launch.grid[0], launch.grid[1], launch.grid[2],
                              launch.block[0], launch.block[1], launch.block[2],
                              launch.dynamic_shared_bytes, stream_, pointers.data(), nullptr);
  }
  if (result != kSuccess) throw LaunchFailure{result, true, {}};
}

void Session::wait() {
  // Not by asking the stream again and again: only this call brings what the kernel printed, and
  // makes room for more. The watchdog bounds it.
  if (const Result result = driver_.synchronize(); result != kSuccess)
    throw LaunchFailure{result, false, {}};
}

void Session::run(const LaunchSpec& launch) {
  fire(launch);
  wait();
}

double Session::time(const LaunchSpec& launch) {
  // Lines that an earlier launch asked to persist would outlive the sweep. GPUs before 8.0 have none
  // and say so.
  if (driver_.reset_persisting_l2 != nullptr) driver_.reset_persisting_l2();
  std::uint64_t words = flush_bytes_ / 16;
  launch_helper(flush_, words, {&flush_buffer_, &words, &sink_});
  driver_.check(driver_.record_event(begin_, stream_), "cuEventRecord");
  fire(launch);
  // From here to wait(), whatever fails may be the launch's own fault, come to light.
  if (const Result result = driver_.record_event(end_, stream_); result != kSuccess)
    throw LaunchFailure{result, false, {}};
  wait();
  float milliseconds = 0;
  driver_.check(driver_.elapsed(&milliseconds, begin_, end_), "cuEventElapsedTime");
  const double microseconds = 1e3 * static_cast<double>(milliseconds);
  if (!std::isfinite(microseconds) || microseconds <= 0)
    throw Trouble{"the GPU's events say that " + launch.kernel + " took " +
                      std::to_string(microseconds) + " us",
                  "Run it again; if it happens again, restart the machine."};
  return microseconds;
}

void Session::launch_helper(Function function, std::uint64_t items, std::vector<void*> arguments) {
  const auto blocks =
      static_cast<unsigned>(std::clamp<std::uint64_t>(items / kHelperThreads, 1, helper_blocks_));
  driver_.check(driver_.launch(function, blocks, 1, 1, kHelperThreads, 1, 1, 0, stream_,
                               arguments.data(), nullptr),
                "the kit's own kernel");
}

std::vector<Session::Hash> Session::hashes(const LaunchSpec& launch) {
  driver_.check(driver_.fill_async(sums_, 0, kMostBuffers * sizeof(Hash), stream_), "hashing");
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    Address data = address_of(launch, launch.buffers[i]);
    Address sum = sums_ + i * sizeof(Hash);
    std::uint64_t words = whole_words(request_.buffers[launch.buffers[i]].bytes) / 4;
    launch_helper(hash_, words, {&data, &words, &sum});
  }
  driver_.check(driver_.copy_out_async(sums_here_, sums_, kMostBuffers * sizeof(Hash), stream_),
                "hashing");
  wait();
  return {sums_here_, sums_here_ + launch.buffers.size()};
}

void Session::keep_outputs(const LaunchSpec& launch, std::uint32_t set) {
  std::uint64_t at = launch.outputs_at + set * launch.set_bytes;
  for (const std::uint32_t index : launch.buffers) {
    const BufferSpec& buffer = request_.buffers[index];
    if (!buffer.output) continue;
    if (buffer.bytes > 0)
      driver_.check(driver_.copy_out(shared_ + at, address_of(launch, index), buffer.bytes),
                    "copying an output back");
    at += whole_pages(buffer.bytes);
  }
}

bool Session::alive() const { return driver_.synchronize() == kSuccess; }

}  // namespace labkit::device::cuda
