// The simulator as a Device.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "device/device.h"
#include "simt/machine.h"

namespace labkit::device {

class SimDevice : public Device {
 public:
  explicit SimDevice(const Options& options);
  Description describe() const override;
  std::vector<Outcome> run(const Plan& plan) override;
  std::vector<launch::Finding> refusals(const Module& module, const std::string& entry) override;

 private:
  struct Loaded;
  Loaded& load(const Module& module);
  simt::DecodeResult& decoded(Loaded& module, const std::string& entry) const;
  Outcome run_one(const Plan& plan, const PlannedLaunch& planned, Loaded& module) const;

  Options options_;
  const timing::GpuProfile& gpu_;
  std::map<std::string, std::shared_ptr<Loaded>> modules_;  ///< by PTX text
};

}  // namespace labkit::device
