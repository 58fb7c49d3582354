#include "device/worker/session.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace labkit::device::cuda {
namespace {

/// The device's copies are whole words, so that they can be hashed by words; the rest is zero.
std::uint64_t whole_words(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }
std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}
/// cuModuleLoadDataEx takes numbers in the place of pointers.
void* in_a_pointer(std::uintptr_t number) {
  return reinterpret_cast<void*>(number);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

Session::Session(Gpu& gpu, const Request& request, std::byte* shared)
    : gpu_(gpu),
      driver_(gpu.driver()),
      request_(request),
      shared_(shared),
      pristine_(request.buffers.size()),
      modules_(request.modules.size()) {
  lay_out();
  std::uint64_t needed = arena_bytes_;
  for (const BufferSpec& buffer : request_.buffers)
    if (buffer.contents_at >= 0) needed += aligned(buffer.bytes);
  gpu_.require_memory(needed);
  arena_ = allocate(arena_bytes_, "buffers");
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    const BufferSpec& buffer = request_.buffers[i];
    if (buffer.contents_at < 0 || buffer.bytes == 0) continue;
    pristine_[i] = allocate(whole_words(buffer.bytes), "buffers");
    // The shared memory goes on to the next page, so that the padding can be read there.
    driver_.check(
        driver_.copy_in(pristine_[i], shared_ + buffer.contents_at, whole_words(buffer.bytes)),
        "filling a buffer");
  }
  driver_.check(driver_.synchronize(), "filling the buffers");
}

Session::~Session() {
  for (const Loaded& loaded : modules_)
    if (loaded.handle != nullptr) driver_.unload_module(loaded.handle);
  for (const Address address : allocated_) gpu_.free(address);
}

void Session::lay_out() {
  for (const LaunchSpec& launch : request_.launches) {
    if (launch.buffers.size() > kMostBuffers)
      throw Trouble{launch.kernel + " has more than " + std::to_string(kMostBuffers) + " buffers",
                    "Report this: it is a fault of the kit."};
    std::uint64_t at = 0;
    for (const std::uint32_t buffer : launch.buffers) {
      layout_[launch.index][buffer] = at;
      at += aligned(std::max<std::uint64_t>(1, request_.buffers[buffer].bytes));
    }
    arena_bytes_ = std::max(arena_bytes_, at);
  }
}

Address Session::allocate(std::uint64_t bytes, const char* purpose) {
  return allocated_.emplace_back(gpu_.allocate(bytes, purpose));
}

void Session::load_into(Loaded& loaded, const ModuleSpec& spec) {
  std::array<char, 8192> log{};
  std::array<int, 3> options{kJitErrorLog, kJitErrorLogBytes, kJitLineInfo};
  std::array<void*, 3> values{log.data(), in_a_pointer(log.size()), in_a_pointer(1)};
  const std::string& image = spec.cubin.empty() ? spec.ptx : spec.cubin;
  const Result result =
      driver_.load_module(&loaded.handle, image.c_str(), static_cast<unsigned>(options.size()),
                          options.data(), values.data());
  if (result == kInvalidPtx)
    throw LaunchFailure{result, true, driver_.words_of(result) + ": " + std::string(log.data())};
  driver_.check(result, "the GPU's driver cannot load " + spec.name);
  loaded.functions.clear();
}

Session::Loaded& Session::load(std::uint32_t module) {
  const ModuleSpec& spec = request_.modules.at(module);
  Loaded& loaded = modules_[module];
  if (loaded.handle != nullptr) return loaded;
  load_into(loaded, spec);
  loaded.reload = spec.reload;
  for (const std::string& name : spec.variables) {
    Variable variable;
    // The driver does not tell of variables of internal linkage.
    if (driver_.get_global(&variable.address, &variable.bytes, loaded.handle, name.c_str()) !=
        kSuccess) {
      loaded.reload = true;
      break;
    }
    variable.pristine = allocate(variable.bytes, "variables");
    driver_.check(
        driver_.copy_async(variable.pristine, variable.address, variable.bytes, gpu_.stream()),
        "copying a variable");
    loaded.variables.push_back(variable);
  }
  if (loaded.reload) loaded.variables.clear();
  return loaded;
}

