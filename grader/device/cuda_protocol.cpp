#include "device/cuda_protocol.h"

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace labkit::device {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Repetition, warmups, min_samples, max_samples,
                                   enough_relative_error, max_seconds, max_wait_seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Conditions, rounds, disturbed, sm_clock_mhz, memory_clock_mhz,
                                   settled, watched, waited_seconds, trouble, gpu_uuid)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuFacts, id, uuid, driver, compute_major, compute_minor,
                                   multiprocessors, memory_bytes, free_bytes, l2_bytes,
                                   peak_bytes_per_second, max_bytes)

namespace cuda {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ModuleSpec, name, ptx, cubin, variables, reload)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferSpec, bytes, contents_at, fill, output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ArgumentSpec, buffer, offset_bytes, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchSpec, index, driver_copy, timed, module, kernel, entry,
                                   grid, block, dynamic_shared_bytes, arguments, buffers,
                                   wall_seconds, outputs_at, set_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, describe, gpu, idle_contexts, modules, buffers,
                                   launches, repetition)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuSpec, name, exclusive, facts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimedSpec, index, times_us, differing_samples, other_sets,
                                   changed_inputs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Reply, kind, index, code, at_launch, code_name, words, printed,
                                   complaint, changed_inputs, seconds, error, driver_version,
                                   has_nvml, gpus, timed, conditions)

namespace {

using nlohmann::json;

template <typename T>
std::string framed(const T& value) {
  std::string body;
  json::to_cbor(json(value), body);
  const auto size = static_cast<Length>(body.size());
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + body;
}

/// False if something unfinished is left.
template <typename Action>
bool for_each_frame(std::string_view bytes, const Action& action) {
  Length size = 0;
  while (bytes.size() >= sizeof size) {
    std::memcpy(&size, bytes.data(), sizeof size);
    if (bytes.size() - sizeof size < size) return false;
    action(bytes.substr(sizeof size, size));
    bytes.remove_prefix(sizeof size + size);
  }
  return bytes.empty();
}

}  // namespace

bool is_watched_by_tools() {
  for (const char* name :
       {"CUDA_INJECTION64_PATH", "NV_NSIGHT_INJECTION_PORT_BASE", kDebuggerVariable})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

std::string encode(const Request& request) { return framed(request); }
std::string encode(const Reply& reply) { return framed(reply); }

Request decode_request(std::string_view bytes) { return json::from_cbor(bytes).get<Request>(); }

std::vector<Reply> decode_replies(std::string_view bytes) {
  std::vector<Reply> replies;
  for_each_frame(
      bytes, [&](std::string_view body) { replies.push_back(json::from_cbor(body).get<Reply>()); });
  return replies;
}

bool is_done(std::string_view bytes) {
  std::string_view last;
  const bool whole = for_each_frame(bytes, [&](std::string_view body) { last = body; });
  return whole && !last.empty() && json::from_cbor(last).get<Reply>().kind == Reply::Kind::done;
}

}  // namespace cuda
}  // namespace labkit::device
