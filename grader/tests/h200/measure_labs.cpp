// Measures every solution of the labs, right ones and slow ones, and the copies that they are held
// against, on a GPU.
//
//   nvcc -std=c++17 -O2 -o measure_labs grader/tests/h200/measure_labs.cpp -lnvrtc -lcuda
//   ./measure_labs [--flush memset|read] [--compile-only] > h200_lab_times.csv
//
// to be run in the project's root. Files are compiled as the kit does it: NVRTC to PTX, the driver
// to machine code. Each kernel is first compared, element by element, with a simple one; what is
// not right is an error. A figure is the median of up to 40 launches, the L2 flushed before each;
// all is measured a second time after all has been measured once, which shows the noise. Flushing
// by memset, the default, leaves the L2 full of what must still be written back, as an earlier
// kernel would. Columns: useful_bytes is what the lab counts (an element read or written once),
// times are in microseconds, ratios are of bandwidths: to the copy of the same block, elements a
// thread and element type moving the same number of bytes, and to the best copy, of 16 bytes a
// thread (lab5: to a best copy of kSaturatedBytes).
#include <cuda.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kArrayBytes = std::size_t{1} << 30;
constexpr std::size_t kFlushBytes = std::size_t{256} << 20;
constexpr std::size_t kSaturatedBytes = std::size_t{1} << 27;  // moved: half read, half written
constexpr int kMaxLaunches = 40;

[[noreturn]] void die(const std::string& what) {
  std::fprintf(stderr, "measure_labs: %s\n", what.c_str());
  std::exit(3);
}
void ok(CUresult result, const std::string& what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = "?";
  cuGetErrorString(result, &text);
  die(what + ": " + text);
}

// What the kernels must compute, as simply as can be; filling; comparing; flushing.
const char* const kHelpers = R"(
__device__ unsigned scramble(unsigned long long x) {
  x ^= x >> 33; x *= 0xff51afd7ed558ccdull; x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ull; return (unsigned)(x >> 32);
}
template <class T> __global__ void fill(T* a, long long n, unsigned long long seed) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    a[i] = (T)0.9 + (T)0.2 * (scramble(i ^ seed << 40) >> 8) / (T)(1 << 24);
}
template <class T> __global__ void want_sum(const T* a, const T* b, T* c, long long n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}
template <class T> __global__ void want_transpose(const T* in, T* out, int rows, int cols) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (long long)rows * cols; i += (long long)gridDim.x * blockDim.x)
    out[i % cols * rows + i / cols] = in[i];
}
__global__ void want_product(const float* a, const float* b, float* c, int n, int m, int p) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (long long)n * p; i += (long long)gridDim.x * blockDim.x) {
    float s = 0; for (int k = 0; k < m; ++k) s += a[i / p * m + k] * b[(long long)k * p + i % p]; c[i] = s; }
}
__global__ void want_powers(const float* x, float* y, long long n, long long point, long long power) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    float v = x[i], p = v; for (int k = 0; k < 32; ++k) { p *= v; y[i * point + k * power] = p; } }
}
// counts[0]: elements off by more than `tolerance` (relative); counts[1]: elements that hold the
// poison still
template <class T> __global__ void compare(const T* got, const T* want, long long n, double tolerance, unsigned long long* counts) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    double off = got[i] - want[i]; if (off < 0) off = -off;
    if (got[i] != got[i]) atomicAdd(counts + 1, 1ull);
    if (!(off <= tolerance * (want[i] < 0 ? -want[i] : want[i]))) atomicAdd(counts, 1ull); }
}
__global__ void read_all(const uint4* a, long long n, unsigned* sink) {
  unsigned s = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
    uint4 v = a[i]; s ^= v.x ^ v.y ^ v.z ^ v.w; }
  if (s == 0x12345678u) *sink = s;
}
)";

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) die("cannot read " + path + " (run in the project's root)");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool compile_only = false;

struct Module {
  std::map<std::string, std::string> names;  // expression -> mangled
  std::string ptx;
  CUmodule handle = nullptr;
  CUfunction function(const std::string& expression) const {
    CUfunction f = nullptr;
    if (!compile_only)
      ok(cuModuleGetFunction(&f, handle, names.at(expression).c_str()), expression);
    return f;
  }
};

