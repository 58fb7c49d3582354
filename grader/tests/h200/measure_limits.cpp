// Measures how near the best solutions of the labs come to what the GPU can do.
//
//   nvcc -std=c++17 -O2 -o measure_limits grader/tests/h200/measure_limits.cpp -lnvrtc -lcuda -ldl
//   ./measure_limits [--list FILE] [--rounds N] [--runs N] [--size 8192x8192] [--compile-only] > limits.csv
//
// to be run in the project's root. A line of the list (default: kList below) names a kernel, the
// file it is in and options for the compiler, as "powers solutions/lab6.../correct/padded.cu
// -DPITCH=33". The kernels of one name and size are a group. A round launches every member of the
// group once, and between them a copy of 16 bytes a thread and the driver's own copy, which move as
// many bytes; the L2 is flushed before each launch, and the next launch reads other arrays. So
// all see the same clocks and neighbours, and nothing that the launch before has left behind. A figure is the median over the rounds. All is done --runs times over, flushing by a
// memset, which leaves the L2 full of what must still be written back, and then once more flushing
// by reads.
//
// Before anything is timed every kernel is compared, element by element, with a simple one: at the
// measured size, at small sizes that no tile divides, and with arrays that begin an element
// past a 16-byte boundary (the word `aligned` in a line of the list spares it that). What is wrong is told
// on stderr, left out, and makes the exit code 1.
//
// Products are held against cuBLAS in strict float32 (CUBLAS_PEDANTIC_MATH), loaded with dlopen
// where there is one (LABKIT_CUBLAS=path), and, as lab 5 does, against a best copy of 128 MiB.
#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "candidates.h"

namespace {

// What is measured when no list is given: the simple references and those that go for the limit.
constexpr const char* kList = R"(
vecadd<float> solutions/lab1_vecadd_coalescing/correct/grid_stride.cu
vecadd<float> solutions/lab1_vecadd_coalescing/correct/vectorised.cu aligned
vecadd<double> solutions/lab1_vecadd_coalescing/correct/grid_stride.cu
vecadd<double> solutions/lab1_vecadd_coalescing/correct/vectorised.cu aligned
vecadd<double> solutions/lab1_vecadd_coalescing/correct/block_tiles.cu
transpose_rows solutions/lab4_bank_conflict_padding/correct/padded.cu
transpose_rows solutions/lab4_bank_conflict_padding/correct/swizzled.cu
transpose_rows solutions/lab4_bank_conflict_padding/correct/wide_tile.cu
transpose_rows solutions/lab4_bank_conflict_padding/correct/kept_lines.cu
powers solutions/lab6_consecutive_powers/correct/padded.cu
powers solutions/lab6_consecutive_powers/correct/vectors.cu
powers_altered solutions/lab6_consecutive_powers/correct/padded.cu
powers_altered solutions/lab6_consecutive_powers/correct/vectors.cu
matmul_registers solutions/lab5_tiled_matmul/correct/tiled.cu
matmul_registers solutions/lab5_tiled_matmul/correct/vector_bonus.cu aligned
matmul_registers solutions/lab5_tiled_matmul/correct/eight_by_eight.cu
matmul solutions/lab5_tiled_matmul/correct/tiled.cu
matmul grader/tests/h200/padded_matmul.cu -DPAD_A=1 -DPAD_B=1
matmul grader/tests/h200/padded_matmul.cu -DPAD_A=1
matmul grader/tests/h200/padded_matmul.cu -DPAD_B=1
matmul solutions/lab5_tiled_matmul/wrong/naive.cu
matmul solutions/lab5_tiled_matmul/wrong/naive_restrict.cu
)";

constexpr std::size_t kArrayBytes = (std::size_t{1} << 30) + 4096;
constexpr std::size_t kFlushBytes = std::size_t{256} << 20;
constexpr double kSaturatedBytes = 1 << 27;  // what lab 5's copy moves: half read, half written
constexpr double kMaxGroupSeconds = 20;      // long products are launched fewer times

void ok(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = "?";
  cuGetErrorString(result, &text);
  die(what + ": " + text);
}

