#include "device/worker/window.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "base/median.h"

namespace labkit::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using Hashes = std::vector<Session::Hash>;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void nap() { std::this_thread::sleep_for(std::chrono::duration<double>(kLookSeconds)); }

/// A launch that is timed, and what is known of it.
struct Runner {
  const LaunchSpec* launch = nullptr;
  Hashes fresh;           ///< of its buffers before its first run
  Hashes first;           ///< of its outputs after that
  std::set<Hashes> seen;  ///< of its outputs after others, other than these
  TimedSpec told;
};

class Window {
 public:
  Window(const Request& request, const Tools& tools, Conditions conditions)
      : request_(request), tools_(tools), conditions_(std::move(conditions)) {}

  bool run() {
    for (const LaunchSpec& launch : request_.launches)
      if (!run_first(launch)) return false;
    if (runners_.empty()) return true;
    try {
      measure();
    } catch (const LaunchFailure& failure) {
      // Which launch it was, the progress says; the grader begins anew without it.
      tools_.watchdog.disarm();
      tell_failure(tools_.progress.launch_plus_one - 1, failure);
      return false;
    }
    tell_window();
    return true;
  }

 private:
  /// Buffers as new; their hashes. What fails here is not the launch's fault, but for a module that
  /// does not compile.
  Hashes prepare(const LaunchSpec& launch) {
    tools_.session.restore(launch);
    try {
      return tools_.session.hashes(launch);
    } catch (const LaunchFailure& failure) {
      throw Trouble{
          "preparing " + launch.kernel + " failed with CUDA error " + std::to_string(failure.code),
          remedy_of(failure.code), id_of(failure.code)};
    }
  }

  /// False if the context is lost with it.
  bool run_first(const LaunchSpec& launch) {
    Reply reply;
    reply.kind = Reply::Kind::ran;
    reply.index = launch.index;
    try {
      Hashes fresh = prepare(launch);
      tools_.capture.clear();
      begin(launch);
      tools_.session.run(launch);
      end();
      const Hashes after = tools_.session.hashes(launch);
      reply.printed = tools_.capture.printed();
      reply.changed_inputs = changed_inputs(launch, fresh, after);
      tools_.session.keep_outputs(launch, 0);
      if (launch.timed) {
        Runner& runner = runners_.emplace_back();
        runner.launch = &launch;
        runner.fresh = std::move(fresh);
        runner.first = outputs_of(launch, after);
        runner.told.index = launch.index;
      }
    } catch (const LaunchFailure& failure) {
      end();
      const bool alive = tools_.session.alive();
      tell_failure(launch.index, failure);
      return alive;
    }
    send(tools_.capture.reply_fd(), reply);
    return true;
  }

  void begin(const LaunchSpec& launch) {
    tools_.progress.launch_plus_one = launch.index + 1;
    tools_.watchdog.arm(launch.index, launch.wall_seconds);
  }
  void end() {
    tools_.watchdog.disarm();
    tools_.progress.launch_plus_one = 0;
  }