Module compile(const std::string& source, const std::string& name,
               const std::vector<std::string>& expressions) {
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) !=
      NVRTC_SUCCESS)
    die(name);
  for (const auto& e : expressions) nvrtcAddNameExpression(program, e.c_str());
  const char* options[] = {"--gpu-architecture=compute_90", "-lineinfo", "-std=c++17"};
  const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    nvrtcGetProgramLog(program, log.data());
    die(name + ": " + log);
  }
  Module module;
  for (const auto& e : expressions) {
    const char* mangled = nullptr;
    if (nvrtcGetLoweredName(program, e.c_str(), &mangled) != NVRTC_SUCCESS) die(name + ": no " + e);
    module.names[e] = mangled;
  }
  std::size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  module.ptx.resize(size);
  nvrtcGetPTX(program, module.ptx.data());
  nvrtcDestroyProgram(&program);
  if (!compile_only) ok(cuModuleLoadData(&module.handle, module.ptx.c_str()), "loading " + name);
  return module;
}

struct Dim {
  unsigned x = 1, y = 1;
};

struct Row {
  std::string lab, file, kernel, size;
  Dim grid, block;
  unsigned dynamic_shared_bytes = 0;
  std::vector<long long> scalars;  // after the arrays; 4 bytes each unless `wide`
  bool wide = false, two_inputs = false;
  double useful_bytes = 0;
  std::string same_shape, best;  // keys of the copies
  CUfunction function = nullptr;
  std::function<void()> want;  // fills `wanted`; null for copies
  long long elements = 0;      // of the output
  bool doubles = false, optional = false;
  double tolerance = 0;
  double us[2] = {0, 0};
  double gbps() const { return useful_bytes / us[0] / 1e3; }
};

struct Bench {
  CUdeviceptr in0 = 0, in1 = 0, out = 0, wanted = 0, flush = 0, counts = 0;
  Module helpers, copies;
  bool flush_by_reading = false;
  std::vector<Row> rows;
  std::map<std::string, std::size_t> copy_rows;  // key -> index into rows
  std::map<std::string, Module> modules;

  void launch_helper(const std::string& name, std::vector<void*> arguments) {
    ok(cuLaunchKernel(helpers.function(name), 4096, 1, 1, 256, 1, 1, 0, nullptr, arguments.data(),
                      nullptr),
       name);
  }
  void fill_inputs(bool doubles) {
    const std::string name = doubles ? "fill<double>" : "fill<float>";
    long long n = kArrayBytes / (doubles ? 8 : 4);
    unsigned long long seed = 1;
    launch_helper(name, {&in0, &n, &seed});
    seed = 2;
    launch_helper(name, {&in1, &n, &seed});
  }
  void launch(Row& row) {
    std::vector<void*> arguments{&in0};
    if (row.two_inputs) arguments.push_back(&in1);
    arguments.push_back(&out);
    for (auto& s : row.scalars) arguments.push_back(&s);  // little-endian: the low half is the int
    ok(cuLaunchKernel(row.function, row.grid.x, row.grid.y, 1, row.block.x, row.block.y, 1,
                      row.dynamic_shared_bytes, nullptr, arguments.data(), nullptr),
       row.file + " " + row.kernel);
  }
  /// False if the kernel wrote nothing at all, as an optional one that is not attempted.
  bool verify(Row& row) {
    ok(cuMemsetD8(out, 0xFF, row.elements * (row.doubles ? 8 : 4)), "poison");
    launch(row);
    ok(cuMemsetD8(counts, 0, 16), "counts");
    launch_helper(row.doubles ? "compare<double>" : "compare<float>",
                  {&out, &wanted, &row.elements, &row.tolerance, &counts});
    unsigned long long got[2];
    ok(cuMemcpyDtoH(got, counts, 16), row.file + " " + row.kernel);
    if (row.optional && got[1] == static_cast<unsigned long long>(row.elements)) return false;
    if (got[0])
      die(row.file + " " + row.kernel + " " + row.size + ": " + std::to_string(got[0]) +
          " wrong results");
    return true;
  }
  double median_us(Row& row) {
    static std::vector<CUevent> events;
    while (events.size() < 2 * kMaxLaunches) {
      events.emplace_back();
      ok(cuEventCreate(&events.back(), CU_EVENT_DEFAULT), "event");
    }
    const auto once = [&](int i) {
      if (flush_by_reading) {
        CUdeviceptr at = flush;
        long long n = kFlushBytes / 16;
        launch_helper("read_all", {&at, &n, &counts});
      } else {
        ok(cuMemsetD8Async(flush, i, kFlushBytes, nullptr), "flush");
      }
      ok(cuEventRecord(events[2 * i], nullptr), "event");
      launch(row);
      ok(cuEventRecord(events[2 * i + 1], nullptr), "event");
    };
    const auto time = [&](int i) {
      float ms = 0;
      ok(cuEventElapsedTime(&ms, events[2 * i], events[2 * i + 1]), row.file + " " + row.kernel);
      return ms * 1e3;
    };
    for (int i = 0; i < 3; ++i) once(i);
    ok(cuCtxSynchronize(), row.file);
    const int launches = std::clamp(static_cast<int>(400e3 / (time(2) + 100)), 5, kMaxLaunches);
    for (int i = 0; i < launches; ++i) once(i);
    ok(cuCtxSynchronize(), row.file);
    std::vector<double> times;
    for (int i = 0; i < launches; ++i) times.push_back(time(i));
    std::nth_element(times.begin(), times.begin() + launches / 2, times.end());
    return times[launches / 2];
  }