// What the kernels must compute, as simply as can be; filling; comparing; flushing.
const char* const kHelpers = R"(
#define EACH(i, n) long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (n); i += (long long)gridDim.x * blockDim.x
__device__ unsigned scramble(unsigned long long x) {
  x ^= x >> 33; x *= 0xff51afd7ed558ccdull; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ull; return (unsigned)(x >> 32);
}
template <class T> __global__ void fill(T* a, long long n, unsigned long long seed) {
  for (EACH(i, n)) a[i] = (T)0.9 + (T)0.2 * (scramble(i ^ seed << 40) >> 8) / (T)(1 << 24);
}
template <class T> __global__ void want_sum(const T* a, const T* b, T* c, long long n) {
  for (EACH(i, n)) c[i] = a[i] + b[i];
}
__global__ void want_transpose(const float* in, float* out, int rows, int cols) {
  for (EACH(i, (long long)rows * cols)) out[i % cols * rows + i / cols] = in[i];
}
__global__ void want_product(const float* a, const float* b, float* c, int n, int m, int p) {
  for (EACH(i, (long long)n * p)) {
    double s = 0; for (int k = 0; k < m; ++k) s += (double)a[i / p * m + k] * b[(long long)k * p + i % p]; c[i] = s; }
}
__global__ void want_powers(const float* x, float* y, long long n, long long point, long long power) {
  for (EACH(i, n)) { float v = x[i], p = v; for (int k = 0; k < 32; ++k) { p *= v; y[i * point + k * power] = p; } }
}
// counts[0]: elements off by more than `tolerance` (relative), poison included
template <class T> __global__ void compare(const T* got, const T* want, long long n, double tolerance, unsigned long long* counts) {
  for (EACH(i, n)) {
    double off = got[i] - want[i]; if (off < 0) off = -off;
    if (!(off <= tolerance * (want[i] < 0 ? -want[i] : want[i]))) atomicAdd(counts, 1ull); }
}
__global__ void read_all(const uint4* a, long long n, unsigned* sink) {
  unsigned s = 0;
  for (EACH(i, n)) { uint4 v = a[i]; s ^= v.x ^ v.y ^ v.z ^ v.w; }
  if (s == 0x12345678u) *sink = s;
}
)";

/// cuBLAS without its headers. C = A B, row after row, is C' = B' A' in cuBLAS's columns.
struct Cublas {
  void* handle = nullptr;
  int (*sgemm)(void*, int, int, int, int, int, const float*, CUdeviceptr, int, CUdeviceptr, int,
               const float*, CUdeviceptr, int) = nullptr;
  explicit operator bool() const { return sgemm != nullptr; }
  void load() {
    const char* path = std::getenv("LABKIT_CUBLAS");
    void* library = dlopen(path ? path : "libcublas.so.13", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      std::fprintf(stderr, "measure_limits: no cuBLAS (%s)\n", dlerror());
      return;
    }
    const auto create = reinterpret_cast<int (*)(void**)>(dlsym(library, "cublasCreate_v2"));
    const auto mode = reinterpret_cast<int (*)(void*, int)>(dlsym(library, "cublasSetMathMode"));
    constexpr int kPedantic = 2;  // cublas_api.h: CUBLAS_PEDANTIC_MATH
    if (!create || !mode || create(&handle) || mode(handle, kPedantic)) die("cuBLAS");
    sgemm = reinterpret_cast<decltype(sgemm)>(dlsym(library, "cublasSgemm_v2"));
  }
  void product(CUdeviceptr a, CUdeviceptr b, CUdeviceptr c, int n, int m, int p) const {
    const float one = 1, zero = 0;
    if (sgemm(handle, 0, 0, p, n, m, &one, b, p, a, m, &zero, c, p)) die("cublasSgemm");
  }
};

using Sizes = std::array<int, 3>;  // vecadd, powers: n; transpose: rows, cols; matmul: n, m, p

struct Launch {
  unsigned grid_x = 1, grid_y = 1, block_x = 1, block_y = 1;
};

