// What the warps and blocks of one SM cost each other: conflicts and who makes them, barriers, what hits L1 and what hits
// data under way; what a launch costs behind another one. One CSV row a measurement: name,parameters,value,unit.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o timing_warps timing_warps.cu && ./timing_warps > timing_warps.csv
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
using Word = unsigned;
using Clock = long long;
#define OK(x)                                                      \
  do {                                                             \
    cudaError_t e = (x);                                           \
    if (e != cudaSuccess) {                                        \
      std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); \
      std::exit(1);                                                \
    }                                                              \
  } while (0)

__device__ Word lds(Word at) {
  Word v;
  asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v) : "r"(at));
  return v;
}
__device__ void sts(Word at, Word v) { asm volatile("st.shared.u32 [%0],%1;" ::"r"(at), "r"(v)); }
__device__ Word ldg(const Word* at) {
  Word v;
  asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v) : "l"(at));
  return v;
}

// ---- the warps of `mask` each make requests of `ways` passes to shared memory, `Flying` before they wait
template <int Flying, bool Store>
__global__ void passes(unsigned mask, int ways, int repeats, Clock* spent, Word* sink) {
  __shared__ Word data[2048 + 256];
  for (int i = threadIdx.x; i < 2048 + 256; i += blockDim.x) data[i] = 0;
  Word at = (Word)__cvta_generic_to_shared(data) + threadIdx.x % 32 * ways * 4;
  __syncthreads();
  if (mask >> threadIdx.x / 32 & 1) {
    const Clock begin = clock64();
    for (int i = 0; i < repeats; ++i) {
      Word sum = 0;
#pragma unroll
      for (int k = 0; k < Flying; ++k) {
        if (Store)
          sts(at + k * 128, sum);
        else
          sum += lds(at + k * 128);
      }
      at += sum;  // zero
    }
    spent[threadIdx.x / 32] = clock64() - begin;
  }
  sink[threadIdx.x] = at;
}

// How many accesses with conflicts a warp can issue before it is held up: cycles from the first to after each.
template <bool Store>
__global__ void ahead(unsigned mask, Clock* spent, Word* sink) {
  __shared__ Word data[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) data[i] = 0;
  const Word at = (Word)__cvta_generic_to_shared(data) + threadIdx.x % 32 * 32 * 4;
  Word sum = 0;
  __syncthreads();
  if (mask >> threadIdx.x / 32 & 1) {
    Word clocks[17], got[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      asm volatile("mov.u32 %0, %%clock;" : "=r"(clocks[k]));
      if (Store)
        sts(at + k * 4, k);
      else
        got[k] = lds(at + k * 4);
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clocks[16]));
    if (threadIdx.x % 32 == 0 && threadIdx.x / 32 == 31 - __clz(mask))
      for (int k = 0; k < 16; ++k) spent[k] = clocks[k + 1] - clocks[0];
    if (!Store)
      for (int k = 0; k < 16; ++k) sum += got[k];
  }
  sink[threadIdx.x] = sum;
}

// ---- rounds between barriers. 0: nothing, 1: store, 2: load and store, 3: two loads, sum, store. ptxas makes predicates of
// the condition: all warps issue the accesses
template <int Kind>
__global__ void rounds(int ways, unsigned mask, int repeats, Word* sink) {
  __shared__ Word part[2048 + 64];
  for (int i = threadIdx.x; i < 2048 + 64; i += blockDim.x) part[i] = 0;
  const Word at = (Word)__cvta_generic_to_shared(part) + threadIdx.x % 32 * ways * 4;
  const bool active = mask >> threadIdx.x / 32 & 1;
  __syncthreads();
#pragma unroll 8
  for (int i = 0; i < repeats; ++i) {
    if (active) {
      if (Kind == 1) sts(at, threadIdx.x);
      if (Kind == 2) sts(at, lds(at) + 1);
      if (Kind == 3) sts(at, lds(at) + lds(at + 128));
    }
    __syncthreads();
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x];
}

