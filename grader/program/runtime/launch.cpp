// Kernels: what a program registers before main(), and how it launches them.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "program/runtime/state.h"

namespace labkit::program {
namespace {

/// What __cudaRegisterFatBinary() is given.
struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* data;
  const void* more;
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1, kFatMagic = 0xba55ed50;
/// A fat binary begins so.
struct FatHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  ///< that follow
};

/// All of what lies there: fat binaries one behind the other, or PTX as text.
Bytes blob_at(const std::byte* data) {
  std::size_t size = 0;
  for (FatHeader header;
       std::memcpy(&header, data + size, sizeof header), header.magic == kFatMagic;) {
    size += header.header_bytes + header.bytes;
    if (header.bytes != 0) break;  // nvcc puts an empty one before
  }
  return {data, size != 0 ? size : std::strlen(reinterpret_cast<const char*>(data))};
}

}  // namespace

Kernel* State::kernel(const void* function, cudaError_t* error) {
  *error = cudaErrorInvalidDeviceFunction;
  const auto at = kernels.find(function);
  if (at == kernels.end()) return nullptr;
  Kernel& kernel = at->second;
  if (!kernel.facts) {
    const Answer answer =
        channel.ask(Op::kernel, {bytes_of(KernelRequest{kernel.module}), bytes_of(kernel.name)});
    *error = static_cast<cudaError_t>(answer.error);
    if (answer.error != kSuccess) return nullptr;
    kernel.facts = answer.get<KernelReply>();
    for (std::uint32_t i = 0; i < kernel.facts->parameters; ++i)
      kernel.parameters.push_back(
          answer.get<ParameterPlace>(sizeof(KernelReply) + i * sizeof(ParameterPlace)));
  }
  *error = cudaSuccess;
  return &kernel;
}

cudaError_t State::launch(const void* function, const CallConfiguration& how, void** arguments,
                          bool cooperative) {
  cudaError_t error = cudaSuccess;
  const Kernel* kernel = this->kernel(function, &error);
  if (kernel == nullptr) return error;
  if (error = check(how.stream, "cudaLaunchKernel"); error != cudaSuccess) return error;
  std::vector<std::byte> block;
  for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
    const ParameterPlace place = kernel->parameters[i];
    block.resize(std::max<std::size_t>(block.size(), place.offset + place.bytes));
    std::memcpy(block.data() + place.offset, arguments[i], place.bytes);
  }
  // A GPU uses registered memory where the host has it; here it has another address in device memory.
  void* pointer = nullptr;
  for (std::size_t at = 0; at + sizeof pointer <= block.size(); at += sizeof pointer) {
    std::memcpy(&pointer, block.data() + at, sizeof pointer);
    if (void* const there = device_pointer(pointer); there != nullptr)
      std::memcpy(block.data() + at, &there, sizeof there);
  }
  std::vector<Stretch> uploads;
  std::vector<std::uint64_t> uploaded_by;
  if (!is_default(how.stream))
    for (const Unordered& one : unordered_)
      if (one.uploaded_by != 0 && one.stream != how.stream) {
        uploads.push_back(one.stretch);
        uploaded_by.push_back(one.uploaded_by);
      }
  const LaunchRequest request{.caller = place_in_program(caller),
                              .module = kernel->module,
                              .grid = {how.grid.x, how.grid.y, how.grid.z},
                              .block = {how.block.x, how.block.y, how.block.z},
                              .cooperative = cooperative ? 1u : 0u,
                              .dynamic_shared_bytes = how.shared_bytes,
                              .most_dynamic_shared_bytes = kernel->most_dynamic_shared,
                              .name_bytes = static_cast<std::uint32_t>(kernel->name.size()),
                              .parameter_bytes = static_cast<std::uint32_t>(block.size()),
                              .uploads = uploads.size()};
  std::fflush(stdout);  // what the program has printed comes before what the kernel prints
  const Answer answer = channel.ask(Op::launch, {bytes_of(request), bytes_of(kernel->name), block,
                                                 std::as_bytes(std::span(uploads))});
  // CUDA 13 says so of each launch that cannot be (H100, CUDA 13.0)
  if (answer.error == kInvalidConfiguration && LABKIT_CUDA >= 13) return cudaErrorInvalidValue;
  if (answer.error != kSuccess) return static_cast<cudaError_t>(answer.error);
  const auto reply = answer.get<LaunchReply>();
  std::size_t at = sizeof reply;
  for (std::uint64_t i = 0; i < reply.stretches; ++i, at += sizeof(Stretch))
    has_changed(answer.get<Stretch>(at), how.stream, reply.is_with_host != 0);
  if (reply.upload < uploads.size())
    incident(IncidentKind::unordered_upload, "cudaMemcpyAsync", uploaded_by[reply.upload],
             uploads[reply.upload].address);
  if (reply.printed_bytes != 0)
    std::fwrite(answer.bytes.data() + at, 1, reply.printed_bytes, stdout);
  now_seconds += reply.seconds;
  if (fault_ == cudaSuccess) fault_ = static_cast<cudaError_t>(reply.fault);
  return cudaSuccess;
}

}  // namespace labkit::program

using namespace labkit::program;

