// What a program that clang compiles finds as <cuda_runtime.h>: the interface in C, and the forms of it that C++ adds.
#pragma once
#define LABKIT_DIM3
#ifndef __CUDA__  // a file of host code alone, before which labkit_program.h is not read
#define __host__
#define __device__
#define __LABKIT_BOTH static __inline__ __attribute__((unused))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-attributes"
#include <labkit_vectors.h>
#pragma clang diagnostic pop
#endif
#include <cuda_runtime_api.h>
#ifdef __CUDA__
#include <texture_indirect_functions.h>
#endif

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                void* stream = nullptr);

template <typename T>
cudaError_t cudaMalloc(T** address, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(address), bytes);
}
template <typename T>
cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(address), bytes, stream);
}
template <typename T>
cudaError_t cudaMallocManaged(T** address, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(address), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocHost(T** address, size_t bytes, unsigned = 0) {
  return cudaMallocHost(reinterpret_cast<void**>(address), bytes);
}
template <typename T>
cudaError_t cudaHostAlloc(T** address, size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(address), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocPitch(T** address, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(address), pitch, width, height);
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                   size_t width, size_t height = 0) {
  return cudaMallocArray(array, format, width, height, cudaArrayDefault);
}
inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                     cudaExtent extent) {
  return cudaMalloc3DArray(array, format, extent, cudaArrayDefault);
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind,
                                 stream);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind,
                                   stream);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return cudaGetSymbolAddress(address, reinterpret_cast<const void*>(&symbol));
}
template <typename T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, reinterpret_cast<const void*>(&symbol));
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, nullptr);
}
inline cudaError_t cudaMemPrefetchAsync(const void* address, size_t bytes, int device) {
  return cudaMemPrefetchAsync(address, bytes, device, nullptr);
}
// Of CUDA 13, beside 12's: where memory lies makes no difference here.
inline cudaError_t cudaMemPrefetchAsync(const void* address, size_t bytes, cudaMemLocation,
                                        unsigned, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(address, bytes, 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* address, size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation) {
  return cudaMemAdvise(address, bytes, advice, 0);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event) { return cudaEventRecord(event, nullptr); }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}
template <typename Kernel>
cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                          shared_bytes, stream);
}
template <typename Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                     shared_bytes, stream);
}
template <typename... Parameters, typename... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  const auto launch = [&](Parameters... values) {
    void* pointers[] = {&values..., nullptr};
    return cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
  };
  return launch(static_cast<Arguments&&>(arguments)...);
}
template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <typename Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <typename Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads,
                                                          size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), threads, shared_bytes);
}
/// The block size with which most threads fit on an SM, and the blocks that fill the GPU with it.
template <typename Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* blocks, int* threads, Kernel* kernel,
                                               size_t shared_bytes = 0, int limit = 0) {
  int most = 0, sms = 0;
  if (const cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
      error != cudaSuccess)
    return error;
  for (int size = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; size >= 32; size -= 32) {
    int fit = 0;
    if (const cudaError_t error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, size, shared_bytes);
        error != cudaSuccess)
      return error;
    if (fit * size <= most) continue;
    most = fit * size;
    *threads = size;
    *blocks = fit * sms;
  }
  return cudaSuccess;
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                 size_t height) {
  return {pointer, pitch, width, height};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
