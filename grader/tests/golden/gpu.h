// Runs golden files on a GPU through the CUDA driver, which is loaded at run time: nothing of the
// CUDA Toolkit is needed to build this, and a machine without a driver is told so.
#pragma once
#include <memory>
#include <string>

#include "golden_file.h"

namespace labkit::golden {

class Gpu {
 public:
  /// The first GPU, or null and in `why_not` what is missing ("libcuda.so.1 cannot be loaded").
  static std::unique_ptr<Gpu> open(std::string& why_not);
  ~Gpu();

  const std::string& name() const { return name_; }  ///< "NVIDIA H200"
  const std::string& driver() const {
    return driver_;
  }  ///< "580.159.04", or the CUDA version it supports
  unsigned compute_capability() const { return compute_capability_; }  ///< 90 for 9.0

  /// Throws std::runtime_error with the driver's words if the kernel does not compile, launch or
  /// finish.
  Outcome run(const GoldenFile& file);

  struct Driver;

 private:
  Gpu() = default;
  std::unique_ptr<Driver> api_;
  std::string name_, driver_;
  unsigned compute_capability_ = 0;
};

}  // namespace labkit::golden
