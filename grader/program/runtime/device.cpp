// The device itself: what there is of it is what the profile says; errors, streams and events.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "program/runtime/state.h"

namespace labkit::program {
namespace {

constexpr int kRuntimeVersion = LABKIT_CUDA * 1000;

/// CUDA 13 has no clock rates in it, and lies otherwise from there on.
struct Properties13 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  std::size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  std::size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  std::size_t totalConstMem;
  int major, minor;
  std::size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2],
      maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3],
      maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3],
      maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2],
      maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  std::size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
      localL1CacheSupported;
  std::size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
      hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
      computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
  std::size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  std::size_t reservedSharedMemPerBlock;
  int more[80];
};

template <typename Properties>
void fill(Properties* p) {
  const DeviceReply& device = State::get().device();
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "%s", device.name);
  p->totalGlobalMem = device.memory_bytes;
  p->sharedMemPerBlock = 48 * 1024;
  p->regsPerBlock = p->regsPerMultiprocessor = static_cast<int>(device.registers_per_sm);
  p->warpSize = 32;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = static_cast<int>(device.compute_major);
  p->minor = static_cast<int>(device.compute_minor);
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  // CUDA C++ Programming Guide, technical specifications of compute capability 9.0
  p->maxTexture1D = p->maxTexture2D[0] = 131072;
  p->maxTexture2D[1] = 65536;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
  p->multiProcessorCount = static_cast<int>(device.sm_count);
  p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->ECCEnabled = 1;
  p->canUseHostPointerForRegisteredMem = 1;  // an H200, CUDA 13.0
  p->asyncEngineCount = 3;
  p->memoryBusWidth = 5120;
  p->l2CacheSize = static_cast<int>(device.l2_bytes);
  p->maxThreadsPerMultiProcessor = static_cast<int>(device.max_threads_per_sm);
  p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = device.shared_bytes_per_sm;
  p->managedMemory = p->concurrentManagedAccess = p->computePreemptionSupported = 1;
  p->cooperativeLaunch = 1;
  p->sharedMemPerBlockOptin = device.shared_bytes_per_block_max;
  p->maxBlocksPerMultiProcessor = static_cast<int>(device.max_blocks_per_sm);
  p->reservedSharedMemPerBlock = 1024;
  if constexpr (requires { p->clockRate; }) {
    p->clockRate = static_cast<int>(device.sm_clock_hz / 1000);
    // two transfers a clock
    p->memoryClockRate =
        static_cast<int>(device.dram_bytes_per_second / (p->memoryBusWidth / 8) / 2 / 1000);
    p->deviceOverlap = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
  }
}

}  // namespace
}  // namespace labkit::program

using namespace labkit::program;

#define CALL(name, waits) State::get().call(#name, Waits::waits, [&]() -> cudaError_t
struct CUstream_st {
  unsigned flags = 0;
};
struct CUevent_st {
  bool is_recorded = false, has_time = true;
  double seconds = 0;
};