  /// The key of a copy of `bytes` moved, launched as measure/copy.cpp does it.
  std::string copy(const std::string& lab, const std::string& type, Dim block, double bytes,
                   int per_thread) {
    const bool flat = block.y == 1;
    const int element_bytes = type == "uint4" ? 16 : type == "double" ? 8 : 4;
    Row row;
    row.lab = lab;
    row.file = "copy";
    row.kernel = type == "uint4" ? "copy_best"
                                 : (flat ? "copy_1d<" : "copy_2d<") + type + "," +
                                       std::to_string(per_thread) + ">";
    row.size = "bytes" + std::to_string(static_cast<long long>(bytes));
    const std::string key =
        lab + row.kernel + std::to_string(block.x) + "x" + std::to_string(block.y) + row.size;
    if (copy_rows.count(key)) return key;
    row.block = block;
    row.useful_bytes = bytes;
    row.function = copies.function(row.kernel);
    const auto up = [](long long a, long long b) { return static_cast<unsigned>((a + b - 1) / b); };
    const long long count = static_cast<long long>(bytes / 2 / element_bytes);
    if (flat) {
      row.grid = {up(count, static_cast<long long>(block.x) * per_thread), 1};
      row.scalars = {count};
    } else {
      constexpr int kWidth = 2048;
      const long long rows_ = count / kWidth;
      row.grid = {up(kWidth, block.x), up(rows_, static_cast<long long>(block.y) * per_thread)};
      row.scalars = {rows_, kWidth};
    }
    copy_rows[key] = rows.size();
    rows.push_back(row);
    return key;
  }
  std::string best(const std::string& lab, double bytes) {
    return copy(lab, "uint4", {256, 1}, bytes, 1);
  }
};

/// Every file of a lab's solutions that gives right results: the correct ones and those whose fault
/// is a gate.
std::vector<std::string> right_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const char* kind : {"correct", "wrong"})
    for (const auto& entry :
         std::filesystem::directory_iterator("solutions/" + folder + "/" + kind)) {
      const std::string text = read_text(entry.path().string());
      if (text.find("int main(") != std::string::npos) continue;
      if (kind[0] == 'w' && text.rfind("// verdict: gate", 0) != 0) continue;
      files.push_back(std::string(kind) + "/" + entry.path().filename().string());
    }
  std::sort(files.begin(), files.end());
  return files;
}

struct Spec {
  std::string kernel;
  std::function<std::vector<Row>(Bench&, const Module&)> rows;
  bool optional = false;
};

void add_lab(Bench& bench, const std::string& folder, const std::vector<Spec>& specs) {
  for (const auto& file : right_files(folder)) {
    std::vector<std::string> expressions;
    for (const auto& spec : specs) expressions.push_back(spec.kernel);
    const std::string path = "solutions/" + folder + "/" + file;
    Module& module = bench.modules[path] = compile(read_text(path), path, expressions);
    for (const auto& spec : specs)
      for (Row& row : spec.rows(bench, module)) {
        row.lab = folder.substr(0, 4);
        row.file = file;
        row.kernel = spec.kernel;
        row.optional = spec.optional;
        row.function = module.function(spec.kernel);
        bench.rows.push_back(row);
      }
  }
}

std::vector<int> shape_of(const Module& module, const char* name) {
  std::vector<int> shape{32, 32, 32, 32};
  if (compile_only) return shape;
  CUdeviceptr at = 0;
  std::size_t bytes = 0;
  ok(cuModuleGetGlobal(&at, &bytes, module.handle, name), name);
  if (bytes != 16) die(std::string(name) + " is not int[4]");
  ok(cuMemcpyDtoH(shape.data(), at, 16), name);
  return shape;
}