/// A kernel of the labs: how it is launched, what it must compute, what it moves.
struct Task {
  std::string kernel;
  std::vector<Sizes> measured, checked;
  int scalars = 1, inputs = 1;
  bool doubles = false, is_product = false;
  const char* shape_name = nullptr;
  double tolerance = 0;
  std::string size(const Sizes& s) const {
    std::string text = std::to_string(s[0]);
    for (int i = 1; i < scalars; ++i) text += "x" + std::to_string(s[i]);
    return text;
  }
  long long outputs(const Sizes& s) const {
    return scalars == 3   ? 1LL * s[0] * s[2]
           : scalars == 2 ? 1LL * s[0] * s[1]
                          : (tolerance > 0 ? 32LL : 1LL) * s[0];
  }
  double useful_bytes(const Sizes& s) const {
    if (is_product) return 8.0 * s[0] * s[1] * s[2];  // operands of the untiled product
    if (scalars == 2) return 8.0 * s[0] * s[1];
    if (tolerance > 0) return 4.0 * 33 * s[0];
    return 3.0 * (doubles ? 8 : 4) * s[0];
  }
};

std::vector<Task> tasks() {
  const std::vector<Sizes> products{{1024, 128, 1024}, {1024, 1024, 1024}, {4096, 4096, 4096}};
  const std::vector<Sizes> odd_products{{1, 1, 1},      {129, 65, 257}, {300, 4, 132},
                                        {132, 20, 260}, {61, 128, 516}, {257, 132, 127}};
  const std::vector<Sizes> odd_lengths{{1}, {127}, {1000}, {1021}, {4100}};
  std::vector<Task> all(7);
  all[0] = {"vecadd<float>", {{1 << 26}, {1 << 27}}, odd_lengths, 1, 2};
  all[1] = {"vecadd<double>", {{1 << 26}}, odd_lengths, 1, 2, true};
  all[2] = {"transpose_rows",
            {{2048, 2048}, {4096, 4096}, {8192, 8192}, {8200, 8200}, {8188, 8188}, {16384, 16384}},
            {{1, 1}, {33, 129}, {64, 4}, {132, 68}, {1021, 1020}, {1024, 1022}, {1020, 1996}},
            2,
            1,
            false,
            false,
            "transpose_rows_shape"};
  all[3] = {"powers", {{1 << 21}, {1 << 22}}, odd_lengths, 1, 1, false, false, nullptr, 1e-5};
  all[4] = all[3];
  all[4].kernel = "powers_altered";
  all[5] = {"matmul_registers",       products, odd_products, 3, 2, false, true,
            "matmul_registers_shape", 1e-4};
  all[6] = all[5];
  all[6].kernel = "matmul";
  all[6].shape_name = nullptr;
  return all;
}

struct Bench {
  CUdeviceptr in0 = 0, in1 = 0, out = 0, wanted = 0, flush = 0, counts = 0;
  CUmodule helpers = nullptr, copies = nullptr;
  std::map<std::string, std::string> helper_names;
  CUfunction best_copy = nullptr;
  Cublas cublas;
  bool flush_by_reading = false;