// ---- whole reductions of what is in shared memory, `repeats` times
template <int Kind>
__global__ void reductions(float* out, int repeats) {
  __shared__ float part[256];
  float value = threadIdx.x;
  for (int i = 0; i < repeats; ++i) {
    part[threadIdx.x] = value;
    __syncthreads();
    if (Kind == 0)
      for (int s = 128; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
      }
    if (Kind == 1)
      for (int s = 1; s < 256; s *= 2) {
        const int at = 2 * s * threadIdx.x;
        if (at < 256) part[at] += part[at + s];
        __syncthreads();
      }
    if (Kind == 2)
      for (int s = 1; s < 256; s *= 2) {
        if (threadIdx.x % (2 * s) == 0) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
      }
    value = part[0];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

// ---- L1: the warps of `mask` load lines that it holds, `Flying` before they wait; lanes from word `first` on
template <int Flying>
__global__ void hits(const Word* data, unsigned mask, int first, int repeats, Clock* spent,
                     Word* sink) {
  const Word* at = data + threadIdx.x / 32 * 1024 + threadIdx.x % 32 + first;
  for (int warm = 0; warm < 2; ++warm) {
    __syncthreads();
    if (mask >> threadIdx.x / 32 & 1) {
      const Clock begin = clock64();
      for (int i = 0; i < repeats; ++i) {
        Word sum = 0;
#pragma unroll
        for (int k = 0; k < Flying; ++k) sum += ldg(at + k * 32);
        at += sum;  // zero
      }
      spent[threadIdx.x / 32] = clock64() - begin;
    }
  }
  sink[threadIdx.x] = (Word)(at - data);
}
// Every warp loads eight lines a turn, at the next turn the next eight. `shared_by`: the warps of a block that load the same
// ones (of 8), `blocks_too`: in all blocks of the SM. `Held`: as many again that L1 holds. L2 holds everything.
template <bool Held>
__global__ void under_way(const Word* data, int shared_by, int blocks_too, int turns, Word* sink) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, mask = (1u << 22) - 1;
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  const unsigned stream = warp / shared_by + (blocks_too ? 0 : blockIdx.x / 132 * 8);
  unsigned at = (sm * 976 + stream * 8 * turns) * 32;
  const Word* held = data + (1u << 22) + lane;
  for (int i = 0; i < turns; ++i) {
    Word now = 0;
    const Word* lines = data + (at & mask) + lane;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      now += ldg(lines + k * 32);
      if (Held) now += ldg(held + k * 32);
    }
    at += 8 * 32 + now;  // zero
    held += now;
  }
  sink[blockIdx.x * blockDim.x + threadIdx.x] = at;
}
// A hit, one after another, while `others` warps wait for DRAM.
__global__ void hit_beside(const Word* data, const Word* far, int others, int repeats, Clock* spent,
                           Word* sink) {
  Word at = 0;
  if (threadIdx.x < 32) {
    for (int warm = 0; warm < 2; ++warm) {
      const Clock begin = clock64();
      for (int i = 0; i < repeats; ++i) at += ldg(data + at + threadIdx.x);
      *spent = clock64() - begin;
    }
  } else if (threadIdx.x / 32 <= others) {
    for (int i = 0; i < repeats / 16; ++i)
      at += ldg(far + at +
                ((threadIdx.x / 32 * repeats + i) * 4099ull * 32 + threadIdx.x % 32) % (1u << 27));
  }
  sink[threadIdx.x] = at;
}

// ---- launches
__global__ void sweep(const uint4* in, std::size_t n, Word* sink) {
  Word x = 0;
  for (std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * (std::size_t)blockDim.x) {
    const uint4 v = in[i];
    x ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (x == 305419896) *sink = x;
}
__global__ void empty(const Word*, Word*, Word) {}
__global__ void looks(const Word*, Word* out, Word n) {  // at an argument, and stores nothing
  if (threadIdx.x > n) *out = 1;
}
__global__ void load(const Word* in, Word* out, Word) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 77) *out = 1;
}
__global__ void fill(const Word*, Word* out, Word) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void copy(const Word* in, Word* out, Word) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
}
__global__ void load4(const Word* in, Word* out, Word) {
  const uint4 v = ((const uint4*)in)[blockIdx.x * blockDim.x + threadIdx.x];
  if ((v.x ^ v.y ^ v.z ^ v.w) == 77) *out = 1;
}
__global__ void fill4(const Word*, Word* out, Word n) {
  ((uint4*)out)[blockIdx.x * blockDim.x + threadIdx.x] = make_uint4(n, n, n, n);
}
__global__ void copy4(const Word* in, Word* out, Word) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ((uint4*)out)[i] = ((const uint4*)in)[i];
}
__global__ void long_text(const Word*, Word* out, Word n) {  // 8 KB of instructions, each once
  float v = (float)n;
#pragma unroll
  for (int i = 0; i < 512; ++i) v = v * 1.0001f + (float)i;
  if (v == 1.5f) *out = 1;
}

// ---- loads that others make too: Rows of one column, Neighbours of a row, Lanes of the same line
template <int Kind, int Loads>
__global__ void several(const float* in, float* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= cols - Loads || r >= rows - Loads) return;
  float sum = 0;
#pragma unroll
  for (int d = 0; d < Loads; ++d)
    sum += Kind == 0   ? in[(r + d) * cols + c]
           : Kind == 1 ? in[r * cols + c + d]
                       : in[r * cols + (c ^ d)];
  out[r * cols + c] = sum;
}

Clock* spent;
Word *a, *b, *dirt, *sink;
cudaStream_t stream;
constexpr std::size_t kDirt = 180u << 20;

