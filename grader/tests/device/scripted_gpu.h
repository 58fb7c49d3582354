// A GPU that does what the test says: kernels give the outputs and times of a script, copies copy.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"

namespace labkit::device {

class ScriptedGpu : public Device {
 public:
  struct Script {
    /// What a launch that is no copy does; its times are filled in below.
    std::function<Outcome(const Plan&, const PlannedLaunch&)> kernel;
    std::function<double(std::uint32_t)> kernel_us = [](std::uint32_t) { return 10.0; };
    double copy_us = 10, best_us = 8, driver_us = 8;
    std::uint32_t rounds = 30;
    Conditions conditions = {};
    std::string name = "Scripted GPU";
    GpuFacts facts = {.uuid = "GPU-0",
                      .driver = "580.1",
                      .compute_major = 9,
                      .compute_minor = 0,
                      .multiprocessors = 132,
                      .memory_bytes = std::uint64_t{64} << 30,
                      .free_bytes = std::uint64_t{60} << 30,
                      .l2_bytes = 0,
                      .peak_bytes_per_second = 1e15};
    int plans = 0, launches = 0;  ///< counted
    std::vector<Plan> seen;       ///< every plan, without its buffers' contents
  };

  explicit ScriptedGpu(Script& script) : script_(script) {}
  Description describe() const override {
    return {.name = "cuda",
            .gpu = script_.name,
            .title = script_.name,
            .arch = "compute_90",
            .deterministic = false,
            .facts = script_.facts};
  }
  std::vector<launch::Finding> refusals(const Module&, const std::string&) override { return {}; }
  std::vector<Outcome> run(const Plan& plan) override {
    ++script_.plans;
    script_.seen.push_back(plan);
    for (launch::Buffer& buffer : script_.seen.back().buffers) buffer.data.clear();
    std::vector<Outcome> outcomes;
    for (const PlannedLaunch& planned : plan.launches) {
      ++script_.launches;
      const bool driver = planned.kind == PlannedLaunch::Kind::driver_copy;
      const bool copy = driver || plan.modules.at(planned.module).name == "copies.cu";
      Outcome outcome = copy ? copied(plan, planned) : script_.kernel(plan, planned);
      outcome.time_is_predicted = false;
      outcome.counters.reset();
      outcome.times_us.clear();
      for (std::uint32_t i = 0; planned.want_time && outcome.completed && i < script_.rounds; ++i)
        outcome.times_us.push_back(driver                                 ? script_.driver_us
                                   : !copy                                ? script_.kernel_us(i)
                                   : planned.launch.kernel == "copy_best" ? script_.best_us
                                                                          : script_.copy_us);
      if (planned.want_time) {
        outcome.conditions = script_.conditions;
        outcome.conditions->rounds = script_.rounds;
      }
      outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  }

 private:
  static Outcome copied(const Plan& plan, const PlannedLaunch& planned) {
    const auto at = [&](std::size_t i) {
      return std::get<launch::BufferRef>(planned.launch.arguments.at(i)).index;
    };
    Outcome outcome;
    outcome.completed = true;
    outcome.outputs.push_back({at(1), launch::initial_contents(plan.buffers.at(at(0)))});
    return outcome;
  }

  Script& script_;
};

}  // namespace labkit::device