  std::vector<std::uint32_t> changed_inputs(const LaunchSpec& launch, const Hashes& before,
                                            const Hashes& after) const {
    std::vector<std::uint32_t> changed;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i)
      if (!request_.buffers[launch.buffers[i]].output && before[i] != after[i])
        changed.push_back(launch.buffers[i]);
    return changed;
  }

  /// One sample in microseconds. Its outputs are held against the first run's.
  double sample(Runner& runner) {
    const LaunchSpec& launch = *runner.launch;
    tools_.session.restore(launch);
    begin(launch);
    const double time_us = tools_.session.time(launch);
    const Hashes after = tools_.session.hashes(launch);
    end();
    const auto changed = changed_inputs(launch, runner.fresh, after);
    if (!changed.empty()) runner.told.changed_inputs = changed;
    verify(runner, outputs_of(launch, after));
    return time_us;
  }

  Hashes outputs_of(const LaunchSpec& launch, const Hashes& after) const {
    Hashes outputs;
    for (std::size_t i = 0; i < after.size(); ++i)
      if (request_.buffers[launch.buffers[i]].output) outputs.push_back(after[i]);
    return outputs;
  }

  void verify(Runner& runner, const Hashes& outputs) {
    if (outputs == runner.first) return;
    ++runner.told.differing_samples;
    if (runner.seen.size() >= kMostOtherOutputs || !runner.seen.insert(outputs).second) return;
    tools_.session.keep_outputs(*runner.launch, ++runner.told.other_sets);
  }

  std::vector<double> round(std::uint32_t number) {
    std::vector<double> times(runners_.size());
    for (const std::size_t i : order_of_round(number, runners_.size()))
      times[i] = sample(runners_[i]);
    return times;
  }

  void measure() {
    const Repetition& policy = request_.repetition;
    const Clock::time_point start = Clock::now();
    const double waited_before = conditions_.waited_seconds;
    std::uint32_t number = 0;
    const auto in_time = [&] {
      return policy.max_seconds <= 0 ||
             seconds_since(start) - (conditions_.waited_seconds - waited_before) <
                 policy.max_seconds;
    };
    for (std::uint32_t i = 0; i < policy.warmups && (i == 0 || in_time()); ++i) round(number++);
    times_.assign(runners_.size(), {});
    while (conditions_.rounds < std::max(1u, policy.max_samples) &&
           (conditions_.rounds == 0 || in_time())) {
      const std::vector<double> times = round(number++);
      if (is_disturbed(times)) {
        ++conditions_.disturbed;
        continue;
      }
      for (std::size_t i = 0; i < times.size(); ++i) times_[i].push_back(times[i]);
      ++conditions_.rounds;
      if (conditions_.rounds >= policy.min_samples && policy.enough_relative_error > 0 &&
          is_settled(times_, policy.enough_relative_error)) {
        conditions_.settled = true;
        break;
      }
    }
  }

  /// Was the GPU throttled, or did the first launch, which is the yardstick, take another time than
  /// before? Waits until it is over; what cannot be waited out is trouble, and no more looked for.
  bool is_disturbed(const std::vector<double>& times) {
    if (!conditions_.trouble.empty()) return false;
    if (const std::string reason = tools_.nvml.throttled(); !reason.empty()) {
      wait_until_cool(reason);
      return true;
    }
    if (times_[0].size() >= kDriftRounds && has_drifted(times[0])) {
      if (++drifted_ < kMostDrifted) return true;
      conditions_.trouble = "the GPU's speed moved by more than a quarter during the measurement";
      return false;
    }
    drifted_ = 0;
    return false;
  }

  bool has_drifted(double time_us) const {
    const double usual = median_interval(times_[0]).value;
    return std::fabs(time_us - usual) > kLeastDriftUs &&
           std::max(time_us / usual, usual / time_us) > kDriftFactor;
  }

  void wait_until_cool(const std::string& reason) {
    const Clock::time_point start = Clock::now();
    const double patience = request_.repetition.max_wait_seconds - conditions_.waited_seconds;
    while (!tools_.nvml.throttled().empty()) {
      if (seconds_since(start) >= patience) {
        conditions_.trouble = "the GPU's clocks are held down " + reason;
        break;
      }
      nap();
    }
    conditions_.waited_seconds += seconds_since(start);
  }

  void tell_failure(std::uint32_t index, const LaunchFailure& failure) {
    Reply reply;
    reply.kind = Reply::Kind::failed;
    reply.index = index;
    reply.code = failure.code;
    reply.at_launch = failure.at_launch;
    const Driver& driver = tools_.session.driver();
    reply.code_name = driver.name_of(failure.code);
    reply.words = failure.words.empty() ? driver.words_of(failure.code) : failure.words;
    reply.printed = tools_.capture.printed();
    reply.complaint = tools_.capture.complaint();
    send(tools_.capture.reply_fd(), reply);
  }

  void tell_window() {
    conditions_.sm_clock_mhz = tools_.nvml.sm_clock_mhz();
    conditions_.memory_clock_mhz = tools_.nvml.memory_clock_mhz();
    Reply reply;
    reply.kind = Reply::Kind::window;
    reply.conditions = conditions_;
    for (std::size_t i = 0; i < runners_.size(); ++i) {
      runners_[i].told.times_us = times_[i];
      reply.timed.push_back(runners_[i].told);
    }
    send(tools_.capture.reply_fd(), reply);
  }

  const Request& request_;
  Tools tools_;
  Conditions conditions_;
  std::vector<Runner> runners_;
  std::vector<std::vector<double>> times_;
  std::uint32_t drifted_ = 0;
};

}  // namespace

void wait_for_others(const Nvml& nvml, unsigned known, double max_seconds, Conditions& conditions) {
  const Clock::time_point start = Clock::now();
  while (nvml.processes() > known && nvml.utilisation().value_or(0) > kBusyPercent) {
    if (seconds_since(start) >= max_seconds) {
      conditions.trouble = "another program keeps the GPU busy";
      break;
    }
    nap();
  }
  conditions.waited_seconds += seconds_since(start);
}

bool run_plan(const Request& request, const Tools& tools, Conditions conditions) {
  return Window(request, tools, std::move(conditions)).run();
}

}  // namespace labkit::device::cuda