  void helper(const std::string& name, std::vector<void*> arguments) {
    CUfunction f = nullptr;
    ok(cuModuleGetFunction(&f, helpers, helper_names.at(name).c_str()), name);
    ok(cuLaunchKernel(f, 4096, 1, 1, 256, 1, 1, 0, nullptr, arguments.data(), nullptr), name);
  }
  void fill_inputs(bool doubles) {
    long long n = static_cast<long long>(kArrayBytes / (doubles ? 8 : 4));
    unsigned long long seed = 1;
    helper(doubles ? "fill<double>" : "fill<float>", {&in0, &n, &seed});
    seed = 2;
    helper(doubles ? "fill<double>" : "fill<float>", {&in1, &n, &seed});
  }
  /// Also what a kernel asked the L2 to keep is forgotten.
  void flush_l2(int i) {
    ok(cuCtxResetPersistingL2Cache(), "L2");
    long long n = kFlushBytes / 16;
    if (flush_by_reading)
      helper("read_all", {&flush, &n, &counts});
    else
      ok(cuMemsetD8Async(flush, static_cast<unsigned char>(i), kFlushBytes, nullptr), "flush");
  }
  void copy_best(double bytes) {
    int count = static_cast<int>(bytes / 32);
    std::vector<void*> arguments{&in0, &out, &count};
    ok(cuLaunchKernel(best_copy, (count + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments.data(),
                      nullptr),
       "copy_best");
  }
};

Launch shape(const Task& task, const Candidate& c, const Sizes& s) {
  const auto up = [](long long a, long long b) {
    return static_cast<unsigned>(std::max(1LL, (a + b - 1) / b));
  };
  if (task.kernel.rfind("vecadd", 0) == 0) return {up(s[0], 256 * 8), 1, 256, 1};
  if (task.kernel.rfind("powers", 0) == 0) return {up(s[0], 128), 1, 128, 1};
  int values[4] = {32, 32, 32, 32};
  if (task.shape_name) {
    CUdeviceptr at = 0;
    std::size_t bytes = 0;
    ok(cuModuleGetGlobal(&at, &bytes, c.module, task.shape_name), c.label());
    if (bytes != sizeof values) die(c.label() + ": the shape is not int[4]");
    ok(cuMemcpyDtoH(values, at, sizeof values), c.label());
  }
  const int rows = s[0], cols = task.is_product ? s[2] : s[1];
  return {up(cols, values[2]), up(rows, values[3]), static_cast<unsigned>(values[0]),
          static_cast<unsigned>(values[1])};
}

void launch(Bench& bench, const Task& task, const Candidate& c, const Launch& l, Sizes s,
            int offset_bytes = 0) {
  CUdeviceptr in0 = bench.in0 + offset_bytes, in1 = bench.in1 + offset_bytes,
              out = bench.out + offset_bytes;
  std::vector<void*> arguments{&in0};
  if (task.inputs == 2) arguments.push_back(&in1);
  arguments.push_back(&out);
  for (int i = 0; i < task.scalars; ++i) arguments.push_back(&s[i]);
  ok(cuLaunchKernel(c.function, l.grid_x, l.grid_y, 1, l.block_x, l.block_y, 1, 0, nullptr,
                    arguments.data(), nullptr),
     c.label());
}

void want(Bench& bench, const Task& task, Sizes s, int offset_bytes) {
  CUdeviceptr in0 = bench.in0 + offset_bytes, in1 = bench.in1 + offset_bytes;
  long long n = s[0], point = 32, power = 1;
  if (task.kernel == "powers_altered") point = 1, power = n;
  if (task.inputs == 2 && task.scalars == 1)
    bench.helper(task.doubles ? "want_sum<double>" : "want_sum<float>",
                 {&in0, &in1, &bench.wanted, &n});
  else if (task.scalars == 1)
    bench.helper("want_powers", {&in0, &bench.wanted, &n, &point, &power});
  else if (task.scalars == 2)
    bench.helper("want_transpose", {&in0, &bench.wanted, &s[0], &s[1]});
  else
    bench.helper("want_product", {&in0, &in1, &bench.wanted, &s[0], &s[1], &s[2]});
}

/// Compares every candidate with what is wanted; marks and tells those that are wrong.
void verify(Bench& bench, const Task& task, std::vector<Candidate*>& members, const Sizes& s,
            int offset_bytes) {
  want(bench, task, s, offset_bytes);
  const std::size_t element = task.doubles ? 8 : 4;
  long long n = task.outputs(s);
  for (Candidate* c : members) {
    if (c->wrong || (offset_bytes && c->aligned_only)) continue;
    ok(cuMemsetD8(bench.out, 0xFF, n * element + 4096), "poison");
    launch(bench, task, *c, shape(task, *c, s), s, offset_bytes);
    ok(cuMemsetD8(bench.counts, 0, 16), "counts");
    double tolerance = task.tolerance;
    CUdeviceptr out = bench.out + offset_bytes;
    bench.helper(task.doubles ? "compare<double>" : "compare<float>",
                 {&out, &bench.wanted, &n, &tolerance, &bench.counts});
    unsigned long long got[2];
    ok(cuMemcpyDtoH(got, bench.counts, 16), c->label());
    unsigned beyond = 0;
    ok(cuMemcpyDtoH(&beyond, out + n * element, 4), c->label());
    if (got[0] == 0 && beyond == 0xFFFFFFFFu) continue;
    c->wrong = true;
    std::fprintf(stderr, "WRONG %s %s %s offset %d: %llu elements%s\n", task.kernel.c_str(),
                 c->label().c_str(), task.size(s).c_str(), offset_bytes, got[0],
                 beyond == 0xFFFFFFFFu ? "" : ", and beyond the end");
  }
}

struct Member {
  std::string file;
  std::function<void()> launch;
  double bytes;  // what its bandwidth counts
  std::vector<double> times_us = {};
  CUevent begin = nullptr, end = nullptr;
  double median_us() {
    auto middle = times_us.begin() + static_cast<std::ptrdiff_t>(times_us.size() / 2);
    std::nth_element(times_us.begin(), middle, times_us.end());
    return *middle;
  }
};

void measure(Bench& bench, const Task& task, const std::vector<Candidate*>& candidates,
             const Sizes& s, int run, int rounds) {
  const double useful = task.useful_bytes(s);
  const double copied = task.is_product ? kSaturatedBytes : useful;
  std::vector<Member> members;
  members.push_back({"best copy", [&, copied] { bench.copy_best(copied); }, copied});
  members.push_back(
      {"driver's copy",
       [&, copied] {
         ok(cuMemcpyDtoDAsync(bench.out, bench.in0, static_cast<std::size_t>(copied / 2), nullptr),
            "cuMemcpyDtoD");
       },
       copied});
  if (task.tolerance > 0 && !task.is_product)
    members.push_back(
        {"driver's memset",
         [&, useful] {
           ok(cuMemsetD32Async(bench.out, 7, static_cast<std::size_t>(useful / 4), nullptr),
              "cuMemsetD32");
         },
         useful});
  const bool with_cublas = task.is_product && bench.cublas;
  const std::size_t cublas = members.size();
  if (with_cublas)
    members.push_back(
        {"cuBLAS",
         [&, s] { bench.cublas.product(bench.in0, bench.in1, bench.out, s[0], s[1], s[2]); },
         useful});
  for (Candidate* c : candidates)
    if (!c->wrong) {
      const Launch l = shape(task, *c, s);
      members.push_back({c->label(), [&, c, l, s] { launch(bench, task, *c, l, s); }, useful});
    }
  for (Member& m : members) {
    ok(cuEventCreate(&m.begin, CU_EVENT_DEFAULT), "event");
    ok(cuEventCreate(&m.end, CU_EVENT_DEFAULT), "event");
  }
  double seconds = 0;
  for (int round = -2; round < rounds; ++round) {
    if (round >= 5 && seconds > kMaxGroupSeconds) break;
    for (Member& m : members) {
      std::swap(bench.in0, bench.in1);
      bench.flush_l2(round);
      ok(cuEventRecord(m.begin, nullptr), "event");
      m.launch();
      ok(cuEventRecord(m.end, nullptr), "event");
    }
    ok(cuCtxSynchronize(), task.kernel);
    if (round < 0) continue;  // warm-up
    for (Member& m : members) {
      float ms = 0;
      ok(cuEventElapsedTime(&ms, m.begin, m.end), m.file);
      m.times_us.push_back(ms * 1e3);
      seconds += ms * 1e-3;
    }
  }
  const double best_gbps = members[0].bytes / members[0].median_us() / 1e3;
  const double driver_gbps = members[1].bytes / members[1].median_us() / 1e3;
  for (Member& m : members) {
    const double us = m.median_us(), gbps = m.bytes / us / 1e3;
    std::printf("%d,%s,\"%s\",\"%s\",%s,%.0f,%zu,%.3f,%.1f,%.4f,%.4f,", run,
                bench.flush_by_reading ? "read" : "memset", task.kernel.c_str(), m.file.c_str(),
                task.size(s).c_str(), m.bytes, m.times_us.size(), us, gbps, gbps / best_gbps,
                gbps / driver_gbps);
    if (task.is_product && m.bytes == useful && &m > &members[1]) {
      std::printf("%.2f,", 2.0 * s[0] * s[1] * s[2] / us / 1e6);
      if (with_cublas) std::printf("%.4f", members[cublas].median_us() / us);
      std::printf("\n");
    } else {
      std::printf(",\n");
    }
    cuEventDestroy(m.begin);
    cuEventDestroy(m.end);
  }
  std::fflush(stdout);
}

void open_device(Bench& bench) {
  CUdevice device;
  CUcontext context;
  ok(cuInit(0), "cuInit");
  ok(cuDeviceGet(&device, 0), "device");
  ok(cuDevicePrimaryCtxRetain(&context, device), "context");
  ok(cuCtxSetCurrent(context), "context");
  for (CUdeviceptr* p : {&bench.in0, &bench.in1, &bench.out, &bench.wanted})
    ok(cuMemAlloc(p, kArrayBytes), "memory");
  ok(cuMemAlloc(&bench.flush, kFlushBytes), "memory");
  ok(cuMemAlloc(&bench.counts, 16), "memory");
  bench.cublas.load();
  char name[100];
  int driver = 0;
  cuDeviceGetName(name, sizeof name, device);
  cuDriverGetVersion(&driver);
  std::printf("# %s, CUDA driver API %d\n", name, driver);
}

}  // namespace

