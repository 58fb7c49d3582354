#include "device/worker/gpu.h"

#include <algorithm>

#include "device/cuda_protocol.h"
#include "device/worker/helpers_ptx.h"

namespace labkit::device::cuda {
namespace {

constexpr unsigned kHelperThreads = 256, kHelperBlocksAnSm = 8;
constexpr std::size_t kPrintfBytes = 1u << 20;

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

std::uint64_t flush_bytes(std::uint64_t l2_bytes) {
  return std::max(kFlushFactor * l2_bytes, kLeastFlushBytes);
}

}  // namespace

std::uint64_t own_bytes(std::uint64_t l2_bytes) { return flush_bytes(l2_bytes) + kContextBytes; }

Gpu::Gpu(const Driver& driver, DeviceId device) : driver_(driver), device_(device) {
  Context context = nullptr;
  driver_.check(driver_.retain_context(&context, device), "the GPU cannot be used");
  driver_.check(driver_.set_context(context), "cuCtxSetCurrent");
  // Only so much is kept; a driver that does not want the limit keeps its own, which is as large.
  driver_.set_limit(kLimitPrintfBytes, kPrintfBytes);
  driver_.check(driver_.create_stream(&stream_, 1 /* CU_STREAM_NON_BLOCKING */), "cuStreamCreate");
  driver_.check(driver_.create_event(&begin_, 0), "cuEventCreate");
  driver_.check(driver_.create_event(&end_, 0), "cuEventCreate");
  helper_blocks_ =
      kHelperBlocksAnSm * std::max(1u, driver_.attribute(Attribute::multiprocessors, device));
  driver_.check(driver_.load_module(&helpers_, kHelpersPtx, 0, nullptr, nullptr),
                "the kit's own kernels cannot be loaded");
  driver_.check(driver_.get_function(&flush_, helpers_, "labkit_flush"), "labkit_flush");
  driver_.check(driver_.get_function(&hash_, helpers_, "labkit_hash"), "labkit_hash");
  flush_bytes_ = flush_bytes(driver_.attribute(Attribute::l2_bytes, device));
  require_memory(flush_bytes_);
  flush_buffer_ = allocate(flush_bytes_, "sweeping L2");
  sums_ = allocate(kMostBuffers * sizeof(Hash), "hashes");
  sink_ = allocate(sizeof(Hash), "hashes");
  driver_.check(
      driver_.allocate_host(reinterpret_cast<void**>(&sums_here_), kMostBuffers * sizeof(Hash)),
      "pinned memory");
  driver_.check(driver_.fill_async(flush_buffer_, 0, flush_bytes_, stream_), "cuMemsetD8Async");
}

// What the context holds goes with it.
Gpu::~Gpu() { driver_.release_context(device_); }

void Gpu::require_memory(std::uint64_t bytes) const {
  std::size_t free = 0, total = 0;
  driver_.check(driver_.memory_info(&free, &total), "cuMemGetInfo");
  if (bytes > free / kMemoryShare)
    throw Trouble{"this needs " + mebibytes(bytes) + " of the GPU's memory, but of the " +
                      mebibytes(free) + " that are free (of " + mebibytes(total) +
                      ") only half may be taken",
                  "Use smaller inputs, or free memory on the GPU (nvidia-smi shows who has it).",
                  error_id::kGpuOutOfMemory};
}

Address Gpu::allocate(std::uint64_t bytes, const char* purpose) {
  Address address = 0;
  driver_.check(
      driver_.allocate(&address, std::max<std::uint64_t>(bytes, 1)),
      "there is no memory on the GPU for " + std::string(purpose) + " (" + mebibytes(bytes) + ")");
  return address;
}

void Gpu::wait() {
  // Not by asking the stream again and again: only this call brings what the kernel printed, and
  // makes room for more. The watchdog bounds it.
  if (const Result result = driver_.synchronize(); result != kSuccess)
    throw LaunchFailure{result, false, {}};
}

void Gpu::sweep_l2() {
  // Lines that an earlier launch asked to persist would outlive the sweep. GPUs before 8.0 have none
  // and say so.
  if (driver_.reset_persisting_l2 != nullptr) driver_.reset_persisting_l2();
  std::uint64_t words = flush_bytes_ / 16;
  launch_helper(flush_, words, {&flush_buffer_, &words, &sink_});
}

double Gpu::time_us(const std::function<void()>& launch) {
  sweep_l2();
  driver_.check(driver_.record_event(begin_, stream_), "cuEventRecord");
  launch();
  // From here on, whatever fails may be the launch's fault.
  if (const Result result = driver_.record_event(end_, stream_); result != kSuccess)
    throw LaunchFailure{result, false, {}};
  wait();
  float milliseconds = 0;
  driver_.check(driver_.elapsed(&milliseconds, begin_, end_), "cuEventElapsedTime");
  return 1e3 * static_cast<double>(milliseconds);
}

void Gpu::launch_helper(Function function, std::uint64_t items, std::vector<void*> arguments) {
  const auto blocks =
      static_cast<unsigned>(std::clamp<std::uint64_t>(items / kHelperThreads, 1, helper_blocks_));
  driver_.check(driver_.launch(function, blocks, 1, 1, kHelperThreads, 1, 1, 0, stream_,
                               arguments.data(), nullptr),
                "the kit's own kernel");
}

std::vector<Gpu::Hash> Gpu::hashes(const std::vector<std::pair<Address, std::uint64_t>>& words) {
  driver_.check(driver_.fill_async(sums_, 0, kMostBuffers * sizeof(Hash), stream_), "hashing");
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto [data, count] = words[i];
    Address sum = sums_ + i * sizeof(Hash);
    launch_helper(hash_, count, {&data, &count, &sum});
  }
  driver_.check(driver_.copy_out_async(sums_here_, sums_, kMostBuffers * sizeof(Hash), stream_),
                "hashing");
  wait();
  return {sums_here_, sums_here_ + words.size()};
}

}  // namespace labkit::device::cuda
