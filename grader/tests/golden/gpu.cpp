#include "gpu.h"

#include <dlfcn.h>

#include <array>
#include <fstream>
#include <stdexcept>

namespace labkit::golden {
namespace {

// The driver API's ABI, as far as it is used here (CUDA driver API reference; unchanged since CUDA
// 4, `_v2` since 3.2).
using Result = int;
using Device = int;
using Context = void*;
using Module = void*;
using Function = void*;
using Address = unsigned long long;
constexpr int kJitErrorLog = 5, kJitErrorLogBytes = 6;  // CU_JIT_ERROR_LOG_BUFFER, .._SIZE_BYTES
constexpr int kCapabilityMajor = 75,
              kCapabilityMinor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_..

std::string driver_version(int cuda_version) {
  std::ifstream version("/sys/module/nvidia/version");
  std::string text;
  if (version >> text) return text;
  return "for CUDA " + std::to_string(cuda_version / 1000) + "." +
         std::to_string(cuda_version % 1000 / 10);
}

}  // namespace

struct Gpu::Driver {
  void* library = nullptr;
  Context context = nullptr;
  Device device = 0;
  Result (*init)(unsigned) = nullptr;
  Result (*get_error_string)(Result, const char**) = nullptr;
  Result (*get_version)(int*) = nullptr;
  Result (*device_count)(int*) = nullptr;
  Result (*device_get)(Device*, int) = nullptr;
  Result (*device_name)(char*, int, Device) = nullptr;
  Result (*device_attribute)(int*, int, Device) = nullptr;
  Result (*retain_context)(Context*, Device) = nullptr;
  Result (*release_context)(Device) = nullptr;
  Result (*set_context)(Context) = nullptr;
  Result (*load_module)(Module*, const void*, unsigned, int*, void**) = nullptr;
  Result (*unload_module)(Module) = nullptr;
  Result (*get_function)(Function*, Module, const char*) = nullptr;
  Result (*allocate)(Address*, std::size_t) = nullptr;
  Result (*release)(Address) = nullptr;
  Result (*copy_in)(Address, const void*, std::size_t) = nullptr;
  Result (*copy_out)(void*, Address, std::size_t) = nullptr;
  Result (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void*, void**, void**) = nullptr;
  Result (*synchronize)() = nullptr;

  ~Driver() {
    if (context) release_context(device);
    // The library stays loaded: drivers keep threads of their own.
  }