Function Session::function_of(const LaunchSpec& launch) {
  Loaded& loaded = load(launch.module);
  const auto [at, is_new] = loaded.functions.try_emplace(launch.entry);
  if (is_new)
    driver_.check(driver_.get_function(&at->second, loaded.handle, launch.entry.c_str()),
                  launch.kernel + " is not in what was compiled");
  return at->second;
}

void Session::restore(const LaunchSpec& launch) {
  if (!launch.driver_copy) {
    Loaded& loaded = load(launch.module);
    if (loaded.reload) {
      driver_.check(driver_.unload_module(loaded.handle), "cuModuleUnload");
      loaded.handle = nullptr;
      load_into(loaded, request_.modules[launch.module]);
    }
    for (const Variable& variable : loaded.variables)
      driver_.check(
          driver_.copy_async(variable.address, variable.pristine, variable.bytes, gpu_.stream()),
          "restoring a variable");
    function_of(launch);
  }
  for (const std::uint32_t index : launch.buffers) {
    const BufferSpec& buffer = request_.buffers[index];
    const std::uint64_t bytes = whole_words(buffer.bytes);
    if (bytes == 0) continue;
    const Address at = address_of(launch, index);
    driver_.check(
        buffer.contents_at >= 0
            ? driver_.copy_async(at, pristine_[index], bytes, gpu_.stream())
            : driver_.fill_async(at, static_cast<unsigned char>(buffer.fill), bytes, gpu_.stream()),
        "restoring a buffer");
  }
}

Address Session::address_of(const LaunchSpec& launch, std::uint32_t buffer) const {
  return arena_ + layout_.at(launch.index).at(buffer);
}

void Session::fire(const LaunchSpec& launch) {
  const auto address = [&](const ArgumentSpec& argument) {
    return address_of(launch, static_cast<std::uint32_t>(argument.buffer)) + argument.offset_bytes;
  };
  Result result = kSuccess;
  if (launch.driver_copy) {
    const ArgumentSpec& from = launch.arguments.at(0);
    const ArgumentSpec& to = launch.arguments.at(1);
    const std::uint64_t bytes = request_.buffers[to.buffer].bytes - to.offset_bytes;
    result = driver_.copy_async(address(to), address(from), bytes, gpu_.stream());
  } else {
    const Function function = function_of(launch);
    std::vector<Address> addresses(launch.arguments.size());
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const ArgumentSpec& argument = launch.arguments[i];
      if (argument.buffer >= 0) addresses[i] = address(argument);
      pointers.push_back(argument.buffer >= 0 ? static_cast<void*>(&addresses[i])
                                              : const_cast<char*>(argument.bytes.data()));
    }
    if (launch.dynamic_shared_bytes > 0)
      result = driver_.set_function(function, kMaxDynamicShared,
                                    static_cast<int>(launch.dynamic_shared_bytes));
    if (result == kSuccess)
      result = driver_.launch(function, launch.grid[0], launch.grid[1], launch.grid[2],
                              launch.block[0], launch.block[1], launch.block[2],
                              launch.dynamic_shared_bytes, gpu_.stream(), pointers.data(), nullptr);
  }
  if (result != kSuccess) throw LaunchFailure{result, true, {}};
}

double Session::time(const LaunchSpec& launch) {
  const double microseconds = gpu_.time_us([&] { fire(launch); });
  if (!std::isfinite(microseconds) || microseconds <= 0)
    throw Trouble{"the GPU's events say that " + launch.kernel + " took " +
                      std::to_string(microseconds) + " us",
                  "Run it again; if it happens again, restart the machine."};
  return microseconds;
}

std::vector<Session::Hash> Session::hashes(const LaunchSpec& launch) {
  std::vector<std::pair<Address, std::uint64_t>> words;
  for (const std::uint32_t buffer : launch.buffers)
    words.emplace_back(address_of(launch, buffer), whole_words(request_.buffers[buffer].bytes) / 4);
  return gpu_.hashes(words);
}

void Session::keep_outputs(const LaunchSpec& launch, std::uint32_t set) {
  std::uint64_t at = launch.outputs_at + set * launch.set_bytes;
  for (const std::uint32_t index : launch.buffers) {
    const BufferSpec& buffer = request_.buffers[index];
    if (!buffer.output) continue;
    if (buffer.bytes > 0)
      driver_.check(driver_.copy_out(shared_ + at, address_of(launch, index), buffer.bytes),
                    "copying an output back");
    at += whole_pages(buffer.bytes);
  }
}

}  // namespace labkit::device::cuda
