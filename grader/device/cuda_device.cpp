#include "device/cuda_device.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

#include "base/text.h"
#include "compile/compile.h"
#include "device/cuda_protocol.h"
#include "device/gpu_lock.h"
#include "process/process.h"

namespace labkit::device {
namespace {

using cuda::LaunchSpec;
using cuda::Reply;
using cuda::Request;

/// For what has no limit of its own: the driver's start, loading, compiling PTX.
constexpr double kOverheadSeconds = 300;
constexpr double kDescribeSeconds = 120;
/// A worker that dies of a signal while a launch runs is given that launch once more.
constexpr unsigned kMostCrashes = 2;

Description description_of(const cuda::GpuSpec& gpu) {
  const GpuFacts& facts = gpu.facts;
  const std::string major = std::to_string(facts.compute_major),
                    minor = std::to_string(facts.compute_minor);
  return {.name = "cuda",
          .gpu = gpu.name,
          .title = gpu.name + ", compute capability " + major + "." + minor + ", driver " +
                   facts.driver + "; times are measured",
          .arch = "sm_" + major + minor,
          .deterministic = false,
          .facts = facts};
}

/// What the worker's error reply says.
Error error_of(const Reply& reply) {
  if (const std::optional<Error> error = read_error_json(reply.error)) return *error;
  return Error("the GPU's worker failed without saying why", "Build the whole project anew.",
               error_id::kGpuFailed);
}

Gpus ask_worker() {
  Request request;
  request.describe = true;
  auto worker = std::make_unique<cuda::Worker>();
  const std::vector<Reply> replies = worker->ask(request, kDescribeSeconds);
  if (replies.empty()) cuda::worker_error(worker->result(), kDescribeSeconds);
  const Reply& reply = replies.front();
  if (reply.kind == Reply::Kind::error) {
    const Error error = error_of(reply);
    if (error.id() == error_id::kGpuMissing) throw NoGpu(error.what(), error.remedy(), error.id());
    throw Error(error);
  }
  Gpus gpus;
  gpus.driver_version = reply.driver_version;
  gpus.has_nvml = reply.has_nvml;
  for (const cuda::GpuSpec& gpu : reply.gpus) {
    gpus.all.push_back(description_of(gpu));
    gpus.exclusive.push_back(gpu.exclusive);
  }
  // It has loaded the driver: the first plan need not do so again.
  cuda::keep_idle(std::move(worker));
  return gpus;
}

/// A plan's launches, how far each has come, and what is known of it.
class Ledger {
 public:
  Ledger(const Plan& plan, const Request& request, const std::string& gpu, const std::string& uuid)
      : plan_(plan),
        request_(request),
        gpu_(gpu),
        uuid_(uuid),
        outcomes_(plan.launches.size()),
        states_(plan.launches.size()) {}

  /// What is still to run, as a request; no launches: all is done.
  Request rest() const {
    Request rest = request_;
    std::erase_if(rest.launches, [&](const LaunchSpec& launch) { return is_done(launch.index); });
    return rest;
  }

  void enter(const Reply& reply) {
    switch (reply.kind) {
      case Reply::Kind::ran:
        states_.at(reply.index).ran = true;
        outcomes_[reply.index].printed = reply.printed;
        outcomes_[reply.index].changed_inputs = reply.changed_inputs;
        return;
      case Reply::Kind::failed:
      case Reply::Kind::endless:
        return enter_failure(reply);
      case Reply::Kind::window:
        return enter_window(reply);
      case Reply::Kind::error:
        throw error_of(reply);
      case Reply::Kind::done:
        return;
      case Reply::Kind::gpus:
        break;
    }
    throw Error("the GPU's worker gave an answer that was not asked for",
                "Build the whole project anew.");
  }

  /// The worker died of a signal, and while it ran launch `progress` - 1 (0: none).
  void enter_crash(const process::Result& run, double wall_seconds, std::uint32_t progress) {
    // Nothing that a kernel does ends in SIGKILL: that was the system, for memory, or a person.
    if (run.signal == SIGKILL || progress == 0 || progress > states_.size())
      cuda::worker_error(run, wall_seconds);
    if (++states_[progress - 1].crashes < kMostCrashes) return;
    fail(progress - 1, cuda::crash_finding(cuda::describe_end(run, wall_seconds),
                                           plan_.launches[progress - 1].launch, gpu_));
  }