namespace {
bool is_device(int device) { return device == 0; }
cudaError_t make_stream(cudaStream_t* stream, unsigned flags) {
  if (stream == nullptr) return cudaErrorInvalidValue;
  *stream = new CUstream_st{flags};
  State::get().made(*stream);
  return cudaSuccess;
}
cudaError_t make_event(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr) return cudaErrorInvalidValue;
  *event = new CUevent_st{.has_time = (flags & cudaEventDisableTiming) == 0};
  State::get().made(*event);
  return cudaSuccess;
}
/// As far as all of them are there.
template <typename... Handles>
cudaError_t check(const char* name, Handles... handles) {
  cudaError_t error = cudaSuccess;
  (void)((error = State::get().check(handles, name), error == cudaSuccess) && ...);
  return error;
}
/// It is kept, so that no other has its address.
template <typename Handle>
cudaError_t destroy(const char* name, Handle handle) {
  if (handle == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = check(name, handle);
  if (error == cudaSuccess) State::get().destroyed(handle);
  return error;
}
}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  *count = State::get().channel.is_connected() ? 1 : 0;
  return *count == 1 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int* device) {
  return CALL(cudaGetDevice, no) {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int device) {
  return CALL(cudaSetDevice, no) {
    return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return CALL(cudaGetDeviceProperties, no) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    fill(properties);
    return cudaSuccess;
  });
}
#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(void* properties, int device) {
  return CALL(cudaGetDeviceProperties, no) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    Properties13 p;
    fill(&p);
    constexpr std::size_t kBytesOfCuda13 = 1008;
    std::memcpy(properties, &p, std::min(sizeof p, kBytesOfCuda13));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return CALL(cudaDeviceGetAttribute, no) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    cudaDeviceProp p;
    fill(&p);
    switch (attribute) {
#define CUDA_ATTRIBUTE(name, number, is) \
  case name:                             \
    *value = static_cast<int>(is);       \
    return cudaSuccess;
#include "program/include/cuda_attributes.def"
#undef CUDA_ATTRIBUTE
    }
    *value = 0;  // limits of links, of which there are none, and of some textures
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize() {
  return CALL(cudaDeviceSynchronize, yes) { return cudaSuccess; });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset() {
  State::get().caller = __builtin_return_address(0);
  return State::get().reset();
}
/// How deep calls go and how much is printed has limits of the simulator's own.
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (limit != cudaLimitMallocHeapSize) return cudaSuccess;
  return CALL(cudaDeviceSetLimit, no) {
    State& state = State::get();
    const Answer answer = state.channel.ask(Op::heap, {bytes_of(HeapRequest{value})});
    if (answer.error == cudaSuccess) state.heap_bytes = value;
    return static_cast<cudaError_t>(answer.error);
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  *value = limit == cudaLimitStackSize        ? 1024
           : limit == cudaLimitPrintfFifoSize ? 1 << 20
                                              : State::get().heap_bytes;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
  std::snprintf(id, static_cast<std::size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kRuntimeVersion;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaGetLastError() { return State::get().last_error(true); }
cudaError_t cudaPeekAtLastError() { return State::get().last_error(false); }
const char* cudaGetErrorName(cudaError_t error) {
  State::get().looks_at_error();
  switch (error) {
#define CUDA_ERROR(name, number, text) \
  case name:                           \
    return #name;
#include "program/include/cuda_errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  State::get().looks_at_error();
  switch (error) {
#define CUDA_ERROR(name, number, text) \
  case name:                           \
    return text;
#include "program/include/cuda_errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

// All streams are one: what is given to the device is done before the call is over, in the order of the calls.
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return CALL(cudaStreamCreate, no) { return make_stream(stream, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return CALL(cudaStreamCreateWithFlags, no) { return make_stream(stream, flags); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return CALL(cudaStreamCreateWithPriority, no) { return make_stream(stream, flags); });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return CALL(cudaStreamDestroy, no) { return destroy("cudaStreamDestroy", stream); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return CALL(cudaStreamSynchronize, yes) { return check("cudaStreamSynchronize", stream); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return CALL(cudaStreamQuery, yes) { return check("cudaStreamQuery", stream); });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return CALL(cudaStreamWaitEvent, no) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    State::get().forget_order();
    return check("cudaStreamWaitEvent", stream, event);
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void* data,
                                  unsigned) {
  State::get().open_guarded();  // it comes after the kernels of its stream
  call(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t call, void* data) {
  State::get().open_guarded();
  call(data);
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return CALL(cudaEventCreate, no) { return make_event(event, 0); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return CALL(cudaEventCreateWithFlags, no) { return make_event(event, flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return CALL(cudaEventDestroy, no) { return destroy("cudaEventDestroy", event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return CALL(cudaEventRecord, no) {
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    if (const auto error = check("cudaEventRecord", stream, event); error != cudaSuccess)
      return error;
    event->is_recorded = true;
    event->seconds = State::get().now_seconds;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return CALL(cudaEventSynchronize, yes) {
    return event == nullptr ? cudaErrorInvalidResourceHandle : check("cudaEventSynchronize", event);
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return CALL(cudaEventQuery, yes) {
    return event == nullptr ? cudaErrorInvalidResourceHandle : check("cudaEventQuery", event);
  });
}
/// Predicted. An event's clock ticks each half microsecond (CUDA runtime interface, cudaEventElapsedTime).
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return CALL(cudaEventElapsedTime, no) {
    constexpr double kLeast = 0.5e-3;
    if (begin != nullptr && end != nullptr)
      if (const auto error = check("cudaEventElapsedTime", begin, end); error != cudaSuccess)
        return error;
    if (begin == nullptr || end == nullptr || milliseconds == nullptr || !begin->is_recorded ||
        !end->is_recorded || !begin->has_time || !end->has_time)
      return cudaErrorInvalidResourceHandle;
    const double passed = 1e3 * (end->seconds - begin->seconds);
    *milliseconds = static_cast<float>(passed < 0 ? passed : passed < kLeast ? kLeast : passed);
    return cudaSuccess;
  });
}
cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, begin, end);
}

}  // extern "C"