extern "C" {

void** __cudaRegisterFatBinary(void* data) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  const auto* wrapper = static_cast<const Wrapper*>(data);
  std::uint32_t module = 0;
  if (state.channel.is_connected() && wrapper->magic == kWrapperMagic)
    module = state.channel.ask(Op::module, {blob_at(wrapper->data)}).get<ModuleReply>().module;
  return reinterpret_cast<void**>(new std::uint32_t(module));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** handle, const char* function, char*, const char* name, int,
                            void*, void*, void*, void*, int*) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.kernels[function] = {.module = *reinterpret_cast<std::uint32_t*>(handle), .name = name};
}
void __cudaRegisterVar(void** handle, char* variable, char*, const char* name, int, std::size_t,
                       int, int) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.variables[variable] = {.module = *reinterpret_cast<std::uint32_t*>(handle), .name = name};
}
void __cudaRegisterManagedVar(void** handle, void** variable, char*, const char* name, int,
                              std::size_t, int, int) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.variables[variable] = {
      .module = *reinterpret_cast<std::uint32_t*>(handle), .name = name, .is_managed = true};
  Piece piece;
  if (state.channel.is_connected() && state.variable(variable, &piece) == cudaSuccess)
    *variable = piece.window;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     cudaStream_t stream) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  state.calls.push_back({grid, block, shared_bytes, stream, __builtin_return_address(0)});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                       void* stream) {
  State& state = State::get();
  const std::lock_guard lock(state.mutex);
  if (state.calls.empty()) return cudaErrorMissingConfiguration;
  const CallConfiguration call = state.calls.back();
  state.calls.pop_back();
  state.launch_caller = call.caller;
  *grid = call.grid;
  *block = call.block;
  *shared_bytes = call.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = call.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  State& state = State::get();
  return state.call("cudaLaunchKernel", Waits::no, [&] {
    if (state.launch_caller != nullptr) state.caller = std::exchange(state.launch_caller, nullptr);
    return state.launch(function, {grid, block, shared_bytes, stream}, arguments, false);
  });
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes,
                                        cudaStream_t stream) {
  State& state = State::get();
  return state.call("cudaLaunchCooperativeKernel", Waits::no, [&] {
    return state.launch(function, {grid, block, shared_bytes, stream}, arguments, true);
  });
}
/// CUDA 13: a handle of its own for a kernel, which here is its address.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                          shared_bytes, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  State& state = State::get();
  bool cooperative = false;
  for (unsigned int i = 0; config != nullptr && i < config->numAttrs; ++i) {
    const auto& [id, pad, value] = config->attrs[i];
    if (id == cudaLaunchAttributeCooperative) cooperative = value.cooperative != 0;
    const auto& cluster = value.clusterDim;
    if (id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z != 1)
      return state.unsupported("cudaLaunchAttributeClusterDimension");
  }
  return state.call("cudaLaunchKernelExC", Waits::no, [&] {
    if (config == nullptr) return cudaErrorInvalidValue;
    return state.launch(
        function, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
        arguments, cooperative);
  });
}
cudaError_t cudaGetFuncBySymbol(void** function, const void* symbol) {
  *function = const_cast<void*>(symbol);
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  State& state = State::get();
  return state.call("cudaFuncGetAttributes", Waits::no, [&] {
    cudaError_t error = cudaSuccess;
    const Kernel* kernel = state.kernel(function, &error);
    if (kernel == nullptr || attributes == nullptr)
      return error != cudaSuccess ? error : cudaErrorInvalidValue;
    const DeviceReply& device = state.device();
    const int arch = static_cast<int>(10 * device.compute_major + device.compute_minor);
    *attributes = {};
    attributes->sharedSizeBytes = kernel->facts->static_shared_bytes;
    attributes->constSizeBytes = kernel->facts->constant_bytes;
    attributes->localSizeBytes = kernel->facts->local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->facts->max_threads);
    attributes->numRegs = static_cast<int>(kernel->facts->registers);
    attributes->binaryVersion = arch;
    attributes->ptxVersion = static_cast<int>(kernel->facts->ptx_arch);
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->most_dynamic_shared);
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  State& state = State::get();
  return state.call("cudaFuncSetAttribute", Waits::no, [&] {
    cudaError_t error = cudaSuccess;
    Kernel* kernel = state.kernel(function, &error);
    if (kernel == nullptr) return error;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 ||
        value + kernel->facts->static_shared_bytes > state.device().shared_bytes_per_block_max)
      return cudaErrorInvalidValue;
    kernel->most_dynamic_shared = static_cast<std::uint64_t>(value);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) { return cudaSuccess; }

/// Registers come in units of 256 of a warp (CUDA occupancy calculator, 9.0).
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t shared_bytes, unsigned) {
  State& state = State::get();
  return state.call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", Waits::no, [&] {
    cudaError_t error = cudaSuccess;
    const Kernel* kernel = state.kernel(function, &error);
    if (kernel == nullptr) return error;
    if (blocks == nullptr || threads <= 0) return cudaErrorInvalidValue;
    const DeviceReply& device = state.device();
    const auto warps = static_cast<std::uint64_t>((threads + 31) / 32);
    constexpr std::uint64_t kReserved = 1024;
    const std::uint64_t registers = warps * ((kernel->facts->registers * 32 + 255) / 256 * 256),
                        shared = kernel->facts->static_shared_bytes + shared_bytes + kReserved;
    *blocks = static_cast<int>(
        std::min({std::uint64_t{device.max_blocks_per_sm}, device.max_threads_per_sm / (32 * warps),
                  device.registers_per_sm / std::max<std::uint64_t>(1, registers),
                  device.shared_bytes_per_sm / shared}));
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                shared_bytes, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void*, int blocks,
                                                      int) {
  State& state = State::get();
  return state.call("cudaOccupancyAvailableDynamicSMemPerBlock", Waits::no, [&] {
    if (bytes == nullptr || blocks <= 0) return cudaErrorInvalidValue;
    *bytes =
        std::min(state.device().shared_bytes_per_block_max,
                 state.device().shared_bytes_per_sm / static_cast<std::uint64_t>(blocks) - 1024);
    return cudaSuccess;
  });
}

}  // extern "C"