template <typename T>
Spec vecadd() {
  const std::string type = sizeof(T) == 8 ? "double" : "float";
  return {"vecadd<" + type + ">", [type](Bench& bench, const Module&) {
            std::vector<Row> rows;
            for (long long n : {1 << 22, sizeof(T) == 8 ? 1 << 26 : 1 << 27}) {
              Row row;
              row.size = "n" + std::to_string(n);
              row.block = {256, 1};
              row.grid = {static_cast<unsigned>(n / 8 / 256), 1};
              row.scalars = {n};
              row.two_inputs = true;
              row.useful_bytes = 3.0 * n * sizeof(T);
              row.elements = n;
              row.doubles = sizeof(T) == 8;
              row.same_shape = bench.copy("lab1", type, row.block, row.useful_bytes, 8);
              row.best = bench.best("lab1", row.useful_bytes);
              row.want = [&bench, type, n] {
                long long count = n;
                bench.launch_helper("want_sum<" + type + ">",
                                    {&bench.in0, &bench.in1, &bench.wanted, &count});
              };
              rows.push_back(row);
            }
            return rows;
          }};
}

/// kernel: x of the grid over columns (or over rows), blocks 32 x 32, or as `shape` in the module
/// says.
Spec transpose(const std::string& lab, const std::string& kernel, bool x_over_rows = false,
               bool dynamic = false, const char* shape_name = nullptr) {
  Spec spec{
      kernel,
      [=](Bench& bench, const Module& module) {
        std::vector<Row> rows;
        for (int n : {2048, 8192}) {
          const std::vector<int> shape =
              shape_name ? shape_of(module, shape_name) : std::vector<int>{32, 32, 32, 32};
          Row row;
          row.size = std::to_string(n) + "x" + std::to_string(n);
          row.block = {static_cast<unsigned>(shape[0]), static_cast<unsigned>(shape[1])};
          row.grid = {static_cast<unsigned>((n + shape[2] - 1) / shape[2]),
                      static_cast<unsigned>((n + shape[3] - 1) / shape[3])};
          if (x_over_rows) std::swap(row.grid.x, row.grid.y);
          if (dynamic) row.dynamic_shared_bytes = shape[0] * (shape[0] + 1) * 4;
          row.scalars = {n, n};
          row.useful_bytes = 8.0 * n * n;
          row.elements = static_cast<long long>(n) * n;
          const int per_thread = shape[2] * shape[3] / (shape[0] * shape[1]);
          row.same_shape = bench.copy(lab, "float", row.block, row.useful_bytes, per_thread);
          row.best = bench.best(lab, row.useful_bytes);
          row.want = [&bench, n] {
            int side = n;
            bench.launch_helper("want_transpose<float>", {&bench.in0, &bench.wanted, &side, &side});
          };
          rows.push_back(row);
        }
        return rows;
      },
      shape_name != nullptr};
  return spec;
}

Spec product(const std::string& kernel, const char* shape_name = nullptr) {
  return {kernel,
          [=](Bench& bench, const Module& module) {
            std::vector<Row> rows;
            const int sizes[][3] = {{1024, 128, 1024}, {1024, 1024, 1024}, {2048, 2048, 2048}};
            for (const auto& [n, m, p] : sizes) {
              const std::vector<int> shape =
                  shape_name ? shape_of(module, shape_name) : std::vector<int>{32, 32, 32, 32};
              Row row;
              row.size = std::to_string(n) + "x" + std::to_string(m) + "x" + std::to_string(p);
              row.block = {static_cast<unsigned>(shape[0]), static_cast<unsigned>(shape[1])};
              row.grid = {static_cast<unsigned>((p + shape[2] - 1) / shape[2]),
                          static_cast<unsigned>((n + shape[3] - 1) / shape[3])};
              row.scalars = {n, m, p};
              row.two_inputs = true;
              row.useful_bytes = 8.0 * n * m * p;  // operands of the untiled product
              row.elements = static_cast<long long>(n) * p;
              row.tolerance = 1e-4;
              row.best = bench.best("lab5", kSaturatedBytes);
              row.want = [&bench, n = n, m = m, p = p] {
                int a = n, b = m, c = p;
                bench.launch_helper("want_product",
                                    {&bench.in0, &bench.in1, &bench.wanted, &a, &b, &c});
              };
              rows.push_back(row);
            }
            return rows;
          },
          shape_name != nullptr};
}

