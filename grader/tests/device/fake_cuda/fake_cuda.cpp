// A CUDA driver and an NVML that need no GPU: device memory is host memory, a kernel does what its
// name says, and time is a clock that only launches move. It shows what CudaDevice and its worker
// make of a driver's answers, above all of bad ones.
//
// FAKE_CUDA holds "key=value" words: version=12040, init=100, gpus=2, memory=1024 (MiB),
// context=46 (its error), mode=3 (the compute mode), processes=2 (that have a
// context, as NVML says it), throttle=5-8 (the looks at the clocks that find them held down), busy=3
// (looks that find others at work), noise=10 (per cent, of times). FAKE_CUDA_LOG names a file that gets
// a line for each launch.
//
// Kernels take (const int* in, int* out, int n). Their names are words joined by _: "copy" copies,
// "30us" makes it last so long; the others are in run_kernel(). Lab 3's corner_turn() turns, and the copies that it is held
// against copy.
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kIllegalAddress = 700, kNotFound = 500;

std::string setting(const std::string& key, const std::string& otherwise) {
  const char* all = std::getenv("FAKE_CUDA");
  std::istringstream words(all == nullptr ? "" : all);
  for (std::string word; words >> word;)
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  return otherwise;
}
int number(const std::string& key, int otherwise) {
  return std::atoi(setting(key, std::to_string(otherwise)).c_str());
}

struct FakeModule {
  std::string image;
  int* counter = nullptr;
};
struct FakeFunction {
  std::string name;
  FakeModule* module = nullptr;
  std::map<int, int> attributes;
};

double clock_us = 0;
int dead = 0;          // the code of the error that ended the context
bool hanging = false;  // a kernel runs for ever
std::map<std::string, int> runs;
std::uint64_t allocated = 0;
std::map<std::uint64_t, std::size_t> blocks;  // by address

void log(const std::string& line) {
  const char* path = std::getenv("FAKE_CUDA_LOG");
  if (path == nullptr) return;
  if (FILE* file = std::fopen(path, "a")) {
    std::fprintf(file, "%s\n", line.c_str());
    std::fclose(file);
  }
}

std::uint64_t argument(void** arguments, int i) {
  std::uint64_t value = 0;
  std::memcpy(&value, arguments[i], sizeof value);
  return value;
}

bool has(const std::string& name, const std::string& word) {
  return ("_" + name + "_").find("_" + word + "_") != std::string::npos;
}

double duration_us(const std::string& name) {
  std::istringstream words(name);
  double us = 10;
  for (std::string word; std::getline(words, word, '_');)
    if (word.size() > 2 && word.ends_with("us")) us = std::atof(word.c_str());
  // A sawtooth of the launch's number, another for each kernel: noise that is the same every time.
  int step = 37;
  for (const char letter : name) step += letter;
  const double phase = (runs[name] * step % 101) / 100.0 - 0.5;
  if (has(name, "drifts") && runs[name] > 20) us *= 1.6;
  return us * (1 + phase * 2 * number("noise", 0) / 100.0);
}

void helper_hash(void** arguments) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(argument(arguments, 0));
  const std::uint64_t count = argument(arguments, 1);
  auto* sum = reinterpret_cast<std::uint64_t*>(argument(arguments, 2));
  for (std::uint64_t i = 0; i < count; ++i) *sum = *sum * 1099511628211u + words[i] + i;
}

std::int64_t whole_number(void** arguments, int i) {
  std::int32_t value = 0;
  std::memcpy(&value, arguments[i], sizeof value);
  return value;
}

/// corner_turn(const T* in, T* out, int rows, int cols)
template <typename T>
void turn(void** arguments) {
  const auto* in = reinterpret_cast<const T*>(argument(arguments, 0));
  auto* out = reinterpret_cast<T*>(argument(arguments, 1));
  const std::int64_t rows = whole_number(arguments, 2), cols = whole_number(arguments, 3);
  const std::int64_t last = rows * cols - 1;
  if (out[0] == in[0] && out[last] == in[last] && rows * cols > 1'000'000) return;  // turned before
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) out[col * rows + row] = in[row * cols + col];
}