  template <typename F>
  void bind(F& function, const char* symbol) {
    function = reinterpret_cast<F>(dlsym(library, symbol));
    if (!function) throw std::runtime_error(std::string("libcuda.so.1 has no ") + symbol);
  }
  void check(Result result, const std::string& what) const {
    if (result == 0) return;
    const char* words = nullptr;
    get_error_string(result, &words);
    throw std::runtime_error(what + ": " + (words ? words : "error " + std::to_string(result)));
  }
  void bind_all() {
    bind(init, "cuInit");
    bind(get_error_string, "cuGetErrorString");
    bind(get_version, "cuDriverGetVersion");
    bind(device_count, "cuDeviceGetCount");
    bind(device_get, "cuDeviceGet");
    bind(device_name, "cuDeviceGetName");
    bind(device_attribute, "cuDeviceGetAttribute");
    bind(retain_context, "cuDevicePrimaryCtxRetain");
    bind(release_context, "cuDevicePrimaryCtxRelease_v2");
    bind(set_context, "cuCtxSetCurrent");
    bind(load_module, "cuModuleLoadDataEx");
    bind(unload_module, "cuModuleUnload");
    bind(get_function, "cuModuleGetFunction");
    bind(allocate, "cuMemAlloc_v2");
    bind(release, "cuMemFree_v2");
    bind(copy_in, "cuMemcpyHtoD_v2");
    bind(copy_out, "cuMemcpyDtoH_v2");
    bind(launch, "cuLaunchKernel");
    bind(synchronize, "cuCtxSynchronize");
  }
};

namespace {

/// Frees a run's module and memory however it ends.
struct Owned {
  Gpu::Driver& api;
  Module module = nullptr;
  std::vector<Address> addresses;
  ~Owned() {
    for (Address address : addresses)
      if (address) api.release(address);
    if (module) api.unload_module(module);
  }
};

}  // namespace

Gpu::~Gpu() = default;

std::unique_ptr<Gpu> Gpu::open(std::string& why_not) {
  auto api = std::make_unique<Driver>();
  api->library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!api->library) {
    why_not = "libcuda.so.1 cannot be loaded: no CUDA driver";
    return nullptr;
  }
  std::unique_ptr<Gpu> gpu(new Gpu);
  try {
    api->bind_all();
    api->check(api->init(0), "cuInit");
    int count = 0, version = 0, major = 0, minor = 0;
    api->check(api->device_count(&count), "cuDeviceGetCount");
    if (count == 0) throw std::runtime_error("the CUDA driver sees no GPU");
    api->check(api->device_get(&api->device, 0), "cuDeviceGet");
    std::array<char, 256> name{};
    api->check(api->device_name(name.data(), static_cast<int>(name.size()), api->device),
               "cuDeviceGetName");
    api->check(api->get_version(&version), "cuDriverGetVersion");
    api->check(api->device_attribute(&major, kCapabilityMajor, api->device),
               "cuDeviceGetAttribute");
    api->check(api->device_attribute(&minor, kCapabilityMinor, api->device),
               "cuDeviceGetAttribute");
    api->check(api->retain_context(&api->context, api->device), "cuDevicePrimaryCtxRetain");
    api->check(api->set_context(api->context), "cuCtxSetCurrent");
    gpu->name_ = name.data();
    gpu->driver_ = driver_version(version);
    gpu->compute_capability_ = static_cast<unsigned>(10 * major + minor);
  } catch (const std::runtime_error& error) {
    why_not = error.what();
    return nullptr;
  }
  gpu->api_ = std::move(api);
  return gpu;
}

Outcome Gpu::run(const GoldenFile& file) {
  Driver& api = *api_;
  Owned owned{api, nullptr, {}};

  std::array<char, 4096> log{};
  std::array<int, 2> options{kJitErrorLog, kJitErrorLogBytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  if (const Result result =
          api.load_module(&owned.module, file.text.c_str(), 2, options.data(), values.data())) {
    owned.module = nullptr;
    api.check(result, "cuModuleLoadDataEx: " + std::string(log.data()));
  }
  Function function = nullptr;
  api.check(api.get_function(&function, owned.module, "golden"), "cuModuleGetFunction");

  Outcome contents;
  for (const Parameter& p : file.parameters) contents.push_back(p.initial_bytes());
  owned.addresses.assign(file.parameters.size(), 0);
  std::vector<void*> arguments;
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    if (!file.parameters[i].is_buffer()) {
      arguments.push_back(contents[i].data());
      continue;
    }
    api.check(api.allocate(&owned.addresses[i], contents[i].size()), "cuMemAlloc");
    api.check(api.copy_in(owned.addresses[i], contents[i].data(), contents[i].size()),
              "cuMemcpyHtoD");
    arguments.push_back(&owned.addresses[i]);
  }
  api.check(
      api.launch(function, file.grid[0], file.grid[1], file.grid[2], file.block[0], file.block[1],
                 file.block[2], file.dynamic_shared_bytes, nullptr, arguments.data(), nullptr),
      "cuLaunchKernel");
  api.check(api.synchronize(), "cuCtxSynchronize");
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (file.parameters[i].is_checked())
      api.check(api.copy_out(contents[i].data(), owned.addresses[i], contents[i].size()),
                "cuMemcpyDtoH");
  return contents;
}

}  // namespace labkit::golden
