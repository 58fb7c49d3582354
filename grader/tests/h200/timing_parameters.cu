// Microbenchmarks behind grader/timing/profiles/h200.toml: one physical number a line, `name value
// unit`.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o timing_parameters timing_parameters.cu &&
//   ./timing_parameters
// Its output on one NVIDIA H200 is in timing_parameters.txt, with the date.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t error_ = (call);                                           \
    if (error_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

// --- latency: one thread follows a chain of pointers
template <int Mode>  // 0: ld.ca (L1), 1: ld.cg (L2 or DRAM), 2: shared
__global__ void chase(const std::uint32_t* next, int steps, long long* cycles,
                      std::uint32_t* sink) {
  __shared__ std::uint32_t ring[1024];
  if (Mode == 2)
    for (int i = 0; i < 1024; ++i) ring[i] = (i + 33) & 1023;
  std::uint32_t at = 0;
  for (int warm = 0; warm < 2; ++warm) {
    const long long begin = clock64();
    for (int i = 0; i < steps; ++i) {
      if (Mode == 0) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(at) : "l"(next + at));
      if (Mode == 1) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(at) : "l"(next + at));
      if (Mode == 2) at = *(volatile std::uint32_t*)&ring[at];
    }
    *cycles = clock64() - begin;
  }
  *sink = at;
}

// --- shared memory and L1: cycles of an SM for one warp request of a given lane stride (words)
// Eight loads in flight a warp, each at another row of 32 words (same banks); the next eight wait
// for them, so that the compiler can neither merge nor hoist them.
__global__ void shared_loads(int stride, int repeats, long long* cycles, std::uint32_t* sink) {
  __shared__ std::uint32_t data[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) data[i] = 0;
  unsigned at = (unsigned)__cvta_generic_to_shared(data) + threadIdx.x % 32 * stride * 4;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < repeats; ++i) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      std::uint32_t v;
      asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v) : "r"(at + k * 128));
      sum += v;
    }
    at += sum;  // zero
  }
  __syncthreads();
  *cycles = clock64() - begin;
  sink[threadIdx.x] = at;
}
__global__ void l1_loads(const std::uint32_t* data, int stride, int repeats, long long* cycles,
                         std::uint32_t* sink) {
  const std::uint32_t* at = data + threadIdx.x % 32 * stride;
  for (int warm = 0; warm < 2; ++warm) {
    __syncthreads();
    const long long begin = clock64();
    for (int i = 0; i < repeats; ++i) {
      std::uint32_t sum = 0;
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        std::uint32_t v;
        asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v) : "l"(at + k * 32));
        sum += v;
      }
      at += sum;  // zero
    }
    __syncthreads();
    *cycles = clock64() - begin;
  }
  sink[threadIdx.x] = (std::uint32_t)(at - data);
}
__global__ void barriers(int repeats, long long* cycles) {
  const long long begin = clock64();
  for (int i = 0; i < repeats; ++i) __syncthreads();
  *cycles = clock64() - begin;
}