  std::vector<Outcome> finish(cuda::SharedMemory& memory) {
    for (const LaunchSpec& launch : request_.launches) {
      Outcome& outcome = outcomes_[launch.index];
      if (!states_[launch.index].ran) continue;
      outcome.completed = true;
      outcome.outputs = cuda::take_outputs(request_, launch, 0, memory);
      for (std::uint32_t set = 1; set <= states_[launch.index].other_sets; ++set)
        outcome.other_outputs.push_back(cuda::take_outputs(request_, launch, set, memory));
    }
    return std::move(outcomes_);
  }

 private:
  struct State {
    bool ran = false, failed = false;
    unsigned crashes = 0;
    std::uint32_t other_sets = 0;  ///< of outputs of samples that differ
  };

  bool is_done(std::uint32_t index) const {
    const State& state = states_[index];
    return state.failed || (state.ran && (timed_ || !plan_.launches[index].want_time));
  }

  void fail(std::uint32_t index, launch::Finding finding) {
    states_.at(index) = {.ran = false, .failed = true};
    outcomes_[index] = {};
    outcomes_[index].findings = {std::move(finding)};
  }

  void enter_failure(const Reply& reply) {
    const PlannedLaunch& planned = plan_.launches.at(reply.index);
    const bool is_kernel = planned.kind == PlannedLaunch::Kind::kernel;
    auto finding =
        is_kernel ? cuda::finding_of(reply, planned.launch, plan_.modules[planned.module].ptx, gpu_)
                  : std::nullopt;
    if (!finding)
      throw Error("the GPU failed on " + (is_kernel ? planned.launch.kernel : "the driver's copy") +
                      (reply.kind == Reply::Kind::endless
                           ? ", which did not end"
                           : ": " + reply.words + " (" + reply.code_name + ")"),
                  cuda::remedy_of_code(reply.code),
                  reply.code == 2 ? error_id::kGpuOutOfMemory : error_id::kGpuFailed);
    fail(reply.index, std::move(*finding));
    outcomes_[reply.index].printed = reply.printed;
    if (reply.kind == Reply::Kind::endless) spare_other_launches(reply.index);
  }

  /// What did not end once is not waited for again and again: each time costs its whole limit.
  void spare_other_launches(std::uint32_t endless) {
    const PlannedLaunch& planned = plan_.launches[endless];
    for (std::uint32_t i = 0; i < plan_.launches.size(); ++i) {
      const PlannedLaunch& other = plan_.launches[i];
      if (is_done(i) || other.kind != PlannedLaunch::Kind::kernel ||
          other.module != planned.module || other.launch.entry != planned.launch.entry)
        continue;
      fail(i, cuda::spared_finding(other.launch, gpu_));
    }
  }

  void enter_window(const Reply& reply) {
    timed_ = true;
    Conditions conditions = reply.conditions;
    conditions.gpu_uuid = uuid_;
    for (const cuda::TimedSpec& timed : reply.timed) {
      Outcome& outcome = outcomes_.at(timed.index);
      outcome.times_us = timed.times_us;
      outcome.conditions = conditions;
      outcome.differing_samples = timed.differing_samples;
      states_[timed.index].other_sets = timed.other_sets;
      for (const std::uint32_t buffer : timed.changed_inputs)
        if (std::ranges::count(outcome.changed_inputs, buffer) == 0)
          outcome.changed_inputs.push_back(buffer);
    }
  }