int run_kernel(const FakeFunction& function, void** arguments) {
  const std::string& name = function.name;
  const int run = ++runs[name];
  log(name);
  if (name == "labkit_flush") return 0;
  if (name == "labkit_hash") {
    helper_hash(arguments);
    return 0;
  }
  if (has(name, "segv")) std::raise(SIGSEGV);
  if (has(name, "sigkill")) std::raise(SIGKILL);
  if (has(name, "shape")) return 701;
  if (has(name, "hang"))
    while (true) ::pause();
  if (has(name, "illegal")) return dead = kIllegalAddress, 0;
  if (has(name, "late") && run == 4) return dead = kIllegalAddress, 0;
  if (has(name, "misaligned")) return dead = 716, 0;
  if (has(name, "ecc")) return dead = 214, 0;
  if (has(name, "trap")) return dead = 719, 0;
  if (has(name, "asserts")) {
    std::fputs(
        "/a/b/kernel.cu:12: void k(int *): block: [1,0,0], thread: [3,0,0] Assertion `n < 4` "
        "failed.\n",
        stderr);
    return dead = 710, 0;
  }
  if (has(name, "endless")) return hanging = true, 0;
  if (has(name, "prints")) std::fputs("hello from the GPU\n", stdout);
  if (has(name, "floods"))
    for (int i = 0; i < 200000; ++i) std::fputs("much too much of it\n", stdout);

  const auto is_called = [&](const char* part) { return name.find(part) != std::string::npos; };
  const auto copy = [&](std::int64_t bytes) {
    std::memcpy(reinterpret_cast<void*>(argument(arguments, 1)),
                reinterpret_cast<const void*>(argument(arguments, 0)),
                static_cast<std::size_t>(bytes));
  };
  if (is_called("corner_turnIf")) turn<float>(arguments);
  if (is_called("corner_turnId")) turn<double>(arguments);
  if (is_called("copy_2dIf"))
    copy(whole_number(arguments, 2) * whole_number(arguments, 3) * sizeof(float));
  if (is_called("copy_best")) copy(whole_number(arguments, 2) * 16);
  auto* in = reinterpret_cast<int*>(argument(arguments, 0));
  auto* out = reinterpret_cast<int*>(argument(arguments, 1));
  int n = 0;
  std::memcpy(&n, arguments[2], sizeof n);
  if (has(name, "copy"))
    for (int i = 0; i < n; ++i) out[i] = in[i];
  if (has(name, "adds"))  // to what is there: shows whether outputs are fresh
    for (int i = 0; i < n; ++i) out[i] += 1;
  if (has(name, "counts")) out[0] = ++*function.module->counter;
  if (has(name, "cheats") && run > 1) out[0] = 99;
  if (has(name, "wavers")) out[0] = run;
  if (has(name, "scribbles")) in[0] = 77;
  clock_us += has(name, "timeless") ? 0 : duration_us(name);
  return 0;
}

const char* const kNames[] = {"CUDA_ERROR_ILLEGAL_ADDRESS",
                              "an illegal memory access was encountered"};

}  // namespace