/// What comes before each launch: nothing; a kernel that reads so much that L2 holds nothing else (as labkit times); a memset
/// of as much. Queued: all launches go out before the first is waited for.
enum class Before { nothing, reads, memset, reads_queued, memset_queued };
constexpr const char* kBefore[] = {"alone", "behind reads", "behind a memset",
                                   "behind reads; queued", "behind a memset; queued"};
/// The median.
template <typename F>
double us(F&& f, int runs, Before before) {
  static std::vector<cudaEvent_t> events(100);
  if (!events[0])
    for (cudaEvent_t& event : events) OK(cudaEventCreate(&event));
  const bool queued = before == Before::reads_queued || before == Before::memset_queued;
  for (int i = 0; i < runs; ++i) {
    if (before == Before::reads || before == Before::reads_queued)
      sweep<<<132 * 8, 256, 0, stream>>>((const uint4*)dirt, kDirt / 16, sink);
    if (before == Before::memset || before == Before::memset_queued)
      OK(cudaMemsetAsync(dirt, 0, kDirt, stream));
    OK(cudaEventRecord(events[2 * i], stream));
    f();
    OK(cudaEventRecord(events[2 * i + 1], stream));
    if (!queued) OK(cudaStreamSynchronize(stream));
  }
  OK(cudaStreamSynchronize(stream));
  std::vector<float> all(runs);
  for (int i = 0; i < runs; ++i)
    OK(cudaEventElapsedTime(&all[i], events[2 * i], events[2 * i + 1]));
  std::sort(all.begin(), all.end());
  return all[runs / 2] * 1000.0;
}
/// Of the warps of `mask`, the longest.
double longest(unsigned mask) {
  Clock each[16];
  OK(cudaMemcpy(each, spent, sizeof each, cudaMemcpyDeviceToHost));
  Clock most = 0;
  for (int w = 0; w < 16; ++w)
    if (mask >> w & 1) most = std::max(most, each[w]);
  return (double)most;
}
template <bool Store>
void all_ahead() {
  for (unsigned mask : {0x1u, 0x3u, 0x11u, 0x1111u, 0xfu, 0xffffu}) {
    for (int warm = 0; warm < 2; ++warm) ahead<Store><<<1, 512>>>(mask, spent, sink);
    Clock each[16];
    OK(cudaMemcpy(each, spent, sizeof each, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 16; ++k)
      std::printf(
          "%s_issued,mask %x; %d of 32 ways,%lld,cycles since the first; of the last warp\n",
          Store ? "shared_stores" : "shared_loads", mask, k + 1, each[k]);
  }
}
double empty_us = 0;
/// Cycles of an SM for each of `count` things done by each of its blocks, the launch taken off.
double cycles(double us, double count) { return (us - empty_us) * 1980 / count; }

template <int Kind>
void all_rounds(int threads, int each, int ways, unsigned mask) {
  constexpr int kRepeats = 800;
  const double t =
      us([&] { rounds<Kind><<<132 * each, threads, 0, stream>>>(ways, mask, kRepeats, a); }, 3,
         Before::nothing);
  const char* names[] = {"barrier", "store_barrier", "load_store_barrier",
                         "load_load_store_barrier"};
  std::printf(
      "%s,%d threads mask %x ways %d %d blocks/SM,%.2f,cycles an SM for a round of each block\n",
      names[Kind], threads, mask, ways, each, cycles(t, kRepeats));
}
template <int Flying, bool Store>
void all_passes() {
  for (unsigned mask : {0x1u, 0x3u, 0x5u, 0x11u, 0xfu, 0x1111u, 0xffffu})
    for (int ways : {1, 2, 4, 8, 32}) {
      for (int warm = 0; warm < 2; ++warm)
        passes<Flying, Store><<<1, 512>>>(mask, ways, 256, spent, sink);
      std::printf("%s_%d_flying,mask %x ways %d,%.2f,cycles a request of each warp\n",
                  Store ? "shared_store" : "shared_load", Flying, mask, ways,
                  longest(mask) / (256.0 * Flying));
    }
}
template <int Flying>
void all_hits() {
  for (unsigned mask : {0x1u, 0x11u, 0xfu, 0xffffu})
    for (int first : {0, 1}) {
      hits<Flying><<<1, 512>>>(a, mask, first, 64, spent, sink);
      std::printf("l1_hit_%d_flying,mask %x from word %d,%.2f,cycles a turn\n", Flying, mask, first,
                  longest(mask) / 64.0);
    }
}
template <int Kind, int Loads>
void one_several(dim3 block) {
  const int side = 6000;
  const dim3 grid((side + block.x - 1) / block.x, (side + block.y - 1) / block.y);
  const char* names[] = {"rows", "neighbours", "lanes"};
  const double t = us(
      [&] { several<Kind, Loads><<<grid, block, 0, stream>>>((float*)a, (float*)b, side, side); },
      11, Before::reads);
  std::printf("%s_%d,%ux%u,%.1f,us\n", names[Kind], Loads, block.x, block.y, t);
}
template <int Kind>
void all_several(dim3 block) {
  one_several<Kind, 1>(block);
  one_several<Kind, 2>(block);
  one_several<Kind, 3>(block);
  one_several<Kind, 5>(block);
  one_several<Kind, 9>(block);
}

int main() {
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaMalloc(&spent, 1024));
  OK(cudaMalloc(&a, 1ull << 30));
  OK(cudaMalloc(&b, 1ull << 30));
  OK(cudaMalloc(&dirt, kDirt));
  OK(cudaMalloc(&sink, 1 << 24));
  OK(cudaMemset(a, 0, 1ull << 30));
  OK(cudaMemset(dirt, 0, kDirt));
  OK(cudaDeviceSynchronize());
  std::printf("name,parameters,value,unit\n");

  using Launch = void (*)(const Word*, Word*, Word);
  const std::pair<const char*, Launch> launches[] = {
      {"empty", empty}, {"looks", looks}, {"load", load},   {"fill", fill},          {"copy", copy},
      {"load4", load4}, {"fill4", fill4}, {"copy4", copy4}, {"long_text", long_text}};
  for (const Before before : {Before::nothing, Before::reads, Before::memset, Before::reads_queued,
                              Before::memset_queued})
    for (const auto& each : launches)
      for (int blocks : {1, 132, 1056, 4096, 16384}) {
        const Launch kernel = each.second;
        const double t = us([&] { kernel<<<blocks, 256, 0, stream>>>(a, b, 1000); }, 41, before);
        std::printf("launch_%s,%d blocks of 256 %s,%.2f,us\n", each.first, blocks,
                    kBefore[(int)before], t);
      }
  empty_us = us([&] { empty<<<1, 256, 0, stream>>>(a, b, 1000); }, 41, Before::nothing);

  all_passes<1, false>();
  all_passes<8, false>();
  all_passes<8, true>();
  all_ahead<false>();
  all_ahead<true>();
  all_hits<1>();
  all_hits<2>();
  all_hits<4>();
  all_hits<8>();
  all_hits<16>();

  for (int threads : {32, 64, 128, 256, 512, 1024})
    for (int each : {1, 2, 4, 8, 16, 32})
      if (threads * each <= 2048) all_rounds<0>(threads, each, 1, 0);
  for (int each : {1, 2, 4, 8})
    for (unsigned mask : {0x1u, 0x3u, 0xfu, 0xffu})
      for (int ways : {1, 2, 4, 8, 32}) {
        all_rounds<1>(256, each, ways, mask);
        all_rounds<2>(256, each, ways, mask);
        all_rounds<3>(256, each, ways, mask);
      }
  for (int each : {1, 2, 4, 6, 8}) {
    const auto say = [&](const char* name, auto kernel) {
      const double t =
          us([&] { kernel<<<132 * each, 256, 0, stream>>>((float*)b, 400); }, 5, Before::nothing);
      std::printf("reductions_%s,%d blocks/SM,%.1f,cycles an SM for one of each block\n", name,
                  each, cycles(t, 400));
    };
    say("halving", reductions<0>);
    say("strided", reductions<1>);
    say("modulo", reductions<2>);
  }
  for (int each : {1, 2, 4, 8})
    for (bool held : {false, true})
      for (int blocks_too : {0, 1})
        for (int shared_by : {1, 2, 4, 8}) {
          constexpr int kTurns = 128;
          const auto kernel = held ? under_way<true> : under_way<false>;
          const double t = us(
              [&] { kernel<<<132 * each, 256, 0, stream>>>(a, shared_by, blocks_too, kTurns, b); },
              7, Before::nothing);
          std::printf(
              "under_way%s,%d blocks/SM; %d of 8 warps%s,%.2f,cycles an SM for a turn of each "
              "block\n",
              held ? "_and_hits" : "", each, shared_by, blocks_too ? " and all blocks" : "",
              cycles(t, kTurns));
        }
  for (int others : {0, 1, 3, 7, 15}) {
    hit_beside<<<1, 512>>>(a, b, others, 4096, spent, sink);
    std::printf("hit_beside,%d warps that miss,%.2f,cycles a hit\n", others, longest(1) / 4096.0);
  }
  for (dim3 block : {dim3(32, 8), dim3(32, 32), dim3(128, 2), dim3(16, 16), dim3(8, 32)}) {
    all_several<0>(block);
    all_several<1>(block);
    all_several<2>(block);
  }
  OK(cudaDeviceSynchronize());
}