Spec powers(const std::string& kernel, bool altered) {
  return {
      kernel, [=](Bench& bench, const Module&) {
        std::vector<Row> rows;
        for (long long n : {1 << 18, 1 << 22}) {
          Row row;
          row.size = "n" + std::to_string(n);
          row.block = {128, 1};
          row.grid = {static_cast<unsigned>(n / 128), 1};
          row.scalars = {n};
          row.useful_bytes = 33.0 * 4 * n;
          row.elements = 32 * n;
          row.tolerance = 1e-5;
          row.same_shape = bench.copy("lab6", "float", row.block, row.useful_bytes, 16);
          row.best = bench.best("lab6", row.useful_bytes);
          row.want = [&bench, n, altered] {
            long long count = n, point = altered ? 1 : 32, power = altered ? n : 1;
            bench.launch_helper("want_powers", {&bench.in0, &bench.wanted, &count, &point, &power});
          };
          rows.push_back(row);
        }
        return rows;
      }};
}

}  // namespace

int main(int argc, char** argv) {
  Bench bench;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--compile-only")) compile_only = true;
    if (!std::strcmp(argv[i], "--flush") && i + 1 < argc)
      bench.flush_by_reading = !std::strcmp(argv[i + 1], "read");
  }
  if (!compile_only) {
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
    char name[100];
    int driver = 0;
    cuDeviceGetName(name, sizeof name, device);
    cuDriverGetVersion(&driver);
    std::printf("# %s, CUDA driver API %d, L2 flushed by %s\n", name, driver,
                bench.flush_by_reading ? "reading" : "memset");
  }
  bench.helpers = compile(kHelpers, "helpers.cu",
                          {"fill<float>", "fill<double>", "want_sum<float>", "want_sum<double>",
                           "want_transpose<float>", "want_product", "want_powers", "compare<float>",
                           "compare<double>", "read_all"});
  std::vector<std::string> copies{"copy_best", "copy_1d<double,8>"};
  for (const int k : {1, 2, 4, 8, 16, 32})
    for (const char* kind : {"copy_1d<float,", "copy_2d<float,"})
      copies.push_back(kind + std::to_string(k) + ">");
  bench.copies = compile(read_text("grader/measure/copies.cu"), "copies.cu", copies);

  add_lab(bench, "lab1_vecadd_coalescing", {vecadd<float>(), vecadd<double>()});
  add_lab(bench, "lab2_naive_transpose",
          {transpose("lab2", "transpose_coalesced_read<float>"),
           transpose("lab2", "transpose_coalesced_write<float>", true)});
  add_lab(bench, "lab3_corner_turning", {transpose("lab3", "corner_turn<float>")});
  add_lab(
      bench, "lab4_bank_conflict_padding",
      {transpose("lab4", "transpose_static"), transpose("lab4", "transpose_dynamic", false, true),
       transpose("lab4", "transpose_rows", false, false, "transpose_rows_shape")});
  add_lab(bench, "lab5_tiled_matmul",
          {product("matmul"), product("matmul_registers", "matmul_registers_shape")});
  add_lab(bench, "lab6_consecutive_powers",
          {powers("powers", false), powers("powers_altered", true)});
  std::fprintf(stderr, "%zu rows\n", bench.rows.size());
  if (compile_only) return 0;

  for (int sweep = 0; sweep < 2; ++sweep) {
    int doubles = -1;
    for (Row& row : bench.rows) {
      if (doubles != row.doubles) {
        doubles = row.doubles;
        bench.fill_inputs(row.doubles);
      }
      if (sweep == 0 && row.want) {
        row.want();
        if (!bench.verify(row)) {
          row.us[0] = -1;
          continue;
        }
      }
      if (row.us[0] >= 0) row.us[sweep] = bench.median_us(row);
    }
  }
  std::printf(
      "lab,file,kernel,block,size,useful_bytes,median_us,second_us,GBps,ratio_same_shape,ratio_"
      "best_copy\n");
  for (const Row& row : bench.rows) {
    if (row.us[0] < 0) continue;
    const auto ratio = [&](const std::string& key) -> std::string {
      if (key.empty()) return "";
      char text[32];
      std::snprintf(text, sizeof text, "%.3f",
                    row.gbps() / bench.rows[bench.copy_rows.at(key)].gbps());
      return text;
    };
    std::printf("%s,%s,\"%s\",%ux%u,%s,%.0f,%.3f,%.3f,%.1f,%s,%s\n", row.lab.c_str(),
                row.file.c_str(), row.kernel.c_str(), row.block.x, row.block.y, row.size.c_str(),
                row.useful_bytes, row.us[0], row.us[1], row.gbps(), ratio(row.same_shape).c_str(),
                ratio(row.best).c_str());
  }
  return 0;
}