API int cuGetErrorName(int code, const char** text) {
  static std::string name;
  name = code == kIllegalAddress ? kNames[0] : "CUDA_ERROR_" + std::to_string(code);
  *text = name.c_str();
  return 0;
}
API int cuGetErrorString(int code, const char** text) {
  static std::string words;
  words = code == kIllegalAddress ? kNames[1] : "words for " + std::to_string(code);
  *text = words.c_str();
  return 0;
}
API int cuDriverGetVersion(int* version) {
  *version = number("version", 13000);
  return 0;
}
API int cuInit(unsigned) { return number("init", 0); }
API int cuDeviceGetCount(int* count) {
  *count = number("gpus", 1);
  return 0;
}
API int cuDeviceGet(int* device, int i) {
  *device = i;
  return i < number("gpus", 1) ? 0 : 101;
}
API int cuDeviceGetName(char* text, int size, int) {
  std::snprintf(text, static_cast<std::size_t>(size), "NVIDIA Fake");
  return 0;
}
API int cuDeviceGetUuid_v2(unsigned char* bytes, int device) {
  std::memset(bytes, 0, 16);
  bytes[0] = 0xfa;
  bytes[15] = static_cast<unsigned char>(device);
  return 0;
}
API int cuDeviceGetAttribute(int* value, int which, int) {
  static const std::map<int, int> values = {{16, 4},           {36, 1000000}, {37, 512},
                                            {38, 1024 * 1024}, {75, 9},       {76, 0}};
  const auto at = values.find(which);
  *value = at == values.end() ? 0 : at->second;
  if (which == 20) *value = number("mode", 0);
  return 0;
}
API int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = static_cast<std::size_t>(number("memory", 1024)) << 20;
  return 0;
}
API int cuDevicePrimaryCtxRetain(void** context, int) {
  log("context");
  *context = &clock_us;
  return number("context", 0);
}
API int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
API int cuCtxSetCurrent(void*) { return 0; }
API int cuCtxSetLimit(int, std::size_t) { return 0; }
API int cuCtxResetPersistingL2Cache() {
  log("reset_persisting");
  return 0;
}
API int cuCtxSynchronize() {
  while (hanging) ::pause();
  return dead;
}
API int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *total = static_cast<std::size_t>(number("memory", 1024)) << 20;
  *free = *total - allocated;
  return dead;
}
API int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  // As a GPU hands it out: full of what was there before.
  *address = reinterpret_cast<std::uint64_t>(std::aligned_alloc(512, (bytes + 511) / 512 * 512));
  std::memset(reinterpret_cast<void*>(*address), 0xab, bytes);
  allocated += bytes;
  blocks[*address] = bytes;
  return dead;
}
API int cuMemFree_v2(std::uint64_t address) {
  const auto at = blocks.find(address);
  if (at == blocks.end()) return 1;
  allocated -= at->second;
  blocks.erase(at);
  std::free(reinterpret_cast<void*>(address));
  return dead;
}
API int cuMemAllocHost_v2(void** address, std::size_t bytes) {
  *address = std::calloc(1, bytes);
  return dead;
}
API int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return dead;
}
API int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return dead;
}
API int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
API int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  if (dead == 0) std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  clock_us += 7;
  log("copy_async");
  return dead;
}
API int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void*) {
  std::memset(reinterpret_cast<void*>(to), value, bytes);
  return dead;
}
API int cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* keys,
                           void** values) {
  auto* loaded = new FakeModule{static_cast<const char*>(image)};
  if (loaded->image.find("counter") != std::string::npos) loaded->counter = new int(0);
  *module = loaded;
  if (loaded->image.find("not ptx") == std::string::npos) return dead;
  for (unsigned i = 0; i < options; ++i)
    if (keys[i] == 5) std::strcpy(static_cast<char*>(values[i]), "line 7: what is this?");
  return 218;
}
API int cuModuleUnload(void* module) {
  delete static_cast<FakeModule*>(module);
  log("unload");
  return dead;
}
API int cuModuleGetFunction(void** function, void* module, const char* name) {
  auto* in = static_cast<FakeModule*>(module);
  const bool is_cubin = in->image.starts_with("\177ELF");  // what is in one is not looked for
  if (!is_cubin && in->image.find(name) == std::string::npos) return kNotFound;
  *function = new FakeFunction{name, in, {}};
  return dead;
}
API int cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void* module,
                             const char* name) {
  auto* in = static_cast<FakeModule*>(module);
  if (std::strcmp(name, "counter") != 0) return kNotFound;  // as for internal linkage
  *address = reinterpret_cast<std::uint64_t>(in->counter);
  *bytes = sizeof *in->counter;
  return dead;
}
API int cuFuncSetAttribute(void*, int, int value) { return value > 200 * 1024 ? 1 : dead; }
API int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, void*, void** arguments, void**) {
  if (dead != 0) return dead;
  return run_kernel(*static_cast<FakeFunction*>(function), arguments);
}
API int cuStreamCreate(void** stream, unsigned) {
  *stream = &clock_us;
  return dead;
}
API int cuEventCreate(void** event, unsigned) {
  *event = new double(0);
  return dead;
}
API int cuEventRecord(void* event, void*) {
  *static_cast<double*>(event) = clock_us;
  return dead;
}
API int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  *milliseconds =
      static_cast<float>((*static_cast<double*>(end) - *static_cast<double*>(begin)) / 1e3);
  return dead;
}

API int nvmlInit_v2() { return number("nvml", 0); }
API int nvmlDeviceGetHandleByUUID(const char*, void** handle) {
  *handle = &clock_us;
  return 0;
}
API int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  static int look = 0;
  ++look;
  int first = 0, last = 0;
  *reasons = std::sscanf(setting("throttle", "").c_str(), "%d-%d", &first, &last) == 2 &&
                     look >= first && look <= last
                 ? 0x40
                 : 0x1;
  return 0;
}
API int nvmlDeviceGetUtilizationRates(void*, unsigned* rates) {
  static int look = 0;
  rates[0] = ++look <= number("busy", 0) ? 90 : 0;
  rates[1] = 0;
  return 0;
}
API int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  *count = static_cast<unsigned>(number("processes", 1));
  return *count == 0 ? 0 : 7;
}
API int nvmlDeviceGetClockInfo(void*, int which, unsigned* mhz) {
  *mhz = which == 1 ? 1500 : 2000;
  return 0;
}
API int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "999.1");
  return 0;
}