// --- L2 and DRAM. Stores: lanes in `group`s of consecutive elements; lane stride in bytes
// otherwise; region wraps.
__device__ void store(char* to, float v) {
  asm volatile("st.global.f32 [%0],%1;" ::"l"(to), "f"(v));
}
__device__ void store(char* to, float4 v) {
  asm volatile("st.global.v4.f32 [%0],{%1,%2,%3,%4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z),
               "f"(v.w));
}
template <class T>
__global__ void stores(char* region, std::size_t bytes, int group, long stride_bytes, int repeats) {
  const std::size_t warp = (blockIdx.x * (std::size_t)blockDim.x + threadIdx.x) / 32,
                    lane = threadIdx.x % 32;
  const std::size_t warps = gridDim.x * (std::size_t)blockDim.x / 32;
  // Each warp owns a slab of 32/group * stride bytes; successive repeats go to other slabs.
  const std::size_t slab = 32 / group * stride_bytes;
  for (int i = 0; i < repeats; ++i) {
    const std::size_t at = ((warp + i * warps) * slab) % bytes;
    store(region + at + lane / group * stride_bytes + lane % group * sizeof(T), T{});
  }
}
// Each lane fills `run` bytes of its own, 4 at a time, one store right after the other.
template <int Run>
__global__ void store_runs(char* region, std::size_t bytes, int repeats) {
  const std::size_t thread = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  const std::size_t threads = gridDim.x * (std::size_t)blockDim.x;
  for (int i = 0; i < repeats; ++i) {
    char* to = region + ((thread + i * threads) * Run) % bytes;
#pragma unroll
    for (int k = 0; k < Run; k += 4) store(to + k, 1.0f);
  }
}
__device__ unsigned first_word(unsigned v) { return v; }
__device__ unsigned first_word(uint4 v) { return v.x; }
template <class T>
__global__ void reads(const T* region, std::size_t count, int repeats, T* sink) {
  const std::size_t threads = gridDim.x * (std::size_t)blockDim.x;
  const std::size_t first = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  unsigned v = 0;
  for (int i = 0; i < repeats; ++i)
#pragma unroll 8
    for (std::size_t at = first; at < count; at += threads) {
      v += first_word(__ldcg(region + at));
    }
  if (v == 0x12345) *sink = T{};
}
__global__ void fill4(uint4* to, std::size_t count) {
  const std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (i < count) to[i] = make_uint4(i, i, i, i);
}
__global__ void copy4(const uint4* __restrict__ from, uint4* __restrict__ to, std::size_t count) {
  const std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
// --- blocks that come and go. `load`: one dependent load each; `barrier`: then one barrier
__global__ void turnover(const std::uint32_t* in, std::uint32_t* out, int load, int barrier) {
  std::uint32_t v = 0;
  if (load) v = in[(blockIdx.x % 64) * blockDim.x + threadIdx.x];
  if (barrier) __syncthreads();
  if (v == 77) out[threadIdx.x] = v;
}

double microseconds(const std::function<void()>& work, int times = 9) {
  std::vector<float> all;
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  for (int i = 0; i < times; ++i) {
    CHECK(cudaEventRecord(a));
    work();
    CHECK(cudaEventRecord(b));
    CHECK(cudaEventSynchronize(b));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    all.push_back(ms * 1e3f);
  }
  CHECK(cudaGetLastError());
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
void say(const char* name, double value, const char* unit) {
  std::printf("%-40s %12.4f %s\n", name, value, unit);
}

int main() {
  cudaDeviceProp prop{};
  CHECK(cudaGetDeviceProperties(&prop, 0));
  const int sms = prop.multiProcessorCount;
  std::printf(
      "# %s, %d SMs, L2 %d bytes, %zu shared bytes an SM, %d registers an SM, %d threads an SM\n",
      prop.name, sms, prop.l2CacheSize, prop.sharedMemPerMultiprocessor, prop.regsPerMultiprocessor,
      prop.maxThreadsPerMultiProcessor);
  long long* cycles;
  std::uint32_t* sink;
  char *big, *other;
  const std::size_t size = 1ull << 30;
  CHECK(cudaMallocManaged(&cycles, 8));
  CHECK(cudaMalloc(&sink, 1 << 20));
  CHECK(cudaMalloc(&big, size));
  CHECK(cudaMalloc(&other, size));
  CHECK(cudaMemset(big, 1, size));
  CHECK(cudaMemset(other, 1, size));
  auto read_cycles = [&] {
    CHECK(cudaDeviceSynchronize());
    return (double)*cycles;
  };

  // clock: cycles of a long kernel over its time
  const double barrier_us = microseconds([&] { barriers<<<sms, 1024>>>(200000, cycles); }, 3);
  say("sm_clock", read_cycles() / barrier_us / 1e3, "GHz");
  for (int threads : {32, 128, 256, 512, 1024}) {
    barriers<<<1, threads>>>(1000, cycles);
    std::printf("barrier_%d_threads %24.2f cycles\n", threads, read_cycles() / 1000);
  }
  auto chain = [&](std::size_t bytes, int stride_words) {
    const std::size_t n = bytes / 4 / stride_words;
    std::vector<std::uint32_t> order(n), next(bytes / 4, 0);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
    for (std::size_t i = 0; i < n; ++i)
      next[(std::size_t)order[i] * stride_words] = order[(i + 1) % n] * stride_words;
    CHECK(cudaMemcpy(big, next.data(), bytes, cudaMemcpyHostToDevice));
  };
  chain(16 << 10, 8);
  chase<0><<<1, 1>>>((std::uint32_t*)big, 512, cycles, sink);
  say("latency_l1", read_cycles() / 512, "cycles");
  chase<2><<<1, 1>>>((std::uint32_t*)big, 512, cycles, sink);
  say("latency_shared", read_cycles() / 512, "cycles");
  chain(8 << 20, 32);
  chase<1><<<1, 1>>>((std::uint32_t*)big, 65536, cycles, sink);
  say("latency_l2", read_cycles() / 65536, "cycles");
  chain(512 << 20, 1024);
  chase<1><<<1, 1>>>((std::uint32_t*)big, 20000, cycles, sink);
  say("latency_dram", read_cycles() / 20000, "cycles");

  CHECK(cudaMemset(big, 0, size));
  for (int stride : {0, 1, 2, 4, 8, 16, 32}) {
    shared_loads<<<1, 1024>>>(stride, 64, cycles, sink);
    std::printf("shared_load_stride_%-3d %21.3f SM cycles a warp request\n", stride,
                read_cycles() / (64 * 8 * 32));
  }
  for (int stride : {0, 1, 2, 4, 8, 9, 16, 17, 32, 33, 64, 65, 256, 257}) {
    l1_loads<<<1, 1024>>>((std::uint32_t*)big, stride, 64, cycles, sink);
    std::printf("l1_hit_stride_%-4d %25.3f SM cycles a warp request\n", stride,
                read_cycles() / (64 * 8 * 32));
  }

  // Stores that stay in L2 (16 MiB region), then to DRAM (1 GiB region).
  struct Pattern {
    const char* name;
    int bytes, group;
    long stride;
  };
  const Pattern patterns[] = {
      {"4B x32 contiguous", 4, 32, 128}, {"16B x32 contiguous", 16, 32, 512},
      {"4B x16 of 128", 4, 16, 128},     {"4B x8 of 32", 4, 8, 32},
      {"4B x8 of 64", 4, 8, 64},         {"4B x8 of 128", 4, 8, 128},
      {"4B x4 of 32", 4, 4, 32},         {"4B x4 of 128", 4, 4, 128},
      {"4B x1 of 32", 4, 1, 32},         {"4B x1 of 64", 4, 1, 64},
      {"4B x1 of 128", 4, 1, 128},       {"4B x1 of 1024", 4, 1, 1024},
      {"16B x1 of 32", 16, 1, 32},       {"16B x1 of 128", 16, 1, 128},
      {"16B x2 of 128", 16, 2, 128}};
  for (const std::size_t region : {std::size_t{16} << 20, size}) {
    for (const Pattern& p : patterns) {
      const int blocks = sms * 8, repeats = 32;
      const double us = microseconds([&] {
        if (p.bytes == 4) stores<float><<<blocks, 256>>>(big, region, p.group, p.stride, repeats);
        if (p.bytes == 16) stores<float4><<<blocks, 256>>>(big, region, p.group, p.stride, repeats);
      });
      const double requests = (double)blocks * 8 * repeats;
      const double span = p.group * p.bytes;  // bytes of one group
      const double groups = 32.0 / p.group;
      double sectors = groups * std::max(1.0, span / 32),
             lines = p.stride >= 128 ? groups * std::max(1.0, span / 128) : groups * p.stride / 128;
      std::printf(
          "store %s %-20s %9.2f us %8.2f requests/ns %8.2f sectors/ns %8.2f lines/ns %8.1f GB/s\n",
          region < size ? "L2  " : "DRAM", p.name, us, requests / us / 1e3,
          requests * sectors / us / 1e3, requests * lines / us / 1e3,
          requests * 32 * p.bytes / us / 1e3);
    }
  }
  const auto run = [&](int bytes, auto kernel) {
    const int blocks = sms * 8, repeats = 8;
    const double us =
        microseconds([&] { kernel<<<blocks, 256>>>(big, std::size_t{16} << 20, repeats); });
    const double requests = (double)blocks * 8 * repeats * (bytes / 4),
                 sectors = std::min(32.0, bytes * 1.0);
    const double lines = std::max(1.0, bytes / 4.0);
    std::printf("store_runs_%-4d %12.2f us %8.2f requests/ns %8.2f (1 + sectors) x lines/ns\n",
                bytes, us, requests / us / 1e3,
                requests * (std::min(32.0, lines) + sectors) / us / 1e3);
  };
  run(8, store_runs<8>);
  run(16, store_runs<16>);
  run(32, store_runs<32>);
  run(64, store_runs<64>);
  run(128, store_runs<128>);
  const int full = sms * 2;
  for (const std::size_t region : {std::size_t{8} << 20, std::size_t{24} << 20, size}) {
    const int repeats = region == size ? 1 : 20;
    const double us4 = microseconds(
        [&] { reads<uint4><<<full, 1024>>>((uint4*)big, region / 16, repeats, (uint4*)sink); });
    const double us1 = microseconds(
        [&] { reads<unsigned><<<full, 1024>>>((unsigned*)big, region / 4, repeats, sink); });
    std::printf("read_%zu_MiB %30.1f GB/s 16 bytes a lane %12.1f GB/s 4 bytes a lane\n",
                region >> 20, region * repeats / us4 / 1e3, region * repeats / us1 / 1e3);
  }
  const double fill_us =
      microseconds([&] { fill4<<<size / 16 / 256, 256>>>((uint4*)big, size / 16); });
  const double copy_us =
      microseconds([&] { copy4<<<size / 16 / 256, 256>>>((uint4*)big, (uint4*)other, size / 16); });
  say("dram_write_only", size / fill_us / 1e3, "GB/s");
  say("dram_copy", 2 * size / copy_us / 1e3, "GB/s");

  say("empty_launch_events",
      microseconds([&] { turnover<<<1, 32>>>((std::uint32_t*)big, sink, 0, 0); }, 101), "us");
  for (int threads : {32, 128, 256, 512, 1024})
    for (int what : {0, 1, 2}) {
      const int blocks = 132 * 2048 / threads * 64;
      const double us = microseconds(
          [&] { turnover<<<blocks, threads>>>((std::uint32_t*)big, sink, what > 0, what > 1); });
      const double turns = 64.0;
      std::printf("turnover_%d_threads_%s %10.2f us %10.4f us a turn\n", threads,
                  what == 0   ? "empty"
                  : what == 1 ? "load"
                              : "load_barrier",
                  us, us / turns);
    }
  return 0;
}