  const Plan& plan_;
  const Request& request_;
  std::string gpu_, uuid_;
  std::vector<Outcome> outcomes_;
  std::vector<State> states_;
  bool timed_ = false;  ///< the window was closed
};

/// After this the worker does not merely take long.
double patience_seconds(const Request& request) {
  double seconds =
      kOverheadSeconds + request.repetition.max_wait_seconds + request.repetition.max_seconds;
  for (const LaunchSpec& launch : request.launches)
    seconds += launch.wall_seconds * (launch.timed ? 3 : 1);
  return seconds;
}

/// What is left of a plan, as far as the worker comes with it.
void run_rest(const Request& rest, cuda::Worker& worker, Ledger& ledger) {
  worker.memory().progress() = {};
  const double patience = patience_seconds(rest);
  for (const Reply& reply : worker.ask(rest, patience)) ledger.enter(reply);
  const std::size_t left = ledger.rest().launches.size();
  // A worker whose work is done may end as it likes: under a profiler it ends with code 1.
  if (left == 0) return;
  if (worker.has_ended() && worker.result().end == process::End::signalled)
    ledger.enter_crash(worker.result(), patience, worker.memory().progress().launch_plus_one);
  else if (left == rest.launches.size())
    cuda::worker_error(worker.result(), patience);
}

}  // namespace

const Gpus& find_gpus() {
  static std::mutex mutex;
  static std::map<std::string, Gpus> known;
  std::string settings;
  for (const char* name :
       {"LABKIT_LIBCUDA", "LABKIT_LIBNVML", "LABKIT_LIBEXEC", "CUDA_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name)) settings += std::string(name) + "=" + value + "\n";
  const std::lock_guard lock(mutex);
  const auto at = known.find(settings);
  return at != known.end() ? at->second : known[settings] = ask_worker();
}

CudaDevice::CudaDevice(const Options& options) {
  const std::vector<Description>& all = find_gpus().all;
  const int count = static_cast<int>(all.size());
  if (options.gpu_id >= count || options.gpu_id < -1) {
    std::vector<std::string> there;
    for (const Description& gpu : all)
      there.push_back(std::to_string(gpu.facts->id) + " (" + gpu.gpu + ")");
    throw NoSuchGpu("there is no GPU " + std::to_string(options.gpu_id),
                    "there are: " + joined(there), error_id::kGpuUnknown);
  }
  description_ = all[std::max(0, options.gpu_id)];
  const GpuFacts& facts = *description_.facts;
  for (const Description& gpu : all)
    if (options.gpu_id == gpu.facts->id ||
        (options.gpu_id == -1 && gpu.gpu == description_.gpu && gpu.arch == description_.arch))
      candidates_.push_back(gpu.facts->id);
  try {
    const compile::CompilerInfo compiler = compile::find_compiler();
    description_.arch = compile::arch_for(compiler, facts.compute_major, facts.compute_minor);
  } catch (const compile::NoCompiler&) {
    // Who compiles is told; who has compiled already does without.
  }
}

std::vector<Outcome> CudaDevice::run(const Plan& plan) {
  std::uint64_t shared_bytes = 0;
  Request request = cuda::request_of(plan, shared_bytes);

  std::vector<std::string> uuids;
  for (const int id : candidates_) uuids.push_back(find_gpus().all[id].facts->uuid);
  const bool exclusive = find_gpus().exclusive[candidates_.front()];
  const bool timed = std::ranges::any_of(plan.launches, &PlannedLaunch::want_time);
  const GpuLock lock(uuids, timed || exclusive ? GpuLock::Use::alone : GpuLock::Use::shared);
  const std::string uuid = uuids[lock.which()];
  request.gpu = candidates_[lock.which()];
  std::swap(candidates_.front(), candidates_[lock.which()]);

  Ledger ledger(plan, request, description_.gpu, uuid);
  if (!worker_) worker_ = cuda::idle_or_new();
  worker_->memory().resize(shared_bytes);
  cuda::fill(plan, request, worker_->memory());
  std::vector<Outcome> outcomes;
  try {
    for (Request rest = ledger.rest(); !rest.launches.empty(); rest = ledger.rest()) {
      if (worker_->has_ended()) worker_->restart();
      if (!exclusive) worker_->announce(uuid);
      run_rest(rest, *worker_, ledger);
    }
    outcomes = ledger.finish(worker_->memory());
    worker_->memory().resize(0);
  } catch (...) {
    worker_.reset();
    throw;
  }
  // Where a context keeps all others out, it goes with the lock.
  if (exclusive || worker_->has_ended()) worker_.reset();
  return outcomes;
}

Devices make_devices(const std::string& choice, const Options& options) {
  if (choice != "sim" && choice != "cuda" && choice != "auto")
    throw Error("there is no device '" + choice + "'", "there are sim, cuda and auto");
  Devices devices;
  devices.simulator = make_simulator(options);
  if (choice == "sim") return devices;
  try {
    devices.gpu = std::make_unique<CudaDevice>(options);
  } catch (const NoGpu&) {
    if (choice == "cuda") throw;
  } catch (const NoSuchGpu&) {
    throw;  // who names one of several wants that one
  } catch (const Error& error) {
    if (choice == "cuda") throw;
    devices.note = std::string("the GPU is not used: ") + error.what() + ". " + error.remedy();
  }
  return devices;
}

}  // namespace labkit::device