int main(int argc, char** argv) {
  std::string list = kList, only;
  int rounds = 40, runs = 2;
  bool compile_only = false;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--compile-only")
      compile_only = true;
    else if (option == "--list" && i + 1 < argc)
      list = read_text(argv[++i]);
    else if (option == "--rounds" && i + 1 < argc)
      rounds = std::atoi(argv[++i]);
    else if (option == "--size" && i + 1 < argc)
      only = argv[++i];
    else if (option == "--runs" && i + 1 < argc)
      runs = std::atoi(argv[++i]);
    else
      die("unknown option " + option);
  }
  std::vector<Candidate> candidates = parse(list);
  compile_all(candidates);
  const std::vector<std::string> helpers{
      "fill<float>",  "fill<double>", "want_sum<float>", "want_sum<double>", "want_transpose",
      "want_product", "want_powers",  "compare<float>",  "compare<double>",  "read_all"};
  const Compiled helper = compile(kHelpers, "helpers.cu", helpers, {});
  const Compiled copies =
      compile(read_text("grader/grade/copies.cu"), "copies.cu", {"copy_best"}, {});
  std::fprintf(stderr, "measure_limits: %zu candidates compiled\n", candidates.size());
  if (compile_only) return 0;

  Bench bench;
  open_device(bench);
  bench.helper_names = helper.names;
  ok(cuModuleLoadData(&bench.helpers, helper.image.data()), "helpers.cu");
  ok(cuModuleLoadData(&bench.copies, copies.image.data()), "copies.cu");
  ok(cuModuleGetFunction(&bench.best_copy, bench.copies, copies.names.at("copy_best").c_str()),
     "copy_best");
  for (Candidate& c : candidates) {
    ok(cuModuleLoadData(&c.module, c.compiled.image.data()), c.label());
    ok(cuModuleGetFunction(&c.function, c.module, c.compiled.names.at(c.kernel).c_str()),
       c.label());
  }
  std::printf(
      "run,flush,kernel,file,size,useful_bytes,rounds,median_us,GBps,ratio_best_copy,"
      "ratio_driver_copy,TFLOPs,share_of_cublas\n");
  bool all_right = true;
  for (int run = 1; run <= runs + 1; ++run) {
    bench.flush_by_reading = run > runs;
    for (const Task& task : tasks()) {
      std::vector<Candidate*> members;
      for (Candidate& c : candidates)
        if (c.kernel == task.kernel) members.push_back(&c);
      if (members.empty()) continue;
      bench.fill_inputs(task.doubles);
      if (run == 1) {
        for (const Sizes& s : task.checked)
          for (const int offset : {0, task.doubles ? 8 : 4})
            verify(bench, task, members, s, offset);
        for (const Sizes& s : task.measured)
          if (only.empty() || only == task.size(s)) verify(bench, task, members, s, 0);
        for (Candidate* c : members) all_right = all_right && !c->wrong;
      }
      for (const Sizes& s : task.measured)
        if (only.empty() || only == task.size(s)) measure(bench, task, members, s, run, rounds);
    }
  }
  return all_right ? 0 : 1;
}
