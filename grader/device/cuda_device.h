// A GPU as a Device. This process never calls CUDA: plans run in a worker, labkit-cuda, that gets each
// plan whole and gives back samples and outputs (cuda_protocol.h). A launch that takes the worker down
// with it costs that launch; the rest goes on in a fresh one.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/cuda_worker.h"
#include "device/device.h"

namespace labkit::device {

/// There is no driver, or it sees no GPU: this is a machine for the simulator.
struct NoGpu : Error {
  using Error::Error;
};

/// There are GPUs, but not the one that was named.
struct NoSuchGpu : Error {
  using Error::Error;
};

/// What the driver tells, read once a process.
struct Gpus {
  int driver_version = 0;        ///< cuDriverGetVersion: 13000 for CUDA 13.0
  bool has_nvml = false;         ///< throttling and others' use are seen
  std::vector<Description> all;  ///< by the driver's number; at least one
  std::vector<bool> exclusive;   ///< of each: one process has it at a time (its compute mode)
};
/// Throws NoGpu, or labkit::Error with the mend (a driver too old, a GPU that does not answer).
/// CUDA_VISIBLE_DEVICES is respected, as the driver does it.
const Gpus& find_gpus();

class CudaDevice : public Device {
 public:
  /// Throws labkit::Error: as find_gpus(), for a number that there is not, naming those there are,
  /// and for a GPU that is too old for the NVRTC at hand.
  explicit CudaDevice(const Options& options);
  /// Of the GPU that was asked for; of the first, if any will do.
  Description describe() const override { return description_; }
  std::vector<Outcome> run(const Plan& plan) override;
  std::vector<launch::Finding> refusals(const Module&, const std::string&) override { return {}; }

 private:
  /// Alike; the first that is free runs a plan, that of the last plan before the others.
  std::vector<int> candidates_;
  Description description_;
  std::unique_ptr<cuda::Worker> worker_;  ///< null: none is kept
};

}  // namespace labkit::device
